"""A mass on a spring with dry friction, released from a deflection: half cycles about shifted middles until it sticks."""

import numpy as np
import theirs

MASS, STIFFNESS, FRICTION, GRAVITY, START, STOP = 2.0, 200.0, 0.2, 9.81, 0.5, 5.0

name = "oscillator"
title = "Mass on a spring with dry friction"
times = np.linspace(0.0, STOP, 101)
ours_steps = theirs_steps = (100, 200, 400, 800, 1600, 3200)
outputs = ["points.block.x"], []


def truth():
    omega, shift = np.sqrt(STIFFNESS / MASS), FRICTION * MASS * GRAVITY / STIFFNESS
    half = np.pi / omega
    ends = [START]
    while abs(ends[-1]) > shift:
        ends.append(-np.sign(ends[-1]) * (abs(ends[-1]) - 2 * shift))

    def place(time):
        number = int(time / half)
        if number >= len(ends) - 1:
            return ends[-1]
        middle = np.sign(ends[number]) * shift
        return middle + (ends[number] - middle) * np.cos(omega * (time - number * half))

    return np.array([[place(time)] for time in times]), np.empty((len(times), 0))


def ours(step):
    return f"""
name = "oscillator"
[experiment]
stop_time = {STOP}
communication_step = {float(times[1])!r}
[solver]
step = {step!r}
[points]
wall = [-1.0, 0.0]
left = [-2.0, 0.0]
right = [2.0, 0.0]
block = [{START}, 0.0]
[members.ground]
from = "left"
to = "right"
elements = 1
[supports.ground]
member = "ground"
fix = ["x", "y", "rotation"]
[masses.block]
point = "block"
mass = {MASS}
[springs.spring]
ground = "wall"
to = "block"
direction = "x"
stiffness = {STIFFNESS}
free_length = 1.0
[joints.block]
cylindrical = {{ slider = "block", path = ["ground"] }}
friction.coulomb = {{ coefficient = {FRICTION} }}
[gravity]
y = {-GRAVITY}
[interface]
outputs = {outputs[0]}
"""


def theirs_system():
    """The bristle model of friction, recommended for implicit integrators, with a stiffness of 1e5 N/m."""
    system = theirs.System()
    mbs = system.mbs
    node = mbs.AddNode(theirs.NodePoint2D(referenceCoordinates=[0.0, 0.0], initialCoordinates=[START, 0.0]))
    block = mbs.AddObject(theirs.ObjectMassPoint2D(physicsMass=MASS, nodeNumber=node))
    system.hold(block, 1)
    mbs.AddObject(
        theirs.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=[system.coordinate(), system.coordinate(block, 0)],
            nodeNumber=mbs.AddNode(theirs.NodeGenericData(numberOfDataCoordinates=3, initialCoordinates=[1.0, 0.0, 0.0])),
            stiffness=STIFFNESS,
            dynamicFrictionForce=FRICTION * MASS * GRAVITY,
            stickingStiffness=1e5,
            stickingDamping=2 * np.sqrt(1e5 * MASS),
        )
    )
    system.watch_node(node, (1,))
    return system
