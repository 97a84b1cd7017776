"""The scenes, by MuJoCo: spheres and boxes in contact, that slide and do not turn.

Settings after its documentation on friction and slip (Modeling, *Contact parameters* and *Preventing slip*): elliptic cones, Newton's solver,
`impratio` 100, the default step of 2 ms; with `noslip` also 20 iterations of the solver that removes slip afterwards. The integrator is
`implicitfast`, as recommended. Contacts have the smallest time constant that is allowed, two steps. The belt and the table are the frame of
reference, in which blocks have inertial forces.
"""

import time

import mujoco
import numpy as np

import scenes

VERSION = f"MuJoCo {mujoco.__version__}"
# Across the plane, too: the solver that removes slip does nothing where a direction of friction has no freedom.
SLIDES = "".join(f'<joint name="{{0}}{axis}" type="slide" axis="{at}"/>' for axis, at in (("x", "1 0 0"), ("y", "0 1 0"), ("z", "0 0 1")))
GROUND = '<geom name="ground" type="plane" size="0 0 1"/>'
BLOCK = f'{GROUND}<body pos="0 0 .05">{SLIDES.format("")}<geom name="block" type="box" size=".05 .05 .05" mass="2"/></body>'
FACE = 10.0  # degrees, of the wedge

# By scene: bodies, pairs of geometries with their friction, vector of gravity, and forces (by joint) for a load.
LEVEL = "0 0 -9.81"
PLANE = [("ground", "block", 0.5)]
LEAN = np.arctan(0.4)
MODELS = {
    "incline": (BLOCK, PLANE, f"{9.81 * np.sin(LEAN)} 0 {-9.81 * np.cos(LEAN)}", lambda load: {"x": load}),
    "push": (BLOCK, PLANE, LEVEL, lambda load: {"x": load * np.cos(np.radians(30)), "z": -load * np.sin(np.radians(30))}),
    "belt": (BLOCK, [("ground", "block", 0.05)], LEVEL, lambda load: {"x": -2 * load}),
    "shaking": (BLOCK, PLANE, LEVEL, lambda load: {"x": -2 * load}),
    "gripper": (
        f"""<geom name="finger" type="box" pos="-.05 0 0" size=".05 .05 20"/>
        <body pos=".05 0 0">{SLIDES.format("")}<geom name="block" type="box" size=".05 .05 .05" mass="2"/></body>
        <body pos=".15 0 0"><joint name="jaw" type="slide" axis="1 0 0"/><geom name="jaw" type="box" size=".05 .05 20" mass="1"/></body>""",
        [("finger", "block", 0.5), ("jaw", "block", 0.5)],
        LEVEL,
        lambda load: {"z": -load, "jaw": -40.0},
    ),
    "wedge": (
        f"""{GROUND}<body>{SLIDES.format("")}<geom name="base" type="box" pos="0 0 .05" size=".5 .1 .05" mass="1"/>
        <geom name="face" type="box" pos="0 0 .2" euler="0 {FACE} 0" size="20 .1 .05" mass="0"/></body>
        <body pos="0 0 {0.2 + 0.1 / np.cos(np.radians(FACE))}"><joint name="up" type="slide" axis="0 0 1"/>
        <geom name="block" type="sphere" size=".05" mass="5"/></body>""",
        [("ground", "base", 0.2), ("face", "block", 0.2)],
        LEVEL,
        lambda load: {"x": load},
    ),
    "stack": (
        GROUND
        + "".join(
            f'<body pos="0 0 {0.05 + 0.1 * k}">{SLIDES.format(name)}<geom name="b{k}" type="box" size=".05 .05 .05" mass="1"/></body>'
            for k, name in enumerate(("one", "", "three"))
        ),
        [("ground", "b0", 0.5), ("b0", "b1", 0.5), ("b1", "b2", 0.5)],
        LEVEL,
        lambda load: {"x": load},
    ),
    "hinge": (
        """<body><joint name="x" type="hinge" axis="0 1 0" frictionloss=".981"/>
        <inertial pos="0 0 0" mass="10" diaginertia=".1 .1 .1"/></body>""",
        [],
        LEVEL,
        lambda load: {"x": load},
    ),
    "brake": (
        f"""{GROUND}<body pos="0 0 .2"><joint name="x" type="slide" axis="-1 0 0"/><joint type="slide" axis="0 1 0"/>
        <inertial pos="0 0 0" mass="5" diaginertia=".1 .1 .1"/>
        <body><joint name="lever" type="hinge" axis="0 1 0"/><inertial pos="0 0 0" mass="5" diaginertia=".1 .1 .1"/>
        <geom name="pad" type="sphere" pos="-.3 0 -.15" size=".05" mass="0"/></body></body>""",
        [("ground", "pad", 0.5)],
        "0 0 0",
        lambda load: {"x": load, "lever": -60.0},
    ),
    "bolt": (
        f"""{GROUND}<body pos="0 0 .05">{SLIDES.format("")}<geom name="plate" type="box" size=".05 .05 .05" mass="1"/></body>
        <body pos="0 0 .15"><joint name="washer" type="slide" axis="0 0 1" stiffness="1e5" springref="-.01"/>
        <geom name="washer" type="box" size="20 .05 .05" mass="1"/></body>""",
        [("ground", "plate", 0.15), ("washer", "plate", 0.15)],
        "0 0 0",
        lambda load: {"x": load},
    ),
}
# Radius at which the hinge's speed is measured, m; the gripper's block slides along z.
RADIUS = {"hinge": 0.02}
SLIDING = {"gripper": "z"}


