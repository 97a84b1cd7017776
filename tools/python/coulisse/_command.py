"""The command `coulisse`, which is installed beside this module."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import Iterator, List, Mapping, Optional, Sequence, Union

from ._arguments import mapping, names, number
from ._errors import CommandError, Finding, ModelError

PathLike = Union[str, "os.PathLike[str]"]

NAME = "coulisse.exe" if os.name == "nt" else "coulisse"
#: Names another command than the one that was installed with this module.
VARIABLE = "COULISSE"


def candidates() -> Iterator[Path]:
    """Where the command may be, the best place first."""
    if VARIABLE in os.environ:
        yield Path(os.environ[VARIABLE])
        return
    try:
        files = metadata.files("coulisse") or []
    except metadata.PackageNotFoundError:
        files = []
    yield from (Path(str(file.locate())) for file in files if file.name == NAME)
    yield Path(sysconfig.get_path("scripts")) / NAME
    found = shutil.which(NAME)
    if found:
        yield Path(found)


def command() -> Path:
    """The command `coulisse`: that of the environment variable COULISSE, that of this installation, or one on the path."""
    for path in candidates():
        if path.is_file():
            return path
    raise CommandError(
        f"no command `{NAME}`: install the wheel, put the command on the path, or name it in the environment variable {VARIABLE}"
    )


def call(arguments: Sequence[object]) -> "subprocess.CompletedProcess[str]":
    """Runs the command; whatever its exit status."""
    texts = [str(command()), *map(str, arguments)]
    return subprocess.run(texts, capture_output=True, text=True, encoding="utf-8", check=False)


def succeed(arguments: Sequence[object]) -> str:
    """Runs the command: what it printed, or its message as a `CommandError`."""
    done = call(arguments)
    if done.returncode != 0:
        raise CommandError(words(done.stderr))
    return done.stdout


def words(text: str) -> str:
    """What a message of the command says, without how it is called."""
    # Where the command explains itself is of no use here.
    text = text.partition("\n\nUsage:")[0].partition("\n\nFor more information")[0].strip()
    return text[len("error: ") :] if text.startswith("error: ") else text


def of_call(text: str) -> str:
    """What a message says of numbers that a call gives, not the file: without the lines of a file in which they stand for the command only."""
    marks = ("-->", "|", "...")
    kept = [line for line in text.splitlines() if not line.lstrip(" 0123456789").startswith(marks)]
    return "\n".join(line for line in kept if line.strip())


def check(path: PathLike) -> List[Finding]:
    """Checks a model file, or an FMU of any tool against the standard.

    `path` is the model file (TOML) or the FMU. Returns every finding, an empty list where there are none.
    """
    path = os.fspath(path)
    done = call(["check", "--format", "json", "--", path])
    try:
        found = json.loads(done.stdout)
    except ValueError:
        # What cannot be read at all has no list.
        return [Finding(str(path), 0, 0, words(done.stderr))]
    return [Finding(**finding) for finding in found]


def pack(
    path: PathLike,
    output: Optional[PathLike] = None,
    *,
    values: Optional[Mapping[str, float]] = None,
    libraries: Union[PathLike, Sequence[PathLike]] = (),
    platforms: Sequence[str] = (),
    native: bool = False,
    date: Optional[str] = None,
    ssp: bool = False,
    reference: bool = False,
    parameters: Sequence[str] = (),
    outputs: Sequence[str] = (),
    fmi: int = 2,
) -> Path:
    """Makes an FMU of the model file `path`, at `output` or, as MODEL.fmu of MODEL.toml, in the current folder.

    `values` are written into the packed model file: any number of it by its path, also one that is no parameter, as
    `{"members.beam.elements": 16}`.
    `libraries` go in instead of those that the command knows, one for each platform; of these, `platforms` alone, by their names in FMI 2.0,
    as `["linux64", "win64"]`; with `native` that alone which the command carries, for machines like this one. `date` is that of generation, as 2024-02-29T12:00:00Z. With `ssp` the FMU is within a system of its own (SSP), MODEL.ssp; with
    `reference` it holds results of the default run, with which a host can check itself (FMI-LS-REF). `parameters` and `outputs` are names
    that it offers beside those of the file's `[interface]`. `fmi` is 2 for FMI 2.0, or 3 for FMI 3.0 with its events.
    Returns where the FMU or the system is. Raises `ModelError` with every
    fault of the model, and `CommandError` where the FMU cannot be written.
    """
    path = Path(path)
    fmu = Path(output) if output is not None else Path(f"{path.stem}.{'ssp' if ssp else 'fmu'}")
    arguments: List[object] = ["pack", f"--output={fmu}"]
    for library in [libraries] if isinstance(libraries, (str, os.PathLike)) else libraries:
        arguments.append(f"--library={os.fspath(library)}")
    for name, value in mapping("values", {} if values is None else values).items():
        arguments.append(f"--set={name}={number(name, value)!r}")
    for option, listed in (("parameter", parameters), ("output", outputs)):
        arguments += [f"--add-{option}={name}" for name in names(option, listed)]
    if listed_platforms := names("platforms", platforms):
        arguments.append(f"--platforms={','.join(listed_platforms)}")
    arguments += ["--native"] if native else []
    if date is not None:
        arguments.append(f"--date={date}")
    arguments += ["--ssp"] if ssp else []
    arguments += ["--reference"] if reference else []
    if fmi not in (2, 3):
        raise ValueError(f"fmi: {fmi!r}; allowed: 2 and 3")
    arguments += [f"--fmi={fmi}"] if fmi != 2 else []
    done = call([*arguments, "--", path])
    if done.returncode != 0:
        findings = check(path)
        if any(finding.severity == "error" for finding in findings):
            raise ModelError(findings)
        text = words(done.stderr)
        raise CommandError(f"values: {of_call(text)}" if values else text)
    return fmu
