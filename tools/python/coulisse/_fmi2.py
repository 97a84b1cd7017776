"""Co-Simulation of FMI 2.0."""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any, Optional, Sequence, Tuple

from ._fmi import REFERENCES, Event, Instance, Values, states
from ._variables import Description

_CO_SIMULATION = 1
_LAST_SUCCESSFUL_TIME = 2

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


_WHOLE = -(2**31), 2**31 - 1


class Instance2(Instance):
    """One instance of FMI 2.0."""

    PREFIX = "fmi2"
    STATE = "FMUstate"
    DESERIALIZE = "DeSerialize"
    MAKERS = {"Instantiate": [c_char_p, c_int, c_char_p, c_char_p, POINTER(_Callbacks), c_int, c_int]}
    FUNCTIONS = {
        "SetDebugLogging": [c_int, c_size_t, POINTER(c_char_p)],
        "SetupExperiment": [c_int, c_double, c_double, c_int, c_double],
        "EnterInitializationMode": [],
        "ExitInitializationMode": [],
        "Terminate": [],
        "Reset": [],
        "GetReal": [*REFERENCES, POINTER(c_double)],
        "GetInteger": [*REFERENCES, POINTER(c_int)],
        "GetBoolean": [*REFERENCES, POINTER(c_int)],
        "GetString": [*REFERENCES, POINTER(c_char_p)],
        "SetReal": [*REFERENCES, POINTER(c_double)],
        "SetInteger": [*REFERENCES, POINTER(c_int)],
        "SetBoolean": [*REFERENCES, POINTER(c_int)],
        **states(STATE, DESERIALIZE),
        "GetDirectionalDerivative": [*REFERENCES, *REFERENCES, POINTER(c_double), POINTER(c_double)],
        "DoStep": [c_double, c_double, c_int],
        "GetRealStatus": [c_int, POINTER(c_double)],
    }
    TYPES = {
        "Real": Values("Real", c_double),
        "Integer": Values("Integer", c_int, *_WHOLE),
        "Enumeration": Values("Integer", c_int, *_WHOLE),
        "Boolean": Values("Boolean", c_int, 0, 1),
        "String": Values("String", c_char_p),
    }

    def __init__(self, folder: Path, description: Description) -> None:
        # The library keeps the pointers for as long as the instance lives.
        allocate, free = _memory()
        self._callbacks = _Callbacks(logger=_Logger(self._log), allocate_memory=allocate, free_memory=free)
        super().__init__(folder, description)

    def _instantiate(self) -> Optional[int]:
        texts = [text.encode() for text in (self._description.name, self._description.guid, self._resources.as_uri())]
        made: Optional[int] = self._library.fmi2Instantiate(
            texts[0], _CO_SIMULATION, texts[1], texts[2], byref(self._callbacks), 0, 0
        )
        return made

    def _log(self, _: Any, __: bytes, status: int, ___: bytes, form: bytes) -> None:
        self._log_message(status, (form or b"").replace(b"%%", b"%").replace(b"##", b"#"))

    def start(self, stop: Optional[float]) -> None:
        self.call("SetupExperiment", 0, 0.0, 0.0, int(stop is not None), c_double(stop or 0.0))
        self.call("EnterInitializationMode")
        self.call("ExitInitializationMode")

    def step(self, begin: float, end: float) -> Tuple[float, Optional[Event]]:
        self.call("DoStep", begin, end - begin, 1)
        return end, None

    def _reached(self) -> float:
        time = c_double()
        self._library.fmi2GetRealStatus(self._component, _LAST_SUCCESSFUL_TIME, byref(time))
        return time.value

    def _directional(self, unknown: Sequence[int], known: int, change: Any) -> None:
        seed = (c_double * 1)(1.0)
        rows = (c_uint * len(unknown))(*unknown), len(unknown)
        self.call("GetDirectionalDerivative", *rows, (c_uint * 1)(known), 1, seed, change)
