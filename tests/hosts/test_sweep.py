"""examples/sweep.py: every run of a study in its table once, whatever is killed on the way."""

import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import harness

SCRIPT = harness.ROOT / "examples" / "sweep.py"
STRIBECK = "joints.N.friction.stribeck"
POINTS = 12


@pytest.fixture(scope="module")
def fmu():
    return harness.pack(harness.ROOT / "resources" / "models" / "quick_return.toml")


def call(fmu, table, *options):
    study = ["--vary", f"{STRIBECK}.kinetic_coefficient=0:0.3:{POINTS // 2}"]
    study += ["--vary", f"{STRIBECK}.static_coefficient=0.1,0.5", "--stop", "0.5"]
    study += ["--outputs", "probes.tip_deflection", "joints.N.friction_force"]
    return [sys.executable, SCRIPT, fmu, *study, *options, "-o", table]


def start(fmu, table, *options):
    return subprocess.Popen(call(fmu, table, *options), stdout=subprocess.PIPE, text=True)


def finish(fmu, table, *options):
    done = subprocess.run(call(fmu, table, *options), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(table):
    """The rows as text, in order of the points."""
    with open(table, newline="") as file:
        return sorted(list(csv.reader(file))[1:])


@pytest.fixture(scope="module")
def serial(fmu, tmp_path_factory):
    table = tmp_path_factory.mktemp("sweep") / "serial.csv"
    finish(fmu, table, "--processes", "1")
    expected = rows(table)
    assert len(expected) == POINTS
    # The friction law refuses a static coefficient below the kinetic one, and says so.
    refused = [row for row in expected if "allowed: at or above it" in row[-1]]
    assert len(refused) == 4
    assert all(row[5] != "" for row in expected if row not in refused)
    return expected


def wait_for(table, count, study):
    """Until so many runs are done, with the study still going."""
    while not table.exists() or table.read_text().count("\n") < count + 1:
        assert study.poll() is None, study.stdout.read()
        time.sleep(0.01)


def workers(study, words):
    """The processes of a study that take runs: their command lines contain these words."""
    family = psutil.Process(study.pid).children(recursive=True)
    return [child for child in family if words in " ".join(child.cmdline())]


@pytest.mark.parametrize("cluster", ("cores", "dask"))
def test_a_killed_worker_loses_nothing(fmu, serial, tmp_path, cluster):
    table = tmp_path / "killed.csv"
    options = ["--processes", "2"] + (["--dask"] if cluster == "dask" else [])
    with start(fmu, table, *options) as study:
        wait_for(table, 2, study)
        workers(study, "spawn_main")[-1].kill()
        printed = study.stdout.read()
    assert study.returncode == 0, printed
    assert rows(table) == serial
    if cluster == "cores":
        assert "a worker died" in printed


def test_a_killed_study_goes_on_where_it_was(fmu, serial, tmp_path):
    table = tmp_path / "killed.csv"
    with start(fmu, table, "--processes", "2") as study:
        wait_for(table, 3, study)
        crew = workers(study, "spawn_main")
        study.kill()
    assert crew
    # Its workers end with it.
    assert psutil.wait_procs(crew, timeout=10)[1] == []
    done = rows(table)
    assert 3 <= len(done) < POINTS
    # The worst that a killed writer leaves behind.
    with open(table, "a") as file:
        file.write(",".join(serial[-1])[:30])
    assert f"{POINTS} runs, {len(done)} of them done already" in finish(fmu, table)
    assert rows(table) == serial
    assert f"{POINTS} runs, {POINTS} of them done already" in finish(fmu, table)
    assert rows(table) == serial


def test_a_dask_cluster_elsewhere_gives_the_same_table(fmu, serial, tmp_path):
    """Its workers start in another folder and know nothing of the script."""
    table, place = tmp_path / "elsewhere.csv", tmp_path / "scheduler.json"
    dask = Path(sys.executable).with_name("dask")
    common = ["--scheduler-file", place, "--no-dashboard"]
    commands = ([dask, "scheduler", "--port", "0", *common], [dask, "worker", "--nworkers", "2", "--nthreads", "1", *common])
    cluster = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) for command in commands]
    try:
        while not place.exists() or not place.read_text().rstrip().endswith("}"):
            assert cluster[0].poll() is None
            time.sleep(0.05)
        finish(fmu, table, "--scheduler", json.loads(place.read_text())["address"])
    finally:
        for process in reversed(cluster):
            process.terminate()
            process.wait()
    assert rows(table) == serial


def test_another_study_does_not_go_into_the_same_table(fmu, serial, tmp_path):
    table = tmp_path / "other.csv"
    finish(fmu, table)
    before = table.read_bytes()
    refused = subprocess.run([*call(fmu, table), "--step", "0.01"], capture_output=True, text=True)
    assert refused.returncode == 1
    assert "holds results for step = 0.001, this is 0.01" in refused.stderr
    assert table.read_bytes() == before


def test_parts_make_the_table_of_one_study(fmu, serial, tmp_path):
    table = tmp_path / "parts.csv"
    finish(fmu, table, "--part", "1/2", "--processes", "1")
    early = subprocess.run(call(fmu, table, "--merge", "2"), capture_output=True, text=True)
    assert early.returncode != 0 and "part 2/2 has not run" in early.stderr
    finish(fmu, table, "--part", "2/2", "--processes", "1")
    assert len(rows(tmp_path / "parts.1of2.csv")) == POINTS // 2
    # A row that was lost is missed, and done by the same call again.
    second = tmp_path / "parts.2of2.csv"
    whole = second.read_text()
    second.write_text(whole[: whole.rstrip().rfind("\n") + 1])
    lost = subprocess.run(call(fmu, table, "--merge", "2"), capture_output=True, text=True)
    assert lost.returncode != 0 and f"1 of {POINTS} runs are missing" in lost.stderr and not table.exists()
    finish(fmu, table, "--part", "2/2", "--processes", "1")
    finish(fmu, table, "--merge", "2")
    assert rows(table) == serial
