"""Co-Simulation of FMI 3.0, with its events."""

from __future__ import annotations

import ctypes
import math
import os
from ctypes import (
    POINTER, byref, c_bool, c_char_p, c_double, c_float, c_int, c_int8, c_int16, c_int32, c_int64, c_size_t, c_uint,
    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p,
)
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._errors import Discarded
from ._fmi import REFERENCES, Event, Instance, Values, states
from ._variables import Description, Variable

_Logger = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)

_REALS = {"Float32": Values("Float32", c_float), "Float64": Values("Float64", c_double)}
_WHOLE = {
    "Int8": c_int8, "UInt8": c_uint8, "Int16": c_int16, "UInt16": c_uint16,
    "Int32": c_int32, "UInt32": c_uint32, "Int64": c_int64, "UInt64": c_uint64,
}


def _whole(name: str, c: Any) -> Values:
    bits = 8 * ctypes.sizeof(c)
    return Values(name, c, 0, 2**bits - 1) if name.startswith("U") else Values(name, c, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


_TYPES = {
    **_REALS,
    **{name: _whole(name, c) for name, c in _WHOLE.items()},
    "Enumeration": _whole("Int64", c_int64),
    "Boolean": Values("Boolean", c_bool, 0, 1),
    "String": Values("String", c_char_p),
}


def _accessors() -> Dict[str, List[Any]]:
    """Functions that read and set values, of which each has the number behind the array."""
    found: Dict[str, List[Any]] = {}
    for values in _TYPES.values():
        for verb in ("Get", "Set"):
            found[f"{verb}{values.name}"] = [*REFERENCES, POINTER(values.c), c_size_t]
    return found


class Instance3(Instance):
    """One instance of FMI 3.0."""

    PREFIX = "fmi3"
    STATE = "FMUState"
    DESERIALIZE = "Deserialize"
    MAKERS = {
        "InstantiateCoSimulation": [
            c_char_p, c_char_p, c_char_p, c_bool, c_bool, c_bool, c_bool, POINTER(c_uint), c_size_t, c_void_p, _Logger, c_void_p
        ]
    }
    FUNCTIONS = {
        "SetDebugLogging": [c_bool, c_size_t, POINTER(c_char_p)],
        "EnterInitializationMode": [c_bool, c_double, c_double, c_bool, c_double],
        "ExitInitializationMode": [],
        "EnterEventMode": [],
        "UpdateDiscreteStates": [*[POINTER(c_bool)] * 5, POINTER(c_double)],
        "EnterStepMode": [],
        "Terminate": [],
        "Reset": [],
        **_accessors(),
        **states(STATE, DESERIALIZE),
        "GetDirectionalDerivative": [*REFERENCES, *REFERENCES, POINTER(c_double), c_size_t, POINTER(c_double), c_size_t],
        "DoStep": [c_double, c_double, c_bool, *[POINTER(c_bool)] * 3, POINTER(c_double)],
    }
    TYPES = _TYPES

    def __init__(self, folder: Path, description: Description) -> None:
        # The library keeps the pointer for as long as the instance lives.
        self._logger = _Logger(self._log)
        self._time = 0.0
        #: Where the FMU asks for an event, s.
        self._next = math.inf
        #: Number of the events that the FMU had.
        self._count = 0
        super().__init__(folder, description)

    def _instantiate(self) -> Optional[int]:
        names = (self._description.name, self._description.guid, f"{self._resources}{os.sep}")
        texts = [text.encode() for text in names]
        events = self.takes_part
        made: Optional[int] = self._library.fmi3InstantiateCoSimulation(
            *texts, False, False, events, events, None, 0, None, self._logger, None
        )
        return made

    def _log(self, _: Any, status: int, __: bytes, message: bytes) -> None:
        self._log_message(status, message)

    def _access(self, references: Sequence[int], place: Any) -> Tuple[Any, ...]:
        return (*super()._access(references, place), len(place))

    def start(self, stop: Optional[float]) -> None:
        self.call("EnterInitializationMode", False, 0.0, 0.0, stop is not None, stop or 0.0)
        self.call("ExitInitializationMode")
        self._time, self._count = 0.0, 0
        if self.takes_part:
            self._handle(entered=True)

    def step(self, begin: float, end: float) -> Tuple[float, Optional[Event]]:
        goal = min(end, self._next) if self._next > begin else end
        event, terminate, early, reached = c_bool(), c_bool(), c_bool(), c_double(begin)
        self._time = begin
        try:
            self.call("DoStep", begin, goal - begin, True, byref(event), byref(terminate), byref(early), byref(reached))
        except Discarded as fault:
            fault.time = reached.value
            raise
        self._time = reached.value if early.value or terminate.value else goal
        if terminate.value:
            raise Discarded("the FMU asks to end the simulation", self._time)
        if self.takes_part and (event.value or self._time == self._next):
            return self._time, self._handle(entered=False)
        return self._time, None

    def _handle(self, entered: bool) -> Optional[Event]:
        """Event Mode from its beginning to its end."""
        if not entered:
            self.call("EnterEventMode")
        again, terminate, nominals, continuous, defined, time = c_bool(True), c_bool(), c_bool(), c_bool(), c_bool(), c_double()
        flags = [byref(flag) for flag in (again, terminate, nominals, continuous, defined)]
        while again.value and not terminate.value:
            self.call("UpdateDiscreteStates", *flags, byref(time))
        if terminate.value:
            raise Discarded("the FMU asks to end the simulation", self._time)
        self._next = time.value if defined.value else math.inf
        # A discrete output of ours that changes at no instant that is looked for counts as no event.
        what, counted = self._variable("events.what"), self._counted()
        event = Event(self._time, "" if what is None else str(self.get(what)))
        self.call("EnterStepMode")
        return event if counted else None

    def _variable(self, name: str) -> Optional[Variable]:
        return self._description.variables.get(name)

    def _counted(self) -> bool:
        """Whether there were more events than when this was asked before, where the FMU counts them."""
        count = self._variable("events.count")
        if count is None:
            return True
        before, self._count = self._count, int(self.get(count))
        return self._count != before

    def _reached(self) -> float:
        return self._time

    def _directional(self, unknown: Sequence[int], known: int, change: Any) -> None:
        seed = (c_double * 1)(1.0)
        rows = (c_uint * len(unknown))(*unknown), len(unknown)
        self.call("GetDirectionalDerivative", *rows, (c_uint * 1)(known), 1, seed, 1, change, len(change))
