"""The scenes, by Drake: spheres on boxes (point contact), bodies on prismatic joints in a plane.

Settings after its documentation of `MultibodyPlant`: a discrete plant with steps of 2 ms, and contacts by its default approximation, *lagged*, with
a stiction tolerance of 1e-6 m/s (1e-4 by default, with which it creeps more), or by *SAP*. Surfaces have a stiffness of 1e8 N/m and a
dissipation of 10 s/m. A joint of Drake has no dry friction: the hinge is left out. The belt and the table
are the frame of reference, in which blocks have inertial forces.
"""

import time
from importlib.metadata import version

import numpy as np
from pydrake.geometry import AddContactMaterial, Box, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, DiscreteContactApproximation, MultibodyPlantConfig
from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, PrismaticSpring, RevoluteJoint, SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource, Sine

import scenes

VERSION = f"Drake {version('drake')}"
X, Z = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]
LEAN = np.arctan(0.4)
FACE = np.radians(10)
RADIUS = 0.05
STIFFNESS, TOLERANCE = 1e8, 1e-6


class Plane:
    """A plant whose bodies slide in a plane; `forces` are those of joints, of which `load` names the one that is shown."""

    def __init__(self, step, approximation):
        self.builder = DiagramBuilder()
        config = MultibodyPlantConfig(
            time_step=step,
            discrete_contact_approximation=approximation,
            contact_model="point",
            stiction_tolerance=TOLERANCE,
            use_sampled_output_ports=False,
        )
        self.plant, self.graph = AddMultibodyPlant(config, self.builder)
        self.joints, self.forces = {}, {}

    def body(self, name, mass, axes, place=(0.0, 0.0), parent=None):
        """A body at (x, z) that slides along its axes; those before the last lead to bodies without mass."""
        frame = parent or self.plant.world_frame()
        for k, (joint, axis) in enumerate(axes.items()):
            last = k == len(axes) - 1
            inertia = SpatialInertia.SolidSphereWithMass(mass, 0.1) if last else SpatialInertia.Zero()
            link = self.plant.AddRigidBody(f"{name}{k}", inertia)
            offset = RigidTransform([place[0], 0.0, place[1]] if k == 0 else [0.0, 0.0, 0.0])
            joined = self.plant.AddJoint(PrismaticJoint(joint, self.plant.AddFrame(FixedOffsetFrame(f"{name}{k}_at", frame, offset)), link.body_frame(), axis))
            self.joints[joint] = joined
            frame = link.body_frame()
        return link

    def shape(self, body, shape, friction, place=(0.0, 0.0), turn=0.0):
        pose = RigidTransform(RotationMatrix.MakeYRotation(turn), [place[0], 0.0, place[1]])
        properties = ProximityProperties()
        AddContactMaterial(dissipation=10.0, point_stiffness=STIFFNESS, friction=CoulombFriction(friction, friction), properties=properties)
        name = f"s{self.plant.num_collision_geometries()}"
        self.plant.RegisterCollisionGeometry(body or self.plant.world_body(), pose, shape, name, properties)

    def ground(self, friction):
        self.shape(None, Box(80.0, 2.0, 1.0), friction, (0.0, -0.5))

    def block(self, name, mass, axes, friction, height=RADIUS, place=0.0):
        body = self.body(name, mass, axes, (place, height))
        self.shape(body, Sphere(RADIUS), friction)
        return body

    def gravity(self, vector):
        self.plant.mutable_gravity_field().set_gravity_vector(vector)


def level(friction, gravity=(0.0, 0.0, -9.81)):
    def build(plane):
        plane.gravity(gravity)
        plane.ground(friction)
        plane.block("block", 2.0, {"x": X, "z": Z}, friction)

    return build


def gripper(plane):
    plane.shape(None, Box(0.1, 0.1, 40.0), 0.5, (-0.05, 0.0))
    block = plane.body("block", 2.0, {"z": Z, "x": X}, (RADIUS, 0.0))
    plane.shape(block, Sphere(RADIUS), 0.5)
    jaw = plane.body("jaw", 1.0, {"jaw": X}, (0.15, 0.0))
    plane.shape(jaw, Box(0.1, 0.1, 40.0), 0.5)


def wedge(plane):
    plane.ground(0.2)
    body = plane.body("wedge", 1.0, {"x": X, "z": Z}, (0.0, RADIUS))
    plane.shape(body, Sphere(RADIUS), 0.2)
    plane.shape(body, Box(40.0, 0.2, 0.1), 0.2, (0.0, 5.0), FACE)
    block = plane.body("block", 5.0, {"up": Z}, (0.0, 5.0 + (RADIUS + 0.05) / np.cos(FACE)))
    plane.shape(block, Sphere(RADIUS), 0.2)


def stack(plane):
    plane.ground(0.5)
    for k, joint in enumerate(("one", "x", "three")):
        body = plane.body(f"b{k}", 1.0, {joint: X, f"z{k}": Z}, (0.0, RADIUS + 0.2 * k))
        plane.shape(body, Sphere(RADIUS), 0.5)
        if k < 2:
            plane.shape(body, Box(2.0, 2.0, 0.1), 0.5, (0.0, 0.1))


