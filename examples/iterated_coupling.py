"""A light punch against a stiff leaf spring, coupled in three ways.

    python iterated_coupling.py [--step S] [--steps N]

The punch takes a force and gives a position, the spring takes a position and gives a force. Two
ways take each unit once a step: side by side (Jacobi), or the spring after the punch (Gauss-Seidel).
Both use forces that are a step old, which feeds energy into the oscillation until it blows up. The
third repeats every step until force and position belong together: Newton's method on the force at
the end of the step,

    r(f) = f + R(x(f)),   r' = 1 + dR/dx dx/df,

with x from the punch, the spring's reaction R, their derivatives from fmi2GetDirectionalDerivative,
and fmi2SetFMUstate back to the begin of the step before each attempt.
"""

import argparse
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

from coupling import pack

HERE = Path(__file__).parent
ATTEMPTS = 10
TOLERANCE = 1e-6  # N


class Unit:
    """An FMU with one input and one output that matter for the coupling."""

    def __init__(self, fmu, source, result):
        description = read_model_description(fmu)
        references = {v.name: v.valueReference for v in description.modelVariables}
        self.source, self.result = references[source], references[result]
        self.slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=extract(str(fmu)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName=description.modelName,
        )
        self.taken = 0  # steps, repeated ones included
        self.slave.instantiate()
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    def step(self, value, time, step):
        """The output at the end of a step that ends with this value of the input."""
        self.taken += 1
        self.slave.setReal([self.source], [value])
        self.slave.doStep(time, step)
        return self.slave.getReal([self.result])[0]

    def slope(self):
        """Derivative of the output by the input, over the last step."""
        return self.slave.getDirectionalDerivative([self.result], [self.source], [1.0])[0]

    def save(self):
        return self.slave.getFMUState()

    def restore(self, state):
        self.slave.setFMUState(state)

    def forget(self, state):
        self.slave.freeFMUState(state)

    def close(self):
        self.slave.terminate()
        self.slave.freeInstance()


def jacobi(punch, spring, times):
    force, x = 0.0, 0.0
    for begin, end in zip(times, times[1:]):
        new = punch.step(force, begin, end - begin)
        force = -spring.step(x, begin, end - begin)
        x = new
        yield x


def gauss_seidel(punch, spring, times):
    force = 0.0
    for begin, end in zip(times, times[1:]):
        x = punch.step(force, begin, end - begin)
        force = -spring.step(x, begin, end - begin)
        yield x


def iterated(punch, spring, times):
    force = 0.0
    for begin, end in zip(times, times[1:]):
        saved = punch.save(), spring.save()
        for attempt in range(ATTEMPTS):
            if attempt > 0:
                punch.restore(saved[0])
                spring.restore(saved[1])
            x = punch.step(force, begin, end - begin)
            residual = force + spring.step(x, begin, end - begin)
            if abs(residual) < TOLERANCE:
                break
            force -= residual / (1.0 + spring.slope() * punch.slope())
        else:
            raise RuntimeError(f"t = {begin:.6g} s: {residual:.3g} N left after {ATTEMPTS} attempts")
        punch.forget(saved[0])
        spring.forget(saved[1])
        yield x


WAYS = {"Jacobi": jacobi, "Gauss-Seidel": gauss_seidel, "iterated": iterated}
# The punch can bend the spring by less than 1 mm: beyond this, a scheme has failed.
LIMIT = 0.02  # m


def simulate(way, fmus, step, count):
    """Position of the punch at the end of each step, until it leaves all bounds, and the number of
    attempts at a step."""
    punch = Unit(fmus[0], "loads.contact.fx", "points.punch.x")
    spring = Unit(fmus[1], "motions.tip.displacement", "motions.tip.reaction")
    positions = []
    for x in WAYS[way](punch, spring, step * np.arange(count + 1)):
        positions.append(x)
        if abs(x) > LIMIT:
            break
    punch.close()
    spring.close()
    return np.array(positions), punch.taken / len(positions)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--step", type=float, default=2e-4, help="communication step, s")
    parser.add_argument("--steps", type=int, default=200, help="number of steps")
    arguments = parser.parse_args()
    fmus = [pack(HERE / "models" / f"{name}.toml", "fmus") for name in ("punch", "leaf_spring")]
    for way in WAYS:
        positions, attempts = simulate(way, fmus, arguments.step, arguments.steps)
        largest = 1e3 * np.abs(positions).max()
        fate = "unstable, given up" if largest > 1e3 * LIMIT else "stable"
        print(f"{way:12}  {fate} after {len(positions)} steps of {attempts:.1f} attempts: up to {largest:.3f} mm")


if __name__ == "__main__":
    main()
