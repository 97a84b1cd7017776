"""FMUs of FMI 3.0 in FMPy: arrays along members and contact layers, and numbers of elements as structural parameters."""

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

import coulisse
import harness
from test_fmi3 import Slave, pack

# A cantilever of 1 m whose tip is pulled up and back, far enough to bend much.
BEAM = """
name = "bent"
description = "A cantilever that bends much"
[experiment]
stop_time = 1.0
communication_step = 0.1
[solver]
analysis = "quasi_static"
step = 0.1
[points]
root = [0.0, 0.0]
tip = [1.0, 0.0]
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 7850.0
[sections.bar]
rectangle = { height = 0.01, width = 0.01 }
[members.beam]
from = "root"
to = "tip"
elements = 8
material = "steel"
section = "bar"
[supports.root]
point = "root"
fix = ["x", "y", "rotation"]
[loads.tip]
point = "tip"
fx = -50.0
fy = 100.0
history.ramp = { duration = 1.0 }
[interface]
stations = 6
parameters = ["members.beam.elements", "materials.steel.young_modulus"]
inputs = ["loads.tip.fy"]
outputs = ["members.beam.x", "members.beam.y", "members.beam.*", "points.tip.x"]
"""

# A rigid block on a soft layer that a force beside its middle presses down.
PRESSED = """
name = "pressed"
description = "A rigid block on a soft layer, pressed beside its middle"
[experiment]
stop_time = 1.0
communication_step = 0.5
[solver]
analysis = "quasi_static"
step = 0.5
[points]
a = [-0.5, 0.0]
b = [0.5, 0.0]
c = [0.5, 0.2]
d = [-0.5, 0.2]
top = [0.1, 0.2]
left = [-1.0, 0.0]
right = [1.0, 0.0]
[bodies.block]
rigid = true
mass = 1.0
inertia = 0.1
points = ["top"]
[bodies.block.patch]
cells = [10, 2]
edges = [
  { name = "bottom", from = "a", to = "b" },
  { name = "end", from = "b", to = "c" },
  { name = "upper", from = "c", to = "d" },
  { name = "front", from = "d", to = "a" },
]
[members.floor]
from = "left"
to = "right"
elements = 1
order = 1
[supports.floor]
member = "floor"
fix = ["x", "y", "rotation"]
[supports.top]
point = "top"
fix = ["x"]
[contacts.pad]
surface = ["block.bottom"]
path = ["floor"]
stiffness = 1e7
[loads.press]
point = "top"
fy = -1000.0
history.ramp = { duration = 1.0 }
[interface]
stations = 11
outputs = ["contacts.pad.line_pressures"]
"""

BEAM_ARRAYS = ["x", "y", "rotations", "normal_forces", "shear_forces", "moments", "stresses"]


@pytest.fixture(scope="module")
def beam():
    return pack(BEAM, "bent")


def read(slave, name, size):
    return np.array(slave.unit.getFloat64([slave.references[name]], size))


def test_arrays_and_structural_parameters_are_described_as_fmpy_and_the_command_want_them(beam):
    assert validate_fmu(str(beam)) == []
    assert "ok" in harness.coulisse("check", "--run", beam)
    variables = {v.name: v for v in read_model_description(beam).modelVariables}
    for name in BEAM_ARRAYS:
        assert variables[f"members.beam.{name}"].shape == (6,), name
        assert f"members.beam.{name}[2]" not in variables
    elements = variables["members.beam.elements"]
    assert (elements.type, elements.causality, elements.variability) == ("UInt64", "structuralParameter", "fixed")
    assert int(elements.start) == 8


def test_section_forces_along_a_bent_cantilever_are_those_of_its_load(beam):
    """In equilibrium the moment of a section is that of the load about where the section now is; the force is the load."""
    fx, fy, errors = -50.0, 100.0, []
    for elements in (16, 8):
        slave = configured(beam, elements).start()
        for k in range(10):
            slave.unit.doStep(k / 10, 0.1)
        x, y, turn, normal, shear, moment, stress = (read(slave, f"members.beam.{name}", 6) for name in BEAM_ARRAYS)
        lever = fy * (x[-1] - x) - fx * (y[-1] - y)
        errors.append(np.abs(moment - lever).max() / lever[0])
    print(errors)
    # Of third order in the length of elements of order 3.
    assert errors[1] < 2e-5 and errors[0] < errors[1] / 7
    assert x[0] == y[0] == 0.0 and x[-1] == slave.get("points.tip.x") and y[-1] > 0.2
    assert np.abs(np.hypot(normal, shear) - np.hypot(fx, fy)).max() < 1e-4 * np.hypot(fx, fy)
    # Thin: the axis turns with the section.
    along = fx * np.cos(turn) + fy * np.sin(turn)
    assert np.abs(normal - along).max() < 1e-3 * np.hypot(fx, fy)
    assert np.allclose(stress, np.abs(normal) / 1e-4 + np.abs(moment) * 0.005 / (0.01**4 / 12), rtol=1e-12)


