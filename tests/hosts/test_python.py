"""The Python module: the numbers of the command, its faults as exceptions, derivatives against differences."""

import copy
import os
import pickle
import re
import subprocess
import sys
import threading
import zipfile

import numpy as np
import pytest

import coulisse
import harness

NAMES = [model.stem for model in harness.SHOWN]
BELT = harness.ROOT / "tests" / "abi" / "belt.toml"
LEAVES_ITS_PATH = harness.ROOT / "tests" / "abi" / "leaves_its_path.toml"
STEPS = 60


@pytest.fixture
def belt():
    with coulisse.Model(BELT) as model:
        yield model


def ours(path, *options):
    """Rows of `coulisse run`."""
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    rows = harness.FOLDER / f"python_{path.stem}.csv"
    harness.coulisse("run", path, *options, "-o", rows)
    return harness.rows(rows)


def same_bits(result, expected):
    assert list(result) == list(expected)
    for name, column in expected.items():
        assert np.array_equal(result[name], column), name


def test_the_bundled_models_are_known():
    assert list(coulisse.models()) == [model.stem for model in sorted(harness.MODELS)]
    assert coulisse.models()["press"].startswith("Eccentric press")
    # With its data files, from any folder.
    assert coulisse.check("bracket_on_rail") == []


def test_any_number_of_a_model_file_can_be_given_with_it():
    path = harness.ROOT / "resources" / "models" / "cam_and_spring.toml"
    values = {"members.leaf.elements": 3, "solver.step": 2e-4}
    with coulisse.Model(path, values) as model:
        expected = ours(path, "--stop", "0.02", *(f"--set={name}={value}" for name, value in values.items()))
        same_bits(model.simulate(stop=0.02), expected)
    with pytest.raises(coulisse.CommandError, match="members.leaf.element` is no number of this model; did you mean"):
        coulisse.Model(path, {"members.leaf.element": 3})
    with pytest.raises(coulisse.CommandError, match="a whole number from 1 to 100000"):
        coulisse.Model(path, {"members.leaf.elements": 3.5})
    with pytest.raises(TypeError, match="allowed: a number"):
        coulisse.Model(path, {"members.leaf.elements": "3"})


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_run_to_the_last_bit(name):
    path = harness.ROOT / "resources" / "models" / f"{name}.toml"
    assert not [finding for finding in coulisse.check(path) if finding.severity == "error"]
    with coulisse.Model(path) as model:
        stop = min(model.default_stop, STEPS * model.default_step)
        result = model.simulate(stop=stop)
        assert len(result.time) > 5 and result.units["time"] == "s"
        same_bits(result, ours(path, "--stop", repr(stop)))
        # The same again: a simulation starts from the start.
        same_bits(model.simulate(stop=stop), result)
        assert [v.unit for v in model.variables.values() if v.causality == "output"] == list(result.units.values())[1:]


def test_values_and_inputs_over_time_are_those_of_run(tmp_path):
    table = tmp_path / "inputs.csv"
    table.write_text("time,motions.belt.velocity\n0,0.5\n0.1,0.3\n0.1,0.4\n0.5,0.1\n")
    coefficient = "joints.block.friction.stribeck.kinetic_coefficient"
    expected = ours(BELT, "--inputs", table, "--set", f"{coefficient}=0.4", "--step", "0.007", "--stop", "0.5")
    with coulisse.Model(BELT) as model:
        model.set(coefficient, 0.4)
        course = ([0.0, 0.1, 0.1, 0.5], [0.5, 0.3, 0.4, 0.1])
        times = []
        inputs = {"motions.belt.velocity": course}
        result = model.simulate(stop=0.5, step=0.007, inputs=inputs, progress=times.append)
        same_bits(result, expected)
        assert times == list(result.time[1:])
        # A function of time where the table is straight, and a number that holds.
        with pytest.raises(ValueError, match="no input"):
            model.simulate(inputs={coefficient: 0.3})
        held = model.simulate(stop=0.05, inputs={"loads.normal.fy": -25.0}, outputs=["points.block.x"])
        assert list(held) == ["time", "points.block.x"] and model["loads.normal.fy"] == -25.0
        slope = model.simulate(stop=0.05, inputs={"loads.normal.fy": lambda t: -20.0 - 40.0 * t})
        line = model.simulate(stop=0.05, inputs={"loads.normal.fy": ([0.0, 0.1], [-20.0, -24.0])})
        assert np.allclose(slope["points.block.x"], line["points.block.x"], rtol=0.0, atol=1e-12)


