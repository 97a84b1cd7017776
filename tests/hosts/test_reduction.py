"""Reduced linear models, and FMUs of linear models in FMPy: co-simulation and Model Exchange against the state space."""

import coulisse
import fmpy
import numpy as np
import pytest
import scipy.linalg
from fmpy.validation import validate_fmu

import harness

CAR = ["--inputs=springs.strut.actuator", "--outputs=points.body.y,springs.strut.force,points.hub.ay", "--at=equilibrium"]

#: Bundled models with what of them is reduced: state, outputs, band in Hz, and how.
MODELS = {
    "quarter_car": (dict(at="equilibrium"), ["points.body.y", "springs.strut.force"], (0.1, 50), {}),
    "half_car": (dict(at_time=0.3), ["points.driver.ay", "springs.front_tyre.force"], (0.5, 50), {}),
    "car_on_bridge": (dict(at_time=1.0), ["points.driver.y", "springs.front_tyre.force"], (0.5, 50), {}),
    "cam_and_spring": ({}, ["points.tip.y", "joints.tip.normal_force"], (1, 500), {}),
    "press": ({}, ["points.ram.y", "points.ram.vy", "motions.motor.reaction"], (10, 1000), {}),
    "bracket_on_rail": (
        dict(at_time=0.1, joints="free"),
        ["points.bracket.head.x"],
        (10, 300),
        dict(method="modal", static_correction=True),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_twenty_states_answer_within_a_percent(name):
    state, outputs, band, how = MODELS[name]
    with coulisse.Model(name) as model:
        reduced = model.reduce([], outputs, band=band, **how, **state)
        whole = model.linearize([], outputs, **state)
    assert len(reduced.A) <= 20 and reduced.reduction["error"] <= 0.01
    print(name, len(reduced.A), "of", len(whole.A), reduced.reduction)
    # Each input and output by numpy's own solution, relative to its largest response.
    frequencies = np.geomspace(*band, 40)
    full, few = whole.response(frequencies), reduced.response(frequencies)
    size = np.max(np.abs(full), axis=0)
    assert np.all(np.abs(few - full) <= 0.03 * size)


#: What of bundled models is reduced with the interface kept: state, outputs, band in Hz, wished error.
INTERFACES = {
    "car_on_bridge": (dict(at_time=1.0), ["points.driver.y", "springs.front_tyre.force"], (0.5, 50), 0.01),
    # The whole has poles from 0.2 to 3e9 rad/s: rounding moves the damping of its first resonance by 1 %.
    "bracket_on_rail": (dict(at_time=0.1, joints="free"), ["points.bracket.head.x"], (10, 300), 0.02),
    "press": ({}, ["points.ram.y"], (1, 300), 0.01),
}


@pytest.mark.parametrize("name", INTERFACES)
def test_craig_and_bampton_keep_the_interface_of_bundled_models(name):
    state, outputs, band, error = INTERFACES[name]
    with coulisse.Model(name) as model:
        reduced = model.reduce([], outputs, band=band, method="craig-bampton", error=error, **state)
        whole = model.linearize([], outputs, **state)
    print(name, len(reduced.A), "of", len(whole.A), reduced.reduction)
    assert len(reduced.A) <= 30 and len(reduced.A) < len(whole.A) / 3 and reduced.reduction["error"] <= error
    assert reduced.states[0] == outputs[0]
    frequencies = np.geomspace(*band, 40)
    full, few = whole.response(frequencies), reduced.response(frequencies)
    assert np.all(np.abs(few - full) <= 3 * error * np.max(np.abs(full), axis=0))


@pytest.fixture(scope="module", params=[2, 3], ids=["FMI 2.0", "FMI 3.0"])
def car(request, tmp_path_factory):
    """An FMU and the state space that it holds."""
    folder = tmp_path_factory.mktemp("linear")
    files = [folder / "car.fmu", folder / "car.npz"]
    for file in files:
        options = ["--native", f"--fmi={request.param}"] if file.suffix == ".fmu" else []
        coulisse._command.succeed(["reduce", "quarter_car", *CAR, "--from=0.1", "--to=50", "--states=4", *options, "-o", file])
    return files[0], coulisse._linear.read(files[1])


def signal(kind):
    time = np.arange(0.0, 2.0 + 1e-9, 0.01)
    force = np.where(time < 0.5, 100.0, -50.0) if kind == "steps" else 80.0 * np.sin(7.0 * time)
    table = np.array(list(zip(time, force)), dtype=[("time", float), ("springs.strut.actuator", float)])
    return time, force, table


def exact(model, time, force, held=True):
    """Outputs at the times: inputs held, or linear in between."""
    n, m = model.B.shape
    h = time[1] - time[0]
    whole = np.zeros((n + 2 * m, n + 2 * m))
    whole[:n, :n], whole[:n, n : n + m], whole[n : n + m, n + m :] = model.A * h, model.B * h, np.eye(m)
    step = scipy.linalg.expm(whole)[:n]
    u = force - model.values["springs.strut.actuator"]
    x, rows = np.zeros(n), []
    for k in range(len(time)):
        rows.append(model.C @ x + model.D[:, 0] * u[k] + [model.values[name] for name in model.outputs])
        slope = 0.0 if held or k + 1 == len(time) else u[k + 1] - u[k]
        x = step @ np.concatenate([x, [u[k]], [slope]])
    return np.array(rows)


def values(result, model):
    return np.array([result[name] for name in model.outputs]).T


def close(seen, wanted, within):
    assert seen.shape == wanted.shape
    size = np.ptp(wanted, axis=0)
    assert np.all(np.abs(seen - wanted) <= within * size), np.max(np.abs(seen - wanted) / size)


def test_the_fmu_of_a_linear_model_keeps_the_standard(car, tmp_path):
    fmu, model = car
    assert not validate_fmu(str(fmu))
    coulisse._command.succeed(["check", fmu, "--run"])
    description = fmpy.read_model_description(str(fmu))
    assert len(description.derivatives) == 4
    # FMPy does not read the flag of FMI 3.0.
    assert description.fmiVersion == "3.0" or description.modelExchange.providesDirectionalDerivative
    inputs = [v for v in description.modelVariables if v.causality == "input"]
    assert [v.name for v in inputs] == model.inputs and inputs[0].unit == "N"


def test_co_simulation_is_the_exponential(car):
    fmu, model = car
    time, force, table = signal("steps")
    result = fmpy.simulate_fmu(
        str(fmu), fmi_type="CoSimulation", stop_time=2.0, step_size=0.01, output_interval=0.01, input=table, output=model.outputs,
        use_event_mode=False,
    )
    harness.restore_logger()
    # FMPy sets the input of the beginning of each step.
    wanted = exact(model, time, force)
    rows = values(result, model)
    inside = np.flatnonzero(np.abs(time - 0.5) > 0.006)
    close(rows[inside], wanted[inside], 1e-9)


def test_model_exchange_is_integrated_by_cvode(car):
    fmu, model = car
    time = np.arange(0.0, 2.0 + 1e-9, 0.01)
    result = fmpy.simulate_fmu(
        str(fmu), fmi_type="ModelExchange", solver="CVode", stop_time=2.0, output_interval=0.01, relative_tolerance=1e-10,
        start_values={"springs.strut.actuator": 100.0}, output=model.outputs,
    )
    harness.restore_logger()
    close(values(result, model), exact(model, time, np.full(len(time), 100.0)), 1e-7)


@pytest.mark.parametrize("car", [3], indirect=True)
def test_derivatives_of_fmi_3_are_the_matrices_forwards_and_backwards(car, tmp_path):
    from fmpy.fmi3 import FMU3Model

    fmu, model = car
    description = fmpy.read_model_description(str(fmu))
    references = {v.name: v.valueReference for v in description.modelVariables}
    states = [references[f"x[{k}]"] for k in range(1, 5)]
    rates = [references[f"der(x[{k}])"] for k in range(1, 5)]
    outputs = [references[name] for name in model.outputs]
    knowns = [*states, references["springs.strut.actuator"]]
    exchange = FMU3Model(
        modelIdentifier=description.modelExchange.modelIdentifier, guid=description.guid, instanceName="car",
        unzipDirectory=fmpy.extract(str(fmu), str(tmp_path)),
    )
    exchange.instantiate()
    exchange.enterInitializationMode()
    exchange.exitInitializationMode()
    assert exchange.getNumberOfContinuousStates() == 4 and exchange.getNumberOfEventIndicators() == 0
    whole = np.block([[model.A, model.B], [model.C, model.D]])
    columns = [exchange.getDirectionalDerivative([*rates, *outputs], [known], [1.0]) for known in knowns]
    assert np.array_equal(np.array(columns).T, whole)
    weights = np.random.default_rng(3).standard_normal(len(whole))
    back = exchange.getAdjointDerivative([*rates, *outputs], knowns, list(weights), len(knowns))
    assert np.allclose(back, weights @ whole, rtol=1e-13, atol=1e-13 * np.max(np.abs(whole)))
    exchange.enterContinuousTimeMode()
    exchange.setTime(0.25)
    assert exchange.getFloat64([references["time"]]) == [0.25]


@pytest.mark.parametrize("car", [2], indirect=True)
def test_derivatives_states_and_slopes_of_the_fmu(car, tmp_path):
    from fmpy.fmi2 import FMU2Model, FMU2Slave

    fmu, model = car
    description = fmpy.read_model_description(str(fmu))
    folder = fmpy.extract(str(fmu), str(tmp_path))
    options = dict(guid=description.guid, unzipDirectory=folder, instanceName="car")
    references = {v.name: v.valueReference for v in description.modelVariables}
    states = [references[f"x[{k}]"] for k in range(1, 5)]
    rates = [references[f"der(x[{k}])"] for k in range(1, 5)]
    force = references["springs.strut.actuator"]
    outputs = [references[name] for name in model.outputs]

    exchange = FMU2Model(modelIdentifier=description.modelExchange.modelIdentifier, **options)
    exchange.instantiate()
    exchange.setupExperiment()
    exchange.enterInitializationMode()
    exchange.exitInitializationMode()
    for k in range(4):
        seed = exchange.getDirectionalDerivative(rates + outputs, [states[k]], [1.0])
        assert np.array_equal(seed, np.concatenate([model.A[:, k], model.C[:, k]]))
    seed = exchange.getDirectionalDerivative(rates + outputs, [force], [2.0])
    assert np.array_equal(seed, 2.0 * np.concatenate([model.B[:, 0], model.D[:, 0]]))
    exchange.enterContinuousTimeMode()
    x = (np.ctypeslib.as_ctypes(np.array([1.0, -2.0, 0.5, 3.0])))
    exchange.setContinuousStates(x, 4)
    slopes = (np.ctypeslib.as_ctypes(np.zeros(4)))
    exchange.getDerivatives(slopes, 4)
    assert np.allclose(np.array(slopes), model.A @ [1.0, -2.0, 0.5, 3.0], rtol=1e-14)
    exchange.freeInstance()

    slave = FMU2Slave(modelIdentifier=description.coSimulation.modelIdentifier, **options)
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    time, wanted, _ = signal("sine")
    expected = exact(model, time, wanted, held=False)
    for k in range(100):
        if k == 50:
            saved = slave.serializeFMUstate(slave.getFMUstate())
        slave.setReal([force], [wanted[k]])
        slave.setRealInputDerivatives([force], [1], [(wanted[k + 1] - wanted[k]) / 0.01])
        slave.doStep(currentCommunicationPoint=time[k], communicationStepSize=0.01)
        if k == 79:
            slave.setReal([force], [wanted[80]])
            at_80 = slave.getReal(outputs)
            assert np.allclose(at_80, expected[80], rtol=1e-9, atol=1e-9 * np.ptp(expected, axis=0).max())
    state = slave.deSerializeFMUstate(saved)
    slave.setFMUstate(state)
    for k in range(50, 80):
        slave.setReal([force], [wanted[k]])
        slave.setRealInputDerivatives([force], [1], [(wanted[k + 1] - wanted[k]) / 0.01])
        slave.doStep(currentCommunicationPoint=time[k], communicationStepSize=0.01)
    slave.setReal([force], [wanted[80]])
    assert slave.getReal(outputs) == at_80
    slave.freeInstance()
