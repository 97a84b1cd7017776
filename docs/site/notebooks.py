"""Notebooks of Jupyter as pages: texts, cells and what they have shown."""

import html
import json

from markdown_it import MarkdownIt

# What is taken of an output, the best first.
KINDS = ("image/png", "text/html", "text/plain")


def body(file):
    """The body of the page of a notebook."""
    return "\n".join(cell_shown(cell) for cell in json.loads(file.read_text())["cells"])


def cell_shown(cell):
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return MarkdownIt().render(text)
    return "\n".join([f"<pre>{html.escape(text)}</pre>", *(output_shown(output) for output in cell["outputs"])])


def output_shown(output):
    if output["output_type"] == "stream":
        return f"<pre>{html.escape(''.join(output['text']))}</pre>"
    kind = next(kind for kind in KINDS if kind in output["data"])
    content = "".join(output["data"][kind])
    if kind == "image/png":
        return f'<img alt="What the cell shows" style="max-width: 100%" src="data:image/png;base64,{content.strip()}">'
    # Tables are wider than a telephone.
    return f'<div style="overflow-x: auto">{content if kind == "text/html" else f"<pre>{html.escape(content)}</pre>"}</div>'
