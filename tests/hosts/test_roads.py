"""The road of the vehicle on the bridge, chosen by a host."""

import fmpy
import numpy as np
import pytest

import harness

FORCE = "joints.front.normal_force"


@pytest.fixture(scope="module")
def fmu():
    return harness.pack(harness.ROOT / "resources" / "models" / "vehicle_on_bridge.toml")


def force(fmu, **parameters):
    """The front wheel's force in 0.2 s before the bridge."""
    values = {f"parameters.{name}": value for name, value in parameters.items()}
    return harness.simulate(fmu, stop=0.2, start_values=values, output=[FORCE])[FORCE]


def test_a_seed_chooses_the_road_and_the_same_seed_the_same_road(fmu):
    first, again, other = (force(fmu, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert np.max(np.abs(first - other)) > 1e3


def test_a_level_chooses_the_class_of_the_road(fmu):
    smooth, a, b = (np.std(force(fmu, road=level)) for level in (0.0, 16e-6, 64e-6))
    assert smooth < 0.2 * a < a < 0.8 * b


def test_a_seed_that_is_no_whole_number_is_refused_with_its_name(fmu):
    messages = []
    with pytest.raises(fmpy.fmi1.FMICallException):
        fmpy.simulate_fmu(
            str(fmu),
            stop_time=0.01,
            start_values={"parameters.seed": 1.5},
            logger=lambda *message: messages.append(str(message[-1])),
        )
    harness.restore_logger()
    assert any('seed = "seed" is 1.5; allowed: a whole number' in message for message in messages), messages
