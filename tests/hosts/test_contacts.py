"""Contacts of surfaces in FMUs: what they tell, what a state remembers of their points, derivatives, tuning, resetting.

For all bundled models test_ctypes.py looks at states ten steps after the start, and test_derivatives.py at derivatives of the start;
here every contact is where its points stick, slip, or some of them each.
"""

import ctypes
import re
from ctypes import byref, c_double, c_int, c_size_t, c_uint, c_void_p
from dataclasses import dataclass

import fmpy
import numpy as np
import pytest

import harness
from fmi2 import OK, Instance, Unit
from test_derivatives import Host

UNITS = {
    "normal_force": "N",
    "fx": "N",
    "fy": "N",
    "moment": "N.m",
    "friction_force": "N",
    "line_pressure": "N/m",
    "contact_length": "m",
    "centre": "m",
    "sticking": None,
    "gap": "m",
    "sides": None,
    "position": "m",
    "dissipated_energy": "J",
    "stored_energy": "J",
}


@dataclass
class Subject:
    """A bundled model: its contact with the length of its surface (m), the stiffness of its contact layer (Pa), its coefficients of friction and its
    thickness (m; edges of bodies only), and an input to give it."""

    contact: str
    length: float
    stiffness: float
    coefficients: dict
    thickness: float | None
    input: str

    @property
    def law(self):
        return f"contacts.{self.contact}.friction.coulomb"

    def of(self, quantity):
        return f"contacts.{self.contact}.{quantity}"


SUBJECTS = {
    "slider_in_guide": Subject("guide", 4.0, 4.2e11, {"coefficient": 0.3, "static_coefficient": 0.31}, 0.01, "loads.pull.qx"),
    "slider_jams": Subject("rails", 0.8, 1e8, {"coefficient": 0.45}, 0.016, "loads.knob.qx"),
    "telescope": Subject("overlap", 2.8, 1e10, {"coefficient": 0.1}, None, "loads.tip.fy"),
}


def model(name):
    return harness.ROOT / "resources" / "models" / f"{name}.toml"


def opened(name, **coefficients):
    """The text of a model with an input, and with a friction law in numbers for a host to tune."""
    subject = SUBJECTS[name]
    law = ", ".join(f"{key} = {value}" for key, value in (subject.coefficients | coefficients).items())
    text, count = re.subn(r"friction\.coulomb = \{.*\}", f"friction.coulomb = {{ {law} }}", model(name).read_text())
    assert count == 1
    text, count = re.subn(
        r'\[interface\]\nparameters = \["parameters\.\*"\]',
        f'[interface]\ninputs = ["{subject.input}"]\nparameters = ["parameters.*", "{subject.law}.*"]',
        text,
    )
    assert count == 1
    return text


