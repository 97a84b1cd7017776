"""FMUs of FMI 3.0 in FMPy: valid, the bits of FMI 2.0 without events, and with events the instants of closed forms."""

import math
import re
import zipfile
from xml.etree import ElementTree

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

import harness

NAMES = [model.stem for model in harness.MODELS]
SHOWN = [model.stem for model in harness.SHOWN]

# A ball that falls 1 m on a floor and comes back with half its speed: a mass on a vertical guide that ends in a stop.
BALL = """
name = "ball"
description = "A ball that bounces"
[experiment]
stop_time = 1.3
communication_step = 0.1
[solver]
step = 1e-3
[points]
high = [0.0, 2.0]
low = [0.0, 0.0]
ball = [0.0, 1.0]
[members.guide]
from = "high"
to = "low"
elements = 1
order = 1
[masses.ball]
point = "ball"
mass = 1.0
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[joints.ball]
cylindrical = { slider = "ball", path = ["guide"], ends = "stop", restitution = 0.5 }
[gravity]
y = -9.81
"""

# A block on a spring of 10 N/m, carried along by a belt with Coulomb friction.
BELT = """
name = "belt_friction"
description = "A mass on a spring, carried along by a belt, sticks and slips"
[experiment]
stop_time = 40.0
communication_step = 0.5
[solver]
step = STEP
[points]
wall = [-10.0, 0.0]
block = [0.0, 0.0]
rear = [-100.0, 0.0]
front = [100.0, 0.0]
[springs.coil]
ground = "wall"
to = "block"
direction = "x"
stiffness = 10.0
[members.belt]
from = "rear"
to = "front"
elements = 1
order = 1
[masses.block]
point = "block"
mass = 20.0
[supports.belt]
member = "belt"
fix = ["y", "rotation"]
[motions.belt]
member = "belt"
direction = "x"
velocity = 0.5
[loads.normal]
point = "block"
fy = -196.2
[joints.block]
cylindrical = { slider = "block", path = ["belt"], ends = "continue" }
friction.coulomb = { coefficient = 0.5, static_coefficient = 0.6 }
[initial.points.block]
vx = 0.5
[interface]
inputs = ["motions.belt.velocity", "loads.normal.fy"]
outputs = ["points.block.x", "points.block.vx"]
"""

# A wheel of 1 kg on a road, lifted by a force 20 N sin(2 pi t): it leaves the road, flies and lands.
WHEEL = """
name = "wheel"
description = "A wheel that lifts off its road and lands"
[experiment]
stop_time = 1.0
communication_step = 0.05
[solver]
step = 5e-5
[points]
rear = [-1.0, 0.0]
front = [1.0, 0.0]
wheel = [0.0, 0.0]
[members.road]
from = "rear"
to = "front"
elements = 1
order = 1
[masses.wheel]
point = "wheel"
mass = 1.0
[supports.road]
member = "road"
fix = ["x", "y", "rotation"]
[joints.wheel]
cylindrical = { slider = "wheel", path = ["road"], ends = "stop", contact = "unilateral" }
[loads.lift]
point = "wheel"
fy = 20.0
history.sine = { frequency = 1.0 }
[gravity]
y = -9.81
"""


def pack(model, name=None):
    """An FMU of FMI 3.0 of a bundled model, or of a text that is written under `name` first."""
    if name is None:
        return harness.once(
            f"{model.stem}_3.fmu", lambda fmu: harness.coulisse("pack", "--fmi", "3", "--native", model, "-o", fmu)
        )
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
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


