"""A model file, run by coulisse through the C interface of its FMU."""

import ctypes
import functools
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

from coulisse import _fmi
from coulisse._variables import describe

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "target" / "release" / "coulisse"


def version():
    printed = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
    return f"coulisse {printed.split()[-1]}"


def run(model, outputs, times):
    """Values of `outputs` at `times` (s, equally spaced from 0), one row each, and the CPU time (s) of the steps.

    `model` is the text of a model file. The time is that of `fmi2DoStep` and `fmi2GetReal` at all communication points:
    reading the model and its initialisation are not in it, and no file is written.
    """
    folder = Path(_unpacked(model).name)
    description = describe(folder)
    instance = _fmi.Instance(_fmi.library(folder, description.identifier), description, folder / "resources")
    try:
        return _steps(instance, [description.variables[output].reference for output in outputs], times)
    finally:
        instance.free()


@functools.lru_cache(maxsize=16)
def _unpacked(model):
    """The FMU of a model, unpacked in a folder that lasts as long as it is kept; runs of the same model come again and again."""
    kept = tempfile.TemporaryDirectory(prefix="precision-")
    folder = Path(kept.name)
    (folder / "model.toml").write_text(model)
    packed = subprocess.run([COMMAND, "pack", "--native", folder / "model.toml", "-o", folder / "model.fmu"], capture_output=True, text=True)
    if packed.returncode:
        raise RuntimeError(packed.stderr)
    with zipfile.ZipFile(folder / "model.fmu") as archive:
        archive.extractall(folder)
    return kept


def _steps(instance, references, times):
    count = len(references)
    references = (ctypes.c_uint * count)(*references)
    rows = np.empty((len(times), count))
    row = ctypes.POINTER(ctypes.c_double)
    rows_at = [rows[k].ctypes.data_as(row) for k in range(len(times))]
    instance.call("SetupExperiment", 0, 0.0, 0.0, 1, float(times[-1]))
    instance.call("EnterInitializationMode")
    instance.call("ExitInitializationMode")
    instance.call("GetReal", references, count, rows_at[0])
    library, component = instance._library, instance._component
    do_step, get_real = library.fmi2DoStep, library.fmi2GetReal
    begins, lengths = times[:-1].tolist(), np.diff(times).tolist()
    begun = time.process_time()
    for k, (begin, length) in enumerate(zip(begins, lengths), 1):
        status = do_step(component, begin, length, 0) or get_real(component, references, count, rows_at[k])
        if status > _fmi.WARNING:
            raise RuntimeError(f"at {begin} s: {instance._said}")
    taken = time.process_time() - begun
    return rows, taken