@pytest.fixture(scope="module")
def units():
    """The bundled models as they are, and opened."""
    FMUs = {name: harness.pack(model(name)) for name in SUBJECTS}
    FMUs |= {f"open_{name}": harness.pack(opened(name), f"open_{name}") for name in SUBJECTS}
    return {name: Unit(fmu) for name, fmu in FMUs.items()}


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_output_is_there_with_its_unit_and_agrees_with_the_others(name):
    subject = SUBJECTS[name]
    fmu = harness.pack(model(name))
    described = {v.name: v for v in fmpy.read_model_description(fmu).modelVariables if v.name.startswith("contacts.")}
    units = UNITS | ({} if subject.thickness is None else {"pressure": "Pa"})
    assert {name: v.unit for name, v in described.items()} == {subject.of(key): unit for key, unit in units.items()}
    for name_, variable in described.items():
        assert variable.causality == "output" and variable.description
        assert variable.type == ("Integer" if name_ == subject.of("sides") else "Real")

    stop, step = harness.experiment(fmu)
    result = harness.simulate(fmu)
    assert len(result) == round(stop / step) + 1
    assert all(np.all(np.isfinite(result[column])) for column in result.dtype.names)
    seen = {key: result[subject.of(key)] for key in units}
    normal = seen["normal_force"]
    touches = normal > 0.0
    assert touches.any()
    assert np.all(normal >= 0.0)
    assert np.all(np.isin(seen["sides"], (0, 1, 2))) and np.array_equal(seen["sides"] > 0, touches)
    assert np.array_equal(seen["gap"] < 0.0, touches)
    # A line pressure by the stiffness of the contact layer. At the mouth of the telescope the contact layer bears less and less of a point that leaves it,
    # and what hangs out beyond is bent by millimetres.
    deepest = seen["line_pressure"] / subject.stiffness
    assert np.all(-seen["gap"][touches] >= deepest[touches] * (1.0 - 1e-6))
    if name == "telescope":
        assert np.all(seen["gap"] > -1e-4)
    else:
        assert np.all(-seen["gap"][touches] <= deepest[touches] * (1.0 + 1e-6))
    assert np.array_equal(seen["contact_length"] > 0.0, touches)
    assert np.all(seen["contact_length"] <= subject.length * (1.0 + 1e-12))
    assert np.all((seen["sticking"] >= 0.0) & (seen["sticking"] <= 1.0 + 1e-12))
    # What sticks bears the static one at most, what slips the other.
    most = max(subject.coefficients.values())
    assert np.all(np.abs(seen["friction_force"]) <= most * normal * (1.0 + 1e-9))
    assert np.all(seen["line_pressure"][touches] * seen["contact_length"][touches] >= normal[touches] * (1.0 - 1e-9))
    if subject.thickness is not None:
        assert np.allclose(seen["pressure"] * subject.thickness, seen["line_pressure"], rtol=1e-12, atol=0.0)
    lost = seen["dissipated_energy"]
    assert np.all(np.diff(lost) >= -1e-12 * lost[-1])
    # Nothing else rubs in these models.
    work = result["energy.friction_work"]
    assert np.allclose(work, lost + result["energy.friction_stored"], rtol=1e-9, atol=1e-12 * work.max())
    assert np.all(seen["stored_energy"] >= result["energy.friction_stored"])


def value(instance, name):
    variable = next(v for v in instance.unit.variables if v["name"] == name)
    place = (c_double * 1)()
    assert instance.GetReal((c_uint * 1)(int(variable["valueReference"])), 1, place) == OK
    return place[0]


def put(instance, name, number):
    variable = next(v for v in instance.unit.variables if v["name"] == name)
    assert instance.SetReal((c_uint * 1)(int(variable["valueReference"])), 1, byref(c_double(number))) == OK, instance.messages


def run(instance, begin, end):
    """Bits of all outputs, whole numbers too, after these communication steps."""
    real, whole = (instance.unit.references(kind, "output") for kind in ("Real", "Integer"))
    rows = []
    for i in range(begin, end):
        (bits,) = instance.run(i, i + 1, real)
        numbers = (c_int * len(whole))()
        assert instance.GetInteger((c_uint * len(whole))(*whole), len(whole), numbers) == OK
        rows.append(bits + bytes(numbers))
    return rows


