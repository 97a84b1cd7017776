"""Notebooks of the examples, which are kept with what their cells show.

    python tests/hosts/notebooks.py [--keep] [NOTEBOOK...]

runs them and prints what differs from what is kept; with --keep it keeps the new outputs. COULISSE names the command;
target/release/coulisse unless given. The Python is one with the packages of requirements.txt.

Not kept are moving pages, which are large (the picture of the mechanism beside each is), and what goes to standard error, as bars of
progress do. Texts and tables are compared by their words, and by their numbers to a relative 5e-4; pictures by their pixels.
"""

import base64
import copy
import html
import os
import re
import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat

import documents

NOTEBOOKS = sorted((documents.ROOT / "examples").glob("*.ipynb"))
FRAME = re.compile(r'<iframe sandbox="allow-scripts" style="[^"]*" srcdoc="([^"]*)"></iframe>')
PICTURE = re.compile(r"data:image/png;base64,([\w+/=]+)")
# Of one cell, s.
LONGEST = 300


def executed(path, folder):
    """A notebook after its cells have run in `folder`, with all that they show."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=LONGEST, record_timing=False, resources={"metadata": {"path": str(folder)}})
    metadata = copy.deepcopy(notebook.metadata)
    client.execute()
    # The kernel adds its version.
    notebook.metadata = metadata
    return notebook


def kept(notebook):
    """What is kept of an executed notebook."""
    notebook = copy.deepcopy(notebook)
    for cell in code_cells(notebook):
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.outputs:
            if FRAME.fullmatch(output.get("data", {}).get("text/html", "")):
                del output.data["text/html"]
    return notebook


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def differences(notebook, other):
    """What the outputs of one notebook show and the other does not, a message for each."""
    faults = []
    for number, (ours, theirs) in enumerate(zip(code_cells(notebook), code_cells(other), strict=True)):
        ours, theirs = shown(ours), shown(theirs)
        if [kind for kind, _ in ours] != [kind for kind, _ in theirs]:
            faults.append(f"code cell {number} shows {[kind for kind, _ in ours]}, kept is {[kind for kind, _ in theirs]}")
            continue
        faults += [f"code cell {number}: {kind} is another:\n{a}\nkept is\n{b}" for (kind, a), (_, b) in zip(ours, theirs) if not same(kind, a, b)]
    return faults


def shown(cell):
    """What a cell shows: kinds and contents."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append((output.name, output.text))
        elif output.output_type == "error":
            found.append(("error", output.evalue))
        else:
            found += sorted(output.data.items())
    return found


def same(kind, ours, theirs):
    """Whether two contents are the same to a reader."""
    if kind.startswith("image/png"):
        return same_picture(ours, theirs)
    if kind == "text/html":
        pictures = PICTURE.findall(ours), PICTURE.findall(theirs)
        if len(pictures[0]) != len(pictures[1]) or not all(map(same_picture, *pictures)):
            return False
        ours, theirs = (spaced(PICTURE.sub("", text)) for text in (ours, theirs))
    return documents.same(ours, theirs)


def spaced(text):
    """The text of HTML with its tags apart from words and numbers."""
    return html.unescape(re.sub(r"(<[^>]*>)", r" \1 ", text))


def same_picture(ours, theirs):
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("ours.png", "theirs.png")]
        for file, picture in zip(files, (ours, theirs)):
            file.write_bytes(base64.b64decode(picture))
        return documents.same_picture(*files)


def main(paths, keep):
    """Runs notebooks; whether all show what is kept."""
    command = Path(os.environ.get("COULISSE", documents.ROOT / "target" / "release" / "coulisse")).resolve()
    variables = documents.environment(command)
    # In a notebook diagrams are shown in it.
    del variables["MPLBACKEND"]
    os.environ.update(variables)
    faults = []
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            new = kept(executed(path, folder))
        if keep:
            nbformat.write(new, path)
        else:
            faults += [f"{path.name}: {fault}" for fault in differences(new, nbformat.read(path, as_version=4))]
    print("\n".join(faults))
    return not faults


if __name__ == "__main__":
    named = [Path(name).resolve() for name in sys.argv[1:] if name != "--keep"]
    sys.exit(not main(named or NOTEBOOKS, "--keep" in sys.argv[1:]))
