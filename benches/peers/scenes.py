"""Ten scenes with dry friction, their exact breakaway loads, and what each program is to do with them.

Each scene is a model file in scenes/ with a parameter `load`. In closed form it slides from `limit` on, with the acceleration
(load − limit)/`inertia`. Programs give two runs:

- *hold*: `HOLD` seconds under the load `held` below the limit. Nothing may move from `SETTLED` on, and friction takes and gives no work:
  that is the work of loads and gravity less the kinetic energy gained.
- *slip*: the largest speed in the second half of `SLIP` seconds under a load, when the start's transients are over. Breakaway is
  the load for which that speed is a hundred times the speed of creep under half of the limit, and at least `LEAST`, less the load that the
  closed form needs for the same speed. So creep does not count as breakaway.
"""

from collections import namedtuple

import numpy as np
from scipy.optimize import brentq

HOLD, SETTLED, SLIP, LEAST = 100.0, 1.0, 1.0, 1e-6
GRAVITY = 9.81

# Steps of the slip run (s). Between two steps the acceleration of the vibrating table passes its peak, so they are short there.
STEP, SHORT = 2e-3, 1e-4

Scene = namedtuple("Scene", "name title limit inertia held unit")


def _scenes():
    mu, m = 0.5, 2.0
    slope = np.arctan(0.4)
    yield Scene("incline", "block on an incline", m * GRAVITY * (mu * np.cos(slope) - np.sin(slope)), m, 0.0, "N")
    lean = np.cos(np.radians(30)) - mu * np.sin(np.radians(30))
    limit = mu * m * GRAVITY / lean
    yield Scene("push", "block pushed from above", limit, m / lean, 0.9 * limit, "N")
    yield Scene("belt", "block on an accelerating belt", 0.05 * GRAVITY, 1.0, 0.9 * 0.05 * GRAVITY, "m/s²")
    yield Scene("shaking", "block on a vibrating table", mu * GRAVITY, None, 0.9 * mu * GRAVITY, "m/s²")
    yield Scene("gripper", "gripper", 2 * mu * 40.0 - m * GRAVITY, m, 0.0, "N")
    mu, wedge, block = 0.2, 1.0, 5.0
    rise, tilt = np.tan(np.radians(10)), np.tan(np.radians(10) + np.arctan(0.2))
    limit = block * GRAVITY * tilt + mu * (block + wedge) * GRAVITY
    yield Scene("wedge", "wedge under a block", limit, wedge + block * rise * (tilt + mu), 0.9 * limit, "N")
    limit = 2 * 0.5 * GRAVITY
    yield Scene("stack", "middle one of three blocks", limit, 2.0, 0.9 * limit, "N")
    radius, inertia = 0.02, 0.1
    limit = 0.5 * radius * 10.0 * GRAVITY
    yield Scene("hinge", "hinge under a moment", limit, inertia / radius, 0.9 * limit, "N·m")
    limit = 0.5 * 100.0 * 0.6 / (0.3 - 0.5 * 0.2)
    yield Scene("brake", "brake that friction helps to press", limit, 10.0, 0.9 * limit, "N")
    limit = 2 * 0.15 * 1000.0
    yield Scene("bolt", "plate under a bolt", limit, 1.0, 0.9 * limit, "N")


SCENES = {scene.name: scene for scene in _scenes()}
# Of the vibrating table: 5 Hz.
OMEGA = 10 * np.pi


def step(scene):
    """Of the slip run, s."""
    return SHORT if scene.name == "shaking" else STEP


def surplus(scene, speed):
    """By how much the load exceeds the limit where the largest speed within `SLIP` is `speed`."""
    if scene.inertia is not None:
        return speed * scene.inertia / SLIP

    def fastest(load):
        # Between the instants at which the table's acceleration has the size of the limit, the block keeps that acceleration.
        angle = np.arccos(scene.limit / load)
        return 2 * (load * np.sin(angle) - scene.limit * angle) / OMEGA - speed

    return brentq(fastest, scene.limit * (1 + 1e-9), 10 * scene.limit, xtol=1e-14) - scene.limit


def breakaway(scene, speed):
    """Relative error of the breakaway load, by bisection of `speed(load)`; infinite where it does not slide at 1.5 times the limit."""
    low, high = 0.5 * scene.limit, 1.5 * scene.limit
    wanted = max(LEAST, 100 * speed(low))
    if speed(high) < wanted:
        return np.inf
    while high - low > 1e-9 * scene.limit:
        middle = (low + high) / 2
        low, high = (low, middle) if speed(middle) >= wanted else (middle, high)
    return (low - surplus(scene, wanted)) / scene.limit - 1
