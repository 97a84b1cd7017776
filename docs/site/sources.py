"""An extension of Sphinx: links `source:PATH` lead to a page with the text of that file of the project, with what a notebook
shows, or with the list of what is in that folder."""

import html
import os
from pathlib import Path

import notebooks
from docutils import nodes
from sphinx.util import logging

ROOT = Path(__file__).parents[2]
LOGGER = logging.getLogger(__name__)
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem }}
pre {{ font-size: 14px; line-height: 1.4; overflow-x: auto }}
</style></head>
<body><p><a href="{home}">coulisse</a> / {trail}</p>
{body}
</body></html>
"""


def page_of(path):
    return f"source/{path}/index.html" if (ROOT / path).is_dir() else f"source/{path}.html"


def find(app, doctree, docname):
    """Makes links of a page relative, and remembers what they lead to."""
    wanted = set()
    for node in doctree.findall(nodes.reference):
        if node.get("refuri", "").startswith("source:"):
            path = node["refuri"].removeprefix("source:").partition("#")[0]
            if not (ROOT / path).exists():
                LOGGER.warning("%s does not exist", path, location=node)
                continue
            wanted.add(path)
            node["refuri"] = os.path.relpath(page_of(path), os.path.dirname(docname) or ".")
    app.env.metadata[docname]["sources"] = " ".join(sorted(wanted))


def files_of(paths):
    """Those files and folders, and the files of those folders."""
    listed = {file for path in paths if (ROOT / path).is_dir() for file in (ROOT / path).iterdir()}
    return paths | {str(file.relative_to(ROOT)) for file in listed if file.is_file() and not file.name.startswith(".")}


def body_of(path):
    file = ROOT / path
    if file.is_dir():
        names = sorted(child.name for child in file.iterdir() if child.is_file() and not child.name.startswith("."))
        items = "".join(f'<li><a href="{html.escape(name)}.html">{html.escape(name)}</a></li>' for name in names)
        return f"<h1>{html.escape(path)}</h1><ul>{items}</ul>"
    if file.suffix == ".ipynb":
        return notebooks.body(file)
    return f"<pre>{html.escape(file.read_text(errors='replace'))}</pre>"


def write(app, exception):
    if exception is not None:
        return
    paths = {path for data in app.env.metadata.values() for path in data.get("sources", "").split()}
    for path in files_of(paths):
        page = Path(app.outdir, page_of(path))
        if page.exists() and page.stat().st_mtime > (ROOT / path).stat().st_mtime:
            continue
        page.parent.mkdir(parents=True, exist_ok=True)
        home = os.path.relpath("index.html", os.path.dirname(page_of(path)))
        text = PAGE.format(title=html.escape(path), trail=html.escape(path), home=home, body=body_of(path))
        page.write_text(text)


def setup(app):
    app.connect("doctree-resolved", find)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
