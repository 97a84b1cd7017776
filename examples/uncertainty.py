"""How much of the spread of a braking distance comes from the speed, how much from the friction: indices of Sobol, with SALib on the
Python module.

    python uncertainty.py --samples 256

Speed and coefficient of friction are spread evenly over their ranges. The first index of a number is the part of the variance that it
causes alone, the total one that with all that it takes part in. The runs go over all cores; the distance of each is computed where it ran.
"""

import argparse
from pathlib import Path

import numpy as np
from SALib.analyze import sobol as analysis
from SALib.sample import sobol as sampling

import coulisse

MODEL = Path(__file__).parent / "models" / "braking.toml"
PROBLEM = {
    "num_vars": 2,
    "names": ["parameters.speed", "parameters.coefficient"],
    "bounds": [[2.0, 4.0], [0.2, 0.5]],
}


def distance(result):
    """Where the block stands in the end, m."""
    return float(result["points.block.x"][-1])


def indices(samples, processes=None):
    """First and total indices by name, and the number of runs."""
    points = sampling.sample(PROBLEM, samples, calc_second_order=False, seed=1)
    vary = [dict(zip(PROBLEM["names"], point)) for point in points]
    runs = coulisse.sweep(MODEL, vary, outputs=["points.block.x"], reduce=distance, processes=processes)
    faults = [run.fault for run in runs if run.fault]
    if faults:
        raise SystemExit(f"{len(faults)} of {len(runs)} runs were refused: {faults[0]}")
    found = analysis.analyze(PROBLEM, np.array([run.result for run in runs]), calc_second_order=False, seed=1)
    return {name: (float(found["S1"][k]), float(found["ST"][k])) for k, name in enumerate(PROBLEM["names"])}, len(runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=256, help="a power of two; each is four runs")
    parser.add_argument("--processes", type=int, help="as many as cores unless given")
    arguments = parser.parse_args()
    found, count = indices(arguments.samples, arguments.processes)
    print(f"{count} runs")
    for name, (first, total) in found.items():
        print(f"{name}: first {first:.3f}, total {total:.3f}")


if __name__ == "__main__":
    main()
