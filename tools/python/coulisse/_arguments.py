"""What callers hand over: taken where it is meant, refused with what is allowed where it is not."""

from __future__ import annotations

from typing import Any, List, Mapping, Sequence, Union


def number(what: str, value: Any) -> float:
    """`value` as a float, whatever kind of number it is; a text with digits is none."""
    if not isinstance(value, (str, bytes, bytearray)):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"{what}: larger than any double; allowed: a finite number") from None
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{what}: {_shown(value)}; allowed: a number")


def mapping(what: str, value: Any) -> Mapping[str, Any]:
    """`value`, which must have something for each of some names."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what}: {_shown(value)}; allowed: a dictionary by name")
    return value


def names(what: str, value: Union[str, Sequence[str]]) -> List[str]:
    """The names; one by itself is a list of one and not one of letters."""
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{what}: {_shown(value)}; allowed: names") from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
