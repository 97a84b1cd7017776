"""PathSim and CoFmuPy, which couple FMUs in Python and read every output as a Real number."""

import json
import subprocess
import sys

import harness
import pytest

# They ask for an older FMPy than the other hosts, hence an environment of their own.
PACKAGES = ["pathsim==0.27.1", "cofmupy==1.0.0", "fmpy==0.3.20"]


@pytest.fixture(scope="module")
def python():
    venv = harness.TARGET / "couplers"
    found = venv / "bin" / "python"
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    return found


@harness.full_tier("installs two more hosts")
def test_three_models_run_as_in_fmpy(python):
    fmus = []
    for name in ("quick_return", "half_car", "telescope"):
        text = (harness.ROOT / "resources" / "models" / f"{name}.toml").read_text()
        key = 'discrete_outputs = "real"'
        text = text.replace("[interface]\n", f"[interface]\n{key}\n") if "[interface]\n" in text else f"{text}\n[interface]\n{key}\n"
        fmus.append(harness.pack(text, f"coupled_{name}"))
    script = harness.ROOT / "tests" / "hosts" / "couplers.py"
    done = subprocess.run([python, script, *fmus], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == 6
    for run, off in found.items():
        # CoFmuPy adds up its time, whose rounding shifts events.
        assert off <= (0.0 if run.startswith("PathSim") else 1e-5), found
