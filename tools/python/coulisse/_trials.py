"""Simulated measurements at many values of the unknowns, and their derivatives."""

from __future__ import annotations

import os
import tempfile
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

import numpy as np

from . import _command
from ._errors import CoulisseError, unsettable
from ._measurement import Array, Measurement, Parameter
from ._model import Model

#: Step of a difference, in sizes of an unknown. Rounding and Newton's tolerance leave 1e-9 of an output, the curve about 1e-4 of a column.
DIFFERENCE = 1e-4
#: Simulations that are remembered, for each measurement and unknown.
_KEPT = 8

#: Numbers to set, in one order.
Values = Tuple[Tuple[str, float], ...]


@dataclass(frozen=True)
class Unknown:
    """A number that is fitted, as the optimiser sees it: divided by its size, or its logarithm."""

    label: str
    """The path of the number; of a measurement's own with the name of that."""
    name: str
    """Path in the model, empty for a shift of time."""
    of: Optional[int]
    """The measurement that it belongs to, `None` for all."""
    start: float
    low: float
    high: float
    log: bool
    size: float

    @classmethod
    def make(cls, label: str, name: str, of: Optional[int], given: Parameter, default: Optional[float]) -> Unknown:
        """Checks what was given; `default` is the model's number."""
        start = default if given.start is None else given.start
        if start is None or not np.isfinite(start):
            raise ValueError(f"{label}: no start; allowed: a finite number, as (start, low, high)")
        low, high = given.low, given.high
        if given.log:
            low = max(low, np.finfo(float).tiny)
        if not low < high:
            raise ValueError(f"{label}: bounds {low:g} and {high:g}; allowed: the low one below the high one")
        if not low <= start <= high:
            allowed = f"from {low:g} to {high:g}" if not given.log else "above 0 and within its bounds, where its logarithm is fitted"
            raise ValueError(f"{label}: start {start:g}; allowed: {allowed}")
        wide = high - low if np.isfinite(high - low) else 0.0
        size = 1.0 if given.log else abs(start) or wide
        if size == 0.0:
            raise ValueError(f"{label}: starts at 0 without bounds; give (start, low, high), from which the size of its changes follows")
        return cls(label, name, of, start, low, high, given.log, size)

    def scaled(self, value: float) -> float:
        """What the optimiser sees of a value."""
        return float(np.log(value)) if self.log else value / self.size

    def value(self, scaled: float) -> float:
        """The value of what the optimiser sees."""
        return float(np.exp(min(scaled, 700.0))) if self.log else scaled * self.size


