//! Edges that slide: two rods of plane solids on a transverse bar, against the numbers of an independent solver.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Two rods, cut along a bar that is inclined by `phi0` degrees and slides between them, pulled apart (Siqueira & Coda 2022, Sec. 8.2).
fn rods(phi0: f64, poisson: f64, nodes: &str) -> String {
    let rod = |name: &str, points: [&str; 4], edges: [&str; 4]| {
        let side = |k: usize| {
            let (name, from, to) = (edges[k], points[k], points[(k + 1) % 4]);
            format!("{{ name = \"{name}\", from = \"{from}\", to = \"{to}\" }}")
        };
        let sides = [0, 1, 2, 3].map(side).join(", ");
        Mechanism::part()
            .body(name, "material = 'steel', thickness = 0.025, state = 'plane_stress'")
            .and(format!("patch = {{ cells = [25, 4], edges = [{sides}] }}"))
            .joint(
                name,
                format!(
                    "sliding = {{ edge = '{name}.face', path = ['lower', \
                     'upper'], nodes = '{nodes}' }}"
                ),
            )
            .text()
    };
    let left = rod("left", ["a", "b", "c", "d"], ["bottom", "face", "top", "wall"]);
    let right = rod("right", ["e", "f", "g", "i"], ["bottom", "wall", "top", "face"]);
    Mechanism::new("rods")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .entry("parameters", format!("L = 0.225, phi0 = 'deg({phi0:?})', half = 0.29"))
        .and("h = 0.0005, cut = 'h*tan(phi0)'")
        .points("a = [0.0, '-h'], b = ['L + cut', '-h'], c = ['L - cut', 'h'], d = [0.0, 'h']")
        .and("e = ['L + cut', '-h'], f = ['2*L', '-h'], g = ['2*L', 'h'], i = ['L - cut', 'h']")
        .and("centre = ['L', 0.0], bar_low = ['L + half*sin(phi0)', '-half*cos(phi0)']")
        .and("bar_high = ['L - half*sin(phi0)', 'half*cos(phi0)']")
        .material("steel", 200e9, poisson, 7850.0)
        .material("rigid", 200e12, 0.3, 2892.6)
        .rectangle("bar", 0.022, 0.022)
        .add(left)
        .add(right)
        .member("lower", ["bar_low", "centre"], "elements = 3, material = 'rigid'")
        .and("section = 'bar'")
        .member("upper", ["centre", "bar_high"], "elements = 3, material = 'rigid'")
        .and("section = 'bar'")
        .support("left", "edge = 'left.wall', fix = ['x', 'y']")
        .support("right", "edge = 'right.wall', fix = ['y']")
        .roller("centre")
        .motion("pull", "edge = 'right.wall', direction = 'x', amplitude = 1e-3")
        .and("history.table = { times = [0.0, 1000.0], values = [0.0, 1000.0] }")
        .outputs("motions.pull.*")
        .text()
}

/// Slow: a buckled equilibrium of two meshes for each of the references' angles.
#[test]
fn rods_of_solids_between_which_a_bar_slides_buckle_in_tension_as_in_an_independent_solver() {
    let cases: [(f64, f64, [f64; 3]); 3] = [
        (2.0, 0.3, [3.00338, 7.94553, 10.03805]),
        (2.0, 0.0, [3.00082, 7.93990, 10.03159]),
        (0.1, 0.3, [11.20599, 11.59275, 11.22182]),
    ];
    for (phi0, poisson, known) in cases {
        let mut run = Simulation::of(&rods(phi0, poisson, "all"));
        for (until, known) in [0.1, 1.0, 10.0].into_iter().zip(known) {
            run.run(until, 0.1, |_| {});
            let seen = run.get("motions.pull.reaction");
            println!("phi0 {phi0}, nu {poisson}, {until} mm: {seen:.5} N ({known})");
            assert!((seen / known - 1.0).abs() < 1e-4, "{phi0} {until}: {seen}");
        }
        // The rods carry the pull into the bar.
        let force = run.get("joints.left.fx");
        assert!((force.abs() / run.get("motions.pull.reaction") - 1.0).abs() < 1e-6, "{force}");
    }
}

#[test]
fn an_edge_held_by_its_two_ends_carries_what_one_held_by_all_nodes_does() {
    let mut run = Simulation::of(&rods(2.0, 0.3, "ends"));
    run.run(10.0, 0.1, |_| {});
    let seen = run.get("motions.pull.reaction");
    // Corner nodes alone change the force by less than 0.03 %.
    assert!((seen / 10.03805 - 1.0).abs() < 3e-4, "{seen}");
}

#[test]
fn pressures_on_the_end_of_a_rod_are_linear_over_its_height_but_at_its_corners() {
    let text = rods(2.0, 0.3, "all").replace("outputs = [", "outputs = [\"joints.*\", ");
    let mut run = Simulation::of(&text);
    run.run(10.0, 0.1, |_| {});
    let pressures: Vec<f64> =
        (1..=13).map(|k| run.get(&format!("joints.left[{k}].pressure"))).collect();
    // Least squares without the two corners: the rest scatters about the line as nodal multipliers do.
    let inner = &pressures[1..12];
    let mean = inner.iter().sum::<f64>() / 11.0;
    let place = |k: usize| k as f64 - 5.0;
    let slope = inner.iter().enumerate().map(|(k, p)| place(k) * p).sum::<f64>() / 110.0;
    let left = |(k, p): (usize, &f64)| (p - mean - slope * place(k)).powi(2);
    let rest: f64 = inner.iter().enumerate().map(left).sum();
    let whole: f64 = inner.iter().map(|p| (p - mean).powi(2)).sum();
    println!("share that is not linear: {:.4}", rest / whole);
    assert!(slope > 0.0 && rest < 0.03 * whole, "{pressures:?}");
}
