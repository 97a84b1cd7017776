//! An elastic block on an elastic base whose meshes do not match: friction and its memory over long ways, in time and off the end of the base.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Height of the block, m; it is 0.5 m long and 0.1 m thick.
const HEIGHT: f64 = 0.3;
/// kg/m³.
const DENSITY: f64 = 1000.0;
const MU: f64 = 0.3;

/// The block at x = 0 on a base from −1 m to `end`, solved by `solver`, with what else there is.
fn on_base(order: usize, end: f64, solver: &str, more: &str) -> String {
    let cells = ((1.0 + end) / 0.19).round() as usize;
    Mechanism::new("block")
        .solver(solver)
        .material("rubber", 1e8, 0.3, DENSITY)
        .points(format!("a = [-1.0, -0.2], b = [{end:?}, -0.2], c = [{end:?}, 0.0]"))
        .and("d = [-1.0, 0.0], e = [-0.25, 0.0], f = [0.25, 0.0]")
        .and(format!("g = [0.25, {HEIGHT:?}], h = [-0.25, {HEIGHT:?}]"))
        .body("base", "material = 'rubber', thickness = 0.1, state = 'plane_stress'")
        .and(format!("order = {order}"))
        .patch("base", [cells, 1], "lower: a, front: b, upper: c, back: d")
        .body("block", "material = 'rubber', thickness = 0.1, state = 'plane_stress'")
        .and(format!("order = {order}"))
        .patch("block", [3, 2], "lower: e, front: f, upper: g, back: h")
        .support("base", "edge = 'base.lower', fix = ['x', 'y']")
        .contact("it", "surface = ['block.lower'], path = ['base.upper']")
        .and("stiffness = 'penalty'")
        .then(more)
        .outputs("energy.* contacts.it.*")
        .text()
}

/// N.
const LOAD: f64 = 3000.0;

/// Pulled over seven elements of the base and back by a motion of its upper edge, pressed by [`LOAD`]: what slides resists with μ N, what
/// turns back sticks until it resists the other way, and what a cycle takes is 2 μ N times the way that it slides.
/// Slow: a way over many elements, for each order.
#[test]
fn friction_of_a_long_way_over_other_elements_is_that_of_coulomb() {
    for order in 1..=3 {
        let more = format!(
            "friction.coulomb = {{ coefficient = {MU:?} }}\n[loads.press]\nedge = \"block.upper\"\nqy = {:?}\n\
             [motions.pull]\nedge = \"block.upper\"\ndirection = \"x\"\namplitude = 1.0\n\
             history.table = {{ times = [0.0, 1.0, 2.0], values = [0.0, 1.0, 0.0], interpolation = \"linear\" }}",
            -LOAD / 0.5
        );
        let solver = "analysis = \"quasi_static\"\nstep = 0.01";
        let mut sim = Simulation::of(&on_base(order, 1.5, solver, &more));
        let (mut worst, mut rows) = ([0.0_f64; 2], Vec::new());
        sim.run(2.0, 0.01, |sim| {
            let [normal, friction, lost] = ["normal_force", "friction_force", "dissipated_energy"]
                .map(|of| sim.get(&format!("contacts.it.{of}")));
            let way = (sim.time() - 1.0).abs();
            worst[0] = worst[0].max((normal / LOAD - 1.0).abs());
            // It begins to slide, and turns back, within an elastic way of some millimetres.
            if !(0.05..=0.95).contains(&way) {
                return;
            }
            // The base's upper edge is walked towards −x.
            let sense = (sim.time() - 1.0).signum();
            worst[1] = worst[1].max((friction / (sense * MU * normal) - 1.0).abs());
            rows.push((sim.time(), lost));
        });
        println!(
            "order {order}: normal force off by {:.1e}, friction by {:.1e}",
            worst[0], worst[1]
        );
        // The direction of the base turns below its pressure; its normal force is not quite the load.
        assert!(worst[0] < 2e-3 && worst[1] < 1e-9, "{order}: {worst:?}");
        for pair in rows.windows(2).filter(|pair| pair[1].0 - pair[0].0 < 0.011) {
            let taken = (pair[1].1 - pair[0].1) / (MU * LOAD * 0.01);
            assert!((taken - 1.0).abs() < 1e-2, "at {} s: {taken}", pair[0].0);
        }
    }
}

