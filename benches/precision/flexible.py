"""A slider-crank with an elastic rod, which a constant torque accelerates from rest at a dead centre, where it strikes nothing."""

import numpy as np

import theirs

CRANK, ROD, HEIGHT, MODULUS, DENSITY = 0.1, 0.3, 0.006, 210e9, 7850.0
MASS, SLIDER, FLYWHEEL, TORQUE, STOP = 0.5, 0.5, 0.02, 5.0, 0.4
INERTIA = MASS * CRANK**2 / 12
SLIDE = CRANK + ROD
# Stress per strain rate by Young's modulus, s: 1 % of critical damping at 160 Hz.
DAMPING = 2e-5

name = "flexible"
title = "Flexible slider-crank"
about = f"steel rod of {1e3 * HEIGHT:g} mm, from rest under a constant torque, {STOP:g} s"
times = np.linspace(0.0, STOP, 201)
ours_steps = theirs_steps = (400, 800, 1600, 3200)
reference_steps = 12800
outputs = ["points.a.x", "points.a.y", "points.m.x", "points.m.y", "points.b.x"], ["supports.o.fx", "supports.o.fy", "supports.guide.fy"]
# Elements of the rod: in the comparison, and in the references.
ours_mesh = theirs_mesh = (4, 8)


def truth():
    return None


def ours(step, elements=ours_mesh[0]):
    return f"""
name = "flexible"
[experiment]
stop_time = {STOP}
communication_step = {float(times[1])!r}
[solver]
step = {step!r}
[points]
o = [0.0, 0.0]
a = [{CRANK}, 0.0]
m = [{CRANK + ROD / 2!r}, 0.0]
b = [{SLIDE!r}, 0.0]
left = [-1.0, 0.0]
right = [1.0, 0.0]
[materials.steel]
young_modulus = {MODULUS}
poisson_ratio = 0.3
density = {DENSITY}
[sections.rod]
rectangle = {{ height = {HEIGHT}, width = {HEIGHT} }}
[members.crank]
from = "o"
to = "a"
rigid = true
mass = {MASS}
inertia = {INERTIA!r}
[members.one]
from = "a"
to = "m"
elements = {elements // 2}
material = "steel"
section = "rod"
[members.two]
from = "m"
to = "b"
elements = {elements // 2}
material = "steel"
section = "rod"
[damping.rod]
members = ["one", "two"]
stiffness_coefficient = {DAMPING}
[members.guide]
from = "left"
to = "right"
elements = 1
[masses.flywheel]
point = "o"
mass = 0.0
rotary_inertia = {FLYWHEEL}
[masses.slider]
point = "b"
mass = {SLIDER}
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
[loads.drive]
point = "o"
moment = {TORQUE}
[interface]
outputs = {outputs[0] + outputs[1]}
"""


def theirs_system(elements=theirs_mesh[0]):
    system = theirs.System()
    mbs = system.mbs
    crank = system.body((CRANK / 2, 0.0, 0.0), MASS, INERTIA + FLYWHEEL)
    ground = system.pin(crank, (-CRANK / 2, 0.0), None, (0.0, 0.0))
    nodes = system.cables((CRANK, 0.0), (SLIDE, 0.0), elements, MODULUS, DENSITY, HEIGHT, DAMPING)[0]
    system.join(system.marker(crank, (CRANK / 2, 0.0)), system.node_marker(nodes[0]))
    slider = mbs.AddNode(theirs.NodePoint2D(referenceCoordinates=[SLIDE, 0.0]))
    mass = mbs.AddObject(theirs.ObjectMassPoint2D(physicsMass=SLIDER, nodeNumber=slider))
    system.join(system.node_marker(slider), system.node_marker(nodes[-1]))
    guide = system.hold(mass, 1)
    mbs.AddLoad(theirs.LoadTorqueVector(markerNumber=system.marker(crank, (0.0, 0.0)), loadVector=[0.0, 0.0, TORQUE]))
    system.watch_point(crank, (CRANK / 2, 0.0))
    system.watch_node(nodes[elements // 2])
    system.watch_node(slider, (1,))
    system.watch_force(ground)
    system.watch_hold(guide)
    return system
