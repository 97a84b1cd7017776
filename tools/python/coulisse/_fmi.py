"""The C interface of an FMU through ctypes: what Co-Simulation of FMI 2.0 and FMI 3.0 share."""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any, Callable, ClassVar, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type

import numpy as np
from numpy.typing import NDArray

from ._errors import CoulisseError, Discarded
from ._variables import Description, Variable

OK, WARNING, DISCARD = 0, 1, 2
WARNINGS = "logStatusWarning"
REFERENCES: List[Any] = [POINTER(c_uint), c_size_t]


class Values(NamedTuple):
    """How values of a type are handed over."""

    name: str
    """What the functions are called that read and set them."""
    c: Any
    low: int = 0
    high: int = 0
    """Of whole numbers, the bounds."""

    @property
    def text(self) -> bool:
        """Whether they are texts, which can only be read."""
        return self.c is c_char_p


class Event(NamedTuple):
    """What a communication step has ended at."""

    time: float
    """s"""
    what: str
    """Empty where the FMU does not say it."""


def _folders() -> Tuple[str, ...]:
    """Folders of this platform's library, that of FMI 2.0 first and then that of FMI 3.0's names."""
    bits = "64" if sys.maxsize > 2**32 else "32"
    system = {"win32": "win", "darwin": "darwin"}.get(sys.platform, "linux")
    # What `platform.machine` asks Windows for can take seconds.
    machine = os.uname().machine if sys.platform != "win32" else sysconfig.get_platform()
    arm = machine.endswith(("arm64", "aarch64"))
    three = {"win": "windows", "darwin": "darwin", "linux": "linux"}[system]
    return (f"{'aarch64' if arm else 'x86_64'}-{three}", f"{system}{bits}")


def library(folder: Path, identifier: str, functions: Mapping[str, Sequence[Any]]) -> ctypes.CDLL:
    """The library of an unpacked FMU for this platform, with the arguments of its functions."""
    ending = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    paths = [folder / "binaries" / name / f"{identifier}{ending}" for name in _folders()]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        binaries = folder / "binaries"
        inside = ", ".join(sorted(p.name for p in binaries.iterdir())) if binaries.is_dir() else "none"
        raise CoulisseError(f"the FMU has no library for this platform; it has those for {inside}")
    found = ctypes.CDLL(str(path))
    for name, arguments in functions.items():
        function = getattr(found, name, None)
        if function is None:
            raise CoulisseError(f"the library of the FMU has no {name}")
        function.argtypes, function.restype = arguments, c_int
    return found


