"""Every command in a `sh` block of README and docs, and every script of docs/hosts.md, runs as it stands there, in a folder
of its own that holds the models and scripts of the project. A block that is not run says why, in a comment of Markdown in
front of it:

    <!-- not run: the reason. -->

What a `text` block shows of a run, its commands behind a `$`, is what they print.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import fmpy
import pytest

import harness

DOCUMENTS = [harness.ROOT / "README.md", *sorted((harness.ROOT / "docs").rglob("*.md"))]
# A fenced block with the line before it.
BLOCK = re.compile(r"(?:^<!-- not run: (?P<reason>.+?) -->\n)?^```(?P<language>sh|python)\n(?P<commands>.*?)^```$", re.M | re.S)
# A command with what it prints, up to the next.
PRINTED = re.compile(r"^\$ (?P<command>.+)\n(?P<printed>(?:(?!\$ |```).*\n)*)", re.M)
# Whose scripts are run here; test_hosts.py, test_python.py and others run those of other documents.
SCRIPTS = "hosts.md"
# A model that the reader is asked to save.
SAVED = re.compile(r"save it as `(?P<name>[\w.]+)`:\n\n```toml\n(?P<text>.*?)^```$", re.M | re.S)
# What a command finds where a reader runs it.
PROJECT = ("examples", "resources", "tests", "tools")


def blocks(document):
    text = document.read_text()
    found = [found for found in BLOCK.finditer(text) if found["language"] == "sh" or document.name == SCRIPTS]
    return [(text.count("\n", 0, block.start()) + 1, block) for block in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for each document: a later block may need what an earlier one has written."""
    made = {}

    def of(document):
        if document not in made:
            made[document] = tmp_path_factory.mktemp(document.stem)
            for name in PROJECT:
                (made[document] / name).symlink_to(harness.ROOT / name)
            for model in SAVED.finditer(document.read_text()):
                (made[document] / model["name"]).write_text(model["text"])
        return made[document]

    return of


CASES = [(document, line, block) for document in DOCUMENTS for line, block in blocks(document)]


@pytest.mark.parametrize(
    "document, line, block", CASES, ids=[f"{document.name}:{line}" for document, line, _ in CASES]
)
def test_a_command_of_the_documents_does_what_it_is_there_for(document, line, block, folder, portable):
    if block["reason"]:
        pytest.skip(block["reason"])
    if document.name == "coupling.md":
        pytest.skip("test_examples.py runs these and looks at their results")
    commands = block["commands"]
    # The command as installed, and the Python that has the packages.
    path = os.pathsep.join([str(harness.COMMAND.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    # Cargo works in the project and writes to its target folder only.
    where = harness.ROOT if commands.startswith("cargo ") else folder(document)
    environment = {**os.environ, "PATH": path, "LD_LIBRARY_PATH": str(Path(sys.prefix) / "lib")}
    call = ["bash", "-euo", "pipefail"] if block["language"] == "sh" else [sys.executable]
    done = subprocess.run([*call, "-c", commands], cwd=where, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"


SHOWN = [(document, shown) for document in DOCUMENTS for shown in PRINTED.finditer(document.read_text())]


def read(text):
    """Numbers to four digits: what is solved for, not how it is rounded."""
    def word(word):
        try:
            return float(f"{float(word):.3e}")
        except ValueError:
            return word
    return [word(w) for w in text.split()]


@pytest.mark.parametrize("document, shown", SHOWN, ids=[f"{document.name}: {shown['command']:.60}" for document, shown in SHOWN])
def test_what_a_document_shows_is_what_is_printed(document, shown, folder):
    path = os.pathsep.join([str(harness.COMMAND.parent), os.environ["PATH"]])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", shown["command"]], cwd=folder(document), env={**os.environ, "PATH": path},
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert read(done.stdout) == read(shown["printed"]), done.stdout


def test_the_documents_have_commands_and_say_of_few_why_they_do_not_run():
    skipped = [block for _, _, block in CASES if block["reason"] and block["language"] == "sh"]
    assert len(CASES) > 10 and len(skipped) <= 8
    for document in DOCUMENTS:
        text = document.read_text()
        count = text.count("```sh\n") + (text.count("```python\n") if document.name == SCRIPTS else 0)
        assert count == len(blocks(document)), document


def test_every_script_of_the_examples_is_a_command_of_the_documents():
    commands = "".join(block["commands"] for _, _, block in CASES if not block["reason"])
    for script in sorted((harness.ROOT / "examples").glob("*.py")):
        if "__main__" in script.read_text():
            assert f"python examples/{script.name}" in commands, script.name


def test_fmpy_ends_a_discarded_simulation_with_fewer_rows():
    """What the README warns of: the mass falls along a guide of 1 m and is gone after 0.45 s."""
    fmu = harness.pack(harness.ROOT / "tests" / "abi" / "leaves_its_path.toml")
    result = fmpy.simulate_fmu(str(fmu), stop_time=2.0, output_interval=0.01)
    assert 0.0 < result["time"][-1] < 1.9
