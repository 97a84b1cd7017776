"""Pages of Markdown whose blocks run: models that a reader saves, commands, Python, and what they show.

    python tests/hosts/documents.py [--keep] PAGE...

runs tutorials and prints what differs from the pages; with --keep it keeps the pictures that they write as those of the pages.
COULISSE names the command; target/release/coulisse unless given. The Python is one with the packages of requirements.txt.

In a tutorial, docs/tutorials/NAME.md or docs/second-model.md, blocks run in their order, in one folder:

- A block behind "save it as `FILE`:" is written to that file.
- `sh` runs in bash and ends at the first command that fails.
- `python` runs with the names of the blocks before it, as cells of a notebook do.
- `text` shows what the last block printed. Where its lines begin with `$`, it shows commands and what each prints. Of a command that
  fails that is its message. A line with nothing but … stands for any lines.
- A picture NAME/FILE of the page is one that a block has written to FILE.

Words are compared as they are, numbers to a relative 5e-4, pictures byte by byte. Those of PNG are compared by their pixels, because
libraries of other versions compress them differently and draw letters a little differently.

A block that is not run has the reason in front of it, in a comment, and so has one that takes too long for the fast tier:

    <!-- not run: the reason. -->
    <!-- full tier: the reason. -->
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = [ROOT / "docs" / "second-model.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n|^<!-- full tier: (?P<long>.+?) -->\n|save it as `(?P<saved>[\w.]+)`:\n\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S
)
# A command with what it prints, up to the next.
PRINTED = re.compile(r"^\$ (?P<command>.+)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.M)
PICTURE = re.compile(r"!\[[^\]]*\]\((?P<path>[^)\s]+)\)")
NUMBER = re.compile(r"(?<![\w.])([-−+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.]*\w)")
# Where the command stands that packs for this machine.
NATIVE = Path(__file__).parent / "native"
# What a command finds where a reader runs it.
PROJECT = ("examples", "resources", "tests", "tools")
# The difference of two numbers over the larger one, and the mean one of pixels, of 255.
NUMBERS, PIXELS = 5e-4, 2.0
# Of one command, s.
LONGEST = 600


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, what is in it, its first line in the page, the file that a reader saves it as, why it is
    not run, and why it is run in the full tier only."""

    language: str
    text: str
    line: int
    saved: str | None
    reason: str | None
    long: str | None

    def printed(self):
        """The commands that it shows, each with what it prints."""
        if self.language != "text":
            return []
        return [(found["command"], found["printed"]) for found in PRINTED.finditer(self.text)]


def blocks(page):
    """The fenced blocks of a page."""
    text = page.read_text()
    return [
        Block(
            found["language"], found["text"], text.count("\n", 0, found.start("text")) + 1, found["saved"], found["reason"], found["long"]
        )
        for found in BLOCK.finditer(text)
    ]


def prepare(page, folder):
    """Links the folders of the project into `folder`, and writes the files that a reader of the page saves."""
    for name in PROJECT:
        (folder / name).symlink_to(ROOT / name)
    for block in blocks(page):
        if block.saved:
            (folder / block.saved).write_text(block.text)


def environment(command, native=False):
    """Variables of the environment in which blocks run: the command as installed, and the Python that has the packages. With `native`
    the command packs the library that it carries, for this machine, where it would look for those for other machines."""
    folder = NATIVE if native else command.parent
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {
        **os.environ,
        "PATH": path,
        "COULISSE": str(command),
        "PYTHONPATH": str(ROOT / "tools" / "python"),
        "LD_LIBRARY_PATH": str(Path(sys.prefix) / "lib"),
        # No window.
        "MPLBACKEND": "Agg",
    }


def shell(commands, folder, variables=None):
    """Runs commands in bash, which ends at the first that fails."""
    call = ["bash", "-euo", "pipefail", "-c", commands]
    return subprocess.run(call, cwd=folder, env=variables, capture_output=True, text=True, timeout=LONGEST)


def same_line(printed, shown):
    """Whether a line has the words of another and its numbers."""
    # Of a split by a group every second part is a number.
    ours, theirs = NUMBER.split(printed), NUMBER.split(shown)
    if [part.split() for part in ours[::2]] != [part.split() for part in theirs[::2]]:
        return False
    pairs = [(float(a.replace("−", "-")), float(b.replace("−", "-"))) for a, b in zip(ours[1::2], theirs[1::2])]
    return all(abs(a - b) <= NUMBERS * max(abs(a), abs(b)) for a, b in pairs)