class Trials:
    """A model with all that is fitted as its parameters, one instance for each thread."""

    def __init__(
        self,
        known: Model,
        file: Path,
        held: Mapping[str, float],
        measured: Sequence[Measurement],
        unknowns: Mapping[str, Parameter],
        threads: Optional[int],
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="coulisse-")
        self._here = threading.local()
        self._models: List[Model] = []
        self.measured = list(measured)
        self._threads = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        self._known: "OrderedDict[Tuple[int, Values], Union[Dict[str, Array], CoulisseError]]" = OrderedDict()
        #: Simulations that have run.
        self.runs = 0
        try:
            self._open(known, file, held, unknowns)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Frees models and threads."""
        self._threads.shutdown()
        for model in self._models:
            model.close()
        self._folder.cleanup()

    def _open(self, known: Model, file: Path, held: Mapping[str, float], unknowns: Mapping[str, Parameter]) -> None:
        wanted = set(unknowns)
        for one in self.measured:
            wanted |= {*one.values, *one.own}
        for one in self.measured:
            one.check_units(file)
            one.bind(known)
        outputs = {name for one in self.measured for name in one.outputs()}
        missing = [sorted(name for name in names if name not in known.variables) for names in (wanted, outputs)]
        self._fmu = _command.pack(
            file, Path(self._folder.name) / "model.fmu", values=held, native=True, parameters=missing[0], outputs=missing[1]
        )
        with Model(self._fmu) as model:
            variables = model.variables
        self._units = {name: variable.unit for name, variable in variables.items()}
        for name in wanted:
            if name not in variables or variables[name].causality not in ("parameter", "input"):
                raise unsettable(name, variables)
        self.unknowns: List[Unknown] = []
        for name, given in unknowns.items():
            self.unknowns.append(Unknown.make(name, name, None, given, variables[name].start))
        for place, one in enumerate(self.measured):
            where = f" of {one.name}" if one.name else ""
            for name, given in one.own.items():
                self.unknowns.append(Unknown.make(f"{name}{where}", name, place, given, variables[name].start))
            if one.shift is not None:
                self.unknowns.append(Unknown.make(f"shift{where}", "", place, one.shift, 0.0))
        if not self.unknowns:
            raise ValueError("parameters: none; allowed: the names of numbers to fit")
        #: Simulations for a point with its Jacobian.
        self.cost = len(self.measured)
        for unknown in self.unknowns:
            self.cost += 0 if not unknown.name else len(self.measured) if unknown.of is None else 1
        self._most = _KEPT * self.cost

    def _model(self) -> Model:
        model: Optional[Model] = getattr(self._here, "model", None)
        if model is None:
            model = self._here.model = Model(self._fmu)
            self._models.append(model)
        return model

    def unit(self, name: str) -> str:
        """SI unit of a variable, empty where there is none."""
        variable = self._units.get(name)
        return "" if variable is None else variable

    def _values(self, point: Array, place: int) -> Values:
        values = dict(self.measured[place].values)
        for unknown, scaled in zip(self.unknowns, point):
            if unknown.name and unknown.of in (None, place):
                values[unknown.name] = unknown.value(scaled)
        return tuple(values.items())

    def _shift(self, point: Array, place: int) -> float:
        shifts = [unknown.value(u) for unknown, u in zip(self.unknowns, point) if not unknown.name and unknown.of == place]
        return shifts[0] if shifts else 0.0

    def _run(self, key: Tuple[int, Values]) -> Union[Dict[str, Array], CoulisseError]:
        place, values = key
        model = self._model()
        try:
            model.unset()
            model.set(dict(values))
            return self.measured[place].simulate(model)
        except CoulisseError as fault:
            return fault

    def at(self, points: Sequence[Array]) -> List[Union[Array, CoulisseError]]:
        """The computed values of all measured ones at each point, or why there are none. Runs go over all threads, none twice."""
        keys = [[(place, self._values(point, place)) for place in range(len(self.measured))] for point in points]
        new = [key for key in dict.fromkeys(key for row in keys for key in row) if key not in self._known]
        # One by itself stays in a thread of the pool, too: a model belongs to its thread.
        self._known.update(zip(new, self._threads.map(self._run, new)))
        self.runs += len(new)
        found = [self._gathered(row, point) for row, point in zip(keys, points)]
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return found

    def _gathered(self, keys: Sequence[Tuple[int, Values]], point: Array) -> Union[Array, CoulisseError]:
        parts: List[Array] = []
        for place, values in keys:
            computed = self._known[place, values]
            if isinstance(computed, CoulisseError):
                return computed
            parts += self.measured[place].sample(computed, self._shift(point, place))
        return np.concatenate(parts)

    def jacobian(self, point: Array) -> Array:
        """∂computed/∂unknowns by one-sided differences: a run for each unknown and measurement.

        Whatever computes these derivatives otherwise takes the place of this function alone.
        """
        (here,) = self._needed([point])
        steps = [self._inward(unknown, scaled) for unknown, scaled in zip(self.unknowns, point)]
        there = self.at([point + step * one for step, one in zip(steps, np.eye(len(point)))])
        columns = []
        for k, (step, computed) in enumerate(zip(steps, there)):
            if isinstance(computed, CoulisseError):
                # What the model refuses on one side, as a static below the kinetic coefficient, it may take on the other.
                step = -step
                (computed,) = self._needed([point + step * np.eye(len(point))[k]])
            columns.append((computed - here) / step)
        return np.column_stack(columns)

    def _needed(self, points: Sequence[Array]) -> List[Array]:
        found: List[Array] = []
        for computed in self.at(points):
            if isinstance(computed, CoulisseError):
                raise computed
            found.append(computed)
        return found

    @staticmethod
    def _inward(unknown: Unknown, scaled: float) -> float:
        """A step that stays within the bounds."""
        step = DIFFERENCE * max(1.0, abs(scaled)) if not unknown.log else DIFFERENCE
        return -step if scaled + step > unknown.scaled(unknown.high) else step