def brake(plane):
    plane.gravity([0.0, 0.0, 0.0])
    plane.ground(0.5)
    cart = plane.body("cart", 5.0, {"x": [-1.0, 0.0, 0.0]}, (0.0, 0.2))
    lever = plane.plant.AddRigidBody("lever", SpatialInertia.SolidSphereWithMass(5.0, 0.1))
    plane.joints["lever"] = plane.plant.AddJoint(RevoluteJoint("lever", cart.body_frame(), lever.body_frame(), [0.0, 1.0, 0.0]))
    plane.shape(lever, Sphere(RADIUS), 0.5, (-0.3, -0.15))


def bolt(plane):
    plane.gravity([0.0, 0.0, 0.0])
    plane.ground(0.15)
    plane.block("plate", 1.0, {"x": X, "z": Z}, 0.15)
    washer = plane.body("washer", 1.0, {"washer": Z}, (0.0, 0.15))
    plane.shape(washer, Box(40.0, 2.0, 0.1), 0.15)
    plane.plant.AddForceElement(PrismaticSpring(plane.joints["washer"], -0.01, 1e5))


# By scene: how it is built, and forces (by joint) for a load.
MODELS = {
    "incline": (level(0.5, (9.81 * np.sin(LEAN), 0.0, -9.81 * np.cos(LEAN))), lambda load: {"x": load}),
    "push": (level(0.5), lambda load: {"x": load * np.cos(np.radians(30)), "z": -load * np.sin(np.radians(30))}),
    "belt": (level(0.05), lambda load: {"x": -2 * load}),
    "shaking": (level(0.5), lambda load: {"x": -2 * load}),
    "gripper": (gripper, lambda load: {"z": -load, "jaw": -40.0}),
    "wedge": (wedge, lambda load: {"x": load}),
    "stack": (stack, lambda load: {"x": load}),
    "brake": (brake, lambda load: {"x": load, "lever": -60.0}),
    "bolt": (bolt, lambda load: {"x": load}),
}


class Drake:
    label = "Drake, lagged"
    approximation = "lagged"

    def __init__(self, scene):
        if scene.name not in MODELS:
            raise LookupError("no dry friction in joints")
        self.scene = scene
        build, self.forces = MODELS[scene.name]
        self.build = build

    def start(self, load, step):
        """The scene when its contacts have settled without the load, which then acts."""
        plane = Plane(step, self.approximation)
        self.build(plane)
        plant = plane.plant
        plant.Finalize()
        sliding = plane.joints["z" if self.scene.name == "gripper" else "x"].velocity_start()

        def forces(given):
            values = np.zeros(plant.num_velocities())
            for name, force in self.forces(given).items():
                values[plane.joints[name].velocity_start()] = force
            return values

        constant = plane.builder.AddSystem(ConstantVectorSource(forces(0.0)))
        output = constant.get_output_port()
        if self.scene.name == "shaking":
            turn = np.full(plant.num_velocities(), np.pi / 2)
            output = plane.builder.AddSystem(Sine(forces(load), np.full(len(turn), scenes.OMEGA), turn)).get_output_port(0)
        plane.builder.Connect(output, plant.get_applied_generalized_force_input_port())
        diagram = plane.builder.Build()
        simulator = Simulator(diagram)
        context = simulator.get_mutable_context()
        if self.scene.name != "shaking":
            simulator.AdvanceTo(scenes.SETTLED)
        constant.get_mutable_source_value(constant.GetMyMutableContextFromRoot(context)).SetFromVector(forces(load))
        # The simulator refers to the diagram only.
        self.kept = diagram
        return simulator, plant, plant.GetMyContextFromRoot(context), sliding, forces(load)

    def hold(self, load):
        begun = time.process_time()
        simulator, plant, own, sliding, forces = self.start(load, scenes.STEP)
        begin = simulator.get_context().get_time()
        simulator.AdvanceTo(begin + scenes.SETTLED)
        q = plant.GetPositions(own).copy()
        simulator.AdvanceTo(begin + scenes.HOLD)
        taken = time.process_time() - begun
        moved = plant.GetPositions(own) - q
        if self.scene.name == "shaking":
            return abs(moved[sliding]), None, taken
        applied = forces + plant.CalcGravityGeneralizedForces(own)
        return abs(moved[sliding]), float(applied @ moved), taken

    def speed(self, load):
        step = scenes.step(self.scene)
        simulator, plant, own, sliding, _ = self.start(load, step)
        middle = simulator.get_context().get_time() + scenes.SLIP / 2
        simulator.AdvanceTo(middle)
        fastest = 0.0
        for k in range(1, round(scenes.SLIP / 2 / step) + 1):
            simulator.AdvanceTo(middle + k * step)
            fastest = max(fastest, abs(plant.GetVelocities(own)[sliding]))
        return fastest


class Sap(Drake):
    label = "Drake, SAP"
    approximation = "sap"
