"""FMUs with the library as a component of WebAssembly (FMI-LS-WASM, a draft): packed, checked, and run by wasmtime and by jco."""

import math
import re
import subprocess
import zipfile

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.fmi3 import FMU3Slave
from lxml import etree

import harness
from components import HOSTS, Refused, Unit
from test_fmi3 import BALL, BELT
from test_fmi3_arrays import BEAM, BEAM_ARRAYS, configured, read

pytestmark = harness.full_tier("the component is compiled for minutes")

NAMES = [model.stem for model in harness.SHOWN]
WASM = "binaries/wasm32-wasip2"
MANIFESTS = [f"extra/org.modelica.fmi-ls-wasm/{name}" for name in ("manifest.xml", "fmi-ls-manifest.xml")]
#: Of positions from those of the native library, m: sines and exponentials come from another library.
ROUNDING = 1e-8
#: Largest component as an FMU holds it, bytes.
LARGEST = 2_500_000


# A mass of 1 kg that a force of the host pulls.
MASS = """
name = "pulled"
description = "A mass under a force of the host"
[experiment]
stop_time = 1.0
communication_step = 1.0
[solver]
step = 1e-3
[points]
mass = [0.0, 0.0]
[masses.mass]
point = "mass"
mass = 1.0
[loads.pull]
point = "mass"
fx = 0.0
[interface]
inputs = ["loads.pull.fx"]
outputs = ["points.mass.x"]
"""


@pytest.fixture(scope="module")
def component():
    """The file of the component, where `coulisse pack` finds it from then on."""
    def built(path):
        done = subprocess.run([harness.ROOT / "tools" / "component" / "build"], capture_output=True, text=True)
        if done.returncode != 0 and "no standard library of Rust" in done.stderr:
            pytest.skip("no standard library of Rust for WebAssembly")
        assert done.returncode == 0, done.stderr
        path.write_text(done.stdout.strip())

    return harness.once("component.txt", built).read_text()


@pytest.fixture(scope="module")
def pack(component):
    """Packs a bundled model, or a text under a name, with the library of this build and the component."""
    def packed(model, name=None):
        if name is None:
            return harness.once(f"{model}_wasm.fmu", lambda fmu: to(f"{model}", fmu))
        harness.FOLDER.mkdir(parents=True, exist_ok=True)
        path, fmu = harness.FOLDER / f"{name}.toml", harness.FOLDER / f"{name}_wasm.fmu"
        path.write_text(model)
        to(path, fmu)
        return fmu

    def to(model, fmu):
        harness.coulisse("pack", "--fmi", "3", "--platforms", "linux64,wasm32-wasip2", model, "-o", fmu)

    return packed


@pytest.fixture(params=HOSTS, ids=lambda host: host.name)
def unit(request):
    """Makes instances in a host, which end with the test."""
    hosts = []

    def made(fmu, **options):
        one = Unit(request.param, fmu, **options)
        hosts.append(one.host)
        return one

    yield made
    for host in hosts:
        host.close()


def rows(unit, stop, step):
    """Outputs at communication points."""
    names = unit.outputs()
    unit.start()
    found = [unit.get(*names)]
    for k in range(round(stop / step)):
        unit.step(k * step, (k + 1) * step - k * step)
        found.append(unit.get(*names))
    return names, found


def native(fmu, stop, step):
    """Columns of the library for this machine; FMPy leaves out texts."""
    names = [v.name for v in read_model_description(fmu).modelVariables if v.causality == "output" and v.type != "String"]
    result = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", stop_time=stop, output_interval=step, output=names)
    return {name: np.asarray(result[name], float) for name in names}


def span(fmu):
    """A tenth of a second: what rounding makes of a longer motion is the motion's affair."""
    stop, step = harness.experiment(fmu)
    return min(stop, max(0.1, 10 * step), math.inf if harness.ALL else 50 * step), step


