"""The page of a run in a real browser, and the film for ParaView in a reader of its own.

Chromium is a package of the system (Debian: `chromium`); without it the tests of the page are
skipped. CHROMIUM names another one."""

import csv
import os
import shutil
from pathlib import Path

import meshio
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

import harness

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or not harness.ALL,
    reason="full tier: a browser" if CHROMIUM else "no Chromium (Debian: apt-get install chromium)",
)

ROUGH = """
name = "rough"
[experiment]
stop_time = 1.0
communication_step = 0.01
[solver]
step = 1e-3
[points]
left = [0.0, 0.0]
right = [10.0, 0.0]
wheel = [2.0, 0.0]
[members]
road = { from = "left", to = "right", elements = 1 }
[supports]
road = { member = "road", fix = ["x", "y", "rotation"] }
[masses]
wheel = { point = "wheel", mass = 10.0 }
[joints]
wheel = { cylindrical = { slider = "wheel", path = ["road"] }, roughness.cosine = { amplitude = 0.01, wavelength = 2.0 } }
[gravity]
y = -9.81
[initial.points.wheel]
vx = 3.0
[interface]
outputs = ["points.wheel.x", "points.wheel.y"]
"""

PORTAL = """
name = "portal"
[experiment]
stop_time = 1.0
communication_step = 0.005
[solver]
step = 1e-3
spectral_radius = 0.7
[points]
left = [0.0, 0.0]
right = [25.0, 0.0]
rear = [2.0, 0.0]
front = [5.0, 0.0]
rear_top = [2.0, 1.5]
front_top = [5.0, 1.5]
[materials]
concrete = { young_modulus = 20e9, shear_modulus = 10e9, density = 2500.0 }
[sections]
deck = { rectangle = { height = 0.5, width = 3.5 } }
tube = { rectangle = { height = 0.1, width = 0.1 } }
[members]
bridge = { from = "left", to = "right", elements = 6, material = "concrete", section = "deck" }
rear = { from = "rear", to = "rear_top", elements = 1, material = "concrete", section = "tube" }
front = { from = "front", to = "front_top", elements = 1, material = "concrete", section = "tube" }
beam = { from = "rear_top", to = "front_top", elements = 2, material = "concrete", section = "tube" }
[supports]
left = { point = "left", fix = ["x", "y"] }
right = { point = "right", fix = ["y"] }
[masses]
rear = { point = "rear", mass = 500.0 }
front = { point = "front", mass = 500.0 }
rear_top = { point = "rear_top", mass = 500.0 }
[joints]
rear = { cylindrical = { slider = "rear", path = ["bridge"] } }
front = { cylindrical = { slider = "front", path = ["bridge"] } }
[gravity]
y = -9.81
[initial.points]
rear = { vx = 15.0 }
front = { vx = 15.0 }
rear_top = { vx = 15.0 }
front_top = { vx = 15.0 }
"""

WRITTEN = {"rough": ROUGH, "portal": PORTAL}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of a model, made when it is asked for first."""
    folder = tmp_path_factory.mktemp("pages")

    def page(model):
        file = folder / f"{model}.html"
        if not file.exists():
            source = harness.ROOT / "resources" / "models" / f"{model}.toml"
            if model in WRITTEN:
                source = folder / f"{model}.toml"
                source.write_text(WRITTEN[model])
            harness.coulisse("run", source, "--html", file)
        return file

    return page


@pytest.fixture
def browse(pages, tmp_path):
    """Opens the page of a model; in the end the browser must have nothing to complain of."""
    with sync_playwright() as playwright:
        contexts, complaints = [], []

        def browse(model, size=(1280, 900), **options):
            file = pages(model)
            context = playwright.chromium.launch_persistent_context(
                tmp_path / f"profile{len(contexts)}",
                executable_path=CHROMIUM,
                headless=True,
                args=FLAGS,
                viewport={"width": size[0], "height": size[1]},
                **options,
            )
            contexts.append(context)
            page = context.pages[0]
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("request", lambda request: request.url == file.as_uri() or complaints.append(request.url))
            page.goto(file.as_uri())
            return page

        yield browse
        for context in contexts:
            context.close()
        assert complaints == []


def drawn(page):
    """All that is drawn of the mechanism: lines of members, places of symbols, arrows."""
    return page.evaluate(
        """() => [...document.querySelectorAll("#members path, #symbols > g, .force line")].map(
               e => [...e.attributes].map(a => a.value).join(" "))"""
    )


def time(page):
    return float(page.evaluate("clock.time"))


def slider(page):
    """Pixels of the first slider's symbol within the picture."""
    return page.evaluate(
        """() => {
             const { e, f } = document.querySelector('[data-anchor="slider"]').transform.baseVal.consolidate().matrix;
             return [e, f];
           }"""
    )


