"""Events of FMUs of FMI 3.0 in hosts that do all that the standard allows: bundled models, reversals, jumps, states around events."""

import math

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

import harness
from test_fmi3 import BALL, NAMES, Slave, WHEEL, events, pack, strikes

# A mass of 2 kg that moves at 1 m/s against a force of 10 N along a guide whose friction is FRICTION.
SLIDE = """
name = "NAME"
description = "A mass that a force turns round"
[experiment]
stop_time = 1.0
communication_step = 0.1
[solver]
step = 1e-3
[points]
left = [-5.0, 0.0]
right = [5.0, 0.0]
block = [0.0, 0.0]
[members.guide]
from = "left"
to = "right"
elements = 1
order = 1
[masses.block]
point = "block"
mass = 2.0
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[joints.block]
cylindrical = { slider = "block", path = ["guide"], ends = "stop" }
FRICTION
[loads.push]
point = "block"
fx = -10.0
fy = -20.0
[initial.points.block]
vx = SPEED
[interface]
inputs = ["loads.push.fx"]
outputs = ["points.block.x", "points.block.vx"]
"""
COULOMB = "friction.coulomb = { coefficient = 0.1 }"

# Two bars between hinges 2 m apart, the crown 0.1 m higher, under a load that grows beyond the limit point.
TRUSS = """
name = "truss"
description = "A truss that snaps through"
points = { left = [-1.0, 0.0], right = [1.0, 0.0], crown = [0.0, 0.1] }
materials.steel = { young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }
sections.bar = { rectangle = { height = 0.05, width = 0.05 } }
joints.crown = { hinge = { point = "crown" } }
supports.left = { point = "left", fix = ["x", "y"] }
supports.right = { point = "right", fix = ["x", "y"] }
loads.push = { point = "crown", fy = -4e5, history.ramp = { duration = 4.0, smooth = false } }
members.left = { from = "left", to = "crown", elements = 1, order = 1, material = "steel", section = "bar" }
members.right = { from = "crown", to = "right", elements = 1, order = 1, material = "steel", section = "bar" }
interface.outputs = ["points.crown.*", "solver.unstable_modes"]
solver = { analysis = "quasi_static", step = 0.01 }
experiment = { stop_time = 4.0, communication_step = 0.1 }
"""


def slide(name, friction=COULOMB, speed=1.0):
    text = SLIDE.replace("NAME", name).replace("FRICTION", friction).replace("SPEED", repr(speed))
    return pack(text, name)


def bundled(name):
    return pack(harness.ROOT / "resources" / "models" / f"{name}.toml")


def span(fmu, steps=50):
    """End of a run and its communication step: all of the proposed experiment in the full tier."""
    stop, step = harness.experiment(fmu)
    return (stop if harness.ALL else min(stop, steps * step)), step


@pytest.mark.parametrize("name", NAMES)
def test_events_of_bundled_models_are_those_of_their_log(name):
    """Every one that a host handles has an instant and a text, both as in the log of the FMU, and the host comes to the end."""
    fmu = bundled(name)
    stop, step = span(fmu)
    found = events(fmu, stop, step)
    assert all(0.0 <= at <= told + 1e-12 and what for told, at, what in found)


