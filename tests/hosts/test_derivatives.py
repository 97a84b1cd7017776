"""Derivatives through FMPy, as a host that linearises or couples iteratively asks for them."""

import math

import pytest
from fmpy import extract, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave, fmi2Discard

import harness

# A start is solved some twenty times for a parameter that moves places; those of the solids with hundreds of sliders take seconds each.
LONG = {"isolated_building", "quick_return_solid"}
NAMES = [model.stem for model in harness.SHOWN if model.stem not in LONG]

# What some output at the start hangs on in a way that differences cannot tell, by model: stiff members make
# rounding of a length into newtons.
HIDDEN = {
    # The tight belt hardly lets the arm turn at first, whatever its spring does.
    "belt_tensioner": {f"parameters.{name}" for name in ("friction", "preload", "frequency", "stroke")},
    # What sticks bears any friction up to its limit.
    "bracket_on_rail": {"parameters.mu"},
    # Friction hardly changes the first force on the cam.
    "cam_and_spring": {"parameters.mu"},
    "car_on_bridge": {
        f"parameters.{name}" for name in ("mass", "road", "front", "rear", "g", "speed", "span", "approach", "exit", "start")
    }
    | {"springs.front.damping", "springs.rear.damping"},
    # The rod does not turn at first, and its friction bears what rounding leaves of forces.
    "compressor": {"parameters.crank", "parameters.rod", "parameters.gap", "parameters.friction"},
    "doubly_bent_beams_solid": {"parameters.h", "parameters.phi0", "parameters.L", "parameters.half"},
    # Accelerations of what begins in its equilibrium are small differences of weights.
    "half_car": {f"parameters.{name}" for name in ("mass", "road", "front", "rear", "g", "speed")}
    | {"springs.front.damping", "springs.rear.damping"},
    "isolated_building_frame": {"parameters.half"},
    # Nothing moves at first but what is pulled, and stiff beams make rounding into forces.
    "doubly_bent_beams": {"parameters.L", "parameters.half", "parameters.phi0", "parameters.G0", "motions.pull.velocity"},
    # Rates of springs are 0 at first.
    "snap_through": {"parameters.height"},
    # Lengths of what is stiff make rounding into forces on the guide.
    "press": {"parameters.radius", "parameters.rod"},
    "quick_return": {f"parameters.{name}" for name in ("arm", "crank", "link", "pivot", "guide")} | {"motions.crank.rate"},
    # Any velocity of the belt lets the block go.
    "rabinowicz": {"motions.belt.velocity"},
    "vehicle_on_bridge": {
        f"parameters.{name}"
        for name in ("span", "approach", "exit", "start", "road", "g", "speed", "kinetic_friction")
    },
}


class Host:
    """One FMU with its variables by name."""

    def __init__(self, fmu):
        self.description = read_model_description(fmu)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.slave = FMU2Slave(
            guid=self.description.guid,
            unzipDirectory=extract(str(fmu)),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="derivatives",
        )
        self.slave.instantiate()
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.time = 0.0

    def start(self):
        self.slave.exitInitializationMode()

    def get(self, name):
        return self.slave.getReal([self.references[name]])[0]

    def set(self, name, value):
        self.slave.setReal([self.references[name]], [value])

    def step(self, length):
        self.slave.doStep(self.time, length)
        self.time += length

    def derivative(self, unknown, known):
        return self.derivatives([unknown], known)[0]

    def derivatives(self, unknowns, known):
        unknowns = [self.references[name] for name in unknowns]
        return self.slave.getDirectionalDerivative(unknowns, [self.references[known]], [1.0])

    def close(self):
        self.slave.terminate()
        self.slave.freeInstance()


@pytest.mark.parametrize("name", NAMES)
def test_every_dependency_of_an_initial_unknown_has_derivatives_or_is_discarded(name):
    host = Host(harness.pack(harness.ROOT / "resources" / "models" / f"{name}.toml"))
    # Each known once, for all unknowns that depend on it: an FMU starts anew for every known.
    dependent = {}
    for unknown in host.description.initialUnknowns:
        if unknown.variable.type != "Real":
            continue
        known = unknown.dependencies
        if known is None:
            known = [v for v in host.description.modelVariables if v.causality in ("input", "parameter")]
        for variable in known:
            # Nothing follows a seed by degrees: it is a whole number.
            if variable.type == "Real" and variable.name != "parameters.seed":
                dependent.setdefault(variable.name, []).append(unknown.variable.name)
    knowns = [v for v in host.description.modelVariables if v.type == "Real" and v.causality in ("input", "parameter")]
    assert dependent or not knowns
    refused_for = []
    for known, unknowns in dependent.items():
        try:
            derivatives = host.derivatives(unknowns, known)
        except FMICallException as refused:
            # One of them is at a kink, or hidden by rounding: which, the log says.
            assert refused.status == fmi2Discard, known
            refused_for.append(known)
            continue
        assert all(math.isfinite(value) for value in derivatives), known
    assert set(refused_for) <= HIDDEN.get(name, set())
    host.start()
    host.close()


def test_the_step_of_a_sliding_block():
    host = Host(harness.pack(harness.ROOT / "resources" / "models" / "rabinowicz.toml"))
    host.start()
    while host.time < 26.0:
        host.step(0.05)
    here = host.slave.getFMUstate()
    speed, load = "points.block.vx", "loads.normal.fy"
    host.step(0.1)
    found = host.derivative(speed, load)
    values = []
    for change in (-5.0, 5.0):
        host.slave.setFMUState(here)
        host.time -= 0.1
        host.set(load, -196.2 + change)
        host.step(0.1)
        values.append(host.get(speed))
    difference = (values[1] - values[0]) / 10.0
    # Friction of 0.5 N for each newton of load, on 20 kg at a spring of 10 N/m, for 0.1 s from the communication point on.
    omega = math.sqrt(10.0 / 20.0)
    assert found == pytest.approx(-0.5 / 20.0 / omega * math.sin(0.1 * omega), rel=1e-4)
    assert found == pytest.approx(difference, rel=1e-6)
    host.slave.freeFMUState(here)
    host.close()


def test_input_and_output_derivatives():
    host = Host(harness.pack(harness.ROOT / "resources" / "models" / "rabinowicz.toml"))
    host.start()
    belt, block = host.references["motions.belt.velocity"], host.references["points.block.x"]
    host.slave.setRealInputDerivatives([belt], [1], [0.2])
    host.step(0.5)
    assert host.get("points.block.x") == pytest.approx(0.275, abs=1e-4)
    rates = host.slave.getRealOutputDerivatives([block, block], [1, 2])
    assert rates[0] == host.get("points.block.vx")
    assert rates == pytest.approx([0.6, 0.2], rel=2e-3)
    host.close()
