"""Closed forms of what engineers connect: springs, couplings, bearings, sections of beams, loads in sections.

Rows of the table of problems.py: each model is written here, packed, and co-simulated through FMPy.
"""

import math

import numpy as np

import harness
from row import Row


def ends(text, name, stop, step=1e-2, **start_values):
    """Outputs at the end of a run."""
    result = harness.simulate(harness.pack(text, name), stop=stop, step=step, start_values=start_values)
    return {output: float(result[output][-1]) for output in result.dtype.names}


def crossings(times, values):
    """Instants at which values rise through 0, by straight lines."""
    up = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    return times[up] - values[up] * (times[up + 1] - times[up]) / (values[up + 1] - values[up])


MASS = """
name = "NAME"
[solver]
step = 1e-3
[points]
mass = [1.0, 0.0]
foot = [0.0, 0.0]
[masses]
mass = { point = "mass", mass = 2.0 }
[supports]
guide = { point = "mass", fix = ["y"] }
[springs.s]
ground = "foot"
to = "mass"
direction = "x"
SPRING
START
[interface]
outputs = ["points.mass.x", "points.mass.vx", "springs.*", "energy.*"]
"""


def springs():
    section = "Springs and dampers"

    def mass(name, spring, start="[initial.points.mass]\nvx = 0.5"):
        return MASS.replace("NAME", name).replace("SPRING", spring).replace("START", start)

    # k = 800 N/m, c = 1.6 N·s/m, m = 2 kg: ω = 20 rad/s, ζ = 0.02.
    text = mass("oscillator", "stiffness = 800.0\ndamping = 1.6")
    result = harness.simulate(harness.pack(text, "oscillator"), stop=4.0, step=1e-3)
    place = result["points.mass.x"] - 1.0
    zeta = 1.6 / (2.0 * math.sqrt(800.0 * 2.0))
    period = 2.0 * math.pi / (20.0 * math.sqrt(1.0 - zeta**2))
    seen = np.mean(np.diff(crossings(result["time"], place)))
    yield Row(section, "oscillator: period", seen, period, 1e-4 * period, "exact", "s")
    starts = [np.argmin(np.abs(result["time"] - k * period)) for k in range(12)]
    peaks = [place[a:b].max() for a, b in zip(starts, starts[1:])]
    decrement = np.mean(np.log(np.array(peaks[:-1]) / peaks[1:]))
    exact = 2.0 * math.pi * zeta / math.sqrt(1.0 - zeta**2)
    yield Row(section, "oscillator: logarithmic decrement", decrement, exact, 2e-3 * exact, "exact")

    # Free between 0.95 and 1.05 m, elastic stops of 5000 N/m: flights of 0.1 m and half waves in the stops.
    text = mass("gap", "stop = { least = 0.95, most = 1.05, stiffness = 5000.0 }").replace("step = 1e-3", "step = 2e-4")
    result = harness.simulate(harness.pack(text, "gap"), stop=4.0, step=1e-3)
    exact = 4.0 * 0.05 / 0.5 + 2.0 * math.pi * math.sqrt(2.0 / 5000.0)
    seen = np.mean(np.diff(crossings(result["time"], result["points.mass.x"] - 1.0)))
    yield Row(section, "two stops with a gap: period", seen, exact, 2e-4 * exact, "exact", "s")
    deepest = result["points.mass.x"].max() - 1.05
    exact = 0.5 * math.sqrt(2.0 / 5000.0)
    yield Row(section, "two stops with a gap: penetration of a stop", deepest, exact, 2e-3 * exact, "exact", "m")

    # A preload of 30 N pulls against a load of 20 N: the spring of 800 N/m gives way by 10/800 m, to and fro.
    text = mass("preload", "stiffness = 800.0\npreload = -30.0", '[loads.push]\npoint = "mass"\nfx = -20.0')
    result = harness.simulate(harness.pack(text, "preload"), stop=1.0, step=1e-3)
    yield Row(section, "preload against a load: first force", result["springs.s.force"][0], -30.0, 1e-9, "exact", "N")
    swing = result["points.mass.x"].max() - 1.0
    yield Row(section, "preload against a load: swing", swing, 2.0 * 10.0 / 800.0, 2e-5, "exact", "m")

    # Jenkins' element, driven by 10 mm to and fro: loops of 4 F (A − F/k).
    text = mass("jenkins", "friction = { force = 12.0, stiffness = 4000.0 }", "").replace(
        "[interface]",
        '[motions.m]\npoint = "mass"\ndirection = "x"\namplitude = 0.01\nhistory.sine = { frequency = 1.0 }\n[interface]',
    )
    result = harness.simulate(harness.pack(text, "jenkins"), stop=3.0, step=1e-2)
    lost = result["springs.s.dissipated_energy"]
    exact = 4.0 * 12.0 * (0.01 - 12.0 / 4000.0)
    yield Row(section, "slip element: loss of a cycle", (lost[-1] - lost[100]) / 2.0, exact, 1e-4 * exact, "exact", "J")

    # A damper alone: v = v0 e^(−c t/m), way m v0/c.
    seen = ends(mass("damper", "damping = 4.0"), "damper", 1.0)
    exact = 0.5 * math.exp(-2.0)
    yield Row(section, "damper alone: speed after 1 s", seen["points.mass.vx"], exact, 1e-5, "exact", "m/s")
    exact = 0.5 * 2.0 * 0.25 * (1.0 - math.exp(-4.0))
    yield Row(section, "damper alone: dissipated energy", seen["springs.s.dissipated_energy"], exact, 1e-4 * exact, "exact", "J")


