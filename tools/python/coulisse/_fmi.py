"""The C interface of an FMU through ctypes: FMI 2.0 for Co-Simulation."""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any, Callable, List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import CoulisseError, Discarded
from ._variables import Description

OK, WARNING, DISCARD = 0, 1, 2
CO_SIMULATION = 1
LAST_SUCCESSFUL_TIME = 2
_WARNINGS = "logStatusWarning"

# A variadic function in C. The library sends its text as the format, without further arguments.
_Logger = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)


class _Callbacks(ctypes.Structure):
    _fields_ = [
        ("logger", _Logger),
        ("allocate_memory", c_void_p),
        ("free_memory", c_void_p),
        ("step_finished", c_void_p),
        ("environment", c_void_p),
    ]


def _memory() -> Tuple[c_void_p, c_void_p]:
    """`calloc` and `free` of the C library: an FMU without `canNotUseMemoryManagementFunctions` may call them."""
    c = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(c.calloc, c_void_p), ctypes.cast(c.free, c_void_p)


_REFERENCES: List[Any] = [POINTER(c_uint), c_size_t]
_FUNCTIONS: "dict[str, List[Any]]" = {
    "SetDebugLogging": [c_int, c_size_t, POINTER(c_char_p)],
    "SetupExperiment": [c_int, c_double, c_double, c_int, c_double],
    "EnterInitializationMode": [],
    "ExitInitializationMode": [],
    "Terminate": [],
    "Reset": [],
    "GetReal": [*_REFERENCES, POINTER(c_double)],
    "GetInteger": [*_REFERENCES, POINTER(c_int)],
    "GetBoolean": [*_REFERENCES, POINTER(c_int)],
    "SetReal": [*_REFERENCES, POINTER(c_double)],
    "SetInteger": [*_REFERENCES, POINTER(c_int)],
    "SetBoolean": [*_REFERENCES, POINTER(c_int)],
    "GetFMUstate": [POINTER(c_void_p)],
    "SetFMUstate": [c_void_p],
    "FreeFMUstate": [POINTER(c_void_p)],
    "SerializedFMUstateSize": [c_void_p, POINTER(c_size_t)],
    "SerializeFMUstate": [c_void_p, c_char_p, c_size_t],
    "DeSerializeFMUstate": [c_char_p, c_size_t, POINTER(c_void_p)],
    "GetDirectionalDerivative": [*_REFERENCES, *_REFERENCES, POINTER(c_double), POINTER(c_double)],
    "DoStep": [c_double, c_double, c_int],
    "GetRealStatus": [c_int, POINTER(c_double)],
}


def _folders() -> Tuple[str, ...]:
    """Folders of this platform's library, that of FMI 2.0 first and then that of FMI 3.0's names."""
    bits = "64" if sys.maxsize > 2**32 else "32"
    system = {"win32": "win", "darwin": "darwin"}.get(sys.platform, "linux")
    # What `platform.machine` asks Windows for can take seconds.
    machine = os.uname().machine if sys.platform != "win32" else sysconfig.get_platform()
    arm = machine.endswith(("arm64", "aarch64"))
    three = {"win": "windows", "darwin": "darwin", "linux": "linux"}[system]
    return (f"{'aarch64' if arm else 'x86_64'}-{three}", f"{system}{bits}")


def library(folder: Path, identifier: str) -> ctypes.CDLL:
    """The library of an unpacked FMU for this platform."""
    ending = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    paths = [folder / "binaries" / name / f"{identifier}{ending}" for name in _folders()]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        inside = ", ".join(sorted(p.name for p in (folder / "binaries").iterdir()))
        raise CoulisseError(f"the FMU has no library for this platform; it has those for {inside}")
    found = ctypes.CDLL(str(path))
    for name in ("Instantiate", "FreeInstance"):
        if not hasattr(found, f"fmi2{name}"):
            raise CoulisseError(f"the library of the FMU has no fmi2{name}")
    found.fmi2Instantiate.restype = c_void_p
    found.fmi2Instantiate.argtypes = [c_char_p, c_int, c_char_p, c_char_p, POINTER(_Callbacks), c_int, c_int]
    found.fmi2FreeInstance.restype = None
    found.fmi2FreeInstance.argtypes = [c_void_p]
    for name, arguments in _FUNCTIONS.items():
        function = getattr(found, f"fmi2{name}", None)
        if function is None:
            raise CoulisseError(f"the library of the FMU has no fmi2{name}")
        function.argtypes, function.restype = [c_void_p, *arguments], c_int
    return found


def called(kind: str) -> str:
    """The kind whose functions read and set it."""
    return "Integer" if kind == "Enumeration" else kind


