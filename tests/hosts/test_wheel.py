"""The wheel: the same bytes twice, and all that it promises in a fresh environment without Rust."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import harness

#: What nobody who installs the wheel needs: no compiler and no checkout on the path.
PLAIN = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
LARGEST = 15e6


#: Building that for Windows takes minutes: only one that is built already goes into the wheel here.
WINDOWS = os.environ.get("COULISSE_WINDOWS_LIBRARY", "")


def build():
    """Where `tools/wheel` has put the wheel."""
    environment = dict(os.environ, COULISSE_WINDOWS_LIBRARY=WINDOWS)
    done = subprocess.run([harness.ROOT / "tools" / "wheel"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def wheel():
    return build()


def fresh(python, wheel, folder):
    """Folder of the programs of a fresh virtual environment with the wheel."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    programs = folder / "bin"
    subprocess.run([programs / "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True)
    return programs


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    return fresh(sys.executable, wheel, tmp_path_factory.mktemp("fresh"))


def pythons():
    """The oldest and the newest Python of this machine that the wheel is for."""
    found = [shutil.which(f"python3.{minor}") for minor in range(9, 20)]
    works = [p for p in found if p and subprocess.run([p, "-c", "import venv"], capture_output=True).returncode == 0]
    return sorted({works[0], works[-1]}) if works else []


def run(environment, *call, folder):
    program = environment / call[0]
    done = subprocess.run([program, *call[1:]], cwd=folder, env=PLAIN, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_small_and_for_every_python(wheel):
    assert re.fullmatch(r"coulisse-[\d.]+-py3-none-manylinux2014_x86_64\.whl", wheel.name)
    assert wheel.stat().st_size < LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {"coulisse", f"coulisse-{wheel.name.split('-')[1]}.data",
                                                          f"coulisse-{wheel.name.split('-')[1]}.dist-info"}
        models = {Path(name).stem for name in names if re.fullmatch(r"coulisse/models/\w+\.toml", name)}
        assert models == {model.stem for model in harness.MODELS}
        (script,) = [info for info in archive.infolist() if ".data/scripts/" in info.filename]
        command = archive.read(script)
    # Nothing of the machine that has built it.
    assert str(harness.ROOT).encode() not in command


def test_the_command_and_the_library_inside_want_an_old_glibc(environment, tmp_path):
    for file in (environment / "coulisse", packed_library(environment, tmp_path)):
        symbols = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
        versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", symbols)]
        assert versions and max(versions) <= (2, 17), file


def packed_library(environment, folder):
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    run(environment, "coulisse", "pack", model, "-o", folder / "incline.fmu", folder=folder)
    with zipfile.ZipFile(folder / "incline.fmu") as archive:
        return Path(archive.extract("binaries/linux64/incline.so", folder))


def test_the_same_sources_give_the_same_bytes(wheel, tmp_path):
    before = wheel.read_bytes()
    assert build().read_bytes() == before


def test_the_command_works_without_rust(environment, tmp_path):
    run(environment, "coulisse", "demo", folder=tmp_path)
    assert (tmp_path / "target" / "demo" / "quick_return.html").stat().st_size > 10_000
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    said = run(environment, "coulisse", "pack", model, folder=tmp_path)
    platforms = re.findall(r"\b(linux64|win64)\b", said)
    assert platforms == (["linux64", "win64"] if WINDOWS else ["linux64"]) and len(said.splitlines()) == 1, said
    run(environment, "coulisse", "run", "incline.fmu", "--stop", "0.1", "-o", "incline.csv", folder=tmp_path)
    own = harness.FOLDER / "wheel.csv"
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    harness.coulisse("run", model, "--stop", "0.1", "-o", own)
    assert (tmp_path / "incline.csv").read_text() == own.read_text()
    buckling = harness.ROOT / "resources" / "models" / "tensile_buckling.toml"
    assert "yes" in run(environment, "coulisse", "static", buckling, folder=tmp_path)


@pytest.mark.parametrize("python", [sys.executable, *pythons()])
def test_the_module_finds_the_command_and_the_models(python, wheel, tmp_path):
    environment = fresh(python, wheel, tmp_path / "venv")
    script = """
import coulisse
with coulisse.Model(coulisse.models()["incline"]) as model:
    result = model.simulate(stop=0.1)
print(len(result.time), result.units["joints.block.position"], len(coulisse.models()))
"""
    (tmp_path / "script.py").write_text(script)
    printed = run(environment, "python", "script.py", folder=tmp_path).split()
    assert printed[1:] == ["m", str(len(harness.MODELS))] and int(printed[0]) > 5
