"""Model Exchange in FMPy: the sampled block gives the bits of co-simulation at the same step."""

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

import harness

NAMES = [model.stem for model in harness.SHOWN]
STEPS = 150


@pytest.fixture(scope="module")
def fmus():
    return {model.stem: harness.pack(model) for model in harness.SHOWN}


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


ORDER = "experiment.extrapolation_order"


@pytest.fixture(scope="module")
def choosing():
    """FMUs of models whose host may let the outputs run on."""

    def packed(name):
        text = harness.text_of(name)
        assert text.count("\nparameters = [") == 1
        text = text.replace("\nparameters = [", f'\nparameters = ["{ORDER}", ')
        return harness.pack(text, name=f"{name}_extrapolated")

    return {name: packed(name) for name in ("quick_return", "rabinowicz", "slider_crank_with_clearance")}


@pytest.mark.parametrize("solver", ["CVode", "Euler"])
@pytest.mark.parametrize("name", ["quick_return", "rabinowicz", "slider_crank_with_clearance"])
def test_outputs_that_run_on_have_the_bits_of_co_simulation_at_events(choosing, name, solver):
    fmu = choosing[name]
    assert validate_fmu(str(fmu)) == []
    harness.coulisse("check", fmu)
    stop, step = harness.experiment(fmu)
    stop = min(stop, STEPS * step)
    expected = harness.simulate(fmu, stop=stop, step=step)
    for order in (0, 1):
        result = exchange(fmu, solver, stop, step, record_events=False, start_values={ORDER: order})
        same_bits(result, expected)


@pytest.mark.parametrize("solver", ["CVode", "Euler"])
def test_outputs_run_on_between_events(choosing, solver):
    """Position by velocity, exactly; a velocity nearly where it will be; what jumps, and Booleans, hold."""
    fmu, parts = choosing["quick_return"], 4
    _, step = harness.experiment(fmu)
    intervals = 100
    result = exchange(
        fmu, solver, intervals * step, step / parts, record_events=False, start_values={ORDER: 1}
    )
    assert len(result) == parts * intervals + 1
    at = slice(0, parts * intervals, parts)
    events = result[::parts]
    for k in range(1, parts):
        between = result[k : parts * intervals : parts]
        ahead = between["time"] - events["time"][:-1]
        line = result["joints.S.position"][at] + ahead * result["joints.S.velocity"][at]
        # FMPy's times are those of its solver, a rounding away from the FMU's.
        assert np.allclose(between["joints.S.position"], line, rtol=1e-13, atol=0.0)
        for column in ("joints.S.sticking", "joints.S.regime", "joints.S.transition_time", "solver.steps"):
            assert np.array_equal(between[column], result[column][at])
    # Left of the next event the line is as near as the second derivative lets it, and the stair one order away.
    last = result[parts - 1 : parts * intervals : parts]["joints.S.position"]
    share = (parts - 1) / parts
    smooth = events["joints.S.position"][:-1] + share * np.diff(events["joints.S.position"])
    stair = np.abs(events["joints.S.position"][:-1] - smooth)
    assert np.abs(last - smooth).max() < 0.02 * stair.max()


def test_an_order_that_is_none_is_refused(choosing):
    with pytest.raises(Exception):
        fmpy.simulate_fmu(str(choosing["rabinowicz"]), fmi_type="ModelExchange", stop_time=0.1, start_values={ORDER: 2})
    harness.restore_logger()


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
