"""Puts the files of `tools/wheel` into the wheel and says for which platform it is."""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[2]


class CustomBuildHook(BuildHookInterface):
    """`COULISSE_COMMAND` is the command, `COULISSE_TAG` the platform, `COULISSE_OTHER_LIBRARIES` the libraries for others,
    separated by colons, `COULISSE_STUDIO` the folder of the studio, or nothing, `COULISSE_THIRD_PARTY` the licences of what the command is
    linked with."""

    def initialize(self, version, build_data):
        command = Path(os.environ["COULISSE_COMMAND"])
        build_data["tag"] = f"py3-none-{os.environ['COULISSE_TAG']}"
        build_data["pure_python"] = False
        build_data["shared_scripts"][str(command)] = command.name
        for library in filter(None, os.environ["COULISSE_OTHER_LIBRARIES"].split(":")):
            # Where the command looks for libraries of other platforms.
            build_data["shared_data"][library] = f"share/coulisse/libraries/{Path(library).name}"
        studio = os.environ["COULISSE_STUDIO"]
        for file in filter(Path.is_file, Path(studio).iterdir() if studio else ()):
            # Libraries for its FMUs are those of the command.
            build_data["shared_data"][str(file)] = f"share/coulisse/studio/{file.name}"
        include = build_data["force_include"]
        for path in (ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE", Path(os.environ["COULISSE_THIRD_PARTY"])):
            include[str(path)] = f"coulisse/licenses/{path.name}"