@pytest.mark.parametrize("solver", ["CVode", "Euler"])
@pytest.mark.parametrize("name", SHOWN)
def test_model_exchange_gives_the_bits_of_co_simulation(name, solver):
    fmu = pack(harness.ROOT / "resources" / "models" / f"{name}.toml")
    _, step = harness.experiment(fmu)
    times = dict(stop_time=60 * step, output_interval=step)
    whole = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", **times)
    sampled = fmpy.simulate_fmu(
        str(fmu), fmi_type="ModelExchange", solver=solver, step_size=step, record_events=False, **times
    )
    assert whole.dtype.names == sampled.dtype.names and len(whole) == len(sampled) == 61
    for column in whole.dtype.names[1:]:
        # Texts are compared as they are.
        assert list(whole[column]) == list(sampled[column]), column


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
                count = self.unit.getInt32([self.references["events.count"]])
                self.unit.enterEventMode()
                self.unit.updateDiscreteStates()
                assert self.unit.getInt32([self.references["events.count"]]) != count
                what = self.unit.getString([self.references["events.what"]])[0]
                found.append((now, self.get("events.time"), what))
                self.unit.enterStepMode()
            elif early:
                found.append((now, None, None))
        return found

    def values(self, *names):
        return [self.get(name) for name in names]


def events(fmu, end, step):
    """Events of a run with early return and Event Mode: their times as the host was told, and what happened."""
    slave = Slave(fmu).start()
    found = slave.run(0.0, end, step)
    told = re.compile("t = (.*?) s: ((joints|motions|contacts)\\..*|the equilibrium jumps)")
    logged = [match for _, text in slave.messages if (match := told.fullmatch(text))]
    for at, what in ((at, one) for _, at, what in found for one in what.split("; ")):
        # The log has ten digits. Of what happens together four are named.
        named = [m for m in logged if m[2] == what and abs(float(m[1]) - at) < 1e-9 * max(1.0, at)]
        assert named or re.fullmatch("and .* more", what), (at, what)
    # A passage between elements of the mesh is no event of the mechanism.
    logged = [match for match in logged if "goes from element" not in match[2]]
    assert len(logged) == slave.unit.getInt32([slave.references["events.count"]])[0]
    return found


def strikes(found):
    """Without where the ball starts to move, and turns round in the air: nothing jumps there."""
    return [one for one in found if "strikes" in one[2]]


def test_a_bouncing_ball_is_reported_at_its_bounces():
    fall, e = math.sqrt(2 / 9.81), 0.5
    expected = [fall]
    for n in range(1, 7):
        expected.append(expected[-1] + 2 * e**n * fall)
    found = strikes(events(pack(BALL, "ball"), 1.345, 0.1))
    assert len(found) >= len(expected)
    for (told, at, _), instant in zip(found, expected):
        assert told == at and abs(told - instant) < 1e-8


def test_the_bounces_of_a_ball_that_comes_to_rest_are_told_together():
    """Bounces get shorter without end: after 16 in a step of the solver the rest comes in one, and a warning says so."""
    slave = Slave(pack(BALL, "ball")).start()
    found = slave.run(0.0, 1.5, 0.1)
    assert 10 < len(strikes(found)) < 60
    assert abs(found[-1][1] - 3 * math.sqrt(2 / 9.81)) < 2e-3
    assert slave.get("joints.ball.velocity") == 0.0


def slips(count):
    """Break-aways and catches of the block on the belt, in closed form."""
    k, m, v, normal = 10.0, 20.0, 0.5, 196.2
    static, kinetic = 0.6 * normal / k, 0.5 * normal / k
    w = math.sqrt(k / m)
    instants = [static / v]
    for _ in range(count):
        # x = xk + (xs - xk) cos wt + (v/w) sin wt has the velocity of the belt again at
        turn = 2 * (math.pi - math.atan((static - kinetic) * w / v))
        caught = instants[-1] + turn / w
        x = kinetic + (static - kinetic) * math.cos(turn) + v / w * math.sin(turn)
        instants += [caught, caught + (static - x) / v]
    return instants


def test_sticking_and_slipping_on_a_belt_are_told_when_they_begin():
    """To 1e-8 s at a step of 0.1 ms. From one limit to the next friction is loaded for half a minute."""
    errors = []
    for step in (1e-3, 1e-4):
        found = events(pack(BELT.replace("STEP", str(step)), "belt_friction"), 40.0, 0.5)
        expected = [t for t in slips(3) if t < 40.0]
        assert ["slides" in what for *_, what in found] == [k % 2 == 0 for k in range(len(expected))]
        errors.append([abs(at - t) for (_, at, _), t in zip(found, expected)])
    print(errors)
    assert max(errors[1]) < 1e-8


