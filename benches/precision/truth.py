"""Plane mechanisms of rigid bodies with one degree of freedom, integrated in one coordinate to rounding.

Nothing of this is code of either program: at each evaluation the dependent coordinates follow from the independent one by
Newton's method, velocities and accelerations from linear systems, and DOP853 integrates the one coordinate and its rate.
"""

import numpy as np
from scipy.integrate import solve_ivp


class Bodies:
    """Rigid bodies with the coordinates (x, y, φ) of their centres of mass.

    `masses`, `inertias`: of each body. `pins`: pairs of (body or None for the ground, point in the body's frame or on the
    ground). `sliders`: bodies whose centres stay at the height 0 and that do not turn. `forces(q, v)`: generalised forces.
    """

    def __init__(self, masses, inertias, pins, forces, sliders=()):
        self.mass = np.ravel([(m, m, j) for m, j in zip(masses, inertias)])
        self.pins, self.sliders, self.forces = pins, sliders, forces
        self.rows = 2 * len(pins) + 2 * len(sliders)

    def place(self, q, body, point):
        if body is None:
            return np.array(point)
        c, s = np.cos(q[3 * body + 2]), np.sin(q[3 * body + 2])
        return q[3 * body : 3 * body + 2] + [c * point[0] - s * point[1], s * point[0] + c * point[1]]

    def constraints(self, q, v):
        """Residuals Φ, their derivatives G, and the part of Φ̈ that is free of accelerations."""
        phi, g, rest = np.zeros(self.rows), np.zeros((self.rows, len(q))), np.zeros(self.rows)

        def add(row, components, body, point, sign):
            place = self.place(q, body, point)
            phi[row : row + len(components)] += sign * place[components]
            if body is None:
                return
            arm = place - q[3 * body : 3 * body + 2]
            turned = np.array([-arm[1], arm[0]])
            for k, component in enumerate(components):
                g[row + k, 3 * body + component] += sign
                g[row + k, 3 * body + 2] += sign * turned[component]
                rest[row + k] -= sign * arm[component] * v[3 * body + 2] ** 2

        for k, ((one, at), (other, there)) in enumerate(self.pins):
            add(2 * k, [0, 1], one, at, 1.0)
            add(2 * k, [0, 1], other, there, -1.0)
        for k, body in enumerate(self.sliders):
            for row, component in ((2 * len(self.pins) + 2 * k, 1), (2 * len(self.pins) + 2 * k + 1, 2)):
                phi[row], g[row, 3 * body + component] = q[3 * body + component], 1.0
        return phi, g, rest

    def settle(self, q, independent, value):
        """The configuration nearest to `q` in which the independent coordinate has its value."""
        q = q.copy()
        unit = np.zeros(len(q))
        unit[independent] = 1.0
        for _ in range(50):
            phi, g, _ = self.constraints(q, np.zeros(len(q)))
            change = np.linalg.solve(np.vstack([g, unit]), -np.append(phi, q[independent] - value))
            q += change
            if np.max(np.abs(change)) < 1e-15 * max(1.0, np.max(np.abs(q))):
                break
        return q

    def state(self, q, independent, value, rate, acceleration=None):
        """Coordinates, velocities, accelerations and the forces of the constraints on the first of each pair of a pin, on the sliders,
        and, where the acceleration of the independent coordinate is given, the drive of that coordinate."""
        q = self.settle(q, independent, value)
        unit = np.zeros(len(q))
        unit[independent] = 1.0
        _, g, _ = self.constraints(q, np.zeros(len(q)))
        v = np.linalg.solve(np.vstack([g, unit]), np.append(np.zeros(self.rows), rate))
        _, g, rest = self.constraints(q, v)
        if acceleration is not None:
            g, rest = np.vstack([g, unit]), np.append(rest, -acceleration)
        matrix = np.block([[np.diag(self.mass), -g.T], [g, np.zeros((len(g), len(g)))]])
        solved = np.linalg.solve(matrix, np.append(self.forces(q, v), -rest))
        return q, v, solved[: len(q)], solved[len(q) :]

    def driven(self, q, independent, rate, times):
        """`state` at each of the times, where the independent coordinate has a constant rate."""
        states = []
        for time in times:
            states.append(self.state(states[-1][0] if states else q, independent, q[independent] + rate * time, rate, 0.0))
        return [np.array(part) for part in zip(*states)]

    def run(self, q, independent, rate, times):
        """`state` at each of the times, from the configuration `q` with the rate of the independent coordinate."""
        last = [q]

        def slope(_, y):
            state = self.state(last[0], independent, *y)
            last[0] = state[0]
            return [y[1], state[2][independent]]

        solved = solve_ivp(slope, (0.0, times[-1]), [q[independent], rate], "DOP853", times, rtol=1e-13, atol=1e-13)
        assert solved.success, solved.message
        states, last = [], q
        for y in solved.y.T:
            states.append(self.state(last, independent, *y))
            last = states[-1][0]
        return [np.array(part) for part in zip(*states)]
