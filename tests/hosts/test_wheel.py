"""The wheel: the same bytes twice, and all that it promises in a fresh environment without Rust."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

import harness

#: A fresh machine: no compiler and no checkout on the path, nothing at home.
PLAIN = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
#: The command with six libraries and a font, and the studio.
LARGEST = 39e6
#: What it may take from the file to the demo, s.
LONGEST = 20.0

pytestmark = harness.full_tier("builds releases for all platforms, which takes many minutes")


def build():
    """Where `tools/wheel` has put the wheel."""
    done = subprocess.run([harness.ROOT / "tools" / "wheel"], capture_output=True, text=True)
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
    """The oldest and the newest Python of this machine that the wheel is for, those of pyenv among them."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python3.{minor}") for minor in range(9, 20)]
    found += [str(path) for path in versions.glob("3.*/bin/python3")]
    asked = "import sys, venv; print(sys.version_info[1], sys.prefix)"
    known = {}
    for path in filter(None, found):
        done = subprocess.run([path, "-c", asked], capture_output=True, text=True)
        minor = int(done.stdout.split()[0]) if done.returncode == 0 else 0
        if minor >= 9:
            known[minor] = path
    return [known[minor] for minor in sorted({min(known), max(known)})] if known else []


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
        assert any(name.endswith("/share/coulisse/studio/index.html") for name in names)
        licences = archive.read("coulisse/licenses/third_party.txt").decode()
        assert {"coulisse/licenses/LICENSE-MIT", "coulisse/licenses/LICENSE-APACHE"} <= set(names)
    # What the command and the library inside are linked with, among it what only one of them has.
    for package, notice in {"clap": "MIT OR Apache-2.0", "nalgebra": "Apache-2.0", "libloading": "Simonas Kazlauskas", "twox-hash": "Jake Goulding",
                            "dejavu": "Bitstream Vera Fonts Copyright"}.items():
        assert re.search(rf"^{package} [\d.]+ ", licences, re.M) and notice in licences, package


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
    """Of one compilation: a second one takes as long as all tests. What would tell two of them apart is looked for in the next."""
    before = wheel.read_bytes()
    assert build().read_bytes() == before


def test_nothing_of_the_machine_and_no_time_is_in_the_wheel(wheel, tmp_path):
    """Where the checkout, Cargo, Rust and temporary files lie, and when it was built: what two compilations in different places differ by."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    rust = subprocess.run(["rustc", "--print", "sysroot"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    # A home of few letters, such as that of root, stands in other words too.
    places = {str(path).encode() for path in (harness.ROOT, cargo, rust, f"{Path.home()}/", f"{tempfile.gettempdir()}/")}
    libraries = []
    with zipfile.ZipFile(wheel) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        for info in archive.infolist():
            content = archive.read(info)
            assert not [place for place in places if place in content], info.filename
            if info.filename.endswith(".dll"):
                libraries.append(archive.extract(info, tmp_path))
    for library in libraries:
        headers = subprocess.run(["objdump", "-p", library], check=True, text=True, capture_output=True).stdout
        assert re.search(r"^Time/Date\s.*reproducible|^\s*16\s+Repro", headers, re.M), library


def test_from_the_file_to_the_demo_in_seconds(wheel, tmp_path):
    """On a fresh machine; numpy is fetched on the way. Held is the work: how long it takes is for other tests to say, which run beside this one."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    programs, begun = tmp_path / "venv" / "bin", os.times()
    pip = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", wheel]
    subprocess.run(pip, check=True, env={**os.environ, "PATH": PLAIN["PATH"], "HOME": str(tmp_path)})
    run(programs, "coulisse", "demo", folder=tmp_path)
    ended = os.times()
    work = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    print(f"from the file to the demo: {work:.1f} s of work in {ended.elapsed - begun.elapsed:.1f} s")
    assert 0.0 < work < LONGEST


def test_the_first_commands_of_the_readme_build_install_and_show(wheel, tmp_path):
    """In the checkout, with Rust; the wheel is built already, but for the first time."""
    readme = (harness.ROOT / "README.md").read_text()
    block = re.search(r"^```sh\n(.*?)^```$", readme, re.M | re.S)[1]
    assert "tools/wheel" in block and "coulisse demo" in block
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    path = os.pathsep.join([str(tmp_path / "venv" / "bin"), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=harness.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "target/demo/quick_return.html" in done.stdout and "for linux64 (glibc 2.1" in done.stdout, done.stdout


def test_the_command_works_without_rust(environment, tmp_path):
    run(environment, "coulisse", "demo", folder=tmp_path)
    assert (tmp_path / "target" / "demo" / "quick_return.html").stat().st_size > 10_000
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    said = run(environment, "coulisse", "pack", model, folder=tmp_path)
    assert "for linux64 (glibc 2.1" in said and len(said.splitlines()) == 1, said
    run(environment, "coulisse", "run", "incline.fmu", "--stop", "0.1", "-o", "incline.csv", folder=tmp_path)
    own = harness.FOLDER / "wheel.csv"
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    harness.coulisse("run", model, "--stop", "0.1", "-o", own)
    assert (tmp_path / "incline.csv").read_text() == own.read_text()
    buckling = harness.ROOT / "resources" / "models" / "tensile_buckling.toml"
    assert "yes" in run(environment, "coulisse", "static", buckling, folder=tmp_path)


@pytest.mark.usefixtures("every_library")
def test_fmus_are_for_all_platforms(environment, tmp_path):
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    said = run(environment, "coulisse", "pack", model, folder=tmp_path)
    assert all(platform in said for platform in harness.PLATFORMS), said
    with zipfile.ZipFile(tmp_path / "incline.fmu") as archive:
        folders = {name.split("/")[1] for name in archive.namelist() if name.startswith("binaries/")}
    # A universal library of macOS is for both processors.
    assert folders == set(harness.PLATFORMS) - {"aarch64-darwin"}


@pytest.mark.parametrize("python", [sys.executable, *pythons()])
def test_the_module_finds_the_command_and_the_models(python, wheel, tmp_path):
    environment = fresh(python, wheel, tmp_path / "venv")
    script = """
import coulisse
with coulisse.Model("incline") as model:
    result = model.simulate(stop=0.1)
print(len(result.time), result.units["joints.block.position"], len(coulisse.models()))
"""
    (tmp_path / "script.py").write_text(script)
    printed = run(environment, "python", "script.py", folder=tmp_path).split()
    assert printed[1:] == ["m", str(len(harness.MODELS))] and int(printed[0]) > 5
