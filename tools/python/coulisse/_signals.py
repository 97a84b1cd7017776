"""Inputs over time, as `coulisse run --inputs` takes them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import isfinite
from typing import Callable, Sequence, Tuple, Union

from ._arguments import number

#: A number that holds; a function of time (s); or times (s) and values, straight in between, with a jump where a time comes twice.
Signal = Union[float, Callable[[float], float], Tuple[Sequence[float], Sequence[float]]]

#: Times that differ by less, relatively, are one: those of a run are multiples of its step, those of a table decimals.
SAME = 1e-9


class Course:
    """One input over time; constant before its first and after its last time."""

    def __init__(self, name: str, signal: Signal) -> None:
        self._name = name
        self._function = signal if callable(signal) else None
        self._times, self._values = [0.0], [0.0]
        if callable(signal):
            return
        try:
            # Any kind of number, those of numpy among them.
            self._values = [number(name, signal)]
        except TypeError:
            try:
                times, values = signal  # type: ignore[misc]
                self._times, self._values = [number(name, t) for t in times], [number(name, v) for v in values]
            except (TypeError, ValueError):
                raise ValueError(f"{name}: allowed: a number, a function of time, or times and values") from None
        if not all(map(isfinite, (*self._times, *self._values))):
            raise ValueError(f"{name}: a time or a value is not finite; allowed: finite numbers")
        if len(self._times) != len(self._values) or not self._times:
            raise ValueError(f"{name}: {len(self._times)} times and {len(self._values)} values; allowed: as many")
        if any(after < before for before, after in zip(self._times, self._times[1:])):
            raise ValueError(f"{name}: times that go back; allowed: times in order, the same twice is a jump")

    def onwards(self, time: float) -> float:
        """The value from `time` on: that after a jump."""
        return self._at(bisect_right(self._times, time + SAME * abs(time)), time)

    def until(self, time: float) -> float:
        """The value up to `time`: that before a jump."""
        return self._at(bisect_left(self._times, time - SAME * abs(time)), time)

    def _at(self, after: int, time: float) -> float:
        if self._function is not None:
            return number(f"{self._name} at {time:g} s", self._function(time))
        if after == 0:
            return self._values[0]
        if after == len(self._times):
            return self._values[-1]
        t0, t1 = self._times[after - 1 : after + 1]
        v0, v1 = self._values[after - 1 : after + 1]
        share = min(max((time - t0) / (t1 - t0), 0.0), 1.0)
        return v0 + (v1 - v0) * share
