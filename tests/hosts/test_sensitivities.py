"""Derivatives of a simulation from Python."""

import numpy as np
import pytest

import coulisse


def test_simulate_derives_outputs_by_parameters_and_inputs():
    model = coulisse.Model("rabinowicz")
    names = ["joints.block.friction.stribeck.kinetic_coefficient", "motions.belt.rate"]
    names = [name for name in names if name in model.variables]
    assert names
    result = model.simulate(stop=0.5, step=0.05, outputs=["points.block.x"], sensitivities=names)
    for name in names:
        found = result.sensitivity("points.block.x", name)
        assert found.shape == result.time.shape
        value = model[name]
        sides = []
        for share in (1.0 + 1e-4, 1.0 - 1e-4):
            with coulisse.Model("rabinowicz", values={name: value * share}) as beside:
                sides.append(beside.simulate(stop=0.5, step=0.05, outputs=["points.block.x"])["points.block.x"])
        difference = (sides[0] - sides[1]) / (2e-4 * value)
        sure = ~np.isnan(found)
        assert sure.any()
        assert np.max(np.abs(found - difference)[sure]) <= 1e-3 * max(np.max(np.abs(difference)), 1e-9)
    with pytest.raises(KeyError):
        result.sensitivity("points.block.x", "gravity.y")


def test_a_name_that_is_no_number_is_refused():
    model = coulisse.Model("rabinowicz")
    with pytest.raises(coulisse.CommandError, match="is no number of this model"):
        model.simulate(stop=0.1, sensitivities=["gravity.yy"])
