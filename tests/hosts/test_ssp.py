"""The system around an FMU that `coulisse pack --ssp` writes, against the schemas of SSP 1.0 (in FMPy) and in hosts that read it."""

import ctypes
import importlib.util
import io
import sys
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.ssp.simulation import simulate_ssp
from lxml import etree

import harness

SCHEMA = Path(fmpy.__file__).parent / "ssp" / "schema" / "SystemStructureDescription.xsd"
SPACES = {
    "ssc": "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "ssv": "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
}
MODELS = [*harness.SHOWN, harness.ROOT / "tests" / "models" / "everything.toml"]
# Without inputs: FMPy sets those that nothing is connected to to 0.
QUICK_RETURN = harness.ROOT / "resources" / "models" / "quick_return.toml"
STEP, COUNT = 2.0**-9, 50


def pack(model):
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    path = harness.FOLDER / f"{model.stem}.ssp"
    harness.coulisse("pack", "--native", model, "--ssp", "-o", path)
    return path


@pytest.fixture(scope="module")
def system():
    return pack(QUICK_RETURN)


@pytest.fixture(scope="module")
def expected():
    """Rows of `coulisse run` with the step of the hosts."""
    csv = harness.FOLDER / "quick_return_ssp.csv"
    harness.coulisse("run", QUICK_RETURN, "--step", STEP, "--stop", STEP * COUNT, "-o", csv)
    return harness.rows(csv)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_the_system_is_valid_and_has_the_variables_of_the_fmu(model, tmp_path):
    with zipfile.ZipFile(pack(model)) as archive:
        assert archive.namelist() == ["SystemStructure.ssd", f"resources/{model.stem}.fmu"]
        structure = etree.parse(io.BytesIO(archive.read("SystemStructure.ssd")))
        fmu = archive.extract(f"resources/{model.stem}.fmu", tmp_path)
    schema = etree.XMLSchema(etree.parse(str(SCHEMA)))
    assert schema.validate(structure), schema.error_log
    description = fmpy.read_model_description(fmu)
    component = structure.find(".//ssd:Component", SPACES)
    assert component.get("source") == f"resources/{model.stem}.fmu"

    kinds = ("input", "output", "parameter", "calculatedParameter")
    variables = {v.name: v for v in description.modelVariables if v.causality in kinds and v.type != "Enumeration"}
    connectors = {c.get("name"): c for c in component.iterfind(".//ssd:Connector", SPACES)}
    assert list(connectors) == list(variables)
    for name, connector in connectors.items():
        variable = variables[name]
        assert connector.get("kind") == variable.causality
        types = [(etree.QName(child).localname, child.get("unit")) for child in connector]
        unit = variable.unit or (variable.declaredType and variable.declaredType.unit)
        assert types == [(variable.type, unit)], name

    values = {p.get("name"): p[0].get("value") for p in component.iterfind(".//ssv:Parameter", SPACES)}
    assert values == {v.name: v.start for v in variables.values() if v.causality in ("input", "parameter")}
    units = {u.get("name") for u in structure.iterfind(".//ssc:Unit", SPACES)}
    used = {child.get("unit") for child in structure.iter() if child.get("unit")}
    assert used <= units
    stop = structure.find(".//ssd:DefaultExperiment", SPACES).get("stopTime")
    assert float(stop) == float(description.defaultExperiment.stopTime)


def test_fmpy_runs_the_system_to_the_bits_of_the_command(system, expected):
    result = simulate_ssp(str(system), stop_time=STEP * COUNT, step_size=STEP)
    outputs = [name for name in expected if f"quick_return.{name}" in result.dtype.names]
    assert len(result) == COUNT and len(outputs) > 10
    for name in outputs:
        values = result[f"quick_return.{name}"].astype(float)
        assert np.array_equal(values, expected[name][1:]), name


@pytest.mark.skipif(importlib.util.find_spec("libcosimpy") is None, reason="no wheel of libcosimpy for this Python")
def test_libcosim_runs_the_system_to_the_bits_of_the_command(system, expected):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver

    execution = CosimExecution.from_ssp_file(ssp_path=str(system), step_size=round(STEP * 1e9))
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer=observer)
    slave = execution.slave_index_from_instance_name("quick_return")
    description = fmpy.read_model_description(harness.pack(QUICK_RETURN))
    outputs = {v.name: v.valueReference for v in description.modelVariables if v.causality == "output" and v.type == "Real"}
    for n in range(COUNT):
        assert execution.step()
        for name, reference in outputs.items():
            assert observer.last_real_values(slave, [reference])[0] == expected[name][n + 1], (n, name)


@pytest.mark.skipif(importlib.util.find_spec("ecospy") is None, reason="no wheel of ecospy for this Python")
def test_ecos_runs_the_system_to_the_bits_of_the_command(system, expected):
    tbb = Path(sys.prefix) / "lib" / "libtbb.so.12"
    if tbb.exists():
        ctypes.CDLL(str(tbb), mode=ctypes.RTLD_GLOBAL)
    from ecospy import EcosSimulation

    names = [name for name in ("joints.N.position", "joints.N.normal_force", "energy.friction_work") if name in expected]
    assert names
    with EcosSimulation(ssp_path=str(system), step_size=STEP) as simulation:
        simulation.init()
        for n in range(COUNT):
            simulation.step()
            for name in names:
                assert simulation.get_real(f"quick_return::{name}") == expected[name][n + 1], (n, name)
