"""Writes the drawings of this folder with ezdxf (`pip install ezdxf numpy`), and `moments.tsv` with the area and the moments of what
each encloses, by closed forms; those of B-splines by Gauss quadrature with the evaluator of ezdxf."""

import math
from pathlib import Path

import ezdxf
import numpy
from ezdxf.math import BSpline

HERE = Path(__file__).parent
MM, INCH, M = 4, 1, 6


class Area:
    """∫ 1, x, y, x², y², xy dA."""

    def __init__(self, sums):
        self.sums = numpy.array(sums, dtype=float)

    def __add__(self, other):
        return Area(self.sums + other.sums)

    def __sub__(self, other):
        return Area(self.sums - other.sums)

    def mapped(self, matrix, shift):
        """Of the image under x → matrix x + shift."""
        a, sx, sy, xx, yy, xy = self.sums
        m, d = numpy.array(matrix, dtype=float), numpy.array(shift, dtype=float)
        first = m @ [sx, sy]
        second = m @ [[xx, xy], [xy, yy]] @ m.T
        second = second + numpy.outer(first, d) + numpy.outer(d, first) + a * numpy.outer(d, d)
        first = first + a * d
        sums = [a, *first, second[0, 0], second[1, 1], second[0, 1]]
        return Area(abs(numpy.linalg.det(m)) * numpy.array(sums))

    def moved(self, x, y):
        return self.mapped(numpy.eye(2), (x, y))

    def turned(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        return self.mapped([[c, -s], [s, c]], (0, 0))

    def central(self, scale):
        a, sx, sy, xx, yy, xy = self.sums
        x, y = sx / a, sy / a
        second = [xx - a * x * x, yy - a * y * y, xy - a * x * y]
        return [a * scale**2, x * scale, y * scale, *(s * scale**4 for s in second)]


def polygon(*points):
    sums = numpy.zeros(6)
    for (a, b), (c, d) in zip(points, points[1:] + points[:1]):
        cross = a * d - c * b
        sums += cross * numpy.array([
            1 / 2, (a + c) / 6, (b + d) / 6, (a * a + a * c + c * c) / 12, (b * b + b * d + d * d) / 12,
            (a * d + 2 * a * b + 2 * c * d + c * b) / 24,
        ])
    return Area(sums if sums[0] > 0 else -sums)


def rectangle(width, height):
    """From the origin to the right and up."""
    return polygon((0, 0), (width, 0), (width, height), (0, height))


def disc(radius):
    i = math.pi * radius**4 / 4
    return Area([math.pi * radius**2, 0, 0, i, i, 0])


def sector(radius, start, end):
    """Around the origin between two angles in degrees."""
    half = math.radians(end - start) / 2
    a, first, i = half * radius**2, 2 / 3 * radius**3 * math.sin(half), radius**4 / 4
    own = Area([a, first, 0, i * (half + math.sin(2 * half) / 2), i * (half - math.sin(2 * half) / 2), 0])
    return own.turned(math.radians(start + end) / 2)


def segment(radius, start, end):
    """Between an arc of at most half a turn and its chord."""
    a, b = (math.radians(x) for x in (start, end))
    at = lambda t: (radius * math.cos(t), radius * math.sin(t))
    return sector(radius, start, end) - polygon((0, 0), at(a), at(b))


def inside_splines(*loops):
    """Around counter-clockwise loops of B-splines and lines (as pairs of points)."""
    nodes, weights = numpy.polynomial.legendre.leggauss(40)
    sums = numpy.zeros(6)
    for piece in loops:
        if isinstance(piece, BSpline):
            knots = sorted(set(piece.knots()))
            spans = [(a, b) for a, b in zip(knots, knots[1:])]
        else:
            spans = [(0.0, 1.0)]
        for a, b in spans:
            for node, weight in zip(nodes, weights):
                t = a + (b - a) * (node + 1) / 2
                if isinstance(piece, BSpline):
                    at, slope = piece.derivative(t, 1)
                    x, y, dx, dy = at.x, at.y, slope.x, slope.y
                else:
                    (x0, y0), (x1, y1) = piece
                    x, y, dx, dy = x0 + t * (x1 - x0), y0 + t * (y1 - y0), x1 - x0, y1 - y0
                w = weight * (b - a) / 2
                sums += w * numpy.array([
                    (x * dy - y * dx) / 2, x * x * dy / 2, -y * y * dx / 2, x**3 * dy / 3, -y**3 * dx / 3, x * x * y * dy / 2,
                ])
    return Area(sums)


ROWS = []
LENGTHS = {MM: 1e-3, INCH: 0.0254, M: 1.0}


def drawing(name, draw, area, version="R2000", unit=MM, fmt="asc", scale=None):
    document = ezdxf.new(version)
    if version != "R12":
        document.header["$INSUNITS"] = unit
    draw(document.modelspace())
    # Nothing that differs from one day to the next.
    for variable in ("$TDCREATE", "$TDUPDATE", "$TDUCREATE", "$TDUUPDATE", "$FINGERPRINTGUID", "$VERSIONGUID"):
        if variable in document.header:
            del document.header[variable]
    document.saveas(HERE / f"{name}.dxf", fmt=fmt)
    length = scale or LENGTHS[unit]
    values = " ".join(repr(float(value)) for value in area.central(length))
    ROWS.append(f"{name}\t{scale or ''}\t{values}")


def layer(name, **rest):
    return {"layer": name, **rest}


def lines(space, points, layers=("0",)):
    for k, (a, b) in enumerate(zip(points, points[1:] + points[:1])):
        space.add_line(a, b, layer(layers[k % len(layers)]))


def rounded(space, w, h, r, layers=("0",)):
    """Lines and arcs in no order; every second line runs backwards."""
    at = lambda k: layer(layers[k % len(layers)])
    space.add_arc((w - r, h - r), r, 0, 90, dxfattribs=at(5))
    space.add_line((r, 0), (w - r, 0), at(0))
    space.add_arc((r, r), r, 180, 270, dxfattribs=at(7))
    space.add_line((0, r), (0, h - r), at(3))
    space.add_arc((w - r, r), r, 270, 360, dxfattribs=at(4))
    space.add_line((r, h), (w - r, h), at(2))
    space.add_arc((r, h - r), r, 90, 180, dxfattribs=at(6))
    space.add_line((w, r), (w, h - r), at(1))


def rounded_area(w, h, r):
    area = rectangle(w, h)
    corner = (rectangle(r, r) - sector(r, 180, 270).moved(r, r))
    area -= corner
    area -= corner.turned(math.pi / 2).moved(w, 0)
    area -= corner.turned(math.pi).moved(w, h)
    area -= corner.turned(-math.pi / 2).moved(0, h)
    return area


SIDES = ["bottom", "right", "top", "left", "corner", "corner", "corner", "corner"]

drawing("rectangle", lambda s: lines(s, [(10, 20), (110, 20), (110, 70), (10, 70)], ["bottom", "right", "top", "left"]),
        rectangle(100, 50).moved(10, 20))
drawing("clockwise", lambda s: s.add_lwpolyline([(0, 0), (0, 3), (2, 3), (2, 0)], close=True),
        rectangle(2, 3), version="R2010", unit=INCH)
drawing("slot", lambda s: s.add_lwpolyline([(0, -5, 0), (40, -5, 1), (40, 5, 0), (0, 5, 1)], format="xyb", close=True),
        rectangle(40, 10).moved(0, -5) + sector(5, -90, 90).moved(40, 0) + sector(5, 90, 270), version="R2010")
drawing("disc", lambda s: s.add_circle((0.2, -0.1), 0.05, layer("rim")), disc(0.05).moved(0.2, -0.1),
        version="R2018", unit=M, fmt="bin")
drawing("ring", lambda s: (s.add_circle((3, 4), 20, layer("bore")), s.add_circle((3, 4), 50, layer("rim"))),
        (disc(50) - disc(20)).moved(3, 4))


def plate(s):
    for k, (x, y) in enumerate([(20, 20), (80, 20), (80, 40), (20, 40)]):
        s.add_circle((x, y), 4 + k, layer("holes"))
    lines(s, [(0, 0), (100, 0), (100, 60), (0, 60)], ["outline"])
    s.add_text("Platte", dxfattribs=layer("text"))


drawing("plate", plate, rectangle(100, 60) - disc(4).moved(20, 20) - disc(5).moved(80, 20) - disc(6).moved(80, 40)
        - disc(7).moved(20, 40), version="R2013")
drawing("sector", lambda s: (s.add_line((0, 0), (30, 0)), s.add_arc((0, 0), 30, 0, 270), s.add_line((0, 0), (0, -30))),
        sector(30, 0, 270))
drawing("half", lambda s: (s.add_arc((5, 5), 10, 200, 20), s.add_line(
    (5 + 10 * math.cos(math.radians(20)), 5 + 10 * math.sin(math.radians(20))),
    (5 + 10 * math.cos(math.radians(200)), 5 + 10 * math.sin(math.radians(200))))),
        sector(10, 200, 380).moved(5, 5))
drawing("profile", lambda s: s.add_polyline2d([(0, 0), (60, 0), (60, 8), (8, 8), (8, 90), (0, 90)], close=True),
        rectangle(60, 8) + rectangle(8, 82).moved(0, 8), version="R12", scale=1e-3)
drawing("rounded", lambda s: rounded(s, 80, 50, 12, SIDES), rounded_area(80, 50, 12))
drawing("rounded_binary", lambda s: rounded(s, 80, 50, 12, ["Außen", "rechts ø"]), rounded_area(80, 50, 12),
        version="R2018", fmt="bin")
drawing("rounded_r12", lambda s: rounded(s, 80, 50, 12), rounded_area(80, 50, 12), version="R12", fmt="bin", scale=1e-3)


def mirrored(s):
    below = {"extrusion": (0, 0, -1)}
    # An arc from below runs clockwise, and its x are turned round.
    s.add_arc((-10, 0), 10, -90, 90, dxfattribs=below)
    s.add_lwpolyline([(-10, 10, 0), (-30, 10, 0.5), (-30, -10, 0), (-10, -10, 0)], format="xyb", dxfattribs=below)


HALF = 2 * math.degrees(math.atan(0.5))
RADIUS = 10 / math.sin(math.radians(HALF))
drawing("mirrored", mirrored, rectangle(20, 20).moved(10, -10) + sector(10, 90, 270).moved(10, 0)
        + segment(RADIUS, -HALF, HALF).moved(30 - RADIUS * math.cos(math.radians(HALF)), 0), version="R2004")
ANGLE = 2 * math.degrees(math.atan(0.3))
ARC = 20 / math.sin(math.radians(ANGLE))
drawing("lens", lambda s: s.add_lwpolyline([(0, -20, 0.3), (0, 20, 0.3)], format="xyb", close=True),
        segment(ARC, -ANGLE, ANGLE).moved(-ARC * math.cos(math.radians(ANGLE)), 0)
        + segment(ARC, 180 - ANGLE, 180 + ANGLE).moved(ARC * math.cos(math.radians(ANGLE)), 0))
# Two arcs between (0, -3) and (0, 3): of a circle around (4, 0) by 2π − 2β, and of one around (-4, 0) by 2β inside of it.
BETA = math.degrees(math.atan2(3, 4))
drawing("crescent", lambda s: (s.add_arc((4, 0), 5, 180 + BETA, 180 - BETA), s.add_arc((-4, 0), 5, -BETA, BETA)),
        disc(5).moved(4, 0) - segment(5, 180 - BETA, 180 + BETA).moved(4, 0) - segment(5, -BETA, BETA).moved(-4, 0), unit=MM)
TURN = 0.4


def elliptic(s):
    s.add_ellipse((7, -2), (40 * math.cos(TURN), 40 * math.sin(TURN)), 0.6, dxfattribs=layer("rim"))
    s.add_circle((7, -2), 10, layer("bore"))


drawing("ellipse", elliptic, (disc(1).mapped([[40, 0], [0, 24]], (0, 0)).turned(TURN) - disc(10)).moved(7, -2))
drawing("half_ellipse", lambda s: (s.add_ellipse((0, 0), (30, 0), 0.1, math.pi, 2 * math.pi), s.add_line((-30, 0), (30, 0))),
        sector(1, 180, 360).mapped([[30, 0], [0, 3]], (0, 0)))
W = math.sqrt(0.5)
drawing("nurbs_disc", lambda s: s.add_rational_spline(
    [(9, 0), (9, 9), (0, 9), (-9, 9), (-9, 0), (-9, -9), (0, -9), (9, -9), (9, 0)], [1, W, 1, W, 1, W, 1, W, 1], degree=2,
    knots=[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]), disc(9), version="R2018")
POLE = [(0, 0), (10, -8), (30, -4), (50, 10), (60, 0)]
UP = [(60, 0), (55, 30), (30, 20), (10, 34), (0, 0)]
drawing("blade", lambda s: (s.add_open_spline(POLE, 3), s.add_open_spline(UP, 3)),
        inside_splines(BSpline(POLE), BSpline(UP)), version="R2018")
drawing("foil", lambda s: (s.add_open_spline(UP, 4, dxfattribs=layer("upper")), s.add_line((0, 0), (60, 0), layer("chord"))),
        inside_splines(((0, 0), (60, 0)), BSpline(UP, 5)), version="R2010")
TEETH = 12


def gear(s):
    """Teeth between two circles around a bore."""
    step = 360 / TEETH
    at = lambda r, a: (r * math.cos(math.radians(a)), r * math.sin(math.radians(a)))
    for k in range(TEETH):
        a = k * step
        s.add_arc((0, 0), 30, a, a + step / 2, dxfattribs=layer("tip"))
        s.add_line(at(30, a + step / 2), at(25, a + step / 2), layer("flank"))
        s.add_arc((0, 0), 25, a + step / 2, a + step, dxfattribs=layer("root"))
        s.add_line(at(25, a + step), at(30, a + step), layer("flank"))
    s.add_circle((0, 0), 6, layer("bore"))
    s.add_point((0, 0), dxfattribs=layer("axle"))
    s.add_point((30, 0), dxfattribs=layer("mark"))
    s.add_point(at(30, 5), dxfattribs=layer("middle"))


teeth = Area(numpy.zeros(6))
for k in range(TEETH):
    teeth += sector(30, k * 30, k * 30 + 15) + sector(25, k * 30 + 15, k * 30 + 30)
drawing("gear", gear, teeth - disc(6), version="R2007")

(HERE / "moments.tsv").write_text(
    "# Name, metres of a unit where the drawing states none, area, centroid, second moments xx, yy, xy about it, in m\n"
    + "\n".join(ROWS) + "\n")