def test_steps_and_saved_states_go_on_with_the_same_bits(belt):
    result = belt.simulate(stop=0.2)
    belt.reset()
    assert belt.time == 0.0 and belt["points.block.x"] == result["points.block.x"][0]
    for k in range(1, 11):
        assert belt.step() == pytest.approx(result.time[k], abs=1e-12)
        assert belt["points.block.x"] == pytest.approx(result["points.block.x"][k], abs=1e-9)
    state, courses = belt.save(), []
    with coulisse.Model(BELT) as other:
        for model in (belt, other):
            model.restore(state)
            assert model.time == state.time
            courses.append([(model.step(), model["points.block.x"]) for _ in range(5)])
    assert courses[0] == courses[1]


def test_a_discarded_step_raises_with_the_reason():
    with coulisse.Model(LEAVES_ITS_PATH) as model:
        with pytest.raises(coulisse.Discarded, match="last successful time") as caught:
            model.simulate()
        # The end of the guide, 1 m below, in free fall: see the model.
        assert caught.value.time == pytest.approx(np.sqrt(2.0 / 9.81), abs=2e-3)
        result = caught.value.result
        assert result.time[-1] == model.time == caught.value.time and len(result.time) > 40
        with pytest.raises(coulisse.CoulisseError, match="what had happened"):
            model.step()
        model.reset()
        assert model.step() == 0.01


def test_derivatives_are_differences(belt):
    names, inputs = ["points.block.x", "energy.kinetic"], ["loads.normal.fy", "motions.belt.velocity"]
    # While the block slides: it begins as fast as the belt, which is then made faster.
    belt.set("motions.belt.velocity", 1.5)
    for _ in range(3):
        belt.step()
    before, width = belt.save(), 1e-4
    belt.step()
    matrix = belt.derivatives(names, inputs)
    assert matrix.shape == (2, 2) and np.all(matrix[:, 0] != 0.0)
    for column, name in enumerate(inputs):
        sides = []
        for sign in (1.0, -1.0):
            belt.restore(before)
            belt.set(name, belt[name] + sign * width)
            belt.step()
            sides.append(np.array([belt[output] for output in names]))
        difference = (sides[0] - sides[1]) / (2.0 * width)
        assert np.allclose(matrix[:, column], difference, rtol=1e-5, atol=1e-8), name


def test_tables_of_the_command():
    with coulisse.Model("quick_return") as model:
        modes = model.modes(4)
        assert list(modes["mode"]) == [1, 2, 3, 4] and modes.units["frequency"] == "Hz"
        assert np.allclose(modes["angular_frequency"], 2.0 * np.pi * modes["frequency"])
        assert modes["nature"][0] == "vibration"
        shapes = model.modes(2, shapes=True)
        assert "A" in shapes["node"] and len(shapes["mode2 rotation"]) == len(shapes["x"])
    with coulisse.Model("tensile_buckling") as model:
        path = model.static()
        assert path["point"][0] == "start"
        assert path.units["motions.pull.reaction"] == "N" and np.all(np.diff(path["factor"]) >= 0.0)
        short = model.static(to=0.01)
        assert short["factor"][-1] == pytest.approx(0.01)
        fine = model.static(to=0.01, largest_move=1e-4, fixed_sliders="all")
        assert len(fine["factor"]) > len(short["factor"])