def test_the_scalars_of_fmi_2_are_the_elements_of_the_arrays(beam):
    old = harness.pack(BEAM, "bent_2")
    names = [f"members.beam.{name}[{k}]" for name in BEAM_ARRAYS for k in range(1, 7)]
    scalars = harness.simulate(old, stop=1.0, output=names)
    arrays = fmpy.simulate_fmu(
        str(beam), fmi_type="CoSimulation", stop_time=1.0, output_interval=0.1,
        output=[f"members.beam.{name}" for name in BEAM_ARRAYS],
    )
    assert len(arrays) == len(scalars) == 11
    for name in names:
        array, k = name[:-3], int(name[-2])
        assert np.array_equal(arrays[array][:, k - 1], scalars[name]), name
    harness.coulisse("run", beam, "-o", harness.FOLDER / "bent_3.csv")
    harness.coulisse("run", harness.FOLDER / "bent.toml", "-o", harness.FOLDER / "bent.csv")
    ours, model = (harness.rows(harness.FOLDER / f"{name}.csv") for name in ("bent_3", "bent"))
    assert set(names) <= set(model)
    for name, column in model.items():
        assert np.array_equal(ours[name], column), name


def test_pressure_along_a_layer_is_linear_under_a_force_beside_the_middle():
    """Navier: p = F/L (1 + 12 e ξ/L²)."""
    fmu = pack(PRESSED, "pressed")
    assert validate_fmu(str(fmu)) == []
    slave = Slave(fmu, events=False, early=False).start()
    for k in range(2):
        slave.unit.doStep(k / 2, 0.5)
    pressure = read(slave, "contacts.pad.line_pressures", 11)
    exact = 1000.0 * (1 + 12 * 0.1 * np.linspace(-0.5, 0.5, 11))
    print(pressure / exact)
    # The block turns by 1e-4, and its force comes nearer to the middle by a fifth of that.
    assert np.abs(pressure / exact - 1).max() < 1e-3


def test_wrong_sizes_and_references_inside_arrays_are_refused(beam):
    slave = Slave(beam, events=False, early=False).start()
    reference = slave.references["members.beam.moments"]
    for references, size, says in [
        ([reference], 5, "1 value references and an array for 5 values; allowed: one for 6"),
        ([reference + 1], 1, f"inside the array members.beam.moments; allowed: {reference}"),
    ]:
        with pytest.raises(FMICallException):
            slave.unit.getFloat64(references, size)
        assert says in slave.messages[-1][1]
    both = slave.unit.getFloat64([reference, slave.references["points.tip.x"]], 7)
    assert both[:6] == list(read(slave, "members.beam.moments", 6)) and abs(both[6] - 1.0) < 1e-12


def test_derivatives_of_an_array_are_those_of_its_elements(beam):
    slave = Slave(beam, events=False, early=False).start(**{"loads.tip.fy": 50.0})
    slave.unit.doStep(0.0, 0.1)
    moments, load = slave.references["members.beam.moments"], slave.references["loads.tip.fy"]
    change = np.array(slave.unit.getDirectionalDerivative([moments], [load], [1.0], 6))
    weights = list(np.arange(1.0, 7.0))
    adjoint = slave.unit.getAdjointDerivative([moments], [load], weights, 1)
    assert np.isclose(adjoint[0], weights @ change, rtol=1e-12)
    others = []
    for by in (0.01, -0.01):
        other = Slave(beam, events=False, early=False).start(**{"loads.tip.fy": 50.0 + by})
        other.unit.doStep(0.0, 0.1)
        others.append(read(other, "members.beam.moments", 6))
    # Of differences of 1e-2 N.
    assert np.allclose(change, (others[0] - others[1]) / 0.02, rtol=0, atol=1e-5 * np.abs(change).max())


def unstarted(fmu):
    return Slave(fmu, events=False, early=False)


def configured(fmu, elements):
    slave = unstarted(fmu)
    slave.unit.enterConfigurationMode()
    slave.unit.setUInt64([slave.references["members.beam.elements"]], [elements])
    slave.unit.exitConfigurationMode()
    return slave


