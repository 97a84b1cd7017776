"""`coulisse check` and FMPy's validation agree on faults that both know."""

import shutil
import zipfile

import pytest
from fmpy.validation import validate_fmu

import harness

# A piece of the description of the incline, and what stands in its place.
FAULTS = {
    "boolean": ('needsExecutionTool="false"', 'needsExecutionTool="no"'),
    "causality": ('causality="parameter" variability="fixed"', 'causality="parameters" variability="fixed"'),
    "variability": ('causality="parameter" variability="fixed"', 'causality="parameter" variability="continuous"'),
    "type": ('declaredType="Length" unit="m"', 'declaredType="Lenght" unit="m"'),
    "unit": ('declaredType="Velocity" unit="m/s"', 'declaredType="Velocity" unit="furlong"'),
    "start": (' start="1.0"', ""),
    "number": ('stepSize="', 'stepSize="x'),
    "name": ('name="joints.block.velocity"', 'name="joints.block.position"'),
    "reference": ('valueReference="0"', 'valueReference="-1"'),
    "unknown": ('<InitialUnknowns>\n      <Unknown', "<InitialUnknowns>\n      <Unknowns"),
    "attribute": ("stopTime=", "stoptime="),
}


@pytest.fixture(scope="module")
def sound():
    return harness.pack(harness.ROOT / "resources" / "models" / "incline.toml")


def changed(fmu, name, piece, other):
    """The FMU with one piece of its description replaced."""
    path = harness.FOLDER / f"fault_{name}.fmu"
    with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "modelDescription.xml":
                text = content.decode()
                assert piece in text
                content = text.replace(piece, other, 1).encode()
            new.writestr(item.filename, content)
    return path


def test_both_accept_the_sound_one(sound):
    copy = shutil.copy(sound, harness.FOLDER / "sound.fmu")
    assert harness.coulisse("check", copy).startswith("ok: ")
    assert validate_fmu(str(copy)) == []


@pytest.mark.parametrize("name", FAULTS)
def test_both_refuse(sound, name):
    fmu = changed(sound, name, *FAULTS[name])
    with pytest.raises(RuntimeError, match="modelDescription.xml: line "):
        harness.coulisse("check", fmu)
    try:
        problems = validate_fmu(str(fmu))
    except Exception as refusal:  # FMPy gives up on what its schema or reader refuses
        problems = [refusal]
    assert problems


def test_reference_results_are_no_fault(sound):
    fmu = harness.FOLDER / "with_reference.fmu"
    harness.coulisse("pack", "--native", harness.ROOT / "resources" / "models" / "incline.toml", "--reference", "-o", fmu)
    assert validate_fmu(str(fmu)) == []
    assert "to the last bit" in harness.coulisse("check", fmu, "--run")