def test_linear_models_go_to_scipy_and_python_control():
    import control
    import scipy.io
    import scipy.signal

    with coulisse.Model("quarter_car") as model:
        inputs, outputs = ["springs.strut.actuator"], ["points.body.y", "springs.strut.*"]
        linear = model.linearize(inputs, outputs, at="equilibrium")
        assert repr(linear).startswith("<StateSpace (continuous): ") and len(repr(linear)) < 1500
        assert linear.inputs == inputs and linear.units["points.body.y"] == "m" and linear.joints == {"joints.road": "slides"}
        assert linear.outputs[0] == "points.body.y" and "springs.strut.force" in linear.outputs
        poles = linear.poles()
        # 1.2 Hz and 12 Hz, as the head of the model says.
        assert np.abs(poles[0]) / (2 * np.pi) == pytest.approx(1.2, rel=0.06) and np.all(poles.real < 0)
        assert np.all(linear.damping() > 0.1)
        # 1 N draws body and wheel together, by the strut of 22 kN/m.
        assert linear.dcgain()[0, 0] == pytest.approx(-1 / 22e3, rel=1e-6)
        named = linear.control()
        assert np.allclose(np.sort_complex(named.poles()), np.sort_complex(poles)) and named.ninputs == 1
        assert np.allclose(control.dcgain(control.ss(*linear)), linear.dcgain())
        signal = scipy.signal.StateSpace(*linear)
        frequencies = np.array([0.5, 1.3, 8.0])
        _, seen = scipy.signal.freqresp(scipy.signal.StateSpace(linear.A, linear.B, linear.C[:1], linear.D[:1]), 2 * np.pi * frequencies)
        assert np.allclose(seen, linear.response(frequencies)[:, 0, 0]) and len(signal.A) == 4
        sampled = model.linearize(inputs, outputs, at="equilibrium", sample=0.01)
        exact = scipy.signal.cont2discrete((linear.A, linear.B, linear.C, linear.D), 0.01)
        assert sampled.dt == 0.01 and np.allclose(sampled.A, exact[0], atol=1e-12) and np.allclose(sampled.B, exact[1], atol=1e-15)
        assert np.allclose(sampled.dcgain(), linear.dcgain(), rtol=1e-6, atol=1e-12)
        # The same motions, slowest first, with the same damping.
        assert np.allclose(np.log(sampled.poles()) / 0.01, linear.poles()) and np.allclose(sampled.damping(), linear.damping())
        assert sampled.control().dt == 0.01 and control.ss(*sampled).dt == 0.01
        # The parameters that were set count.
        model.set("parameters.body", 640.0)
        assert np.abs(model.linearize(at="equilibrium").poles()[0]) < 0.8 * np.abs(poles[0])
        with pytest.raises(coulisse.CommandError, match="is no input"):
            model.linearize(["springs.strut.aktuator"])


def test_a_linear_model_as_a_file_of_matlab(tmp_path):
    import scipy.io

    file = tmp_path / "car.mat"
    coulisse._command.succeed(["linearize", "quarter_car", "--outputs", "points.body.y", "-o", file])
    read = scipy.io.loadmat(file)
    assert read["A"].shape == (4, 4) and read["D"].shape == (1, 2) and read["Ts"][0, 0] == 0.0
    assert read["OutputName"][0, 0][0] == "points.body.y" and read["StateUnit"].shape == (4, 1)


def test_friction_laws_are_those_of_the_model_with_the_values_that_were_set():
    law = "joints.N.friction.stribeck"
    with coulisse.Model("quick_return") as model:
        model.set({f"{law}.static_coefficient": 0.5, f"{law}.kinetic_coefficient": 0.2, f"{law}.viscous_coefficient": 0.0})
        table = model.friction("N", normal_force=500.0, velocity=10.0)
        start = model.get(f"{law}.decay_velocity"), model.get(f"{law}.decay_exponent")
        with pytest.raises(coulisse.CommandError, match="no sliding joint `M`; there are"):
            model.friction("joints.M")
    assert table.units["force"] == "N" and table["velocity"][-1] == 10.0
    # The law of Stribeck: μ_k + (μ_s − μ_k) exp(−(v/v_σ)^δ).
    share = np.exp(-((table["velocity"] / start[0]) ** start[1]))
    assert np.allclose(table["force"], 500.0 * (0.2 + 0.3 * share), rtol=1e-12)
    # Of a Coulomb force F, 4 F/(π v).
    coulomb = coulisse.friction("coulomb", {"coefficient": 0.25}, normal_force=2.0, velocity=3.0)
    for name in ("equivalent_damping", "closed_damping"):
        assert np.allclose(coulomb[name] * coulomb["velocity"], 4.0 * 0.5 / np.pi, rtol=1e-6), name
    dahl = coulisse.friction("dahl", amplitude=1e-3)
    assert dahl.units["equivalent_stiffness"] == "N/m" and dahl["amplitude"][-1] == 1e-3
    with pytest.raises(coulisse.CommandError, match="--velocity is for laws of velocity"):
        coulisse.friction("dahl", velocity=1.0)


