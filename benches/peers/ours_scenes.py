"""The scenes, by coulisse through its Python module."""

import time
from pathlib import Path

import coulisse
import numpy as np

import scenes

FOLDER = Path(__file__).parent / "scenes"
SLIDING = "joints.contact."


class Coulisse:
    """A scene; `step` is that of its model file."""

    label = "coulisse"

    def __init__(self, scene):
        self.scene = scene
        self.model = coulisse.Model(FOLDER / f"{scene.name}.toml")

    def hold(self, load):
        """Creep (m), work that friction has taken (J), CPU time (s)."""
        self.model.reset()
        self.model.set("parameters.load", load)
        outputs = [f"{SLIDING}displacement", "energy.friction_work"]
        begun = time.process_time()
        result = self.model.simulate(scenes.HOLD, 0.1, outputs=outputs)
        taken = time.process_time() - begun
        settled = round(scenes.SETTLED / 0.1)
        moved, work = (result[output][-1] - result[output][settled] for output in outputs)
        return abs(moved), work, taken

    def speed(self, load):
        self.model.reset()
        self.model.set("parameters.load", load)
        result = self.model.simulate(scenes.SLIP, scenes.step(self.scene), outputs=[f"{SLIDING}velocity"])
        return np.abs(result[f"{SLIDING}velocity"][len(result["time"]) // 2 :]).max()
