"""Andrews' squeezer: seven bodies in a plane, after the test set for initial value problem solvers (problem `andrews`)."""

import numpy as np

import theirs
from truth import Bodies

STOP = 0.03
TORQUE = 0.033
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
STIFFNESS, FREE = 4530.0, 0.07785
# Of β, Θ, γ, Φ, δ, Ω, ε at t = 0 and, by the test set, at 0.03 s.
START = (
    -0.0617138900142764496358948458001,
    0.0,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609,
    0.487364979543842550225598953530,
    -0.222668390165885884674473185609,
    1.23054744454982119249735015568,
)
END = (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 1.048080741042263)


def turned(angle, x, y):
    return np.array([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])


def rotations(angles):
    """Of the seven bodies, from those of the test set."""
    b, t, g, p, d, o, e = angles
    return np.array([b, b + t, g, p + d, d, o + e, e])


# Places of the joints in the frames of the bodies, from the centres of mass: body -> name -> place.
POINTS = (
    {"O": (-0.00092, 0.0), "F": (0.007 - 0.00092, 0.0)},
    {"F": (0.0115, 0.0), "E": (0.0115 - 0.028, 0.0)},
    {"B": (-0.01043, 0.01874), "E": (-0.01043, 0.01874 - 0.035), "D": (0.02 - 0.01043, 0.01874 - 0.018)},
    {"G": (0.0, 0.02 - 0.01421), "E": (0.0, -0.01421)},
    {"A": (-0.02308, -0.00916), "G": (0.04 - 0.02308, -0.00916)},
    {"H": (-(0.02 - 0.01421), 0.0), "E": (0.01421, 0.0)},
    {"A": (0.00449, 0.01228), "H": (0.00449, 0.01228 - 0.04)},
)
PINS = (
    ((0, "O"), (None, np.zeros(2))),
    ((2, "B"), (None, B)),
    ((4, "A"), (None, A)),
    ((6, "A"), (None, A)),
    ((0, "F"), (1, "F")),
    ((1, "E"), (2, "E")),
    ((1, "E"), (3, "E")),
    ((1, "E"), (5, "E")),
    ((3, "G"), (4, "G")),
    ((5, "H"), (6, "H")),
)
# What is compared: places of these joints, and forces of the ground on the crank and at B.
WATCHED = ((0, "F"), (1, "E"), (2, "D"), (3, "G"), (5, "H"))

name = "andrews"
title = "Andrews' squeezer"
about = "7 rigid bodies, 0.03 s from rest, 31 rad of the crank"
times = np.linspace(0.0, STOP, 61)
ours_steps = theirs_steps = (120, 240, 480, 960, 1920, 3840, 7680)


def start():
    """Centres of mass and rotations."""
    angles = rotations(START)
    o, f = np.zeros(2), turned(angles[0], 0.007, 0.0)
    e = f - turned(angles[1], 0.028, 0.0)
    g, h = A + turned(angles[4], 0.04, 0.0), A - turned(angles[6], 0.0, 0.04)
    known = ("O", o), ("F", f), ("B", B), ("G", g), ("A", A), ("H", h), ("A", A)
    return [(*(place - turned(phi, *POINTS[k][name])), phi) for k, ((name, place), phi) in enumerate(zip(known, angles))], e


def spring(q):
    """Its force on body 3, and where it acts."""
    d = q[6:8] + turned(q[8], *POINTS[2]["D"])
    line = d - C
    length = np.hypot(*line)
    return -STIFFNESS * (length - FREE) / length * line, d


def forces(q, _):
    f = np.zeros(21)
    f[2] = TORQUE
    pull, d = spring(q)
    f[6:8] = pull
    arm = d - q[6:8]
    f[8] = arm[0] * pull[1] - arm[1] * pull[0]
    return f


def truth():
    pins = [((i, POINTS[i][p]), (k, there if k is None else POINTS[k][there])) for (i, p), (k, there) in PINS]
    mechanism = Bodies(MASSES, INERTIAS, pins, forces)
    q, _, _, reactions = mechanism.run(np.ravel(start()[0]), 2, 0.0, times)
    found = q[-1].reshape(7, 3)[:, 2]
    assert np.max(np.abs(found - rotations(END))) < 1e-8, found - rotations(END)
    places = [[mechanism.place(row, body, POINTS[body][name]) for body, name in WATCHED] for row in q]
    return np.array(places).reshape(len(times), -1), reactions[:, :4]


outputs = [f"points.{name}.{axis}" for _, name in WATCHED for axis in "xy"], [f"supports.{name}.f{axis}" for name in "OB" for axis in "xy"]


def ours(step):
    places, e = start()
    points = {"C": C}
    bodies = ""
    for k, (x, y, phi) in enumerate(places):
        points[f"c{k}"] = (x, y)
        points.update({name: np.add((x, y), turned(phi, *at)) for name, at in POINTS[k].items()})
        bodies += f"""
[bodies.K{k + 1}]
rigid = true
mass = {MASSES[k]}
inertia = {INERTIAS[k]}
points = {list(POINTS[k])}
outline = {{ size = 1e-3, edges = [{{ name = "rim", circle = {{ center = "c{k}", radius = 1e-3 }} }}] }}
"""
    listed = "\n".join(f"{name} = [{x!r}, {y!r}]" for name, (x, y) in ((n, map(float, p)) for n, p in points.items()))
    return f"""
name = "andrews"
[experiment]
stop_time = {STOP}
communication_step = {STOP / 60!r}
[solver]
step = {step!r}
[points]
{listed}
{bodies}
[supports.O]
point = "O"
fix = ["x", "y"]
[supports.B]
point = "B"
fix = ["x", "y"]
[supports.A]
point = "A"
fix = ["x", "y"]
[loads.drive]
point = "O"
moment = {TORQUE}
[springs.spring]
to = "D"
ground = "C"
stiffness = {STIFFNESS}
free_length = {FREE}
[interface]
outputs = {outputs[0] + outputs[1]}
"""


def theirs_system():
    system = theirs.System()
    bodies = [system.body(place, m, j) for place, m, j in zip(start()[0], MASSES, INERTIAS)]
    joints = [system.pin(bodies[i], POINTS[i][p], None if k is None else bodies[k], there if k is None else POINTS[k][there]) for (i, p), (k, there) in PINS]
    mbs = system.mbs
    drive = system.marker(bodies[0], (0.0, 0.0))
    mbs.AddLoad(theirs.LoadTorqueVector(markerNumber=drive, loadVector=[0.0, 0.0, TORQUE]))
    ends = [system.marker(None, C), system.marker(bodies[2], POINTS[2]["D"])]
    mbs.AddObject(theirs.ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=STIFFNESS, referenceLength=FREE))
    for body, name in WATCHED:
        system.watch_point(bodies[body], POINTS[body][name])
    for joint in joints[:2]:
        system.watch_force(joint)
    return system
