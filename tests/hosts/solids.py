"""Plane solids, alone and sliding on each other's edges, beside numbers of an independent solver.

Rows of the table of problems.py, as those of connectors.py.
"""

import re
import shutil

import numpy as np

import harness
from harness import frequencies, reference, text_of, without
from row import Row

SECTION = "Plane solids"

SQUARE = """
name = "square"
solver.step = 0.01
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
c = [1.0, 1.0]
d = [0.0, 1.0]
[materials]
unit = { young_modulus = 1.0, poisson_ratio = 0.3, density = 1.0 }
[bodies.plate]
material = "unit"
thickness = 1.0
state = "STATE"
[bodies.plate.patch]
cells = [8, 8]
edges = [
  { name = "bottom", from = "a", to = "b" },
  { name = "right", from = "b", to = "c" },
  { name = "top", from = "c", to = "d" },
  { name = "left", from = "d", to = "a" },
]
SUPPORT[interface]
outputs = ["points.c.x"]
"""

WALL = """
[supports]
wall = { edge = "plate.left", fix = ["x", "y"] }
"""


def membrane():
    text = text_of("cooks_membrane")
    for (order, cells), theirs in {
        (1, 32): 23.8155,
        (1, 64): 23.9240,
        (2, 16): 23.9510,
        (2, 32): 23.9614,
        (3, 8): 23.9504,
        (3, 16): 23.9615,
        (4, 16): 23.9646,
    }.items():
        model = text.replace("order = 3", f"order = {order}").replace("[16, 16]", f"[{cells}, {cells}]")
        result = harness.simulate(harness.pack(model, f"cook_{order}_{cells}"))
        ours = (result["points.middle.y"][-1] - 52) / 1e-6
        quantity = f"Cook's membrane, order {order}, {cells} × {cells}: displacement"
        yield Row(SECTION, quantity, ours, theirs, 1e-4 * theirs, "solver")


def squares():
    clamped, free = SQUARE.replace("SUPPORT", WALL), SQUARE.replace("SUPPORT", "")
    for what, text, state, known in (
        ("clamped", clamped, "plane_stress", (0.65849, 1.57979, 1.77223, 2.81597, 3.03747)),
        ("clamped", clamped, "plane_strain", (0.67853, 1.66342, 1.81896)),
        ("free", free, "plane_stress", (0.0, 0.0, 0.0, 2.43265, 2.59097, 2.59097, 2.75536, 3.13164)),
        ("free", free, "plane_strain", (0.0, 0.0, 0.0, 2.44107, 2.68662, 2.68662)),
    ):
        found = frequencies(text.replace("STATE", state), f"square_{what}_{state}", len(known))
        for mode, (ours, theirs) in enumerate(zip(found, known), 1):
            quantity = f"{what} unit square, {state.replace('_', ' ')}: mode {mode}"
            yield Row(SECTION, quantity, ours, theirs, 1.1e-5, "solver", "rad/s")


PULLS = 0.1, 1.0, 10.0, 50.0, 100.0, 200.0, 300.0  # mm

FREE_FACES = """
[supports]
left_middle = { point = "left_middle", fix = ["y"] }
right_middle = { point = "right_middle", fix = ["y"] }
"""


def with_free_faces(text):
    """The rods with the middles of their clamped faces held along y, and not their other nodes."""
    for part, other in {
        'edge = "left.wall"\nfix = ["x", "y"]': 'edge = "left.wall"\nfix = ["x"]',
        '[supports.right]\nedge = "right.wall"\nfix = ["y"]\n': "",
        "[points]\n": '[points]\nleft_middle = [0.0, 0.0]\nright_middle = ["2*L", 0.0]\n',
        "[bodies.left]\n": '[bodies.left]\npoints = ["left_middle"]\n',
        "[bodies.right]\n": '[bodies.right]\npoints = ["right_middle"]\n',
    }.items():
        assert text.count(part) == 1, part
        text = text.replace(part, other)
    return text + FREE_FACES