@pytest.mark.parametrize("name", NAMES)
def test_a_component_gives_what_the_library_gives(pack, unit, name):
    fmu = pack(name)
    stop, step = span(fmu)
    (names, there), here = rows(unit(fmu), stop, step), native(fmu, stop, step)
    worst = 0.0
    for column, expected in here.items():
        found = np.array([row[names.index(column)] for row in there], float)
        assert len(found) == len(expected) > 5
        if re.match(r"points\..*\.[xy]$", column):
            worst = max(worst, np.abs(found - expected).max())
    print(f"{name}: {worst:.1e} m")
    assert worst <= ROUNDING


@pytest.mark.parametrize("name", NAMES)
def test_two_runtimes_give_the_same_bits(pack, name):
    """WebAssembly leaves no rounding to its runtime."""
    fmu = pack(name)
    stop, step = span(fmu)
    found = []
    for kind in HOSTS:
        one = Unit(kind, fmu)
        found.append(rows(one, stop, step))
        one.host.close()
    assert found[0] == found[1]


def test_model_exchange_gives_the_bits_of_co_simulation(pack, unit):
    """A sampled block: events at the communication points, nothing between."""
    fmu = pack("quick_return")
    _, step = harness.experiment(fmu)
    names, expected = rows(unit(fmu), 20 * step, step)
    block = unit(fmu, use="model-exchange").start()
    assert block.call("get-number-of-continuous-states") == block.call("get-number-of-event-indicators") == 0
    assert block.call("get-continuous-states") == block.call("get-event-indicators") == []
    found, now = [block.get(*names)], 0.0
    next_event = block.call("update-discrete-states")["next-event-time"]
    for _ in range(20):
        block.does("enter-continuous-time-mode")
        block.does("set-time", next_event)
        now = next_event
        assert not block.call("completed-integrator-step", True)["terminate-simulation"]
        block.does("enter-event-mode")
        info = block.call("update-discrete-states")
        assert info["next-event-time-defined"] and not info["new-discrete-states-needed"]
        next_event = info["next-event-time"]
        found.append(block.get(*names))
    assert now == pytest.approx(20 * step)
    assert found == expected


def test_a_bouncing_ball_ends_steps_at_its_bounces(pack, unit):
    """Event mode and early return: bounces at the instants of the closed form."""
    ball = unit(pack(BALL, "ball"), events=True, early=True).start()
    ball.call("update-discrete-states")
    ball.does("enter-step-mode")
    fall, now, k, found = math.sqrt(2 / 9.81), 0.0, 1, []
    while now < 1.3 - 1e-12:
        point = min(0.1 * k, 1.3)
        step = ball.step(now, point - now)
        assert step["early-return"] == (step["last-successful-time"] < point)
        now = step["last-successful-time"] if step["early-return"] else point
        k += not step["early-return"]
        if step["event-handling-needed"]:
            count = ball.get("events.count")
            ball.does("enter-event-mode")
            ball.call("update-discrete-states")
            if ball.get("events.count") != count:
                found.append((now, *ball.get("events.time", "events.what")))
            ball.does("enter-step-mode")
    expected = [fall]
    for n in range(1, 5):
        expected.append(expected[-1] + 2 * 0.5**n * fall)
    for (told, at, what), instant in zip(found, expected, strict=False):
        assert told == at and abs(told - instant) < 1e-8 and "strikes" in what
    assert len(found) >= len(expected)


def test_a_host_is_called_back_behind_every_step_and_may_end_it(pack, unit):
    belt = unit(pack(BELT.replace("STEP", "1e-3"), "belt_friction"), events=True, early=True).start()
    belt.call("update-discrete-states")
    belt.does("enter-step-mode")
    step = belt.step(0.0, 0.01)
    assert not step["early-return"] and step["last-successful-time"] == 0.01
    times = [time for time, *_ in belt.host.updates]
    assert np.allclose(times, np.arange(1, 11) * 1e-3, rtol=0, atol=1e-15)
    assert all(flags == [True, True, True, True] for _, *flags in belt.host.updates)
    belt.host.want(0.0145)
    step = belt.step(0.01, 0.01)
    assert step["early-return"] and abs(step["last-successful-time"] - 0.015) < 1e-12
    # The block rides on the belt.
    assert belt.get("points.block.x")[0] == pytest.approx(0.5 * 0.015, abs=1e-12)


