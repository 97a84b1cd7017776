"""Events of contact layers in FMUs of FMI 3.0: closing, opening, sliding and sticking at the instants of closed forms."""

import math

from test_fmi3 import Slave, pack

# A rigid block of 1 kg over a floor with a layer of 1e4 N/m in all; its bottom is at HEIGHT.
BLOCK = """
name = "NAME"
description = "A rigid block on a contact layer"
[experiment]
stop_time = 1.0
communication_step = 0.05
[solver]
step = 1e-4
[points]
a = [-0.1, HEIGHT]
b = [0.1, HEIGHT]
c = [0.1, 0.1]
d = [-0.1, 0.1]
foot = [0.0, HEIGHT]
left = [-2.0, 0.0]
right = [2.0, 0.0]
[bodies.block]
rigid = true
mass = 1.0
inertia = 100.0
points = ["foot"]
[bodies.block.patch]
cells = [4, 2]
edges = [
  { name = "bottom", from = "a", to = "b" },
  { name = "end", from = "b", to = "c" },
  { name = "upper", from = "c", to = "d" },
  { name = "front", from = "d", to = "a" },
]
[members.floor]
from = "left"
to = "right"
elements = 1
order = 1
[supports.floor]
member = "floor"
fix = ["x", "y", "rotation"]
[contacts.pad]
surface = ["block.bottom"]
path = ["floor"]
stiffness = 5e4
FRICTION
[gravity]
y = -9.81
[initial]
equilibrium = EQUILIBRIUM
MORE
[interface]
outputs = ["points.foot.*"]
"""
WEIGHT, STIFFNESS, STEP = 9.81, 1e4, 1e-4


def block(name, height, friction="", more="", gravity="-9.81"):
    words = {"NAME": name, "HEIGHT": repr(height), "FRICTION": friction, "MORE": more, "-9.81": gravity}
    text = BLOCK.replace("EQUILIBRIUM", "true" if more else "false")
    for word, value in words.items():
        text = text.replace(word, value)
    return pack(text, name)


def test_a_block_that_falls_on_its_layer_closes_and_opens_it_at_the_instants_of_a_spring():
    """x = g/w² (1 - cos wt) + v/w sin wt from the end of the fall on, until x = 0 again."""
    height, g, w = 0.05, 9.81, math.sqrt(STIFFNESS)
    v = math.sqrt(2 * g * height)
    touch = 2 * (math.pi - math.atan(v * w / g)) / w
    expected = [math.sqrt(2 * height / g)]
    for _ in range(3):
        expected.append(expected[-1] + touch)
        expected.append(expected[-1] + 2 * v / g)
    found = Slave(block("falling", height)).start().run(0.0, 0.82, 0.05)
    assert [what for *_, what in found] == ["contacts.pad closes", "contacts.pad opens"] * 3 + ["contacts.pad closes"]
    print([at - t for (_, at, _), t in zip(found, expected)])
    # The first ends a parabola; behind it steps of a tenth of a thousandth of the layer's period count.
    assert abs(found[0][1] - expected[0]) < 1e-8
    assert max(abs(at - t) for (_, at, _), t in zip(found, expected)) < 2e-5
    # A step ends behind that of the solver in which it happened.
    assert all(-1e-12 < told - at < STEP + 1e-12 for told, at, _ in found)


def test_a_block_that_is_shaken_slides_and_sticks_as_a_whole():
    """It slides once the force is that of friction, until it has the velocity 0."""
    force, w, friction = 6.0, 2 * math.pi, 0.5 * WEIGHT
    slides = math.asin(friction / force) / w
    speed = lambda t: force / w * (math.cos(w * slides) - math.cos(w * t)) - friction * (t - slides)
    low, high = 0.5 - slides, 0.5
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if speed(middle) > 0 else (low, middle)
    fmu = block(
        "shaken", 0.0, "friction.coulomb = { coefficient = 0.5 }",
        '[loads.shake]\npoint = "foot"\nfx = 6.0\nhistory.sine = { frequency = 1.0 }',
    )
    # What the layer stores goes on swinging afterwards, which no rigid block does.
    found = Slave(fmu).start().run(0.0, 0.55, 0.05)
    print(found, slides, low)
    assert [what for *_, what in found] == ["contacts.pad slides", "contacts.pad sticks"]
    for (_, at, _), t in zip(found, [slides, low]):
        # Along the face the layer gives way, by a hundredth of the period of the force.
        assert abs(at - t) < 5e-3, (at, t)


def test_a_block_that_rests_just_on_its_floor_has_no_events():
    """Without weight its gap is rounding, which is no contact that opens and closes."""
    assert Slave(block("weightless", 0.0, gravity="0.0")).start().run(0.0, 0.2, 0.05) == []


def test_a_saved_state_brings_along_what_its_layer_did():
    """Between closing and opening: the opening is one of the other instance, too, and nothing closes there."""
    fmu = block("falling", 0.05)
    slave, other = Slave(fmu).start(), Slave(fmu).start()
    now, states = 0.0, []
    while not states:
        event, _, early, reached = slave.unit.doStep(now, 0.05)
        now = reached if early else now + 0.05
        if event:
            slave.unit.enterEventMode()
            slave.unit.updateDiscreteStates()
            slave.unit.enterStepMode()
            states.append(slave.unit.serializeFMUState(slave.unit.getFMUState()))
    other.unit.setFMUState(other.unit.deserializeFMUState(states[0]))
    found = [one.run(now, now + 0.04, 0.01) for one in (slave, other)]
    assert found[0] == found[1] and [what for *_, what in found[0]] == ["contacts.pad opens"]
