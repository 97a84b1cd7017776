"""How far a simulation or a study is, on the terminal or in a notebook."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

#: `True` shows a bar, a function is called instead with what has been reached.
Progress = Union[bool, Callable[[float], None]]


class Bar:
    """A bar of tqdm where it is installed, else a percentage in a line of its own."""

    def __init__(self, total: float, unit: str) -> None:
        self._total, self._unit, self._shown = total, unit, -1
        self._bar: Optional[Any] = None
        try:
            from tqdm import tqdm
        except ImportError:
            return
        style = "{percentage:3.0f}%|{bar}| {n:.4g}/{total:.4g} " + unit + " [{elapsed}<{remaining}]"
        self._bar = tqdm(total=total, bar_format=style)

    def __call__(self, reached: float) -> None:
        if self._bar is not None:
            self._bar.update(reached - self._bar.n)
            return
        percent = int(100.0 * reached / self._total)
        if percent != self._shown:
            self._shown = percent
            sys.stderr.write(f"\r{percent:3d} % of {self._total:g} {self._unit}")
            sys.stderr.flush()

    def close(self) -> None:
        """Leaves what was reached standing."""
        if self._bar is not None:
            self._bar.close()
        elif self._shown >= 0:
            sys.stderr.write("\n")


class Shown:
    """`with Shown(progress, total, unit) as tell`: calls `tell` with what has been reached."""

    def __init__(self, progress: Optional[Progress], total: float, unit: str) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError(f"progress: {progress!r}; allowed: True, or a function of what has been reached")
        self._bar = Bar(total, unit) if progress is True else None
        self._tell: Callable[[float], None] = progress if callable(progress) else (lambda _: None)

    def __enter__(self) -> Callable[[float], None]:
        return self._tell if self._bar is None else self._bar

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
