"""The schema of the model file in validators that editors use: jsonschema, and taplo, which is inside Even Better TOML."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import harness

if sys.version_info >= (3, 11):
    import tomllib
else:
    pytest.skip("Python has a reader of TOML since 3.11", allow_module_level=True)

TAPLO = Path(sys.executable).with_name("taplo")
MODELS = sorted((harness.ROOT / "resources/models").glob("*.toml"))
SOUND = MODELS + sorted((harness.ROOT / "tests/models").glob("*.toml"))
WRONG = sorted((harness.ROOT / "tests/faults").glob("*.toml"))


@pytest.fixture(scope="module")
def schema():
    return json.loads(harness.coulisse("schema"))


@pytest.fixture(scope="module")
def validator(schema):
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def kinds(path):
    """Kinds of the faults that `coulisse check` finds in a model."""
    said = subprocess.run(
        [harness.COMMAND, "check", "--format", "json", path], capture_output=True, text=True, check=False
    ).stdout
    return {finding["kind"] for finding in json.loads(said) if finding["severity"] == "error"}


def faults_of_structure():
    """Wrong models in which the reader finds a key, a choice or a type that the format does not have."""
    return [path for path in WRONG if "structure" in kinds(path)]


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_a_sound_model_is_valid(validator, path):
    with path.open("rb") as file:
        faults = list(validator.iter_errors(tomllib.load(file)))
    assert not faults, [fault.message for fault in faults]


def test_every_fault_of_structure_is_one_of_the_schema_too(validator):
    wrong = faults_of_structure()
    assert len(wrong) > 45, len(wrong)
    valid = []
    for path in wrong:
        with path.open("rb") as file:
            if validator.is_valid(tomllib.load(file)):
                valid.append(path.name)
    assert not valid, valid


def test_what_the_schema_refuses_the_checker_refuses(validator):
    """Ranges of the schema are no narrower than those of the checker."""
    for path in WRONG:
        if "syntax" in kinds(path):
            continue
        with path.open("rb") as file:
            if not validator.is_valid(tomllib.load(file)):
                assert kinds(path), path.name


def test_taplo_takes_the_bundled_models_and_refuses_a_wrong_key(tmp_path):
    (tmp_path / "coulisse.schema.json").write_text(harness.coulisse("schema"))

    def lint(path):
        text = path.read_text()
        copy = tmp_path / path.name
        copy.write_text(f"#:schema ./coulisse.schema.json\n{text}")
        return subprocess.run([TAPLO, "lint", copy.name], cwd=tmp_path, capture_output=True, text=True, check=False)

    for path in MODELS:
        said = lint(path)
        assert said.returncode == 0, said.stderr
    wrong = tmp_path / "wrong_key.toml"
    wrong.write_text(MODELS[0].read_text() + "\n[gravitation]\ny = -9.81\n")
    said = lint(wrong)
    assert said.returncode != 0 and "gravitation" in said.stderr, said.stderr
