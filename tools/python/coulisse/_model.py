"""A model at work."""

from __future__ import annotations

import base64
import html
import os
import shutil
import tempfile
import weakref
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from . import _command, _fmi
from . import _linear as linear
from ._arguments import mapping, names, number
from ._errors import CommandError, CoulisseError, Discarded, Finding, ModelError, unknown, unsettable
from ._friction import friction
from ._linear import StateSpace
from ._page import Drawing, course_rows
from ._progress import Progress, Shown
from ._result import Result, Table, title
from ._signals import Course, Signal
from ._variables import Variable, describe

if TYPE_CHECKING:
    from ._fit import Excitation, Fit
    from ._measurement import Data, Measurement

#: Units of the columns that only tables of modes and paths have.
_UNITS = {
    "omega_squared": "rad2/s2",
    "angular_frequency": "rad/s",
    "frequency": "Hz",
    "growth": "1/s",
    "generalized_mass": "kg",
    "effective_mass_x": "kg",
    "effective_mass_y": "kg",
    "effective_inertia": "kg.m2",
    "time": "s",
}

#: As `coulisse run`.
_MOST_ROWS = 1e8


@dataclass(frozen=True)
class State:
    """All that a model remembers at one time; `data` are bytes that any process takes for the same FMU."""

    data: bytes
    time: float
    """s"""


