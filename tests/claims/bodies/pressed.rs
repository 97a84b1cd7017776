//! Two blocks of one width pressed on each other, with all nodes of the upper one on the edge of the lower (contact patch test).

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

const PRESSURE: f64 = 1e-6;

/// Blocks of E = 1 and ν = 0 with `slaves` cells on `masters` under a uniform pressure.
fn blocks(slaves: usize, masters: usize) -> String {
    let block = |name: &str, cells: usize, low: f64| {
        Mechanism::part()
            .body(name, "material = 'unit', thickness = 1.0, state = 'plane_stress', order = 3")
            .patch(
                name,
                [cells, 2],
                format!("bottom: {name}0, right: {name}1, top: {name}2, left: {name}3"),
            )
            .support(name, format!("edge = '{name}.left', fix = ['x']"))
            .points(format!("{name}0 = [0.0, {low:?}], {name}1 = [1.0, {low:?}]"))
            .and(format!("{name}2 = [1.0, {:?}], {name}3 = [0.0, {:?}]", low + 0.5, low + 0.5))
            .text()
    };
    Mechanism::new("blocks")
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .material("unit", 1.0, 0.0, 1.0)
        .support("ground", "edge = 'lower.bottom', fix = ['y']")
        .joint("contact", "sliding.edge = 'upper.bottom', sliding.path = ['lower.top']")
        .and("sliding.nodes = 'all', sliding.ends = 'continue', sliding.smooth = false")
        .load("pressure", format!("edge = 'upper.top', qy = {:?}", -PRESSURE))
        .outputs("joints.*")
        .add(block("upper", slaves, 0.5))
        .add(block("lower", masters, 0.0))
        .text()
}

/// Least and largest nodal force over the consistent length of its node, as a share of the pressure.
fn pressures(slaves: usize, masters: usize) -> [f64; 2] {
    let mut run = Simulation::of(&blocks(slaves, masters));
    run.step(1.0);
    let model = run.system.model();
    let shares = model.shares_of_edge(model.sliding_edges[0].edge);
    let of = |k: usize| run.get(&format!("joints.contact[{}].normal_force", k + 1));
    let each = shares.iter().enumerate();
    let each: Vec<f64> = each.map(|(k, share)| of(k) / share / PRESSURE).collect();
    let range =
        each.iter().fold([f64::INFINITY, 0.0_f64], |[low, high], p| [low.min(*p), high.max(*p)]);
    let sum = run.get("joints.contact.fy") / -PRESSURE;
    let iterations = run.state.counters.iterations;
    println!("{slaves} on {masters}: {range:.4?}, {iterations} iterations");
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    // Nodes that lie on vertices of the path stay on their sides while Newton's method iterates.
    assert!(iterations < 10, "{iterations}");
    range
}

#[test]
fn aligned_meshes_hand_a_pressure_on_as_it_is() {
    let [low, high] = pressures(4, 4);
    assert!((low - 1.0).abs() < 1e-4 && (high - 1.0).abs() < 1e-4);
}

#[test]
fn nodes_on_the_vertices_of_a_finer_path_do_not_hop_between_its_sides() {
    for masters in [8, 16] {
        let [low, high] = pressures(4, masters);
        assert!(low > 0.8 && high < 1.25, "{low} {high}");
    }
}

#[test]
fn nodal_forces_scatter_less_where_the_sliding_side_is_the_finer_as_in_an_independent_solver() {
    for (slaves, masters, known) in [
        (4, 3, [0.81, 1.11]),
        (4, 5, [0.90, 1.14]),
        (4, 11, [0.94, 1.17]),
        (8, 5, [0.944, 1.056]),
        (16, 5, [0.966, 1.034]),
    ] {
        let seen = pressures(slaves, masters);
        for (seen, known) in seen.iter().zip(known) {
            // Known to two digits.
            assert!((seen - known).abs() < 0.01, "{slaves} on {masters}: {seen} {known}");
        }
    }
}
