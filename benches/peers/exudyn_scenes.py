"""The scenes, by Exudyn: point masses with the coordinate of sliding, and `CoordinateSpringDamperExt` with dry friction.

Settings after its documentation: friction by the bristle model (`frictionProportionalZone = 0`), recommended for implicit integrators, with a
stiffness of 1e6 N/m and critical damping, so that a load that comes at once does not overshoot; generalized-α with ρ∞ = 0.9; the dense solver.
Steps are 0.2 ms: with 2 ms it slides 2 % too early. Its joints have no friction by their normal force: the limits are given as numbers, and scenes in which the
normal force depends on friction (wedge, brake) are left out. Forces that vibrate come from a function in Python. The belt and the table are
the frame of reference.
"""

import sys
import time

import numpy as np

sys.exudynFast = True
import exudyn as exu  # noqa: E402
from exudyn.itemInterface import (  # noqa: E402
    LoadCoordinate,
    MarkerNodeCoordinate,
    Mass1D,
    Node1D,
    NodeGenericData,
    NodePointGround,
    ObjectConnectorCoordinateSpringDamperExt,
)

import scenes

VERSION = f"Exudyn {exu.__version__}"
Output = exu.OutputVariableType
STIFFNESS = 1e6
STEP = 2e-4
GRAVITY = scenes.GRAVITY
TILT = np.radians(30)
LEAN = np.arctan(0.4)
# By scene: masses, contacts (below, above, limit of friction for a load), and the mass pulled with the force for a load.
MODELS = {
    "incline": ([2.0], [(None, 0, lambda _: 0.5 * 2 * GRAVITY * np.cos(LEAN))], 0, lambda load: load + 2 * GRAVITY * np.sin(LEAN)),
    "push": ([2.0], [(None, 0, lambda load: 0.5 * (2 * GRAVITY + load * np.sin(TILT)))], 0, lambda load: load * np.cos(TILT)),
    "belt": ([2.0], [(None, 0, lambda _: 0.05 * 2 * GRAVITY)], 0, lambda load: -2 * load),
    "shaking": ([2.0], [(None, 0, lambda _: 0.5 * 2 * GRAVITY)], 0, lambda load: -2 * load),
    "gripper": ([2.0], [(None, 0, lambda _: 0.5 * 40.0)] * 2, 0, lambda load: 2 * GRAVITY + load),
    "stack": (
        [1.0] * 3,
        [(None, 0, lambda _: 1.5 * GRAVITY), (0, 1, lambda _: GRAVITY), (1, 2, lambda _: 0.5 * GRAVITY)],
        1,
        lambda load: load,
    ),
    # By the angle times the pin's radius.
    "hinge": ([0.1 / 0.02**2], [(None, 0, lambda _: 0.5 * 10.0 * GRAVITY)], 0, lambda load: load / 0.02),
    "bolt": ([1.0], [(None, 0, lambda _: 0.15 * 1000.0)] * 2, 0, lambda load: load),
}


class Exudyn:
    label = "Exudyn"

    def __init__(self, scene):
        if scene.name not in MODELS:
            raise LookupError("no friction by a normal force that depends on it")
        self.scene = scene

    def start(self, load, step):
        """The scene when its contacts have settled without the load, which then acts."""
        self.container = exu.SystemContainer()
        mbs = self.container.AddSystem()
        masses, contacts, pulled, force = MODELS[self.scene.name]
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        nodes = [mbs.AddNode(Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.0], initialVelocities=[0.0])) for _ in masses]
        for node, mass in zip(nodes, masses):
            mbs.AddObject(Mass1D(physicsMass=mass, nodeNumber=node))
        markers = [mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0)) for node in nodes]
        joints = []
        for below, above, limit in contacts:
            joint = ObjectConnectorCoordinateSpringDamperExt(
                markerNumbers=[ground if below is None else markers[below], markers[above]],
                nodeNumber=mbs.AddNode(NodeGenericData(numberOfDataCoordinates=3, initialCoordinates=[1.0, 0.0, 0.0])),
                dynamicFrictionForce=limit(0.0),
                stickingStiffness=STIFFNESS,
                stickingDamping=2 * np.sqrt(STIFFNESS * masses[above]),
            )
            joints.append(mbs.AddObject(joint))
        given = {}
        if self.scene.name == "shaking":
            given = {"loadUserFunction": lambda mbs, t, load: load * np.cos(scenes.OMEGA * (t - scenes.SETTLED))}
        pull = mbs.AddLoad(LoadCoordinate(markerNumber=markers[pulled], load=force(0.0), **given))
        mbs.Assemble()
        self.time = 0.0
        self.advance(mbs, scenes.SETTLED, step)
        mbs.SetLoadParameter(pull, "load", force(load))
        for joint, (_, _, limit) in zip(joints, contacts):
            mbs.SetObjectParameter(joint, "dynamicFrictionForce", limit(load))
        return mbs, nodes[pulled], force(load)

    def advance(self, mbs, length, step):
        s = exu.SimulationSettings()
        s.timeIntegration.startTime, s.timeIntegration.endTime = self.time, self.time + length
        s.timeIntegration.numberOfSteps = round(length / step)
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        s.timeIntegration.newton.useModifiedNewton = True
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsStoreAndWriteFiles = False
        if not mbs.SolveDynamic(s):
            raise RuntimeError("does not come to the end")
        self.time += length
        # The next run begins where this one has ended.
        current, initial = exu.ConfigurationType.Current, exu.ConfigurationType.Initial
        for kind in ("ODE2Coordinates", "ODE2Coordinates_t", "DataCoordinates"):
            getattr(mbs.systemData, f"Set{kind}")(getattr(mbs.systemData, f"Get{kind}")(current), initial)

    def hold(self, load):
        begun = time.process_time()
        mbs, node, force = self.start(load, STEP)
        self.advance(mbs, scenes.SETTLED, STEP)
        before = float(mbs.GetNodeOutput(node, Output.Coordinates))
        self.advance(mbs, scenes.HOLD - scenes.SETTLED, STEP)
        taken = time.process_time() - begun
        moved = float(mbs.GetNodeOutput(node, Output.Coordinates)) - before
        return abs(moved), None if self.scene.name == "shaking" else force * moved, taken

    def speed(self, load):
        step = min(STEP, scenes.step(self.scene))
        mbs, node, _ = self.start(load, step)
        self.advance(mbs, scenes.SLIP / 2, step)
        # Only the vibrating table is fastest before the end.
        parts = 50 if self.scene.name == "shaking" else 1
        fastest = 0.0
        for _ in range(parts):
            self.advance(mbs, scenes.SLIP / 2 / parts, step)
            fastest = max(fastest, abs(float(mbs.GetNodeOutput(node, Output.Coordinates_t))))
        return fastest