/// Pulled to and fro by so little that all of it sticks, it comes back to where it was without a force, and nothing is lost.
#[test]
fn what_sticks_remembers_where_it_was() {
    for order in 1..=3 {
        let more = format!(
            "friction.coulomb = {{ coefficient = 5.0 }}\n[loads.press]\nedge = \"block.upper\"\nqy = {:?}\n\
             [motions.pull]\nedge = \"block.upper\"\ndirection = \"x\"\namplitude = 2e-5\n\
             history.table = {{ times = [0.0, 1.0, 3.0, 4.0], values = [0.0, 1.0, -1.0, 0.0], interpolation = \"linear\" }}",
            -LOAD / 0.5
        );
        let solver = "analysis = \"quasi_static\"\nstep = 0.1";
        let mut sim = Simulation::of(&on_base(order, 1.5, solver, &more));
        let start = sim.get("contacts.it.friction_force");
        let mut most = 0.0_f64;
        sim.run(4.0, 0.1, |sim| {
            most = most.max((sim.get("contacts.it.friction_force") - start).abs());
        });
        let [left, lost] =
            ["friction_force", "dissipated_energy"].map(|of| sim.get(&format!("contacts.it.{of}")));
        println!("order {order}: {most:.2} N, {:.1e} N left, {lost:.1e} J lost", left - start);
        assert!(most > 10.0 && (left - start).abs() < 1e-6 * most, "{order}: {left} {start}");
        assert!(lost.abs() < 1e-9 * most * 2e-5, "{order}: {lost} J");
    }
}

/// On a base that gravity makes a slope of: a = g (sin − μ cos), whatever the elements below.
/// Slow: a block that slides over all elements of its base, for each order.
#[test]
fn a_block_accelerates_down_a_slope_as_a_rigid_one_does() {
    let g = 9.81;
    for order in 1..=3 {
        let more = format!(
            "friction.coulomb = {{ coefficient = {MU:?} }}\n[gravity]\nx = {:?}\ny = {:?}\n\
             [damping.all]\nstiffness_coefficient = 2e-4\n",
            0.6 * g,
            -0.8 * g
        );
        let mut sim = Simulation::of(&on_base(order, 1.5, "step = 1e-3", &more));
        let (mut before, mut speeds) = (0.0, Vec::new());
        sim.run(0.6, 0.01, |sim| {
            let now = sim.get("contacts.it.position");
            speeds.push((now - before) / 0.01);
            before = now;
        });
        let n = speeds.len();
        let found = (speeds[n - 1] - speeds[n - 31]) / 0.3;
        let exact = g * (0.6 - 0.8 * MU);
        let open = sim.get("energy.balance").abs() / sim.get("contacts.it.dissipated_energy");
        println!("order {order}: {found:.5} m/s², exact {exact:.5}; balance {open:.1e}");
        assert!((found.abs() / exact - 1.0).abs() < 1e-3, "{order}: {found} {exact}");
        assert!(open < 1e-3, "{order}: {open}");
    }
}

/// Off the end of the base: without friction it tips over the end and keeps its energy; its contact ends.
/// Slow: a block above all elements of its base, for each order.
#[test]
fn a_block_that_leaves_its_base_keeps_its_energy() {
    for order in 1..=3 {
        let more = "[gravity]\ny = -9.81\n[initial.bodies.e]\nvx = 2.0\n";
        let mut sim = Simulation::of(&on_base(order, 0.6, "step = 1e-3", more));
        let kinetic = 0.5 * DENSITY * 0.1 * 0.5 * HEIGHT * 4.0;
        let mut worst = 0.0_f64;
        sim.run(0.6, 0.005, |sim| worst = worst.max(sim.get("energy.balance").abs()));
        println!("order {order}: balance {:.1e}", worst / kinetic);
        assert!(worst < 2e-3 * kinetic, "{order}: {worst} J of {kinetic} J");
        assert_eq!(sim.get("contacts.it.normal_force"), 0.0);
    }
}
