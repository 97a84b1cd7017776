"""The notebook of the examples, and what the module shows in one."""

import html
import json
import re
import sys

import nbclient
import nbformat
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

import coulisse
import harness
from test_pictures import CHROMIUM, FLAGS, drawn, needs_browser

NOTEBOOKS = sorted((harness.ROOT / "examples").glob("*.ipynb"))
BELT = harness.ROOT / "tests" / "abi" / "belt.toml"
FRAME = re.compile(r'<iframe sandbox="allow-scripts" style="[^"]*" srcdoc="([^"]*)"></iframe>')


def page(shown):
    """The page in a frame and its numbers."""
    text = html.unescape(FRAME.fullmatch(shown)[1])
    return text, json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_the_mechanism_in_motion(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    # It is kept without results: they would hold paths and the bytes of pages.
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and not any(cell.outputs or cell.execution_count for cell in cells)
    assert path.stat().st_size < 20_000
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.data["text/html"] for cell in cells for output in cell.outputs if "text/html" in output.get("data", {})]
    pages = [page(text)[1] for text in shown if FRAME.fullmatch(text)]
    assert len(pages) == 1 and pages[0]["animation"] and pages[0]["curves"]
    assert any("data:image/png" in text for text in shown) and any("<table>" in text for text in shown)
    printed = "".join(o.text for cell in cells for o in cell.outputs if o.output_type == "stream" and o.name == "stdout")
    assert "below the kinetic coefficient" in printed and "401 rows" in printed


def test_the_page_is_that_of_the_command_and_of_this_simulation(tmp_path):
    table = tmp_path / "inputs.csv"
    table.write_text("time,motions.belt.velocity\n0,0.5\n0.1,0.3\n0.1,0.4\n0.5,0.1\n")
    coefficient = "joints.block.friction.stribeck.kinetic_coefficient"
    written = tmp_path / "belt.html"
    given = ["--inputs", table, "--set", f"{coefficient}=0.4", "--step", "0.007", "--stop", "0.5"]
    harness.coulisse("run", BELT, *given, "--html", written)
    with coulisse.Model(BELT) as model:
        model.set(coefficient, 0.4)
        course = ([0.0, 0.1, 0.1, 0.5], [0.5, 0.3, 0.4, 0.1])
        result = model.simulate(stop=0.5, step=0.007, inputs={"motions.belt.velocity": course})
        # What happens to the model afterwards is another simulation.
        model.set(coefficient, 0.2)
    shown, data = page(result._repr_html_())
    assert shown == result.page()
    (own,) = re.findall(r'id="data">(.*?)</script>', written.read_text(), re.S)
    assert data["curves"] == json.loads(own)["curves"]


@needs_browser
def test_the_page_moves_in_the_frame_of_a_notebook(tmp_path):
    """Its scripts run in the frame, and reach nothing of the page around it."""
    with coulisse.Model(harness.ROOT / "resources" / "models" / "incline.toml") as model:
        shown = model.simulate()._repr_html_()
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=CHROMIUM, headless=True, args=FLAGS
        )
        page, complaints = context.pages[0], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_content(shown)
        frame = page.frames[1]
        before = drawn(frame)
        frame.click("#play")
        frame.wait_for_function("clock.time > 0.05 * clock.end")
        assert before and drawn(frame) != before and complaints == []
        assert frame.evaluate("() => { try { return parent.document.title } catch (error) { return error.name } }") == "SecurityError"
        context.close()


def test_inputs_that_are_functions_are_drawn_as_they_were_given():
    """To the digits of a page, a millionth; a line between communication points instead of a step would make some percent."""
    with coulisse.Model(BELT) as model:
        result = model.simulate(stop=0.2, inputs={"loads.normal.fy": lambda t: -20.0 - 100.0 * np.sin(40.0 * t) ** 2})
    panels = {panel["name"]: panel for panel in page(result._repr_html_())[1]["curves"]["panels"]}
    for name in ("points.block.x", "joints.block.normal_force"):
        scale = np.max(np.abs(result[name]))
        assert np.allclose(panels[name]["values"], result[name], rtol=0.0, atol=1e-6 * scale), name


def test_a_step_that_is_refused_is_drawn_until_there():
    with coulisse.Model(harness.ROOT / "tests" / "abi" / "leaves_its_path.toml") as model:
        with pytest.raises(coulisse.Discarded) as caught:
            model.simulate()
    assert page(caught.value.result._repr_html_())[1]["animation"]


def test_bars_show_how_far_it_is(monkeypatch, capsys):
    with coulisse.Model(BELT) as model:
        model.simulate(stop=0.2, progress=True)
        assert re.search(r"100%\|.*0\.2/0\.2 s", capsys.readouterr().err)
        # Without tqdm.
        monkeypatch.setitem(sys.modules, "tqdm", None)
        model.simulate(stop=0.2, progress=True)
        told = capsys.readouterr().err
        assert "\r 50 % of 0.2 s" in told and told.endswith("\r100 % of 0.2 s\n")
