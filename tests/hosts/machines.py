"""Closed forms of rigid members, bushings, rigid stops, damping that turns and paths that let go.

Rows of the table of problems.py, as those of connectors.py.
"""

import math

import numpy as np

import harness
from connectors import crossings, ends
from row import Row

BAR = """
name = "NAME"
[solver]
step = 1e-3
[points]
top = [0.0, 0.0]
tip = [1.2, 0.0]
[members]
bar = { from = "top", to = "tip", rigid = true, mass = 2.0, inertia = 0.24 }
[supports.top]
point = "top"
fix = ["x", "y"]
MORE
[interface]
outputs = ["points.*", "members.*", "energy.*", OUTPUTS]
"""

DRIVEN = """
name = "driven"
[solver]
step = 5e-4
[points]
left = [0.0, 0.0]
right = [4.0, 0.0]
bead = [0.5, 0.0]
[members]
path = { from = "left", to = "right", rigid = true }
[masses]
bead = { point = "bead", mass = 0.8 }
[supports]
left = { point = "left", fix = ["x", "y"] }
[motions]
turn = { member = "path", direction = "rotation", rate = 2.0 }
[joints]
bead = { cylindrical = { slider = "bead", path = ["path"] } }
[initial]
velocities = "rigid_mechanism"
[initial.points.bead]
vx = 0.0
[interface]
outputs = ["joints.*", "motions.*"]
"""