GEARS = """
name = "gears"
[solver]
step = 1e-3
[points]
pinion = [0.0, 0.0]
wheel = [0.35, 0.0]
rack = [1.0, 0.0]
[masses]
pinion = { point = "pinion", mass = 1.0, rotary_inertia = 0.02 }
wheel = { point = "wheel", mass = 4.0, rotary_inertia = 0.3 }
rack = { point = "rack", mass = 5.0 }
[supports]
pinion = { point = "pinion", fix = ["x", "y"] }
wheel = { point = "wheel", fix = ["x", "y"] }
rack = { point = "rack", fix = ["y"] }
[couplings]
gears = { driven = { to = "wheel" }, drivers = [{ to = "pinion", ratio = -0.4 }] }
rack = { driven = { to = "rack", direction = "x" }, drivers = [{ to = "wheel", ratio = 0.2 }] }
[loads]
motor = { point = "pinion", moment = 1.5 }
[probes]
pinion = { rotation = { point = "pinion" } }
[interface]
outputs = ["points.rack.x", "probes.*", "couplings.*", "energy.*"]
"""

DRIVEN = """
name = "driven_arm"
[solver]
step = 5e-4
[points]
hinge = [0.0, 0.0]
tip = [0.5, 0.0]
[masses]
hinge = { point = "hinge", mass = 0.0, rotary_inertia = 0.1 }
arm = { point = "tip", mass = 2.0 }
[materials]
stiff = { young_modulus = 2e11, poisson_ratio = 0.3, density = 0.0 }
[sections]
bar = { rectangle = { height = 0.05, width = 0.05 } }
[members]
arm = { from = "hinge", to = "tip", elements = 1, material = "stiff", section = "bar" }
[supports]
hinge = { point = "hinge", fix = ["x", "y"] }
[couplings]
motor = { driven = { to = "hinge" } }
[motions]
motor = { coupling = "motor", amplitude = 0.6, history.ramp = { duration = 1.0 } }
[gravity]
y = -9.81
[initial]
equilibrium = true
[interface]
outputs = ["couplings.*", "motions.*", "energy.*"]
"""


def couplings():
    section = "Gears, racks and drives"
    seen = ends(GEARS, "gears", 1.0)
    # Reduced to the pinion: J = J1 + i² (J2 + m r²).
    ratio, radius = -0.4, 0.2
    inertia = 0.02 + ratio**2 * (0.3 + 5.0 * radius**2)
    acceleration = 1.5 / inertia
    angle = 0.5 * acceleration
    yield Row(section, "gears and rack: angle of the pinion after 1 s", seen["probes.pinion"], angle, 1e-8 * angle, "exact", "rad")
    way = ratio * radius * angle
    yield Row(section, "gears and rack: travel of the rack", seen["points.rack.x"] - 1.0, way, 1e-8 * abs(way), "exact", "m")
    force = 5.0 * ratio * radius * acceleration
    yield Row(section, "gears and rack: force on the rack", seen["couplings.rack.force"], force, 1e-6 * abs(force), "exact", "N")
    moment = (0.3 + 5.0 * radius**2) * ratio * acceleration
    yield Row(section, "gears and rack: moment on the wheel", seen["couplings.gears.moment"], moment, 1e-6 * abs(moment), "exact", "N·m")
    energy = 0.5 * inertia * acceleration**2
    yield Row(section, "gears and rack: kinetic energy", seen["energy.kinetic"], energy, 1e-8 * energy, "exact", "J")
    # A stiff arm that is lifted by 0.6 rad: m g l cos φ + J φ̈ at rest at the end, and the work of the motor m g l sin φ.
    result = harness.simulate(harness.pack(DRIVEN, "driven_arm"), stop=1.5, step=1e-2)
    weight = 2.0 * 9.81 * 0.5
    exact = weight * math.cos(0.6)
    yield Row(section, "driven arm: moment of the motor at rest", np.mean(result["couplings.motor.moment"][-30:]), exact, 1e-3 * exact, "exact", "N·m")
    exact = weight * math.sin(0.6)
    yield Row(section, "driven arm: work of the motor", result["energy.input_work"][-1], exact, 1e-3 * exact, "exact", "J")
    # In the middle of the ramp φ̈ = 0 and φ̇ is largest: 0.3 rad, 1.875 · 0.6 rad/s.
    yield Row(section, "driven arm: rate in the middle", result["couplings.motor.rate"][50], 1.875 * 0.6, 1e-6, "exact", "rad/s")