def test_a_wheel_that_lifts_off_and_lands_is_reported():
    w, g = 2 * math.pi, 9.81
    off = math.asin(g / 20) / w
    height = lambda t: (
        -20 / w**2 * (math.sin(w * t) - math.sin(w * off) - w * (t - off) * math.cos(w * off)) - g / 2 * (t - off) ** 2
    )
    low, high = 0.4, 1.0
    while high - low > 1e-15:
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) > 0 else (low, middle)
    found = events(pack(WHEEL, "wheel"), 0.99, 0.05)
    assert [what for *_, what in found[:2]] == [
        "joints.wheel lifts off its path", "joints.wheel touches down on its path"
    ]
    assert abs(found[0][1] - off) < 1e-8 and abs(found[1][1] - low) < 1e-8
    assert all(told == at for told, at, _ in found[:2])


def test_discrete_outputs_change_in_event_mode_only():
    slave = Slave(pack(BELT.replace("STEP", "1e-3"), "belt_friction")).start()
    unit, references = slave.unit, slave.references
    regime = lambda: unit.getInt64([references["joints.block.regime"]])[0]
    count = lambda: unit.getInt32([references["events.count"]])[0]
    now = 0.0
    while now < 30.0:
        before = regime(), count()
        event, _, _, now = unit.doStep(now, 0.5)
        assert (regime(), count()) == before
        if event:
            unit.enterEventMode()
            assert (regime(), count()) == before
            unit.updateDiscreteStates()
            assert count() > before[1] and regime() != before[0]
            unit.enterStepMode()
        assert slave.get("time") == now


def test_an_input_that_is_set_at_an_event_acts_from_there_on():
    """The belt is twice as fast after the first slip: the block is caught later."""
    slave = Slave(pack(BELT.replace("STEP", "1e-3"), "belt_friction")).start()
    event, _, early, slip = slave.unit.doStep(0.0, 30.0)
    assert event and early and abs(slip - slips(0)[0]) < 1e-3
    slave.unit.enterEventMode()
    slave.set("motions.belt.velocity", 1.0)
    slave.unit.updateDiscreteStates()
    slave.unit.enterStepMode()
    event, _, early, caught = slave.unit.doStep(slip, 20.0)
    x, v = slave.values("points.block.x", "points.block.vx")
    assert event and early and abs(v - 1.0) < 1e-6
    assert caught > slips(1)[1] + 0.1


def test_without_early_return_a_step_goes_to_its_end_and_tells_afterwards():
    slave = Slave(pack(BALL, "ball"), early=False).start()
    (told, at, what), = strikes(slave.run(0.0, 0.6, 0.1))
    assert told == 0.5 and abs(at - math.sqrt(2 / 9.81)) < 1e-8
    assert what == "joints.ball strikes the stop at the end of its path"


def test_without_event_mode_steps_may_end_early_all_the_same():
    slave = Slave(pack(BALL, "ball"), events=False).start()
    ((told, _, _), *_) = slave.run(0.0, 0.6, 0.1)
    assert abs(told - math.sqrt(2 / 9.81)) < 1e-8


def test_fmpy_simulates_with_events():
    """The loop of FMPy itself: the ball's rows at its bounces."""
    fmu = pack(BALL, "ball")
    arguments = dict(stop_time=1.3, output_interval=0.1, output=["events.time", "events.count", "joints.ball.position"])
    result = fmpy.simulate_fmu(str(fmu), use_event_mode=True, early_return_allowed=True, **arguments)
    fall = math.sqrt(2 / 9.81)
    # At its bounces, and where it turns round between them.
    instants = np.unique(result["events.time"])[1:6]
    assert np.allclose(instants, [fall, 1.5 * fall, 2 * fall, 2.25 * fall, 2.5 * fall], rtol=0, atol=1e-8)
    # Twice at each: before the event is handled, and after it.
    assert np.count_nonzero(np.isclose(result["time"], fall, rtol=0, atol=1e-9)) == 2


