"""Numbers of a model from measured data, with their uncertainty; experiments that would determine them best."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _command
from ._arguments import mapping, names
from ._fitted_file import annotated
from ._fitting import Estimate, Problem, information
from ._measurement import Array, Measurement, Parameter, measurements
from ._model import Model
from ._result import Table
from ._trials import Trials, Unknown

#: Two estimates whose correlation is larger can hardly be told apart.
_CORRELATED = 0.95
#: Neighbouring residuals whose correlation is larger, by so many standard deviations of that of white noise, too, are no noise.
_NEIGHBOURS, _SIGNIFICANT = 0.2, 3.0
#: Fewer residuals say nothing on that.
_FEW = 20
#: Chance below which the scatter of the residuals does not fit the noise that was stated.
_CHANCE = 1e-3


@dataclass(frozen=True)
class Fit:
    """Fitted numbers with their 95 % confidence intervals.

    The intervals are those of the linearised problem, by Student's t: they hold where residuals are independent noise and the model is nearly
    linear over the interval. `print(fit)` shows all in a table.
    """

    values: Dict[str, float]
    """The fitted numbers, in SI units."""
    intervals: Dict[str, Tuple[float, float]]
    """95 % confidence interval of each: NaN on a bound, infinite where the data do not determine the number."""
    covariance: Array
    """Covariance of the numbers in the order of `values`; of logarithms to first order."""
    correlation: Array
    """Correlation of the estimates; NaN where one has no variance."""
    residuals: Dict[str, Table]
    """For each measurement and output a table with its abscissa, `measured`, `fitted` and `residual`."""
    noise: Dict[str, float]
    """Standard deviation of the residuals of each output."""
    runs: int
    """Simulations, those for derivatives included."""
    warnings: List[str]
    """What the data do not determine, and why intervals may not hold."""
    converged: bool
    _file: Path = field(repr=False)
    _held: Mapping[str, float] = field(repr=False)
    _unknowns: Sequence[Unknown] = field(repr=False)

    def __str__(self) -> str:
        wide = max(map(len, self.values))
        lines = [f"{name:{wide}}  {' '.join(self._shown(name))}" for name in self.values]
        lines += [f"{name}: residuals {deviation:.3g}" for name, deviation in self.noise.items()]
        lines.append(f"{self.runs} simulations")
        return "\n".join([*lines, *(f"warning: {text}" for text in self.warnings)])

    def _shown(self, name: str) -> Tuple[str, str]:
        """A number and what is said of its uncertainty, with two digits of that."""
        value, (low, high) = self.values[name], self.intervals[name]
        half = max(high - value, value - low)
        if np.isnan(half):
            return f"{value:.6g}", "(on its bound)"
        if np.isinf(half):
            return f"{value:.6g}", "(not determined by the data)"
        digits = 6 if half <= 0.0 or value == 0.0 else int(np.clip(np.ceil(np.log10(abs(value) / half)) + 2, 2, 15))
        shown = _digits(value, digits)
        if abs((high - value) - (value - low)) <= 0.05 * half:
            return shown, f"± {_digits(half, 2)} (95 %)"
        return shown, f"from {_digits(low, digits)} to {_digits(high, digits)} (95 %)"

    def table(self) -> Table:
        """Names, values and ends of the intervals as columns."""
        ends = np.array(list(self.intervals.values()))
        columns = {"name": np.array(list(self.values)), "value": np.array(list(self.values.values())), "low": ends[:, 0], "high": ends[:, 1]}
        return Table(columns, {})

    def write(self, path: _command.PathLike) -> None:
        """Writes the model file with the fitted numbers, each with its uncertainty as a comment behind it; all else stays as it is.

        Numbers that belong to one measurement alone, and values that hold for one alone, are not written. Raises `CommandError` where
        the file has gone, as that within the FMU of a closed `Model`.
        """
        fitted = [unknown.name for unknown in self._unknowns if unknown.of is None]
        notes = {name: " ".join(self._shown(name)) for name in fitted}
        text = annotated(self._file, self._held, {name: float(self._shown(name)[0]) for name in fitted}, notes)
        Path(path).write_text(text, encoding="utf-8")

    def plot(self, path: Optional[_command.PathLike] = None) -> Any:
        """A `matplotlib` figure of data and fit with the residuals below, a column for each output; written to `path` if given."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(5.0 * len(self.residuals), 5.0), layout="constrained")
        axes = figure.subplots(2, len(self.residuals), squeeze=False, sharex="col", height_ratios=(2, 1))
        for (name, table), (above, below) in zip(self.residuals.items(), axes.T):
            over = next(iter(table))
            x = table[over]
            above.plot(x, table["measured"], ".", markersize=3, label="measured")
            above.plot(x, table["fitted"], label="fitted")
            above.set_title(name, fontsize="small")
            above.set_ylabel(table.units["measured"])
            above.legend(fontsize="small")
            below.plot(x, table["residual"], ".", markersize=3)
            below.axhline(0.0, linewidth=0.5, color="black")
            below.set(xlabel=f"{over} in {table.units[over]}", ylabel="residual")
            if over == "frequency":
                below.set_xscale("log")
        if path is not None:
            figure.savefig(os.fspath(path), metadata={"Date": None} if os.fspath(path).endswith(".svg") else None)
        return figure