def cursors(page):
    """Pixels of the cursors of all curves that are shown."""
    return page.evaluate(
        """() => [...document.querySelectorAll("figure:not([hidden]) .cursor")].map(
               e => e.getBoundingClientRect().x)"""
    )


@needs_browser
@pytest.mark.parametrize("model", ["quick_return", "moving_mass_on_bridge", "rabinowicz", "tensile_buckling", "rough"])
def test_play_moves_the_mechanism_and_pause_stops_it(browse, model):
    page = browse(model)
    before = drawn(page)
    assert before and not any("NaN" in text or "undefined" in text for text in before)
    page.click("#play")
    page.wait_for_function("clock.time > 0.05 * clock.end")
    assert drawn(page) != before
    assert page.get_attribute("#play", "aria-label") == "Pause"
    page.click("#play")
    stopped, place = time(page), drawn(page)
    page.wait_for_timeout(250)
    assert time(page) == stopped and drawn(page) == place
    assert not any("NaN" in text or "undefined" in text for text in place)


@needs_browser
def test_play_ends_at_the_end_and_begins_anew(browse):
    page = browse("moving_mass_on_bridge")
    page.select_option("#speed", "1")
    page.evaluate("clock.set(0.95 * clock.end)")
    page.click("#play")
    page.wait_for_function("!clock.playing")
    assert time(page) == page.evaluate("clock.end")
    page.click("#play")
    page.wait_for_function("clock.time < 0.5 * clock.end && clock.time > 0")


@needs_browser
def test_the_time_slider_moves_the_mechanism_and_the_cursors(browse):
    page = browse("quick_return")
    before, at = drawn(page), cursors(page)
    box = page.locator("#scrub").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    half = page.evaluate("clock.end") / 2
    assert abs(time(page) - half) < 0.02 * half
    assert drawn(page) != before
    assert len(at) == 6 and all(new > old + 100 for new, old in zip(cursors(page), at))


@needs_browser
def test_a_drag_in_a_curve_moves_the_mechanism(browse):
    page = browse("quick_return")
    page.click("#play")
    box = page.locator(".plot").first.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 40)
    page.mouse.down()
    first, place = time(page), drawn(page)
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 60)
    page.mouse.up()
    assert not page.evaluate("clock.playing"), "a hand on the time stops the clock"
    assert abs(time(page) - first - 0.3 * box["width"] / (box["width"] - 72) * 1.6) < 0.01
    assert drawn(page) != place
    assert abs(cursors(page)[0] - box["x"] - 0.6 * box["width"]) < 2.0


@needs_browser
def test_a_curve_has_no_dot_where_its_output_has_no_value(browse):
    page = browse("quick_return")
    page.evaluate("() => { data.curves.panels[0].values[0] = null; clock.set(0); }")
    figures = page.locator("figure")
    assert figures.nth(0).locator("output").inner_text().startswith("no number")
    assert [figures.nth(k).locator(".dot").is_hidden() for k in (0, 1)] == [True, False]
    assert figures.nth(0).locator(".cursor").is_visible()


