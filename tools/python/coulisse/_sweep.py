"""Parameter studies over processes or a Dask cluster."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import tempfile
import threading
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _command
from ._arguments import mapping, number
from ._errors import CoulisseError, Discarded, unsettable
from ._model import Model
from ._progress import Progress, Shown
from ._result import Result
from ._signals import Signal


#: So many portions of runs each process gets, one after the other: the last ones then end at about the same time.
_PORTIONS = 16
#: Most runs of a portion.
_MOST_TOGETHER = 32


@dataclass(frozen=True)
class Run:
    """One run of a study."""

    values: Mapping[str, float]
    """What was set, in SI units."""
    result: Any
    """The `Result`, or what `reduce` made of it; of a discarded step the rows until then; `None` where nothing was simulated."""
    fault: str = ""
    """Why the model refused; empty where it ran to the end."""
    warnings: Sequence[str] = ()
    """What the library warned of, as `Result.warnings`."""


class Runs(List[Run]):
    """The runs of a study in the order of their values."""

    @property
    def warnings(self) -> Dict[str, List[int]]:
        """Each different warning, with the places of the runs that have it."""
        found: Dict[str, List[int]] = {}
        for place, run in enumerate(self):
            for text in dict.fromkeys(run.warnings):
                found.setdefault(text, []).append(place)
        return found


@dataclass(frozen=True)
class _Plan:
    stop: Optional[float]
    step: Optional[float]
    inputs: Optional[Mapping[str, Signal]]
    outputs: Optional[Sequence[str]]
    reduce: Optional[Callable[[Result], Any]]


class _Here(threading.local):
    """The model of this thread of this process, built once for all its runs."""

    fmu: Union[bytes, Path, None] = None
    model: Optional[Model] = None

    def of(self, fmu: Union[bytes, Path]) -> Model:
        if self.model is None or self.fmu != fmu:
            if self.model is not None:
                self.model.close()
            self.model = Model.of_bytes(fmu) if isinstance(fmu, bytes) else Model(fmu)
            self.fmu = fmu
        return self.model


_HERE = _Here()


def _simulate(fmu: Union[bytes, Path], values: Mapping[str, float], plan: _Plan) -> Run:
    """One run, in whatever process this is."""
    model = _HERE.of(fmu)
    model.unset()
    fault, result = "", None
    try:
        model.set(values)
        result = model.simulate(plan.stop, plan.step, plan.inputs, plan.outputs)
    except Discarded as refusal:
        fault, result = str(refusal), refusal.result
    except CoulisseError as refusal:
        fault = str(refusal)
    reduced = plan.reduce(result) if plan.reduce and result is not None else result
    return Run(dict(values), reduced, fault, tuple(model.warnings))


def _simulate_all(fmu: Union[bytes, Path], points: Sequence[Mapping[str, float]], plan: _Plan) -> List[Run]:
    """Several runs, which travel together."""
    return [_simulate(fmu, point, plan) for point in points]


def _points(vary: Union[Mapping[str, Sequence[float]], Sequence[Mapping[str, float]]]) -> List[Dict[str, float]]:
    if isinstance(vary, Mapping):
        axes = [_axis(name, values) for name, values in vary.items()]
        return [dict(zip(vary, point)) for point in itertools.product(*axes)]
    if isinstance(vary, str) or not hasattr(vary, "__iter__"):
        raise TypeError(f"vary: {vary!r}; allowed: values by name, or a list of what to set in each run")
    return [{name: number(name, value) for name, value in mapping("vary", point).items()} for point in vary]


def _axis(name: str, values: Any) -> List[float]:
    """The values of one name; a number by itself is one value."""
    if isinstance(values, str) or not hasattr(values, "__iter__") or getattr(values, "ndim", 1) == 0:
        return [number(name, values)]
    return [number(name, value) for value in values]


def sweep(
    path: _command.PathLike,
    vary: Union[Mapping[str, Sequence[float]], Sequence[Mapping[str, float]]],
    *,
    stop: Optional[float] = None,
    step: Optional[float] = None,
    inputs: Optional[Mapping[str, Signal]] = None,
    outputs: Optional[Sequence[str]] = None,
    reduce: Optional[Callable[[Result], Any]] = None,
    processes: Optional[int] = None,
    executor: Optional[Any] = None,
    progress: Optional[Progress] = None,
) -> Runs:
    """Simulates the model at many values at once: a `Run` for each, in their order.

    `vary` is the values of each name, of which all combinations are run, or a list of what to set in each run, in SI units. Of a model file names
    may be any number that measures something; one that counts, as `elements`, needs a `Model(path, values)` for each value.
    `stop` and `step` (s), `inputs` and `outputs` are those of `Model.simulate`. `reduce` makes of each `Result`, where it was computed, what is
    to be kept; like inputs that are functions it must be one that other processes can import. Runs go over `processes` processes of this machine (as many as cores
    unless given; 1 stays in this one), or over `executor`: an executor of `concurrent.futures`, or a `Client` of Dask whose workers
    have this module. `progress` is `True` for a bar, or a function that is called with how many runs are done.
    A run that the model refuses has its reason in `fault`; the others go on. `warnings` of what is returned has each different warning with the
    places of its runs. Raises `ModelError` where the file has faults, `KeyError` for
    names that are no variables. Scripts that start processes need `if __name__ == "__main__":`.
    """
    points = _points(vary)
    if processes is not None and processes < 1:
        raise ValueError(f"processes: {processes!r}; allowed: from 1 on")
    if executor is not None and not (hasattr(executor, "submit") or hasattr(executor, "get_executor")):
        raise TypeError(f"executor: {executor!r}; allowed: one of concurrent.futures, or a Client of Dask")
    if reduce is not None and not callable(reduce):
        raise TypeError(f"reduce: {reduce!r}; allowed: a function of a result")
    plan = _Plan(stop, step, inputs, outputs, reduce)
    with tempfile.TemporaryDirectory(prefix="coulisse-") as folder, Shown(progress, len(points), "runs") as tell:
        fmu = Path(path)
        if fmu.suffix.lower() != ".fmu":
            fmu = _packed(fmu, Path(folder) / "model.fmu", points)
        with Model(fmu) as model:
            for name in itertools.chain.from_iterable(points):
                if name not in model.variables:
                    raise unsettable(name, model.variables)
        if executor is not None:
            # Its workers need not see the file.
            return _over(executor, fmu.read_bytes(), points, plan, tell, 1)
        if processes == 1:
            # By its bytes: the file may be another one when this process is asked again.
            runs, content = Runs(), fmu.read_bytes()
            for count, point in enumerate(points, 1):
                runs.append(_simulate(content, point, plan))
                tell(count)
            return runs
        # Fresh processes: a fork of one that holds threads may hang.
        count = min(processes or os.cpu_count() or 1, max(len(points), 1))
        together = min(max(len(points) // (_PORTIONS * count), 1), _MOST_TOGETHER)
        with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
            return _over(pool, fmu, points, plan, tell, together)


def _packed(path: Path, fmu: Path, points: Sequence[Mapping[str, float]]) -> Path:
    """The FMU of a model file, with numbers of the file that are varied among its parameters."""
    _command.pack(path, fmu, native=True)
    with Model(fmu) as model:
        more = [name for name in dict.fromkeys(itertools.chain.from_iterable(points)) if name not in model.variables]
        if not more:
            return fmu
        try:
            return _command.pack(path, fmu, native=True, parameters=more)
        except CoulisseError:
            # Of which the first is no number that an FMU can offer.
            raise unsettable(_refused(path, fmu, more), model.variables) from None


def _refused(path: Path, fmu: Path, names: Sequence[str]) -> str:
    """The first of these names that is no parameter which the model could have."""
    for name in names:
        try:
            _command.pack(path, fmu.with_name("other.fmu"), native=True, parameters=[name])
        except CoulisseError:
            return name
    return names[0]


def _over(
    executor: Any,
    fmu: Union[bytes, Path],
    points: Sequence[Mapping[str, float]],
    plan: _Plan,
    tell: Callable[[float], None],
    together: int,
) -> Runs:
    """The runs over an executor, of which so many travel `together`."""
    shared: Any = fmu
    if hasattr(executor, "get_executor"):
        # A client of Dask: the FMU travels once to each worker. Equal calls are calls all the same.
        shared = executor.scatter(fmu, broadcast=True)
        executor = executor.get_executor(pure=False)
    pool: Executor = executor
    portions = {place: points[place : place + together] for place in range(0, len(points), together)}
    futures = {pool.submit(_simulate_all, shared, portion, plan): place for place, portion in portions.items()}
    runs: Dict[int, Run] = {}
    try:
        for future in as_completed(futures):
            runs.update(enumerate(future.result(), futures[future]))
            tell(len(runs))
    finally:
        for future in futures:
            future.cancel()
    return Runs(runs[place] for place in range(len(points)))