def test_another_number_of_elements_gives_the_bits_of_a_file_with_it(beam):
    file = unstarted(pack(BEAM.replace("elements = 8", "elements = 16"), "bent_16")).start()
    slave, plain = configured(beam, 16).start(), unstarted(beam).start()
    assert slave.unit.getUInt64([slave.references["members.beam.elements"]]) == [16]
    for k in range(5):
        for one in (file, slave, plain):
            one.unit.doStep(k / 10, 0.1)
        for name in BEAM_ARRAYS:
            values = [read(one, f"members.beam.{name}", 6) for one in (file, slave, plain)]
            assert np.array_equal(values[0], values[1]), name
    assert not np.array_equal(values[0], values[2])
    rows = [
        fmpy.simulate_fmu(str(fmu), stop_time=0.5, output_interval=0.1, output=["points.tip.x"], start_values=start)
        for fmu, start in ((beam, {"members.beam.elements": 16}), (harness.FOLDER / "bent_16_3.fmu", {}))
    ]
    assert np.array_equal(*(row["points.tip.x"] for row in rows))


def test_the_command_and_fmi_2_set_the_number_of_elements_too(beam):
    old, file = harness.pack(BEAM, "bent_2"), harness.FOLDER / "bent.toml"
    for name, subject in (("two", old), ("three", beam), ("file", file)):
        harness.coulisse("run", subject, "--set", "members.beam.elements=16", "-o", harness.FOLDER / f"{name}.csv")
    rows = [harness.rows(harness.FOLDER / f"{name}.csv") for name in ("two", "three", "file")]
    for column in rows[2]:
        for other in rows[:2]:
            assert np.array_equal(other[column], rows[2][column]), column


def test_the_python_module_has_the_elements_of_arrays_as_columns(beam):
    with coulisse.Model(harness.pack(BEAM, "bent_2")) as old, coulisse.Model(beam) as new:
        for elements in (8, 16):
            for model in (old, new):
                model.reset()
                model.set({"members.beam.elements": elements})
            expected, result = old.simulate(), new.simulate()
            assert np.ptp(expected["members.beam.moments[1]"]) > 1.0
            for key, column in expected.items():
                assert np.array_equal(column, result[key]), key
        assert new.get("members.beam.moments[6]") == result["members.beam.moments[6]"][-1]
        names = ["members.beam.moments[3]", "points.tip.x", "members.beam.moments[1]"]
        assert np.array_equal(new.derivatives(names, ["loads.tip.fy"]), old.derivatives(names, ["loads.tip.fy"]))


def test_a_state_of_another_number_of_elements_is_restored_with_it(beam):
    slave = configured(beam, 16).start()
    slave.unit.doStep(0.0, 0.1)
    moments = read(slave, "members.beam.moments", 6)
    saved = slave.unit.serializeFMUState(slave.unit.getFMUState())
    other = unstarted(beam).start()
    other.unit.setFMUState(other.unit.deserializeFMUState(saved))
    assert np.array_equal(read(other, "members.beam.moments", 6), moments)
    for one in (slave, other):
        one.unit.doStep(0.1, 0.1)
    assert np.array_equal(read(other, "members.beam.moments", 6), read(slave, "members.beam.moments", 6))


def test_configuration_mode_is_before_initialization_and_says_what_is_wrong(beam):
    slave = unstarted(beam)
    unit, elements = slave.unit, [slave.references["members.beam.elements"]]
    unit.enterConfigurationMode()

    def refused(call, *says):
        with pytest.raises(FMICallException):
            call()
        for text in says:
            assert text in slave.messages[-1][1], slave.messages[-1]

    refused(lambda: slave.set("materials.steel.young_modulus", 1e11), "not allowed in Configuration Mode")
    refused(unit.enterInitializationMode, "in Configuration Mode", "fmi3ExitConfigurationMode leaves it")
    unit.setUInt64(elements, [0])
    refused(unit.exitConfigurationMode, "members.beam.elements is 0; allowed: a whole number from 1 to 100000")
    unit.setUInt64(elements, [4])
    unit.exitConfigurationMode()
    slave.start()
    refused(lambda: unit.setUInt64(elements, [8]), "fixed structural parameter", "before initialization")
    refused(unit.enterConfigurationMode, "allowed before initialization")
    refused(lambda: unit.getInt32(elements), "is of type UInt64")
    plain = unstarted(pack(BEAM.replace('"members.beam.elements", ', ""), "plain_beam"))
    with pytest.raises(FMICallException):
        plain.unit.enterConfigurationMode()
    assert "no structural parameters" in plain.messages[-1][1]
