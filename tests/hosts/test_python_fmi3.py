"""The Python module with FMUs of FMI 3.0: the numbers of FMI 2.0, and events at the instants of closed forms."""

import math
import subprocess
import zipfile

import numpy as np
import pytest
from scipy.optimize import brentq

import coulisse
import harness
import test_fmi3
from coulisse import _fmi, _fmi3

BELT = test_fmi3.BELT.replace("STEP", "1e-3")


def model_of(text, name):
    return coulisse.Model(test_fmi3.pack(text, name))


@pytest.mark.parametrize("name", test_fmi3.NAMES)
def test_numbers_and_variables_are_those_of_fmi_2(name):
    path = harness.ROOT / "resources" / "models" / f"{name}.toml"
    with coulisse.Model(harness.pack(path)) as old, coulisse.Model(test_fmi3.pack(path)) as new:
        stop = old.default_stop if harness.ALL else min(old.default_stop, 50 * old.default_step)
        expected, result = old.simulate(stop=stop), new.simulate(stop=stop)
        added = {"time", "events.count", "events.time", "events.what"}
        assert set(new.variables) - set(old.variables) == added
        for key, variable in old.variables.items():
            other = new.variables[key]
            same = ("kind", "unit", "description", "causality", "variability", "start", "minimum", "maximum", "ahead")
            assert [getattr(variable, of) for of in same] == [getattr(other, of) for of in same], key
        for key, column in expected.items():
            assert np.array_equal(column, result[key]), key
        assert len(result.events) == 2 and not len(result.events["time"])


def test_a_ball_has_its_bounces_as_events():
    fall, e = math.sqrt(2 / 9.81), 0.5
    bounces = [fall]
    for n in range(1, 4):
        bounces.append(bounces[-1] + 2 * e**n * fall)
    with model_of(test_fmi3.BALL, "ball") as model:
        plain = model.simulate(stop=1.25)
        result = model.simulate(stop=1.25, events=True)
        strikes = np.array(["strikes" in what for what in result.events["what"]])
        assert np.allclose(result.events["time"][strikes], bounces, rtol=0, atol=1e-8)
        assert set(result.events["what"][strikes]) == {"joints.ball strikes the stop at the end of its path"}
        # Between them it turns round in the air, where nothing jumps.
        assert set(result.events["what"][~strikes]) == {"joints.ball starts to move", "joints.ball reverses"}
        assert result.events.units["time"] == "s"
        # A row at each bounce beside those at communication points, with what the host learns there.
        assert len(result.time) == len(plain.time) + len(bounces)
        rows = [int(np.flatnonzero(result.time == time)[0]) for time in result.events["time"][strikes]]
        assert np.all(np.diff(result["events.count"][rows]) >= 1)
        assert list(result["events.what"][rows]) == list(result.events["what"][strikes])
        # Behind the first bounce it rises with half the speed of its fall.
        first = rows[0]
        assert abs(abs(result["joints.ball.velocity"][first]) - e * 9.81 * fall) < 1e-6
        # Without events the next simulation is the first one.
        again = model.simulate(stop=1.25)
        for key, column in plain.items():
            assert np.array_equal(column, again[key]), key


def test_inputs_follow_their_courses_between_events():
    """The belt moves faster from 5 s on: no friction gives the block its velocity at once. It slides until it has it, and again where the
    spring has the force of static friction."""
    with model_of(BELT, "belt_friction") as model:
        result = model.simulate(stop=24.0, inputs={"motions.belt.velocity": lambda t: 0.5 if t < 5.0 else 1.0}, events=True)
    omega, rest, begun = math.sqrt(10.0 / 20.0), 0.5 * 196.2 / 10.0, 2.5
    position = lambda t: rest + (begun - rest) * math.cos(omega * t) + 0.5 / omega * math.sin(omega * t)
    velocity = lambda t: (rest - begun) * omega * math.sin(omega * t) + 0.5 * math.cos(omega * t)
    sliding = brentq(lambda t: velocity(t) - 1.0, 0.0, 1.0)
    caught = 5.0 + sliding
    slip = caught + (0.6 * 196.2 / 10.0 - position(sliding)) / 1.0
    times, what = result.events["time"], result.events["what"]
    assert abs(times[0] - caught) < 1e-3 and "sticks" in what[0], (times[0], caught, what[0])
    assert abs(times[1] - slip) < 1e-3 and "slides" in what[1], (times[1], slip, what[1])


def test_values_states_and_derivatives_work_as_with_fmi_2():
    path = harness.ROOT / "resources" / "models" / "rabinowicz.toml"
    with coulisse.Model(harness.pack(path)) as old, coulisse.Model(test_fmi3.pack(path)) as new:
        inputs, outputs = ["motions.belt.velocity", "loads.normal.fy"], ["points.block.x", "energy.kinetic"]
        found = []
        for model in (old, new):
            model.set({"motions.belt.velocity": 0.02, "joints.block.friction.stribeck.static_coefficient": 0.7})
            model.step(0.01)
            slopes = model.derivatives(outputs, inputs)
            saved = model.save()
            model.step()
            ahead = [model[name] for name in model.outputs if name != "events.what"]
            model.restore(saved)
            model.step()
            assert [model[name] for name in model.outputs if name != "events.what"] == ahead
            found.append((slopes.tolist(), [model[name] for name in old.outputs]))
        assert found[0] == found[1]
        assert new["joints.block.regime"] in (1.0, 2.0, 3.0)
        with pytest.raises(coulisse.CoulisseError, match="is a text"):
            new.get("events.what")
        with pytest.raises(coulisse.CoulisseError, match="text cannot be set|no parameter|not allowed|is an output"):
            new.set("events.what", 1.0)


