"""What was measured, and how a model computes the same."""

from __future__ import annotations

import math
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _command
from ._arguments import mapping, number
from ._model import Model
from ._result import Table
from ._signals import Signal

Array = NDArray[np.float64]
#: Workbooks, whose first sheet pandas reads.
SHEETS = (".xlsx", ".xls", ".ods")
#: Phases beyond five turns, rad, are taken for degrees.
MOST_TURNED = 10.0 * math.pi
#: A file of columns (CSV and the like, or a workbook), a `pandas.DataFrame`, or arrays by name; in SI units unless a file states others.
Data = Any


@dataclass(frozen=True)
class Parameter:
    """A number that is fitted: its start, its bounds, and whether its logarithm is fitted.

    The start is the model's own number unless given. A logarithm keeps a number above 0 and gives it an interval of factors.
    """

    start: Optional[float] = None
    low: float = -math.inf
    high: float = math.inf
    log: bool = False

    @classmethod
    def of(cls, what: str, given: Any) -> Parameter:
        """A parameter from what a caller may write: nothing, a start, or a start with its bounds."""
        if isinstance(given, Parameter):
            return given
        if given is None:
            return cls()
        if isinstance(given, (tuple, list)):
            if len(given) != 3:
                raise ValueError(f"{what}: {given!r}; allowed: a start, or a start with its bounds (start, low, high)")
            start, low, high = given
            return cls(None if start is None else number(what, start), number(what, low), number(what, high))
        return cls(number(what, given))


@dataclass
class Channel:
    """One measured quantity: where it was measured (time, velocity or frequency), its values, and their noise."""

    name: str
    x: Array
    measured: Array
    deviation: Optional[Array]
    """Standard deviation of the noise; `None` where it is estimated from the residuals."""
    weight: Array
    rows: "NDArray[np.intp]"
    """Rows of the data that count."""

    def difference(self, computed: Array) -> Array:
        """Computed less measured."""
        return computed - self.measured


class Phase(Channel):
    """An angle: turns do not count."""

    def difference(self, computed: Array) -> Array:
        return np.asarray((computed - self.measured + np.pi) % (2.0 * np.pi) - np.pi)


