"""Two FMUs: a bridge under a wheel, and the body of the vehicle on its suspension.

    python vehicle_on_bridge.py [--host fmpy|libcosim|ecos] [-o CSV]
"""

import argparse
from pathlib import Path

import numpy as np

from coupling import HOSTS, System, pack, simulate

HERE = Path(__file__).parent
CONNECTIONS = [
    ("body::force", "bridge::loads.suspension.fy"),
    ("bridge::points.wheel.y", "body::wheel_height"),
    ("bridge::points.wheel.vy", "body::wheel_rate"),
]
RECORD = [
    "bridge::probes.first_span",
    "bridge::probes.second_span",
    "bridge::joints.wheel.normal_force",
    "body::force",
    "body::height",
]
STEP = 1e-3


def system(folder, start=None):
    units = {
        "bridge": pack(HERE / "models" / "bridge_under_wheel.toml", folder),
        "body": pack(HERE / "units" / "vehicle_body.py", folder),
    }
    return System(units, CONNECTIONS, start or {})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", choices=HOSTS, default="fmpy")
    parser.add_argument("--stop", type=float, default=1.75, help="end of the simulation, s")
    parser.add_argument("-o", "--output", metavar="CSV")
    arguments = parser.parse_args()
    result = simulate(system("fmus"), arguments.host, STEP, arguments.stop, RECORD)
    for name, values in result.items():
        print(f"{name:38} {values.min():12.6g} to {values.max():12.6g}, at the end {values[-1]:12.6g}")
    if arguments.output:
        table = np.column_stack(list(result.values()))
        np.savetxt(arguments.output, table, delimiter=",", header=",".join(result), comments="")


if __name__ == "__main__":
    main()
