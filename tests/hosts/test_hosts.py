"""Bundled FMUs in real hosts: all are valid, and those of harness.SHOWN give the bits of `coulisse run`."""

import math
import os
import re
import struct
import subprocess
import zipfile

import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

import harness
import test_fmi3

NAMES = [model.stem for model in harness.MODELS]
SHOWN = [model.stem for model in harness.SHOWN]


@pytest.fixture(scope="module")
def fmus():
    return {model.stem: harness.pack(model) for model in harness.MODELS}


def test_there_are_bundled_models():
    assert len(NAMES) >= 7


@pytest.mark.parametrize("name", NAMES)
def test_fmpy_validation_finds_nothing(fmus, name):
    assert validate_fmu(str(fmus[name])) == []


@pytest.mark.parametrize("name", SHOWN)
def test_fmpy_gives_the_bits_of_run(fmus, name):
    expected = harness.run(name, "model")
    result = harness.simulate(fmus[name])
    assert len(result) > 5
    outputs = [v for v in read_model_description(fmus[name]).modelVariables if v.causality == "output"]
    assert {v.name for v in outputs} | {"time"} == set(expected)
    for column in result.dtype.names:
        assert np.array_equal(np.asarray(result[column], float), expected[column]), column


def test_fmpy_reads_the_regime_of_a_joint_as_an_enumeration(fmus):
    description = read_model_description(fmus["incline"])
    (regime,) = [v for v in description.modelVariables if v.name == "joints.block.regime"]
    assert regime.type == "Enumeration" and regime.declaredType.name == "JointRegime"
    items = {item.name: int(item.value) for item in regime.declaredType.items}
    assert items == {"stick": 1, "slip_forward": 2, "slip_backward": 3, "at_end": 4, "separated": 5}
    # The block slides down for 4 s and is then held by the stop at the end of its guide.
    result = harness.simulate(fmus["incline"], stop=4.5)
    values = result["joints.block.regime"]
    assert np.issubdtype(values.dtype, np.integer)
    changes = np.flatnonzero(np.diff(values))
    assert list(values[[0, -1]]) == [items["slip_forward"], items["at_end"]] and len(changes) == 1


@harness.full_tier("the fmi crate is built with bindgen and libclang first")
@pytest.mark.parametrize("name", NAMES)
def test_the_fmi_crate_gives_the_bits_of_run(fmus, name):
    expected = harness.run(name, "fmu")
    stop, step = harness.experiment(fmus[name])
    rows = rows_of_the_crate(fmus[name], stop, step)
    assert len(rows["time"]) == len(expected["time"])
    for column in set(rows) - {"time"}:
        assert np.array_equal(rows[column], expected[column]), column


def rows_of_the_crate(fmu, stop, step, *options):
    """What the host with the fmi crate prints: columns of real outputs."""
    call = [os.environ["FMI_HOST"], str(fmu), repr(stop), repr(step), *options]
    printed = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    names = printed[0].split(",")[1:]
    lines = [line.split(",") for line in printed[1:]]
    table = np.array([[struct.unpack(">d", bytes.fromhex(cell))[0] for cell in line[1:]] for line in lines])
    return {"time": np.array([float(line[0]) for line in lines]), **dict(zip(names, table.T))}


def plain(fmu):
    """An FMU of FMI 3.0 without what version 0.8.0 of the crate cannot read: units, bounds and nominal values of variables, and elements in
    annotations."""
    path = harness.FOLDER / f"plain_{fmu.name}"
    with zipfile.ZipFile(fmu) as archive, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "modelDescription.xml":
                content = re.sub(rb"(?s)<Annotations>.*?</Annotations>", b"", content)
                variable = rb"<(?:Float64|Int32|Enumeration|Boolean|String) [^>]*>"
                unread = rb' (?:unit|quantity|displayUnit|min|max|nominal)="[^"]*"'
                content = re.sub(variable, lambda tag: re.sub(unread, b"", tag[0]), content)
            other.writestr(name, content)
    return path


