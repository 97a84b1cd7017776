"""The pages of the site before Sphinx reads them: those of docs/, those that lie at the top of the project, and those that
programs write.

    docs/site/pages.py COMMAND FOLDER

A link from a page to a file of the project that is no page becomes a link `source:PATH`, for which sources.py makes a page.
Files are written only where they differ, so that Sphinx reads again what has changed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages that lie outside of docs/, by their names in the site.
OUTSIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
           "CODE_OF_CONDUCT.md": "code-of-conduct.md"}
# The draft of a paper is for a journal, which builds it.
NOT_IN_SITE = DOCS / "paper"
PICTURES = (".png", ".svg", ".gif")
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s]+)(?=\))")
FENCE = re.compile(r"^\s*(```|\$\$\s*$)")


def link(target, file, page):
    """A link of `file` as it is in the site, in a page of the name `page`."""
    path, mark, anchor = target.partition("#")
    if "://" in target or not path:
        return target
    at = Path(os.path.normpath(file.parent / path)).relative_to(ROOT)
    if str(at) in OUTSIDE:
        inside = Path(OUTSIDE[str(at)])
    elif at == Path("README.md"):
        inside = Path("index.md")
    elif at.suffix in (".md", *PICTURES) and at.parts[0] == "docs":
        inside = at.relative_to("docs")
    else:
        return f"source:{at}"
    return os.path.relpath(inside, page.parent) + mark + anchor


def written(file, page):
    """The text of a page of Markdown with its links, which are not in code or formulas."""
    lines, fenced = [], False
    for line in file.read_text().split("\n"):
        fenced ^= bool(FENCE.match(line))
        lines.append(line if fenced else LINK.sub(lambda found: link(found["target"], file, page), line))
    return "\n".join(lines)


def helps(command):
    """A page with what the command and each of its subcommands say of themselves."""
    def said(*words):
        done = subprocess.run([command, *words, "--help"], check=True, capture_output=True, text=True)
        return done.stdout.strip()
    whole = said()
    names = [line.split()[0] for line in re.search(r"Commands:\n(.*?)\n\n", whole, re.S)[1].split("\n")
             if re.match(r"  \w", line)]
    parts = ["# The command line\n\nThis is what `coulisse help` and `coulisse help COMMAND` print.\n", f"```text\n{whole}\n```\n"]
    parts += [f"## `coulisse {name}`\n\n```text\n{said(name)}\n```\n" for name in names if name != "help"]
    return "\n".join(parts)


PYTHON = """\
# Functions and classes of the Python module

[The Python module](python.md) shows how they are used.

```{eval-rst}
.. automodule:: coulisse
   :members:
   :member-order: bysource
```
"""


def main(command, folder):
    texts = {"command-line.md": helps(command), "python-reference.md": PYTHON}
    pages = {file: file.relative_to(DOCS) for file in DOCS.rglob("*.md") if NOT_IN_SITE not in file.parents}
    pages |= {ROOT / name: Path(page) for name, page in OUTSIDE.items() if (ROOT / name).exists()}
    texts |= {str(page): written(file, page) for file, page in pages.items()}
    pictures = {str(file.relative_to(DOCS)): file for file in DOCS.rglob("*") if file.suffix in PICTURES}
    for old in [old for old in folder.rglob("*") if old.is_file()]:
        if str(old.relative_to(folder)) not in texts.keys() | pictures.keys():
            old.unlink()
    for name, text in texts.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        if not page.exists() or page.read_text() != text:
            page.write_text(text)
    for name, file in pictures.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        if not page.exists() or page.read_bytes() != file.read_bytes():
            shutil.copyfile(file, page)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
