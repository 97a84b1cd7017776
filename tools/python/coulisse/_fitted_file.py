"""A model file with other numbers, and comments behind them."""

from __future__ import annotations

import re
import tempfile
import zipfile
from difflib import SequenceMatcher
from pathlib import Path
from typing import List, Mapping

from . import _command

#: A text of TOML within a line.
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')


def _written(file: Path, values: Mapping[str, float], folder: str) -> List[str]:
    """The lines of the model file with these values, as the command writes them; all else as it is."""
    fmu = _command.pack(file, Path(folder) / "written.fmu", values=values, native=True)
    with zipfile.ZipFile(fmu) as archive:
        return archive.read("resources/model.toml").decode("utf-8").splitlines()


def annotated(file: Path, held: Mapping[str, float], values: Mapping[str, float], notes: Mapping[str, str]) -> str:
    """The text of a model file with the values that were held and those that were fitted, and the notes on these behind their lines."""
    with tempfile.TemporaryDirectory(prefix="coulisse-") as folder:
        present = dict(held)
        lines = _written(file, present, folder)
        comments: List[List[str]] = [[] for _ in lines]
        for name, value in values.items():
            present[name] = value
            new = _written(file, present, folder)
            beside: List[List[str]] = []
            for kind, i, j, k, m in SequenceMatcher(None, lines, new, autojunk=False).get_opcodes():
                old = comments[i:j]
                if kind == "equal":
                    beside += old
                    continue
                # One line with the number, changed or new.
                beside += [*old, *([] for _ in range(m - k - len(old)))]
                beside[-1] = [*beside[-1], f"fitted: {notes[name]}"]
            lines, comments = new, beside
    return "\n".join(_commented(line, own) for line, own in zip(lines, comments)) + "\n"


def _commented(line: str, notes: List[str]) -> str:
    if not notes:
        return line
    text = "; ".join(notes)
    return f"{line}; {text}" if "#" in _STRING.sub("", line) else f"{line}  # {text}"
