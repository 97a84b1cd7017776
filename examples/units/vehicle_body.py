"""Body of a vehicle on its suspension: m d²z/dt² = k (y − z) + c (dy/dt − dz/dt).

z is the body's height over its place at rest, y the wheel's. The force on the wheel is the weight
of the body and the reaction of the suspension.
"""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class VehicleBody(Fmi2Slave):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.mass = 1350.0  # kg
        self.stiffness = 100e3  # N/m
        self.damping = 6e3  # N·s/m
        self.wheel_height = 0.0  # m
        self.wheel_rate = 0.0  # m/s
        self.height = 0.0  # m
        self.rate = 0.0  # m/s
        self.force = -9.81 * self.mass  # N, on the wheel, upwards
        for name in ("mass", "stiffness", "damping"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed)
            )
        for name in ("wheel_height", "wheel_rate"):
            self.register_variable(Real(name, causality=Fmi2Causality.input))
        for name in ("height", "rate", "force"):
            self.register_variable(Real(name, causality=Fmi2Causality.output))

    def suspension(self, height, rate, after):
        # Between communication points the wheel is taken to move on at its last rate.
        wheel = self.wheel_height + after * self.wheel_rate
        return self.stiffness * (wheel - height) + self.damping * (self.wheel_rate - rate)

    def slope(self, height, rate, after):
        return rate, self.suspension(height, rate, after) / self.mass

    def do_step(self, time, step):
        # One step of the classical Runge-Kutta method.
        q, v, h = self.height, self.rate, step
        v1, a1 = self.slope(q, v, 0.0)
        v2, a2 = self.slope(q + h / 2 * v1, v + h / 2 * a1, h / 2)
        v3, a3 = self.slope(q + h / 2 * v2, v + h / 2 * a2, h / 2)
        v4, a4 = self.slope(q + h * v3, v + h * a3, h)
        self.height = q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        self.rate = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        self.force = -9.81 * self.mass - self.suspension(self.height, self.rate, h)
        return True
