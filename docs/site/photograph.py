"""A picture of the page of a run, as Chromium shows it. docs/pictures calls it.

    target/venv/bin/python docs/site/photograph.py COMMAND PICTURE

Chromium is a package of the system (Debian: `chromium`); CHROMIUM names another one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

MODEL = Path(__file__).parents[2] / "resources" / "models" / "quick_return.toml"
# What a reader would choose: curves, points whose path is drawn, and the size of deformations, as a part of the slider's range.
CURVES = {"joints.N.velocity", "joints.N.friction_force", "probes.tip_deflection"}
TRACKS = {"A", "S"}
DEFORMATION = 0.5
CHOOSE = """([list, names]) => {
  for (const label of document.querySelectorAll(`${list} label`)) {
    const box = label.querySelector("input");
    if (box.checked !== names.includes(label.textContent.trim().split(" ")[0])) box.click();
  }
}"""
SET = "([name, value]) => { const box = byId(name); box.value = value; box.dispatchEvent(new Event('input', { bubbles: true })); }"
# When the picture is taken, s, and its size in px.
TIME = 0.7
SIZE = {"width": 1200, "height": 690}


def main(command, picture):
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        html = Path(folder) / "run.html"
        subprocess.run([command, "run", MODEL, "--html", html], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(html.as_uri())
        page.evaluate(CHOOSE, ["#choice-list", sorted(CURVES)])
        page.evaluate(CHOOSE, ["#tracks", sorted(TRACKS)])
        page.evaluate(SET, ["deformation", str(DEFORMATION)])
        page.evaluate(SET, ["scrub", str(TIME)])
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
