//! Forces of the nodes of sliding edges, and the pressure that they stand for.

use super::Patch;
use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;

/// A block that a load presses down on a straight guide, on which its whole underside slides; both are turned
/// by an angle and the path is walked from one end or the other.
fn pressed(order: usize, turn: f64, start: &str) -> Simulation {
    let (sin, cos) = turn.sin_cos();
    let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let [[ax, ay], [bx, by]] = [[-1.0, 0.0], [2.0, 0.0]].map(turned);
    let more = Mechanism::part()
        .guide("guide", ["left", "right"], "elements = 5, order = 1")
        .support("corner", "point = 'c', fix = ['x']")
        .joint(
            "sole",
            format!(
                "sliding = {{ edge = 'plate.bottom', path = ['guide'], \
                 start = '{start}', nodes = 'all' }}"
            ),
        )
        .load("top", "edge = 'plate.top', normal = 0.06")
        .step(1.0)
        .solver("analysis = 'quasi_static', force_tolerance = 1e-12")
        .outputs("joints.*")
        .text();
    let block = Patch {
        corners: [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]].map(turned),
        cells: [3, 2],
        poisson: 0.0,
        more,
        ..Patch::square(order, 1)
    };
    let points = format!("left = [{ax:?}, {ay:?}]\nright = [{bx:?}, {by:?}]\n[materials.unit]");
    let text = block.text().replace("[materials.unit]", &points);
    Simulation::of(&text.replace("thickness = 1.0", "thickness = 0.6"))
}

#[test]
fn a_block_under_one_pressure_passes_it_on_to_every_node_of_its_sole() {
    for order in 1..=4 {
        for (turn, start) in [(0.0, "left"), (0.0, "right"), (0.4, "right"), (2.0, "left")] {
            let run = pressed(order, turn, start);
            let get = |k: usize, key: &str| run.get(&format!("joints.sole[{k}].{key}"));
            let (mut sum, mut length) = ([0.0; 2], 0.0);
            for k in 1..=3 * order + 1 {
                // 0.06 N/m on a thickness of 0.6 m.
                let pressure = get(k, "pressure");
                assert!((pressure - 0.1).abs() < 1e-9, "{order} {turn} {k}: {pressure}");
                sum[0] += get(k, "fx");
                sum[1] += get(k, "fy");
                length += get(k, "length");
                let force = get(k, "fx").hypot(get(k, "fy"));
                assert!((force - get(k, "normal_force")).abs() < 1e-12, "{force}");
            }
            assert!((length - 1.0).abs() < 1e-14);
            let whole = ["fx", "fy"].map(|key| run.get(&format!("joints.sole.{key}")));
            assert!((sum[0] - whole[0]).hypot(sum[1] - whole[1]) < 1e-14);
            // Down on the guide.
            let (sin, cos) = turn.sin_cos();
            assert!((whole[0] - 0.06 * sin).abs() < 1e-9 && (whole[1] + 0.06 * cos).abs() < 1e-9);
        }
    }
}

#[test]
fn forces_of_a_straight_cubic_edge_stand_for_one_three_three_and_two_eighths_of_its_sides() {
    let run = pressed(3, 0.0, "left");
    let lengths = (1..=10).map(|k| run.get(&format!("joints.sole[{k}].length")));
    let eighths = [1.0, 3.0, 3.0, 2.0, 3.0, 3.0, 2.0, 3.0, 3.0, 1.0];
    for (seen, eighths) in lengths.zip(eighths) {
        assert!((seen - eighths / 24.0).abs() < 1e-15, "{seen}");
    }
}

#[test]
fn outputs_below_a_point_are_not_those_of_nodes_of_a_body_of_its_name() {
    let more = &Mechanism::part()
        .guide("guide", ["a", "b"], "elements = 1, order = 1")
        .joint("sole", "sliding = { edge = 'plate.top', path = ['guide'], nodes = 'all' }")
        .support("wall", "point = 'c', fix = ['x']")
        .step(1e-3)
        .outputs("points.m.*")
        .text();
    // A guide along the upper side.
    let block = Patch { more: more.into(), ..Patch::square(2, 2) };
    let guide = "[points]\nleft = [-1.0, 1.0]\nright = [2.0, 1.0]";
    let text = block.text().edit("[points]", guide);
    let text = text.edit("from = \"a\"\n", "from = \"left\"\n");
    let text = text.edit("to = \"b\"\n", "to = \"right\"\n");
    let run = Simulation::of(&text.replace("plate", "m"));
    let outputs = &run.system.model().outputs;
    assert!(outputs.iter().any(|o| o.path == "points.m.x"));
    assert!(outputs.iter().all(|o| !o.path.contains('[')));
}

/// Why prismatic joints need members: a body bears no moment at a single place of its edge.
#[test]
fn the_turn_of_an_edge_under_a_couple_at_one_place_has_no_limit_as_the_mesh_gets_finer() {
    let turns = [4, 8, 16, 32].map(|cells| {
        let side = 1.0 / f64::from(cells);
        let more = Mechanism::part()
            .support("ground", "edge = 'plate.bottom', fix = ['x', 'y']")
            .load("left", format!("point = 'm', fy = {:?}", -1e-6 / side))
            .load("right", format!("point = 'n', fy = {:?}", 1e-6 / side))
            .step(1.0)
            .solver("analysis = 'quasi_static'")
            .outputs("points.*")
            .text();
        let plate = Patch { more, ..Patch::square(2, cells as usize) };
        let middle = format!("m = [0.5, 1.0]\nn = [{:?}, 1.0]", 0.5 + side);
        let text = plate.text().edit("m = [1.0, 0.5]", &middle);
        let run = Simulation::of(&text.edit("points = [\"m\"]", "points = [\"m\", \"n\"]"));
        (run.get("points.n.y") - run.get("points.m.y")) / side
    });
    println!("turns under one couple: {turns:?} rad");
    for pair in turns.windows(2) {
        // As 1/side².
        assert!((pair[1] / pair[0] - 4.0).abs() < 0.3, "{turns:?}");
    }
}