class Mujoco:
    label = "MuJoCo"
    noslip = 0

    def __init__(self, scene):
        self.scene = scene
        self.radius = RADIUS.get(scene.name, 1.0)

    def start(self, load, step):
        bodies, pairs, gravity, forces = MODELS[self.scene.name]
        contacts = "".join(
            f'<pair geom1="{one}" geom2="{other}" condim="3" friction="{mu} {mu} 0 0 0" solref="{2 * step} 1" solimp=".99 .999 .001"/>'
            for one, other, mu in pairs
        )
        options = f'timestep="{step}" gravity="{gravity}" cone="elliptic" impratio="100" integrator="implicitfast" noslip_iterations="{self.noslip}"'
        model = mujoco.MjModel.from_xml_string(
            f"""<mujoco><compiler angle="degree" boundmass="0" boundinertia="0"/><option {options}/>
            <default><joint solreffriction="{2 * step} 1"/><geom contype="0" conaffinity="0"/></default>
            <worldbody>{bodies}</worldbody><contact>{contacts}</contact></mujoco>"""
        )
        data = mujoco.MjData(model)
        coordinate = model.joint(SLIDING.get(self.scene.name, "x")).dofadr[0]
        # Contacts settle before the load comes.
        for given, count in ((0.0, round(scenes.SETTLED / step)), (load, 0)):
            for name, force in forces(given).items():
                data.qfrc_applied[model.joint(name).dofadr[0]] = force
            mujoco.mj_step(model, data, count)
        self.force = data.qfrc_applied[coordinate]
        data.time = 0.0
        return model, data, coordinate

    def steps(self, model, data, count, coordinate):
        """Takes steps; of the vibrating table with its acceleration at the middle of each."""
        if self.scene.name != "shaking":
            mujoco.mj_step(model, data, count)
            return
        force = self.force
        for _ in range(count):
            data.qfrc_applied[coordinate] = force * np.cos(scenes.OMEGA * (data.time + model.opt.timestep / 2))
            mujoco.mj_step(model, data)

    def hold(self, load):
        begun = time.process_time()
        model, data, coordinate = self.start(load, scenes.STEP)
        self.steps(model, data, round(scenes.SETTLED / scenes.STEP), coordinate)
        settled, q = data.qpos[coordinate], data.qpos.copy()
        self.steps(model, data, round((scenes.HOLD - scenes.SETTLED) / scenes.STEP), coordinate)
        taken = time.process_time() - begun
        # Of loads that are constant.
        applied = data.qfrc_applied - data.qfrc_bias + data.qfrc_passive
        work = None if self.scene.name == "shaking" else float(applied @ (data.qpos - q))
        return self.radius * abs(data.qpos[coordinate] - settled), work, taken

    def speed(self, load):
        model, data, coordinate = self.start(load, scenes.step(self.scene))
        fastest = 0.0
        count = round(scenes.SLIP / model.opt.timestep / 2)
        self.steps(model, data, count, coordinate)
        for _ in range(count):
            self.steps(model, data, 1, coordinate)
            fastest = max(fastest, abs(data.qvel[coordinate]))
        return self.radius * fastest


class Noslip(Mujoco):
    label = "MuJoCo, noslip"
    noslip = 20
