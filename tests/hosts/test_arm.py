"""The library for Linux on ARM, under the emulator QEMU (Debian: qemu-user and libc6-arm64-cross)."""

import shutil
import subprocess
import zipfile
from math import ceil
from pathlib import Path

import pytest
from fmpy import read_model_description

import harness

QEMU = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
#: The C library of Linux on ARM.
SYSTEM = Path("/usr/aarch64-linux-gnu")
#: How long each model runs, s, and the most steps on the way.
STOP, STEPS = 0.1, 50

pytestmark = [
    pytest.mark.skipif(QEMU is None, reason="qemu-user is not installed"),
    pytest.mark.skipif(not (SYSTEM / "lib" / "ld-linux-aarch64.so.1").exists(), reason="libc6-arm64-cross is not installed"),
]


@pytest.fixture(scope="module")
def hosts(arm, tmp_path_factory):
    """How the host is called on this machine and on ARM."""
    folder = tmp_path_factory.mktemp("hosts")
    for name in ("x86_64", "aarch64"):
        harness.compiled(folder / name, f"{name}-linux-gnu.2.17", Path(__file__).parent / "other_host.c", "-ldl")
    return [str(folder / "x86_64")], [QEMU, "-L", SYSTEM, str(folder / "aarch64")]


def test_every_bundled_model_gives_the_bits_of_x86(hosts, portable, arm, tmp_path):
    """All its outputs, at every step."""
    differing = {}
    for model in harness.MODELS:
        fmu, folder = tmp_path / f"{model.stem}.fmu", tmp_path / model.stem
        harness.coulisse("pack", model, "-o", fmu, "--library", portable, "--library", arm)
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(folder)
        description = read_model_description(fmu)
        real = [v.valueReference for v in description.modelVariables if v.causality == "output" and v.type == "Real"]
        step = description.defaultExperiment.stepSize
        call = [description.guid, f"file://{folder}/resources", step, min(ceil(STOP / float(step)), STEPS), *real]
        printed = []
        for host, platform in zip(hosts, ("linux64", "aarch64-linux")):
            library = folder / "binaries" / platform / f"{model.stem}.so"
            printed.append(subprocess.run([*host, library, *map(str, call)], check=True, capture_output=True, text=True).stdout)
        rows = [text.splitlines() for text in printed]
        assert len(rows[0]) == int(call[3]) and len(rows[0][0].split()) == len(real) > 0, model.stem
        if printed[0] != printed[1]:
            differing[model.stem] = next(n for n, (x86, on_arm) in enumerate(zip(*rows)) if x86 != on_arm)
    assert differing == {}, "by model, the first step with other bits"