def same(printed, shown):
    """Whether a text is as it is shown. A line … of `shown` stands for any lines; blank lines do not count."""
    lines = lambda text: [line for line in text.splitlines() if line.strip()]

    def follows(ours, theirs):
        if not theirs:
            return not ours
        if theirs[0].strip() == "…":
            return any(follows(ours[begin:], theirs[1:]) for begin in range(len(ours) + 1))
        return bool(ours) and same_line(ours[0], theirs[0]) and follows(ours[1:], theirs[1:])

    return follows(lines(printed), lines(shown))


def same_picture(drawn, kept):
    """Whether two files are the same picture."""
    if drawn.suffix != ".png":
        return drawn.read_bytes() == kept.read_bytes()
    from PIL import Image, ImageChops, ImageStat

    ours, theirs = (Image.open(file).convert("RGB") for file in (drawn, kept))
    return ours.size == theirs.size and max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean) < PIXELS


def pictures(page):
    """The pictures of a tutorial, by their paths in the page: those in the folder of its name."""
    return [Path(path) for path in PICTURE.findall(page.read_text()) if Path(path).parts[0] == page.stem]


def run(page, folder):
    """Runs the blocks of a tutorial in `folder`, in their order; what differs from the page, a message for each."""
    os.chdir(folder)
    prepare(page, folder)
    names, printed, faults = {"__name__": "__main__"}, "", []

    def compare(line, got, shown):
        if not same(got, shown):
            faults.append(f"{page.name}:{line}: printed is\n{got}and shown is\n{shown}")

    for block in blocks(page):
        if block.reason or block.saved:
            continue
        if block.language == "sh":
            done = shell(block.text, folder)
            if done.returncode != 0:
                return [*faults, f"{page.name}:{block.line}: {done.stdout}{done.stderr}"]
            printed = done.stdout
        elif block.language == "python":
            # Empty lines in front of it, for the line of the page in a message.
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            with contextlib.redirect_stdout(io.StringIO()) as caught:
                exec(code, names)
            printed = caught.getvalue()
        elif block.language == "text" and block.printed():
            for command, shown in block.printed():
                done = shell(command, folder)
                compare(block.line, done.stdout if done.returncode == 0 else done.stderr, shown)
        elif block.language == "text":
            compare(block.line, printed, block.text)
    return faults


def within(folder, page, keep):
    """Runs a tutorial in this process and compares its pictures, or keeps them; ends with the faults."""
    faults = run(page, folder)
    for path in pictures(page):
        drawn, kept = folder / path.name, page.parent / path
        if not drawn.is_file():
            faults.append(f"{page.name}: no block writes {path.name}")
        elif keep:
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(drawn, kept)
        elif not kept.is_file() or not same_picture(drawn, kept):
            faults.append(f"{page.name}: {path} is another picture; `docs/pictures --tutorials {page.stem}` keeps the one that is written")
    sys.exit("\n".join(faults) or None)


def start(page, folder, command, keep=False):
    """Runs a tutorial in a process of its own, whose return code is 0 where nothing differs."""
    call = [sys.executable, "-c", "import documents; documents.called()", folder, page, *["--keep"] * keep]
    variables = environment(command)
    variables["PYTHONPATH"] += os.pathsep + str(Path(__file__).parent)
    return subprocess.run(call, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def called():
    """What `start` begins in its process."""
    folder, page, *keep = sys.argv[1:]
    within(Path(folder), Path(page), bool(keep))


def main(pages, keep):
    """Runs tutorials, each in a folder that goes when it has ended; whether all are as their pages show them."""
    command = Path(os.environ.get("COULISSE", ROOT / "target" / "release" / "coulisse")).resolve()
    done = []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            done.append(start(page, folder, command, keep))
        print(page.name, done[-1].stdout, done[-1].stderr, sep="\n")
    return all(one.returncode == 0 for one in done)


if __name__ == "__main__":
    named = [name for name in sys.argv[1:] if name != "--keep"]
    sys.exit(not main([Path(name).resolve() for name in named], len(named) < len(sys.argv) - 1))
