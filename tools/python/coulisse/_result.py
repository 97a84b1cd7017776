"""Results: arrays by name, with their units."""

from __future__ import annotations

import base64
import csv
import html
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from ._errors import CommandError, unknown
from ._page import Drawing, frame

if TYPE_CHECKING:
    import pandas
    import xarray


#: Rows of a table that a notebook shows.
ROWS = 20


class Table(Mapping[str, "NDArray[Any]"]):
    """Columns of equal length by their names; `units` has the SI unit of each, empty where it has none or none is known."""

    def __init__(self, columns: Mapping[str, "NDArray[Any]"], units: Mapping[str, str]) -> None:
        self._columns: Dict[str, "NDArray[Any]"] = dict(columns)
        self.units: Dict[str, str] = {name: units.get(name, "") for name in self._columns}

    def __getitem__(self, name: str) -> "NDArray[Any]":
        if name not in self._columns:
            raise unknown(name, self._columns)
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()))) if self._columns else 0
        return f"<{type(self).__name__} of {rows} rows: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        """Its first rows in Jupyter, with units."""
        cells = [[_shown(value) for value in column[:ROWS]] for column in self._columns.values()]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        units = "".join(f"<th>{html.escape(self.units[name])}</th>" for name in self._columns)
        rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in zip(*cells)]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr><tr>{units}</tr></thead><tbody>{body}</tbody></table><p>{html.escape(repr(self))}</p>"

    def to_pandas(self) -> "pandas.DataFrame":
        """A `pandas.DataFrame`; its `attrs["units"]` are the units. Needs pandas."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = dict(self.units)
        return frame

    @classmethod
    def read(cls, path: Path, units: Mapping[str, str]) -> Table:
        """Reads a CSV file of the command; columns that are no numbers are texts."""
        with open(path, newline="", encoding="utf-8") as file:
            names, *rows = list(csv.reader(file))
        return cls({name: _column([row[k] for row in rows]) for k, name in enumerate(names)}, units)


def title(output: str, name: str) -> str:
    """Name of the column with the derivative of an output by a number."""
    return f"d({output})/d({name})"


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, str) else f"{float(value):.6g}"


def _column(cells: Sequence[str]) -> "NDArray[Any]":
    try:
        return np.array([float(cell) for cell in cells])
    except ValueError:
        return np.array(list(cells), dtype=str)


class Result(Table):
    """What a simulation gave: `time` (s) and every output at the communication points."""

    def __init__(
        self,
        columns: Mapping[str, "NDArray[Any]"],
        units: Mapping[str, str],
        warnings: Sequence[str],
        drawing: Optional[Drawing] = None,
        events: Optional[Table] = None,
    ) -> None:
        super().__init__(columns, units)
        #: What the library warned of: an energy balance that does not close, motions that no step resolves.
        self.warnings: List[str] = list(warnings)
        self._drawing = drawing
        #: Events of a simulation with `events`: `time` (s) and `what` has happened, of parts of the model. Without it there are none.
        self.events: Table = Table({"time": np.array([]), "what": np.array([], dtype=str)}, {"time": "s"}) if events is None else events

    def page(self) -> str:
        """The moving page of this simulation, as `coulisse run --html` writes it: the mechanism in motion and its curves, in one text of HTML.

        It is simulated again for it. Raises `CommandError` for an FMU of another tool.
        """
        if self._drawing is None:
            raise CommandError("a page needs an FMU of coulisse, with its model inside")
        return self._drawing.page()

    def _repr_html_(self) -> str:
        """The moving page in Jupyter, in a frame that reaches nothing outside; else the first rows."""
        try:
            return frame(self.page())
        except CommandError:
            return super()._repr_html_()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """What Jupyter keeps of it: the page, and for where no page is shown, as in a PDF or on GitHub, the mechanism at the end of the run."""
        if self._drawing is None:
            return {}
        try:
            page, picture = self._drawing.drawn()
        except CommandError:
            return {}
        shown = {"text/html": frame(page)}
        if picture is not None:
            shown["image/png"] = base64.b64encode(picture).decode()
        return shown

    @property
    def time(self) -> "NDArray[np.float64]":
        """Communication points, s."""
        return self["time"]

    def sensitivity(self, output: str, name: str) -> "NDArray[np.float64]":
        """Derivative of an output by one of the `sensitivities` of the simulation, at every communication point; NaN where there is none.

        In the unit of the output over that of the number. `warnings` says from when on a run has no derivatives, and why.
        """
        return self[title(output, name)]

    def to_pandas(self) -> "pandas.DataFrame":
        """A `pandas.DataFrame` over `time`; its `attrs["units"]` are the units. Needs pandas."""
        return super().to_pandas().set_index("time")

    def to_xarray(self) -> "xarray.Dataset":
        """An `xarray.Dataset` over the coordinate `time`; the unit of each variable is in its `attrs["units"]`. Needs xarray."""
        import xarray

        columns = {name: ("time", self[name], {"units": self.units[name]}) for name in self if name != "time"}
        return xarray.Dataset(columns, coords={"time": ("time", self.time, {"units": self.units["time"]})})
