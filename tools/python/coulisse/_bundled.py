"""The models that come with coulisse."""

from typing import Dict

from ._command import succeed


def models() -> Dict[str, str]:
    """Names of the bundled models, each with what it shows. `Model`, `check` and `pack` take a name in place of a model file."""
    lines = (line.split(maxsplit=1) for line in succeed(["new", "--list"]).splitlines())
    return {name: shows.strip() for name, shows in lines}
