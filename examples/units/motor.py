"""Rotor of a motor with the compliant shaft that drives the crank.

J dΩ/dt = T − M,  M = k (θ − φ) + c (Ω − ω): T is the motor's torque, M the moment in the shaft,
θ and Ω angle and rate of the rotor, φ and ω those of the crank.
"""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Motor(Fmi2Slave):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.inertia = 0.2  # kg·m²
        self.stiffness = 20e3  # N·m/rad
        self.damping = 20.0  # N·m·s/rad
        self.torque = 0.0  # N·m
        self.crank_angle = 0.0  # rad
        self.crank_rate = 0.0  # rad/s
        self.angle = 0.0  # rad
        self.rate = 0.0  # rad/s
        self.moment = 0.0  # N·m, on the crank
        for name in ("inertia", "stiffness", "damping"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed)
            )
        for name in ("torque", "crank_angle", "crank_rate"):
            self.register_variable(Real(name, causality=Fmi2Causality.input))
        for name in ("angle", "rate", "moment"):
            self.register_variable(Real(name, causality=Fmi2Causality.output))

    def shaft(self, angle, rate, after):
        # Between communication points the crank is taken to turn on at its last rate.
        crank = self.crank_angle + after * self.crank_rate
        return self.stiffness * (angle - crank) + self.damping * (rate - self.crank_rate)

    def slope(self, angle, rate, after):
        return rate, (self.torque - self.shaft(angle, rate, after)) / self.inertia

    def do_step(self, time, step):
        # One step of the classical Runge-Kutta method.
        q, v, h = self.angle, self.rate, step
        v1, a1 = self.slope(q, v, 0.0)
        v2, a2 = self.slope(q + h / 2 * v1, v + h / 2 * a1, h / 2)
        v3, a3 = self.slope(q + h / 2 * v2, v + h / 2 * a2, h / 2)
        v4, a4 = self.slope(q + h * v3, v + h * a3, h)
        self.angle = q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        self.rate = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        self.moment = self.shaft(self.angle, self.rate, h)
        return True
