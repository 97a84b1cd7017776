"""The bundled quick return: an elastic arm, on which the crank's pin slides, and friction at the guide."""

import time

import numpy as np

import bundled
import theirs

ARM, CRANK, LINK, PIVOT, GUIDE = 1.0, 0.2, 0.25, 0.5, 1.05
MODULUS, DENSITY, HEIGHT = 47.04e9, 1724.82, 0.0598
PIN, RAM, RATE, STOP = 0.31, 2.5, 5 * np.pi, 0.4
STATIC, KINETIC, DECAY = 0.35, 0.30, 0.10
# Exudyn's friction is a line below this velocity of the ram (m/s), as a joint that sticks is not among its joints.
ZONE = 1e-3

name = "quick_return"
title = "Quick return with friction"
about = (
    f"the bundled model with rigid crank and link and an arm without shear, like the cable elements of Exudyn; one cycle of {STOP:g} s. "
    f"Exudyn has no joint friction by the normal force: a Python function computes it, a straight line below {1e3 * ZONE:g} mm/s; its time is not counted"
)
times = np.linspace(0.0, STOP, 201)
ours_steps, theirs_steps = (400, 800, 1600, 3200), (800, 1600, 3200, 6400)
reference_steps = 12800
outputs = ["points.A.x", "points.A.y", "points.N.x"], ["supports.R.fx", "supports.R.fy", "motions.crank.reaction"]
ours_mesh = theirs_mesh = (6, 12)


def truth():
    return None


def ours(step, elements=ours_mesh[0]):
    text = bundled.until("[probes", "quick_return", step, times)
    text = text.replace("elements = 10\n", f"elements = {elements}\n")
    # The arm does not shear, as that of Exudyn's cable elements cannot.
    text = text.replace("shear_modulus = 23.52e9\n", "shear_modulus = 23.52e11\n")
    # Crank and link are rigid, with the mass of their sections.
    text = text.replace('elements = 2\norder = 3\nmaterial = "stiff"\n', 'rigid = true\nmaterial = "stiff"\n')
    return f"{text}\n[interface]\noutputs = {outputs[0] + outputs[1]}\n"


class Friction:
    """Force of the guide on the ram, by the force across the guide of the present iterate; counts the time in here, which is Python's."""

    def __init__(self, guide):
        self.guide, self.taken = guide, 0.0

    def __call__(self, mbs, t, item, u, v, *_):
        begun = time.thread_time()
        normal = abs(mbs.GetObjectOutput(self.guide, theirs.Output.Force))
        speed = abs(v)
        coefficient = KINETIC + (STATIC - KINETIC) * np.exp(-speed / DECAY)
        force = coefficient * normal * max(-1.0, min(1.0, v / ZONE))
        self.taken += time.thread_time() - begun
        return force


def theirs_system(elements=theirs_mesh[0]):
    system = theirs.System()
    mbs = system.mbs
    line = DENSITY * HEIGHT**2
    lean = CRANK / PIVOT
    across = float(np.sqrt(1 - lean**2))
    s = np.array([CRANK * across, PIVOT - CRANK * lean])
    tip = ARM * np.array([lean, across])
    n = np.array([tip[0] - np.sqrt(LINK**2 - (GUIDE - tip[1]) ** 2), GUIDE])
    arm_nodes, arm = system.cables((0.0, 0.0), tip, elements, MODULUS, DENSITY, HEIGHT)
    system.join(system.marker(None, (0.0, 0.0)), system.node_marker(arm_nodes[0]))
    # Crank with the pin's mass at its end.
    bar = line * CRANK
    mass = bar + PIN
    centre = (bar * CRANK / 2 + PIN * CRANK) / mass
    inertia = bar * CRANK**2 / 3 + PIN * CRANK**2 - mass * centre**2
    angle = float(np.arctan2(s[1] - PIVOT, s[0]))
    along = np.array([np.cos(angle), np.sin(angle)])
    velocity = (*(RATE * centre * np.array([-along[1], along[0]])), RATE)
    crank = system.body((*(centre * along + [0.0, PIVOT]), angle), mass, inertia, velocity)
    bearing = system.pin(crank, (-centre, 0.0), None, (0.0, PIVOT))
    drive = system.hold(crank, 2, rate=RATE)
    # The pin on the arm.
    length = ARM / elements
    markers = [mbs.AddMarker(theirs.MarkerBodyCable2DCoordinates(bodyNumber=body)) for body in arm]
    at = float(s @ tip)
    first = min(int(at / length), elements - 1)
    node = mbs.AddNode(theirs.NodeGenericData(initialCoordinates=[first, at], numberOfDataCoordinates=2))
    mbs.AddObject(
        theirs.ObjectJointSliding2D(
            markerNumbers=[system.marker(crank, (CRANK - centre, 0.0)), markers[first]],
            slidingMarkerNumbers=markers,
            slidingMarkerOffsets=[k * length for k in range(elements)],
            nodeNumber=node,
            useClassicalFormulation=False,
        )
    )
    # The link, and the ram on its guide.
    bar, middle = line * LINK, (n + tip) / 2
    link = system.body((*middle, float(np.arctan2(*(tip - n)[::-1]))), bar, bar * LINK**2 / 12)
    system.join(system.marker(link, (LINK / 2, 0.0)), system.node_marker(arm_nodes[-1]))
    ram_node = mbs.AddNode(theirs.NodePoint2D(referenceCoordinates=list(n)))
    ram = mbs.AddObject(theirs.ObjectMassPoint2D(physicsMass=RAM, nodeNumber=ram_node))
    system.join(system.node_marker(ram_node), system.marker(link, (-LINK / 2, 0.0)))
    guide = system.hold(ram, 1)
    system.python = Friction(guide)
    ends = [system.coordinate(), system.coordinate(ram, 0)]
    mbs.AddObject(theirs.ObjectConnectorCoordinateSpringDamper(markerNumbers=ends, springForceUserFunction=system.python))
    system.watch_node(arm_nodes[-1])
    system.watch_node(ram_node, (1,))
    system.watch_force(bearing)
    system.watch_hold(drive)
    return system