class Measurement:
    """Columns of measured values under values of the model that hold for them."""

    #: The column over which the others were measured.
    over = ""
    #: Units of columns that are no variables of the model: a file may state others of the same quantity.
    UNITS: Mapping[str, str] = {}

    def __init__(
        self,
        data: Data,
        *,
        values: Optional[Mapping[str, float]] = None,
        own: Optional[Mapping[str, Any]] = None,
        columns: Optional[Mapping[str, Optional[str]]] = None,
        deviation: Optional[Mapping[str, Any]] = None,
        weights: Optional[Mapping[str, Any]] = None,
        name: str = "",
    ) -> None:
        self.name = name or (Path(data).stem if isinstance(data, (str, os.PathLike)) else "")
        self.values = {key: number(key, value) for key, value in mapping("values", values or {}).items()}
        #: Unknown numbers that have a value for this measurement alone, such as initial velocities.
        self.own = {key: Parameter.of(key, given) for key, given in mapping("own", own or {}).items()}
        self.shift: Optional[Parameter] = None
        self._deviation = mapping("deviation", deviation or {})
        self._weights = mapping("weights", weights or {})
        self._file = Path(data) if isinstance(data, (str, os.PathLike)) else None
        self._names = mapping("columns", columns or {})
        self._columns = _renamed(_read(data, self._units()), self._names)
        self.channels: List[Channel] = []

    def _units(self) -> Dict[str, str]:
        """Units of columns by their headings in the data."""
        renamed = {column: self.UNITS[name] for column, name in self._names.items() if name in self.UNITS}
        return {**self.UNITS, **renamed}

    def check_units(self, model: Path) -> None:
        """Raises `CommandError` where the heading of a column has a unit of something else than its variable in a model file measures."""
        if self._file is not None:
            renamed = [part for column, name in self._names.items() if name for part in ("--column", f"{column}={name}")]
            with tempfile.TemporaryDirectory(prefix="coulisse-") as folder:
                _command.succeed(["columns", "--model", model, *renamed, *_stated(self._units()), "--", _table(self._file, Path(folder))])

    def bind(self, model: Model) -> None:
        """Decides which columns are inputs and which are measured, by the variables of the model."""
        raise NotImplementedError

    def outputs(self) -> List[str]:
        """Outputs that the model has to offer."""
        return []

    def simulate(self, model: Model) -> Dict[str, Array]:
        """What the model computes with the values that were set: arrays by name, from which `sample` reads."""
        raise NotImplementedError

    def sample(self, computed: Mapping[str, Array], shift: float) -> List[Array]:
        """The computed value for each measured one, a list of channels."""
        return [computed[channel.name][channel.rows] for channel in self.channels]

    def _column(self, name: str) -> Array:
        if name not in self._columns:
            raise ValueError(f"{self.name or 'data'}: no column `{name}`; there are {', '.join(self._columns)}")
        return self._columns[name]

    def _measure(self, names: Sequence[str], kinds: Mapping[str, Any]) -> None:
        """Makes channels of columns; cells that are empty (NaN) or have no weight do not count."""
        for what, given in (("deviation", self._deviation), ("weights", self._weights)):
            for name in given:
                if name not in names:
                    raise ValueError(f"{what}: `{name}` was not measured; allowed: {', '.join(names)}")
        x = self._column(self.over)
        self.channels = []
        for name in names:
            column = self._columns.get(name)
            # An excitation that is planned has no measured values yet.
            column = np.zeros(len(x)) if column is None else column
            weight = np.broadcast_to(np.asarray(self._weights.get(name, 1.0), dtype=float), x.shape)
            known = self._deviation.get(name)
            deviation = None if known is None else np.broadcast_to(np.asarray(known, dtype=float), x.shape)
            for what, of in (("weights", weight), ("deviation", deviation)):
                if of is not None and not (np.all(np.isfinite(of)) and np.all(of >= 0.0)):
                    raise ValueError(f"{what} of `{name}`: a value below 0 or not finite; allowed: finite numbers from 0 on")
            if deviation is not None and not np.all(deviation > 0.0):
                raise ValueError(f"deviation of `{name}` is 0; allowed: numbers above 0")
            rows = np.flatnonzero(np.isfinite(column) & (weight > 0.0))
            if not len(rows):
                raise ValueError(f"{self.name or 'data'}: column `{name}` has no number; allowed: at least one")
            kind = kinds.get(name, Channel)
            chosen = None if deviation is None else deviation[rows]
            self.channels.append(kind(name, x[rows], column[rows], chosen, weight[rows], rows))


class Trajectory(Measurement):
    """Outputs over `time` (s), measured in one run.

    Columns with names of inputs drive the model, straight between their rows; the others are measured outputs. `inputs` drives further
    inputs, as of `Model.simulate`. With `shift`, a `Parameter` or (start, low, high) in s, the outputs were recorded by a clock that is late by an
    unknown time. Without it the run has communication points at all rows; with it, it has them at the model's communication step (or the
    mean distance of the rows, if that is shorter), and values between them are those of cubic splines.
    `outputs` are quantities of an experiment that is still to be planned.
    """

    over = "time"
    UNITS = {"time": "s"}

    def __init__(
        self,
        data: Data,
        *,
        inputs: Optional[Mapping[str, Signal]] = None,
        outputs: Sequence[str] = (),
        shift: Optional[Any] = None,
        **common: Any,
    ) -> None:
        super().__init__(data, **common)
        self._inputs: Dict[str, Signal] = dict(mapping("inputs", inputs or {}))
        self._planned = list(outputs)
        if shift is not None:
            self.shift = Parameter.of("shift", shift)
            if not (np.isfinite(self.shift.low) and np.isfinite(self.shift.high)):
                raise ValueError("shift: allowed: (start, low, high) in s, with both bounds")

    def bind(self, model: Model) -> None:
        time = self._column("time")
        if not len(time) or not np.all(np.isfinite(time)) or np.any(np.diff(time) < 0.0) or time[0] < 0.0:
            raise ValueError(f"{self.name or 'data'}: times go back, or begin before 0; a run begins at 0 s")
        measured = []
        for name, column in self._columns.items():
            variable = model.variables.get(name)
            if name == "time":
                continue
            if variable is not None and variable.causality == "input":
                self._inputs[name] = (list(time), list(column))
            elif "." in name:
                measured.append(name)
            else:
                raise ValueError(f"column `{name}`: no variable has this name; `columns` says which it is, or None to leave it out")
        self._measure([*measured, *(name for name in self._planned if name not in measured)], {})
        if not self.channels:
            raise ValueError(f"{self.name or 'data'}: no column is an output of the model")
        times = np.unique(time)
        if self.shift is not None:
            spacing = min([model.default_step, *(np.diff(times[[0, -1]]) / (len(times) - 1) if len(times) > 1 else ())])
            times = spacing * np.arange(1, int(np.ceil((times[-1] + max(self.shift.high, 0.0)) / spacing)) + 3)
        self._times = times[times > 0.0]
        self._time = time

    def outputs(self) -> List[str]:
        return [channel.name for channel in self.channels]

    def simulate(self, model: Model) -> Dict[str, Array]:
        return dict(model.simulate(times=list(self._times), inputs=self._inputs, outputs=self.outputs()))

    def sample(self, computed: Mapping[str, Array], shift: float) -> List[Array]:
        times = computed["time"]
        if self.shift is None:
            # The last of the same times: the rows of a run have each once.
            return [computed[c.name][np.searchsorted(times, c.x)] for c in self.channels]
        from scipy.interpolate import CubicSpline

        at = [np.clip(c.x + shift, times[0], times[-1]) for c in self.channels]
        return [np.asarray(CubicSpline(times, computed[c.name])(x)) for c, x in zip(self.channels, at)]


