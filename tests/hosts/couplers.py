"""Runs FMUs in PathSim and CoFmuPy, with inputs at their start values, and beside them in FMPy: prints the largest difference of an output at
the end, relative to 1 and its size, as JSON. Arguments: FMUs whose outputs are all Real."""

import json
import sys
import warnings
from pathlib import Path

import fmpy
import numpy as np

STEPS = 40


def of_pathsim(fmu, step, inputs):
    from pathsim import Connection, Simulation
    from pathsim.blocks import Constant, CoSimulationFMU, Scope

    unit, scope = CoSimulationFMU(str(fmu), dt=step), Scope()
    sources = [Constant(value) for value in inputs.values()]
    wires = [Connection(unit[k], scope[k]) for k in range(len(unit.outputs))]
    wires += [Connection(source, unit[k]) for k, source in enumerate(sources)]
    Simulation([unit, scope, *sources], wires, dt=step, log=False).run(STEPS * step)
    # It steps at 0, too.
    return STEPS + 1, unit.outputs.to_array()


def of_cofmupy(fmu, step, inputs):
    from cofmupy import Coordinator

    target = [{"source": {"type": "literal", "values": {"0": value}}, "target": {"id": "m", "variable": name}} for name, value in inputs.items()]
    system = {
        "fmus": [{"id": "m", "name": "m", "path": str(fmu)}],
        "connections": target,
        "cosim_method": "jacobi",
        "iterative": False,
        "edge_sep": " -> ",
        "root": "",
    }
    file = fmu.with_suffix(".json")
    file.write_text(json.dumps(system))
    coordinator = Coordinator()
    coordinator.start(str(file))
    for _ in range(STEPS):
        coordinator.do_step(step)
    results = {key[1]: values[-1] for key, values in coordinator.get_results().items()}
    outputs = [v.name for v in fmpy.read_model_description(str(fmu)).modelVariables if v.causality == "output"]
    return STEPS, np.array([results[name] for name in outputs])


def main(fmus):
    warnings.simplefilter("ignore")
    found = {}
    for fmu in map(Path, fmus):
        description = fmpy.read_model_description(str(fmu))
        step = float(description.defaultExperiment.stepSize)
        inputs = {v.name: float(v.start) for v in description.modelVariables if v.causality == "input"}
        outputs = [v.name for v in description.modelVariables if v.causality == "output"]
        for host, run in (("PathSim", of_pathsim), ("CoFmuPy", of_cofmupy)):
            steps, last = run(fmu, step, inputs)
            rows = fmpy.simulate_fmu(str(fmu), stop_time=steps * step, output_interval=step, step_size=step, fmi_type="CoSimulation")
            exact = np.array([float(rows[name][-1]) for name in outputs])
            found[f"{host} {fmu.stem}"] = float(np.max(np.abs(last - exact) / (1.0 + np.abs(exact))))
    print(json.dumps(found))


main(sys.argv[1:])
