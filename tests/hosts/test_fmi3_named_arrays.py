"""Arrays that a model file names, as the states of all wheels: one variable of FMI 3.0, scalars elsewhere."""

import math

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

import coulisse
import harness
from test_fmi3 import Slave, pack

# Two wheels of 1 and 2 kg on a road, of which a force 20 N sin(2 pi t) lifts the first one.
AXLES = """
name = "axles"
description = "Two wheels on a road, of which one lifts off"
[experiment]
stop_time = 0.2
communication_step = 0.02
[solver]
step = 1e-3
[points]
rear = [-1.0, 0.0]
front = [1.0, 0.0]
left = [-0.5, 0.0]
right = [0.5, 0.0]
[members.road]
from = "rear"
to = "front"
elements = 1
order = 1
[masses]
left = { point = "left", mass = 1.0 }
right = { point = "right", mass = 2.0 }
[supports.road]
member = "road"
fix = ["x", "y", "rotation"]
[joints]
left.cylindrical = { slider = "left", path = ["road"], ends = "stop", contact = "unilateral" }
right.cylindrical = { slider = "right", path = ["road"], ends = "stop", contact = "unilateral" }
[loads]
lift = { point = "left", fy = 20.0, history.sine = { frequency = 1.0 } }
more = { point = "right", fy = 0.0 }
[gravity]
y = -9.81
[arrays]
states = ["joints.left.regime", "joints.right.regime"]
forces = ["joints.left.normal_force", "joints.right.normal_force"]
heights = ["points.right.y", "points.left.y", "members.road.y"]
[interface]
stations = 3
inputs = ["loads.more.fy"]
"""
NAMES = ["arrays.states", "arrays.forces", "arrays.heights"]
OFF = math.asin(9.81 / 20) / (2 * math.pi)


@pytest.fixture(scope="module")
def axles():
    return pack(AXLES, "axles")


def test_named_arrays_are_described_with_the_type_of_their_elements(axles):
    assert validate_fmu(str(axles)) == []
    assert "ok" in harness.coulisse("check", "--run", axles)
    variables = {v.name: v for v in read_model_description(axles).modelVariables}
    kinds = [(variables[name].type, variables[name].shape, variables[name].variability) for name in NAMES]
    assert kinds == [("Enumeration", (2,), "discrete"), ("Float64", (2,), "continuous"), ("Float64", (5,), "continuous")]
    assert variables["arrays.states"].declaredType.name == "JointRegime"
    assert variables["arrays.forces"].unit == "N" and "joints.left.normal_force" in variables["arrays.forces"].description


def test_states_of_wheels_change_in_event_mode_only_and_all_at_once(axles):
    slave = Slave(axles).start()
    unit, reference = slave.unit, slave.references["arrays.states"]
    before = unit.getInt64([reference], 2)
    event, _, early, time = unit.doStep(0.0, 0.2)
    assert event and early and abs(time - OFF) < 1e-8
    assert unit.getInt64([reference], 2) == before
    unit.enterEventMode()
    unit.updateDiscreteStates()
    # 5: separated.
    assert unit.getInt64([reference], 2) == [5, before[1]] and before[0] != 5
    singles = [slave.references[f"joints.{side}.regime"] for side in ("left", "right")]
    assert unit.getInt64(singles) == unit.getInt64([reference], 2)
    unit.enterStepMode()
    unit.doStep(time, 0.01)
    forces = unit.getFloat64([slave.references["arrays.forces"]], 2)
    assert forces[0] == 0.0 and abs(forces[1] - 2.0 * 9.81) < 1e-9
    heights = unit.getFloat64([slave.references["arrays.heights"]], 5)
    assert heights[1] > 0.0 and heights[0] == 0.0 and heights[2:] == [0.0, 0.0, 0.0]


def test_elsewhere_they_are_scalars_with_the_same_bits(axles):
    old = harness.pack(AXLES, "axles_2")
    assert validate_fmu(str(old)) == []
    names = [f"{name}[{k}]" for name in NAMES for k in range(1, 3)]
    scalars = harness.simulate(old, stop=0.2, output=names)
    arrays = fmpy.simulate_fmu(str(axles), fmi_type="CoSimulation", stop_time=0.2, output_interval=0.02, output=NAMES)
    with coulisse.Model(old) as two, coulisse.Model(axles) as three:
        results = two.simulate(), three.simulate()
    harness.coulisse("run", harness.FOLDER / "axles.toml", "-o", harness.FOLDER / "axles.csv")
    rows = harness.rows(harness.FOLDER / "axles.csv")
    for name in names:
        array, k = name[:-3], int(name[-2]) - 1
        assert np.array_equal(arrays[array][:, k], scalars[name]), name
        assert all(np.array_equal(result[name], scalars[name]) for result in results) and np.array_equal(rows[name], scalars[name])
    assert scalars["arrays.states[1]"][-1] == 5 and scalars["arrays.forces[1]"][0] > 9.0


def test_derivatives_of_a_named_array(axles):
    slave = Slave(axles, events=False, early=False).start()
    slave.unit.doStep(0.0, 0.02)
    forces, load = slave.references["arrays.forces"], slave.references["loads.more.fy"]
    change = slave.unit.getDirectionalDerivative([forces], [load], [1.0], 2)
    assert change[0] == 0.0 and abs(change[1] + 1.0) < 1e-12
    assert abs(slave.unit.getAdjointDerivative([forces], [load], [3.0, 5.0], 1)[0] + 5.0) < 1e-12


def test_a_wheel_that_is_switched_off_reads_zero_and_keeps_its_place():
    text = AXLES.replace("right.cylindrical", "right.enabled = false\nright.cylindrical").replace('fix = ["x", "y", "rotation"]', 'fix = ["x", "y", "rotation"]\n[supports.right]\npoint = "right"\nfix = ["x", "y"]')
    slave = Slave(pack(text, "one_axle"), events=False, early=False).start()
    forces = slave.unit.getFloat64([slave.references["arrays.forces"]], 2)
    assert abs(forces[0] - 9.81) < 1e-9 and forces[1] == 0.0


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('"joints.right.regime"', '"joints.right.gap"', "`joints.right.gap` has the type Length, and `joints.left.regime` before it JointRegime"),
        ('"joints.right.regime"', '"joints.rigth.regime"', "`joints.rigth.regime` is no output of this model"),
        ('["joints.left.regime", "joints.right.regime"]', "[]", "arrays.states: the array is empty"),
        ('["joints.left.regime", "joints.right.regime"]', "7", "arrays.states"),
    ],
)
def test_what_is_wrong_with_an_array_is_said(old, new, says):
    path = harness.FOLDER / "wrong_array.toml"
    path.write_text(AXLES.replace(old, new))
    with pytest.raises(RuntimeError) as fault:
        harness.coulisse("check", path)
    assert says in str(fault.value)