DISC = """
name = "disc"
[solver]
step = 1e-3
[points]
axle = [0.0, 0.0]
a = [-0.1, -0.1]
b = [0.1, -0.1]
c = [0.1, 0.1]
d = [-0.1, 0.1]
[bodies.disc]
rigid = true
mass = 2.0
inertia = 0.05
points = ["axle"]
[bodies.disc.patch]
cells = [1, 1]
edges = [{ name = "s", from = "a", to = "b" }, { name = "e", from = "b", to = "c" }, { name = "n", from = "c", to = "d" }, { name = "w", from = "d", to = "a" }]
[supports]
axle = { point = "axle", fix = ["x", "y"] }
[joints]
bearing = { hinge = { point = "axle", release = ["disc"], radius = 0.02 }, friction.coulomb = { coefficient = 0.3 } }
[gravity]
y = -9.81
[initial.points.axle]
rotation_rate = 5.0
[probes]
disc = { rotation = { point = "axle" } }
[interface]
outputs = ["joints.*", "probes.*", "energy.*"]
"""


ROTOR = """
name = "rotor"
[solver]
step = 1e-3
[points]
root = [0.0, -0.5]
axle = [0.0, 0.0]
a = [-0.3, 0.0]
b = [0.3, 0.0]
[materials]
stiff = { young_modulus = 2e11, poisson_ratio = 0.3, density = 2000.0 }
light = { young_modulus = 2e11, poisson_ratio = 0.3, density = 0.0 }
[sections]
arm = { properties = { area = 1e-3, second_moment = 1e-6 } }
[members]
left = { from = "axle", to = "a", elements = 1, material = "stiff", section = "arm" }
right = { from = "axle", to = "b", elements = 1, material = "stiff", section = "arm" }
post = { from = "root", to = "axle", elements = 1, material = "light", section = "arm" }
[supports]
root = { point = "root", fix = ["x", "y", "rotation"] }
[joints]
bearing = { hinge = { point = "axle", release = ["post"], radius = 0.02 }, friction.coulomb = { coefficient = 0.3 } }
[gravity]
y = -9.81
[initial]
velocities = "rigid_mechanism"
[initial.points.a]
rotation_rate = 5.0
[interface]
outputs = ["joints.*", "members.*"]
"""


def bearings():
    section = "Friction of a bearing"
    result = harness.simulate(harness.pack(DISC, "disc_on_bearing"), stop=3.0, step=1e-3)
    brake = 0.3 * 0.02 * 2.0 * 9.81
    stops = result["time"][np.argmax(result["joints.bearing.sticking"] > 0.5)]
    exact = 5.0 * 0.05 / brake
    yield Row(section, "disc: comes to rest after", stops, exact, 2e-3, "exact", "s")
    exact = 0.5 * 25.0 * 0.05 / brake
    yield Row(section, "disc: angle", result["probes.disc"][-1], exact, 1e-6 * exact, "exact", "rad")
    lost = result["joints.bearing.dissipated_energy"][-1]
    yield Row(section, "disc: dissipated energy", lost, 0.625, 1e-6, "exact", "J")
    yield Row(section, "disc: force in the bearing", result["joints.bearing.normal_force"][-1], 2.0 * 9.81, 1e-6, "exact", "N")
    # Two elastic arms of 0.6 kg and 0.3 m on an elastic post.
    result = harness.simulate(harness.pack(ROTOR, "rotor_on_post"), stop=3.0, step=1e-3)
    brake, about = 0.3 * 0.02 * 1.2 * 9.81, 1.2 * 0.3**2 / 3.0
    exact = -0.02 * 0.5 * 25.0 * about / brake
    yield Row(section, "elastic rotor on an elastic post: slipped", result["joints.bearing.position"][-1], exact, -1e-4 * exact, "exact", "m")
    exact = 0.5 * about * 25.0
    lost = result["joints.bearing.dissipated_energy"][-1]
    yield Row(section, "elastic rotor on an elastic post: dissipated energy", lost, exact, 2e-4 * exact, "exact", "J")
    pressed = result["members.post.to.fy"][-1]
    yield Row(section, "elastic rotor on an elastic post: force on the post", pressed, -1.2 * 9.81, 1e-3, "exact", "N")


