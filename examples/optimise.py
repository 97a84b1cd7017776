"""Looks for the damper with which a pushed mass comes to rest soonest, with SciPy on the Python module.

    python optimise.py --lower 20 --upper 300

What is made small is the integral of the squared distance from where the mass ends, ∫ (x − x_end)² dt. One model is simulated
again and again with another value; a step that is discarded counts as infinitely bad. For several numbers at once take
`scipy.optimize.minimize`, or `differential_evolution` where there are many valleys.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar

import coulisse

MODEL = Path(__file__).parent / "models" / "isolator.toml"
# Where the push of 100 N and the spring of 1000 N/m are in equilibrium, m from the initial position.
DISTANCE = 0.1


def cost(model, damping):
    """∫ (x − x_end)² dt, m²·s, with this damper (N·s/m)."""
    # A fixed parameter: the start is another one.
    model.reset()
    model.set("parameters.damping", damping)
    try:
        result = model.simulate(outputs=["points.mass.x"])
    except coulisse.Discarded:
        return np.inf
    moved = result["points.mass.x"] - result["points.mass.x"][0]
    return np.trapezoid((moved - DISTANCE) ** 2, result.time)


def best(lower, upper):
    """Damping (N·s/m), cost (m²·s) and the number of simulations."""
    with coulisse.Model(MODEL) as model:
        found = minimize_scalar(lambda damping: cost(model, damping), bounds=(lower, upper), method="bounded", options={"xatol": 0.05})
    return found.x, found.fun, found.nfev


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lower", type=float, default=20.0, help="least damping, N·s/m")
    parser.add_argument("--upper", type=float, default=300.0, help="largest damping, N·s/m")
    arguments = parser.parse_args()
    damping, least, count = best(arguments.lower, arguments.upper)
    print(f"{damping:.1f} N·s/m: {least:.4g} m²·s after {count} simulations")


if __name__ == "__main__":
    main()
