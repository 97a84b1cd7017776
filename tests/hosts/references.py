"""Coupled problems as ordinary differential equations, solved by scipy without any code of ours."""

from math import cosh, pi, sinh

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq


def bridge_modes(count, span):
    """Euler-Bernoulli modes of two equal spans on three supports: functions of x and a wave number.

    Those that are odd about the middle support are sines; the even ones are the modes of one span
    that is clamped at the middle: tan(kL) = tanh(kL).
    """

    def odd(n):
        k = n * pi / span
        return k, lambda x: np.array([np.sin(k * x), k * np.cos(k * x), -k * k * np.sin(k * x)])

    def even(n):
        k = brentq(lambda z: np.sin(z) * cosh(z) - np.cos(z) * sinh(z), n * pi, (n + 0.5) * pi) / span
        b = np.sin(k * span) / sinh(k * span)

        def shape(x):
            side, x = (1, x) if x <= span else (-1, 2 * span - x)
            y = np.sin(k * x) - b * sinh(k * x)
            slope = k * (np.cos(k * x) - b * cosh(k * x))
            curvature = k * k * (-np.sin(k * x) - b * sinh(k * x))
            return np.array([y, side * slope, curvature])

        return k, shape

    return [mode(n) for n in range(1, count + 1) for mode in (odd, even)]


def vehicle_on_bridge(times, wheel=150.0, body=1350.0, stiffness=100e3, damping=6e3):
    """Deflections (m) at the middle of both spans, and the height of the body over its rest."""
    span, speed, gravity = 25.0, 100 / 3.6, 9.81
    bending, line_mass = 20e9 * 3.5 * 0.5**3 / 12, 2500.0 * 3.5 * 0.5
    modes = bridge_modes(6, span)
    count = len(modes)
    stations = np.linspace(0.0, 2 * span, 4001)
    masses = np.array([line_mass * np.trapezoid([shape(x)[0] ** 2 for x in stations], stations) for _, shape in modes])
    stiffnesses = masses * np.array([bending * k**4 / line_mass for k, _ in modes])

    def slope(t, state):
        q, dq = state[:count], state[count : 2 * count]
        height, rate = state[2 * count :]
        y, dy, ddy = np.array([shape(speed * t) for _, shape in modes]).T
        under = y @ q  # the wheel's height, and its rate in all
        under_rate = y @ dq + speed * dy @ q
        suspension = stiffness * (under - height) + damping * (under_rate - rate)
        # Acceleration of the wheel: along the deflected, moving beam.
        carried = 2 * speed * dy @ dq + speed**2 * ddy @ q
        force = -gravity * (wheel + body) - suspension - wheel * carried
        system = np.diag(masses) + wheel * np.outer(y, y)
        ddq = np.linalg.solve(system, y * force - stiffnesses * q)
        return np.concatenate([dq, ddq, [rate, suspension / body]])

    solved = solve_ivp(slope, (0.0, times[-1]), np.zeros(2 * count + 2), t_eval=times, rtol=1e-8, atol=1e-9, max_step=2e-3)
    middles = [np.array([shape(x)[0] for _, shape in modes]) @ solved.y[:count] for x in (span / 2, 3 * span / 2)]
    return *middles, solved.y[2 * count]


def driven_quick_return(times, speed=5 * pi, ramp=0.4, proportional=60.0, integral=600.0):
    """Angles (rad) of the crank from its start, and moment in the shaft (N·m), all bodies rigid and
    without friction, controller and shaft continuous in time."""
    pivot, crank, arm, link, guide = 0.5, 0.2, 1.0, 0.25, 1.05
    line_mass = 1724.82 * 0.0598**2
    start = -np.arcsin(crank / pivot)
    motor, stiffness, damping = 0.2, 20e3, 20.0

    def inertia(angle):
        """Twice the kinetic energy at a rate of 1 rad/s of the crank, from exact rates."""
        s = crank * np.array([np.cos(angle), np.sin(angle)]) + [0.0, pivot]
        ds = crank * np.array([-np.sin(angle), np.cos(angle)])
        along = s / np.hypot(*s)
        turn = (along[0] * ds[1] - along[1] * ds[0]) / np.hypot(*s)
        a = arm * along
        da = arm * turn * np.array([-along[1], along[0]])
        rise = guide - a[1]
        reach = np.sqrt(link**2 - rise**2)
        dn = np.array([da[0] - rise * da[1] / reach, 0.0])
        middle, spin = (da + dn) / 2, np.hypot(*(da - dn)) / link
        return (
            0.5  # gear wheel
            + line_mass * crank**3 / 3
            + 0.31 * ds @ ds
            + line_mass * arm**3 / 3 * turn**2
            + line_mass * link * (middle @ middle + (link * spin) ** 2 / 12)
            + 2.5 * dn @ dn
        )

    def moment(state):
        angle, rate, rotor, rotor_rate, _ = state
        return stiffness * (rotor - angle) + damping * (rotor_rate - rate)

    def slope(t, state):
        angle, rate, rotor, rotor_rate, deviation_sum = state
        deviation = speed * min(t / ramp, 1.0) - rotor_rate
        torque = proportional * deviation + integral * deviation_sum
        shaft = moment(state)
        step = 1e-5
        change = (inertia(start + angle + step) - inertia(start + angle - step)) / (2 * step)
        accelerated = (shaft - change * rate**2 / 2) / inertia(start + angle)
        return [rate, accelerated, rotor_rate, (torque - shaft) / motor, deviation]

    solved = solve_ivp(slope, (0.0, times[-1]), np.zeros(5), t_eval=times, rtol=1e-8, atol=1e-9, max_step=1e-3)
    return solved.y[0], moment(solved.y)