BEAM = """
name = "beam"
[solver]
analysis = "quasi_static"
step = 0.1
[points]
a = [0.0, 0.0]
b = [4.0, 0.0]
[materials]
steel = { young_modulus = 2e11, poisson_ratio = 0.3, density = 7850.0 }
[sections]
bar = { rectangle = { height = 0.1, width = 0.05 } }
[members.beam]
from = "a"
to = "b"
elements = 12
material = "steel"
section = "bar"
SUPPORTS
LOADS
[probes]
middle = { section = { member = "beam", at = 2.0 } }
quarter = { section = { member = "beam", at = 1.0 } }
sag = { chord = { member = "beam", at = 2.0 } }
[interface]
outputs = ["probes.*", "members.*", "points.*"]
"""


def beams():
    section = "Section forces of beams"
    length, stiffness = 4.0, 2e11 * 0.05 * 0.1**3 / 12.0
    modulus, shear = 0.05 * 0.1**2 / 6.0, 2e11 / 2.6 * 5e-3
    hold = '[supports.{0}]\npoint = "{0}"\nfix = [{1}]\n'
    hinge, roller = hold.format("a", '"x", "y"'), hold.format("b", '"y"')
    clamp, clamp_b = hold.format("a", '"x", "y", "rotation"'), hold.format("b", '"y", "rotation"')

    def beam(name, supports, loads):
        text = BEAM.replace('name = "beam"', f'name = "{name}"', 1).replace("SUPPORTS", supports).replace("LOADS", loads)
        return ends(text, name, 0.1, 0.1)

    # Loads are small, so that the theory of small deflections holds to 1e-5.
    q = 100.0
    uniform = f'[loads.q]\nmember = "beam"\nqy = -{q}\n'
    seen = beam("simple_beam", hinge + roller, uniform)
    for what, output, exact, share, unit in (
        ("moment in the middle", "probes.middle.moment", q * length**2 / 8, 1e-4, "N·m"),
        ("moment at a quarter", "probes.quarter.moment", 3 * q * length**2 / 32, 1e-4, "N·m"),
        ("shear at a quarter", "probes.quarter.shear", -q * length / 4, 1e-4, "N"),
        ("largest shear", "members.beam.largest_shear", q * length / 2, 1e-4, "N"),
        ("reaction", "members.beam.from.fy", q * length / 2, 1e-8, "N"),
        ("fibre stress", "probes.middle.stress", q * length**2 / 8 / modulus, 1e-4, "Pa"),
        ("deflection", "probes.sag", -5 * q * length**4 / (384 * stiffness) - q * length**2 / 8 / shear, 1e-3, "m"),
    ):
        yield Row(section, f"uniform load, two supports: {what}", seen[output], exact, share * abs(exact), "exact", unit)
    seen = beam("clamped_beam", clamp + clamp_b, uniform)
    for what, output, exact in (
        ("moment at the clamp", "members.beam.from.moment", q * length**2 / 12),
        ("moment in the middle", "probes.middle.moment", q * length**2 / 24),
    ):
        yield Row(section, f"uniform load, two clamps: {what}", seen[output], exact, 1e-3 * abs(exact), "exact", "N·m")
    seen = beam("propped_beam", clamp + roller, uniform)
    for what, output, exact, unit in (
        ("reaction of the roller", "members.beam.to.fy", 3 * q * length / 8, "N"),
        ("moment at the clamp", "members.beam.from.moment", q * length**2 / 8, "N·m"),
    ):
        yield Row(section, f"uniform load, clamp and roller: {what}", seen[output], exact, 3e-3 * abs(exact), "exact", unit)
    triangle = f'[loads.q]\nmember = "beam"\nqy = -{q}\nvariation = [0.0, 1.0]\n'
    seen = beam("triangle_beam", hinge + roller, triangle)
    for what, output, exact, share, unit in (
        ("reaction at its low end", "members.beam.from.fy", q * length / 6, 1e-8, "N"),
        ("reaction at its high end", "members.beam.to.fy", q * length / 3, 1e-8, "N"),
        ("largest moment", "members.beam.largest_moment", q * length**2 / (9 * math.sqrt(3)), 2e-3, "N·m"),
    ):
        yield Row(section, f"triangle load, two supports: {what}", seen[output], exact, share * abs(exact), "exact", unit)
    # A force and a moment in sections, each where a node is, and one where none is.
    seen = beam("force_in_section", hinge + roller, '[loads.p]\nmember = "beam"\nat = 1.0\nfy = -40.0\n')
    yield Row(section, "force at a quarter: reaction near it", seen["members.beam.from.fy"], 30.0, 1e-7, "exact", "N")
    yield Row(section, "force at a quarter: largest moment", seen["members.beam.largest_moment"], 30.0, 3e-2, "exact", "N·m")
    seen = beam("moment_in_section", hinge + roller, '[loads.p]\nmember = "beam"\nat = 1.4\nmoment = 10.0\n')
    yield Row(section, "moment at 1.4 m: reaction", seen["members.beam.from.fy"], 10.0 / length, 1e-6, "exact", "N")
    seen = beam("cantilever_moment", clamp, '[loads.p]\nmember = "beam"\nat = 2.0\nmoment = 10.0\n')
    exact = 10.0 * 2.0 / stiffness
    yield Row(section, "cantilever, moment in its middle: rotation of the tip", seen["points.b.rotation"], exact, 1e-6 * exact, "exact", "rad")


