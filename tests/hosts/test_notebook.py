"""The notebooks of the examples, and what the module shows in one."""

import base64
import copy
import html
import io
import json
import re
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

import coulisse
import harness
import notebooks
from test_pictures import CHROMIUM, FLAGS, drawn, needs_browser

BELT = harness.ROOT / "tests" / "abi" / "belt.toml"


def page(shown):
    """The page in a frame and its numbers."""
    text = html.unescape(notebooks.FRAME.fullmatch(shown)[1])
    return text, json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_kept_and_the_mechanism_in_motion(path, tmp_path):
    new = notebooks.executed(path, tmp_path)
    outputs = [output.data for cell in notebooks.code_cells(new) for output in cell.outputs if "data" in output]
    moving = [data for data in outputs if notebooks.FRAME.fullmatch(data.get("text/html", ""))]
    assert len(moving) == 1 and "image/png" in moving[0]
    shown = page(moving[0]["text/html"])[1]
    assert shown["animation"] and shown["curves"]
    assert not any("`" in panel["description"] for panel in shown["curves"]["panels"])
    faults = notebooks.differences(notebooks.kept(new), nbformat.read(path, as_version=4))
    assert faults == [], f"{path.name} is another; `python tests/hosts/notebooks.py --keep` keeps what it shows now\n" + "\n".join(faults)


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_its_outputs_and_without_a_trace_of_the_machine(path):
    text, notebook = path.read_text(), nbformat.read(path, as_version=4)
    cells = notebooks.code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert notebooks.kept(notebook) == notebook and len(text) < 400_000
    assert not any(trace in text for trace in (str(harness.ROOT), str(Path.home()), tempfile.gettempdir(), "<iframe"))
    kinds = [kind for cell in cells for kind, _ in notebooks.shown(cell)]
    assert "image/png" in kinds and "stdout" in kinds and "error" not in kinds


def test_another_number_or_picture_is_noticed():
    notebook = nbformat.read(harness.ROOT / "examples" / "calibration.ipynb", as_version=4)
    assert notebooks.differences(notebook, notebook) == []
    for kind, old, new in [("text", "2.383 J", "2.390 J"), ("text/html", "1503.8", "1505.8"), ("image/png", None, None)]:
        other = copy.deepcopy(notebook)
        output = next(o for c in notebooks.code_cells(other) for o in c.outputs if kind in o.get("data", o) and (old or "") in o.get("data", o)[kind])
        content = output.get("data", output)
        content[kind] = content[kind].replace(old, new) if old else flipped(content[kind])
        assert len(notebooks.differences(other, notebook)) == 1, kind


def flipped(picture):
    """A picture upside down."""
    upside_down, written = Image.open(io.BytesIO(base64.b64decode(picture))).transpose(Image.Transpose.FLIP_TOP_BOTTOM), io.BytesIO()
    upside_down.save(written, format="PNG")
    return base64.b64encode(written.getvalue()).decode()


def test_the_mechanism_is_kept_as_a_picture_where_no_page_is_shown():
    with coulisse.Model(BELT) as model:
        model.set("parameters.weight", 30.0)
        shown = model.simulate(stop=0.2)._repr_mimebundle_()
    written = harness.FOLDER / "belt_end.png"
    harness.coulisse("run", BELT, "--set", "parameters.weight=30", "--stop", "0.2", "--png", written)
    assert base64.b64decode(shown["image/png"]) == written.read_bytes()
    assert page(shown["text/html"])[1]["animation"]


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
