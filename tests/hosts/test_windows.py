"""The library that `tools/windows-library` builds, under Wine. It takes minutes to build, so only a
library that is named in COULISSE_WINDOWS_LIBRARY is tried:

    COULISSE_WINDOWS_LIBRARY="$(tools/windows-library)" COULISSE_WINDOWS_COMMAND="$(tools/windows-library command)" \\
        target/venv/bin/python -m pytest tests/hosts/test_windows.py
"""

import os
import shutil
import subprocess
import zipfile
from math import floor, log2
from pathlib import Path

import numpy as np
import pytest
from fmpy import read_model_description

import harness

LIBRARY = os.environ.get("COULISSE_WINDOWS_LIBRARY")
COMMAND = os.environ.get("COULISSE_WINDOWS_COMMAND")
HERE = Path(__file__).parent
MINGW = "x86_64-w64-mingw32-gcc"
WINE = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")

pytestmark = [
    pytest.mark.skipif(LIBRARY is None, reason="COULISSE_WINDOWS_LIBRARY names no library of tools/windows-library"),
    pytest.mark.skipif(WINE is None, reason="wine64 is not installed"),
    pytest.mark.skipif(shutil.which(MINGW) is None, reason=f"{MINGW} is not installed"),
]


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    folder = tmp_path_factory.mktemp("windows")
    subprocess.run([MINGW, "-O1", "-o", folder / "host.exe", HERE / "windows_host.c"], check=True)
    random = folder / "bcryptprimitives.dll"
    subprocess.run([MINGW, "-shared", "-o", random, HERE / "windows_random.c", "-ladvapi32"], check=True)
    return folder / "host.exe"


def wine(host, *arguments, folder=None):
    environment = dict(os.environ, WINEDEBUG="-all", WINEPREFIX=str(host.parent / "prefix"))
    call = [WINE, host, *map(str, arguments)]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def path(file):
    return "Z:" + str(file).replace("/", "\\")


@pytest.mark.parametrize("model", harness.MODELS, ids=lambda model: model.stem)
def test_bundled_models_move_under_wine_as_on_linux(host, model, tmp_path):
    """Places to 1e-8: sines and exponentials there are not those of Linux to the last bit."""
    fmu = harness.FOLDER / f"{model.stem}_windows.fmu"
    linux = harness.COMMAND.with_name("libcoulisse.so")
    harness.coulisse("pack", model, "-o", fmu, "--library", linux, "--library", LIBRARY)
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(tmp_path)
    stop, proposed = harness.experiment(fmu)
    step = 2.0 ** floor(log2(proposed))
    count = min(floor(stop / step), 1000)
    harness.coulisse("run", fmu, "--step", step, "--stop", step * count, "-o", tmp_path / "linux.csv")
    expected = harness.rows(tmp_path / "linux.csv")
    description = read_model_description(fmu)
    places = {
        v.name: v.valueReference
        for v in description.modelVariables
        if v.causality == "output" and (v.name.startswith("probes") or v.name.endswith((".x", ".y", ".position")))
    }
    library = tmp_path / "binaries" / "win64" / f"{model.stem}.dll"
    resources = f"file:///Z:{tmp_path}/resources"
    printed = wine(host, path(library), description.guid, resources, step, count, *places.values())
    columns = np.array([[float.fromhex(word) for word in line.split()] for line in printed]).T
    for name, values in zip(places, columns):
        theirs = expected[name][1:]
        assert len(values) == len(theirs) == count
        assert np.max(np.abs(values - theirs)) < 1e-8 * np.max(np.abs(theirs)), name


@pytest.mark.skipif(COMMAND is None, reason="COULISSE_WINDOWS_COMMAND names no command of tools/windows-library")
def test_the_command_packs_and_runs_under_wine_as_on_linux(host, tmp_path):
    command = host.parent / "coulisse.exe"
    shutil.copy(COMMAND, command)
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    said = wine(command, "pack", path(model), folder=tmp_path)
    assert any("for win64" in line for line in said), said
    wine(command, "run", "incline.fmu", "-o", "theirs.csv", folder=tmp_path)
    harness.coulisse("run", model, "-o", tmp_path / "ours.csv")
    ours, theirs = harness.rows(tmp_path / "ours.csv"), harness.rows(tmp_path / "theirs.csv")
    assert list(ours) == list(theirs) and len(ours["time"]) == len(theirs["time"])
    place = "joints.block.position"
    assert np.max(np.abs(ours[place] - theirs[place])) < 1e-8 * np.max(np.abs(ours[place]))
    wine(command, "demo", folder=tmp_path)
    assert (tmp_path / "target" / "demo" / "quick_return.html").stat().st_size > 10_000
