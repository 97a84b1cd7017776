"""Speed controller: proportional and integral, sampled once a communication step."""

from math import pi

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Controller(Fmi2Slave):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.speed = 5 * pi  # rad/s, reached
        self.ramp = 0.4  # s after the start
        self.proportional = 60.0  # N·m·s/rad
        self.integral = 600.0  # N·m/rad
        self.measured = 0.0  # rate of the rotor, rad/s
        self.torque = 0.0  # N·m
        self.sum = 0.0  # integral of the deviation, rad
        for name in ("speed", "ramp", "proportional", "integral"):
            self.register_variable(
                Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed)
            )
        self.register_variable(Real("measured", causality=Fmi2Causality.input))
        self.register_variable(Real("torque", causality=Fmi2Causality.output))

    def do_step(self, time, step):
        wanted = self.speed * min((time + step) / self.ramp, 1.0)
        deviation = wanted - self.measured
        self.sum += step * deviation
        self.torque = self.proportional * deviation + self.integral * self.sum
        return True
