"""Friction laws by themselves."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

from . import _command
from ._arguments import mapping, number
from ._result import Table

UNITS = {
    "velocity": "m/s",
    "force": "N",
    "amplitude": "m",
    "equivalent_damping": "N.s/m",
    "closed_damping": "N.s/m",
    "equivalent_stiffness": "N/m",
    "closed_stiffness": "N/m",
}


def friction(
    subject: _command.PathLike,
    values: Optional[Mapping[str, float]] = None,
    *,
    normal_force: float = 1.0,
    velocity: Optional[float] = None,
    amplitude: Optional[float] = None,
    frequency: float = 1.0,
    velocities: Optional[Sequence[float]] = None,
) -> Table:
    """What a friction law does: `subject` is its name, such as `stribeck`, or that of a joint, as `MODEL.toml#JOINT`.

    `values` replaces numbers of the law, of a joint's also those of the model file by their paths; `normal_force` is in N. A law of velocity is shown up to `velocity` (m/s): the columns `velocity`
    (m/s), `force` (N), and, for a harmonic motion of that largest velocity, `equivalent_damping` and, where there is a closed form,
    `closed_damping` (N·s/m). A law with memory is shaken at `frequency` (Hz) with amplitudes up to `amplitude` (m): `amplitude`,
    `equivalent_damping`, `closed_damping`, `equivalent_stiffness` and `closed_stiffness` (N/m). What has no closed form is NaN. With `velocities`
    (m/s) the columns are these and the force of steady sliding at them, for a law of either kind.
    Raises `CommandError` with what is allowed.
    """
    given = {"normal_force": normal_force, "frequency": frequency, "velocity": velocity, "amplitude": amplitude}
    call: List[object] = [f"--{key.replace('_', '-')}={number(key, value)!r}" for key, value in given.items() if value is not None]
    call += [f"--set={key}={number(key, value)!r}" for key, value in mapping("values", values or {}).items()]
    with tempfile.TemporaryDirectory(prefix="coulisse-") as folder:
        table = Path(folder) / "friction.csv"
        if velocities is not None:
            asked = Path(folder) / "velocities.csv"
            asked.write_text("\n".join(["velocity", *(repr(number("velocities", v)) for v in velocities)]), encoding="utf-8")
            call.append(f"--velocities={asked}")
        _command.succeed(["friction", *call, "--output", table, "--", os.fspath(subject)])
        return Table.read(table, UNITS)
