"""Estimates angle, rate and friction of a pendulum from a noisy position, by an unscented Kalman filter on the model.

    python kalman_filter.py --seed 1 -o estimate.csv

The filter knows the mechanism but neither its first angle nor the friction of its bearing. It predicts with the nonlinear model itself: each of its
sigma points is a start of the same model with other numbers, and one communication step. Friction is a third state that does not change.
"""

import argparse
from pathlib import Path

import numpy as np

import coulisse

MODEL = Path(__file__).parent / "models" / "swing.toml"
STATES = ["parameters.angle", "parameters.rate", "parameters.dry"]
STEP = 0.05
# Standard deviation of the measured position of the bob along x, m.
NOISE = 5e-3
# What the filter begins with, and how far it may be off: rad, rad/s, and the coefficient of friction.
FIRST = np.array([1.9, 0.0, 0.15])
SPREAD = np.array([0.2, 0.2, 0.1])
# What may change within a step beside the model, each step.
DRIFT = np.array([1e-4, 1e-3, 1e-4])
LENGTH = 0.5


def measured(stop, seed):
    """Times, true angle, rate and coefficient, and the noisy position of the bob; the pendulum has the friction of its file."""
    with coulisse.Model(MODEL) as model:
        result = model.simulate(stop=stop, step=STEP, outputs=["points.bob.x", "points.bob.rotation", "points.bob.rotation_rate"])
    angle = np.radians(120.0) + result["points.bob.rotation"]
    truth = np.column_stack([angle, result["points.bob.rotation_rate"], np.full(len(angle), 0.3)])
    noise = NOISE * np.random.default_rng(seed).standard_normal(len(angle))
    return result.time, truth, result["points.bob.x"] + noise


def predicted(model, state):
    """The state one step later, by the model that begins in it."""
    angle, rate, dry = state
    dry = max(dry, 0.0)
    model.reset()
    model.set(dict(zip(STATES, [angle, rate, dry])))
    model.step(STEP)
    return np.array([angle + model["points.bob.rotation"], model["points.bob.rotation_rate"], dry])


def sigma_points(mean, covariance):
    """2 n + 1 points with the mean and the covariance, and their weights (Julier and Uhlmann, κ = 3 − n)."""
    n = len(mean)
    root = np.linalg.cholesky(3.0 * covariance)
    points = np.vstack([mean, mean + root.T, mean - root.T])
    weights = np.full(2 * n + 1, 1.0 / 6.0)
    weights[0] = 1.0 - n / 3.0
    return points, weights


def covariance_of(a, b, weights):
    """Of two sets of deviations from their means."""
    return np.einsum("k,ki,kj->ij", weights, a, b)


def filtered(measurements):
    """Estimates and their standard deviations at every measurement."""
    mean, covariance = FIRST.copy(), np.diag(SPREAD**2)
    estimates = []
    with coulisse.Model(MODEL) as model:
        for k, position in enumerate(measurements):
            if k > 0:
                points, weights = sigma_points(mean, covariance)
                points = np.array([predicted(model, point) for point in points])
                mean = weights @ points
                covariance = covariance_of(points - mean, points - mean, weights) + np.diag(DRIFT**2)
            points, weights = sigma_points(mean, covariance)
            seen = LENGTH * np.sin(points[:, :1])
            expected = weights @ seen
            of_seen = covariance_of(seen - expected, seen - expected, weights) + NOISE**2
            gain = covariance_of(points - mean, seen - expected, weights) / of_seen
            mean = mean + gain @ (position - expected)
            covariance = covariance - gain * of_seen @ gain.T
            estimates.append([*mean, *np.sqrt(np.diag(covariance))])
    return np.array(estimates)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stop", type=float, default=5.0, help="end of the measurement, s")
    parser.add_argument("--seed", type=int, default=1, help="of the noise")
    parser.add_argument("-o", "--output", type=Path, help="table of the estimates, .csv")
    arguments = parser.parse_args()
    time, truth, position = measured(arguments.stop, arguments.seed)
    estimates = filtered(position)
    names = ["angle", "rate", "friction"]
    for i, (name, unit) in enumerate(zip(names, [" rad", " rad/s", ""])):
        found, sure, true = estimates[-1, i], estimates[-1, 3 + i], truth[-1, i]
        print(f"{name}: {found:.4f} ± {2 * sure:.4f}{unit}, true {true:.4f}")
    if arguments.output:
        table = np.column_stack([time, position, truth, estimates])
        heading = ["time", "measured", *(f"true {n}" for n in names), *names, *(f"deviation of {n}" for n in names)]
        np.savetxt(arguments.output, table, delimiter=",", header=",".join(heading), comments="")


if __name__ == "__main__":
    main()