class Instance:
    """One instance; a call that is refused raises with what the library said, as does one beside that of another thread."""

    def __init__(self, found: ctypes.CDLL, description: Description, resources: Path) -> None:
        self._library = found
        # Of the same thread, a logger that calls is answered by the library.
        self._lock = threading.RLock()
        self._said: List[str] = []
        self.warnings: List[str] = []
        # The library keeps the pointers for as long as the instance lives.
        allocate, free = _memory()
        self._callbacks = _Callbacks(logger=_Logger(self._log), allocate_memory=allocate, free_memory=free)
        texts = [text.encode() for text in (description.name, description.guid, resources.as_uri())]
        self._component = found.fmi2Instantiate(
            texts[0], CO_SIMULATION, texts[1], texts[2], byref(self._callbacks), 0, 0
        )
        if not self._component:
            raise CoulisseError("\n".join(self._said) or "fmi2Instantiate gave no instance and logged no reason")
        if _WARNINGS in description.categories:
            self.call("SetDebugLogging", 1, 1, (c_char_p * 1)(_WARNINGS.encode()))

    def _log(self, _: Any, __: bytes, status: int, ___: bytes, form: bytes) -> None:
        message = (form or b"").decode("utf-8", "replace").replace("%%", "%").replace("##", "#")
        (self.warnings if status == WARNING else self._said).append(message)

    def call(self, function: str, *arguments: Any) -> None:
        """Calls `fmi2FUNCTION`."""
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
        status = getattr(self._library, f"fmi2{function}")(self._component, *arguments)
        if status in (OK, WARNING):
            return
        message = "\n".join(self._said) or f"fmi2{function} answered {status}"
        if status == DISCARD:
            time = c_double()
            getattr(self._library, "fmi2GetRealStatus")(self._component, LAST_SUCCESSFUL_TIME, byref(time))
            raise Discarded(message, time.value)
        raise CoulisseError(message)

    def get(self, kind: str, references: Sequence[int]) -> "NDArray[np.float64]":
        """Values of one kind."""
        return self.reader(kind, references)().astype(float)

    def reader(self, kind: str, references: Sequence[int]) -> "Callable[[], NDArray[Any]]":
        """What reads values of one kind again and again."""
        real = kind == "Real"
        function = f"Get{called(kind)}"
        place = np.zeros(len(references), dtype=np.float64 if real else np.intc)
        wanted, count = (c_uint * len(references))(*references), len(references)
        pointer = place.ctypes.data_as(POINTER(c_double if real else c_int))

        def read() -> "NDArray[Any]":
            self.call(function, wanted, count, pointer)
            return place.copy()

        return read

    def set(self, kind: str, references: Sequence[int], values: Sequence[float]) -> None:
        """Sets values of one kind, all or none."""
        kind = called(kind)
        place: Any = (c_double * len(values))(*values)
        if kind != "Real":
            least, most = (0, 1) if kind == "Boolean" else (-(2**31), 2**31 - 1)
            for value in values:
                if not (least <= value <= most and value == int(value)):
                    raise CoulisseError(f"{value!r} for a variable of type {kind}; allowed: whole numbers from {least} to {most}")
            place = (c_int * len(values))(*map(int, values))
        self.call(f"Set{kind}", (c_uint * len(references))(*references), len(references), place)

    def directional(self, unknown: Sequence[int], known: int) -> "NDArray[np.float64]":
        """∂unknown/∂known."""
        change = (c_double * len(unknown))()
        self.call(
            "GetDirectionalDerivative",
            (c_uint * len(unknown))(*unknown),
            len(unknown),
            (c_uint * 1)(known),
            1,
            (c_double * 1)(1.0),
            change,
        )
        return np.array(change)

    def save(self) -> bytes:
        """All that the instance remembers."""
        state, size = c_void_p(), c_size_t()
        self.call("GetFMUstate", byref(state))
        try:
            self.call("SerializedFMUstateSize", state, byref(size))
            place = ctypes.create_string_buffer(size.value)
            self.call("SerializeFMUstate", state, place, size)
        finally:
            self.call("FreeFMUstate", byref(state))
        return place.raw

    def restore(self, saved: bytes) -> None:
        """Takes over what `save` gave."""
        state = c_void_p()
        self.call("DeSerializeFMUstate", saved, len(saved), byref(state))
        try:
            self.call("SetFMUstate", state)
        finally:
            self.call("FreeFMUstate", byref(state))

    def free(self) -> None:
        """Ends the instance, once a call of another thread has returned, and lets go of the library where that keeps its file."""
        with self._lock:
            if self._component:
                self._library.fmi2FreeInstance(self._component)
                self._component = None
                if sys.platform == "win32":
                    ctypes.windll.kernel32.FreeLibrary(c_void_p(self._library._handle))
