"""Balances a pendulum on a cart by a model predictive controller that sees noisy positions only.

    python predictive_control.py --limit 4 -o loop.csv
    python predictive_control.py --limit 4 --feedback

The controller's model is the mechanism's own, linearised upright by coulisse and sampled every 10 ms; python-control finds a Kalman filter and the
cost beyond the horizon. The filter also estimates the force that the linear model does not know, which is the dry friction under the
cart. The forces of the next second come from a bounded least-squares problem in each sample: the drive gives no more than the limit.
`--feedback` takes the linear-quadratic feedback of the same cost instead, and cuts its force off at the limit.
"""

import argparse
from pathlib import Path

import control
import numpy as np
from scipy.optimize import lsq_linear

import coulisse

MODEL = Path(__file__).parent / "models" / "cart.toml"
DRIVE, FRICTION = "loads.drive.fx", "joints.cart.friction_force"
MEASURED = ["points.cart.x", "points.bob.x"]
SAMPLE, HORIZON = 0.01, 100
# Samples over which a planned force stays.
BLOCK = 5
# Standard deviation of the measured positions, m; weights of x, x_bob, their rates, and of the force.
NOISE = 5e-4
WEIGHTS, OF_FORCE = np.diag([10.0, 40.0, 1.0, 1.0]), 0.02
# How much the unknown force may change from sample to sample, N.
WANDERS = 0.02


def sampled_model():
    """A, B and C of the upright pendulum with the positions and velocities of cart and bob as states, sampled."""
    outputs = MEASURED + [name.replace(".x", ".vx") for name in MEASURED]
    with coulisse.Model(MODEL, {"parameters.tilt": 0.0}) as model:
        linear = model.linearize([DRIVE], outputs, joints="free", sample=SAMPLE)
    # The four outputs are a change of coordinates.
    return linear.C @ linear.A @ np.linalg.inv(linear.C), linear.C @ linear.B, np.eye(2, 4)


class Filter:
    """A Kalman filter for the states and an unknown force beside the drive's."""

    def __init__(self, a, b, c):
        self.a = np.block([[a, b], [np.zeros((1, 4)), np.eye(1)]])
        self.b = np.vstack([b, [[0.0]]])
        self.c = np.hstack([c, np.zeros((2, 1))])
        noise = np.diag([1e-6, 1e-6, 1e-4, 1e-4, WANDERS]) ** 2
        self.gain, _, _ = control.dlqe(self.a, np.eye(5), self.c, noise, NOISE**2 * np.eye(2))
        self.state = None

    def update(self, measured):
        """States and unknown force with the new measurement."""
        if self.state is None:
            self.state = np.concatenate([measured, np.zeros(3)])
        self.state = self.state + self.gain @ (measured - self.c @ self.state)
        return self.state[:4], self.state[4]

    def predict(self, force):
        self.state = self.a @ self.state + self.b[:, 0] * force


def weighed(roots, rows):
    """Groups of four rows, each by its weight."""
    return np.vstack([root @ rows[4 * i : 4 * i + 4] for i, root in enumerate(roots)])


class Controller:
    """The forces over the horizon that make Σ xᵀ Q x + R (u + d)² smallest, each within the limit; d is the unknown force."""

    def __init__(self, a, b, limit):
        self.limit = limit
        _, beyond, _ = control.dlqr(a, b, WEIGHTS, OF_FORCE)
        powers = [np.eye(4)]
        for _ in range(HORIZON):
            powers.append(a @ powers[-1])
        free = np.vstack(powers[1:])
        forced = np.zeros((4 * HORIZON, HORIZON))
        for i in range(HORIZON):
            for j in range(i + 1):
                forced[4 * i : 4 * i + 4, j] = (powers[i - j] @ b)[:, 0]
        roots = [np.linalg.cholesky(WEIGHTS).T] * (HORIZON - 1) + [np.linalg.cholesky(beyond).T]
        blocks = np.kron(np.eye(HORIZON // BLOCK), np.ones((BLOCK, 1)))
        matrix = np.vstack([weighed(roots, forced), np.sqrt(OF_FORCE) * np.eye(HORIZON)]) @ blocks
        # What of the sum depends on the forces: a square triangle.
        across, self.matrix = np.linalg.qr(matrix)
        self.wanted = -across[: 4 * HORIZON].T @ weighed(roots, free)

    def force(self, state, unknown):
        """The first of these forces, N."""
        # In terms of u + d, whose bounds are moved by d.
        bounds = (-self.limit + unknown, self.limit + unknown)
        return lsq_linear(self.matrix, self.wanted @ state, bounds=bounds).x[0] - unknown


class Feedback:
    """u = −K x − d of the same cost, cut off at the limit."""

    def __init__(self, a, b, limit):
        self.limit = limit
        self.gain, _, _ = control.dlqr(a, b, WEIGHTS, OF_FORCE)

    def force(self, state, unknown):
        """The force, N."""
        return np.clip(-(self.gain @ state)[0] - unknown, -self.limit, self.limit)


def loop(kind, limit, seed, stop):
    """Rows of time, force, cart and bob (true), estimated unknown force and true friction against the cart's motion."""
    random = np.random.default_rng(seed)
    a, b, c = sampled_model()
    observer, controller = Filter(a, b, c), kind(a, b, limit)
    rows = []
    with coulisse.Model(MODEL) as model:
        while model.time < stop - 0.5 * SAMPLE:
            true = np.array([model[name] for name in MEASURED])
            state, unknown = observer.update(true + NOISE * random.standard_normal(2))
            force = controller.force(state, unknown)
            rows.append([model.time, force, *true, unknown, -model[FRICTION]])
            model.set(DRIVE, float(force))
            model.step(SAMPLE)
            observer.predict(force)
    return np.array(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=4.0, help="largest force of the drive, N")
    parser.add_argument("--feedback", action="store_true", help="cut off the force of a linear feedback")
    parser.add_argument("--seed", type=int, default=1, help="of the noise")
    parser.add_argument("--stop", type=float, default=8.0, help="end of the simulation, s")
    parser.add_argument("-o", "--output", type=Path, help="table of the loop, .csv")
    arguments = parser.parse_args()
    try:
        rows = loop(Feedback if arguments.feedback else Controller, arguments.limit, arguments.seed, arguments.stop)
    except coulisse.Discarded as fault:
        raise SystemExit(f"the controller loses the pendulum: {fault}") from None
    farthest, late = np.abs(rows[:, 2]).max(), rows[rows[:, 0] > arguments.stop - 2.0]
    lean = np.abs(late[:, 3] - late[:, 2]) / 0.6
    print(f"force at most {np.abs(rows[:, 1]).max():.2f} N, cart at most {farthest:.3f} m from its start")
    print(f"last 2 s: cart within {1000 * np.abs(late[:, 2]).max():.1f} mm, rod within {1000 * lean.max():.1f} mrad")
    if arguments.output:
        heading = "time,force,cart,bob,estimated force,friction"
        np.savetxt(arguments.output, rows, delimiter=",", header=heading, comments="")


if __name__ == "__main__":
    main()