@pytest.mark.parametrize("name", NAMES)
def test_fmpy_runs_bundled_models_with_events(name):
    """The loop of FMPy itself, with Event Mode and early return: no message of a refusal, and the end is reached."""
    fmu = bundled(name)
    stop, step = span(fmu)
    refused = []
    result = fmpy.simulate_fmu(
        str(fmu), fmi_type="CoSimulation", use_event_mode=True, early_return_allowed=True, stop_time=stop, output_interval=step,
        logger=lambda _, status, category, text: refused.append(text) if status > 1 else None,
    )
    assert not refused and abs(result["time"][-1] - stop) < 1e-9 * max(1.0, stop)
    assert np.all(np.diff(result["time"]) >= 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_host_that_only_looks_on_changes_nothing_but_rounding(name):
    """Called back behind every step of the solver, where it reads: forces there are solved for, so that later solutions begin with another guess. What
    the solver leaves of positions is large in forces of stiff members, so positions are compared."""
    fmu = bundled(name)
    stop, step = span(fmu, steps=20)
    times = []

    def look(_, time, *rest):
        times.append(time)
        watched.unit.getFloat64(references)

    watched = Slave(fmu, events=False, early=False, update=look)
    outputs = [v for v in watched.description.modelVariables if v.causality == "output" and v.type == "Float64" and not v.dimensions and v.unit == "m"]
    references = [v.valueReference for v in outputs]
    plain = Slave(fmu, events=False, early=False)
    rows = [[], []]
    for one in (watched, plain):
        one.start()
    for k in range(int(round(stop / step))):
        for one, row in zip((watched, plain), rows):
            one.unit.doStep(k * step, step)
            row.append(one.unit.getFloat64(references))
    looked, expected = map(np.array, rows)
    assert np.all(np.abs(looked - expected) <= 1e-7 * np.abs(expected).max(initial=0.0))
    assert len(times) >= len(expected) and all(a < b for a, b in zip(times, times[1:]))


@pytest.mark.parametrize("name", NAMES)
def test_adjoint_and_directional_derivatives_of_bundled_models_agree(name):
    """⟨w, J u⟩ = ⟨Jᵀ w, u⟩ to rounding, for random w and u, of all outputs by all inputs and numbers of friction."""
    fmu = bundled(name)
    slave = Slave(fmu, events=False, early=False).start()
    variables = slave.description.modelVariables
    unknowns = [v.valueReference for v in variables if v.causality == "output" and v.type == "Float64" and v.variability == "continuous" and not v.dimensions]
    knowns = [v.valueReference for v in variables if v.causality == "input" or v.variability == "tunable" and v.causality == "parameter"]
    if not knowns:
        return
    _, step = harness.experiment(fmu)
    slave.unit.doStep(0.0, step)
    rng = np.random.default_rng(7)
    u, w = rng.standard_normal(len(knowns)), rng.standard_normal(len(unknowns))
    try:
        forward = np.array(slave.unit.getDirectionalDerivative(unknowns, knowns, list(u)))
    except FMICallException:
        # Across an event there is none, and no other one.
        with pytest.raises(FMICallException):
            slave.unit.getAdjointDerivative(unknowns, knowns, list(w), len(knowns))
        return
    backward = np.array(slave.unit.getAdjointDerivative(unknowns, knowns, list(w), len(knowns)))
    # Second derivatives of constraints are differences along the direction, with a rounding of 1e-11.
    assert abs(w @ forward - u @ backward) <= 1e-10 * (np.abs(w) @ np.abs(forward) + np.abs(u) @ np.abs(backward))


@pytest.mark.parametrize("step", [1.0, 0.1, 0.0317, 1e-3])
def test_a_mass_that_a_force_turns_round_is_reported_where_its_velocity_is_0(step):
    """m v0/(F + μ N), and it goes on sliding the other way with (F − μ N)/m: the velocity at the end says that it has not stuck."""
    slave = Slave(slide("turned")).start()
    (found,) = slave.run(0.0, 0.5, step)
    told, at, what = found
    assert what == "joints.block reverses" and told == at and abs(at - 2.0 / 12.0) < 1e-8
    assert abs(slave.get("points.block.vx") + 4.0 * (0.5 - 2.0 / 12.0)) < 1e-9


@pytest.mark.parametrize("friction", ["", "friction.arctangent = { coefficient = 0.1, threshold_velocity = 1e-3, change = 0.0, reference_velocity = 1.0 }"])
def test_without_static_friction_a_reversal_is_reported_at_the_end_of_the_communication_step(friction):
    """No force jumps, so no step ends there. The instant lies inside, exact where nothing but a constant force acts."""
    name = "smooth" if friction else "free"
    slave = Slave(slide(name, friction, 1.0317)).start()
    (found,) = slave.run(0.0, 0.5, 0.1)
    told, at, what = found
    exact = 1.0317 * (2.0 / 12.0 if friction else 0.2)
    assert what == "joints.block reverses" and -1e-9 < told - at < 0.1 + 1e-9
    print(at - exact)
    # With friction that follows the velocity the force turns within a step.
    assert abs(at - exact) < (2e-4 if friction else 1e-10)
    assert slave.unit.getInt64([slave.references["joints.block.regime"]]) == [3]


def test_a_velocity_that_is_0_at_the_end_of_a_step_is_rest():
    """2 kg at 1 m/s against 10 N: it stands still at 0.2 s, where a step ends, and moves on from there."""
    found = Slave(slide("free", "", 1.0)).start().run(0.0, 0.5, 0.1)
    assert [what for *_, what in found] in (["joints.block comes to rest", "joints.block starts to move"], ["joints.block reverses"])
    assert all(abs(at - 0.2) < 1e-12 for _, at, _ in found)


def test_what_begins_to_move_from_rest_does_so_at_the_start():
    slave = Slave(slide("from_rest", "", 0.0)).start()
    assert slave.run(0.0, 0.5, 0.1) == [(0.1, 0.0, "joints.block starts to move")]


def test_an_equilibrium_that_jumps_is_an_event():
    """At the limit point of a von Mises truss, P = EA y (h² − y²)/L³ at y = h/√3; the Saint-Venant-Kirchhoff law is exact there."""
    y, length = 0.1 / math.sqrt(3), math.hypot(1.0, 0.1)
    limit = 210e9 * 0.0025 * y * (0.01 - y * y) / length**3 / 1e5
    for step in (0.1, 4.0):
        found = Slave(pack(TRUSS, "truss")).start().run(0.0, 4.0, step)
        (jump,) = [one for one in found if "the equilibrium jumps" in one[2]]
        assert abs(jump[1] - limit) < 1e-2 and 0.0 <= jump[0] - jump[1] < 1e-2 + 1e-12


@pytest.mark.parametrize("step", [1.3, 0.25, 0.1, 0.013])
def test_instants_do_not_depend_on_the_communication_step(step):
    fall = math.sqrt(2 / 9.81)
    bounces = [fall, 2 * fall, 2.5 * fall]
    found = strikes(events(pack(BALL, "ball"), 1.2, step))
    assert len(found) == 3 and all(told == at and abs(at - t) < 1e-8 for (told, at, _), t in zip(found, bounces))


@pytest.mark.parametrize("step", [0.99, 0.2, 0.05, 0.007])
def test_a_wheel_lifts_off_when_its_load_says_with_any_communication_step(step):
    off = math.asin(9.81 / 20) / (2 * math.pi)
    found = events(pack(WHEEL, "wheel"), 0.3, step)
    assert [what for *_, what in found] == ["joints.wheel lifts off its path"] and abs(found[0][1] - off) < 1e-8


def at_event(fmu, handled):
    """An instance at its first event, before or after it has handled it."""
    slave = Slave(fmu).start()
    event, _, early, time = slave.unit.doStep(0.0, 1.0)
    assert event and early
    slave.unit.enterEventMode()
    if handled:
        slave.unit.updateDiscreteStates()
    return slave, time


@pytest.mark.parametrize("handled", [False, True])
def test_a_state_of_event_mode_goes_on_with_the_same_bits(handled):
    """Saved before or after the event is handled, as it is and through bytes, in the instance and in a new one."""
    fmu = slide("turned")
    slave, time = at_event(fmu, handled)
    state = slave.unit.getFMUState()
    through_bytes = slave.unit.serializeFMUState(state)
    names = "points.block.x", "points.block.vx", "joints.block.friction_force", "events.time"
    count = slave.references["events.count"]

    def rest(one):
        seen = [one.unit.getInt32([count]), one.unit.getString([one.references["events.what"]])]
        one.unit.updateDiscreteStates()
        one.unit.enterStepMode()
        one.unit.doStep(time, 0.3)
        return seen, one.unit.getInt32([count]), one.unit.getString([one.references["events.what"]]), one.values(*names)

    first = rest(slave)
    assert first[0][0] == [int(handled)] and first[1:3] == ([1], ["joints.block reverses"])
    slave.unit.setFMUState(state)
    assert rest(slave) == first
    other = Slave(fmu).start()
    other.unit.setFMUState(other.unit.deserializeFMUState(through_bytes))
    assert rest(other) == first


def test_after_a_reset_the_same_events_come_again():
    slave = Slave(pack(BALL, "ball")).start()
    first = slave.run(0.0, 1.0, 0.1)
    slave.unit.reset()
    assert slave.start().run(0.0, 1.0, 0.1) == first and len(strikes(first)) == 2


def test_instances_beside_each_other_have_events_of_their_own():
    fmu = slide("turned")
    both = [Slave(fmu), Slave(fmu)]
    both[0].start()
    both[1].start(**{"loads.push.fx": -30.0})
    times = [one.unit.doStep(0.0, 1.0)[3] for one in both]
    assert np.allclose(times, [2.0 / 12.0, 2.0 / 32.0], rtol=0, atol=1e-8)
    counts = []
    for one in both:
        one.unit.enterEventMode()
        one.unit.updateDiscreteStates()
        counts.append(one.unit.getInt32([one.references["events.count"]]))
        one.unit.enterStepMode()
    assert counts == [[1], [1]]


def test_an_input_of_event_mode_decides_what_comes_after():
    """At the reversal the force falls below the limit of friction: the mass stays. Had the host done nothing it would slide back."""
    slave, time = at_event(slide("turned"), handled=True)
    slave.set("loads.push.fx", -1.0)
    slave.unit.updateDiscreteStates()
    slave.unit.enterStepMode()
    assert slave.get("loads.push.fx") == -1.0
    found = slave.run(time, time + 0.3, 0.1)
    print(found)
    assert [what for *_, what in found] == ["joints.block sticks"] and found[0][1] - time < 1e-3
    assert slave.get("points.block.vx") == 0.0


def test_slopes_of_outputs_can_be_read_before_and_after_an_event():
    slave, time = at_event(slide("turned"), handled=False)
    reference = slave.references["points.block.x"]
    slopes = lambda: slave.unit.getOutputDerivatives([reference, reference], [1, 2])
    slave.unit.updateDiscreteStates()
    slave.unit.enterStepMode()
    # Behind the event the mass is accelerated by the force less its friction.
    assert abs(slopes()[0]) < 1e-8
    slave.unit.doStep(time, 0.01)
    v, a = slopes()
    assert abs(v + 0.04) < 1e-8 and abs(a + 4.0) < 1e-6


def test_calls_in_the_wrong_mode_are_refused_and_change_nothing():
    slave = Slave(slide("turned"))
    unit, count = slave.unit, slave.references["events.count"]

    def refused(*calls):
        for call in calls:
            with pytest.raises(FMICallException):
                call()
            assert slave.messages[-1][0] == 3, slave.messages[-1]

    step, event, update, back = (lambda: unit.doStep(0.0, 0.1)), unit.enterEventMode, unit.updateDiscreteStates, unit.enterStepMode
    refused(step, event, update, back)
    unit.enterInitializationMode()
    refused(step, event, back)
    unit.exitInitializationMode()
    # Event Mode is first. To enter it once more is not refused, because OpenModelica does so.
    refused(step)
    update()
    back()
    refused(update, back, unit.exitInitializationMode)
    happens, _, _, time = unit.doStep(0.0, 1.0)
    assert happens and unit.getInt32([count]) == [0]
    event()
    refused(lambda: unit.doStep(time, 0.1))
    update()
    assert unit.getInt32([count]) == [1]
    refused(lambda: unit.setInt32([count], [5]))
    back()
    unit.doStep(time, 0.1)
    assert abs(slave.get("points.block.vx") + 0.4) < 1e-8


def test_a_host_may_go_on_without_handling_an_event():
    """The standard lets it take steps; what happened stays to be handled, and steps go on to where the host wants."""
    slave = Slave(slide("turned")).start()
    happens, _, early, time = slave.unit.doStep(0.0, 1.0)
    assert happens and early
    happens, _, early, reached = slave.unit.doStep(time, 0.5 - time)
    assert happens and not early and reached == 0.5
    assert slave.unit.getInt64([slave.references["joints.block.regime"]]) == [2]
    slave.unit.enterEventMode()
    slave.unit.updateDiscreteStates()
    assert slave.unit.getInt64([slave.references["joints.block.regime"]]) == [3]


def test_event_mode_may_be_entered_without_an_event():
    """For an input that jumps: nothing has happened, and nothing is counted."""
    slave = Slave(slide("turned")).start()
    slave.unit.doStep(0.0, 0.05)
    slave.unit.enterEventMode()
    slave.set("loads.push.fx", -30.0)
    needs_update, _, _, _, defined, _ = slave.unit.updateDiscreteStates()
    assert not needs_update and not defined
    slave.unit.enterStepMode()
    assert slave.unit.getInt32([slave.references["events.count"]]) == [0]
    (found,) = slave.run(0.05, 0.3, 0.1)
    # 2 kg at 1 m/s − 6 m/s² 0.05 s against 32 N.
    assert abs(found[1] - (0.05 + 2.0 * 0.7 / 32.0)) < 1e-8