@pytest.mark.parametrize(
    "name, steps, least, most",
    [
        ("slider_in_guide", 1, 1.0, 1.0),
        ("slider_in_guide", 3, 0.05, 0.1),
        ("slider_in_guide", 50, 0.0, 0.0),
        ("slider_jams", 25, 0.1, 0.2),
        ("slider_jams", 100, 1.0, 1.0),
        ("telescope", 60, 0.0, 0.0),
        ("telescope", 184, 0.5, 0.8),
    ],
)
def test_what_sticks_and_what_slips_goes_on_with_the_same_bits(units, name, steps, least, most):
    """From a state, and from its bytes in an instance that has been elsewhere."""
    unit, on = units[name], 5
    first, second = Instance(unit), Instance(unit)
    first.initialize()
    run(first, 0, steps)
    sticks = value(first, SUBJECTS[name].of("sticking"))
    assert value(first, SUBJECTS[name].of("normal_force")) > 0.0
    assert least - 1e-12 <= sticks <= most + 1e-12
    state, copy, size = c_void_p(), c_void_p(), c_size_t()
    assert first.GetFMUstate(byref(state)) == OK
    assert first.SerializedFMUstateSize(state, byref(size)) == OK
    data = ctypes.create_string_buffer(size.value)
    assert first.SerializeFMUstate(state, data, size) == OK
    expected = run(first, steps, steps + on)
    assert len(set(expected)) == on
    assert first.SetFMUstate(state) == OK
    assert run(first, steps, steps + on) == expected
    assert first.FreeFMUstate(byref(state)) == OK
    first.free()
    second.initialize()
    run(second, 0, steps + 5)
    assert second.DeSerializeFMUstate(data, size, byref(copy)) == OK
    assert second.SetFMUstate(copy) == OK
    assert run(second, steps, steps + on) == expected
    assert second.FreeFMUstate(byref(copy)) == OK
    second.free()


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_reset_gives_the_bits_of_what_is_new(units, name):
    """Also after parameters, an input and a coefficient of friction were others."""
    subject, unit, steps = SUBJECTS[name], units[f"open_{name}"], 12
    fresh, used = Instance(unit), Instance(unit)
    fresh.initialize()
    expected = run(fresh, 0, steps)
    fresh.free()
    put(used, "parameters.clearance", 3e-4)
    used.initialize()
    run(used, 0, 5)
    put(used, f"{subject.law}.coefficient", 0.5 * subject.coefficients["coefficient"])
    put(used, subject.input, 0.5 * value(used, subject.input))
    assert run(used, 5, steps)[-1] != expected[-1]
    assert used.Reset() == OK
    used.initialize()
    assert run(used, 0, steps) == expected
    used.free()


@pytest.mark.parametrize(
    "name, steps, unload, change, sticks",
    [
        # All slip; a tenth sticks; all stick, off their limit; all slip; a part sticks.
        ("slider_in_guide", 50, 1.0, 5e-2, (0.0, 0.0)),
        ("slider_jams", 25, 1.0, 1e-3, (0.1, 0.2)),
        ("slider_jams", 100, 0.9, 1e-2, (1.0, 1.0)),
        ("telescope", 100, 1.0, 5e-2, (0.0, 0.0)),
        ("telescope", 184, 1.0, 1e-4, (0.5, 0.8)),
    ],
)
def test_derivatives_are_those_of_differences_while_no_point_changes(name, steps, unload, change, sticks):
    """Of a communication step by the load, for every output of the contact; of whole steps, as where one load has its step
    divided for its energy and the other has not, differences see that."""
    subject = SUBJECTS[name]
    whole = opened(name).replace("[solver]\n", "[solver]\nenergy_tolerance = 1e9\n")
    host = Host(harness.pack(whole, f"whole_{name}"))
    _, length = harness.experiment(harness.FOLDER / f"whole_{name}.fmu")
    host.start()
    for _ in range(steps):
        host.step(length)
    load = unload * host.get(subject.input)
    if unload != 1.0:
        host.set(subject.input, load)
        for _ in range(20):
            host.step(length)
    outputs = [v.name for v in host.description.modelVariables if v.causality == "output" and v.type == "Real"]
    outputs = [output for output in outputs if output.split(".")[0] in ("contacts", "points")]
    states = [subject.of(key) for key in ("sticking", "contact_length")]
    here, time = host.slave.getFMUstate(), host.time

    def stepped(factor):
        host.slave.setFMUState(here)
        host.time = time
        host.set(subject.input, factor * load)
        host.step(length)
        assert sticks[0] - 1e-12 <= host.get(states[0]) <= sticks[1] + 1e-12
        return np.array([host.get(output) for output in outputs]), [host.get(state) for state in states]

    up, touching_up = stepped(1.0 + change)
    down, touching_down = stepped(1.0 - change)
    _, touching = stepped(1.0)
    assert touching_up == touching_down == touching
    found = np.array(host.derivatives(outputs, subject.input))
    differences = (up - down) / (2.0 * change * load)
    assert np.count_nonzero(found) >= len(found) - 4
    # Values are solved to some 1e-9 of themselves, which is more than the load changes in what has been gathered before.
    noise = 2e-9 * np.maximum(np.abs(up), np.abs(down)) / abs(change * load)
    for output, ours, difference, unsure in zip(outputs, found, differences, noise):
        assert ours == pytest.approx(difference, rel=1e-3, abs=1e-20 + unsure), output
    host.slave.freeFMUState(here)
    host.close()


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_coefficient_set_at_the_start_is_one_of_the_file(units, name):
    subject, steps = SUBJECTS[name], 12
    coefficients = {key: 0.8 * number for key, number in subject.coefficients.items()}
    tuned, written = Instance(units[f"open_{name}"]), Instance(Unit(harness.pack(opened(name, **coefficients), f"other_{name}")))
    for key, number in coefficients.items():
        put(tuned, f"{subject.law}.{key}", number)
    tuned.initialize()
    written.initialize()
    expected = run(written, 0, steps)
    assert run(tuned, 0, steps) == expected
    as_it_is = Instance(units[f"open_{name}"])
    as_it_is.initialize()
    assert run(as_it_is, 0, steps) != expected
    for instance in (tuned, written, as_it_is):
        instance.free()


