"""A check of several parts runs all of them and counts what failed (tests/parts.sh)."""

import pathlib
import subprocess

PARTS = pathlib.Path(__file__).parents[1] / "parts.sh"

SCRIPT = """
set -uo pipefail
. {parts}
part cargo echo 'test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out'
beside failing sh -c 'echo "test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured"; exit 101'
part lint sh -c 'echo "error: 9 passed, 9 failed"; exit 1'
awaited
part pytest sh -c 'echo "1 failed, 3 passed, 4 skipped, 1 error in 12.34s"; exit 1'
skipped missing
closing
"""


def closing(tmp_path, script):
    done = subprocess.run(["bash", "-c", script.format(parts=PARTS)], cwd=tmp_path, text=True, capture_output=True,
                          env={"PATH": "/usr/bin:/bin"})
    return done.returncode, done.stdout


def test_every_part_runs_and_every_failure_counts(tmp_path):
    status, said = closing(tmp_path, SCRIPT)
    # Two in `failing`, one for `lint`, which has no tests, two in `pytest`.
    assert (status, said.splitlines()[-1]) == (1, "15 passed, 5 failed, 6 skipped"), said
    assert "pytest (FAILED)" in said and "cargo (FAILED)" not in said and said.count("FAILED. 5 passed") == 1


def test_what_fails_nowhere_succeeds(tmp_path):
    status, said = closing(tmp_path, SCRIPT.replace("exit 101", "").replace("exit 1", "").replace("2 failed", "0 failed")
                           .replace("1 failed", "0 failed").replace("1 error", "0 errors"))
    assert (status, said.splitlines()[-1]) == (0, "15 passed, 0 failed, 6 skipped"), said