def test_a_host_is_called_back_behind_every_step_and_may_end_it():
    times, wish = [], {"end": None}

    def update(_, time, set_requested, get_allowed, finished, can_return, wanted, at):
        assert set_requested and get_allowed and finished and can_return
        times.append((time, slave.get("points.block.x")))
        if wish["end"] is not None and time >= wish["end"]:
            wanted[0], at[0] = True, time

    slave = Slave(pack(BELT.replace("STEP", "1e-3"), "belt_friction"), update=update).start()
    _, _, early, reached = slave.unit.doStep(0.0, 0.01)
    assert not early and reached == 0.01 and len(times) == 10
    assert np.allclose([t for t, _ in times], np.arange(1, 11) * 1e-3, rtol=0, atol=1e-15)
    # The block rides on the belt.
    assert np.allclose([x for _, x in times], [0.5 * t for t, _ in times], rtol=0, atol=1e-12)
    wish["end"] = 0.0145
    _, _, early, reached = slave.unit.doStep(0.01, 0.01)
    assert early and abs(reached - 0.015) < 1e-12
    wish["end"] = None
    _, _, early, reached = slave.unit.doStep(reached, 0.01)
    assert not early


def test_an_input_that_is_set_in_a_call_back_acts_from_there_on():
    """The belt is twice as fast from the middle of a communication step on, as with two steps."""
    def update(_, time, *rest):
        if abs(time - 0.005) < 1e-12:
            slave.set("motions.belt.velocity", 1.0)

    fmu = pack(BELT.replace("STEP", "1e-3"), "belt_friction")
    slave = Slave(fmu, events=False, early=False, update=update).start()
    slave.unit.doStep(0.0, 0.01)
    other = Slave(fmu, events=False, early=False).start()
    other.unit.doStep(0.0, 0.005)
    other.set("motions.belt.velocity", 1.0)
    other.unit.doStep(0.005, 0.005)
    names = "points.block.x", "points.block.vx", "joints.block.friction_force"
    assert slave.values(*names) == other.values(*names)


def test_adjoint_and_directional_derivatives_agree():
    slave = Slave(pack(harness.ROOT / "resources" / "models" / "rabinowicz.toml"), events=False).start()
    names = {v.name: v for v in slave.description.modelVariables}
    unknowns = [names[name].valueReference for name in ("points.block.x", "points.block.vx", "energy.kinetic")]
    knowns = [names[name].valueReference for name in ("motions.belt.velocity", "loads.normal.fy")]
    slave.unit.doStep(0.0, 0.01)
    rng = np.random.default_rng(43)
    u, w = rng.standard_normal(2), rng.standard_normal(3)
    forward = np.array(slave.unit.getDirectionalDerivative(unknowns, knowns, list(u)))
    backward = np.array(slave.unit.getAdjointDerivative(unknowns, knowns, list(w), len(knowns)))
    assert abs(w @ forward - u @ backward) < 1e-13 * (np.abs(w) @ np.abs(forward) + 1e-300)
    assert np.any(forward)


def test_the_command_runs_checks_and_describes_them():
    fmu = pack(BALL, "ball")
    assert "events.count" in harness.coulisse("describe", fmu)
    assert "ok" in harness.coulisse("check", "--run", fmu)
    harness.coulisse("run", fmu, "-o", harness.FOLDER / "ball_3.csv")
    harness.coulisse("run", harness.FOLDER / "ball.toml", "-o", harness.FOLDER / "ball.csv")
    ours, model = (harness.rows(harness.FOLDER / f"{name}.csv") for name in ("ball_3", "ball"))
    for name, column in model.items():
        assert np.array_equal(ours[name], column), name


def test_differences_of_places_are_relative_quantities_and_places_are_not():
    """No unit here has an offset, but a host may have display units with one."""
    with zipfile.ZipFile(pack(BALL, "ball")) as archive:
        variables = ElementTree.fromstring(archive.read("modelDescription.xml")).find("ModelVariables")
    relative = {v.get("name") for v in variables if v.get("relativeQuantity") == "true"}
    assert "joints.ball.displacement" in relative and not {"joints.ball.position", "joints.ball.velocity"} & relative
