"""Three FMUs: a quick return, the motor that drives its crank through a compliant shaft, and the
motor's speed controller.

    python driven_quick_return.py [--host fmpy|libcosim|ecos] [-o CSV]
"""

import argparse
from pathlib import Path

import numpy as np

from coupling import HOSTS, System, pack, simulate

HERE = Path(__file__).parent
CONNECTIONS = [
    ("motor::rate", "controller::measured"),
    ("controller::torque", "motor::torque"),
    ("motor::moment", "mechanism::loads.drive.moment"),
    ("mechanism::points.R.rotation", "motor::crank_angle"),
    ("mechanism::points.R.rotation_rate", "motor::crank_rate"),
]
RECORD = [
    "controller::torque",
    "motor::rate",
    "motor::moment",
    "mechanism::points.R.rotation",
    "mechanism::points.R.rotation_rate",
    "mechanism::probes.tip_deflection",
    "mechanism::joints.N.friction_force",
]
# Short enough for the shaft: a moment that comes one step late acts like negative damping of
# stiffness × step, here 4 N·m·s/rad against the shaft's own 20.
STEP = 2e-4


def system(folder, start=None):
    units = {
        "mechanism": pack(HERE / "models" / "quick_return_driven.toml", folder),
        "motor": pack(HERE / "units" / "motor.py", folder),
        "controller": pack(HERE / "units" / "controller.py", folder),
    }
    return System(units, CONNECTIONS, start or {})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", choices=HOSTS, default="fmpy")
    parser.add_argument("--stop", type=float, default=1.6, help="end of the simulation, s")
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
