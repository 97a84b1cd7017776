"""Variables of an FMU, from its model description."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, FrozenSet, Optional
from xml.etree import ElementTree


@dataclass(frozen=True)
class Variable:
    """One variable of a model; its name is its path in the model file."""

    name: str
    causality: str
    """`parameter`, `calculatedParameter`, `input` or `output`."""
    variability: str
    """`fixed`, `tunable` (may be set between steps), `discrete` or `continuous`."""
    kind: str
    """`Real`, `Integer`, `Boolean` or `Enumeration`."""
    unit: str
    """SI unit, such as `m`; empty where it has none."""
    description: str
    start: Optional[float]
    """Value in the model file, of parameters and inputs."""
    minimum: Optional[float]
    maximum: Optional[float]
    ahead: bool
    """Whether an input is set to where it is at the end of a step (`linear`, `cubic`), not at its beginning (`hold`)."""
    reference: int
    """Value reference in the FMU."""


@dataclass(frozen=True)
class Description:
    """What the host needs of `modelDescription.xml`."""

    name: str
    identifier: str
    guid: str
    stop: float
    step: float
    categories: FrozenSet[str]
    """Log categories."""
    variables: Dict[str, Variable]


def _number(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text)


def describe(folder: Path) -> Description:
    """Reads the description of an unpacked FMU."""
    root = ElementTree.parse(folder / "modelDescription.xml").getroot()
    version = root.get("fmiVersion", "")
    if version != "2.0":
        raise ValueError(f"an FMU of FMI version {version}; allowed: FMI 2.0")
    unit = root.find("CoSimulation")
    experiment = root.find("DefaultExperiment")
    known = {} if experiment is None else experiment.attrib
    ahead = {
        element.get("name")
        for element in root.iterfind("VendorAnnotations/Tool/CommunicationStep/Input")
        if element.get("reconstruction") != "hold"
    }
    variables = {}
    for element in root.iterfind("ModelVariables/ScalarVariable"):
        kind = element[0]
        name = element.get("name", "")
        variables[name] = Variable(
            name=name,
            causality=element.get("causality", "local"),
            variability=element.get("variability", "continuous"),
            kind=kind.tag,
            unit=kind.get("unit", ""),
            description=element.get("description", ""),
            start=_number(kind.get("start")),
            minimum=_number(kind.get("min")),
            maximum=_number(kind.get("max")),
            ahead=name in ahead,
            reference=int(element.get("valueReference", "0")),
        )
    return Description(
        name=root.get("modelName", ""),
        identifier="" if unit is None else unit.get("modelIdentifier", ""),
        guid=root.get("guid", ""),
        stop=float(known.get("stopTime", "1.0")),
        step=float(known.get("stepSize", "1e-3")),
        categories=frozenset(element.get("name", "") for element in root.iterfind("LogCategories/Category")),
        variables=variables,
    )
