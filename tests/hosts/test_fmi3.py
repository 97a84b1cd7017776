"""FMUs of FMI 3.0 in FMPy: valid, the bits of FMI 2.0 without events, and with events the instants of closed forms."""

import math
from ctypes import byref, c_bool, c_double

import fmpy
import numpy as np
import pytest
from fmpy import fmi3, read_model_description
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

import harness

NAMES = [model.stem for model in harness.MODELS]
SHOWN = [model.stem for model in harness.SHOWN]

# A ball that falls 1 m on a floor and bounces with e = 0.5: a slider with mass on a vertical guide that ends in a stop.
BALL = """
[model]
name = "ball"
description = "A ball that bounces"
[solver]
step = 1e-3
position_tolerance = 1e-13
[experiment]
stop_time = 1.4
communication_step = 0.1
[points.low]
position = [0.0, 0.0]
[points.high]
position = [0.0, 2.0]
[points.body]
position = [0.0, 1.0]
mass = 1.0
[members.guide]
from = "low"
to = "high"
rigid = true
[supports.guide]
point = "low"
fix = ["x", "y", "rotation"]
[joints.floor]
kind = "slider_on_member"
"""


def pack(model, name=None):
    """An FMU of FMI 3.0 of a bundled model, or of a text that is written under `name` first."""
    if name is None:
        return harness.once(
            f"{model.stem}_3.fmu", lambda fmu: harness.coulisse("pack", "--fmi", "3", "--native", model, "-o", fmu)
        )
    path, fmu = harness.FOLDER / f"{name}.toml", harness.FOLDER / f"{name}_3.fmu"
    path.write_text(model)
    harness.coulisse("pack", "--fmi", "3", "--native", path, "-o", fmu)
    return fmu


@pytest.mark.parametrize("name", NAMES)
def test_fmpy_validation_finds_nothing(name):
    """Against the schemas of FMI 3.0 and FMPy's own rules."""
    model = harness.ROOT / "resources" / "models" / f"{name}.toml"
    assert validate_fmu(str(pack(model))) == []


@pytest.mark.parametrize("name", NAMES)
def test_without_events_the_bits_are_those_of_fmi_2(name):
    model = harness.ROOT / "resources" / "models" / f"{name}.toml"
    old, new = harness.pack(model), pack(model)
    stop, step = harness.experiment(old)
    stop = stop if harness.ALL else min(stop, 50 * step)
    outputs = [v.name for v in read_model_description(old).modelVariables if v.causality == "output"]
    expected = harness.simulate(old, stop=stop, output=outputs)
    result = fmpy.simulate_fmu(str(new), fmi_type="CoSimulation", stop_time=stop, output_interval=step, output=outputs)
    assert len(result) == len(expected) > 5
    for column in expected.dtype.names:
        assert np.array_equal(np.asarray(result[column], float), np.asarray(expected[column], float)), column


@pytest.mark.parametrize("name", SHOWN)
def test_model_exchange_gives_the_bits_of_co_simulation(name):
    model = harness.ROOT / "resources" / "models" / f"{name}.toml"
    fmu = pack(model)
    stop, step = harness.experiment(fmu)
    stop = 20 * step
    arguments = dict(stop_time=stop, output_interval=step)
    whole = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", **arguments)
    sampled = fmpy.simulate_fmu(str(fmu), fmi_type="ModelExchange", record_events=False, **arguments)
    for column in whole.dtype.names[1:]:
        # An instant that a host of Model Exchange has just reached is handled after it has been read.
        ends = [np.asarray(table[column], float)[-1] for table in (whole, sampled)]
        assert ends[0] == ends[1] or column not in whole.dtype.names, column


class Slave:
    """An instance that takes part in events."""

    def __init__(self, fmu, events=True, early=True, update=None):
        self.description = read_model_description(fmu)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.messages = []
        self.unit = FMU3Slave(
            guid=self.description.guid,
            unzipDirectory=fmpy.extract(str(fmu)),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="events",
        )
        self.events = events
        self.unit.instantiate(
            eventModeUsed=events,
            earlyReturnAllowed=early,
            loggingOn=True,
            logMessage=lambda _, status, category, text: self.messages.append((status, text.decode())),
            intermediateUpdate=update,
        )

    def start(self, **values):
        self.unit.enterInitializationMode()
        for name, value in values.items():
            self.set(name, value)
        self.unit.exitInitializationMode()
        if self.events:
            self.unit.updateDiscreteStates()
            self.unit.enterStepMode()
        return self

    def set(self, name, value):
        self.unit.setFloat64([self.references[name]], [value])

    def get(self, name):
        return self.unit.getFloat64([self.references[name]])[0]

    def run(self, begin, end, step):
        """Communication steps to multiples of `step`, with the events that come between: the time, and what happened."""
        found, now, k = [], begin, 1
        while now < end - 1e-12:
            point = min(begin + k * step, end)
            event, _, early, reached = self.unit.doStep(now, point - now)
            assert early == (reached < point)
            now = reached if early else point
            k += not early
            if event and self.events:
                self.unit.enterEventMode()
                self.unit.updateDiscreteStates()
                what = self.unit.getString([self.references["events.what"]])[0].decode()
                found.append((now, self.get("events.time"), what))
                self.unit.enterStepMode()
            elif early:
                found.append((now, None, None))
        return found
