"""Parameter studies on the Python module, and the examples that use it with other packages, against closed forms."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from distributed import Client, LocalCluster

import coulisse
import harness
import kalman_filter
import optimise
import predictive_control
import uncertainty

BELT = harness.ROOT / "tests" / "abi" / "belt.toml"
LAW = "joints.block.friction.stribeck"
VARY = {f"{LAW}.kinetic_coefficient": [0.1, 0.4], f"{LAW}.static_coefficient": [0.3, 0.5]}
POINTS = [(0.1, 0.3), (0.1, 0.5), (0.4, 0.3), (0.4, 0.5)]


@pytest.fixture(scope="module")
def expected():
    """What the model gives by itself at each of the points; `None` where the law refuses them."""
    found = []
    for point in POINTS:
        with coulisse.Model(BELT) as model:
            model.set(dict(zip(VARY, point)))
            found.append(model.simulate(stop=0.3) if point[0] <= point[1] else None)
    return found


def same(runs, expected):
    assert [tuple(run.values.values()) for run in runs] == POINTS
    for run, result in zip(runs, expected):
        if result is None:
            assert run.result is None and "below the kinetic coefficient" in run.fault
            continue
        assert run.fault == "" and list(run.result) == list(result)
        assert all(np.array_equal(run.result[name], result[name]) for name in result)


def test_a_sweep_has_the_bits_of_single_runs_wherever_it_goes(expected):
    told = []
    same(coulisse.sweep(BELT, VARY, stop=0.3, processes=1), expected)
    same(coulisse.sweep(BELT, VARY, stop=0.3, processes=2, progress=told.append), expected)
    assert told == [1, 2, 3, 4]
    with ThreadPoolExecutor(2) as executor:
        same(coulisse.sweep(BELT, VARY, stop=0.3, executor=executor), expected)


def test_the_same_call_goes_to_a_cluster_of_dask(expected):
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        same(coulisse.sweep(BELT, VARY, stop=0.3, executor=client), expected)


def test_a_list_sets_in_each_run_what_it_says_and_nothing_of_the_run_before():
    points = [{"loads.normal.fy": -40.0}, {}, {f"{LAW}.static_coefficient": 0.9}]
    runs = coulisse.sweep(BELT, points, stop=0.3, outputs=["joints.block.normal_force"], reduce=last, processes=1)
    plain = runs[1].result
    # The block is pressed on by 20 N more.
    assert runs[0].result - plain == pytest.approx(20.0, abs=1e-9) and runs[2].result == pytest.approx(plain, abs=1e-9)
    assert coulisse.sweep(BELT, [], processes=1) == []
    with pytest.raises(KeyError, match="loads.normal.fz"):
        coulisse.sweep(BELT, {"loads.normal.fz": [1.0]})


def last(result):
    return float(result["joints.block.normal_force"][-1])


def test_a_run_that_leaves_its_path_keeps_its_rows():
    leaves = harness.ROOT / "tests" / "abi" / "leaves_its_path.toml"
    (run,) = coulisse.sweep(leaves, [{}], processes=1)
    assert "last successful time" in run.fault and len(run.result.time) > 40


def test_the_best_damper_is_that_of_the_closed_form():
    """∫ e² dt = x² (ζ/ω + 1/(4 ζ ω)) of a pushed oscillator is least at ζ = 1/2: c = √(k m), x²/ω."""
    damping, least, count = optimise.best(20.0, 300.0)
    print(damping, least, count)
    assert damping == pytest.approx(100.0, rel=5e-3) and least == pytest.approx(1e-3, rel=2e-3) and count < 20


def test_indices_of_a_braking_distance_are_those_of_the_closed_form():
    """s = v²/(2 μ g) is a product: with means and mean squares of v² and 1/μ the parts of the variance are known."""
    found, count = uncertainty.indices(128, processes=2)
    (v0, v1), (m0, m1) = uncertainty.PROBLEM["bounds"]
    squares = (v1**3 - v0**3) / 3 / (v1 - v0), (v1**5 - v0**5) / 5 / (v1 - v0)
    inverses = np.log(m1 / m0) / (m1 - m0), (1 / m0 - 1 / m1) / (m1 - m0)
    both = squares[1] * inverses[1] - (squares[0] * inverses[0]) ** 2
    speed = (squares[1] - squares[0] ** 2) * inverses[0] ** 2 / both
    friction = (inverses[1] - inverses[0] ** 2) * squares[0] ** 2 / both
    print(found, speed, friction)
    assert count == 4 * 128
    # 128 samples: the error is about 1/√128 of what they spread.
    exact = {"parameters.speed": (speed, 1 - friction), "parameters.coefficient": (friction, 1 - speed)}
    for name, indices in exact.items():
        assert found[name] == pytest.approx(indices, abs=0.04), name


@pytest.mark.parametrize("values, said", [({}, "100.0 N·s/m: 0.001 m²·s"), ({"--lower": 150.0}, "150.0 N·s/m")])
def test_the_script_prints_the_best_damper(values, said):
    call = [sys.executable, harness.ROOT / "examples" / "optimise.py", *(str(x) for pair in values.items() for x in pair)]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith(said), done.stdout + done.stderr


def test_a_kalman_filter_finds_the_friction_of_a_pendulum_within_what_it_says():
    deviations = []
    for seed in range(8):
        time, truth, position = kalman_filter.measured(3.0, seed)
        estimates = kalman_filter.filtered(position)
        deviations.append((estimates[-1, :3] - truth[-1]) / estimates[-1, 3:])
        # Noise of 5 mm is 10 mrad; the coefficient is known to 0.1 at first.
        assert abs(estimates[-1, 0] - truth[-1, 0]) < 0.02 and abs(estimates[-1, 2] - 0.3) < 0.03, seed
        assert estimates[-1, 5] < 0.01
    # Of 24 deviations of 1.
    assert 0.4 < np.sqrt(np.mean(np.square(deviations))) < 1.6, deviations


def test_a_predictive_controller_balances_with_a_force_at_which_a_cut_off_feedback_does_not():
    # A linear model is x[k+1] = A x[k] + B u[k] upright: poles at exp(± 4.521/100) and two at 1.
    a, _, _ = predictive_control.sampled_model()
    poles = np.sort(np.linalg.eigvals(a).real)
    assert poles == pytest.approx([np.exp(-0.0452079), 1.0, 1.0, np.exp(0.0452079)], abs=1e-6)
    rows = predictive_control.loop(predictive_control.Controller, 4.0, 1, 6.0)
    late = rows[rows[:, 0] > 4.0]
    assert np.abs(rows[:, 1]).max() <= 4.0 + 1e-9 and np.abs(late[:, 2:4]).max() < 0.05
    # The estimated force is friction, −0.015 (M + m) g, where the cart slides one way for long.
    braked = (rows[:, 0] > 0.4) & (rows[:, 0] < 0.65)
    assert rows[braked, 4].mean() == pytest.approx(-0.015 * 1.25 * 9.81, rel=0.15)
    with pytest.raises(coulisse.Discarded, match="leaves its path"):
        predictive_control.loop(predictive_control.Feedback, 4.0, 1, 6.0)
