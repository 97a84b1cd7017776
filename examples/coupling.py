"""Couples FMUs in one of three hosts: FMPy with a loop of one's own, libcosimpy, or ecospy.

All units take the same communication step side by side; at its end outputs go to inputs (Jacobi's
scheme). Variables are named UNIT::VARIABLE.
"""

import ctypes
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave


@dataclass
class System:
    units: dict  # name: path of its FMU
    connections: list  # (output, input)
    start: dict = field(default_factory=dict)  # parameter or input: value

    def __post_init__(self):
        self.descriptions = {name: read_model_description(fmu) for name, fmu in self.units.items()}
        self.variables = {
            f"{unit}::{variable.name}": (unit, variable.valueReference)
            for unit, description in self.descriptions.items()
            for variable in description.modelVariables
        }
        used = [name for pair in self.connections for name in pair] + list(self.start)
        self.check(used)

    def check(self, names):
        unknown = [name for name in names if name not in self.variables]
        if unknown:
            raise SystemExit(f"no such variable: {', '.join(unknown)}; allowed: {', '.join(self.variables)}")


def pack(model, folder):
    """FMU of a model file (TOML) or of a unit in Python."""
    model, folder = Path(model), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    fmu = folder / f"{model.stem}.fmu"
    if model.suffix == ".toml":
        command = shutil.which("coulisse")
        if command is None:
            raise SystemExit("no command `coulisse`; `cargo install --path tools` installs it")
        if subprocess.run([command, "pack", "--native", model, "-o", fmu], stdout=subprocess.DEVNULL).returncode != 0:
            raise SystemExit(f"{model} was not packed; the message above says why")
        return fmu
    from pythonfmu import FmuBuilder

    return Path(FmuBuilder.build_FMU(model, dest=folder))


def simulate(system, host, step, stop, record):
    """Time and recorded variables at the end of every communication step, as arrays by name."""
    system.check(record)
    if host not in HOSTS:
        raise SystemExit(f"no host {host}; allowed: {', '.join(HOSTS)}")
    count = round(stop / step)
    rows = HOSTS[host](system, step, count, record)
    columns = dict(zip(record, np.array(rows).T))
    return {"time": step * np.arange(1, count + 1), **columns}


def in_fmpy(system, step, count, record):
    slaves = {}
    for name, fmu in system.units.items():
        description = system.descriptions[name]
        slaves[name] = FMU2Slave(
            guid=description.guid,
            unzipDirectory=extract(str(fmu)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=name,
        )

    def get(name):
        unit, reference = system.variables[name]
        return slaves[unit].getReal([reference])[0]

    def set(name, value):
        unit, reference = system.variables[name]
        slaves[unit].setReal([reference], [value])

    def transfer():
        for value, target in [(get(source), target) for source, target in system.connections]:
            set(target, value)

    for slave in slaves.values():
        slave.instantiate()
        slave.setupExperiment(startTime=0.0)
    for name, value in system.start.items():
        set(name, value)
    for slave in slaves.values():
        slave.enterInitializationMode()
    # A value passes at most one unit in each round.
    for _ in slaves:
        transfer()
    for slave in slaves.values():
        slave.exitInitializationMode()
    rows = []
    times = [round(n * step * 1e9) / 1e9 for n in range(count + 1)]
    for begin, end in zip(times, times[1:]):
        for slave in slaves.values():
            slave.doStep(begin, end - begin)
        transfer()
        rows.append([get(name) for name in record])
    for slave in slaves.values():
        slave.terminate()
        slave.freeInstance()
    return rows


def in_libcosim(system, step, count, record):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_step_size(step_size=round(step * 1e9))  # ns
    slaves = {}
    for name, fmu in system.units.items():
        slaves[name] = execution.add_local_slave(CosimLocalSlave(fmu_path=str(fmu), instance_name=name))

    def place(name):
        unit, reference = system.variables[name]
        return slaves[unit], reference

    for name, value in system.start.items():
        execution.real_initial_value(*place(name), value)
    for source, target in system.connections:
        execution.connect_real_variables(*place(source), *place(target))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    places = [place(name) for name in record]
    rows = []
    for n in range(count):
        if not execution.step():
            raise RuntimeError(f"libcosim: the step from {n * step:.6g} s failed; its log above says why")
        rows.append([observer.last_real_values(slave, [reference])[0] for slave, reference in places])
    return rows


def in_ecos(system, step, count, record):
    # ecospy leaves Intel's TBB to the user; the package `tbb` has it.
    tbb = Path(sys.prefix) / "lib" / "libtbb.so.12"
    if tbb.exists():
        ctypes.CDLL(str(tbb), mode=ctypes.RTLD_GLOBAL)
    from ecospy import EcosSimulation, EcosSimulationStructure

    with EcosSimulationStructure() as structure:
        for name, fmu in system.units.items():
            structure.add_model(name, str(fmu))
        for source, target in system.connections:
            structure.make_real_connection(source, target)
        structure.add_parameter_set("start", {name: float(value) for name, value in system.start.items()})
        with EcosSimulation(structure=structure, step_size=step) as simulation:
            simulation.init(parameter_set="start")
            rows = []
            for _ in range(count):
                simulation.step()
                rows.append([simulation.get_real(name) for name in record])
            simulation.terminate()
    return rows


HOSTS = {"fmpy": in_fmpy, "libcosim": in_libcosim, "ecos": in_ecos}
