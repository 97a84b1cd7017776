"""Machines whose numbers the tests of `Model.fit` find again, and how often an interval holds the true number.

    python tests/hosts/fits.py [NAME...] [--count 100]

prints for each machine, of so many fits to noisy data, in how many the 95 % interval of each number has held the true one.
"""

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import coulisse

REACTION = "motions.drive.reaction"

CARRIAGE = """name = "carriage"

[experiment]
stop_time = 1.0
communication_step = 2.5e-3

[solver]
step = 2.5e-3

[parameters]
stroke = 0.02               # m
frequency = 2.0             # Hz
phase = 0.1                 # rad

[points]
left = [-0.05, 0.0]
right = [0.05, 0.0]
carriage = [0.0, 0.0]

[members.rail]
from = "left"
to = "right"
elements = 1

[supports.rail]
member = "rail"
fix = ["x", "y", "rotation"]

[masses.carriage]
point = "carriage"
mass = 3.0

[joints.carriage]
cylindrical = {{ slider = "carriage", path = ["rail"] }}

{law}
[motions.drive]
point = "carriage"
direction = "x"
displacement = "stroke * (sin(2 * pi * frequency * t + phase) - sin(phase))"

[initial]
velocities = "rigid_mechanism"

[gravity]
y = -9.81

[interface]
parameters = ["parameters.*"]
"""

STRIBECK = CARRIAGE.format(
    law="""[joints.carriage.friction.stribeck]
static_coefficient = "kinetic + drop"
kinetic_coefficient = "kinetic"
decay_velocity = 0.02       # m/s
viscous_coefficient = 1.0   # N·s/m
"""
).replace("phase = 0.1 ", "kinetic = 0.2\ndrop = 0.1 # of the coefficient, as it begins to slide\nphase = 0.1 ")

LUGRE = CARRIAGE.format(
    law="""[joints.carriage.friction.lugre]
stiffness = 2e4
static_coefficient = 0.35
kinetic_coefficient = 0.2
decay_velocity = 0.01
damping = 50.0
"""
).replace("stroke = 0.02 ", "stroke = 0.002 ")

DAHL = CARRIAGE.format(
    law="""[joints.carriage.friction.dahl]
stiffness = 2e4
coefficient = 0.25
"""
).replace("stroke = 0.02 ", "stroke = 0.002 ")

TABLE = """name = "bumper"

[experiment]
stop_time = 1.0
communication_step = 0.01

[solver]
step = 0.01

[points]
wall = [0.0, 0.0]
end = [0.1, 0.0]

[masses.end]
point = "end"
mass = 0.1

[springs.bumper]
ground = "wall"
to = "end"
direction = "x"
table.elongations = [0.0, 0.01, 0.02, 0.03]
table.forces = [0.0, 80.0, 200.0, 400.0]

[motions.drive]
point = "end"
direction = "x"
displacement = "0.015 * (1 - cos(2 * pi * t))"

[motions.level]
point = "end"
direction = "y"
displacement = 0.0
"""

BEAM = """name = "beam"

[experiment]
stop_time = 0.3
communication_step = 1e-3

[solver]
step = 1e-3

[points]
root = [0.0, 0.0]
tip = [0.5, 0.0]

[materials.steel]
young_modulus = 180e9
shear_modulus = 80e9
density = 7850.0

[sections.strip]
rectangle = { height = 4e-3, width = 0.03 }

[members.beam]
from = "root"
to = "tip"
elements = 3
order = 3
material = "steel"
section = "strip"

[supports.root]
point = "root"
fix = ["x", "y", "rotation"]

[damping.beam]
members = ["beam"]
mass_coefficient = 2.0

[loads.tip]
point = "tip"
fy = 5.0

[interface]
inputs = ["loads.tip.fy"]
"""


