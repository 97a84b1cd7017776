"""Every bundled FMU in libcosimpy and ecospy, through the functions of examples/coupling.py."""

import importlib.util
from math import floor, log2

import numpy as np
import pytest
from fmpy import read_model_description

import harness
from coupling import System, simulate

HOSTS = {"libcosim": "libcosimpy", "ecos": "ecospy"}
# Of the comparison to the last bit. Over the whole time FMPy and the fmi crate have the bits of run (test_hosts.py).
STEPS = 150
NAMES = [model.stem for model in harness.SHOWN]


@pytest.fixture(scope="module")
def fmus():
    return {model.stem: harness.pack(model) for model in harness.SHOWN}


@pytest.fixture(params=HOSTS)
def host(request):
    package = HOSTS[request.param]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: no wheel of it for this Python")
    return request.param


def hosted(host, fmu, step, stop):
    """All real outputs by name."""
    variables = read_model_description(fmu).modelVariables
    outputs = [v.name for v in variables if v.causality == "output" and v.type == "Real"]
    system = System({"unit": fmu}, [])
    result = simulate(system, host, step, stop, [f"unit::{name}" for name in outputs])
    return {name: result[f"unit::{name}"] for name in outputs}


@pytest.mark.parametrize("name", NAMES)
def test_the_bits_of_run_where_hosts_count_time_alike(fmus, host, name):
    """Whether a host adds up steps, multiplies them or counts nanoseconds: with a step that is a
    power of two, all arrive at the same numbers. The shortest that is whole in ns is 2⁻⁹ s."""
    stop, proposed = harness.experiment(fmus[name])
    step = 2.0 ** max(floor(log2(proposed)), -9)
    stop = step * min(floor(stop / step), STEPS)
    expected = harness.run(name, "fmu", "--step", step, "--stop", stop)
    result = hosted(host, fmus[name], step, stop)
    assert len(result) > 3
    for output, values in result.items():
        assert np.array_equal(values, expected[output][1:]), output


@pytest.mark.parametrize("name", NAMES)
def test_run_to_rounding_with_the_proposed_step(fmus, host, name):
    """Communication steps that differ in their last bits: places differ by no more than what
    Newton's method leaves open (1e-10 of the mechanism's size in each step). Where a block slips and is caught
    or corners strike, rounding decides whether an instant counts as the end of a step: a hundredth of the integration's own error. The
    slider's bounces begin one way or the other at 34 ms, 1.1e-6 of the size apart (tests/claims/clearance)."""
    share = {"rabinowicz": 1e-6, "slider_crank_with_clearance": 3e-6}.get(name, 1e-7)
    stop, step = harness.experiment(fmus[name])
    expected = harness.run(name, "fmu")
    result = hosted(host, fmus[name], step, stop)
    places = [output for output in result if output.startswith("probes") or output.endswith((".x", ".y", ".position"))]
    assert places
    size = max(np.max(np.abs(expected[output][1:])) for output in places)
    for output in places:
        values, theirs = result[output], expected[output][1:]
        assert len(values) == len(theirs)
        assert np.max(np.abs(values - theirs)) < share * size, output
