"""Tutorials run as a whole, in a folder of their own, and show what they print and draw (documents.py)."""

import tempfile
from pathlib import Path

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
