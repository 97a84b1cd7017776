"""A mechanism, run by Exudyn: what the problems share."""

import sys
import time
from pathlib import Path

import numpy as np

# Without checks of ranges, and with vector instructions: the faster of the two libraries of the package.
sys.exudynFast = True
import exudyn as exu  # noqa: E402
from exudyn.itemInterface import (  # noqa: E402
    LoadMassProportional,
    LoadTorqueVector,
    MarkerBodyCable2DCoordinates,
    MarkerBodyMass,
    MarkerBodyRigid,
    MarkerNodeCoordinate,
    MarkerNodePosition,
    NodeGenericData,
    NodePoint2D,
    NodePoint2DSlope1,
    NodePointGround,
    NodeRigidBody2D,
    ObjectANCFCable2D,
    ObjectConnectorCoordinate,
    ObjectConnectorCoordinateSpringDamper,
    ObjectConnectorCoordinateSpringDamperExt,
    ObjectConnectorSpringDamper,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectJointSliding2D,
    ObjectMassPoint2D,
    ObjectRigidBody2D,
    SensorBody,
    SensorNode,
    SensorObject,
)

ROOT = Path(__file__).resolve().parents[2]
Output = exu.OutputVariableType
# `index 3`: generalized-α with constraints on positions. `index 2`: the trapezoidal rule with constraints on velocities, with which
# Exudyn takes no other.
SOLVERS = ("index 3", "index 2")


def version():
    return f"Exudyn {exu.__version__}"


class System:
    """A mechanism of plane rigid bodies by their centres of mass, and sensors in the order of what is compared."""

    def __init__(self):
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.AddObject(ObjectGround())
        self.ground_node = self.mbs.AddNode(NodePointGround())
        self.sensors, self.signs = [], []
        # Time (s) in functions of Python, which the solver calls.
        self.python = None

    def body(self, place, mass, inertia, velocity=(0.0, 0.0, 0.0), gravity=0.0):
        """A rigid body at (x, y, φ)."""
        node = self.mbs.AddNode(NodeRigidBody2D(referenceCoordinates=list(place), initialVelocities=list(velocity)))
        body = self.mbs.AddObject(ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        if gravity:
            marker = self.mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
            self.mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0.0, -gravity, 0.0]))
        return body

    def marker(self, body, point):
        body = self.ground if body is None else body
        return self.mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[*point, 0.0]))

    def pin(self, one, at, other, there):
        return self.join(self.marker(one, at), self.marker(other, there))

    def node_marker(self, node):
        return self.mbs.AddMarker(MarkerNodePosition(nodeNumber=node))

    def join(self, one, other):
        return self.mbs.AddObject(ObjectJointRevolute2D(markerNumbers=[one, other]))

    def cables(self, begin, end, elements, modulus, density, height, damping=0.0):
        """Nodes and elements (ANCF, cubic) of an elastic bar with a square section; `damping` (s) times the stiffness is the viscosity."""
        begin, end = np.array(begin), np.array(end)
        length = float(np.hypot(*(end - begin)))
        along = (end - begin) / length
        nodes, bodies = [], []
        for k in range(elements + 1):
            place = begin + k / elements * (end - begin)
            nodes.append(self.mbs.AddNode(NodePoint2DSlope1(referenceCoordinates=[*place, *along])))
        for pair in zip(nodes, nodes[1:]):
            element = ObjectANCFCable2D(
                physicsLength=length / elements,
                physicsMassPerLength=density * height**2,
                physicsBendingStiffness=modulus * height**4 / 12,
                physicsAxialStiffness=modulus * height**2,
                physicsBendingDamping=damping * modulus * height**4 / 12,
                physicsAxialDamping=damping * modulus * height**2,
                nodeNumbers=list(pair),
            )
            bodies.append(self.mbs.AddObject(element))
        return nodes, bodies

    def coordinate(self, body=None, number=0):
        """A marker of one coordinate of a body's node, or of the ground."""
        node = self.ground_node if body is None else self.mbs.GetObject(body)["nodeNumber"]
        return self.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=number))

    def hold(self, body, number, rate=None):
        """Keeps a coordinate of a body where it is, or gives it a constant rate."""
        markers = [self.coordinate(), self.coordinate(body, number)]
        given = {} if rate is None else {"velocityLevel": True, "offset": rate}
        return self.mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=markers, **given))

    def watch(self, sensor, columns, **what):
        """A sensor whose values at the communication points are kept; `columns` counts from 1, as column 0 is the time."""
        number = self.mbs.AddSensor(sensor(storeInternal=True, writeToFile=False, **what))
        self.sensors.append((number, list(columns)))
        self.signs.append(1.0)

    def watch_point(self, body, point, columns=(1, 2)):
        self.watch(SensorBody, columns, bodyNumber=body, localPosition=[*point, 0.0], outputVariableType=Output.Position)

    def watch_node(self, node, columns=(1, 2)):
        self.watch(SensorNode, columns, nodeNumber=node, outputVariableType=Output.Position)

    def watch_force(self, joint, columns=(1, 2)):
        """The force of a pin on its first body."""
        self.watch(SensorObject, columns, objectNumber=joint, outputVariableType=Output.Force)

    def watch_hold(self, constraint):
        """The force on a body along the coordinate that is held, which Exudyn gives with the other sign."""
        self.watch_force(constraint, (1,))
        self.signs[-1] = -1.0

    def run(self, times, steps, solver, full=False, sparse=False):
        """Values of all sensors at the times, one row each, and the CPU time (s) of the steps: assembling and initialisation, which computes
        accelerations, are not in it, and no file is written."""
        mbs = self.mbs
        mbs.Assemble()
        s = exu.SimulationSettings()
        s.timeIntegration.endTime = float(times[-1])
        s.timeIntegration.numberOfSteps = steps
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.newton.useModifiedNewton = not full
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        if solver == "index 2":
            s.timeIntegration.generalizedAlpha.useIndex2Constraints = True
            s.timeIntegration.generalizedAlpha.useIndex2Constraints = True
            s.timeIntegration.generalizedAlpha.useNewmark = True
        s.linearSolver.solverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsStoreAndWriteFiles = True
        s.solutionSettings.sensorsWritePeriod = float(times[1])
        run = exu.MainSolverImplicitSecondOrder()
        if not run.InitializeSolver(mbs, s):
            raise RuntimeError("Exudyn does not start")
        begun = time.process_time()
        ended = run.SolveSteps(mbs, s)
        taken = time.process_time() - begun
        run.FinalizeSolver(mbs, s)
        if not ended:
            raise RuntimeError("Exudyn does not come to the end")
        rows = [mbs.GetSensorStoredData(sensor) for sensor, _ in self.sensors]
        for row in rows:
            if len(row) != len(times) or np.max(np.abs(row[:, 0] - times)) > 1e-9:
                raise RuntimeError("Exudyn changes its step and misses communication points")
        values = [sign * row[:, columns] for row, (_, columns), sign in zip(rows, self.sensors, self.signs)]
        return np.hstack(values), taken - (self.python.taken if self.python else 0.0)
