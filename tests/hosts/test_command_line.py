"""Every subcommand of the command and every option of it has run: in a block of a page that the fast tier runs, or in a test of the
command, which keeps its calls in the file that COULISSE_CALLS names (tools/tests/command/common.rs)."""

import os
import re
import shlex
from pathlib import Path

import pytest

import documents
import harness

PAGES = [harness.ROOT / "README.md", *sorted((harness.ROOT / "docs").rglob("*.md"))]
# Options that run elsewhere, and where.
ELSEWHERE = {"run --mp4": "test_results.py brings ffmpeg along"}
# What ends the arguments of a command in a shell.
ENDS = {";", "|", "||", "&", "&&", ">", "2>", "<", ")"}


def options(command):
    """The options of a subcommand by its help, each as the names that it has."""
    lines = harness.coulisse("help", command).partition("In the model file")[0].splitlines()
    found = [re.match(r"\s+(?:(-\w), )?(--[\w-]+)", line) for line in lines]
    return [{name for name in match.groups() if name} for match in found if match and match[2] not in ("--help", "--version")]


def called(text):
    """The calls of the command in lines of a shell, a list of arguments for each."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        arguments = None
        for word in [*words, ";"]:
            if word in ENDS:
                if arguments:
                    yield arguments
                arguments = None
            elif arguments is not None:
                arguments.append(word)
            elif word == "coulisse":
                arguments = []


def of_pages():
    """The calls in the pages that run in the fast tier."""
    for page in PAGES:
        for block in documents.blocks(page):
            if not (block.reason or block.long):
                texts = [block.text] if block.language == "sh" else [command for command, _ in block.printed()]
                for text in texts:
                    yield from called(text)


def names(calls):
    """Each subcommand that is called with the options that it had."""
    found = {}
    for command, *arguments in calls:
        found.setdefault(command, set()).update(argument.partition("=")[0] for argument in arguments if argument.startswith("-"))
    return found


def test_every_command_and_every_option_has_run():
    kept = os.environ.get("COULISSE_CALLS")
    if kept is None:
        pytest.skip("COULISSE_CALLS names no file: tests/run has the tests of the command keep their calls in one")
    of_tests = [line.split("\t") for line in Path(kept).read_text().splitlines()]
    ran = names([*of_pages(), *of_tests])
    listed = harness.coulisse("help").partition("Commands:\n")[2].partition("\n\n")[0]
    commands = [line.split()[0] for line in listed.splitlines() if re.match(r"  \w", line)]
    assert len(commands) > 12
    missing = [command for command in commands if command not in ran]
    for command in commands:
        for option in options(command):
            if not option & ran.get(command, set()):
                missing.append(f"{command} {'/'.join(sorted(option))}")
    assert set(missing) == set(ELSEWHERE), missing


def test_calls_are_found_in_lines_of_a_shell():
    text = 'for n in 2 4; do\n  coulisse static a.toml --set=b.c=$n -o "a $n.csv" > /dev/null   # a path\ndone\nls | coulisse new --list; coulisse demo\n'
    assert list(called(text)) == [["static", "a.toml", "--set=b.c=$n", "-o", "a $n.csv"], ["new", "--list"], ["demo"]]
    assert names(called(text)) == {"static": {"--set", "-o"}, "new": {"--list"}, "demo": set()}
