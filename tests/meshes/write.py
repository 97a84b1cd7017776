"""Writes the meshes of this folder with Gmsh (pip install gmsh; 4.15.2 was used): python3 tests/meshes/write.py"""

import math
import struct
from pathlib import Path

import gmsh

FOLDER = Path(__file__).parent


def model(name, size):
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add(name)
    geometry = gmsh.model.geo
    return geometry, lambda x, y: geometry.addPoint(x, y, 0, size)


def group(dimension, tags, name):
    gmsh.model.setPhysicalName(dimension, gmsh.model.addPhysicalGroup(dimension, tags), name)


def write(name, version=4.1, binary=0):
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.option.setNumber("Mesh.Binary", binary)
    gmsh.write(str(FOLDER / f"{name}.msh"))


def plate():
    """A plate of 3 m by 2 m with a half circle at its right end and a hole of radius 0.4 m about (1, 1)."""
    geometry, point = model("plate", 1.2)
    a, b, c, d = point(0, 0), point(3, 0), point(3, 2), point(0, 2)
    middle, tip = point(3, 1), point(4, 1)
    sole, top, wall = (geometry.addLine(*ends) for ends in ((a, b), (c, d), (d, a)))
    nose = [geometry.addCircleArc(b, middle, tip), geometry.addCircleArc(tip, middle, c)]
    centre = point(1, 1)
    ring = [point(1 + 0.4 * math.cos(k * math.pi / 2), 1 + 0.4 * math.sin(k * math.pi / 2)) for k in range(4)]
    hole = [geometry.addCircleArc(ring[k], centre, ring[(k + 1) % 4]) for k in range(4)]
    outside = geometry.addCurveLoop([sole, *nose, top, wall])
    surface = geometry.addPlaneSurface([outside, geometry.addCurveLoop(hole)])
    geometry.synchronize()
    group(1, [sole], "sole")
    group(1, nose, "nose")
    group(1, hole, "hole")
    group(0, [tip], "tip")
    group(0, [a], "left corner")
    group(2, [surface], "plate")


def plates():
    for order in range(1, 5):
        for version in (2.2, 4.1):
            for binary in (0, 1):
                plate()
                gmsh.model.mesh.generate(2)
                gmsh.model.mesh.setOrder(order)
                form = "binary" if binary else "text"
                write(f"plate_{order}_{str(version).replace('.', '')}_{form}", version, binary)
                gmsh.finalize()


def two():
    """Two unit squares side by side, whose common side is an edge of both."""
    geometry, point = model("two", 1.0)
    a, b, c, d, e, f = (point(x, y) for y in (0, 1) for x in (0, 1, 2))
    lines = {name: geometry.addLine(*ends) for name, ends in {"ab": (a, b), "bc": (b, c), "be": (b, e), "da": (d, a),
             "ed": (e, d), "cf": (c, f), "fe": (f, e)}.items()}
    loops = ([lines["ab"], lines["be"], lines["ed"], lines["da"]],
             [lines["bc"], lines["cf"], lines["fe"], -lines["be"]])
    left, right = (geometry.addPlaneSurface([geometry.addCurveLoop(loop)]) for loop in loops)
    geometry.synchronize()
    group(1, [lines["be"]], "joint")
    group(1, [lines["ab"], lines["bc"]], "floor")
    group(1, [lines["cf"]], "far")
    group(1, [lines["da"], lines["cf"]], "ends")
    group(2, [left], "left")
    group(2, [right], "right")
    gmsh.model.mesh.generate(2)
    write("two")
    gmsh.finalize()


