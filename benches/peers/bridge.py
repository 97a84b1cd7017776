"""The bundled bridge of two spans, which a mass crosses at 100 km/h: an elastic beam without shear, and a mass that slides on it."""

import numpy as np

import bundled
import theirs

SPAN, HEIGHT, WIDTH, MODULUS, DENSITY = 25.0, 0.5, 3.5, 20e9, 2500.0
MASS, SPEED, GRAVITY, STOP = 1500.0, 100 / 3.6, 9.81, 1.7

name = "bridge"
title = "Mass on a bridge of two spans"
times = np.linspace(0.0, STOP, 171)
ours_steps, theirs_steps = (170, 340, 680, 1360), (170, 340, 680)
reference_steps = 5440
outputs = ["points.wheel.y"], []
# Elements of a span: in the comparison, and in the references.
ours_mesh = theirs_mesh = (5, 5)


def truth():
    return None


def ours(step, elements=ours_mesh[0]):
    text = bundled.until("[probes", "moving_mass_on_bridge", step, times)
    text = text.replace("elements = 5\n", f"elements = {elements}\n").replace("shear_modulus = 10e9\n", "shear_modulus = 10e11\n")
    return f"{text}\n[interface]\noutputs = {outputs[0]}\n"


def theirs_system(elements=theirs_mesh[0]):
    system = theirs.System()
    mbs = system.mbs
    count, length = 2 * elements, SPAN / elements
    nodes = [mbs.AddNode(theirs.NodePoint2DSlope1(referenceCoordinates=[k * length, 0.0, 1.0, 0.0])) for k in range(count + 1)]
    area = HEIGHT * WIDTH
    cables = [
        mbs.AddObject(
            theirs.ObjectANCFCable2D(
                physicsLength=length,
                physicsMassPerLength=DENSITY * area,
                physicsBendingStiffness=MODULUS * WIDTH * HEIGHT**3 / 12,
                physicsAxialStiffness=MODULUS * area,
                nodeNumbers=list(pair),
            )
        )
        for pair in zip(nodes, nodes[1:])
    ]
    for node, coordinates in ((nodes[0], (1,)), (nodes[elements], (0, 1)), (nodes[-1], (1,))):
        for coordinate in coordinates:
            held = mbs.AddMarker(theirs.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            mbs.AddObject(theirs.ObjectConnectorCoordinate(markerNumbers=[system.coordinate(), held]))
    wheel = mbs.AddNode(theirs.NodePoint2D(referenceCoordinates=[0.0, 0.0], initialVelocities=[SPEED, 0.0]))
    mass = mbs.AddObject(theirs.ObjectMassPoint2D(physicsMass=MASS, nodeNumber=wheel))
    weight = mbs.AddMarker(theirs.MarkerBodyMass(bodyNumber=mass))
    mbs.AddLoad(theirs.LoadMassProportional(markerNumber=weight, loadVector=[0.0, -GRAVITY, 0.0]))
    markers = [mbs.AddMarker(theirs.MarkerBodyCable2DCoordinates(bodyNumber=cable)) for cable in cables]
    data = mbs.AddNode(theirs.NodeGenericData(initialCoordinates=[0, 0.0], numberOfDataCoordinates=2))
    mbs.AddObject(
        theirs.ObjectJointSliding2D(
            markerNumbers=[system.node_marker(wheel), markers[0]],
            slidingMarkerNumbers=markers,
            slidingMarkerOffsets=[k * length for k in range(count)],
            nodeNumber=data,
            useClassicalFormulation=False,
        )
    )
    system.watch_node(wheel, (2,))
    return system