@needs_browser
def test_keys_play_and_go_from_frame_to_frame(browse):
    page = browse("quick_return")
    page.keyboard.press("Space")
    assert page.evaluate("clock.playing")
    page.keyboard.press("Space")
    assert not page.evaluate("clock.playing")
    page.focus("#scrub")
    page.keyboard.press("Home")
    assert time(page) == 0.0
    page.keyboard.press("ArrowRight")
    assert time(page) == pytest.approx(0.003)
    page.keyboard.press("PageDown")
    assert time(page) == pytest.approx(0.033)
    page.keyboard.press("End")
    assert time(page) == page.evaluate("clock.end")
    # Every control can be reached with the tabulator key.
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"play", "scrub", "speed", "deformation", "force", "focus", "with-names"} <= reached


@needs_browser
def test_a_deflection_is_drawn_as_large_as_asked(browse, tmp_path):
    """The mass stands on the bridge as it is drawn, at the deflection of the outputs times the factor."""
    page = browse("moving_mass_on_bridge")
    file = tmp_path / "rows.csv"
    harness.coulisse("run", harness.ROOT / "resources" / "models" / "moving_mass_on_bridge.toml", "-o", file)
    with open(file, newline="") as rows:
        rows = list(csv.DictReader(rows))
    row = rows[450]
    page.evaluate("t => clock.set(t)", float(row["time"]))
    for share in (0.0, 0.6, 0.9):
        page.evaluate(
            """share => { const input = document.getElementById("deformation"); input.value = share;
                          input.dispatchEvent(new Event("input")); }""",
            share,
        )
        factor = float(page.inner_text("#deformation-shown").removeprefix("× "))
        assert (factor > 1.0) == (share > 0.0)
        # The supports stand at the height 0, 50 m apart.
        supports = page.evaluate(
            """() => [...document.querySelectorAll('[data-anchor="point"]')].map(
                   g => g.transform.baseVal.consolidate().matrix).map(m => [m.e, m.f])"""
        )
        left, right = supports[0], supports[2]
        scale = (right[0] - left[0]) / 50.0
        x, y = slider(page)
        assert (x - left[0]) / scale == pytest.approx(float(row["points.wheel.x"]), abs=0.2)
        seen = (left[1] - y) / scale / factor
        # Two hundredths of a pixel, which the page rounds to.
        assert seen == pytest.approx(float(row["points.wheel.y"]), abs=0.02 / scale / factor + 1e-6)