def steady(name, coefficient, *options):
    """Acceleration of steady sliding (m/s²) under a coefficient of the file."""
    path = harness.FOLDER / f"steady_{name}.toml"
    path.write_text(opened(name, coefficient=coefficient))
    printed = harness.coulisse("sliding", path, "--time", 1, *options)
    return float(re.search(r"growing s +(\S+) +\S+ +slides", printed)[1])


@pytest.mark.parametrize("name, coefficient, at", [("slider_in_guide", 0.25, 50), ("slider_jams", 0.1, 100)])
def test_a_coefficient_tuned_between_steps_leads_to_the_steady_sliding_of_the_file_with_it(units, name, coefficient, at):
    """From sliding, and from a drawer that had jammed. What sets back a state sets back its coefficient."""
    subject, unit = SUBJECTS[name], units[f"open_{name}"]
    speed, key = "points.middle.vx", f"{subject.law}.coefficient"
    instance = Instance(unit)
    instance.initialize()
    run(instance, 0, at)
    state = c_void_p()
    assert instance.GetFMUstate(byref(state)) == OK
    expected = run(instance, at, at + 5)
    assert instance.SetFMUstate(state) == OK
    put(instance, key, coefficient)
    changed = run(instance, at, at + 30)
    assert changed[0] != expected[0]
    before = value(instance, speed)
    run(instance, at + 30, at + 50)
    ours = (value(instance, speed) - before) / (20 * unit.step)
    assert ours == pytest.approx(steady(name, coefficient), rel=1e-4)
    ratio = value(instance, subject.of("friction_force")) / value(instance, subject.of("normal_force"))
    assert value(instance, subject.of("sticking")) == 0.0 and ratio == pytest.approx(coefficient, rel=1e-6)
    assert instance.SetFMUstate(state) == OK
    assert value(instance, key) == subject.coefficients["coefficient"]
    assert run(instance, at, at + 5) == expected
    assert instance.FreeFMUstate(byref(state)) == OK
    instance.free()


def test_friction_of_the_telescope_follows_its_coefficient(units):
    subject = SUBJECTS["telescope"]
    instance = Instance(units["open_telescope"])
    instance.initialize()
    run(instance, 0, 60)
    for i, coefficient in enumerate((0.1, 0.2, 0.03, 0.0)):
        put(instance, f"{subject.law}.coefficient", coefficient)
        run(instance, 60 + 4 * i, 64 + 4 * i)
        assert value(instance, subject.of("sticking")) == 0.0
        ratio = value(instance, subject.of("friction_force")) / value(instance, subject.of("normal_force"))
        assert ratio == pytest.approx(coefficient, rel=1e-6, abs=1e-12)
    instance.free()
