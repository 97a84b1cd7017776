"""The moving page of a simulation, for Jupyter and for files."""

from __future__ import annotations

import csv
import html
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _command
from ._errors import CommandError
from ._signals import Course

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Height of the page in a notebook, pixels; it is as wide as its cell.
HEIGHT = 720


def frame(page: str) -> str:
    """The page in a frame of its own: its scripts run and reach nothing of the notebook."""
    text = html.escape(page, quote=True)
    style = f"width: 100%; height: {HEIGHT}px; border: 0"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{text}"></iframe>'


@dataclass(frozen=True)
class Drawing:
    """A simulation as `coulisse run` does it again, to the same bits, to draw it."""

    files: Mapping[str, bytes]
    """The model file `model.toml` and what it reads."""
    values: Mapping[str, float]
    stop: float
    step: float
    inputs: Sequence[str]
    rows: Sequence[Sequence[float]]
    """Time and inputs; a time twice is a jump."""

    def page(self) -> str:
        """The page, in HTML. Raises `CommandError` where it cannot be drawn."""
        return self.drawn()[0]

    def drawn(self) -> Tuple[str, Optional[bytes]]:
        """The page, in HTML, and the mechanism at the end of the run as PNG, where there is one. Raises `CommandError` where the page
        cannot be drawn."""
        with tempfile.TemporaryDirectory(prefix="coulisse-") as name:
            folder = Path(name)
            page, picture = folder / "page.html", folder / "picture.png"
            done = self._run(folder, ["--html", page, "--png", picture])
            # A run that ends early leaves the page of what it reached.
            if not page.is_file():
                raise CommandError(done.stderr.strip())
            return page.read_text(encoding="utf-8"), picture.read_bytes() if picture.is_file() else None

    def derivatives(self, names: Sequence[str]) -> "Tuple[Dict[str, NDArray[np.float64]], Dict[str, str], List[str]]":
        """Columns of the outputs and of their derivatives by numbers of the model, their units, and from when on which derivatives end.
        Raises `CommandError` where a number has none at the start."""
        with tempfile.TemporaryDirectory(prefix="coulisse-") as name:
            rows = Path(name) / "rows.npz"
            done = self._run(Path(name), ["--output", rows, *(part for key in names for part in ("--sensitivity", key))])
            # A run that ends early leaves the rows of what it reached.
            if not rows.is_file():
                raise CommandError(_command.words(done.stderr).replace("--sensitivity: model.toml: ", "sensitivities: "))
            ends = [line[len("warning: ") :] for line in done.stderr.splitlines() if line.startswith("warning: no derivatives")]
            with np.load(rows) as file:
                units = dict(zip(map(str, file["__names__"]), map(str, file["__units__"])))
                return {key: file[key] for key in units}, units, ends

    def _run(self, folder: Path, options: Sequence[object]) -> "subprocess.CompletedProcess[str]":
        """Runs it from a folder."""
        for path, content in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        call: List[object] = ["run", folder / "model.toml", *options]
        call += ["--stop", repr(self.stop), "--step", repr(self.step)]
        call += [part for key, value in self.values.items() for part in ("--set", f"{key}={value!r}")]
        if self.inputs:
            table = folder / "inputs.csv"
            with open(table, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([["time", *self.inputs], *([repr(v) for v in row] for row in self.rows)])
            call += ["--inputs", table]
        return _command.call(call)


def course_rows(courses: Mapping[str, Course], times: Sequence[float]) -> List[Tuple[float, ...]]:
    """Inputs at communication points, before and after each: what the steps between them were given."""
    rows = []
    for time in times:
        rows.append((time, *(course.until(time) for course in courses.values())))
        rows.append((time, *(course.onwards(time) for course in courses.values())))
    return rows