@needs_browser
def test_what_rides_on_a_bridge_keeps_its_feet_on_it_however_large_deformations_are_drawn(browse):
    page = browse("portal")
    page.evaluate("clock.set(0.5 * clock.end)")
    heights = []
    for share in (0.0, 0.5, 1.0):
        page.evaluate(
            """share => { const input = document.getElementById("deformation"); input.value = share;
                          input.dispatchEvent(new Event("input")); }""",
            share,
        )
        places = page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll("#symbols > g")].map(g => {
                 const { e, f } = g.transform.baseVal.consolidate().matrix;
                 return [g.dataset.anchor + g.dataset.index, [e, f]];
               }))"""
        )
        for slider, point in (("slider0", "point2"), ("slider1", "point3")):
            # Both are rounded to hundredths of a pixel.
            assert np.allclose(places[slider], places[point], atol=0.05), share
        scale = (places["point1"][0] - places["point0"][0]) / 25.0
        heights.append((places["point0"][1] - places["slider0"][1]) / scale)
    assert heights[0] > heights[1] > heights[2], "it sinks with the bridge"


@needs_browser
def test_roughness_is_drawn_higher_on_request(browse):
    page = browse("rough")
    page.evaluate("clock.set(0.5)")
    exaggerate = """share => { const input = document.getElementById("roughness"); input.value = share;
                    input.dispatchEvent(new Event("input")); }"""
    heights = []
    for share in (0.0, 1.0):
        page.evaluate(exaggerate, share)
        heights.append(page.evaluate("document.querySelector('.surface').getBBox().height"))
    assert heights[1] > 5.0 * heights[0] > 0.0


FILL = "(box, value) => { box.value = value; box.dispatchEvent(new Event('input', { bubbles: true })); }"


@needs_browser
@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
@pytest.mark.parametrize("model", ["quick_return", "isolated_building_frame"])
def test_arrows_stay_inside_the_picture_and_names_off_each_other(browse, model, size):
    page = browse(model, size)
    # On a telephone these controls may not be in sight.
    page.locator("#with-names").evaluate("box => box.checked || box.click()")
    for factor in ("1", "3"):
        page.locator("#force").evaluate(FILL, factor)
        arrows = 0
        for part in range(0, 1001, 50):
            page.locator("#scrub").evaluate(FILL, str(part))
            out, count = page.evaluate(
                """() => {
                     const { width, height } = picture.getBoundingClientRect();
                     const lines = [...document.querySelectorAll("#forces .force")].filter(g => g.style.display !== "none")
                       .map(g => g.querySelector("line"));
                     const ends = lines.flatMap(l => [[l.x1, l.y1], [l.x2, l.y2]].map(end => end.map(c => c.baseVal.value)));
                     return [ends.filter(([x, y]) => x < 0 || y < 0 || x > width || y > height), lines.length];
                   }"""
            )
            assert out == []
            arrows += count
            names = page.evaluate(
                """() => [...document.querySelectorAll("#names text")].map(e => {
                     const { x, y, width, height } = e.getBBox();
                     return [x, x + width, y, y + height];
                   })"""
            )
            for k, [left, right, top, bottom] in enumerate(names):
                for other in names[:k]:
                    beside = right <= other[0] or other[1] <= left
                    # The box of a text has some air above and below its letters.
                    assert beside or bottom <= other[2] + 2 or other[3] <= top + 2, (names[k], other)
            assert len(names) > 5
        assert arrows > 10  # there was something to look at in most of the 21 places


@needs_browser
def test_curves_are_chosen_and_enlarged(browse):
    page = browse("quick_return")
    page.click("#choice summary")
    boxes = page.locator("#choice input")
    boxes.nth(0).uncheck()
    boxes.nth(10).check()
    shown = page.locator("figure:not([hidden]) figcaption > span").all_inner_texts()
    names = page.locator("#choice label").all_inner_texts()
    assert not any(text.startswith(names[0]) for text in shown)
    assert any(text.startswith(names[10]) for text in shown)
    page.evaluate("clock.set(0.4)")
    before = cursors(page)[0]
    page.click("[data-span='0.5']")
    page.evaluate("clock.set(0.5)")
    wide = cursors(page)[0] - before
    page.click("[data-span='0']")
    assert 0.0 < cursors(page)[0] - before < 0.6 * wide


@needs_browser
def test_a_curve_over_another_output_has_a_dot_where_the_mechanism_is(browse, tmp_path):
    page, file = browse("quick_return").context.new_page(), tmp_path / "loop.html"
    model, over = harness.ROOT / "resources" / "models" / "quick_return.toml", ["joints.S.position", "joints.S.velocity"]
    harness.coulisse("run", model, "--stop", 0.4, "--frames", 3, "--html", file, "--over", *over)
    page.goto(file.as_uri())
    asked, chosen = page.locator("figure").nth(0), page.locator("figure").nth(1)
    assert asked.locator("figcaption > span").inner_text().startswith("joints.S.velocity in m/s over joints.S.position in m")
    chosen.locator(".axis input").fill("joints.S.velocity")
    chosen.locator(".axis input").press("Enter")
    panels = {panel["name"]: panel["values"] for panel in page.evaluate("data.curves.panels.slice(1)")}
    seen, middle = {figure: [] for figure in (asked, chosen)}, "e => [e.getBoundingClientRect().x + 5, e.getBoundingClientRect().y + 5]"
    for row in range(20, 400, 20):
        page.evaluate(f"clock.set(timeOf({row}))")
        for figure, places in seen.items():
            assert figure.locator(".cursor").is_hidden()
            places.append(figure.locator(".dot").evaluate(middle))
    for figure, axes in ((asked, over), (chosen, reversed(over))):
        for axis, name in enumerate(axes):  # pixels follow from values by one scale
            pixels, values = np.array(seen[figure])[:, axis], np.array(panels[name])[20:400:20]
            assert np.abs(pixels - np.polyval(np.polyfit(values, pixels, 1), values)).max() < 0.5
    page.mouse.click(*seen[asked][3])  # goes to the nearest row
    assert np.hypot(*np.subtract(asked.locator(".dot").evaluate(middle), seen[asked][3])) < 2.0


@needs_browser
@pytest.mark.parametrize("model", ["quick_return", "moving_mass_on_bridge", "rabinowicz", "tensile_buckling"])
def test_a_telephone_shows_all_and_fingers_hit_it(browse, model):
    page = browse(model, size=(390, 844), has_touch=True, color_scheme="dark")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "no sideways scrolling"
    for selector in ("#play", "#scrub", "#speed", "[data-zoom]", "[data-span]", "summary"):
        controls = page.locator(selector).all()
        assert controls, selector
        for control in controls:
            control.scroll_into_view_if_needed()
            box = control.bounding_box()
            assert box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 390, selector
    page.evaluate("scrollTo(0, 0)")
    before = drawn(page)
    page.tap("#play")
    page.wait_for_function("clock.time > 0.02 * clock.end")
    page.tap("#play")
    assert drawn(page) != before
    # The picture stays in sight above the curves.
    page.evaluate("scrollTo(0, 900)")
    assert page.locator("#picture").bounding_box()["y"] >= 0
    page.tap("#display summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@needs_browser
def test_a_page_of_an_fmu_has_curves_alone(browse, pages, tmp_path):
    page = browse("quick_return")
    fmu = harness.pack(harness.ROOT / "resources" / "models" / "incline.toml")
    file = tmp_path / "fmu.html"
    harness.coulisse("run", fmu, "--html", file)
    other = page.context.new_page()
    errors = []
    other.on("pageerror", lambda error: errors.append(str(error)))
    other.goto(file.as_uri())
    assert not other.is_visible("#stage") and other.is_visible(".plot canvas")
    box = other.locator(".plot").first.bounding_box()
    other.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    assert 0.0 < time(other) < other.evaluate("clock.end")
    assert errors == []


def test_a_film_for_paraview_holds_what_the_outputs_say(tmp_path):
    model = harness.ROOT / "resources" / "models" / "moving_mass_on_bridge.toml"
    film, rows = tmp_path / "film", tmp_path / "rows.csv"
    harness.coulisse("run", model, "--vtk", film, "--frames", 30, "-o", rows)
    rows = harness.rows(rows)
    files = sorted(film.glob("*.vtu"))
    listed = (film / "moving_mass_on_bridge.pvd").read_text()
    assert len(files) > 25
    for file in files:
        mesh = meshio.read(file)
        instant = listed.split(f'file="{file.name}"')[0].rsplit('timestep="', 1)[1].split('"')[0]
        row = int(np.argmin(np.abs(rows["time"] - float(instant))))
        kinds = {block.type: block.data for block in mesh.cells}
        wheel = int(kinds["vertex"][0][0])
        assert np.allclose(mesh.points[wheel][:2], [rows["points.wheel.x"][row], rows["points.wheel.y"][row]])
        force = mesh.point_data["contact_force"][wheel]
        assert np.hypot(*force[:2]) == pytest.approx(
            np.hypot(rows["joints.wheel.normal_force"][row], rows["joints.wheel.friction_force"][row]), rel=1e-6, abs=1e-3
        )
        # Half of the first span, where the probe is, lies in the middle of the third of five elements.
        middle = np.flatnonzero(np.isclose(mesh.points[:, 0] - mesh.point_data["displacement"][:, 0], 12.5))
        middle = middle[middle != wheel]
        assert len(middle) == 1
        seen = mesh.point_data["displacement"][middle, 1]
        assert np.allclose(seen, rows["probes.first_span"][row], atol=1e-12), (seen, rows["probes.first_span"][row])
