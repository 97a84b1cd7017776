"""Terminals of FMUs of FMI 3.0: valid by the schema, and two mechanisms coupled by what they say."""

import math
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import fmpy
import numpy as np
import pytest
from lxml import etree

import coulisse
import harness
import test_fmi3

FILE = "terminalsAndIcons/terminalsAndIcons.xml"
SCHEMA = etree.XMLSchema(etree.parse(str(Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd")))

#: Communication step, s.
COARSE = 1e-3

# A mass of 2 kg on a guide, which is pushed at its point.
MASS = """
name = "mass"
[solver]
step = 1e-3
[points]
mass = [1.0, 0.0]
[masses]
mass = { point = "mass", mass = 2.0 }
[supports]
guide = { point = "mass", fix = ["y"] }
[loads.push]
point = "mass"
fx = 0.0
[initial.points.mass]
vx = 0.5
[interface]
inputs = ["loads.push.fx"]
outputs = ["points.mass.x", "points.mass.vx"]
"""

# A spring of 800 N/m and a damper of 4 N.s/m whose end is moved.
SPRING = """
name = "spring"
[solver]
step = 1e-3
[points]
end = [1.0, 0.0]
foot = [0.0, 0.0]
[masses]
end = { point = "end", mass = 1e-6 }
[supports]
guide = { point = "end", fix = ["y"] }
[springs.s]
ground = "foot"
to = "end"
direction = "x"
stiffness = 800.0
damping = 4.0
[motions.drive]
point = "end"
direction = "x"
velocity = 0.0
[interface]
inputs = ["motions.drive.velocity"]
outputs = ["motions.drive.reaction", "points.end.x"]
"""

# A rigid bar that turns about one end; the other one is pushed and turned.
BAR = """
name = "bar"
[points]
pivot = [0.0, 0.0]
tip = [1.0, 0.5]
[members.bar]
from = "pivot"
to = "tip"
rigid = true
[masses]
tip = { point = "tip", mass = 1.0, rotary_inertia = 0.1 }
[supports]
pivot = { point = "pivot", fix = ["x", "y"] }
[loads.tip]
point = "tip"
fx = 0.0
fy = 0.0
moment = 0.0
[interface]
inputs = ["loads.tip.*"]
outputs = ["points.tip.*", "points.pivot.*"]
"""


def terminals(fmu):
    """Members of each terminal, those of terminals inside with the name of that before them."""
    with zipfile.ZipFile(fmu) as archive:
        root = ElementTree.fromstring(archive.read(FILE))
        names = archive.namelist()
    assert {"terminalsAndIcons/icon.png", "terminalsAndIcons/icon.svg"} <= set(names)
    found = {}
    for terminal in root.iterfind("Terminals/Terminal"):
        assert terminal.get("terminalKind") == "_coulisse_plane_frame"
        members = {m.get("memberName"): (m.get("variableName"), m.get("variableKind")) for m in terminal.iterfind("TerminalMemberVariable")}
        for inside in terminal.iterfind("Terminal"):
            for m in inside.iterfind("TerminalMemberVariable"):
                members[f"{inside.get('name')}.{m.get('memberName')}"] = (m.get("variableName"), m.get("variableKind"))
        found[terminal.get("name")] = terminal.get("matchingRule"), members
    return found


@pytest.mark.parametrize("name", test_fmi3.NAMES)
def test_files_of_bundled_models_are_valid(name):
    fmu = test_fmi3.pack(harness.ROOT / "resources" / "models" / f"{name}.toml")
    with zipfile.ZipFile(fmu) as archive:
        SCHEMA.assertValid(etree.fromstring(archive.read(FILE)))
    assert "ok" in harness.coulisse("check", fmu)


def test_a_free_point_is_a_whole_frame_where_all_forces_are_inputs():
    fmu = test_fmi3.pack(BAR, "bar")
    with zipfile.ZipFile(fmu) as archive:
        SCHEMA.assertValid(etree.fromstring(archive.read(FILE)))
    # The names of a frame of PlanarMechanics.
    frame = {name: (f"points.tip.{key}", "signal") for name, key in (("x", "x"), ("y", "y"), ("phi", "rotation"))}
    frame |= {name: (f"loads.tip.{key}", "inflow") for name, key in (("fx", "fx"), ("fy", "fy"), ("t", "moment"))}
    rates = {f"rates.{name}": (f"points.tip.{key}", "signal") for name, key in (("vx", "vx"), ("vy", "vy"), ("w", "rotation_rate"))}
    assert terminals(fmu) == {"tip": ("plug", frame | rates)}
    assert "ok" in harness.coulisse("check", fmu)


def test_a_mass_and_a_spring_that_are_coupled_by_their_terminals_oscillate_as_one():
    """Signals are equal and inflows have the sum 0: the frequency and damping of the mass on the spring, in the limit of small steps."""
    fmus = [test_fmi3.pack(MASS, "mass"), test_fmi3.pack(SPRING, "spring")]
    (mass_rule, of_mass), (spring_rule, of_spring) = terminals(fmus[0])["mass"], terminals(fmus[1])["end"]
    assert mass_rule == spring_rule == "bus"
    shared = set(of_mass) & set(of_spring)
    assert shared == {"fx", "rates.vx"} and all(of_mass[name][1] == of_spring[name][1] for name in shared)
    push, reaction = of_mass["fx"][0], of_spring["fx"][0]
    speed, drive = of_mass["rates.vx"][0], of_spring["rates.vx"][0]
    def displacement(step):
        with coulisse.Model(fmus[0]) as mass, coulisse.Model(fmus[1]) as spring:
            assert mass.variables[speed].causality == "output" and spring.variables[drive].causality == "input"
            places = []
            for n in range(int(round(1.0 / step))):
                spring.set(drive, mass[speed])
                spring.step(step)
                mass.set(push, -spring[reaction])
                mass.step(step)
                if n % round(COARSE / step) == round(COARSE / step) - 1:
                    places.append((mass["points.mass.x"] - 1.0, spring["points.end.x"] - 1.0))
        return np.array(places)

    t = COARSE * np.arange(1, int(round(1.0 / COARSE)) + 1)
    w, z = 20.0, 4.0 / (2.0 * math.sqrt(800.0 * 2.0))
    wd = w * math.sqrt(1.0 - z * z)
    exact = (0.5 / wd * np.exp(-z * w * t) * np.sin(wd * t))[:, None]
    coarse, fine = displacement(COARSE), displacement(COARSE / 2)
    errors = [np.max(np.abs(rows - exact)) * w / 0.5 for rows in (coarse, fine, 2.0 * fine - coarse)]
    # Inputs are a step old: an error of first order, which the difference of two steps takes away.
    assert 1.8 < errors[0] / errors[1] < 2.2 and errors[2] < 2e-3, errors
