"""What can go wrong, and what a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Collection, Mapping, Optional, Sequence

if TYPE_CHECKING:
    from ._variables import Variable
    from ._result import Result


@dataclass(frozen=True)
class Finding:
    """One fault of a model file or an FMU."""

    file: str
    """The file, or the file inside the FMU; empty for the archive itself."""
    line: int
    """Line in it, or 0."""
    column: int
    """Column in it, or 0."""
    message: str
    """What was seen and what is allowed."""
    severity: str = "error"
    """`error` or `warning`."""
    kind: str = ""
    """Of a model file: `syntax`, `structure` (what a schema can tell) or `content`."""
    end_line: int = 0
    """Line of the character behind what it is about, or 0."""
    end_column: int = 0
    """Column of that character, or 0."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


#: Names that are listed where none is close to what was asked for.
LISTED = 12


class Unknown(KeyError):
    """A name that nothing has."""

    def __str__(self) -> str:
        # A KeyError by itself shows its text as Python would write it, in quotes.
        return str(self.args[0])


def unknown(name: object, known: Collection[str]) -> Unknown:
    """`name` is none of the `known` ones: the nearest, or the first of them."""
    close = get_close_matches(str(name), known, n=1)
    if close:
        return Unknown(f"{name}; did you mean {close[0]}?")
    more = "" if len(known) <= LISTED else f" and {len(known) - LISTED} more"
    return Unknown(f"{name}; there are {', '.join(list(known)[:LISTED])}{more}")


def unsettable(name: str, variables: Mapping[str, Variable]) -> Unknown:
    """`name` is no variable at all: the nearest one that can be set, and how others can."""
    settable = [own for own, variable in variables.items() if variable.causality in ("parameter", "input")]
    told = unknown(name, settable) if settable else Unknown(name)
    return Unknown(f"{told}; a number of the model file can be given to `Model(path, {{name: value}})`, or set once `parameters` of its [interface] lists it")


class CoulisseError(Exception):
    """Something was refused; the message says why and what is allowed."""


class CommandError(CoulisseError):
    """The command `coulisse` is missing or has failed."""


class ModelError(CoulisseError):
    """A model file has faults: all of them in `findings`."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = list(findings)


class Discarded(CoulisseError):
    """A communication step could not be taken, or a question has no answer; the message is the reason.

    `time` is what was reached, s; `result` the rows until then where `Model.simulate` was at work.
    """

    def __init__(self, message: str, time: float, result: Optional[Result] = None) -> None:
        super().__init__(message)
        self.time = time
        self.result = result