def test_without_early_return_no_host_is_called_back(pack, unit):
    belt = unit(pack(BELT.replace("STEP", "1e-3"), "belt_friction")).start()
    belt.step(0.0, 0.01)
    assert belt.host.updates == []


def test_a_saved_state_goes_on_with_the_same_bits_in_another_instance(pack, unit):
    fmu = pack("quick_return")
    _, step = harness.experiment(fmu)
    first = unit(fmu).start()
    names = first.outputs()
    first.step(0.0, step)
    state = first.call("get-fmu-state")
    first.step(step, step)
    expected = first.get(*names)
    other = Unit(first.host, fmu, who=2).start()
    for one in (other, first):
        one.does("set-fmu-state", state)
        one.step(step, step)
        assert one.get(*names) == expected
    assert other.call("set-fmu-state", state[:-1]) == "error"
    other.call("drop")
    first.does("reset")
    first.start()
    first.step(0.0, step)
    assert first.call("get-fmu-state") == state


def test_arrays_and_structural_parameters_are_those_of_the_library(pack, unit):
    fmu = pack(BEAM, "bent")
    here, there = unit(fmu), configured(fmu, 16).start()
    here.does("enter-configuration-mode")
    here.set("members.beam.elements", 16)
    here.does("exit-configuration-mode")
    here.start()
    for k in range(10):
        here.step(k / 10, 0.1)
        there.unit.doStep(k / 10, 0.1)
    assert here.get("members.beam.elements") == [16]
    for name in BEAM_ARRAYS:
        one, other = here.get(f"members.beam.{name}")[0], read(there, f"members.beam.{name}", 6)
        assert len(one) == 6 and np.abs(one - other).max() <= ROUNDING * np.abs(other).max() > 0.0, name
    rates = here.call("get-output-derivatives", here.pairs(("members.beam.x", 1)))
    assert len(rates) == 6


def test_derivatives_are_those_of_the_library(pack, unit):
    """By inputs over a step, forward and backward, and in time; arrays have a value for each element."""
    fmu = pack(BELT.replace("STEP", "1e-3"), "belt_friction")
    belt = unit(fmu).start()
    description = read_model_description(fmu)
    slave = FMU3Slave(guid=description.guid, unzipDirectory=fmpy.extract(str(fmu)),
                      modelIdentifier=description.coSimulation.modelIdentifier, instanceName="native")
    slave.instantiate()
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    refer = lambda *names: [belt.variables[name].valueReference for name in names]
    unknowns, knowns = refer("points.block.x", "points.block.vx"), refer("motions.belt.velocity", "loads.normal.fy")
    belt.step(0.0, 0.5)
    slave.doStep(0.0, 0.5)
    here = belt.call("get-directional-derivative", unknowns, knowns, [1.0, 0.0])
    there = slave.getDirectionalDerivative(unknowns, knowns, [1.0, 0.0])
    assert np.allclose(here, there, rtol=1e-8, atol=1e-12) and here[1] != 0.0
    back = belt.call("get-adjoint-derivative", unknowns, knowns, [0.0, 1.0])
    assert back[0] == here[1]
    rates = belt.call("get-output-derivatives", belt.pairs(("points.block.x", 1), ("points.block.x", 2), ("points.block.vx", 1)))
    assert rates[0] == pytest.approx(belt.get("points.block.vx")[0], rel=1e-9) and rates[1] == rates[2]


def test_an_input_with_a_slope_is_followed(pack, unit):
    """FMI 3.0 has no function for slopes of inputs, the draft does: a mass under a force that grows from 0."""
    mass = unit(pack(MASS, "pulled")).start()
    mass.does("set-input-derivatives", mass.pairs(("loads.pull.fx", 1)), [6.0])
    mass.step(0.0, 1.0)
    # x = t³ where the force is 6 t.
    assert mass.get("points.mass.x")[0] == pytest.approx(1.0, rel=1e-6)