def test_a_model_file_becomes_an_fmu_of_fmi_3_and_old_fmus_have_no_events():
    path = harness.ROOT / "tests" / "abi" / "belt.toml"
    with coulisse.Model(path, fmi=3) as model:
        assert "events.count" in model.variables
        model.simulate(stop=0.01, events=True)
    with coulisse.Model(path) as model:
        with pytest.raises(coulisse.CoulisseError, match="no Event Mode"):
            model.simulate(stop=0.01, events=True)
    with pytest.raises(ValueError, match="fmi: 4; allowed: 2 and 3"):
        coulisse.Model(path, fmi=4)
    with coulisse.Model(path, fmi=3) as model, pytest.raises(TypeError, match="beside events"):
        model.simulate(stop=0.01, events=True, sensitivities=["motions.belt.velocity"])


def test_what_the_library_refuses_comes_with_its_reason():
    path = harness.ROOT / "tests" / "abi" / "leaves_its_path.toml"
    with coulisse.Model(path, fmi=3) as model:
        with pytest.raises(coulisse.Discarded) as fault:
            model.simulate()
        with coulisse.Model(path) as old, pytest.raises(coulisse.Discarded) as other:
            old.simulate()
        assert fault.value.time == other.value.time and str(fault.value) == str(other.value).replace("fmi2", "fmi3")
        assert len(fault.value.result.time) == len(other.value.result.time)


# A unit of another tool with a time event at 0.25 s, an array, a text and small whole numbers.
SOURCE = r"""
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
static double at, counted;
static bool events;
void *fmi3InstantiateCoSimulation(const char *n, const char *t, const char *p, bool v, bool l, bool e, bool r,
    const unsigned *q, size_t nq, void *env, void *log, void *update) { events = e; return &at; }
void fmi3FreeInstance(void *c) {}
int fmi3Reset(void *c) { at = counted = 0; return 0; }
int fmi3UpdateDiscreteStates(void *c, bool *a, bool *t, bool *n, bool *s, bool *d, double *next)
    { *a = *t = *n = *s = false; *d = at < 0.25; *next = 0.25; if (at >= 0.25) counted = 1; return 0; }
int fmi3GetFloat64(void *c, const unsigned *r, size_t n, double *values, size_t m)
    { for (size_t i = 0, k = 0; i < n; i++) for (int j = 1; j <= (r[i] == 5 ? 3 : 1); j++) values[k++] = j * at;
      return 0; }
int fmi3GetFloat32(void *c, const unsigned *r, size_t n, float *values, size_t m) { values[0] = 0.5f; return 0; }
int fmi3GetUInt8(void *c, const unsigned *r, size_t n, uint8_t *values, size_t m) { values[0] = (uint8_t)counted; return 0; }
int fmi3GetString(void *c, const unsigned *r, size_t n, const char **values, size_t m) { values[0] = "\xc3\xa4"; return 0; }
int fmi3DoStep(void *c, double t, double h, bool p, bool *e, bool *end, bool *early, double *last)
    { *e = *early = false; at = *last = t + h; *end = at > 0.95; return 0; }
"""
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="other" instantiationToken="{1}">
  <CoSimulation modelIdentifier="other" hasEventMode="true"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="y" valueReference="1" causality="output"><Alias name="z"/></Float64>
    <Float32 name="half" valueReference="2" causality="output"/>
    <UInt8 name="count" valueReference="3" causality="output"/>
    <String name="text" valueReference="4" causality="output"/>
    <Float64 name="list" valueReference="5" causality="output"><Dimension start="3"/></Float64>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
"""


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other_3")
    names = {*(f"fmi3{name}" for name in _fmi3.Instance3.FUNCTIONS)}
    stubs = "".join(f"int {name}(void *c) {{ return 0; }}\n" for name in sorted(names) if f"{name}(" not in SOURCE)
    (folder / "other.c").write_text(SOURCE + stubs)
    library = folder / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "other.c"], check=True)
    path = folder / "other.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", DESCRIPTION)
        archive.write(library, f"binaries/{_fmi._folders()[0]}/other.so")
    return path


def test_an_fmu_of_another_tool_has_its_time_events_and_types(other):
    with coulisse.Model(other) as model:
        elements = ["list[1]", "list[2]", "list[3]"]
        assert list(model.variables) == ["time", "y", "z", "half", "count", "text", *elements]
        kinds = ["Real", "Real", "Real", "Real", "Integer", "String", "Real", "Real", "Real"]
        assert [v.kind for v in model.variables.values()] == kinds
        plain = model.simulate(stop=0.9, step=0.1)
        assert len(plain.time) == 10 and plain["count"][-1] == 0.0
        result = model.simulate(stop=0.9, step=0.1, events=True)
        assert list(result.events["time"]) == [0.25] and list(result.events["what"]) == [""]
        assert list(result.time[2:5]) == [0.2, 0.25, 0.30000000000000004]
        assert list(result["count"][2:5]) == [0.0, 1.0, 1.0]
        assert np.array_equal(result["y"], result.time) and np.array_equal(result["z"], result["y"])
        for k, name in enumerate(elements, 1):
            assert np.array_equal(result[name], k * result.time)
        assert set(result["half"]) == {0.5} and set(result["text"]) == {"ä"}


def test_an_fmu_may_end_the_simulation(other):
    with coulisse.Model(other) as model, pytest.raises(coulisse.Discarded, match="asks to end the simulation") as fault:
        model.simulate(stop=2.0, step=0.1)
    assert fault.value.time == 1.0 and len(fault.value.result.time) == 11