ROD = """
name = "rod"
[solver]
step = 2e-3
[points]
a = [0.0, 0.0]
b = [2.0, 0.0]
[materials]
steel = { young_modulus = 2e11, poisson_ratio = 0.3, density = 7850.0 }
[sections]
bar = { rectangle = { height = 0.2, width = 0.1 } }
[members]
rod = { from = "a", to = "b", elements = 4, material = "steel", section = "bar" }
[supports.a]
point = "a"
fix = ["x", "y"]
REST
[probes]
root = { section = { member = "rod", at = 0.0 } }
[interface]
outputs = ["probes.*", "members.*", "points.b.*", "mechanism.*", "energy.*"]
"""


def rods():
    section = "Rotating rod"
    density, inertia = 7850.0 * 0.02, 7850.0 * 0.02 * 8.0 / 3.0
    # 40 N at 1.5 m that stay normal to the rod and 3 N·m, both after a ramp of 50 ms.
    thruster = '[loads.jet]\nmember = "rod"\nat = 1.5\nnormal = 40.0\nmoment = 3.0\nhistory.ramp = { duration = 0.05 }\n'
    seen = ends(ROD.replace("REST", thruster), "driven_rod", 4.0)
    exact = 63.0 * 3.975 / inertia
    yield Row(section, "follower force: rate after 4 s", seen["points.b.rotation_rate"], exact, 1e-4 * exact, "exact", "rad/s")
    momentum = inertia * exact
    yield Row(section, "follower force: angular momentum", seen["mechanism.angular_momentum"], momentum, 1e-4 * momentum, "exact", "kg·m²/s")
    # At a constant rate: N = ρ A ω² L²/2 at its root, which the hinge holds.
    turning = '[motions.turn]\npoint = "a"\ndirection = "rotation"\nrate = 10.0\n[initial]\nvelocities = "rigid_mechanism"\n'
    result = harness.simulate(harness.pack(ROD.replace("REST", turning), "turning_rod"), stop=1.0, step=1e-3)
    exact = density * 100.0 * 2.0
    pull = np.mean(np.hypot(result["members.rod.from.fx"], result["members.rod.from.fy"])[500:])
    yield Row(section, "constant rate: force of the hinge", pull, exact, 1e-3 * exact, "exact", "N")
    centre = np.hypot(result["members.rod.centre_x"], result["members.rod.centre_y"])[-1]
    yield Row(section, "constant rate: centre of mass from the hinge", centre, 1.0, 1e-4, "exact", "m")


SECTIONS = (springs, couplings, bearings, beams, rods)