class Loop(Trajectory):
    """Outputs over an input that goes to and fro, measured without times.

    `along` is the input, such as `motions.drive.displacement`; `speed`, in its unit per second, is that at which the model goes
    through the rows. It matters only where the mechanism has inertia or depends on rates.
    """

    def __init__(self, data: Data, *, along: str, speed: float, **common: Any) -> None:
        super().__init__(data, **common)
        speed = number("speed", speed)
        if not (np.isfinite(speed) and speed > 0.0):
            raise ValueError(f"speed: {speed!r}; allowed: a finite number above 0")
        if "time" in self._columns:
            raise ValueError("a Loop has no column `time`; take a Trajectory")
        way = np.abs(np.diff(self._column(along), prepend=self._column(along)[:1]))
        self._columns["time"] = np.cumsum(way) / speed


class FrictionCurve(Measurement):
    """Friction force (N) of steady sliding over the velocity (m/s): the columns `velocity` and `force`.

    `joint` is a sliding joint of the model, `normal_force` its normal force (N) in the measurement.
    """

    over = "velocity"
    UNITS = {"velocity": "m/s", "force": "N"}

    def __init__(self, data: Data, *, joint: str, normal_force: float = 1.0, **common: Any) -> None:
        super().__init__(data, **common)
        self._joint, self._normal_force = joint, number("normal_force", normal_force)

    def bind(self, model: Model) -> None:
        self._measure(["force"], {})

    def simulate(self, model: Model) -> Dict[str, Array]:
        return dict(model.friction(self._joint, normal_force=self._normal_force, velocities=list(self._column("velocity"))))


