"""Every command in a `sh` block of README, CONTRIBUTING and docs, and every script of docs/hosts.md, runs as it stands there, in a folder
of its own that holds the models and scripts of the project. A block that is not run, or in the full tier only, says why, in a
comment of Markdown in front of it (documents.py). In the fast tier FMUs get the library of this build.

What a `text` block shows of a run, its commands behind a `$`, is what they print. Tutorials run as a whole (test_tutorials.py).
"""

import subprocess
import sys

import fmpy
import pytest

import documents
import harness
import prose

TUTORIALS = documents.TUTORIALS
DOCUMENTS = [page for page in (harness.ROOT / "README.md", harness.ROOT / "CONTRIBUTING.md", *sorted((harness.ROOT / "docs").rglob("*.md"))) if page not in TUTORIALS]
# Whose scripts are run here; test_hosts.py, test_python.py and others run those of other documents.
SCRIPTS = "hosts.md"


def commands_of(document):
    return [block for block in documents.blocks(document) if block.language == "sh" or block.language == "python" and document.name == SCRIPTS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One for each document: a later block may need what an earlier one has written."""
    made = {}

    def of(document):
        if document not in made:
            made[document] = tmp_path_factory.mktemp(document.stem)
            documents.prepare(document, made[document])
        return made[document]

    return of


CASES = [(document, block) for document in DOCUMENTS for block in commands_of(document)]


@pytest.mark.parametrize("document, block", CASES, ids=[f"{document.name}:{block.line}" for document, block in CASES])
def test_a_command_of_the_documents_does_what_it_is_there_for(document, block, folder, libraries):
    if block.reason:
        pytest.skip(block.reason)
    if block.long and not harness.ALL:
        pytest.skip(f"full tier: {block.long}")
    if document.name == "coupling.md":
        pytest.skip("test_examples.py runs these and looks at their results")
    # Cargo works in the project and writes to its target folder only.
    where = harness.ROOT if block.text.startswith("cargo ") else folder(document)
    variables = documents.environment(harness.COMMAND, native=not harness.ALL)
    if block.language == "sh":
        done = documents.shell(block.text, where, variables)
    else:
        done = subprocess.run([sys.executable, "-c", block.text], cwd=where, env=variables, capture_output=True, text=True, timeout=documents.LONGEST)
    assert done.returncode == 0, f"{block.text}\n{done.stdout}{done.stderr}"


SHOWN = [(document, *shown) for document in DOCUMENTS for block in documents.blocks(document) for shown in block.printed()]


@pytest.mark.parametrize("document, command, printed", SHOWN, ids=[f"{document.name}: {command:.60}" for document, command, _ in SHOWN])
def test_what_a_document_shows_is_what_is_printed(document, command, printed, folder):
    done = documents.shell(command, folder(document), documents.environment(harness.COMMAND))
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert documents.same(done.stdout, printed), done.stdout


def test_words_are_compared_as_they_are_and_numbers_to_four_digits():
    assert documents.same("force 12.341 N\n\nat (0.5)\n", "force   12.344 N\nat (0.5)\n")
    assert not documents.same("force 12.34 N\n", "force 12.36 N\n")
    assert not documents.same("force 12.34 N\n", "moment 12.34 N\n")
    assert not documents.same("2 rows\n", "2 rows\n3 rows\n")
    assert documents.same("a\nb\nc\nd\n", "a\n…\nd\n") and not documents.same("a\nb\n", "…\na\n")


def test_the_documents_have_commands_and_say_of_few_why_they_do_not_run():
    skipped = [block for _, block in CASES if block.reason and block.language == "sh"]
    assert len(CASES) > 10 and len(skipped) <= 13
    for document in DOCUMENTS:
        text = document.read_text()
        count = text.count("```sh\n") + (text.count("```python\n") if document.name == SCRIPTS else 0)
        assert count == len(commands_of(document)), document


PAGES = [*sorted(harness.ROOT.glob("*.md")), *sorted((harness.ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(harness.ROOT)) for page in PAGES])
def test_a_table_ends_with_an_empty_line(page):
    """Text right below a row becomes a row of the table."""
    rows, fenced, before = [], False, ""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        fence = bool(prose.FENCE.match(line))
        fenced ^= fence
        if not fenced and before.startswith("|") and not line.startswith(("|", "<!--")) and line.strip():
            rows.append(f"{number}: {line}")
        before = "" if fenced or fence else line
    assert rows == []


def test_every_script_of_the_examples_is_a_command_of_the_documents():
    commands = "".join(block.text for _, block in CASES if not block.reason)
    for script in sorted((harness.ROOT / "examples").glob("*.py")):
        if "__main__" in script.read_text():
            assert f"python examples/{script.name}" in commands, script.name


def test_fmpy_ends_a_discarded_simulation_with_fewer_rows():
    """What the README warns of: the mass falls along a guide of 1 m and is gone after 0.45 s."""
    fmu = harness.pack(harness.ROOT / "tests" / "abi" / "leaves_its_path.toml")
    result = fmpy.simulate_fmu(str(fmu), stop_time=2.0, output_interval=0.01)
    assert 0.0 < result["time"][-1] < 1.9