class Model:
    """A model file (TOML) or an FMU of it, ready to be set, simulated and asked.

    `path` is the model file, which is packed by the command first, or the FMU. `values` replace numbers of the model file by
    their paths, also those that are no parameters, as `{"members.beam.elements": 16}`; of an FMU they are set as by `set`. With `fmi=3` a model
    file becomes an FMU of FMI 3.0, which has events. Raises `ModelError` with every fault of the file. Numbers are in SI units; names are the paths of the model file.
    A model is one instance: use one for each thread, and one for each process.
    """

    def __init__(self, path: _command.PathLike, values: Optional[Mapping[str, float]] = None, *, fmi: int = 2) -> None:
        path = Path(path)
        self._path = path
        self._given = {} if values is None or path.suffix.lower() == ".fmu" else dict(values)
        self._folder = Path(tempfile.mkdtemp(prefix="coulisse-"))
        try:
            self._open(path, values, fmi)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._end = weakref.finalize(self, _end, self._instance, self._folder, os.getpid())

    def _open(self, path: Path, values: Optional[Mapping[str, float]], fmi: int) -> None:
        fmu = path
        if path.suffix.lower() != ".fmu":
            fmu = _command.pack(path, self._folder / f"{path.stem}.fmu", values=values, native=True, fmi=fmi)
            values = None
        unpacked = self._folder / "fmu"
        try:
            with zipfile.ZipFile(fmu) as archive:
                archive.extractall(unpacked)
            self._description = describe(unpacked)
        except (OSError, ValueError, LookupError, zipfile.BadZipFile, ElementTree.ParseError) as fault:
            raise ModelError(_command.check(fmu) or [Finding(str(fmu), 0, 0, str(fault))]) from fault
        self._unpacked = unpacked
        self._resources = unpacked / "resources"
        self._instance = _fmi.of(unpacked, self._description)
        self._values: Dict[str, float] = {}
        self._files: Dict[str, bytes] = {}
        self._time = 0.0
        self._started = False
        if values is not None:
            self.set(values)

    @classmethod
    def of_bytes(cls, fmu: bytes) -> Model:
        """The model of an FMU that is given as its bytes."""
        with tempfile.TemporaryDirectory(prefix="coulisse-") as folder:
            path = Path(folder) / "model.fmu"
            path.write_bytes(fmu)
            return cls(path)

    def __enter__(self) -> Model:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Model is one instance, which cannot be copied or sent; make one of its file in each process")

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the instance and its files; also happens when the model is no longer used."""
        self._end()

    def __repr__(self) -> str:
        return f"<coulisse.Model {self.name} at t = {self._time:g} s>"

    def _repr_html_(self) -> str:
        """Its picture in Jupyter, with the names of what can be set and read."""
        picture = self._unpacked / "model.png"
        names: Dict[str, List[str]] = {}
        for variable in self.variables.values():
            names.setdefault(variable.causality, []).append(variable.name)
        shown = [f"<p><b>{html.escape(self.name)}</b></p>"]
        if picture.is_file():
            data = base64.b64encode(picture.read_bytes()).decode()
            shown.append(f'<img alt="The mechanism" style="max-width: 100%" src="data:image/png;base64,{data}">')
        for causality in ("parameter", "input", "output"):
            if causality in names:
                words = ", ".join(html.escape(name) for name in names[causality])
                shown.append(f"<details><summary>{len(names[causality])} {causality}s</summary>{words}</details>")
        return "".join(shown)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._description.name

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Every variable by its name."""
        return self._description.variables

    @property
    def default_stop(self) -> float:
        """End of a simulation as the model proposes it, s."""
        return self._description.stop

    @property
    def default_step(self) -> float:
        """Communication step as the model proposes it, s."""
        return self._description.step

    @property
    def outputs(self) -> List[str]:
        """Names of the outputs."""
        return [v.name for v in self.variables.values() if v.causality == "output"]

    @property
    def time(self) -> float:
        """Where the model stands, s; 0 at the start."""
        return self._time

    @property
    def warnings(self) -> List[str]:
        """What the library has warned of since the last start."""
        return list(self._instance.warnings)

    def _variable(self, name: str) -> Variable:
        try:
            return self.variables[name]
        except KeyError:
            raise unknown(name, self.variables) from None

    def set(self, name: Union[str, Mapping[str, float]], value: Optional[float] = None) -> None:
        """Sets a parameter or an input, `set(name, value)`, or several, `set({name: value})`, in SI units.

        Values stay set through `reset` and `simulate`. Fixed parameters can be set before the first step
        and after `reset`; inputs and tunable parameters at any time, and act from the next step on.
        Raises `CoulisseError` where a value is not allowed now; what the model check refuses is told
        when the start is computed.
        """
        if isinstance(name, str):
            if value is None:
                raise TypeError("set(name, value): the value is missing")
            name = {name: value}
        elif value is not None:
            raise TypeError("set({name: value}): a value more; allowed: set(name, value) or set({name: value})")
        found = {key: number(key, value) for key, value in mapping("set", name).items()}
        fixed = [key for key in found if self._started and self._variable(key).variability == "fixed"]
        if fixed:
            raise CoulisseError(f"{fixed[0]} is a fixed parameter, and the model is at {self._time:g} s; allowed: set it after `reset()`")
        self._put(found)
        self._values.update(found)

    def unset(self) -> None:
        """Forgets every value that was set, and goes back to the start of the file."""
        self._values.clear()
        self.reset()

    def get(self, name: str) -> float:
        """The present value of a variable, in its SI unit. The start is computed first where need be."""
        self._start(None)
        variable = self._variable(name)
        if variable.kind == "String":
            raise CoulisseError(f"{name} is a text; allowed: numbers (a result has the texts of its outputs)")
        return float(self._instance.get(variable))

    def __getitem__(self, name: str) -> float:
        return self.get(name)

    def reset(self) -> None:
        """Back to the start, with the values that were set."""
        self._reset(events=False)

    def _reset(self, events: bool) -> None:
        self._instance.reset(events)
        self._time, self._started = 0.0, False
        self._put(self._values)

    def _start(self, stop: Optional[float]) -> None:
        if self._started:
            return
        try:
            self._instance.start(stop)
        except CoulisseError:
            self._reset(self._instance.takes_part)
            raise
        self._started = True

    def step(self, length: Optional[float] = None) -> float:
        """Advances by one communication step of `length` s, the model's own unless given; the new time, s.

        Raises `Discarded` with the reason where the step cannot be taken; then `restore` or `reset`.
        """
        self._start(None)
        length = self._description.step if length is None else number("length", length)
        end = self._time + length
        self._advance(end)
        while self._time < end:
            self._advance(end)
        return self._time

    def _advance(self, end: float) -> Optional[_fmi.Event]:
        """Goes to `end` (s), or to the event before it where the instance takes part in events."""
        try:
            self._time, event = self._instance.step(self._time, end)
        except Discarded as fault:
            self._time = fault.time
            raise
        return event

    def simulate(
        self,
        stop: Optional[float] = None,
        step: Optional[float] = None,
        inputs: Optional[Mapping[str, Signal]] = None,
        outputs: Optional[Sequence[str]] = None,
        progress: Optional[Progress] = None,
        times: Optional[Sequence[float]] = None,
        sensitivities: Optional[Sequence[str]] = None,
        events: bool = False,
    ) -> Result:
        """Simulates from the start to `stop` s in communication steps of `step` s, the model's own unless given, or to the communication
        points `times` (s).

        `inputs` gives inputs over time: a number, a function of time, or times and values (straight in
        between; the same time twice is a jump). `outputs` are those to record, all unless given.
        `progress` is `True` for a bar, or a function that is called with the time, s, after every step. The result has `time` and the outputs
        as arrays, in SI units, the same bits as `coulisse run`; the model stays at its end. `sensitivities` names parameters, inputs or
        other numbers of the model file: the result then has the derivative of every recorded output by each of them,
        `result.sensitivity(output, name)`. With `events`, of an FMU of FMI 3.0, a communication step ends at each event (sticking, an impact, the
        end of a motion): the result has a row there, and `result.events` its time and what happened. Raises `Discarded`, with the rows until then as its `result`, where a step cannot be taken.
        """
        points = None if times is None else _points(times)
        if points is not None:
            if stop is not None or step is not None:
                raise TypeError("simulate: stop or step beside times; allowed: one of both ways")
            if sensitivities is not None:
                raise TypeError("simulate: sensitivities beside times; allowed: communication steps of one length")
            stop = points[-1]
        if events and sensitivities is not None:
            raise TypeError("simulate: sensitivities beside events; allowed: one of both")
        stop = self._description.stop if stop is None else number("stop", stop)
        step = self._description.step if step is None else number("step", step)
        if not (stop > 0.0 and step > 0.0 and np.isfinite(stop) and np.isfinite(step)):
            raise ValueError(f"stop {stop} s, step {step} s; allowed: finite numbers above 0")
        if points is None and stop / step > _MOST_ROWS:
            raise ValueError(f"stop {stop} s with step {step} s makes more than {_MOST_ROWS:g} rows; allowed: a longer step")
        courses = {}
        for name, signal in mapping("inputs", inputs or {}).items():
            if self._variable(name).causality != "input":
                raise ValueError(f"{name} is no input; give it with `set`")
            courses[name] = Course(name, signal)
        recorded = self.outputs if outputs is None else names("outputs", outputs)
        derived = [] if sensitivities is None else names("sensitivities", sensitivities)
        recorder = _Recorder(self._instance, [self._variable(name) for name in recorded])
        self._reset(events)
        self._put({name: course.onwards(0.0) for name, course in courses.items()})
        self._start(stop)
        recorder.record(0.0)
        with Shown(progress, stop, "s") as tell:
            try:
                self._walk(_ends(stop, step) if points is None else points, courses, recorder, tell)
            except Discarded as fault:
                fault.result = recorder.result(self._instance.warnings, self._drawing(stop, step, courses, recorder.times))
                raise
        drawing = self._drawing(stop, step, courses, recorder.times)
        result = recorder.result(self._instance.warnings, drawing)
        return self._derived(result, drawing, recorded, derived) if derived else result

    def _derived(self, result: Result, drawing: Optional[Drawing], outputs: Sequence[str], derived: Sequence[str]) -> Result:
        """The result with the derivatives of outputs by numbers, of which the command runs the model again."""
        if drawing is None:
            raise CommandError("sensitivities need an FMU of coulisse, with its model inside")
        columns, units, ends = drawing.derivatives(derived)
        real = [name for name in outputs if self._variable(name).kind == "Real"]
        wanted = [title(output, name) for name in derived for output in real]
        rows = {**result, **{column: columns[column] for column in wanted}}
        return Result(rows, {**units, **result.units}, [*result.warnings, *ends], drawing)

    def _walk(
        self, ends: Iterable[float], courses: Mapping[str, Course], recorder: _Recorder, tell: Callable[[float], None]
    ) -> None:
        ahead = {name: self.variables[name].ahead for name in courses}
        for end in ends:
            while self._time < end:
                if courses:
                    self._put({name: course.until(end) if ahead[name] else course.onwards(self._time) for name, course in courses.items()})
                begin = self._time
                try:
                    event = self._advance(end)
                except Discarded:
                    if self._time > begin:
                        recorder.record(self._time)
                    raise
                recorder.record(self._time, event)
            tell(end)

    def _drawing(
        self, stop: float, step: float, courses: Mapping[str, Course], times: Sequence[float]
    ) -> Optional[Drawing]:
        """How this simulation is drawn; `None` for FMUs of other tools, whose inside nobody sees."""
        if not (self._resources / "model.toml").is_file():
            return None
        if not self._files:
            paths = [path for path in self._resources.rglob("*") if path.is_file()]
            self._files = {path.relative_to(self._resources).as_posix(): path.read_bytes() for path in paths}
        rows = course_rows(courses, times) if courses else []
        return Drawing(self._files, dict(self._values), stop, step, list(courses), rows)

    def _put(self, values: Mapping[str, float]) -> None:
        """Sets all of one kind or none."""
        for name in values:
            if name not in self.variables:
                raise unsettable(name, self.variables)
        found = [(self._variable(name), value) for name, value in values.items()]
        for of in dict.fromkeys(variable.type for variable, _ in found):
            chosen = [(variable.reference, value) for variable, value in found if variable.type == of]
            self._instance.set(of, *zip(*chosen))

    def save(self) -> State:
        """All that the model remembers now; what follows `restore` has the same bits as what followed here."""
        self._start(None)
        return State(self._instance.save(), self._time)

    def restore(self, state: State) -> None:
        """Back to a saved state, of this model or of another of the same FMU, with its parameters."""
        if not (isinstance(state, State) and isinstance(state.data, (bytes, bytearray, memoryview))):
            raise TypeError(f"restore: {type(state).__name__}; allowed: a State that `save` gave, or one of its bytes and its time")
        time = number("time of the state", state.time)
        if not (0.0 <= time < np.inf):
            raise ValueError(f"time of the state: {time!r} s; allowed: a finite number from 0 on")
        self._instance.restore(bytes(state.data))
        self._time, self._started = time, True

    def derivatives(self, outputs: Sequence[str], inputs: Sequence[str]) -> "NDArray[np.float64]":
        """∂outputs/∂inputs as a matrix, a row for each output, in quotients of SI units.

        After a step: how outputs at its end would differ, had the inputs or tunable parameters that were
        set for it differed. Before the first one: of the start, by inputs and all parameters. Raises
        `Discarded` with the reason where there is no derivative, as across an impact.
        """
        self._start(None)
        rows = [self._variable(name) for name in names("outputs", outputs)]
        columns = [self._variable(name).reference for name in names("inputs", inputs)]
        changes = [self._instance.directional(rows, reference) for reference in columns]
        return np.array(changes).reshape(len(columns), len(rows)).T

    def modes(
        self,
        count: int = 10,
        *,
        at: str = "start",
        at_time: Optional[float] = None,
        stuck: bool = False,
        shapes: bool = False,
    ) -> Table:
        """Natural frequencies about the start (`at="start"`), the static equilibrium (`"equilibrium"`) or where
        the simulation is `at_time` s; `stuck` where sliding joints stick.

        Columns of `coulisse modes -o`: `frequency` (Hz), `angular_frequency` (rad/s), `generalized_mass` (kg) and others. With `shapes`
        those of `--shapes` instead, a row for each node: `node`, `x`, `y` (m) and `mode1 x`, `mode1 y`, `mode1 rotation` and so on, of a
        modal mass of 1.
        """
        options: List[object] = ["--count", count]
        options += ["--at", at] if at_time is None else ["--at-time", repr(number("at_time", at_time))]
        return self._table("modes", options + (["--stuck"] if stuck else []), "--shapes" if shapes else "--output")

    def linearize(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        at: str = "start",
        at_time: Optional[float] = None,
        joints: str = "as-they-are",
        sample: Optional[float] = None,
    ) -> StateSpace:
        """The linear model about the start (`at="start"`), the static equilibrium (`"equilibrium"`) or where the simulation is `at_time` s.

        `inputs` and `outputs` are names, where `*` at the end stands for all that begin so; all unless given. `joints` is `as-they-are`,
        where what sticks stays and what slides has the slope of its friction, `stuck`, or `free` of friction. With `sample` (s) the model is
        discrete, inputs held. Raises `CommandError` where there is no linear model.
        """
        options = linear.arguments(names("inputs", inputs), names("outputs", outputs), at, at_time, joints, sample)
        file = self._folder / "linear.npz"
        self._run_command("linearize", [*options, "--output", file])
        return linear.read(file)

    def reduce(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        band: Tuple[float, float],
        method: str = "balanced",
        states: Optional[int] = None,
        error: float = 0.01,
        static_correction: bool = False,
        at: str = "start",
        at_time: Optional[float] = None,
        joints: str = "as-they-are",
    ) -> StateSpace:
        """A linear model as of `linearize` with at most so many `states`, or the fewest whose response has no larger relative `error` in the
        `band` of frequencies (Hz).

        `method` is `balanced`, `modal` or `craig-bampton`. With `static_correction` D takes the steady response of what is left out.
        `StateSpace.reduction` holds the error. Raises `CommandError` where there is no such model.
        """
        options = linear.arguments(names("inputs", inputs), names("outputs", outputs), at, at_time, joints, None)
        options += [f"--from={number('band', band[0])!r}", f"--to={number('band', band[1])!r}", f"--method={method}"]
        options += [f"--error={number('error', error)!r}"] if states is None else [f"--states={states}"]
        options += ["--static-correction"] if static_correction else []
        file = self._folder / "reduced.npz"
        self._run_command("reduce", [*options, "--output", file])
        return linear.read(file)

    def static(
        self,
        *,
        scale: Sequence[str] = (),
        control: Optional[str] = None,
        quantity: Optional[str] = None,
        to: Optional[float] = None,
        first_step: Optional[float] = None,
        largest_move: Optional[float] = None,
        points: Optional[int] = None,
        switch: Optional[str] = None,
        fixed_sliders: Optional[str] = None,
    ) -> Table:
        """Follows static equilibria through limit and bifurcation points.

        `scale` is what grows (`loads`, `gravity`, `motions.NAME`), `control` is `load`, `displacement` or
        `arc_length`, `quantity` that of displacement control, `to` the end of the path, `largest_move` that between
        two points relative to the mechanism's size, `switch` `plus` or `minus` for the other branch, `fixed_sliders`
        `friction`, `all` or `none`; the model's own unless given. Columns of `coulisse static -o`:
        `factor`, `unstable_modes` (0 where stable), `point` (start, limit, bifurcation) and the outputs.
        """
        options: List[object] = [part for name in names("scale", scale) for part in ("--scale", name)]
        given = {"control": control, "quantity": quantity, "to": to, "first-step": first_step, "largest-move": largest_move}
        for key, value in {**given, "points": points, "switch": switch, "fixed-sliders": fixed_sliders}.items():
            options += [] if value is None else [f"--{key}={value}"]
        return self._table("static", options)

    def friction(
        self,
        joint: str,
        *,
        normal_force: float = 1.0,
        velocity: Optional[float] = None,
        amplitude: Optional[float] = None,
        frequency: float = 1.0,
        velocities: Optional[Sequence[float]] = None,
    ) -> Table:
        """The friction law of a sliding joint with the values that were set, at `normal_force` N: the columns of `coulisse.friction`."""
        if not isinstance(joint, str):
            raise TypeError(f"joint: {joint!r}; allowed: the name of a sliding joint")
        joint = joint[len("joints.") :] if joint.startswith("joints.") else joint
        with self._model_file("friction") as file:
            return friction(
                f"{file}#{joint}",
                self._values,
                normal_force=normal_force,
                velocity=velocity,
                amplitude=amplitude,
                frequency=frequency,
                velocities=velocities,
            )

    def fit(
        self,
        data: Union[Data, Measurement, Sequence[Union[Data, Measurement]]],
        parameters: Union[Mapping[str, Any], Sequence[str]],
        *,
        loss: str = "linear",
        most_runs: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> Fit:
        """Fits numbers of the model file to measured data by least squares: a `Fit` with confidence intervals. Needs SciPy.

        `data` is one measurement or a list: a `Trajectory`, `Loop`, `FrictionCurve` or `FrequencyResponse`, or the data of a `Trajectory`, which are a file,
        a `pandas.DataFrame` or arrays by name. `parameters` are the paths of numbers, in or outside of `[interface]`, each with its start, with
        (start, low, high), a `Parameter`, or `None`; the start is the model's own unless given. Values that were set hold, and the model stays
        as it is. `loss` is one of `scipy.optimize.least_squares`; all but `linear` lessen the weight of outliers. `most_runs` ends it early. Runs go over `threads`, as
        many as cores unless given. Raises `CoulisseError` where the model refuses the start, `KeyError` for names that are no numbers,
        `ValueError` for data that do not fit.
        """
        from ._fit import fit

        return fit(self, self._fitted_file(), {**self._given, **self._values}, data, parameters, loss, most_runs, threads)

    def excitations(
        self,
        candidates: Mapping[str, Measurement],
        parameters: Union[Mapping[str, Any], Sequence[str]],
        *,
        beside: Sequence[Measurement] = (),
        threads: Optional[int] = None,
    ) -> List[Excitation]:
        """Experiments in the order in which they would determine `parameters`, the best first (D-optimality). Needs no measured values.

        `candidates` are measurements by names of one's choice: a `Trajectory({"time": times}, outputs=…, deviation=…)` with its inputs, or data that
        are there. `deviation` is the standard deviation of the noise of each output, `beside` what will be measured in any case. What
        counts is log det JᵀJ at the start of `parameters`, which are those of `fit`, each in its size. Raises the same.
        """
        from ._fit import excitations

        return excitations(self, self._fitted_file(), {**self._given, **self._values}, candidates, parameters, beside, threads)

    def _fitted_file(self) -> Path:
        """The model file, that within an FMU where there is no other."""
        if self._path.suffix.lower() != ".fmu":
            return self._path
        with self._model_file("fit") as file:
            return file

    @contextmanager
    def _model_file(self, command: str) -> Iterator[Path]:
        """The model file inside, for a command; in what that says stands the file that the caller knows."""
        self._instance.opened()
        file = self._resources / "model.toml"
        if not file.is_file():
            raise CommandError(f"{command} needs an FMU of coulisse, with its model inside")
        try:
            yield file
        except CommandError as fault:
            raise CommandError(str(fault).replace(str(file), str(self._path))) from None

    def _run_command(self, command: str, options: Sequence[object]) -> None:
        """Runs a command on the model file inside, with the values that were set."""
        values = [part for name, value in self._values.items() for part in ("--set", f"{name}={value!r}")]
        with self._model_file(command) as file:
            _command.succeed([command, file, *options, *values])

    def _table(self, command: str, options: Sequence[object], output: str = "--output") -> Table:
        table = self._folder / f"{command}.csv"
        self._run_command(command, [*options, output, table])
        units = {name: variable.unit for name, variable in self.variables.items()}
        return Table.read(table, {**_UNITS, **units})


class _Recorder:
    """Rows of outputs."""

    def __init__(self, instance: _fmi.Instance, variables: Sequence[Variable]) -> None:
        self._variables = list(variables)
        types: Dict[str, List[Variable]] = {}
        for variable in variables:
            types.setdefault(variable.type, []).append(variable)
        self._readers = [instance.reader(of, listed) for of, listed in types.items()]
        self._rows: Dict[str, List["NDArray[Any]"]] = {of: [] for of in types}
        self.times: List[float] = []
        self._events: List[_fmi.Event] = []

    def record(self, time: float, event: Optional[_fmi.Event] = None) -> None:
        self.times.append(time)
        for read, rows in zip(self._readers, self._rows.values()):
            rows.append(read())
        if event is not None:
            self._events.append(event)

    def result(self, warnings: Sequence[str], drawing: Optional[Drawing]) -> Result:
        columns: Dict[str, "NDArray[Any]"] = {"time": np.array(self.times)}
        # A column behind the other, each of which is asked for as a whole.
        rows = {of: iter(np.array(rows).T.copy()) for of, rows in self._rows.items()}
        for variable in self._variables:
            column = next(rows[variable.type])
            columns[variable.name] = column if variable.kind == "String" else column.astype(float)
        units = {variable.name: variable.unit for variable in self._variables}
        events = Table(
            {"time": np.array([event.time for event in self._events]), "what": np.array([event.what for event in self._events], dtype=str)},
            {"time": "s"},
        )
        return Result(columns, {"time": "s", **units}, warnings, drawing, events)


def _points(times: Sequence[float]) -> List[float]:
    """Communication points that a caller gives."""
    points = [number("times", time) for time in times]
    rises = all(after > before for before, after in zip([0.0, *points], points))
    if not (points and rises and np.isfinite(points[-1])):
        raise ValueError("times: none, or not rising from above 0; allowed: finite times above 0, each above the one before")
    return points


def _ends(stop: float, step: float) -> Iterator[float]:
    """Communication points up to `stop`: multiples of the step, not sums."""
    n, end = 0, 0.0
    while end < stop and not _close(end, stop):
        n += 1
        end = min(n * step, stop)
        yield end


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def _end(instance: _fmi.Instance, folder: Path, process: int) -> None:
    instance.free()
    # A fork has the same folder and ends before.
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
