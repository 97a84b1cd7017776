"""Tutorials run as a whole, in a folder of their own, and show what they print and draw (documents.py)."""

import re
import tempfile
from pathlib import Path

import fmpy
import pytest

import documents
import harness


@pytest.mark.parametrize("page", documents.TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs_and_shows_what_it_prints_and_draws(page, tmp_path):
    done = documents.start(page, tmp_path, harness.COMMAND)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_every_tutorial_is_listed_with_a_picture_that_it_makes():
    listed = (harness.ROOT / "docs" / "tutorials.md").read_text()
    for page in documents.TUTORIALS:
        if page.parent.name == "tutorials":
            assert f"](tutorials/{page.name})" in listed, page.name
            shown = [path for path in documents.pictures(page) if f"](tutorials/{path})" in listed]
            assert shown, page.name
        kept = sorted(file.name for file in (page.parent / page.stem).iterdir())
        assert kept == sorted(path.name for path in documents.pictures(page)), page.name


# Names and numbers in a message, and in a source what writes them.
CHANGING = re.compile(r"`[^`]*`|\{[^{}]*\}|\S*\w[._\[]\w\S*|\S*\d\S*")


def constant(text):
    """A text with one sign for all that changes."""
    return re.sub(r"[\s¤:.]*¤[\s¤:.]*", " ¤ ", re.sub(r"\s+", " ", CHANGING.sub("¤", text)))


def messages(page):
    """The messages in a table of what may go wrong: cells between double backticks."""
    rows = re.findall(r"^\| ``(.+?)`` \|", page.read_text(), re.M)
    assert rows or "goes wrong\n" not in page.read_text(), page.name
    return [(page, row.strip()) for row in rows]


@pytest.fixture(scope="module")
def sources():
    """The text of the program and of FMPy, with strings over several lines put together."""
    files = [file for folder in ("src", "tools/src") for file in (harness.ROOT / folder).rglob("*.rs")]
    texts = [file.read_text() for file in [*files, *Path(fmpy.__file__).parent.glob("*.py")]]
    strings = (string for text in texts for string in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.S))
    return "\n".join(constant(re.sub(r"\\\n\s*", "", string)) for string in strings)


@pytest.mark.parametrize("page, message", [one for page in documents.TUTORIALS for one in messages(page)], ids=lambda one: getattr(one, "stem", None))
def test_a_message_that_a_tutorial_explains_is_one_that_is_printed(page, message, sources):
    parts = [constant(part).strip(" ¤") for part in message.split("…")]
    parts = [part for part in parts if len(part) > 3]
    assert parts and [part for part in parts if part not in sources] == []


PAGE = """# A page

Save this; save it as `block.txt`:

```text
12
```

```sh
cat block.txt
```

```text
12
```

```python
weight = 9.81 * float(open("block.txt").read())
print(f"{weight:.6f} N")
open("weight.svg", "w").write("<svg/>")
```

```text
117.7 N
```

![Weight](page/weight.svg)

<!-- not run: it takes all day. -->
```sh
false
```
"""


def test_a_tutorial_keeps_its_pictures_and_reports_what_differs_with_its_line(tmp_path):
    page = tmp_path / "page.md"

    def start(text, **options):
        page.write_text(text)
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        return documents.start(page, folder, harness.COMMAND, **options)

    missing = start(PAGE)
    assert missing.returncode == 1 and "weight.svg is another picture" in missing.stderr
    assert start(PAGE, keep=True).returncode == 0
    assert start(PAGE).returncode == 0
    for old, new, told in [
        ("117.7 N", "117.9 N", "page.md:24: printed is\n117.720000 N\nand shown is\n117.9 N"),
        ("weight = 9.81", "weight = g", 'page.md", line 18, in <module>'),
        ("cat block.txt", "cat stone.txt", "page.md:10: cat: stone.txt"),
        ("<svg/>", "<svg></svg>", "page/weight.svg is another picture"),
    ]:
        done = start(PAGE.replace(old, new))
        assert done.returncode == 1 and told in done.stderr, done.stderr
