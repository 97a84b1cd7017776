"""Writes quick_return_blocks.msh with Gmsh (pip install gmsh; 4.15.2 was used): python3 resources/models/meshes/quick_return_blocks.py"""

import math
from pathlib import Path

import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.add("quick_return_blocks")
geometry = gmsh.model.geo

# The mechanism at the dead centre: the crank stands normal to the arm.
ARM, CRANK, LINK, PIVOT, GUIDE, BORE = 1.0, 0.2, 0.25, 0.5, 1.05, 0.01495
sine = CRANK / PIVOT
cosine = math.sqrt(1 - sine**2)
s = (CRANK * cosine, PIVOT - CRANK * sine)
n = (ARM * sine - math.sqrt(LINK**2 - (GUIDE - ARM * cosine) ** 2), GUIDE)


def block(name, middle, along, length, height, cells):
    """A block whose long sides run `along`, with a ring of 12 sides of triangles around its middle."""
    across = (-along[1], along[0])

    def point(x, y):
        return geometry.addPoint(*(middle[i] + x * along[i] + y * across[i] for i in (0, 1)), 0)

    corners = [point(x * length / 2, y * height / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    sides = [geometry.addLine(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    centre = geometry.addPoint(*middle, 0)
    quarters = [point(BORE * math.cos(k * math.pi / 2), BORE * math.sin(k * math.pi / 2)) for k in range(4)]
    ring = [geometry.addCircleArc(quarters[k], centre, quarters[(k + 1) % 4]) for k in range(4)]
    loop = geometry.addCurveLoop(ring)
    surfaces = [geometry.addPlaneSurface([geometry.addCurveLoop(sides), loop]), geometry.addPlaneSurface([loop])]
    for curves, count in ((sides[0::2], cells[0]), (sides[1::2], cells[1]), (ring, 3)):
        for curve in curves:
            geometry.mesh.setTransfiniteCurve(curve, count + 1)
    geometry.synchronize()
    for curves, edge in ((sides[:1], "right"), (sides[2:3], "left"), (ring, "ring")):
        gmsh.model.setPhysicalName(1, gmsh.model.addPhysicalGroup(1, curves), f"{name}_{edge}")
    gmsh.model.setPhysicalName(2, gmsh.model.addPhysicalGroup(2, surfaces), name)


block("S", s, (sine, cosine), 0.08284, 0.0598, (4, 3))
block("N", n, (1.0, 0.0), 0.1606, 0.1, (4, 3))
gmsh.option.setNumber("Mesh.ElementOrder", 3)
gmsh.model.mesh.generate(2)
gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
gmsh.write(str(Path(__file__).with_suffix(".msh")))
gmsh.finalize()