def test_what_is_wrong_is_refused_with_the_words_of_the_library(pack, unit):
    fmu = pack("incline")
    other = unit(fmu, token="{another}")
    assert not other.made and "instantiation token {another}" in other.host.messages[-1][3]
    closed = unit(fmu, opened=False)
    name, status, category, text = closed.host.messages[-1]
    assert (name, status, category) == ("unit", "error", "logStatusError") and not closed.made
    assert "resource path `/resources/` is no folder" in text and "preopen" in text
    one = unit(fmu).start()
    reference = one.variables["joints.block.position"].valueReference
    for call in (("get-float32", [reference]), ("get-float64", [10**6]), ("get-int32", [reference]), ("get-clock", [reference]),
                 ("get-interval-decimal", [reference]), ("get-output-derivatives", [])):
        if call[0] == "get-output-derivatives":
            assert one.call(*call) == []
            continue
        with pytest.raises(Refused, match="error"):
            one.call(*call)
        assert one.host.messages[-1][1] == "error" and one.host.messages[-1][3], call
    assert one.call("set-string", [reference], ["text"]) == "error"
    assert one.call("enter-event-mode") == "error" and "fmi3EnterEventMode" in one.host.messages[-1][3]
    # It goes on all the same.
    one.step(0.0, 0.01)
    assert one.host.call(0, "common", "get-version") == "3.0"


def test_the_archive_is_that_of_the_draft_and_check_finds_nothing(pack, tmp_path):
    fmu = pack("incline")
    assert harness.coulisse("check", fmu).startswith("ok")
    with zipfile.ZipFile(fmu) as archive:
        entry = archive.getinfo(f"{WASM}/incline.wasm")
        sizes = entry.file_size, entry.compress_size
        manifests = [archive.read(name) for name in MANIFESTS]
        libraries = {name for name in archive.namelist() if name.startswith("binaries/")}
    assert libraries == {f"{WASM}/incline.wasm", "binaries/x86_64-linux/incline.so"}
    print("component:", *sizes, "bytes, packed")
    assert not harness.ALL or sizes[1] <= LARGEST
    schema = etree.XMLSchema(file=fmpy.__path__[0] + "/schema/fmi3/fmi3LayeredStandardManifest.xsd")
    for manifest in manifests:
        root = etree.fromstring(manifest)
        schema.assertValid(root)
        space = "{http://fmi-standard.org/fmi-ls-manifest}"
        assert root.get(f"{space}fmi-ls-name") == "org.modelica.fmi-ls-wasm"
    # By choice: nothing of it is in other FMUs.
    harness.coulisse("pack", "--fmi", "3", "incline", "-o", tmp_path / "plain.fmu")
    with zipfile.ZipFile(tmp_path / "plain.fmu") as archive:
        assert not any("wasm" in name for name in archive.namelist())
    with pytest.raises(RuntimeError, match="wasm32-wasip2 is a platform of FMI 3.0"):
        harness.coulisse("pack", "--platforms", "wasm32-wasip2", "incline", "-o", tmp_path / "old.fmu")


def changed(fmu, into, change):
    """A copy of an FMU, whose files `change` makes others, or None to leave one out."""
    with zipfile.ZipFile(fmu) as archive, zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in archive.namelist():
            bytes = change(name, archive.read(name))
            if bytes is not None:
                copy.writestr(name, bytes)
    return into


@pytest.mark.parametrize("change, finding", [
    (lambda name, bytes: bytes[:-1000] if name.endswith(".wasm") else bytes, "not a whole one"),
    (lambda name, bytes: bytes.replace(b"[method]co-simulation-instance.do-step", b"[method]co-simulation-instance.no-step"),
     r"does not export fmi:fmi3/co-simulation@3.0.0#\[method\]co-simulation-instance.do-step"),
    (lambda name, bytes: bytes.replace(b"wasi:filesystem", b"none:filesystem"), "imports `none:filesystem"),
    (lambda name, bytes: None if name in MANIFESTS else bytes, "no file `extra/org.modelica.fmi-ls-wasm/manifest.xml`"),
], ids=["truncated", "export", "import", "manifest"])
def test_check_finds_what_is_wrong_with_a_component(pack, tmp_path, change, finding):
    fmu = changed(pack("incline"), tmp_path / "changed.fmu", change)
    done = subprocess.run([harness.COMMAND, "check", fmu], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode != 0 or "warning" in said
    assert re.search(finding, said), said
