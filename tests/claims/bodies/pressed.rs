//! Two blocks of one width pressed on each other, with all nodes of the upper one on the edge of the lower (contact patch test).

use crate::common::Simulation;

const PRESSURE: f64 = 1e-6;

/// Blocks of E = 1 and ν = 0 with `slaves` cells on `masters` under a uniform pressure.
fn blocks(slaves: usize, masters: usize) -> String {
    let block = |name: &str, cells: usize, low: f64| {
        format!(
            r#"
            [bodies.{name}]
            material = "unit"
            thickness = 1.0
            state = "plane_stress"
            order = 3
            [bodies.{name}.patch]
            cells = [{cells}, 2]
            edges = [
              {{ name = "bottom", from = "{name}0", to = "{name}1" }},
              {{ name = "right", from = "{name}1", to = "{name}2" }},
              {{ name = "top", from = "{name}2", to = "{name}3" }},
              {{ name = "left", from = "{name}3", to = "{name}0" }},
            ]
            [supports.{name}]
            edge = "{name}.left"
            fix = ["x"]
            [points]
            {name}0 = [0.0, {low:?}]
            {name}1 = [1.0, {low:?}]
            {name}2 = [1.0, {:?}]
            {name}3 = [0.0, {:?}]
            "#,
            low + 0.5,
            low + 0.5
        )
    };
    let lower = block("lower", masters, 0.0);
    let upper = block("upper", slaves, 0.5).replace("[points]", "");
    // One table of points: that of the lower block stands last.
    let (body, points) = upper.split_at(upper.find("upper0 = ").expect("points"));
    format!(
        r#"
        name = "blocks"
        [solver]
        analysis = "quasi_static"
        step = 1.0
        [materials.unit]
        young_modulus = 1.0
        poisson_ratio = 0.0
        density = 1.0
        [supports.ground]
        edge = "lower.bottom"
        fix = ["y"]
        [joints.contact]
        sliding = {{ edge = "upper.bottom", path = ["lower.top"], nodes = "all", ends = "continue", smooth = false }}
        [loads.pressure]
        edge = "upper.top"
        qy = {:?}
        [interface]
        outputs = ["joints.*"]
        {body}
        {lower}
        {points}
        "#,
        -PRESSURE
    )
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
