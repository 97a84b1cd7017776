"""The reference results in an FMU in the words of the layered standard FMI-LS-REF 1.0.0-beta.1.

Its own schemas are in no package. Attributes of the manifest are held against the schema of FMI 3.0 for all layered standards (in
FMPy); the rest is written here from its text: elements, attributes and roles, each with what may stand there."""

import csv
import io
import re
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from lxml import etree

import coulisse
import harness

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"
SCHEMA = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3LayeredStandardManifest.xsd"
SPACE = "http://fmi-standard.org/fmi-ls-manifest"
ROLES = re.compile(
    r"document|requirement|specification|model|parameter|system|testcase|experiment(/(smoke-test|validation|uncertainty-analysis))?|result|"
    r"method|rationale|report|request|delivery|configuration|signature|serialized-state(/.*)?|meta-data|other"
)
NUMBERS = {"startTime", "stopTime", "stepSize", "tolerance"}


@pytest.fixture(scope="module", params=["incline", "quick_return"])
def archive(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("reference") / f"{request.param}.fmu"
    coulisse.pack(request.param, path, native=True, reference=True)
    with zipfile.ZipFile(path) as archive:
        yield path, {name: archive.read(name) for name in archive.namelist() if name.startswith(FOLDER)}


def test_the_manifest_names_what_is_there(archive):
    _, files = archive
    root = etree.fromstring(files[f"{FOLDER}/fmi-ls-manifest.xml"])
    assert root.tag == "fmiReferences"
    assert root.get(f"{{{SPACE}}}fmi-ls-name") == "org.fmi-standard.fmi-ls-ref"
    assert root.get(f"{{{SPACE}}}fmi-ls-description") == "Layered Standard providing information on related files included in an FMU."
    alone = etree.Element(f"{{{SPACE}}}fmiLayeredStandardManifest", root.attrib, nsmap=root.nsmap)
    schema = etree.XMLSchema(etree.parse(str(SCHEMA)))
    assert schema.validate(alone), schema.error_log
    related = {element.get("source"): element for element in root}
    assert {f"{FOLDER}/{source}" for source in related} == set(files) - {f"{FOLDER}/fmi-ls-manifest.xml"}
    for element in related.values():
        assert element.tag == "Related" and set(element.keys()) <= {"type", "source", "role", "description"}
        assert ROLES.fullmatch(element.get("role")), element.get("role")


def test_the_experiment_is_the_default_run(archive):
    path, files = archive
    root = etree.fromstring(files[f"{FOLDER}/experiments.xml"])
    (experiment,) = root
    assert (root.tag, experiment.tag) == ("Experiments", "Experiment")
    assert {"name"} <= set(experiment.keys()) <= {"name", "description"} | NUMBERS
    stop, step = harness.experiment(path)
    assert (float(experiment.get("stopTime")), float(experiment.get("stepSize"))) == (stop, step)
    assert float(experiment.get("startTime")) == 0.0 and 0.0 < float(experiment.get("tolerance")) < 1e-3
    (references,) = experiment
    assert references.tag == "References" and set(references.keys()) <= {"type", "source"}
    assert references.get("type") == "text/csv"
    names, *lines = csv.reader(io.StringIO(files[f"{FOLDER}/{references.get('source')}"].decode()))
    # Another host gets them, to the bit.
    result = harness.simulate(path)
    assert names[0] == "time" and set(names) == set(result.dtype.names)
    values = np.array(lines, dtype=float)
    for k, name in enumerate(names[1:], 1):
        assert np.array_equal(values[:, k], np.asarray(result[name], float)), name
