"""Variables of an FMU, from its model description."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Dict, FrozenSet, Optional
from xml.etree import ElementTree


@dataclass(frozen=True)
class Variable:
    """One variable of a model; its name is its path in the model file."""

    name: str
    causality: str
    """`parameter`, `calculatedParameter`, `input` or `output`; of other FMUs also `local`, `independent` and `structuralParameter`."""
    variability: str
    """`fixed`, `tunable` (may be set between steps), `discrete` or `continuous`."""
    kind: str
    """`Real`, `Integer`, `Boolean`, `Enumeration` or `String`."""
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
    type: str
    """Type in the FMU, as `Float64` in FMI 3.0; the kind in FMI 2.0."""
    place: int = 0
    """Of FMI 3.0: place in the array that has the value reference, counted from 0."""
    elements: int = 0
    """Of FMI 3.0: elements of that array; 0 of what is in none."""


@dataclass(frozen=True)
class Description:
    """What the host needs of `modelDescription.xml`."""

    standard: int
    """2 or 3."""
    name: str
    identifier: str
    guid: str
    stop: float
    step: float
    categories: FrozenSet[str]
    """Log categories."""
    events: bool
    """Whether it has Event Mode in co-simulation."""
    variables: Dict[str, Variable]


def _number(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text)


def describe(folder: Path) -> Description:
    """Reads the description of an unpacked FMU."""
    root = ElementTree.parse(folder / "modelDescription.xml").getroot()
    version = root.get("fmiVersion", "")
    standard = 2 if version == "2.0" else 3 if version == "3.0" or version.startswith("3.0.") else 0
    if not standard:
        raise ValueError(f"an FMU of FMI version {version}; allowed: FMI 2.0 and FMI 3.0")
    unit = root.find("CoSimulation")
    if unit is None:
        raise ValueError("the FMU offers no Co-Simulation; allowed: Co-Simulation")
    experiment = root.find("DefaultExperiment")
    known = {} if experiment is None else experiment.attrib
    annotations = "VendorAnnotations/Tool" if standard == 2 else "Annotations/Annotation"
    ahead = frozenset(
        element.get("name", "")
        for element in root.iterfind(f"{annotations}/CommunicationStep/Input")
        if element.get("reconstruction") != "hold"
    )
    return Description(
        standard=standard,
        name=root.get("modelName", ""),
        identifier=unit.get("modelIdentifier", ""),
        guid=root.get("guid" if standard == 2 else "instantiationToken", ""),
        stop=float(known.get("stopTime", "1.0")),
        step=float(known.get("stepSize", "1e-3")),
        categories=frozenset(element.get("name", "") for element in root.iterfind("LogCategories/Category")),
        events=unit.get("hasEventMode") in ("true", "1"),
        variables=_variables_2(root, ahead) if standard == 2 else _variables_3(root, ahead),
    )


def _variables_2(root: ElementTree.Element, ahead: FrozenSet[str]) -> Dict[str, Variable]:
    found = {}
    for element in root.iterfind("ModelVariables/ScalarVariable"):
        name, kind = element.get("name", ""), element[0].tag
        found[name] = _variable(name, element, element[0], kind, kind, ahead)
    return found


def _variables_3(root: ElementTree.Element, ahead: FrozenSet[str]) -> Dict[str, Variable]:
    """Without arrays that are no outputs, clocks and binaries; other names of a quantity, and the elements of an array, are variables of
    their own."""
    found = {}
    starts = {element.get("valueReference"): element.get("start") for element in root.iterfind("ModelVariables/UInt64")}
    for element in root.iterfind("ModelVariables/*"):
        kind = _KINDS.get(element.tag)
        sizes = [int(of.get("start") or starts.get(of.get("valueReference")) or 0) for of in element.iterfind("Dimension")]
        if kind is None or (sizes and element.get("causality") != "output"):
            continue
        for named in (element, *element.iterfind("Alias")):
            name = named.get("name", "")
            described = _variable(name, element, element, kind, element.tag, ahead)
            described = replace(described, description=named.get("description", ""))
            if not sizes:
                found[name] = described
            for place, index in enumerate(product(*(range(1, size + 1) for size in sizes)) if sizes else ()):
                own = f"{name}[{','.join(map(str, index))}]"
                found[own] = replace(described, name=own, place=place, elements=prod(sizes))
    return found


#: Kinds of the types of FMI 3.0 that are read.
_KINDS = {
    **dict.fromkeys(("Float32", "Float64"), "Real"),
    **dict.fromkeys(("Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"), "Integer"),
    **{kind: kind for kind in ("Boolean", "Enumeration", "String")},
}


def _variable(
    name: str, element: ElementTree.Element, values: ElementTree.Element, kind: str, of: str, ahead: FrozenSet[str]
) -> Variable:
    """A variable that `element` describes, and `values` its values."""
    return Variable(
        name=name,
        causality=element.get("causality", "local"),
        variability=element.get("variability", "continuous" if kind == "Real" else "discrete"),
        kind=kind,
        unit=values.get("unit", ""),
        description=element.get("description", ""),
        start=None if kind == "String" else _number(values.get("start")),
        minimum=_number(values.get("min")),
        maximum=_number(values.get("max")),
        ahead=name in ahead,
        reference=int(element.get("valueReference", "0")),
        type=of,
    )
