"""An extension of Sphinx: docstrings as the Python module has them, where one backtick is code and what is indented after a blank
line is a script."""

import re


def rewrite(app, what, name, subject, options, lines):
    written, before = [], ""
    for line in lines:
        script = line.startswith("    ") and not before.strip() and not in_script(written)
        if script:
            written += [".. code-block:: python", ""]
        written.append(line if line.startswith("    ") else re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line))
        before = line
    lines[:] = written


def in_script(written):
    """Whether the last line that is not blank belongs to a script."""
    last = next((line for line in reversed(written) if line.strip()), "")
    return last.startswith("    ")


def setup(app):
    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