class FrequencyResponse(Measurement):
    """Response of an output by an input over `frequency` (Hz), about the static equilibrium or where `at` says.

    The other columns are `gain` (in SI units, without a unit in its heading) and `phase` (rad, unless its heading states `deg`), or `real` and
    `imaginary`, or some of them. Tables of `coulisse response` are read, too: the gain and the phase of this input and output. `joints` is that of
    `Model.linearize`.
    """

    over = "frequency"
    UNITS = {"frequency": "Hz", "gain": "1", "phase": "rad", "real": "1", "imaginary": "1"}
    KINDS = ("gain", "phase", "real", "imaginary")

    def __init__(
        self, data: Data, *, input: str, output: str, at: str = "equilibrium", joints: str = "as-they-are", **common: Any
    ) -> None:
        super().__init__(data, **common)
        self._ends, self._at, self._joints = (input, output), at, joints
        own = {f"{kind}({output} by {input})": (kind, factor) for kind, factor in (("gain", 1.0), ("phase", np.pi / 180.0))}
        if any(name in self._columns for name in own):
            table = {kind: self._columns[name] * factor for name, (kind, factor) in own.items()}
            self._columns = {self.over: self._column(self.over), **table}

    def bind(self, model: Model) -> None:
        names = [name for name in self._columns if name != self.over]
        for name in names:
            if name not in self.KINDS:
                raise ValueError(f"column `{name}`; allowed: frequency, {', '.join(self.KINDS)}")
        turned = np.abs(self._columns.get("phase", np.zeros(1)))
        if np.any(turned > MOST_TURNED):
            raise ValueError(f"{self.name or 'data'}: `phase` is {np.nanmax(turned):.4g} rad; if it is in degrees, write the heading `phase [deg]` or convert it")
        self._measure(names, {"phase": Phase})

    def outputs(self) -> List[str]:
        return [self._ends[1]]

    def simulate(self, model: Model) -> Dict[str, Array]:
        linear = model.linearize([self._ends[0]], [self._ends[1]], at=self._at, joints=self._joints)
        response = linear.response(self._column("frequency"))[:, 0, 0]
        return {"gain": np.abs(response), "phase": np.angle(response), "real": response.real, "imaginary": response.imag}


def measurements(data: Any) -> List[Measurement]:
    """One measurement or several, each a `Measurement` or the data of a `Trajectory`; each with a name of its own."""
    given = list(data) if isinstance(data, (list, tuple)) else [data]
    if not given:
        raise ValueError("data: nothing measured; allowed: one measurement or several")
    found = [one if isinstance(one, Measurement) else Trajectory(one) for one in given]
    names = [one.name for one in found]
    for place, one in enumerate(found, 1):
        if not one.name or names.count(one.name) > 1:
            one.name = f"{one.name or 'measurement'} {place}" if len(found) > 1 else one.name
    return found


def columns_of(path: _command.PathLike) -> List[str]:
    """Names of the columns of a file."""
    return list(_read(path, {}))


def _read(data: Data, units: Mapping[str, str]) -> Dict[str, Array]:
    if isinstance(data, (str, os.PathLike)):
        return _file(Path(data), units)
    if hasattr(data, "reset_index"):
        # Results as a table of pandas have the time as their index.
        data = data.reset_index() if data.index.name else data
        return {str(name): _numbers(name, data[name]) for name in data.columns}
    columns = {name: _numbers(name, column) for name, column in mapping("data", data).items()}
    if len({len(column) for column in columns.values()}) != 1:
        raise ValueError("data: columns of different lengths, or none; allowed: as many values in each")
    return columns


def _numbers(name: object, column: Any) -> Array:
    try:
        return np.atleast_1d(np.asarray(column, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(f"column `{name}`: not numbers; allowed: numbers, NaN for none") from None


def _stated(units: Mapping[str, str]) -> List[str]:
    return [part for column, unit in units.items() for part in ("--unit", f"{column}={unit}")]


def _file(path: Path, units: Mapping[str, str]) -> Dict[str, Array]:
    """A file of columns, as the command reads it: those with `units` in these, others in SI units."""
    with tempfile.TemporaryDirectory(prefix="coulisse-") as folder:
        table = Path(folder) / "columns.csv"
        _command.succeed(["columns", "--output", table, *_stated(units), "--", _table(path, Path(folder))])
        return dict(Table.read(table, {}))


def _table(path: Path, folder: Path) -> Path:
    """A file of columns, or the first sheet of a workbook as one; workbooks need pandas."""
    if path.suffix.lower() not in SHEETS:
        return path
    import pandas

    table = folder / f"{path.stem}.csv"
    pandas.read_excel(path).to_csv(table, index=False)
    return table


def _renamed(columns: Mapping[str, Array], names: Mapping[str, Optional[str]]) -> Dict[str, Array]:
    for name in names:
        if name not in columns:
            raise ValueError(f"columns: no column `{name}`; there are {', '.join(columns)}")
    found: Dict[str, Array] = {}
    for name, column in columns.items():
        new = names.get(name, name)
        if new in found:
            raise ValueError(f"columns: two are `{new}`; allowed: a name for one column")
        if new is not None:
            found[new] = column
    return found
