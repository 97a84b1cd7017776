"""The bundled models of coulisse, with the steps of a comparison."""

import re
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"


def until(section, model, step, times):
    """Text of a bundled model before a `section`, as "[probes", with a solver step (s) and `times` (s) equally spaced from 0."""
    text = (MODELS / f"{model}.toml").read_text()
    text = text[: text.index(section)]
    for key, value in [("step", step), ("stop_time", times[-1]), ("communication_step", times[1])]:
        text = re.sub(rf"(?m)^{key} = \S+", f"{key} = {float(value)!r}", text)
    return text
