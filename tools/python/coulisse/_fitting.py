"""Least squares, and what they say about the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import CoulisseError
from ._measurement import Array, Channel
from ._trials import DIFFERENCE, Trials

#: Outputs that are errors of the calculation: differences of them are rounding, which weights make as large as a measurement.
_OF_THE_SOLVER = ("energy.balance", "energy.numerical_dissipation")
#: ψ(z) = z ρ'(z²) and its derivative, of the losses ρ of `scipy.optimize.least_squares`.
LOSSES = {
    "linear": lambda z: (z, np.ones_like(z)),
    "soft_l1": lambda z: (z / np.sqrt(1.0 + z * z), (1.0 + z * z) ** -1.5),
    "huber": lambda z: (np.clip(z, -1.0, 1.0), (np.abs(z) <= 1.0).astype(float)),
    "cauchy": lambda z: (z / (1.0 + z * z), (1.0 - z * z) / (1.0 + z * z) ** 2),
    "arctan": lambda z: (z / (1.0 + z**4), (1.0 - 3.0 * z**4) / (1.0 + z**4) ** 2),
}
#: Standard deviations from which on a robust loss lessens the weight (95 % efficiency of Huber's for normal noise).
ROBUST = 1.345
#: Rounds in which the noise of several outputs is estimated, and the change of a deviation that ends them.
_ROUNDS, _SETTLED = 10, 0.01
#: A direction in which normalised columns of the Jacobian cancel to this is not seen: differences leave about as much.
_UNSEEN = 3.0 * DIFFERENCE
#: An unknown that is so near its bound, in standard deviations, is on it if the residuals push outwards.
_ON_BOUND = 0.1
#: Converged: relative changes of the sum of squares, and of the unknowns in their sizes.
_FTOL, _XTOL = 1e-8, 1e-6


@dataclass
class Estimate:
    """The unknowns where the sum of squares is least, scaled, with their covariance."""

    point: Array
    covariance: Array
    """Of the scaled unknowns; 0 for those on a bound, infinite variance of those that are not determined."""
    on_bound: List[bool]
    unseen: List[Array]
    """Directions of the scaled unknowns that leave no trace in the data."""
    weak: List[Tuple[float, Array]]
    """Directions with their standard deviation, where that is larger than the unknowns."""
    freedom: int
    noise: Dict[str, float]
    """Standard deviation of the residuals of each output."""
    computed: Array
    chi_squared: float
    known_noise: bool
    message: str


class _Spent(Exception):
    """No simulation is left."""


class Problem:
    """Residuals of all measurements, weighted by their noise."""

    def __init__(self, trials: Trials, loss: str, most_runs: Optional[int] = None) -> None:
        if loss not in LOSSES:
            raise ValueError(f"loss: {loss!r}; allowed: {', '.join(LOSSES)}")
        self.trials, self.loss, self._most = trials, loss, most_runs
        self._best: Tuple[float, Optional[Array]] = (np.inf, None)
        self.channels: List[Channel] = [channel for one in trials.measured for channel in one.channels]
        for channel in self.channels:
            if channel.name in _OF_THE_SOLVER or channel.name.startswith("solver."):
                raise ValueError(f"`{channel.name}` says how well the equations are solved, and its change by a number is rounding; allowed: what can be measured; leave the column out")
        ends = np.cumsum([len(channel.x) for channel in self.channels])
        self.slices = [slice(int(end) - len(channel.x), int(end)) for end, channel in zip(ends, self.channels)]
        self.weight = np.concatenate([channel.weight for channel in self.channels])
        # Outputs of one name have one noise, unless it is known.
        names = [channel.name for channel in self.channels if channel.deviation is None]
        self.estimated = {name: self._spread(name) for name in dict.fromkeys(names)}

    def _spread(self, name: str) -> float:
        measured = np.concatenate([channel.measured for channel in self.channels if channel.name == name])
        return float(np.std(measured)) or float(np.abs(measured).max()) or 1.0

    def deviations(self) -> Array:
        """Standard deviation of each value."""
        parts = []
        for channel in self.channels:
            known = channel.deviation
            parts.append(np.full(len(channel.x), self.estimated[channel.name]) if known is None else known)
        return np.asarray(np.concatenate(parts) / self.weight)

    def differences(self, computed: Array) -> Array:
        """Computed less measured, in the units of the outputs."""
        return np.concatenate([channel.difference(computed[part]) for channel, part in zip(self.channels, self.slices)])

    def residuals(self, point: Array) -> Array:
        """Differences in standard deviations; not finite where the model refuses, so that the optimiser takes a shorter step."""
        if self._most is not None and self._best[1] is not None and self.trials.runs + self.trials.cost > self._most:
            raise _Spent
        (computed,) = self.trials.at([point])
        if isinstance(computed, CoulisseError):
            return np.full(len(self.weight), np.inf)
        found = self.differences(computed) / self.deviations()
        self._best = min(self._best, (float(found @ found), point.copy()), key=lambda best: best[0])
        return found

    def jacobian(self, point: Array) -> Array:
        """∂residuals/∂unknowns."""
        return self.trials.jacobian(point) / self.deviations()[:, None]

    def solve(self) -> Estimate:
        """Least squares, anew with each estimate of the noise."""
        from scipy.optimize import least_squares

        unknowns = self.trials.unknowns
        point = np.array([unknown.scaled(unknown.start) for unknown in unknowns])
        bounds = (np.array([unknown.scaled(unknown.low) for unknown in unknowns]), np.array([unknown.scaled(unknown.high) for unknown in unknowns]))
        # The optimiser begins inside.
        room = np.where(np.isfinite(bounds[1] - bounds[0]), bounds[1] - bounds[0], 1.0)
        point = np.clip(point, bounds[0] + 1e-6 * room, bounds[1] - 1e-6 * room)
        (computed,) = self.trials.at([point])
        if isinstance(computed, CoulisseError):
            raise computed
        if len(self.weight) <= len(point):
            raise ValueError(f"{len(self.weight)} measured values for {len(point)} unknowns; allowed: more values than unknowns")
        message = ""
        options: Dict[str, Any] = {"bounds": bounds, "x_scale": "jac", "loss": self.loss, "f_scale": ROBUST, "ftol": _FTOL, "xtol": _XTOL}
        for _ in range(_ROUNDS):
            # Sums of squares under another noise are others.
            self._best = (np.inf, None)
            try:
                found = least_squares(self.residuals, point, jac=self.jacobian, **options)
                point, message = np.asarray(found.x), "" if found.status > 0 else str(found.message)
            except _Spent:
                assert self._best[1] is not None
                point, message = self._best[1], f"{self._most} simulations were too few"
            if self._renewed(point) <= self._tolerated() or message:
                break
        self._most = None
        return self._estimate(point, bounds, message)

    def _tolerated(self) -> float:
        """The change of a deviation that does not matter: any where there is one for all values and no loss that depends on it."""
        common = len(self.estimated) == 1 and all(channel.deviation is None for channel in self.channels)
        return np.inf if common and self.loss == "linear" or not self.estimated else _SETTLED

    def _renewed(self, point: Array) -> float:
        """Estimates the noise anew from the residuals: the largest relative change."""
        (computed,) = self.trials.at([point])
        assert not isinstance(computed, CoulisseError)
        weighted = self.differences(computed) * self.weight
        # Each output pays its part of the unknowns.
        share = 1.0 - len(point) / len(weighted)
        change = 0.0
        for name, old in self.estimated.items():
            own = np.concatenate([weighted[p] for c, p in zip(self.channels, self.slices) if c.name == name and c.deviation is None])
            # The median forgets outliers; 1.4826 of it is the standard deviation of normal noise.
            square = np.mean(own**2) if self.loss == "linear" else (1.4826 * np.median(np.abs(own))) ** 2
            # What is left of data without noise is rounding.
            new = max(float(np.sqrt(square / share)), 1e-12 * self._spread(name))
            self.estimated[name] = new
            change = max(change, abs(new / old - 1.0))
        return change

    def _estimate(self, point: Array, bounds: Tuple[Array, Array], message: str) -> Estimate:
        residuals, jacobian = self.residuals(point), self.jacobian(point)
        size = len(point)
        psi, slope = LOSSES[self.loss](residuals / ROBUST)
        psi, slope = (psi * ROBUST, slope) if self.loss != "linear" else (residuals, slope)
        on_bound = self._on_bound(point, bounds, jacobian, psi)
        free = np.flatnonzero(~on_bound)
        freedom = len(residuals) - len(free)
        # Huber's variance of an M-estimate; of least squares with known noise it is 1.
        known = not self.estimated
        variance = 1.0 if known and self.loss == "linear" else float(psi @ psi) / freedom / max(float(np.mean(slope)), 1e-3) ** 2
        covariance = np.zeros((size, size))
        norms = np.linalg.norm(jacobian[:, free], axis=0)
        visible = norms > 1e-9 * max(float(norms.max(initial=0.0)), np.finfo(float).tiny)
        unseen = [np.eye(size)[k] for k in free[~visible]]
        weak: List[Tuple[float, Array]] = []
        seen = free[visible]
        if len(seen):
            norms = norms[visible]
            _, singular, turned = np.linalg.svd(jacobian[:, seen] / norms, full_matrices=False)
            for value, row in zip(singular, turned):
                direction = np.zeros(size)
                direction[seen] = row / norms
                if value < _UNSEEN:
                    unseen.append(direction / np.abs(direction).max())
                    continue
                covariance += variance * np.outer(direction, direction) / value**2
                largest = np.abs(direction).max()
                relative = np.abs(direction[seen]) / self._sizes(point)[seen]
                deviation = float(np.sqrt(variance) * relative.max() / value)
                if deviation > 1.0:
                    weak.append((deviation, direction / largest))
        for direction in unseen:
            for k in np.flatnonzero(np.abs(direction) > 1e-2):
                covariance[k, k] = np.inf
        (computed,) = self.trials.at([point])
        assert not isinstance(computed, CoulisseError)
        noise = self._noise(computed)
        return Estimate(
            point, covariance, list(on_bound), unseen, weak, freedom, noise, computed, float(residuals @ residuals), known, message
        )

    def _sizes(self, point: Array) -> Array:
        """Sizes of the scaled unknowns: a factor of e of logarithms, else the larger of start and fitted number."""
        logs = np.array([unknown.log for unknown in self.trials.unknowns])
        return np.where(logs, 1.0, np.maximum(np.abs(point), 1.0))

    def _on_bound(self, point: Array, bounds: Tuple[Array, Array], jacobian: Array, psi: Array) -> "NDArray[np.bool_]":
        gradient = jacobian.T @ psi
        norms = np.maximum(np.linalg.norm(jacobian, axis=0), 1e-300)
        deviation = np.sqrt(psi @ psi / max(len(psi) - len(point), 1)) / norms
        # The optimiser stays inside by what it tolerates; what no data see has no deviation.
        near = np.minimum(_ON_BOUND * deviation, 1.0) + 1e-5 * np.maximum(1.0, np.abs(point))
        low, high = point - bounds[0] < near, bounds[1] - point < near
        return np.asarray((low & (gradient > 0.0)) | (high & (gradient < 0.0)))

    def _noise(self, computed: Array) -> Dict[str, float]:
        differences, noise = self.differences(computed), {}
        share = 1.0 - len(self.trials.unknowns) / len(differences)
        for name in dict.fromkeys(channel.name for channel in self.channels):
            own = np.concatenate([differences[p] for c, p in zip(self.channels, self.slices) if c.name == name])
            noise[name] = float(np.sqrt(np.mean(own**2) / share))
        return noise


def information(trials: Trials, deviations: Any) -> Array:
    """JᵀJ of the scaled unknowns at their start, in standard deviations of the noise."""
    point = np.array([unknown.scaled(unknown.start) for unknown in trials.unknowns])
    jacobian = trials.jacobian(point) / deviations[:, None]
    return np.asarray(jacobian.T @ jacobian)