def rods():
    # With the angle of the faces that slide, by their corners, and 1 mm in a step of the solver.
    text = text_of("doubly_bent_beams_solid").replace('outputs = [', 'outputs = ["points.b.*", "points.c.*", ')
    text = text.replace("step = 0.1\n", "step = 1.0\n", 1)
    at_2 = 3.00083, 7.93992, 10.03151, 8.84477, 7.23746, 5.02782, 3.67379
    at_tenth = 11.20403, 11.58526, 11.21475, 9.33428, 7.55109, 5.21200, 3.80068
    for what, model, degrees, known, elastica in (
        ("φ₀ = 2°", text, 2.0, (3.00338, 7.94553, 10.03805, 8.84993, 7.24123, 5.02997, 3.67512), at_2),
        (
            "φ₀ = 2°, ν = 0",
            text.replace("poisson_ratio = 0.3", "poisson_ratio = 0.0", 1),
            2.0,
            (3.00082, 7.93990, 10.03159, 8.84482, 7.23749, 5.02782, 3.67378),
            at_2,
        ),
        (
            "φ₀ = 2°, free faces",
            with_free_faces(text),
            2.0,
            (3.00081, 7.93987, 10.03156, 8.84481, 7.23748, 5.02782, 3.67379),
            at_2,
        ),
        ("φ₀ = 0.1°", text, 0.1, (11.20599, 11.59275, 11.22182, 9.33961, 7.55494, 5.21418, 3.80201), at_tenth),
    ):
        fmu = harness.pack(model, "rods_of_solids")
        first, all = (
            harness.simulate(fmu, step=step, stop=stop, start_values={"parameters.phi0": np.radians(degrees)})
            for step, stop in ((0.1, 0.1), (1.0, 300.0))
        )
        key = "motions.pull.reaction"
        forces = [first[key][-1], *np.interp(PULLS[1:], all["time"], all[key])]
        for u, force, theirs, exact in zip(PULLS, forces, known, elastica):
            quantity = f"rods that slide on a bar, {what}: force at {u:g} mm"
            yield Row(SECTION, quantity, force, theirs, 1e-4 * theirs, "solver", "N")
            yield Row(SECTION, quantity, force, exact, 1e-3 * exact, "exact", "N")
        if what == "φ₀ = 2°":
            x, y = (all[f"points.c.{key}"][-1] - all[f"points.b.{key}"][-1] for key in "xy")
            quantity = f"rods that slide on a bar, {what}: angle of the bar at 300 mm"
            yield Row(SECTION, quantity, np.degrees(np.arctan2(-x, y)), 59.74, 0.01, "solver", "°")
    # 0.08 kg on each of the faces that slide.
    masses = "".join(f'[masses.{corner}]\npoint = "{corner}"\nmass = 0.04\n' for corner in "bcei")
    for degrees, known in (("0.0", (12.15, 67.48, 70.78)), ("0.5", (23.41, 67.47, 148.57)), ("2.0", (25.34, 67.31, 503.49))):
        model = text.replace("deg(2)", f"deg({degrees})") + masses
        for mode, (ours, theirs) in enumerate(zip(frequencies(model, "rods_of_solids_modes", 3), known), 1):
            quantity = f"rods that slide on a bar, φ₀ = {degrees}°: mode {mode}"
            yield Row(SECTION, quantity, ours, theirs, 1e-4 * theirs + 0.005, "solver", "rad/s")


def isolators():
    fmu = harness.pack(harness.ROOT / "tests" / "models" / "isolator.toml")
    for radius, theirs in ((0.24765, 0.27681), (0.9, 0.93003)):
        result = harness.simulate(fmu, start_values={"parameters.radius": radius})
        # The pendulum's force at 10 mm, W u/√(d² − u²).
        ours = np.hypot(510e3 * 0.01 / result["motions.aside.reaction"][-1], 0.01)
        quantity = f"loaded isolator of {radius} m: distance of centres, from its stiffness"
        yield Row(SECTION, quantity, ours, radius + 0.03, 0.01 * (radius + 0.03), "exact", "m")
        yield Row(SECTION, quantity, ours, theirs, 0.01 * theirs, "solver", "m")
    smooth = text_of("isolated_building").replace("roughness = 1e-4", "roughness = 0.0").replace('"motions.*", ', "")
    smooth = without(smooth, "motions.horizontal", "motions.vertical")
    for radius, theirs in ((0.24765, 4.071), (0.9, 2.633)):
        model = smooth.replace("radius = 0.24765", f"radius = {radius}")
        (ours,) = frequencies(model, f"isolators_{radius}", 1)
        yield Row(SECTION, f"building on isolators of {radius} m: mode 1", ours, theirs, 0.01 * theirs, "solver", "rad/s")


AXLE = """
[bodies.axle]
material = "arm"
thickness = 0.0598
state = "plane_stress"
outline = { size = 0.01, edges = [{ name = "rim", circle = { center = "B", radius = "bore" } }] }
[supports]
axle = { edge = "axle.rim", fix = ["x", "y"] }
"""


def with_all_nodes(text):
    """The quick return of solids with all nodes of every hole on the circle in it; the crank alone is turned by the mean place of its bore."""
    for hole, before, on in (
        ("arm.hole_B", "B", "axle.rim"),
        ("crank.hole_S", "S.S_ring", "S.S_ring"),
        ("link.hole_N", "N.N_ring", "N.N_ring"),
        ("arm.hole_A", "link.hole_A", "link.hole_A"),
    ):
        part = f'"{hole}", on = "{before}" }}'
        assert text.count(part) == 1, part
        text = text.replace(part, f'"{hole}", on = "{on}", nodes = "all" }}')
    return text + AXLE


def with_mean_sides(text):
    """One side of each slider by its mean places: one mean normal, one mean moment."""
    return without(text, "joints.S_right", "joints.N_right").replace('nodes = "all"', 'nodes = "mean"')