@harness.full_tier("the fmi crate is built with bindgen and libclang first")
@pytest.mark.parametrize("name", SHOWN)
def test_the_fmi_crate_gives_the_bits_of_run_with_fmi_3(name):
    fmu = plain(test_fmi3.pack(harness.ROOT / "resources" / "models" / f"{name}.toml"))
    expected = harness.run(name, "fmu")
    stop, step = harness.experiment(fmu)
    rows = rows_of_the_crate(fmu, stop, step, "3")
    assert len(rows["time"]) == len(expected["time"])
    for column in set(rows) - {"time", "events.time"}:
        assert np.array_equal(rows[column], expected[column]), column


@harness.full_tier("the fmi crate is built with bindgen and libclang first")
def test_the_fmi_crate_stops_at_events():
    fmu = plain(test_fmi3.pack(test_fmi3.BALL, "ball"))
    rows = rows_of_the_crate(fmu, 1.25, 0.1, "events")
    fall, e = math.sqrt(2 / 9.81), 0.5
    bounces = [fall]
    for n in range(1, 4):
        bounces.append(bounces[-1] + 2 * e**n * fall)
    for bounce in bounces:
        assert np.min(np.abs(rows["time"] - bounce)) < 1e-8
    assert np.allclose(np.unique(rows["events.time"])[1:], bounces, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["quick_return", "moving_mass_on_bridge"])
def test_communication_steps_that_are_multiples_of_the_solver_step_agree(fmus, name):
    """Beyond rounding, a communication step only says how often outputs are read."""
    solver_step = {"quick_return": 1e-4, "moving_mass_on_bridge": 1e-3}[name]
    probe = {"quick_return": "probes.tip_deflection", "moving_mass_on_bridge": "probes.first_span"}[name]
    results = [harness.simulate(fmus[name], stop=0.4, step=k * solver_step)[probe][::20 // k] for k in (1, 4, 20)]
    for result in results[1:]:
        difference = np.max(np.abs(result - results[0]))
        print(f"{name}: {difference:.1e} m")
        # Substeps differ in their last bits; Newton stops at 1e-10 of the mechanism's size.
        assert difference < 1e-8


def test_instances_in_one_process_do_not_disturb_each_other(fmus):
    """Two instances of one FMU, stepped in turn with different friction, against each alone."""
    from fmpy import extract
    from fmpy.fmi2 import FMU2Slave

    description = read_model_description(fmus["quick_return"])
    references = {v.name: v.valueReference for v in description.modelVariables}
    coefficient = references["joints.N.friction.stribeck.kinetic_coefficient"]
    deflection = references["probes.tip_deflection"]
    folder = extract(str(fmus["quick_return"]))

    def instance(name, value):
        slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        slave.instantiate()
        slave.setupExperiment(startTime=0.0)
        slave.setReal([coefficient], [value])
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        return slave

    def step(slave, n):
        slave.doStep(n * 1e-3, 1e-3)
        return slave.getReal([deflection])[0]

    alone = []
    for value in (0.1, 0.3):
        slave = instance("alone", value)
        alone.append([step(slave, n) for n in range(200)])
        slave.terminate()
        slave.freeInstance()
    pair = [instance("a", 0.1), instance("b", 0.3)]
    together = [[], []]
    for n in range(200):
        for slave, values in zip(pair, together):
            values.append(step(slave, n))
    assert together == alone
    assert alone[0] != alone[1]


def test_the_first_model_of_the_documents_runs(monkeypatch):
    """The model and the script as a reader would copy them."""
    text = (harness.ROOT / "docs" / "first-model.md").read_text()
    (model,) = re.findall(r"```toml\n(.*?)```", text, re.S)
    scripts = re.findall(r"```python\n(.*?)```", text, re.S)
    (script,) = (script for script in scripts if "fmpy" in script)
    harness.pack(model, "block")
    monkeypatch.chdir(harness.FOLDER)
    names = {}
    exec(script, names)
    result = names["result"]
    # 11 N overcome μ_s m g = 9.81 N; then dv/dt = (11 N − F_dry(v))/m.
    speed, dt = 0.0, 1e-5
    for _ in range(150_000):
        slope = lambda v: (11 - 2 * 9.81 * (0.3 + 0.2 * np.exp(-v / 0.01))) / 2
        speed += dt * slope(speed + dt / 2 * slope(speed))
    assert abs(result["joints.block.velocity"][-1] - speed) < 0.01