def square(name, order=1, **options):
    geometry, point = model(name, 0.5)
    corners = [point(x, y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    loop = [geometry.addLine(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    geometry.addPlaneSurface([geometry.addCurveLoop(loop)])
    geometry.synchronize()
    for key, value in options.items():
        gmsh.option.setNumber("Mesh." + key, value)
    gmsh.model.mesh.generate(2)
    gmsh.model.mesh.setOrder(order)
    write(name)
    gmsh.finalize()


def squares(name, places, size, joined=False):
    """Unit squares at places of their lower left corners, those that follow the first with its corners where they are joined."""
    geometry, _ = model(name, size)
    corners, surfaces = {}, []
    for x, y in places:
        loop = []
        for at in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)):
            key = at if joined else (len(surfaces), at)
            corners.setdefault(key, None)
            corners[key] = corners[key] or geometry.addPoint(*at, 0, size)
            loop.append(corners[key])
        sides = [geometry.addLine(loop[k], loop[(k + 1) % 4]) for k in range(4)]
        surfaces.append((geometry.addPlaneSurface([geometry.addCurveLoop(sides)]), sides))
    geometry.synchronize()
    return surfaces


def pieces():
    """Bodies of two squares that no side of a triangle connects: apart, side by side with nodes of their own, at a corner, over each
    other."""
    for name, second, joined in (("apart", (1.5, 0), False), ("beside", (1, 0), False), ("corner", (1, 1), True),
                                 ("overlap", (0.5, 0), False)):
        (left, sides), (right, _) = squares(name, [(0, 0), second], 0.5, joined)
        group(1, [sides[3]], "left")
        group(2, [left, right], "body")
        gmsh.model.mesh.generate(2)
        write(name)
        gmsh.finalize()


def numbers():
    """Two squares with a common side as in `two`, whose groups have numbers alone."""
    geometry, point = model("numbers", 1.0)
    a, b, c, d, e, f = (point(x, y) for y in (0, 1) for x in (0, 1, 2))
    ab, bc, be, da, ed, cf, fe = (geometry.addLine(*ends) for ends in ((a, b), (b, c), (b, e), (d, a), (e, d), (c, f), (f, e)))
    loops = [ab, be, ed, da], [bc, cf, fe, -be]
    left, right = (geometry.addPlaneSurface([geometry.addCurveLoop(loop)]) for loop in loops)
    geometry.synchronize()
    gmsh.model.addPhysicalGroup(1, [da], 11)
    gmsh.model.addPhysicalGroup(2, [left], 1)
    gmsh.model.addPhysicalGroup(2, [right], 2)
    gmsh.model.mesh.generate(2)
    write("numbers_41")
    write("numbers_22", 2.2)
    gmsh.finalize()


def points():
    """A square with a named point, a group of two, and a second name for the first."""
    geometry, point = model("points", 0.5)
    corners = [point(x, y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    loop = [geometry.addLine(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    surface = geometry.addPlaneSurface([geometry.addCurveLoop(loop)])
    geometry.synchronize()
    group(0, [corners[2]], "tip")
    group(0, [corners[2]], "top")
    group(0, [corners[1], corners[2]], "free")
    group(1, [loop[3]], "left")
    group(2, [surface], "plate")
    gmsh.model.mesh.generate(2)
    write("points")
    gmsh.finalize()


def beam():
    """A beam of 1 m by 0.1 m in linear triangles, two over its height."""
    geometry, point = model("beam", 0.05)
    corners = [point(x, y) for x, y in ((0, 0), (1, 0), (1, 0.1), (0, 0.1))]
    loop = [geometry.addLine(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    surface = geometry.addPlaneSurface([geometry.addCurveLoop(loop)])
    geometry.synchronize()
    group(0, [corners[2]], "tip")
    group(1, [loop[3]], "left")
    group(1, [loop[1]], "right")
    group(2, [surface], "beam")
    gmsh.model.mesh.generate(2)
    write("beam")
    gmsh.finalize()


class Swapped:
    """Turns the bytes of every number of a binary file."""

    def __init__(self, name):
        self.data, self.at = (FOLDER / f"{name}.msh").read_bytes(), 0
        self.out = bytearray()

    def text(self, end):
        stop = self.data.index(end, self.at) + len(end)
        self.out += self.data[self.at:stop]
        self.at = stop

    def take(self, form):
        size = struct.calcsize("<" + form)
        values = struct.unpack("<" + form, self.data[self.at:self.at + size])
        self.out += struct.pack(">" + form, *values)
        self.at += size
        return values

    def finish(self, name):
        self.out += self.data[self.at:]
        (FOLDER / f"{name}.msh").write_bytes(self.out)


def big_endian_4():
    file = Swapped("plate_2_41_binary")
    file.text(b" 8\n")
    file.take("i")
    file.text(b"$Entities\n")
    counts = file.take("4Q")
    for dimension, count in enumerate(counts):
        for _ in range(count):
            file.take("i" + ("3d" if dimension == 0 else "6d"))
            file.take(f"{file.take('Q')[0]}i")
            if dimension:
                file.take(f"{file.take('Q')[0]}i")
    file.text(b"$Nodes\n")
    for _ in range(file.take("4Q")[0]):
        count = file.take("3iQ")[3]
        file.take(f"{count}Q")
        file.take(f"{3 * count}d")
    file.text(b"$Elements\n")
    for _ in range(file.take("4Q")[0]):
        *_, kind, count = file.take("3iQ")
        file.take(f"{count * (1 + {15: 1, 8: 3, 9: 6}[kind])}Q")
    file.finish("plate_2_41_big_endian")


def big_endian_2():
    file = Swapped("plate_2_22_binary")
    file.text(b" 8\n")
    file.take("i")
    file.text(b"$Nodes\n")
    start = file.at
    file.text(b"\n")
    for _ in range(int(file.data[start:file.at])):
        file.take("i")
        file.take("3d")
    file.text(b"$Elements\n")
    start = file.at
    file.text(b"\n")
    left = int(file.data[start:file.at])
    while left:
        kind, run, tags = file.take("3i")
        file.take(f"{run * (1 + tags + {15: 1, 8: 3, 9: 6}[kind])}i")
        left -= run
    file.finish("plate_2_22_big_endian")


plates()
big_endian_4()
big_endian_2()
two()
square("quadrangles", RecombineAll=1)
square("incomplete", order=3, SecondOrderIncomplete=1)
square("fifth_order", order=5)
square("nameless", order=2)
pieces()
numbers()
points()
beam()