def _digits(value: float, digits: int) -> str:
    """A number with so many digits, zeros at the end included."""
    return f"{value:#.{digits}g}".rstrip(".")


@dataclass(frozen=True)
class Excitation:
    """How well an experiment would determine the numbers."""

    name: str
    log_determinant: float
    """log det of the information matrix of the numbers in their sizes: larger is better; −∞ where it leaves some undetermined."""
    intervals: Dict[str, float]
    """Half width of the 95 % interval to expect of each number; infinite where it is not determined."""


def fit(
    known: Model,
    file: Path,
    held: Mapping[str, float],
    data: Any,
    parameters: Union[Mapping[str, Any], Sequence[str]],
    loss: str,
    most_runs: Optional[int],
    threads: Optional[int],
) -> Fit:
    """What `Model.fit` gives, of a model and its file, with values that are `held`."""
    measured = measurements(data)
    with Trials(known, file, held, measured, _parameters(parameters), threads) as trials:
        problem = Problem(trials, loss, most_runs)
        found = problem.solve()
        return _described(file, held, trials, problem, found)


def excitations(
    known: Model,
    file: Path,
    held: Mapping[str, float],
    candidates: Mapping[str, Measurement],
    parameters: Union[Mapping[str, Any], Sequence[str]],
    beside: Sequence[Measurement],
    threads: Optional[int],
) -> List[Excitation]:
    """What `Model.excitations` gives."""
    found = []
    unknowns = _parameters(parameters)
    for name, one in mapping("candidates", candidates).items():
        if not isinstance(one, Measurement):
            raise TypeError(f"{name}: {type(one).__name__}; allowed: a Trajectory or another measurement")
        with Trials(known, file, held, [one, *beside], unknowns, threads) as trials:
            problem = Problem(trials, "linear")
            if problem.estimated:
                raise ValueError(f"{name}: the noise of {', '.join(problem.estimated)} is not known; give `deviation`")
            matrix = information(trials, problem.deviations())
            own = trials.unknowns
        values, vectors = np.linalg.eigh(matrix)
        determined = values > 1e-7 * max(float(values[-1]), np.finfo(float).tiny)
        log = float(np.sum(np.log(values))) if np.all(determined) else -np.inf
        deviation = np.full(len(own), np.inf)
        if np.all(determined):
            deviation = np.sqrt(np.sum(vectors**2 / values, axis=1))
        half = {u.label: float(1.96 * d * (u.start if u.log else u.size)) for u, d in zip(own, deviation)}
        found.append(Excitation(name, log, half))
    return sorted(found, key=lambda one: -one.log_determinant)


def _parameters(given: Union[Mapping[str, Any], Sequence[str]]) -> Dict[str, Parameter]:
    if isinstance(given, Mapping):
        return {name: Parameter.of(name, value) for name, value in given.items()}
    return {name: Parameter() for name in names("parameters", given)}


def _described(file: Path, held: Mapping[str, float], trials: Trials, problem: Problem, found: Estimate) -> Fit:
    from scipy.special import stdtrit

    unknowns = trials.unknowns
    quantile = 1.959964 if found.known_noise else float(stdtrit(found.freedom, 0.975))
    values, intervals = {}, {}
    for unknown, scaled, variance, bound in zip(unknowns, found.point, np.diag(found.covariance), found.on_bound):
        values[unknown.label] = unknown.value(scaled)
        half = quantile * np.sqrt(variance)
        ends = (unknown.value(scaled - half), unknown.value(scaled + half)) if np.isfinite(half) else (-np.inf, np.inf)
        intervals[unknown.label] = (np.nan, np.nan) if bound else (float(ends[0]), float(ends[1]))
    slopes = np.array([unknown.value(u) if unknown.log else unknown.size for unknown, u in zip(unknowns, found.point)])
    deviation = np.sqrt(np.diag(found.covariance))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = found.covariance / np.outer(deviation, deviation)
    residuals = _tables(trials, problem, found)
    warnings = [*_undetermined(unknowns, found), *_correlated(unknowns, correlation), *_neighbours(residuals), *_scatter(found)]
    if found.message:
        warnings.append(f"not converged: {found.message}")
    covariance = found.covariance * np.outer(slopes, slopes)
    converged = not found.message
    return Fit(
        values, intervals, covariance, correlation, residuals, found.noise, trials.runs, warnings, converged, file, dict(held), unknowns
    )


