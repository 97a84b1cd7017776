"""The scripts in examples/, run as a reader would run them, and their results against solutions
that know nothing of coulisse."""

import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest

import documents
import driven_quick_return
import harness
import iterated_coupling
import references
import vehicle_on_bridge
from coupling import simulate

EXAMPLES = harness.ROOT / "examples"
HOSTS = {"fmpy": "fmpy", "libcosim": "libcosimpy", "ecos": "ecospy"}
COUPLED = ("driven_quick_return", "vehicle_on_bridge")


def run(script, *arguments, folder):
    """What the script printed; its words as an exception where it failed."""
    call = [sys.executable, EXAMPLES / f"{script}.py", *map(str, arguments)]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("examples")


@pytest.mark.parametrize("script", COUPLED)
def test_all_hosts_couple_to_the_same_numbers(script, folder):
    results = {}
    for host, package in HOSTS.items():
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed: no wheel of it for this Python")
            continue
        csv = folder / f"{script}_{host}.csv"
        printed = run(script, "--host", host, "--stop", 0.5, "-o", csv, folder=folder)
        assert "at the end" in printed
        results[host] = harness.rows(csv)
    assert len(results) > 1
    base = results.pop("fmpy")
    for host, result in results.items():
        for column, theirs in base.items():
            # Both count time in whole nanoseconds; Ecos adds up steps, which rounds otherwise, and where friction
            # turns rounding decides whether an instant counts as the end of a step.
            scale = 0.0 if host == "libcosim" else 1e-5 * np.max(np.abs(theirs))
            assert np.max(np.abs(result[column] - theirs)) <= scale, (host, column)


def test_a_vehicle_on_a_bridge_agrees_with_a_modal_series(folder):
    """Without shear and with six pairs of modes, as in the problem of the mass alone: 0.2 %, and 0.1 % of lag in a coupling
    step of 1 ms, which goes with it."""
    system = vehicle_on_bridge.system(folder)
    result = simulate(system, "fmpy", vehicle_on_bridge.STEP, 1.75, vehicle_on_bridge.RECORD)
    exact = references.vehicle_on_bridge(result["time"])
    names = ("bridge::probes.first_span", "bridge::probes.second_span", "body::height")
    for name, theirs in zip(names, exact):
        difference = np.max(np.abs(result[name] - theirs)) / np.max(np.abs(theirs))
        print(f"{name}: {difference:.1e}")
        assert difference < 3.5e-3, name


def test_a_driven_quick_return_goes_to_the_exact_motion_with_the_first_power_of_the_step(folder):
    """Arm without flexibility and guide without friction, against the equations of the rigid
    mechanism with a continuous controller."""
    start = {f"mechanism::joints.N.friction.stribeck.{kind}_coefficient": 0.0 for kind in ("static", "kinetic")}
    start["mechanism::materials.arm.young_modulus"] = 47.04e13
    start["mechanism::materials.arm.shear_modulus"] = 23.52e13
    system = driven_quick_return.system(folder, start)
    names = ("mechanism::points.R.rotation", "motor::moment")
    step, stop = driven_quick_return.STEP, 1.0
    coarse = simulate(system, "fmpy", step, stop, names)
    fine = simulate(system, "fmpy", step / 2, stop, names)
    exact = references.driven_quick_return(coarse["time"])
    for name, theirs in zip(names, exact):
        scale = np.max(np.abs(theirs))
        once, twice = coarse[name], fine[name][1::2]
        errors = [np.max(np.abs(values - theirs)) / scale for values in (once, twice, 2 * twice - once)]
        print(f"{name}: {errors[0]:.1e}, half the step {errors[1]:.1e}, extrapolated {errors[2]:.1e}")
        assert 1.6 < errors[0] / errors[1] < 2.4, name
        assert errors[2] < 4e-3, name
    angle = np.max(np.abs(2 * fine[names[0]][1::2] - coarse[names[0]] - exact[0]))
    assert angle < 5e-4  # rad, after more than two turns


def test_plain_coupling_of_a_light_mass_blows_up_and_iterated_coupling_does_not(folder):
    printed = run("iterated_coupling", folder=folder)
    fates = {line.split()[0]: line for line in printed.splitlines()}
    print(printed)
    assert "unstable" in fates["Jacobi"]
    assert "unstable" in fates["Gauss-Seidel"]
    assert " stable after 200 steps" in fates["iterated"]


def test_iterated_coupling_goes_to_the_exact_oscillation_with_the_square_of_the_step(folder):
    """The punch on a cantilever of stiffness k: 1/k = L³/(3EI) + L/(GA)."""
    young, length, height, width = 210e9, 0.1, 4.2e-3, 0.05
    bending, shear = young * width * height**3 / 12, young / 2.6 * width * height
    stiffness = 1 / (length**3 / (3 * bending) + length / shear)
    rate = np.sqrt(stiffness / 0.02)
    fmus = [harness.pack(EXAMPLES / "models" / f"{name}.toml") for name in ("punch", "leaf_spring")]
    results = []
    for step in (1e-4, 5e-5):
        count = round(0.01 / step)
        positions, attempts = iterated_coupling.simulate("iterated", fmus, step, count)
        results.append(positions)
        # The exact derivative: a step is predicted, corrected, and seen to be right.
        assert attempts < 3.1
    coarse, fine = results[0], results[1][1::2]
    exact = 2.0 / rate * np.sin(rate * 1e-4 * np.arange(1, 101))
    extrapolated = fine + (fine - coarse) / 3
    errors = [np.max(np.abs(x - exact)) * rate / 2.0 for x in (coarse, fine, extrapolated)]
    print(errors)
    assert 3.5 < errors[0] / errors[1] < 4.5
    assert errors[2] < 4e-3


def test_the_commands_of_the_page_run_as_they_stand(tmp_path, libraries):
    page = (harness.ROOT / "docs" / "coupling.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", page, re.S)
    commands = [line for block in blocks for line in block.splitlines() if not line.startswith("pip ")]
    assert len(commands) == 9
    for folder in ("examples", "resources"):
        (tmp_path / folder).symlink_to(harness.ROOT / folder)
    environment = documents.environment(harness.COMMAND, native=not harness.ALL)
    for command in commands:
        done = subprocess.run(command.split(), cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        if "iterated" in command:
            assert done.stdout in page
    for table, runs in (("driven", 8000), ("bridge", 1750), ("friction", 8), ("dask", 4), ("array", 4)):
        assert len((tmp_path / f"{table}.csv").read_text().splitlines()) == runs + 1, table