@dataclass
class Machine:
    """A model file, the true numbers with what a fit is given of each, the runs that are measured and the noise of their output."""

    text: str
    true: dict
    output: str
    noise: float
    given: dict = field(default_factory=dict)
    settings: tuple = ({},)
    times: np.ndarray = field(default_factory=lambda: np.arange(1, 401) * 2.5e-3)

    def write(self, folder):
        """The model file in a folder."""
        path = Path(folder) / "machine.toml"
        path.write_text(self.text)
        return path

    def parameters(self):
        return {name: self.given.get(name) for name in self.true}

    def clean(self, path):
        """The output of each run with the true numbers, without noise."""
        found = []
        for settings in self.settings:
            fmu = coulisse.pack(path, path.with_suffix(".fmu"), values={**self.true, **settings}, outputs=[self.output], native=True)
            with coulisse.Model(fmu) as model:
                found.append(model.simulate(times=self.times, outputs=[self.output])[self.output][1:])
        return found

    def measured(self, clean, seed, known=False):
        """Noisy measurements."""
        noise = np.random.default_rng(seed)
        deviation = {self.output: self.noise} if known else {}
        return [
            coulisse.Trajectory(
                {"time": self.times, self.output: values + noise.normal(0.0, self.noise, len(values))}, values=settings, deviation=deviation, name=f"run {k}"
            )
            for k, (values, settings) in enumerate(zip(clean, self.settings))
        ]


LAW = "joints.carriage.friction."
MACHINES = {
    "stribeck": Machine(
        STRIBECK,
        {
            "parameters.kinetic": 0.18,
            "parameters.drop": 0.1,
            f"{LAW}stribeck.decay_velocity": 0.012,
            f"{LAW}stribeck.viscous_coefficient": 8.0,
        },
        REACTION,
        0.1,
        {
            "parameters.kinetic": (None, 0.0, 1.0),
            "parameters.drop": (None, 0.0, 1.0),
            f"{LAW}stribeck.decay_velocity": (None, 1e-4, 1.0),
            f"{LAW}stribeck.viscous_coefficient": (None, 0.0, 100.0),
        },
        ({"parameters.frequency": 0.5}, {"parameters.frequency": 5.0}),
    ),
    "lugre": Machine(
        LUGRE,
        {
            f"{LAW}lugre.stiffness": 3e4,
            f"{LAW}lugre.static_coefficient": 0.3,
            f"{LAW}lugre.kinetic_coefficient": 0.18,
            f"{LAW}lugre.decay_velocity": 0.008,
            f"{LAW}lugre.damping": 80.0,
        },
        REACTION,
        0.1,
    ),
    "dahl": Machine(DAHL, {f"{LAW}dahl.stiffness": 3e4, f"{LAW}dahl.coefficient": 0.2}, REACTION, 0.1),
    "table": Machine(
        TABLE,
        {f"springs.bumper.table.forces[{k}]": force for k, force in ((1, 60.0), (2, 170.0), (3, 380.0))},
        REACTION,
        2.0,
        times=np.arange(1, 101) * 0.01,
    ),
    "beam": Machine(
        BEAM,
        {"materials.steel.young_modulus": 205e9, "damping.beam.mass_coefficient": 4.0},
        "points.tip.y",
        1e-3,
        times=np.arange(1, 301) * 1e-3,
    ),
}


def held(machine, count, folder):
    """In how many of `count` fits the interval of each number has held the true one."""
    path = machine.write(folder)
    clean = machine.clean(path)
    hits = dict.fromkeys(machine.true, 0)
    with coulisse.Model(path) as model:
        for seed in range(count):
            found = model.fit(machine.measured(clean, seed), machine.parameters())
            for name, true in machine.true.items():
                low, high = found.intervals[name]
                hits[name] += low <= true <= high
    return hits


if __name__ == "__main__":
    arguments = sys.argv[1:]
    number = int(arguments.pop(arguments.index("--count") + 1)) if "--count" in arguments else 100
    for chosen in [name for name in arguments if name != "--count"] or MACHINES:
        with tempfile.TemporaryDirectory() as place:
            print(chosen, number, held(MACHINES[chosen], number, place), flush=True)
