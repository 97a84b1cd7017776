"""Friction linearised: calculated parameters, as a host reads them."""

import math

import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu

import harness
from test_derivatives import Host

AMPLITUDE, FREQUENCY, NORMAL_FORCE = 0.01, 2.0, 200.0
DAMPING, STIFFNESS = "joints.block.equivalent.damping", "joints.block.equivalent.stiffness"
COEFFICIENT = "joints.block.friction.coulomb.coefficient"


def linearised(folder, name, friction):
    """The Rabinowicz test with another law, linearised."""
    text = (harness.ROOT / "resources" / "models" / "rabinowicz.toml").read_text(encoding="utf-8")
    law = "{ static_coefficient = 0.6, kinetic_coefficient = 0.5, decay_velocity = 0.05 }"
    text = text.replace(
        f"friction.stribeck = {law}",
        f"friction.{friction}\nequivalent = {{ amplitude = {AMPLITUDE}, frequency = {FREQUENCY}, "
        f"normal_force = {NORMAL_FORCE} }}",
    )
    text = text.replace("friction.stribeck.*", f"friction.{friction.split()[0]}.*")
    model = folder / f"{name}.toml"
    model.write_text(text, encoding="utf-8")
    return harness.pack(model)


@pytest.fixture(scope="module")
def fmu(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calculated")
    return linearised(folder, "linearised", "coulomb = { coefficient = 0.5 }")


def exact(coefficient):
    """Eq. 28 of Pust et al. for the law without microslip: 4 F / (pi v0)."""
    speed = 2.0 * math.pi * FREQUENCY * AMPLITUDE
    return 4.0 * coefficient * NORMAL_FORCE / (math.pi * speed)


def test_the_description_says_what_they_are(fmu):
    assert validate_fmu(str(fmu)) == []
    description = read_model_description(fmu)
    unknown = {u.variable.name: u for u in description.initialUnknowns}
    for name, unit in ((DAMPING, "N.s/m"), (STIFFNESS, "N/m")):
        variable = unknown[name].variable
        assert variable.causality == "calculatedParameter"
        assert variable.variability == "tunable"
        assert variable.unit == unit
        known = {v.name for v in unknown[name].dependencies}
        assert COEFFICIENT in known
        assert not any(v.causality == "input" for v in unknown[name].dependencies)
    assert DAMPING not in {u.variable.name for u in description.outputs}


def test_they_follow_the_numbers_of_the_law(fmu):
    host = Host(fmu)
    assert host.get(DAMPING) == pytest.approx(exact(0.5), rel=1e-9)
    assert host.get(STIFFNESS) == 0.0
    assert host.derivative(DAMPING, COEFFICIENT) == pytest.approx(exact(1.0), rel=1e-7)
    host.set(COEFFICIENT, 0.3)
    assert host.get(DAMPING) == pytest.approx(exact(0.3), rel=1e-9)
    host.start()
    host.step(0.1)
    assert host.get(DAMPING) == pytest.approx(exact(0.3), rel=1e-9)
    host.set(COEFFICIENT, 0.4)
    assert host.get(DAMPING) == pytest.approx(exact(0.4), rel=1e-9)
    position = host.get("points.block.x")
    host.step(0.1)
    assert host.get("points.block.x") != position
    host.close()


def test_a_spring_in_series_has_the_damper_and_the_spring_of_the_paper(tmp_path):
    stiffness = 2e4
    law = f"spring_friction = {{ coefficient = 0.5, stiffness = {stiffness} }}"
    host = Host(linearised(tmp_path, "spring", law))
    # Eqs. 42, 48 and 51.
    psi = 0.5 * NORMAL_FORCE / (stiffness * AMPLITUDE)
    assert 0.0 < psi < 1.0
    spring = math.acos(1.0 - 2.0 * psi) - 2.0 * (1.0 - 2.0 * psi) * math.sqrt(psi * (1.0 - psi))
    assert host.get(DAMPING) == pytest.approx(exact(0.5) * (1.0 - psi), rel=1e-9)
    assert host.get(STIFFNESS) == pytest.approx(stiffness / math.pi * spring, rel=1e-9)
    host.start()
    host.step(0.1)
    host.close()
