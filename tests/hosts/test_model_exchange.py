"""Model Exchange in FMPy: the sampled block gives the bits of co-simulation at the same step."""

import fmpy
import numpy as np
import pytest

import harness

NAMES = [model.stem for model in harness.MODELS]
STEPS = 150


@pytest.fixture(scope="module")
def fmus():
    return {model.stem: harness.pack(model) for model in harness.MODELS}


def exchange(fmu, solver, stop, step, **options):
    """Rows after the events; FMPy's solver has no states to integrate, but takes its steps."""
    messages = []
    result = fmpy.simulate_fmu(
        str(fmu),
        fmi_type="ModelExchange",
        solver=solver,
        stop_time=stop,
        step_size=step,
        output_interval=step,
        logger=lambda *message: messages.append(message),
        debug_logging=True,
        **options,
    )
    harness.restore_logger()
    refused = [m for m in messages if m[2] not in (0, 1)]
    assert not refused, refused
    return result


def same_bits(result, expected):
    assert result.dtype.names == expected.dtype.names and len(result) == len(expected)
    for column in expected.dtype.names:
        difference = np.flatnonzero(np.asarray(result[column], float) != np.asarray(expected[column], float))
        # What the host's own addition of times does to the last bit of a time is its own.
        if column == "time":
            assert np.allclose(result["time"], expected["time"], rtol=1e-12, atol=0.0)
        else:
            assert not len(difference), (column, difference[0])


@pytest.mark.parametrize("name", NAMES)
def test_cvode_and_euler_give_the_bits_of_co_simulation(fmus, name):
    stop, step = harness.experiment(fmus[name])
    stop = min(stop, STEPS * step)
    expected = harness.simulate(fmus[name], stop=stop, step=step)
    assert len(expected) > 5
    for solver in ("CVode", "Euler"):
        same_bits(exchange(fmus[name], solver, stop, step, record_events=False), expected)


def test_outputs_hold_between_events(fmus):
    _, step = harness.experiment(fmus["quick_return"])
    result = exchange(fmus["quick_return"], "CVode", 20 * step, step / 4, record_events=False)
    place = result["joints.S.position"]
    assert len(place) == 81
    for first in range(0, 80, 4):
        assert len(set(place[first : first + 4])) == 1 and place[first] != place[first + 4]


def test_the_host_s_inputs_are_sampled():
    """A force that changes between the instants acts from the next one on, one that changes at an instant from there."""
    text = (harness.ROOT / "tests" / "abi" / "belt.toml").read_text()
    fmu = harness.pack(text, name="belt_of_model_exchange")
    stop, step = 0.5, 1e-2
    signals = [(0.0, 0.5), (0.2, 0.5), (0.2, 0.3), (0.304, 0.3), (0.304, 0.4), (stop, 0.4)]
    signals = np.array(signals, dtype=[("time", float), ("motions.belt.velocity", float)])
    result = exchange(fmu, "CVode", stop, step, input=signals, record_events=False)
    # The same, in communication steps with what holds in each.
    at = np.arange(0.0, 50.5) * step
    velocity = np.where(at < 0.1999, 0.5, np.where(at < 0.3039, 0.3, 0.4))
    references = {v.name: v.valueReference for v in fmpy.read_model_description(fmu).modelVariables}
    description = fmpy.read_model_description(fmu)
    slave = fmpy.fmi2.FMU2Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(str(fmu)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="steps",
    )
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.setReal([references["motions.belt.velocity"]], [0.5])
    slave.exitInitializationMode()
    for k in range(50):
        slave.setReal([references["motions.belt.velocity"]], [velocity[k]])
        slave.doStep(at[k], at[k + 1] - at[k])
        expected = slave.getReal([references["points.block.x"]])[0]
        (row,) = np.flatnonzero(np.isclose(result["time"], at[k + 1]))[-1:]
        assert result["points.block.x"][row] == expected, at[k + 1]
    slave.terminate()
    slave.freeInstance()
