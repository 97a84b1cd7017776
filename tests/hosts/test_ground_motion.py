"""Ground motion from the host, as in real-time hybrid testing, against the record in the file."""

import re

import numpy as np

import harness

STEP = 5e-3  # s
STOP = 4.0  # s
START = 1.0  # s, when the bundled record begins
G = 9.80665  # m/s2
OUTPUTS = ["motions.horizontal.reaction", "joints.foot_r.position", "probes.drift_1", "points.r5.ax"]


def record():
    """Accelerations of the bundled horizontal record, m/s2, every 10 ms."""
    file = harness.ROOT / "resources" / "models" / "motions" / "synthetic_horizontal.at2"
    values = file.read_text().split("SEC", 1)[1].split()
    return G * np.array(values, float)


def building(horizontal, name):
    """FMU of the bundled building under another horizontal motion and no vertical one."""
    text = (harness.ROOT / "resources" / "models" / "isolated_building_frame.toml").read_text()
    text, one = re.subn(r"(?m)^record = .*horizontal.*$", horizontal, text)
    text, other = re.subn(r"(?m)^record = .*vertical.*$", "displacement = 0.0", text)
    assert (one, other) == (1, 1)
    return harness.pack(text, name)


def drive(fmu, accelerations):
    """Outputs at every communication point; an acceleration is that of the end of the step before."""
    import fmpy
    from fmpy.fmi2 import FMU2Slave

    description = fmpy.read_model_description(fmu)
    references = {v.name: v.valueReference for v in description.modelVariables}
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(str(fmu)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="shaken",
    )
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    rows = []
    for i, acceleration in enumerate(accelerations):
        if acceleration is not None:
            slave.setReal([references["motions.horizontal.acceleration"]], [acceleration])
        slave.doStep(i * STEP, STEP)
        rows.append(slave.getReal([references[name] for name in OUTPUTS]))
    slave.terminate()
    slave.freeInstance()
    return np.array(rows)


def test_a_record_that_the_host_sends_does_what_it_does_in_the_file():
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    # Without a baseline: the host sends what was recorded. At the record's first instant the acceleration
    # of the file jumps; the host's runs there on a line, so that both begin with zero.
    values = record()
    values[0] = 0.0
    samples = harness.FOLDER / "motions" / "sent.txt"
    samples.parent.mkdir(parents=True, exist_ok=True)
    samples.write_text("\n".join(repr(float(value)) for value in values) + "\n")
    in_file = f'record = {{ file = "motions/sent.txt", unit = "m/s2", step = 0.01, start = {START} }}'
    by_file = building(in_file, "building_of_file")
    by_host = building("acceleration = 0.0", "building_of_host_base")
    text = (harness.FOLDER / "building_of_host_base.toml").read_text()
    text = text.replace("[interface]\n", '[interface]\ninputs = ["motions.horizontal.acceleration"]\n')
    by_host = harness.pack(text, "building_of_host")
    steps = round(STOP / STEP)
    times = np.arange(1, steps + 1) * STEP - START
    sent = np.interp(times, np.arange(len(values)) * 0.01, values, left=0.0)
    host = drive(by_host, sent)
    file = drive(by_file, [None] * steps)
    for name, ours, theirs in zip(OUTPUTS, host.T, file.T):
        off = np.abs(ours - theirs) / np.max(np.abs(theirs))
        print(f"{name}: {np.max(off):.1e}, median {np.median(off):.1e}")
        # Friction that sticks and slips answers to rounding: forces at a catch to the instant of it within its step.
        assert np.median(off) < 1e-8 and np.max(off) < 1e-3, name
    assert np.max(np.abs(file[:, 0])) > 1e5


def test_the_script_writes_the_bundled_records(tmp_path):
    """The files in the tree are those of the script and its seeds."""
    import subprocess
    import sys

    folder = harness.ROOT / "resources" / "models" / "motions"
    subprocess.run([sys.executable, folder / "kanai_tajimi.py", tmp_path], check=True)
    for name in ("synthetic_horizontal.at2", "synthetic_vertical.at2"):
        assert (tmp_path / name).read_text() == (folder / name).read_text()
