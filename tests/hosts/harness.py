"""What the host tests share: packing models, running FMUs."""

import csv
import fcntl
import gzip
import os
import re
import subprocess
from ctypes import byref
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import fmi2
from fmpy.fmi2 import FMU2Slave
from fmpy.logging import addLoggerProxy

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "target"
# `tests/run --all` sets it. The fast tier takes the command of the other tests, the full one that of a release.
ALL = os.environ.get("COULISSE_TIER") == "all"
COMMAND = TARGET / ("release" if ALL else "debug") / "coulisse"
MODELS = sorted((ROOT / "resources" / "models").glob("*.toml"))
# Where each model is to show the same, the fast tier takes a mechanism with friction and one that strikes its guide.
SHOWN = [model for model in MODELS if ALL or model.stem in ("quick_return", "slider_crank_with_clearance")]
# Each of the processes that share the tests has FMUs of its own, but for those of bundled models as they are.
FOLDER = TARGET / "hosts" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
SHARED = TARGET / "hosts" / "shared"


def full_tier(reason):
    """A mark for tests that run with `tests/run --all` only, and why."""
    return pytest.mark.skipif(not ALL, reason=f"full tier: {reason}")


def coulisse(*arguments):
    """Calls the command; what it printed, or its message as an exception."""
    call = [str(COMMAND), *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(call)}: {done.stderr}")
    return done.stdout


#: All that `tools/portable-library` builds for.
PLATFORMS = ["linux64", "aarch64-linux", "win64", "aarch64-windows", "darwin64", "aarch64-darwin"]


def portable_library(platform):
    """Where `tools/portable-library` has put the library for a platform, which `coulisse pack` finds from then on; None
    where Rust's standard library for that cannot be had."""
    done = subprocess.run([ROOT / "tools" / "portable-library", platform], text=True, capture_output=True)
    if done.returncode != 0 and "no standard library of Rust" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def compiled(built, target, *arguments):
    """Compiles C for another system (a target of zig) with the compiler of tools/portable-library."""
    python = TARGET / "venv-portable" / "bin" / "python"
    subprocess.run([python, "-m", "ziglang", "cc", "-target", target, "-O1", "-o", built, *arguments], check=True)


def pack(model, name=None):
    """An FMU of a model file, or of a text that is written under `name` first; for this machine."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if name is None and model in MODELS:
        return once(f"{model.stem}.fmu", lambda fmu: coulisse("pack", "--native", model, "-o", fmu))
    if name is not None:
        text, model = model, FOLDER / f"{name}.toml"
        model.write_text(text)
    fmu = FOLDER / f"{model.stem}.fmu"
    coulisse("pack", "--native", model, "-o", fmu)
    return fmu


def once(name, make):
    """A file that the first test to ask for it makes, for all tests of all processes; nobody writes to it."""
    SHARED.mkdir(parents=True, exist_ok=True)
    path = SHARED / name
    with open(SHARED / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            new = SHARED / f"new_{name}"
            make(new)
            new.rename(path)
    return path


def text_of(name):
    return (ROOT / "resources" / "models" / f"{name}.toml").read_text()


def reference(name):
    """Columns of a reference trajectory."""
    with gzip.open(ROOT / "tests" / "reference" / f"{name}.csv.gz", "rt") as file:
        return np.genfromtxt(file, delimiter=",", names=True)


def without(text, *sections):
    """A model file without some of its sections."""
    for section in sections:
        text, found = re.subn(rf"(?ms)^\[{re.escape(section)}\].*?(?=^\[)", "", text)
        assert found == 1, section
    return text


def frequencies(model, name, count):
    """Natural frequencies in rad/s as `coulisse describe --modes` prints them."""
    path = FOLDER / f"{name}.toml"
    path.write_text(model)
    printed = coulisse("describe", path, "--modes", count)
    table = printed[printed.index("NATURAL FREQUENCIES") :].splitlines()[2:]
    return [float(line.split()[1]) for line in table[:count]]


def run(model, of, *options):
    """Rows of `coulisse run` of a bundled model by its name, `of` its "model" file or its "fmu"; run once."""
    subject = ROOT / "resources" / "models" / f"{model}.toml"
    name = "_".join(map(str, (model, of, *options)))
    return rows(once(f"{name}.csv", lambda csv: coulisse("run", subject if of == "model" else pack(subject), *options, "-o", csv)))


def experiment(fmu):
    """Stop time and communication step that the FMU proposes."""
    default = fmpy.read_model_description(fmu).defaultExperiment
    return float(default.stopTime), float(default.stepSize)


def simulate(fmu, stop=None, step=None, start_values=None, output=None):
    """Co-simulates with FMPy: a structured array with `time` and the outputs."""
    default_stop, default_step = experiment(fmu)
    messages = []
    result = fmpy.simulate_fmu(
        str(fmu),
        fmi_type="CoSimulation",
        stop_time=stop or default_stop,
        output_interval=step or default_step,
        start_values=start_values or {},
        output=output,
        logger=lambda *message: messages.append(message),
        debug_logging=True,
    )
    restore_logger()
    refused = [m for m in messages if m[2] not in (0, 1)]
    assert not refused, refused
    return result


def restore_logger():
    """FMPy's native logger goes on calling the function of the last simulation, which is freed with it: an FMU that is
    loaded by hand afterwards would end the process with its first message."""
    fmi2.defaultCallbacks.logger = fmi2.fmi2CallbackLoggerTYPE(fmi2.printLogMessage)
    addLoggerProxy(byref(fmi2.defaultCallbacks))


def walk(fmu, times, outputs, start_values):
    """Outputs at communication points of one's own choice, the first of them 0."""
    description = fmpy.read_model_description(fmu)
    references = {v.name: v.valueReference for v in description.modelVariables}
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(str(fmu)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="walk",
    )
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    for name, value in start_values.items():
        slave.setReal([references[name]], [value])
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    wanted = [references[name] for name in outputs]
    rows = [slave.getReal(wanted)]
    for begin, end in zip(times, times[1:]):
        slave.doStep(begin, end - begin)
        rows.append(slave.getReal(wanted))
    slave.terminate()
    slave.freeInstance()
    return dict(zip(outputs, np.array(rows).T))


def rows(path):
    """A CSV file of `coulisse run` as a dictionary of columns."""
    with open(path, newline="") as file:
        reader = csv.reader(file)
        names = next(reader)
        values = np.array([[float(cell) for cell in row] for row in reader])
    return dict(zip(names, values.T))
