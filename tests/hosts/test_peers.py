"""Our side of two scenes of benches/peers: nothing creeps, and the load at which sliding begins is that of the closed form to 1e-6."""

import sys

import pytest

import harness

sys.path.append(str(harness.ROOT / "benches" / "peers"))

import ours_scenes  # noqa: E402
import scenes  # noqa: E402


@pytest.fixture(params=["incline", "brake"])
def scene(request):
    return scenes.SCENES[request.param]


def test_a_load_below_the_limit_moves_nothing_and_takes_no_work(scene, monkeypatch):
    # 100 s in the benchmark.
    monkeypatch.setattr(scenes, "HOLD", 3.0)
    creep, work, _ = ours_scenes.Coulisse(scene).hold(scene.held)
    # Positions are rounded.
    assert creep < 1e-14
    assert work == 0.0


def test_sliding_begins_at_the_load_of_the_closed_form(scene):
    program, surplus = ours_scenes.Coulisse(scene), scenes.surplus(scene, scenes.LEAST)
    below, above = (program.speed(scene.limit * share + surplus) for share in (1 - 1e-6, 1 + 1e-6))
    assert below < scenes.LEAST < above


def test_every_scene_has_a_model_without_faults():
    found = {path.stem: path for path in ours_scenes.FOLDER.glob("*.toml")}
    assert found.keys() == scenes.SCENES.keys()
    for path in found.values():
        harness.coulisse("check", path)