class Instance:
    """One instance; a call that is refused raises with what the library said, as does one beside that of another thread."""

    #: What names of functions begin with, and the arguments behind the instance.
    PREFIX: ClassVar[str]
    FUNCTIONS: ClassVar[Dict[str, List[Any]]]
    #: The functions that make an instance, and their arguments.
    MAKERS: ClassVar[Dict[str, List[Any]]]
    #: Types of variables that can be read.
    TYPES: ClassVar[Dict[str, Values]]
    #: How the standard writes the state of an FMU, and that bytes become one.
    STATE: ClassVar[str]
    DESERIALIZE: ClassVar[str]

    def __init__(self, folder: Path, description: Description) -> None:
        after = {f"{self.PREFIX}{name}": [c_void_p, *arguments] for name, arguments in self.FUNCTIONS.items()}
        makers = {f"{self.PREFIX}{name}": arguments for name, arguments in self.MAKERS.items()}
        free = f"{self.PREFIX}FreeInstance"
        self._library = library(folder, description.identifier, {**after, **makers, free: [c_void_p]})
        for name in makers:
            getattr(self._library, name).restype = c_void_p
        self._free = getattr(self._library, free)
        self._free.restype = None
        # Of the same thread, a logger that calls is answered by the library.
        self._lock = threading.RLock()
        self._said: List[str] = []
        self.warnings: List[str] = []
        self._description = description
        self._resources = folder / "resources"
        self._component: Optional[int] = None
        #: Whether its steps end at events.
        self.takes_part = False
        self._make()

    def _make(self) -> None:
        """Makes the instance anew."""
        del self._said[:]
        self._component = self._instantiate()
        if not self._component:
            raise CoulisseError("\n".join(self._said) or f"{self.PREFIX}Instantiate gave no instance and logged no reason")
        if WARNINGS in self._description.categories:
            self.call("SetDebugLogging", 1, 1, (c_char_p * 1)(WARNINGS.encode()))

    def _instantiate(self) -> Optional[int]:
        raise NotImplementedError

    def start(self, stop: Optional[float]) -> None:
        """Computes the start, with the end of the simulation (s) where it is known."""
        raise NotImplementedError

    def step(self, begin: float, end: float) -> Tuple[float, Optional[Event]]:
        """A communication step (s), which ends at the first event where the instance takes part in events: the time that was reached, and
        the event."""
        raise NotImplementedError

    def reset(self, events: bool) -> None:
        """Back to the start, to take part in events or not."""
        if events and not self._description.events:
            raise CoulisseError("this FMU has no Event Mode; allowed: one of FMI 3.0 that has it, as `fmi=3` makes it")
        if events != self.takes_part:
            self.opened()
            self._free(self._component)
            self.takes_part = events
            self._make()
        self.call("Reset")
        del self.warnings[:]

    def _reached(self) -> float:
        """Time of a step that was discarded, s."""
        raise NotImplementedError

    def _log_message(self, status: int, message: Optional[bytes]) -> None:
        text = (message or b"").decode("utf-8", "replace")
        (self.warnings if status == WARNING else self._said).append(text)

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function of the standard by its name without prefix."""
        if not self._lock.acquire(blocking=False):
            raise CoulisseError("another thread is in a call of this model; allowed: one model for each thread")
        try:
            self.opened()
            self._call(function, arguments)
        finally:
            self._lock.release()

    def opened(self) -> None:
        """Raises where it has been freed."""
        if not self._component:
            raise CoulisseError("the model is closed; make it again")

    def _call(self, function: str, arguments: Sequence[Any]) -> None:
        del self._said[:]
        status = getattr(self._library, f"{self.PREFIX}{function}")(self._component, *arguments)
        if status in (OK, WARNING):
            return
        message = "\n".join(self._said) or f"{self.PREFIX}{function} answered {status}"
        if status == DISCARD:
            raise Discarded(message, self._reached())
        raise CoulisseError(message)

    def values(self, of: str) -> Values:
        """How values of a type are handed over."""
        try:
            return self.TYPES[of]
        except KeyError:
            raise CoulisseError(f"a variable of type {of}; allowed: {', '.join(self.TYPES)}") from None

    def _access(self, references: Sequence[int], place: Any) -> Tuple[Any, ...]:
        """Arguments that name variables and hand over as many values."""
        return (c_uint * len(references))(*references), len(references), place

    def get(self, variable: Variable) -> Any:
        """The value of a variable."""
        return self.reader(variable.type, [variable])()[0]

    def reader(self, of: str, variables: Sequence[Variable]) -> "Callable[[], NDArray[Any]]":
        """What reads values of one type again and again."""
        values = self.values(of)
        function = f"Get{values.name}"
        references, count, places = laid_out(variables)
        place = (values.c * count)()
        arguments = self._access(references, place)
        # An array of texts is read one by one: they are the library's.
        numbers = None if values.text else np.ctypeslib.as_array(place)

        def read() -> "NDArray[Any]":
            self.call(function, *arguments)
            if numbers is None:
                texts = [(text or b"").decode("utf-8", "replace") for text in place]
                return np.array([texts[k] for k in places], dtype=str)
            found: "NDArray[Any]" = numbers[places]
            return found

        return read

    def set(self, of: str, references: Sequence[int], given: Sequence[float]) -> None:
        """Sets values of one type, all or none."""
        values = self.values(of)
        if values.text:
            raise CoulisseError("a text cannot be set; allowed: numbers")
        if values.high:
            for value in given:
                if not (values.low <= value <= values.high and value == int(value)):
                    allowed = f"whole numbers from {values.low} to {values.high}"
                    raise CoulisseError(f"{value!r} for a variable of type {of}; allowed: {allowed}")
            given = [int(value) for value in given]
        self.call(f"Set{values.name}", *self._access(references, (values.c * len(given))(*given)))

    def directional(self, unknown: Sequence[Variable], known: int) -> "NDArray[np.float64]":
        """∂unknown/∂known."""
        references, count, places = laid_out(unknown)
        change = (c_double * count)()
        self._directional(references, known, change)
        found: "NDArray[np.float64]" = np.array(change)[places]
        return found

    def _directional(self, unknown: Sequence[int], known: int, change: Any) -> None:
        raise NotImplementedError

    def save(self) -> bytes:
        """All that the instance remembers."""
        state, size, name = c_void_p(), c_size_t(), self.STATE
        self.call(f"Get{name}", byref(state))
        try:
            self.call(f"Serialized{name}Size", state, byref(size))
            place = ctypes.create_string_buffer(size.value)
            self.call(f"Serialize{name}", state, place, size)
        finally:
            self.call(f"Free{name}", byref(state))
        return place.raw

    def restore(self, saved: bytes) -> None:
        """Takes over what `save` gave."""
        state, name = c_void_p(), self.STATE
        self.call(f"{self.DESERIALIZE}{name}", saved, len(saved), byref(state))
        try:
            self.call(f"Set{name}", state)
        finally:
            self.call(f"Free{name}", byref(state))

    def free(self) -> None:
        """Ends the instance, once a call of another thread has returned, and lets go of the library where that keeps its file."""
        with self._lock:
            if self._component:
                self._free(self._component)
                self._component = None
                if sys.platform == "win32":
                    ctypes.windll.kernel32.FreeLibrary(c_void_p(self._library._handle))


def laid_out(variables: Sequence[Variable]) -> Tuple[List[int], int, List[int]]:
    """Value references of scalars and of whole arrays, how many values these have, and the place of each variable among them."""
    references: List[int] = []
    places: List[int] = []
    first: Dict[int, int] = {}
    count = 0
    for variable in variables:
        if not variable.elements or variable.reference not in first:
            references.append(variable.reference)
            first[variable.reference] = count
            count += variable.elements or 1
        places.append(first[variable.reference] + variable.place)
    return references, count, places


def states(name: str, deserialize: str) -> Dict[str, List[Any]]:
    """Functions of saved states."""
    return {
        f"Get{name}": [POINTER(c_void_p)],
        f"Set{name}": [c_void_p],
        f"Free{name}": [POINTER(c_void_p)],
        f"Serialized{name}Size": [c_void_p, POINTER(c_size_t)],
        f"Serialize{name}": [c_void_p, c_char_p, c_size_t],
        f"{deserialize}{name}": [c_char_p, c_size_t, POINTER(c_void_p)],
    }


def of(folder: Path, description: Description) -> Instance:
    """An instance of an unpacked FMU, by the standard that it follows."""
    from ._fmi2 import Instance2
    from ._fmi3 import Instance3

    kinds: Dict[int, Type[Instance]] = {2: Instance2, 3: Instance3}
    return kinds[description.standard](folder, description)