def test_what_was_set_can_be_forgotten(belt):
    plain = belt.simulate(stop=0.1)
    belt.set("loads.normal.fy", -40.0)
    pressed = belt.simulate(stop=0.1)["joints.block.normal_force"]
    assert not np.array_equal(pressed, plain["joints.block.normal_force"])
    belt.unset()
    same_bits(belt.simulate(stop=0.1), plain)


def test_faults_are_found_all_at_once(tmp_path):
    text = BELT.read_text().replace("young_modulus", "jung_modulus").replace("mass = 2.0", "mass = -2.0")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text)
    findings = coulisse.check(wrong)
    assert [(f.file, f.line, f.severity) for f in findings] == [("wrong.toml", 22, "error"), ("wrong.toml", 45, "error")]
    assert "did you mean `young_modulus`" in findings[0].message and findings[1].column == 8
    for call in (coulisse.Model, lambda path: coulisse.pack(path, tmp_path / "wrong.fmu")):
        with pytest.raises(coulisse.ModelError) as caught:
            call(wrong)
        assert caught.value.findings == findings
    for name in ("none.toml", "none.fmu"):
        (finding,) = coulisse.check(tmp_path / name)
        assert "cannot be read" in finding.message and finding.line == 0
    loose = tmp_path / "loose.fmu"
    with zipfile.ZipFile(loose, "w") as archive:
        archive.writestr("modelDescription.xml", "<fmiModelDescription/>")
    assert {f.file for f in coulisse.check(loose)} == {"modelDescription.xml"}


def test_what_is_not_allowed_says_what_is(belt):
    with pytest.raises(KeyError, match=r"^points.block.y; there are parameters.weight, .* once `parameters` of its \[interface\] lists it$"):
        belt.set("points.block.y", 1.0)
    with pytest.raises(coulisse.CoulisseError, match="output"):
        belt.set("points.block.x", 1.0)
    belt.step()
    with pytest.raises(coulisse.CoulisseError, match=r"parameters.weight is a fixed parameter.*after `reset\(\)`"):
        belt.set("parameters.weight", 1.0)
    with pytest.raises(ValueError, match="above 0"):
        belt.simulate(stop=-1.0)
    belt.reset()
    belt.set("joints.block.friction.stribeck.static_coefficient", 0.1)
    with pytest.raises(coulisse.CoulisseError, match="static_coefficient"):
        belt.step()


def test_slips_say_what_was_meant(belt, tmp_path):
    """Each as somebody at a prompt would make it."""
    with pytest.raises(KeyError) as caught:
        belt.simulate(outputs=["point.block.x"])
    assert str(caught.value) == "point.block.x; did you mean points.block.x?"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(KeyError, match=r"^zzz; there are .* and \d+ more$"):
        belt["zzz"]
    with pytest.raises(KeyError, match="did you mean points.block.x"):
        belt.simulate(stop=0.05)["points.block.y"]
    # One name alone; none at all.
    assert list(belt.simulate(stop=0.05, outputs="points.block.x")) == ["time", "points.block.x"]
    assert list(belt.simulate(stop=0.05, outputs=[])) == ["time"]
    assert belt.derivatives("points.block.x", "loads.normal.fy").shape == (1, 1)
    # What can be set comes to mind.
    with pytest.raises(KeyError, match=r"did you mean loads.normal.fy\?$"):
        belt.set("loads.normal.fyy", 1.0)
    # All or nothing.
    before = belt["loads.normal.fy"]
    with pytest.raises(KeyError):
        belt.set({"loads.normal.fy": -99.0, "loads.normal.fz": 1.0})
    assert belt["loads.normal.fy"] == before
    for signal in ("high", [1.0, 2.0, 3.0], ([0.0, 1.0], [1.0]), ([0.0, float("nan")], [1.0, 2.0]), ([1.0, 0.0], [1.0, 2.0])):
        with pytest.raises(ValueError, match="loads.normal.fy: .*allowed: "):
            belt.simulate(stop=0.05, inputs={"loads.normal.fy": signal})
    text, empty = tmp_path / "text.fmu", tmp_path / "empty.fmu"
    text.write_text("no archive")
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("readme.txt", "")
    for path, words in ((tmp_path / "none.fmu", "cannot be read"), (text, "not a zip archive"), (empty, "modelDescription.xml")):
        with pytest.raises(coulisse.ModelError, match=words):
            coulisse.Model(path)
    belt.close()
    with pytest.raises(coulisse.CoulisseError, match="is closed"):
        belt.step()


