"""The chain of pendulums and the oscillator, by Drake.

Settings after its documentation: without contact a continuous plant with the default integrator, Runge-Kutta of third order with error control (a run has an
accuracy instead of a number of steps); with contact a discrete plant as in `drake_scenes`.
"""

import time

import drake_scenes
import numpy as np
import oscillator
import pendulums
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame, PrismaticSpring, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator

VERSION = drake_scenes.VERSION
ACCURACIES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


def sampled(simulator, times, columns):
    simulator.Initialize()
    rows = [columns()]
    begun = time.process_time()
    for end in times[1:]:
        simulator.AdvanceTo(end)
        rows.append(columns())
    return np.array(rows), time.process_time() - begun


def run_pendulums(accuracy):
    p = pendulums
    plant = MultibodyPlant(0.0)
    frame, ends = plant.world_frame(), []
    # Its inertia about the axis that it turns about is that of the rod.
    inertia = SpatialInertia(p.MASS, [p.LENGTH / 2, 0, 0], UnitInertia(1e-6, p.LENGTH**2 / 3, p.LENGTH**2 / 3))
    for k in range(p.COUNT):
        rod = plant.AddRigidBody(f"r{k}", inertia)
        plant.AddJoint(RevoluteJoint(f"j{k}", frame, rod.body_frame(), [0.0, -1.0, 0.0]))
        frame = plant.AddFrame(FixedOffsetFrame(f"e{k}", rod.body_frame(), RigidTransform([p.LENGTH, 0, 0])))
        ends.append(frame)
    plant.Finalize()
    simulator = Simulator(plant)
    simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    simulator.get_mutable_integrator().set_maximum_step_size(1.0)
    context = simulator.get_context()

    def columns():
        return np.ravel([end.CalcPoseInWorld(context).translation()[[0, 2]] for end in ends])

    return sampled(simulator, p.times, columns)


def run_oscillator(steps):
    o = oscillator
    plane = drake_scenes.Plane(float(o.STOP / steps), "lagged")
    plane.gravity([0.0, 0.0, -o.GRAVITY])
    plane.ground(o.FRICTION)
    plane.block("block", o.MASS, {"x": drake_scenes.X, "z": drake_scenes.Z}, o.FRICTION)
    plane.plant.AddForceElement(PrismaticSpring(plane.joints["x"], 0.0, o.STIFFNESS))
    plane.plant.Finalize()
    diagram = plane.builder.Build()
    simulator = Simulator(diagram)
    context = plane.plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plane.joints["x"].set_translation(context, o.START)
    return sampled(simulator, o.times, lambda: [plane.joints["x"].get_translation(context)])
