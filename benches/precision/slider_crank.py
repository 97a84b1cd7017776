"""Rigid slider-cranks over 20 turns: at a constant rate, where positions are exact, and free with a flywheel and a spring."""

import numpy as np

import theirs
from truth import Bodies

CRANK, ROD, TURNS = 0.1, 0.3, 20
MASSES, INERTIAS = (0.5, 0.5, 1.0), (0.5 * CRANK**2 / 12, 0.5 * ROD**2 / 12, 1.0)
# Start: the crank stands upright.
SLIDE = float(np.sqrt(ROD**2 - CRANK**2))
PLACES = ((0.0, CRANK / 2, np.pi / 2), (SLIDE / 2, CRANK / 2, -float(np.arcsin(CRANK / ROD))), (SLIDE, 0.0, 0.0))
PINS = (
    ((0, (-CRANK / 2, 0.0)), (None, (0.0, 0.0))),
    ((0, (CRANK / 2, 0.0)), (1, (-ROD / 2, 0.0))),
    ((1, (ROD / 2, 0.0)), (2, (0.0, 0.0))),
)
FLYWHEEL, STIFFNESS, FREE, GRAVITY = 0.05, 2000.0, 0.3, 9.81


class SliderCrank:
    """`free`: with a flywheel on the crank, gravity, and a spring between wall and slider; else the crank has a constant rate."""

    def __init__(self, name, title, about, rate, free, steps):
        self.name, self.title, self.about, self.rate, self.free = name, title, about, rate, free
        # 30 communication steps per turn of the constant rate.
        self.times = np.linspace(0.0, TURNS / (rate / (2 * np.pi)), 30 * TURNS + 1)
        self.ours_steps = self.theirs_steps = steps
        force = ["supports.o.fx", "supports.o.fy"] if free else ["motions.drive.reaction"]
        self.outputs = ["points.a.x", "points.a.y", "points.b.x"], [*force, "supports.guide.fy"]
        self.inertias = np.array(INERTIAS) + [FLYWHEEL if free else 0.0, 0.0, 0.0]

    def mechanism(self):
        def forces(q, _):
            f = np.zeros(9)
            if self.free:
                f[[1, 4, 7]] = -GRAVITY * np.array(MASSES)
                f[6] = -STIFFNESS * (q[6] - FREE)
            return f

        return Bodies(MASSES, self.inertias, PINS, forces, (2,))

    def truth(self):
        run = Bodies.run if self.free else Bodies.driven
        q, _, _, reactions = run(self.mechanism(), np.ravel(PLACES), 2, self.rate, self.times)
        force = reactions[:, :2] if self.free else reactions[:, -1:]
        return np.hstack([2 * q[:, :2], q[:, 6:7]]), np.hstack([force, reactions[:, 6:7]])

    def ours(self, step):
        motion = '[motions.drive]\npoint = "o"\ndirection = "rotation"\nrate = %r\n' % self.rate
        free = f"""
[masses.flywheel]
point = "o"
mass = 0.0
rotary_inertia = {FLYWHEEL}
[springs.spring]
ground = "wall"
to = "b"
direction = "x"
stiffness = {STIFFNESS}
free_length = {1.0 + FREE}
[gravity]
y = {-GRAVITY}
[initial.points.o]
rotation_rate = {self.rate!r}
"""
        return f"""
name = "{self.name}"
[experiment]
stop_time = {float(self.times[-1])!r}
communication_step = {float(self.times[1])!r}
[solver]
step = {step!r}
[points]
o = [0.0, 0.0]
a = [0.0, {CRANK}]
b = [{SLIDE!r}, 0.0]
wall = [-1.0, 0.0]
left = [-1.0, 0.0]
right = [1.0, 0.0]
[members.crank]
from = "o"
to = "a"
rigid = true
mass = {MASSES[0]}
inertia = {INERTIAS[0]!r}
[members.rod]
from = "a"
to = "b"
rigid = true
mass = {MASSES[1]}
inertia = {INERTIAS[1]!r}
[members.guide]
from = "left"
to = "right"
elements = 1
[masses.slider]
point = "b"
mass = {MASSES[2]}
[supports.o]
point = "o"
fix = ["x", "y"]
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[joints.a]
hinge = {{ point = "a" }}
[joints.b]
cylindrical = {{ slider = "b", path = ["guide"] }}
[initial]
velocities = "rigid_mechanism"
{free if self.free else motion}
[interface]
outputs = {self.outputs[0] + self.outputs[1]}
"""

    def theirs_system(self):
        q = np.ravel(PLACES)
        v = self.mechanism().state(q, 2, q[2], self.rate)[1].reshape(3, 3)
        system = theirs.System()
        gravity = GRAVITY if self.free else 0.0
        bodies = [system.body(*at, gravity=gravity) for at in zip(PLACES, MASSES, self.inertias, v)]
        joints = [system.pin(bodies[i], p, None if k is None else bodies[k], there) for (i, p), (k, there) in PINS]
        guide = system.hold(bodies[2], 1)
        system.hold(bodies[2], 2)
        system.watch_point(bodies[0], (CRANK / 2, 0.0))
        system.watch_point(bodies[2], (0.0, 0.0), (1,))
        if self.free:
            markers = [system.coordinate(), system.coordinate(bodies[2], 0)]
            system.mbs.AddObject(theirs.ObjectConnectorCoordinateSpringDamper(markerNumbers=markers, stiffness=STIFFNESS, offset=FREE - SLIDE))
            system.watch_force(joints[0])
        else:
            system.watch_hold(system.hold(bodies[0], 2, rate=self.rate))
        system.watch_hold(guide)
        return system
