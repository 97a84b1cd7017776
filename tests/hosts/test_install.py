"""The command where the README puts it: away from the library that it was built with."""

import shutil
import subprocess

import harness


@harness.full_tier("builds a release of the command, which takes minutes")
def test_an_installed_command_packs_from_an_empty_folder(tmp_path):
    install = ["cargo", "install", "--locked", "--offline", "--quiet", "--path", "tools", "--root", tmp_path / "root"]
    # Built already by tests/run, so that this copies.
    subprocess.run(install, cwd=harness.ROOT, check=True)
    installed = sorted(path.name for path in (tmp_path / "root" / "bin").iterdir())
    assert installed == ["coulisse"] or installed == ["coulisse.exe"]
    empty = tmp_path / "empty"
    empty.mkdir()
    command = shutil.which("coulisse", path=tmp_path / "root" / "bin")
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    for call in (["pack", "--native", model], ["check", "incline.fmu"], ["run", "incline.fmu", "--stop", "0.01"]):
        subprocess.run([command, *call], cwd=empty, check=True, stdout=subprocess.DEVNULL)
    harness.simulate(empty / "incline.fmu", stop=0.01)
