"""Linear state-space models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Sequence, Union

import numpy as np

from ._arguments import number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


#: So many names and poles are shown.
MOST = 6
#: Share of the largest frequency of a coordinate alone below which a pole is rounding of stiffness, 2 √ε: as `coulisse linearize`.
BLURRED = 2.98e-8


@dataclass(frozen=True)
class StateSpace:
    """A linear model: x' = A x + B u, y = C x + D u; with a sampling time `dt` (s) above 0 x[k+1] = A x[k] + B u[k].

    x, u and y are changes from the state about which the mechanism was linearised, in SI units. `control.ss(*model)` takes the model as it is, a
    discrete one with its sampling time; `scipy.signal.StateSpace(*model)` a continuous one; a discrete one is
    `scipy.signal.StateSpace(model.A, model.B, model.C, model.D, dt=model.dt)`. `control()` makes one of python-control with all names.
    """

    A: "NDArray[np.float64]"
    B: "NDArray[np.float64]"
    C: "NDArray[np.float64]"
    D: "NDArray[np.float64]"
    #: Sampling time, s; 0 of a continuous model.
    dt: float
    #: Names of the states, inputs and outputs.
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    #: Units of all of them.
    units: Dict[str, str]
    #: Their values at the state about which the model is linear.
    values: Dict[str, float]
    #: Rates of the states there; 0 in an equilibrium.
    rates: "NDArray[np.float64]"
    #: What each sliding joint does: "slides", "sticks", "open" and so on.
    joints: Dict[str, str]
    #: Of a reduced model: `error`, the largest relative error of the response between `from` and `to` (Hz), at `error_frequency`, measured at
    #: so many `frequencies`; of balanced truncation `bound`, which no error exceeds at any frequency, relative to the largest response in the band.
    reduction: Dict[str, float] = field(default_factory=dict)

    def __iter__(self) -> "Iterator[Any]":
        return iter((self.A, self.B, self.C, self.D, self.dt) if self.dt else (self.A, self.B, self.C, self.D))

    def __repr__(self) -> str:
        """Sizes, names and slowest poles; the matrices are attributes."""
        kind = f"discrete, every {self.dt:g} s" if self.dt else "continuous"
        names = [f"{what}: {', '.join(names[:MOST]) + (', …' if len(names) > MOST else '')}" for what, names in (("inputs", self.inputs), ("outputs", self.outputs))]
        poles = ", ".join(f"{pole:.6g}" for pole in self.poles()[:MOST])
        return f"<StateSpace ({kind}): {len(self.states)} states; {'; '.join(names)}; slowest poles: {poles}>"

    def poles(self) -> "NDArray[np.complex128]":
        """Eigenvalues of A, slowest first: p in 1/s of a continuous model, z of a discrete one. What rounding makes of a zero is zero there."""
        poles = np.linalg.eigvals(self.A).astype(complex)
        if not self.dt:
            poles[np.abs(poles) <= BLURRED * self._stiffest()] = 0.0
        return poles[np.argsort(np.abs(self._rates(poles)))]

    def _rates(self, poles: "NDArray[np.complex128]") -> "NDArray[np.complex128]":
        """Poles in 1/s, of a discrete model ln(z)/dt."""
        if not self.dt:
            return poles
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(poles) / self.dt, dtype=complex)

    def _stiffest(self) -> float:
        """The largest √|∂z̈/∂z| of a coordinate z alone, rad/s: its rate is a state."""
        squares = [0.0]
        for place, row in enumerate(self.A):
            (rates,) = np.nonzero(row)
            if len(rates) == 1 and row[rates[0]] == 1.0:
                squares.append(abs(float(self.A[rates[0], place])))
        return float(np.sqrt(max(squares)))

    def damping(self) -> "NDArray[np.float64]":
        """Damping ratio of each pole, -Re(p)/abs(p), with p = ln(z)/dt of a discrete model; NaN of a pole at p = 0."""
        rates = self._rates(self.poles())
        with np.errstate(invalid="ignore"):
            ratios = np.asarray(-rates.real / np.abs(rates), dtype=float)
        # What is at rest after one sample.
        ratios[np.isneginf(rates.real)] = 1.0
        return ratios

    def dcgain(self) -> "NDArray[np.float64]":
        """Steady outputs for steady inputs, a row for each output. Raises `numpy.linalg.LinAlgError` where a pole at 0 lets something move on."""
        poles = self.poles()
        slow = np.abs(poles - 1.0) if self.dt else np.abs(poles) / np.max(np.abs(poles), initial=1e-300)
        # Rounding makes the square root of ε of two poles that are steady.
        if np.any(slow <= 2.0 * np.sqrt(np.finfo(float).eps)):
            raise np.linalg.LinAlgError("no steady gain: a pole lets something move on without end")
        system = np.eye(len(self.A)) - self.A if self.dt else -self.A
        return np.asarray(self.C @ np.linalg.solve(system, self.B) + self.D, dtype=float)

    def response(self, frequencies: "ArrayLike") -> "NDArray[np.complex128]":
        """Response at `frequencies` (Hz): an array over frequencies, outputs and inputs."""
        turns = 2j * np.pi * np.atleast_1d(np.asarray(frequencies, dtype=float))
        points = np.exp(turns * self.dt) if self.dt else turns
        one = np.eye(len(self.A))
        return np.array([self.C @ np.linalg.solve(point * one - self.A, self.B) + self.D for point in points])

    def control(self) -> Any:
        """The same as a `control.StateSpace` with names; needs the package `control`."""
        import control

        # Names of python-control may hold no dots.
        plain = {name: name.replace(".", "_") for name in (*self.states, *self.inputs, *self.outputs)}
        labels = {kind: [plain[name] for name in getattr(self, kind)] for kind in ("states", "inputs", "outputs")}
        return control.ss(self.A, self.B, self.C, self.D, self.dt, **labels)


#: What numbers of a reduction are called in the file.
STATED = "reduction_"


def read(path: Any) -> StateSpace:
    """The model in a file of `coulisse linearize -o FILE.npz` or `coulisse reduce`."""
    with np.load(path) as file:
        kinds = ("state", "input", "output")
        names = {kind: [str(name) for name in file[f"{kind}_names"]] for kind in kinds}
        units: Dict[str, str] = {}
        values: Dict[str, float] = {}
        for kind in kinds:
            units.update(zip(names[kind], map(str, file[f"{kind}_units"])))
            values.update(zip(names[kind], map(float, file[f"{kind}_values"])))
        return StateSpace(
            A=file["A"],
            B=file["B"],
            C=file["C"],
            D=file["D"],
            dt=float(file["dt"]),
            states=names["state"],
            inputs=names["input"],
            outputs=names["output"],
            units=units,
            values=values,
            rates=file["state_rates"],
            joints=dict(zip(map(str, file["joints"]), map(str, file["joint_regimes"]))),
            reduction={name[len(STATED) :]: float(file[name]) for name in file.files if name.startswith(STATED)},
        )


def arguments(
    inputs: Sequence[str], outputs: Sequence[str], at: str, at_time: Union[float, None], joints: str, sample: Union[float, None]
) -> List[object]:
    """Options of `coulisse linearize` and `coulisse reduce`."""
    options: List[object] = [f"--inputs={','.join(inputs)}"] if inputs else []
    options += [f"--outputs={','.join(outputs)}"] if outputs else []
    options += [f"--at={at}"] if at_time is None else [f"--at-time={number('at_time', at_time)!r}"]
    options += [f"--joints={joints}"]
    return options if sample is None else [*options, f"--sample={number('sample', sample)!r}"]
