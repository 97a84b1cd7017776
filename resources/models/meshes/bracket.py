"""Writes bracket.msh with Gmsh (pip install gmsh; 4.15.2 was used): python3 resources/models/meshes/bracket.py"""

import math
from pathlib import Path

import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.add("bracket")
geometry = gmsh.model.geo


def point(x, y, size):
    return geometry.addPoint(x, y, 0, size)


# An angle of two legs 120 mm long and 20 mm wide with a fillet of 15 mm, and a bore of 12 mm in the upper leg's end.
coarse, fine = 0.014, 0.006
corners = [(0, 0), (0.12, 0), (0.12, 0.02), (0.035, 0.02), (0.02, 0.035), (0.02, 0.11), (0, 0.11)]
p = [point(x, y, fine if k in (3, 4) else coarse) for k, (x, y) in enumerate(corners)]
fillet, top, bore = point(0.035, 0.035, fine), point(0.01, 0.11, coarse), point(0.01, 0.11, fine)
head = point(0.01, 0.12, fine)
lines = [geometry.addLine(p[k], p[k + 1]) for k in (0, 1, 2)]
lines.append(geometry.addCircleArc(p[4], fillet, p[3]))
upper = [geometry.addLine(p[4], p[5]), geometry.addCircleArc(p[5], top, head), geometry.addCircleArc(head, top, p[6])]
back = geometry.addLine(p[6], p[0])
ring = [point(0.01 + 0.006 * math.cos(k * math.pi / 2), 0.11 + 0.006 * math.sin(k * math.pi / 2), fine) for k in range(4)]
circle = [geometry.addCircleArc(ring[k], bore, ring[(k + 1) % 4]) for k in range(4)]
outside = geometry.addCurveLoop([*lines[:3], -lines[3], *upper, back])
surface = geometry.addPlaneSurface([outside, geometry.addCurveLoop(circle)])
geometry.synchronize()
for dimension, tags, name in (
    (1, lines[:1], "sole"),
    (1, circle, "bore"),
    (0, [head], "head"),
    (0, [p[4]], "fillet"),
    (2, [surface], "bracket"),
):
    gmsh.model.setPhysicalName(dimension, gmsh.model.addPhysicalGroup(dimension, tags), name)
gmsh.option.setNumber("Mesh.ElementOrder", 2)
gmsh.model.mesh.generate(2)
gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
gmsh.write(str(Path(__file__).with_suffix(".msh")))
gmsh.finalize()
