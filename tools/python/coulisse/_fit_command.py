"""`coulisse fit`, which hands its request over as JSON."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Mapping

from ._errors import CoulisseError
from ._fit import Fit
from ._measurement import FrequencyResponse, FrictionCurve, Loop, Measurement, Parameter, Trajectory, columns_of
from ._model import Model


def main(request: bytes) -> int:
    """Fits as the request says, prints what was found and writes the files; the exit status."""
    asked = json.loads(request)
    # Names of files may hold what the terminal's encoding has not.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        with Model(asked["model"], dict(asked["set"])) as model:
            found = model.fit([_measurement(file, asked) for file in asked["data"]], _parameters(asked["parameter"]), loss=asked["loss"])
            _write(found, asked)
    except (CoulisseError, LookupError, OSError, TypeError, ValueError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as fault:
        print(f"error: {fault}; --plot needs `pip install matplotlib`, workbooks need pandas with openpyxl", file=sys.stderr)
        return 1
    print(found)
    return 0


def _parameters(asked: List[Mapping[str, Any]]) -> Dict[str, Parameter]:
    found = {}
    for one in asked:
        low, high = one["bounds"] or (Parameter.low, Parameter.high)
        found[one["name"]] = Parameter(one["start"], low, high, one["log"])
    return found


def _measurement(file: str, asked: Mapping[str, Any]) -> Measurement:
    """The measurement in a file, whose first column says what it is."""
    headings = columns_of(file)
    common: Dict[str, Any] = {"columns": {column: name for column, name in asked["column"] if column in headings}, "deviation": dict(asked["deviation"])}
    renamed = [common["columns"].get(heading, heading) for heading in headings]
    if "velocity" in renamed:
        if asked["joint"] is None:
            raise ValueError(f"{file}: a friction force over the velocity; name its joint with --joint")
        force = 1.0 if asked["normal_force"] is None else asked["normal_force"]
        return FrictionCurve(file, joint=asked["joint"], normal_force=force, **common)
    if "frequency" in renamed:
        ends = [column for column in renamed if column != "frequency"]
        if asked["input"] is None or asked["response"] is None:
            raise ValueError(f"{file}: a frequency response ({', '.join(ends)}); name its --input and its output with --response")
        return FrequencyResponse(file, input=asked["input"], output=asked["response"], **common)
    if asked["along"] is not None and "time" not in renamed:
        return Loop(file, along=asked["along"], speed=asked["speed"], **common)
    if "time" not in renamed:
        raise ValueError(f"{file}: no column time, velocity or frequency; name one with --column, or give --along and --speed for a loop")
    low_high = asked["shift"]
    shift = None if low_high is None else (min(max(0.0, low_high[0]), low_high[1]), *low_high)
    return Trajectory(file, shift=shift, **common)


def _write(found: Fit, asked: Mapping[str, Any]) -> None:
    if asked["output"] is not None:
        found.write(asked["output"])
    if asked["plot"] is not None:
        found.plot(asked["plot"])
    if asked["residuals"] is not None:
        with open(Path(asked["residuals"]), "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["output", "over", "at", "measured", "fitted", "residual"])
            for name, table in found.residuals.items():
                over = next(iter(table))
                rows.writerows([name, over, *map(repr, map(float, row))] for row in zip(*table.values()))
