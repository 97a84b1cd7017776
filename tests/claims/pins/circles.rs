//! Discretised circles that turn on each other: what all nodes cost, and what the mean place does not.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A ring of the material of the quick return's arm, bore 14.95 mm, that turns by one side of its bore on a round axle held
/// everywhere; circles of `sides` sides of triangles of `order`.
fn ring(order: usize, sides: u32, joint: &str) -> String {
    let turn = std::f64::consts::TAU / f64::from(sides);
    Mechanism::new("circles")
        .step(0.05)
        .solver("analysis = 'quasi_static'")
        .points("O = [0.0, 0.0], p = [0.0299, 0.0], q = [-0.0299, 0.0], far = [0.06, 0.0]")
        .material("arm", 47.04e9, 0.0, 1724.82)
        .material("stiff", 47.04e15, 0.0, 1724.82)
        .rectangle("shaft", 0.0598, 0.0598)
        .body("ring", "material = 'arm', thickness = 0.0598, state = 'plane_stress'")
        .and(format!("order = {order}, outline.size = 0.01"))
        .and(format!("outline.largest_turn = {:?}", 1.0001 * turn))
        .and(
            "outline.edges = [{ name = 'upper', from = 'p', to = 'q', arc.angle = 'pi' }, \
                 { name = 'lower', from = 'q', to = 'p', arc.angle = 'pi' }]",
        )
        .and("outline.holes = [[{ name = 'hole', circle = { center = 'O', radius = 0.01495 } }]]")
        .body("axle", "material = 'arm', thickness = 0.0598, state = 'plane_stress'")
        .and(format!("order = {order}, outline.size = 0.01"))
        .and(format!("outline.largest_turn = {:?}", 1.0001 * turn))
        .and("outline.edges = [{ name = 'rim', circle = { center = 'O', radius = 0.01495 } }]")
        .member("shaft", ["O", "far"], "elements = 1, material = 'stiff', section = 'shaft'")
        .pin("O")
        .support("axle", "edge = 'axle.rim', fix = ['x', 'y']")
        .slider("drive", "p", "shaft", "")
        .joint("pin", joint)
        .motion("turn", format!("point = 'O', direction = 'rotation', amplitude = {turn:?}"))
        .and("history.ramp = { duration = 1.0, smooth = false }")
        .outputs("energy.strain motions.turn.reaction joints.*")
        .text()
}

/// Largest nodal force and largest sum of their sizes (N), largest strain energy (J) and resultant (N) over the turn.
fn squeezed(order: usize, sides: u32, joint: &str) -> [f64; 4] {
    let mut run = Simulation::of(&ring(order, sides, joint));
    let nodes = run.system.model().sliders.len() - 1;
    let mut most = [0.0_f64; 4];
    run.run(1.0, 0.05, |run| {
        let of = |k: usize| run.get(&format!("joints.pin[{}].normal_force", k + 1));
        let forces: Vec<f64> = (0..nodes).map(of).collect();
        let resultant = run.get("joints.pin.fx").hypot(run.get("joints.pin.fy"));
        let now = [
            forces.iter().fold(0.0, |a: f64, b| a.max(*b)),
            forces.iter().sum(),
            run.get("energy.strain"),
            resultant,
        ];
        (most.iter_mut().zip(now)).for_each(|(most, now)| *most = most.max(now));
    });
    println!("{sides} sides of order {order}, {joint}: {most:.3?}");
    most
}

const RAW: &str = "sliding = { edge = \"ring.hole\", path = [\"axle.rim\"], nodes = \"all\", ends = \"closed\", smooth = false }";
const ALL: &str = "pin = { hole = \"ring.hole\", on = \"axle.rim\", nodes = \"all\" }";

#[test]
fn a_bore_of_all_nodes_on_a_polynomial_circle_is_squeezed_as_in_an_independent_solver() {
    // The solver's numbers are those of the round end of a long arm, which is stiffer than a ring.
    for (order, sides, known) in [
        (3, 12, [3900.0, 95_900.0, 0.021]),
        (3, 24, [450.0, 21_700.0, 2.9e-4]),
        (4, 12, [16.0, 490.0, 2.9e-7]),
        (2, 12, [5700.0, 127_000.0, 0.055]),
    ] {
        let seen = squeezed(order, sides, RAW);
        for (seen, known) in seen.iter().zip(known) {
            assert!((0.35..1.0).contains(&(seen / known)), "{seen} {known}");
        }
        // Nothing of it is a force between ring and axle.
        assert!(seen[3] < 1e-2 * seen[1], "{seen:?}");
    }
}

#[test]
fn a_path_that_passes_smoothly_from_side_to_side_squeezes_a_bore_of_cubic_sides_much_less() {
    let [.., energy, _] = squeezed(3, 12, ALL);
    assert!(energy < 0.03 * 0.014, "{energy}");
}

#[test]
fn a_bore_held_by_its_mean_place_turns_freely() {
    let [.., energy, force] = squeezed(3, 12, "pin = { hole = \"ring.hole\", on = \"axle.rim\" }");
    // What drives it holds the shaft's direction against nothing.
    assert!(energy < 1e-14, "{energy}");
    assert!(force < 1e-3, "{force}");
}