def test_what_is_no_number_and_no_name_is_reported_by_its_name(belt, tmp_path):
    state = belt.save()
    fy = "loads.normal.fy"
    for wrong, words in {
        lambda: belt.set(fy, "-3"): r"loads.normal.fy: '-3'; allowed: a number",
        lambda: belt.set(fy, [-3.0]): r"loads.normal.fy: \[-3.0\]; allowed: a number",
        lambda: belt.set([(fy, -3.0)]): "set: .*; allowed: a dictionary by name",
        lambda: belt.set({fy: -3.0}, 2.0): r"allowed: set\(name, value\)",
        lambda: belt.step("1"): "length: '1'; allowed: a number",
        lambda: belt.simulate(stop=[1.0]): r"stop: \[1.0\]; allowed: a number",
        lambda: belt.simulate(inputs=[fy]): "inputs: .*; allowed: a dictionary by name",
        lambda: belt.simulate(stop=0.05, inputs={fy: lambda time: None}): r"loads.normal.fy at 0 s: None; allowed: a number",
        lambda: belt.simulate(outputs=5): "outputs: 5; allowed: names",
        lambda: belt.simulate(progress="yes"): "progress: 'yes'; allowed: True, or a function",
        lambda: belt.restore(state.data): "restore: bytes; allowed: a State",
        lambda: belt.restore(coulisse.State("text", 0.0)): "restore: State; allowed: a State",
        lambda: belt.restore(coulisse.State(state.data, "0")): "time of the state: '0'; allowed: a number",
        lambda: belt.friction(3): "joint: 3; allowed: the name",
        lambda: coulisse.check(None): "PathLike",
        lambda: coulisse.sweep(BELT, 5): "vary: 5; allowed: values by name",
        lambda: coulisse.sweep(BELT, {fy: "12"}): "loads.normal.fy: '12'; allowed: a number",
        lambda: coulisse.sweep(BELT, {fy: [1.0]}, executor=5): "executor: 5; allowed: one of concurrent.futures",
        lambda: copy.copy(belt): "cannot be copied",
        lambda: pickle.dumps(belt): "make one of its file in each process",
    }.items():
        with pytest.raises(TypeError, match=words):
            wrong()
    for wrong, words in {
        lambda: belt.set(fy, 10**400): "larger than any double",
        lambda: belt.simulate(stop=1.0, step=1e-300): "more than 1e\\+08 rows",
        lambda: belt.restore(coulisse.State(state.data, float("nan"))): "time of the state: nan s",
        lambda: coulisse.sweep(BELT, {fy: [1.0]}, processes=0): "processes: 0; allowed: from 1 on",
    }.items():
        with pytest.raises(ValueError, match=words):
            wrong()
    # What a command says names the file of the caller, and no option of the terminal.
    with pytest.raises(coulisse.CommandError) as caught:
        belt.modes(count=-1)
    assert "--help" not in str(caught.value)
    with pytest.raises(coulisse.CommandError, match=f"^{re.escape(str(BELT))}: no sliding joint `x`"):
        belt.friction("x")
    # A file is no option, whatever it is called.
    (finding,) = coulisse.check("--version")
    assert finding.file == "--version" and "cannot be read" in finding.message
    # All or nothing, of what the library refuses too.
    before = belt[fy]
    with pytest.raises(coulisse.CoulisseError, match="fixed parameter"):
        belt.set({fy: -99.0, "parameters.weight": 1.0})
    assert belt[fy] == before
    belt.reset()
    assert belt[fy] == before