def _tables(trials: Trials, problem: Problem, found: Estimate) -> Dict[str, Table]:
    tables: Dict[str, Table] = {}
    units = {"time": "s", "velocity": "m/s", "frequency": "Hz"}
    difference = problem.differences(found.computed)
    places = iter(problem.slices)
    for one in trials.measured:
        for channel in one.channels:
            part = next(places)
            own = trials.unit(channel.name) or {"force": "N", "phase": "rad"}.get(channel.name, "")
            # Residuals are measured less fitted, as one draws them.
            columns = {one.over: channel.x, "measured": channel.measured, "fitted": found.computed[part], "residual": -difference[part]}
            name = f"{one.name}: {channel.name}" if one.name else channel.name
            tables[name] = Table(columns, {one.over: units[one.over], "measured": own, "fitted": own, "residual": own})
    return tables


def _undetermined(unknowns: Sequence[Unknown], found: Estimate) -> List[str]:
    texts = []
    for unknown, bound in zip(unknowns, found.on_bound):
        if bound:
            texts.append(f"{unknown.label} is on its bound: it has no interval, and those of the others hold with it fixed there")
    for direction in found.unseen:
        texts.append(f"the data do not determine {_combination(unknowns, found, direction)}: fix one, or measure otherwise")
    for deviation, direction in found.weak:
        shown = _combination(unknowns, found, direction)
        texts.append(f"the data hardly determine {shown}: it has a standard deviation of {100 * deviation:.0f} % of its size")
    return texts


def _combination(unknowns: Sequence[Unknown], found: Estimate, direction: Array) -> str:
    """The numbers that change together, in percent of the larger of start and fitted number."""
    relative = [d if u.log else d / max(abs(v), 1.0) for u, v, d in zip(unknowns, found.point, direction)]
    largest = max(map(abs, relative))
    parts = [(unknown.label, change / largest) for unknown, change in zip(unknowns, relative) if abs(change) > 0.05 * largest]
    if len(parts) == 1:
        return parts[0][0]
    sign = np.sign(parts[0][1])
    return "a change of " + " with ".join(f"{100 * sign * change:+.3g} % of {label}" for label, change in parts)


def _correlated(unknowns: Sequence[Unknown], correlation: Array) -> List[str]:
    texts = []
    for i, a in enumerate(unknowns):
        for j, b in enumerate(unknowns[:i]):
            if abs(correlation[i, j]) > _CORRELATED:
                texts.append(f"{b.label} and {a.label} have the correlation {correlation[i, j]:.3f}: the data know a combination of both better than each")
    return texts


def _neighbours(residuals: Mapping[str, Table]) -> List[str]:
    """Of residuals that follow each other: then so many values say less, and intervals are too small."""
    texts = []
    for name, table in residuals.items():
        over = next(iter(table))
        r = table["residual"][np.argsort(table[over], kind="stable")]
        r = r - r.mean()
        # What is left of data without noise is rounding.
        if len(r) < _FEW or np.abs(r).max() <= 1e-7 * np.ptp(table["measured"]):
            continue
        neighbours = float(r[1:] @ r[:-1] / (r @ r))
        if neighbours > max(_NEIGHBOURS, _SIGNIFICANT / np.sqrt(len(r))):
            factor = np.sqrt((1.0 + neighbours) / (1.0 - neighbours))
            texts.append(
                f"{name}: neighbouring residuals have the correlation {neighbours:.2f}, and intervals suppose independent ones: "
                f"they are too small, by about {factor:.1f} times, or the model lacks something"
            )
    return texts


def _scatter(found: Estimate) -> List[str]:
    if not found.known_noise:
        return []
    from scipy.special import chdtrc

    chance = float(chdtrc(found.freedom, found.chi_squared))
    if _CHANCE <= chance <= 1.0 - _CHANCE:
        return []
    ratio = np.sqrt(found.chi_squared / found.freedom)
    return [f"residuals are {ratio:.2g} times as large as the stated deviations: the noise is another, or the model lacks something"]
