"""The frame of the bundled building of five storeys, clamped on ground that shakes it, by coulisse and by OpenSees.

On its friction pendulums OpenSees' element for them (`singleFPBearing`) does not converge under this motion with any of the steps, with Newton's
method or KrylovNewton; so the feet are clamped.
"""

import ctypes
import importlib.util
import re
import time
from pathlib import Path

import numpy as np

import bundled

PERIOD, SHAKING, STOP = 0.9, 3.0, 6.0
OMEGA = 2 * np.pi / PERIOD
FLOOR = 34e3
RATIO, FIRST, ELEVENTH = 0.05, 8.56, 133.98
DAMPING = 2 * RATIO / (FIRST + ELEVENTH)

name = "building"
title = "Building of five storeys on shaking ground"
times = np.linspace(0.0, STOP, 301)
ours_steps = (300, 600, 1200, 2400)
reference_steps = 9600
outputs = ["probes.roof", "probes.floor"], []
ours_mesh = (4, 4)


def truth():
    return None


def ours(step, elements=ours_mesh[0]):
    text = bundled.until("[motions.horizontal]", "isolated_building_frame", step, times)
    # Neither the dishes nor what slides in them.
    text = re.sub(r"(?m)^dish_[lr] = \{ from.*\n", "", text)
    begin, end = text.index("[supports]"), text.index("[damping.frame]")
    feet = "".join(f'foot_{side} = {{ point = "{side}0", fix = ["x", "y", "rotation"] }}\n' for side in "lr")
    text = f"{text[:begin]}[supports]\n{feet}{text[end:]}"
    text = text[: text.index("[joints.foot_l]")] + text[text.index("[loads.floor_1]") :]
    # OpenSees' elements have no shear.
    text = text.replace("poisson_ratio = 0.0\n", "shear_modulus = 1e12\n")
    return f"""{text}
[motions.ground]
supports = ["foot_*"]
direction = "x"
displacement = "{SHAKING / OMEGA**2!r}*({OMEGA!r}*t - sin({OMEGA!r}*t))"
[probes]
roof = {{ drift = {{ point = "r5", from = "r0", direction = "x" }} }}
floor = {{ drift = {{ point = "r2", from = "r0", direction = "x" }} }}
[interface]
outputs = {outputs[0]}
"""


def opensees():
    """The module. Its wheel brings the libraries of linear algebra, but does not say where they are."""
    folder = Path(importlib.util.find_spec("openseespylinux").origin).parent / "lib"
    for library in ("libquadmath.so.0", "libgfortran.so.4", "libblas.so.3", "liblapack.so.3"):
        ctypes.CDLL(folder / library, ctypes.RTLD_GLOBAL)
    import openseespy.opensees

    return openseespy.opensees


def opensees_run(steps):
    """Elastic beams with consistent mass and corotational transformation, four to a member; Newmark's mean acceleration,
    Newton's method, a banded solver: the examples of its documentation."""
    ops = opensees()
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Corotational", 1)
    area, inertia, modulus = 0.25, 0.5**4 / 12, 20e9
    count = 0

    def node(x, y):
        nonlocal count
        count += 1
        ops.node(count, x, y)
        return count

    elements = 0

    def member(one, other, density, load=0.0):
        nonlocal elements
        (x, y), (u, v) = ops.nodeCoord(one), ops.nodeCoord(other)
        chain = [one] + [node(x + k / 4 * (u - x), y + k / 4 * (v - y)) for k in (1, 2, 3)] + [other]
        for pair in zip(chain, chain[1:]):
            elements += 1
            ops.element("elasticBeamColumn", elements, *pair, area, modulus, inertia, 1, "-mass", density * area, "-cMass")
            if load:
                loaded.append((elements, load))

    loaded = []
    corners = [[node(6.0 * side, 3.0 * floor) for side in (0, 1)] for floor in range(6)]
    for below, above in zip(corners, corners[1:]):
        for side in (0, 1):
            member(below[side], above[side], 2400.0)
        member(*above, 15168.2, -FLOOR)
    frame = list(range(1, elements + 1))
    for foot in corners[0]:
        ops.fix(foot, 1, 1, 1)
    ops.timeSeries("Constant", 1)
    ops.pattern("Plain", 1, 1)
    for element, load in loaded:
        ops.eleLoad("-ele", element, "-type", "-beamUniform", load)

    def analysis(kind):
        ops.wipeAnalysis()
        ops.constraints("Transformation")
        ops.numberer("RCM")
        ops.system("BandGeneral")
        ops.test("NormDispIncr", 1e-10, 25)
        ops.algorithm("Newton")
        if kind == "Static":
            ops.integrator("LoadControl", 1.0)
        else:
            ops.integrator("Newmark", 0.5, 0.25)
        ops.analysis(kind)

    analysis("Static")
    if ops.analyze(1):
        raise RuntimeError("OpenSees does not find the equilibrium under the floors' weight")
    ops.loadConst("-time", 0.0)
    ops.region(1, "-ele", *frame, "-rayleigh", DAMPING * FIRST * ELEVENTH, 0.0, DAMPING, 0.0)
    # This version counts the inertial loads of ground motion twice where masses are those of elements (a cantilever shows it).
    ops.timeSeries("Trig", 2, 0.0, 10 * STOP, PERIOD, "-factor", SHAKING / 2)
    ops.pattern("UniformExcitation", 2, 1, "-accel", 2)
    analysis("Transient")

    def row():
        return [ops.nodeDisp(corners[floor][1], 1) for floor in (5, 2)]

    rows = [row()]
    parts = steps // (len(times) - 1)
    begun = time.process_time()
    for _ in times[1:]:
        if ops.analyze(parts, STOP / steps):
            raise RuntimeError("OpenSees does not come to the end")
        rows.append(row())
    return np.array(rows), time.process_time() - begun