def test_numbers_of_numpy_are_numbers(belt):
    expected = belt.simulate(stop=0.05, inputs={"loads.normal.fy": -3.0})
    for number in (np.float32(-3.0), np.int64(-3), np.array(-3.0), lambda time: np.float64(-3.0)):
        same_bits(belt.simulate(stop=0.05, inputs={"loads.normal.fy": number}), expected)
    (run,) = coulisse.sweep(BELT, {"loads.normal.fy": np.float32(-3.0)}, stop=0.05, processes=1)
    same_bits(run.result, expected)


PENDULUM = """
name = "pendulum"
[experiment]
stop_time = 30.0
communication_step = 0.03
[solver]
step = 0.03
energy_tolerance = 1e9
[points]
o = [0.0, 0.0]
b = [1.0, 0.0]
[materials.m]
young_modulus = 210e9
poisson_ratio = 0.3
density = 0.0
[sections.s]
circle = { diameter = 0.02 }
[members.p]
from = "o"
to = "b"
elements = 1
order = 1
material = "m"
section = "s"
[masses.b]
point = "b"
mass = 1.0
[supports.o]
point = "o"
fix = ["x", "y"]
[gravity]
y = -9.81
[interface]
parameters = ["gravity.y"]
outputs = ["points.b.*", "energy.*"]
"""


def test_a_study_has_the_warnings_of_its_runs(tmp_path):
    # In steps that are too long for it its energy balance does not close.
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM)
    with coulisse.Model(file) as model:
        said = model.simulate().warnings
    assert said and "energy" in said[0]
    runs = coulisse.sweep(file, {"gravity.y": [-9.81, -1e-3]}, processes=1)
    assert [list(run.warnings) for run in runs] == [said, []]
    assert runs.warnings == {text: [0] for text in said}


def test_a_study_varies_numbers_that_are_no_parameters(tmp_path):
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM)
    runs = coulisse.sweep(file, {"masses.b.mass": [1.0, 4.0]}, outputs=["energy.potential"], stop=0.01, processes=1)
    falls = [run.result["energy.potential"][-1] for run in runs]
    assert falls[1] == pytest.approx(4.0 * falls[0], rel=1e-6) and falls[0] != 0.0
    with pytest.raises(KeyError, match="^masses.b.mas"):
        coulisse.sweep(file, {"masses.b.mass": [1.0], "masses.b.mas": [1.0]}, processes=1)


def test_numbers_of_a_call_are_refused_in_its_words(tmp_path):
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM)
    with pytest.raises(coulisse.CommandError) as caught:
        coulisse.Model(file, {"masses.b.mass": -1.0})
    assert str(caught.value).startswith("values: masses.b.mass is -1 kg") and "pendulum.toml" not in str(caught.value)
    with coulisse.Model(file) as model, pytest.raises(coulisse.CommandError, match="^sensitivities: `parameters.zz` is no number"):
        model.simulate(stop=0.01, sensitivities=["parameters.zz"])


def test_a_pole_that_rounding_moves_from_zero_is_zero(tmp_path):
    # A free cart with a stiff spring on it.
    file = tmp_path / "cart.toml"
    file.write_text(
        """
name = "cart"
[solver]
step = 1e-3
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
[masses]
a = { point = "a", mass = 1.0 }
b = { point = "b", mass = 0.3 }
[springs.s]
from = "a"
to = "b"
direction = "x"
stiffness = 1e9
[supports.a]
point = "a"
fix = ["y"]
[supports.b]
point = "b"
fix = ["y"]
"""
    )
    with coulisse.Model(file) as model:
        poles = model.linearize().poles()
    assert list(poles[:2]) == [0.0, 0.0]
    assert np.abs(poles[2]) == pytest.approx(np.sqrt(1e9 * (1.0 + 1.0 / 0.3)), rel=1e-9)


