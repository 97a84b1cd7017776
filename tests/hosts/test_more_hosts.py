"""Further hosts of docs/hosts.md: fmuloader and the FMU Manipulation Toolbox; and what hosts do when a step is discarded."""

import subprocess
import sys
from pathlib import Path

import fmpy
import pytest
from fmpy.ssp.simulation import simulate_ssp

import harness
from coupling import System, simulate

BIN = Path(sys.executable).parent
MODELS = harness.ROOT / "resources" / "models"
# A mass falls along a guide of 1 m, and is gone after 0.45 s.
FALLS = harness.ROOT / "tests" / "abi" / "leaves_its_path.toml"
STEP, COUNT = 2.0**-9, 50


def loaded(fmu):
    """An initialized instance in fmuloader, and the reals among its outputs."""
    from fmuloader.fmi2 import Fmi2Slave, Fmi2Type

    description = fmpy.read_model_description(fmu)
    slave = Fmi2Slave(fmu, model_identifier=description.coSimulation.modelIdentifier)
    slave.instantiate("unit", Fmi2Type.CO_SIMULATION, guid=description.guid)
    slave.setup_experiment(start_time=0.0)
    slave.enter_initialization_mode()
    slave.exit_initialization_mode()
    outputs = {v.name: v.valueReference for v in description.modelVariables if v.causality == "output" and v.type == "Real"}
    return slave, outputs


@pytest.mark.parametrize("name", ["quick_return", "half_car", "telescope"])
def test_fmuloader_gets_the_bits_of_the_command(name):
    model, csv = MODELS / f"{name}.toml", harness.FOLDER / f"more_hosts_{name}.csv"
    harness.coulisse("run", model, "--step", STEP, "--stop", STEP * COUNT, "-o", csv)
    expected = harness.rows(csv)
    slave, outputs = loaded(harness.pack(model))
    assert len(outputs) > 3
    for n in range(COUNT):
        slave.do_step(n * STEP, STEP)
        values = slave.get_real(list(outputs.values()))
        assert values == [expected[name][n + 1] for name in outputs], n
    slave.terminate()
    slave.free_instance()


def test_the_manipulation_toolbox_finds_nothing_wrong():
    fmu = harness.pack(MODELS / "quick_return.toml")
    done = subprocess.run([BIN / "fmutool", "-input", fmu, "-check"], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "ERROR" not in said and "WARNING" not in said, said


def test_hosts_stop_or_say_so_when_a_step_is_discarded():
    """FMPy with `simulate_fmu` returns fewer rows: test_documents.py."""
    from fmuloader.fmi2 import Fmi2Status

    fmu = harness.pack(FALLS)
    slave, _ = loaded(fmu)
    statuses = [slave.do_step(n * 0.01, 0.01) for n in range(46)]
    assert set(statuses[:44]) == {Fmi2Status.OK} and statuses[-1] == Fmi2Status.DISCARD
    slave.free_instance()

    outputs = [v.name for v in fmpy.read_model_description(fmu).modelVariables if v.causality == "output" and v.type == "Real"]
    with pytest.raises(RuntimeError, match="the step from 0.4"):
        simulate(System({"unit": fmu}, []), "libcosim", 0.01, 2.0, [f"unit::{outputs[0]}"])

    system = harness.FOLDER / "falls.ssp"
    harness.coulisse("pack", "--native", FALLS, "--ssp", "-o", system)
    with pytest.raises(Exception, match="fmi2DoStep"):
        simulate_ssp(str(system), stop_time=2.0, step_size=0.01)


def test_ecos_goes_on_with_the_last_numbers_after_a_discarded_step():
    """A known fault: nothing tells that the mechanism stands still."""
    fmu = harness.pack(FALLS)
    place = "unit::joints.mass.position"
    rows = simulate(System({"unit": fmu}, []), "ecos", 0.01, 2.0, [place])[place]
    assert len(rows) == 200 and len(set(rows[46:])) == 1 and rows[-1] < 1.0
