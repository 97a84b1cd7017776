"""The models that come with coulisse."""

from __future__ import annotations

from pathlib import Path
from typing import Dict


def models() -> Dict[str, Path]:
    """The bundled model files by their names: in the wheel beside this module, in a checkout in `resources/models`."""
    here = Path(__file__).resolve()
    folders = [here.parent / "models", here.parents[3] / "resources" / "models"]
    folder = next((folder for folder in folders if folder.is_dir()), folders[0])
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}