def test_threads_that_share_a_model_are_refused_and_end_nothing():
    """Each call is answered or refused, whatever the others do, and a model is freed when no call is under way."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    said = []

    def use(call):
        for _ in range(50):
            try:
                call()
            except coulisse.CoulisseError as fault:
                said.append(str(fault))

    try:
        for round in range(50):
            if round >= 5 and said:
                break
            with coulisse.Model(BELT) as model:
                calls = (model.step, model.save, model.reset, lambda: model["points.block.x"])
                threads = [threading.Thread(target=use, args=(call,)) for call in calls]
                for thread in threads:
                    thread.start()
                model.close()
                for thread in threads:
                    thread.join()
    finally:
        sys.setswitchinterval(interval)
    refused = ("another thread", "the model is closed", "not allowed", "communication point")
    assert said and all(any(words in text for words in refused) for text in said), set(said)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_fork_that_ends_leaves_the_model_of_its_parent(belt):
    child = os.fork()
    if child == 0:
        belt.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(belt.modes(1)["frequency"]) == 1


def test_what_a_host_does_in_the_midst_of_a_simulation_is_answered(belt):
    with pytest.raises(coulisse.CoulisseError, match="not allowed before initialization"):
        belt.simulate(stop=0.05, progress=lambda _: belt.reset())
    with pytest.raises(coulisse.CoulisseError, match="is closed"):
        belt.simulate(stop=0.05, progress=lambda _: belt.close())
    for call in (belt.modes, belt.static, lambda: belt.friction("block"), belt.save, lambda: belt["points.block.x"]):
        with pytest.raises(coulisse.CoulisseError, match="is closed"):
            call()


def test_an_fmu_is_packed_and_checked(tmp_path):
    fmu = coulisse.pack(BELT, tmp_path / "belt.fmu", native=True, date="2024-02-29T12:00:00Z")
    assert fmu == tmp_path / "belt.fmu" and coulisse.check(fmu) == []
    with coulisse.Model(fmu) as model:
        same_bits(model.simulate(stop=0.1), ours(BELT, "--stop", "0.1"))
        assert model.modes(1)["mode"][0] == 1.0


def test_an_fmu_is_packed_with_a_system_and_with_reference_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    system = coulisse.pack(BELT, native=True, ssp=True)
    assert system.name == "belt.ssp" and "SystemStructure.ssd" in zipfile.ZipFile(system).namelist()
    fmu = coulisse.pack(BELT, native=True, reference=True)
    inside = zipfile.ZipFile(fmu).namelist()
    assert any(name.startswith("extra/") for name in inside)
    assert not any(name.startswith("extra/") for name in zipfile.ZipFile(coulisse.pack(BELT, native=True)).namelist())
    fmu = coulisse.pack(BELT, platforms="linux64")
    assert {name.split("/")[1] for name in zipfile.ZipFile(fmu).namelist() if name.startswith("binaries/")} == {"linux64"}
    with pytest.raises(coulisse.CommandError, match="windows"):
        coulisse.pack(BELT, platforms=["linux64", "windows"])
    assert coulisse.check(fmu) == []


def test_a_result_is_a_table_of_pandas_and_a_data_set_of_xarray(belt):
    result = belt.simulate(stop=0.05)
    frame = result.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["points.block.x"] == "m"
    assert np.array_equal(frame["points.block.x"], result["points.block.x"])

    dataset = result.to_xarray()
    assert dataset["time"].attrs["units"] == "s" and list(dataset.data_vars) == list(result)[1:]
    for name, variable in dataset.data_vars.items():
        assert variable.dims == ("time",) and np.array_equal(variable.values, result[name])
        assert variable.attrs["units"] == result.units[name]


def test_the_module_is_typed():
    module = harness.ROOT / "tools" / "python" / "coulisse"
    call = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", harness.TARGET / "mypy"]
    done = subprocess.run([*call, module], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_blocks_of_the_document_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    first = (harness.ROOT / "docs" / "first-model.md").read_text()
    (tmp_path / "block.toml").write_text(re.search(r"save it as `block.toml`:\n\n```toml\n(.*?)```", first, re.S)[1])
    monkeypatch.chdir(tmp_path)
    names = {}
    for text in (first.split("## In Python")[1], (harness.ROOT / "docs" / "python.md").read_text()):
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        assert blocks
        for block in blocks:
            exec(compile(block, "docs/python.md", "exec"), names)
    assert "last successful time" in capsys.readouterr().out
    names["model"].close()