def runge_kutta(rise, state, stop, steps):
    """A state of first-order equations at `stop`."""
    state, h = np.array(state, dtype=float), stop / steps
    for _ in range(steps):
        a = rise(state)
        b = rise(state + h / 2 * a)
        c = rise(state + h / 2 * b)
        d = rise(state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
    return state


def rigid_members():
    section = "Rigid members"
    g, mass, half, own = 9.81, 2.0, 0.6, 0.24
    about = own + mass * half**2
    text = BAR.replace("NAME", "swinging").replace("MORE", "[gravity]\ny = -9.81").replace("OUTPUTS", "")
    result = harness.simulate(harness.pack(text.replace(", ]", "]"), "swinging"), stop=1.0, step=1e-3)
    # At its lowest it turns by ω² = 2 m g d/J, and its pin carries m g + m d ω².
    lowest = np.argmax(-result["points.tip.y"])
    speed = np.hypot(result["points.tip.vx"], result["points.tip.vy"]).max()
    exact = 1.2 * math.sqrt(2.0 * mass * g * half / about)
    yield Row(section, "swinging bar: speed of its tip below", speed, exact, 1e-4 * exact, "exact", "m/s")
    exact = mass * g + mass * half * 2.0 * mass * g * half / about
    seen = result["members.bar.from.fy"][lowest]
    yield Row(section, "swinging bar: force of its pin below", seen, exact, 1e-3 * exact, "exact", "N")

    seen = ends(DRIVEN, "driven", 1.2)
    exact = 0.5 * math.cosh(2.4)
    yield Row(section, "bead on a driven rigid path: position after 1.2 s", seen["joints.bead.position"], exact, 1e-5, "exact", "m")
    exact = 2.0 * 0.8 * 2.0 * 0.5 * 2.0 * math.sinh(2.4)
    yield Row(section, "bead on a driven rigid path: its force", seen["joints.bead.normal_force"], exact, 1e-3 * exact, "exact", "N")
    exact = exact * 0.5 * math.cosh(2.4)
    yield Row(section, "bead on a driven rigid path: moment of the drive", seen["motions.turn.reaction"], exact, 1e-3 * exact, "exact", "N m")

    more = (
        '[joints.bearing]\nhinge = { point = "top", release = ["bar"], radius = 0.03 }\nfriction.coulomb = { coefficient = 0.25 }\n'
        '[initial]\nvelocities = "rigid_mechanism"\n[initial.points.top]\nrotation_rate = 20.0'
    )
    text = BAR.replace("NAME", "bearing").replace("MORE", more).replace("OUTPUTS", '"joints.*"')
    seen = ends(text, "bearing", 2.0)

    def slows(state):
        rise = 0.0
        for _ in range(40):
            rise = -0.25 * 0.03 * mass * half * math.hypot(state[1] ** 2, rise) / about
        return np.array([state[1], rise])

    exact = runge_kutta(slows, [0.0, 20.0], 2.0, 400)[0]
    turned = seen["joints.bearing.position"] / 0.03
    yield Row(section, "bar in a bearing that rubs: turned after 2 s", turned, exact, 1e-4 * exact, "own integration", "rad")


MOUNT = """
name = "NAME"
[solver]
step = 5e-4
[points]
frame = [0.0, 0.0]
mass = [0.0, 0.0]
[masses]
mass = { point = "mass", mass = 3.0, rotary_inertia = 0.05 }
[springs.mount]
ground = "frame"
to = "mass"
[springs.mount.bushing]
KEYS
MORE
[interface]
outputs = ["springs.*", "points.*", "energy.*"]
"""


def bushings():
    section = "Bushings"
    stiffness = np.array([[2e5, 4e4, 1e3], [4e4, 8e5, 3e3], [1e3, 3e3, 400.0]])
    keys = "stiffness = [2e5, 8e5, 400.0]\ncoupling = [4e4, 1e3, 3e3]\ndamping = [3e3, 6e3, 5.0]"
    force = np.array([50.0, -30.0, 2.0])
    load = '[loads.push]\npoint = "mass"\nfx = 50.0\nfy = -30.0\nmoment = 2.0'
    text = MOUNT.replace("NAME", "mount").replace("KEYS", keys).replace("MORE", load)
    seen = ends(text, "mount", 3.0)
    exact = np.linalg.solve(stiffness, force)
    for name, value, unit in zip(("x", "y", "angle"), exact, ("m", "m", "rad")):
        found = seen[f"springs.mount.{name}"]
        yield Row(section, f"three loads on a mount: {name}", found, value, 1e-4 * abs(value), "exact", unit)
    exact = 0.5 * force @ exact
    yield Row(section, "three loads on a mount: stored energy", seen["springs.mount.stored_energy"], exact, 1e-4 * exact, "exact", "J")

    keys = "stiffness = [1200.0, 1200.0, 8.0]\ndamping = [0.0, 0.0, 0.01]"
    start = "[initial.points.mass]\nrotation_rate = 1.0"
    text = MOUNT.replace("NAME", "twist").replace("KEYS", keys).replace("MORE", start)
    result = harness.simulate(harness.pack(text, "twist"), stop=6.0, step=1e-3)
    zeta = 0.01 / (2.0 * math.sqrt(8.0 * 0.05))
    exact = 2.0 * math.pi / math.sqrt(8.0 / 0.05 * (1.0 - zeta**2))
    seen = np.mean(np.diff(crossings(result["time"], result["springs.mount.angle"])))
    yield Row(section, "torsion on a mount: period", seen, exact, 1e-4 * exact, "exact", "s")


WHEEL = """
name = "wheel"
[solver]
step = 1e-3
[points]
axle = [0.0, 0.0]
[masses]
wheel = { point = "axle", mass = 1.0, rotary_inertia = 0.02 }
[supports]
axle = { point = "axle", fix = ["x", "y"] }
[springs]
limit = { to = "axle", direction = "rotation", stop = { least = -0.3, rigid = true, restitution = 0.6 } }
[loads]
push = { point = "axle", moment = -0.5 }
[interface]
outputs = ["springs.*", "points.*", "energy.*"]
"""


def rigid_stops():
    section = "Rigid stops of springs and hinges"
    result = harness.simulate(harness.pack(WHEEL, "wheel"), stop=1.2, step=1e-3)
    pull, e = 0.5 / 0.02, 0.6
    first = math.sqrt(2.0 * 0.3 / pull)
    time, angle = result["time"], result["springs.limit.angle"] + 0.3
    for bounce in (1, 2, 3):
        up = pull * first * e**bounce
        begin = first + sum(2.0 * first * e**k for k in range(1, bounce))
        flight = (time > begin) & (time < begin + 2.0 * up / pull)
        exact = up**2 / (2.0 * pull)
        yield Row(section, f"wheel on its stop: height of bounce {bounce}", angle[flight].max(), exact, 2e-4 * exact, "exact", "rad")
    yield Row(section, "wheel on its stop: moment at rest", result["springs.limit.stop_moment"][-1], -0.5, 1e-6, "exact", "N m")
    yield Row(section, "wheel on its stop: loss of all bounces", result["energy.impact_loss"][-1], 0.15, 1e-4, "exact", "J")


SPINNING = """
name = "NAME"
[solver]
step = 5e-4
spectral_radius = 0.95
[points]
o = [0.0, 0.0]
a = [1.0, 0.0]
[materials]
soft = { young_modulus = 2e9, poisson_ratio = 0.0, density = 2000.0 }
[sections]
strip = { rectangle = { height = 0.05, width = 0.02 } }
[members]
bar = { from = "o", to = "a", elements = 4, material = "soft", section = "strip" }
[supports]
o = { point = "o", fix = HELD }
[damping.all]
stiffness_coefficient = 2e-3
axes = "turning"
START
[interface]
outputs = ["points.*", "energy.*"]
"""


def turning_damping():
    section = "Damping in rotating axes"
    start = '[initial]\nvelocities = "rigid_mechanism"\n[initial.points.a]\nvy = 5.0'
    text = SPINNING.replace("NAME", "spinning").replace("HELD", '["x", "y"]').replace("START", start)
    result = harness.simulate(harness.pack(text, "spinning"), stop=12.0 * math.pi / 5.0, step=1e-2)
    energy = result["energy.kinetic"] + result["energy.strain"]
    yield Row(section, "spinning bar: energy left after six turns", energy[-1] / energy[0], 1.0, 1e-4, "exact")

    # The first bending vibration of a cantilever, with c_k ω/2 of damping; shear and rotation make 0.2 % of ω here.
    push = '[loads.push]\npoint = "a"\nfy = 0.5\nhistory.table = { times = [0.0, 0.01, 0.02], values = [0.0, 1.0, 0.0], beyond = "hold" }'
    text = SPINNING.replace("NAME", "cantilever").replace("HELD", '["x", "y", "rotation"]').replace("START", push)
    result = harness.simulate(harness.pack(text.replace("2e-3\naxes", "1e-3\naxes"), "cantilever"), stop=3.0, step=1e-3)
    time, place = result["time"], result["points.a.y"]
    period = np.mean(np.diff(crossings(time, place)[3:]))
    begins = crossings(time, place)[3:-1]
    peaks = [place[(time >= t) & (time < t + period)].max() for t in begins]
    decrement = np.mean(np.log(np.array(peaks[:-1]) / peaks[1:]))
    omega = 3.516015 * math.sqrt(2e9 / 2000.0 * 0.05**2 / 12.0)
    zeta = 0.5 * 1e-3 * omega
    exact = 2.0 * math.pi * zeta / math.sqrt(1.0 - zeta**2)
    yield Row(section, "cantilever: logarithmic decrement", decrement, exact, 1e-2 * exact, "exact without shear")


RAMP = """
name = "ramp"
[points]
a = [-1.5, 0.6]
b = [0.0, 0.0]
bead = [-1.0, 0.4]
[members]
ramp = { from = "a", to = "b", elements = 3 }
[supports]
ramp = { member = "ramp", fix = ["x", "y", "rotation"] }
[masses]
bead = { point = "bead", mass = 2.0 }
[joints]
bead = { cylindrical = { slider = "bead", path = ["ramp"], ends = "leave" }, friction.coulomb = { coefficient = 0.1 } }
[gravity]
y = -9.81
[solver]
step = 1e-3
[interface]
outputs = ["points.*", "joints.*"]
"""

# A force of 500 N over a simply supported beam, with 6 m/s, that is gone after 0.5 s.
CROSSING = """
name = "crossing"
[solver]
step = 2.5e-4
spectral_radius = 0.95
[points]
a = [0.0, 0.0]
b = [3.0, 0.0]
load = [0.0, 0.0]
[materials]
steel = { young_modulus = 2.1e11, shear_modulus = 1e13, density = 7850.0 }
[sections]
bar = { rectangle = { height = 0.04, width = 0.1 } }
[members]
beam = { from = "a", to = "b", material = "steel", section = "bar", elements = 6 }
[supports]
a = { point = "a", fix = ["x", "y"] }
b = { point = "b", fix = ["y"] }
[motions]
drive = { point = "load", direction = "x", velocity = 6.0 }
[loads]
load = { point = "load", fy = -500.0 }
[joints]
load = { cylindrical = { slider = "load", path = ["beam"], ends = "leave" } }
[probes]
middle = { displacement = { member = "beam", at = 1.5, direction = "y" } }
[interface]
outputs = ["probes.*", "joints.*"]
"""


def krylov(t):
    """Deflection of the middle of that beam, m: modes under the force, and free behind it (Frýba 1972, Chap. 1)."""
    line, stiffness = 7850.0 * 0.04 * 0.1, 2.1e11 * 0.1 * 0.04**3 / 12.0
    deflection = np.zeros_like(t)
    for n in range(1, 60):
        k = n * math.pi / 3.0
        own, forced = k * k * math.sqrt(stiffness / line), 6.0 * k
        size = -2.0 * 500.0 / (line * 3.0) / (own**2 - forced**2)
        place = size * (np.sin(forced * 0.5) - forced / own * np.sin(own * 0.5))
        rate = size * forced * (np.cos(forced * 0.5) - np.cos(own * 0.5))
        under = size * (np.sin(forced * t) - forced / own * np.sin(own * t))
        free = place * np.cos(own * (t - 0.5)) + rate / own * np.sin(own * (t - 0.5))
        deflection += np.where(t < 0.5, under, free) * math.sin(0.5 * n * math.pi)
    return deflection


def leaving():
    section = "Ends of paths"
    seen = ends(RAMP, "ramp", 1.2, step=0.01)
    length = math.hypot(1.0, 0.4)
    sin, cos = 0.4 / length, 1.0 / length
    along = 9.81 * (sin - 0.1 * cos)
    instant, speed = math.sqrt(2.0 * length / along), math.sqrt(2.0 * length * along)
    flown = 1.2 - instant
    yield Row(section, "bead off a rough ramp: instant", seen["joints.bead.transition_time"], instant, 1e-6, "exact", "s")
    yield Row(section, "bead off a rough ramp: x after 1.2 s", seen["points.bead.x"], speed * cos * flown, 1e-6, "exact", "m")
    exact = -speed * sin * flown - 0.5 * 9.81 * flown**2
    yield Row(section, "bead off a rough ramp: y after 1.2 s", seen["points.bead.y"], exact, 1e-6, "exact", "m")

    result = harness.simulate(harness.pack(CROSSING, "crossing"), stop=1.2, step=2e-3)
    time, middle = result["time"], result["probes.middle"]
    free = time > 0.5
    exact = np.abs(krylov(time[free])).max()
    yield Row(section, "beam after a force has left: largest deflection", np.abs(middle[free]).max(), exact, 1e-2 * exact, "exact, 60 modes", "m")
    off = np.abs(middle - krylov(time)).max() / np.abs(middle).max()
    yield Row(section, "the same: largest error, by the largest deflection", off, 0.0, 5e-3, "exact, 60 modes")


SECTIONS = (rigid_members, bushings, rigid_stops, turning_damping, leaving)