def solid_quick_return():
    section = "Quick return of plane solids"
    model = harness.ROOT / "resources" / "models" / "quick_return_solid.toml"
    shutil.copytree(model.parent / "meshes", harness.FOLDER / "meshes", dirs_exist_ok=True)
    masses = re.findall(r"^(\w+): .*?mass: ([\d.]+) kg", harness.coulisse("mesh", model), re.DOTALL | re.MULTILINE)
    for (body, mass), theirs in zip(masses, (6.3129, 1.3785, 1.6869, 0.3100, 2.4999), strict=True):
        yield Row(section, f"mass of {body}", float(mass), theirs, 1e-4, "solver", "kg")
    text = model.read_text()
    for what, variant, known in (
        ("mean place of holes", text, (21.884, 1.814, 1.091)),
        ("all nodes of holes", with_all_nodes(text), (21.876, 1.8092, 1.0881, 0.8490)),
        ("ends of sliding sides", text.replace('nodes = "all"', 'nodes = "ends"'), (22.049,)),
        ("mean places of sliding sides", with_mean_sides(text), (22.19,)),
    ):
        found = frequencies(variant, f"quick_return_solid_{what.split()[0]}_{what.split()[-1]}", len(known))
        for mode, (ours, theirs) in enumerate(zip(found, known), 1):
            quantity = f"crank held, {what}: period {mode}"
            yield Row(section, quantity, 2e3 * np.pi / ours, theirs, 1e-3 * theirs, "solver", "ms")
    cycle = harness.simulate(harness.pack(model), stop=0.4, step=2e-4)
    result = cycle[cycle["time"] < 0.1 + 1e-9]
    theirs = reference("quick_return_solid_0.1s")
    for what, ours, column, tolerance, unit in (
        ("deflection", "probes.tip_deflection", "defl_A", 1e-4, "m"),
        ("velocity of N", "points.N.vx", "vN", 0.03, "m/s"),
    ):
        worst = np.max(np.abs(result[ours] - np.interp(result["time"], theirs["t"], theirs[column])))
        yield Row(section, f"first 0.1 s: {what}, largest difference", worst, 0.0, tolerance, "solver", unit)
    for end, ours in (("largest", np.max), ("least", np.min)):
        peak = ours(theirs["defl_A"])
        yield Row(section, f"first 0.1 s: {end} deflection", ours(result["probes.tip_deflection"]), peak, 1e-4, "solver", "m")
    peak = np.max(np.abs(theirs["S_resultant"]))
    force = resultant(result, "S_left", "S_right")
    yield Row(section, "first 0.1 s: largest force of S", np.max(force), peak, 0.02 * peak, "solver", "N")
    for what, key, unit, peaks in (
        ("deflection", "probes.tip_deflection", "m", ((np.argmax, 6.005e-3, 0.3027), (np.argmin, -5.707e-3, 0.3664))),
        ("velocity of N", "points.N.vx", "m/s", ((np.argmax, 10.933, 0.3322), (np.argmin, -5.111, 0.1121))),
    ):
        for find, peak, time in peaks:
            at = find(cycle[key])
            end = f"first cycle: {'largest' if find is np.argmax else 'least'} {what}"
            yield Row(section, end, cycle[key][at], peak, 0.02 * abs(peak), "solver", unit)
            yield Row(section, f"{end} at", cycle["time"][at], time, 1e-3, "solver", "s")
    # It returns where N turns round, long after the start.
    time, speed = cycle["time"], cycle["points.N.vx"]
    turns = np.flatnonzero((speed[:-1] < 0) & (speed[1:] >= 0) & (time[1:] > 0.1))[0]
    returns = np.interp(0.0, speed[turns : turns + 2], time[turns : turns + 2])
    yield Row(section, "first cycle: N returns from", returns, 0.2487, 1e-3, "solver", "s")
    # Its pins hold all nodes: with mean pins it finds other forces itself, by up to 5 %.
    for what, joints, peak, mean in (
        ("N", ("N_right", "N_left"), 582.8, 254.0),
        ("S", ("S_right", "S_left"), 5539.0, 2203.0),
        ("A", ("link_A",), 1533.0, 836.0),
        ("B", ("B",), 3642.0, 1259.0),
    ):
        force = resultant(cycle, *joints)
        yield Row(section, f"first cycle: largest force at {what}", np.max(force), peak, 0.05 * peak, "solver", "N")
        rms = np.sqrt(np.mean(force**2))
        yield Row(section, f"first cycle: force at {what}, root mean square", rms, mean, 0.02 * mean, "solver", "N")


def resultant(result, *joints):
    """Size of the sum of the forces of joints."""
    return np.hypot(*(sum(result[f"joints.{joint}.{key}"] for joint in joints) for key in ("fx", "fy")))


SECTIONS = membrane, squares, rods, isolators, solid_quick_return
