//! Contacts whose points are pressed in by a share of their clearance at the most: multipliers of the augmented Lagrangian.

use super::guided::{DAMPED, Guided};
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, sensitivity};

/// A slider with clearance whose contact layer gives way by more than that, were it not for the limit.
fn limited(clearance: f64, share: f64) -> Guided {
    Guided {
        cells: [8, 2],
        order: 2,
        clearance,
        stiffness: format!("stiffness = 1e10\npenetration = {share:?}"),
        ..Guided::of_nodes(1.0)
    }
}

fn without(guided: &Guided, stiffness: f64) -> Guided {
    Guided { stiffness: format!("stiffness = {stiffness:?}"), ..guided.clone() }
}

/// The soft contact layer with a limit slides as a hard one does without, from the elastic answer without much clearance to that of rigid corners,
/// 7.2902 m/s² (Table B).
#[test]
fn a_limited_depth_slides_as_a_hard_layer_does() {
    for clearance in [1e-3, 1e-5, 1e-6] {
        let guided = limited(clearance, 1e-4);
        let [found, hard, soft] = [
            guided.slides().acceleration,
            without(&guided, 1e14).slides().acceleration,
            without(&guided, 1e10).slides().acceleration,
        ];
        println!(
            "clearance {clearance:e} m: {found:.5} m/s², hard {hard:.5}, as soft as it is {soft:.5}"
        );
        assert!((found - hard).abs() < 2e-3 * hard, "{found} {hard}");
        if clearance == 1e-3 {
            assert!((found - 7.2902).abs() < 1e-3, "{found}");
        }
    }
}

/// Jammed, in statics: no point is deeper than the share of the clearance, and the slider is held by the same forces.
#[test]
fn what_is_jammed_is_held_at_the_faces() {
    for share in [1e-1, 1e-2, 1e-4] {
        let guided = Guided { offset: 3.0, ..limited(1e-6, share) };
        let sim = Simulation::of(&guided.text());
        let [gap, along] =
            ["gap", "friction_force"].map(|of| sim.get(&format!("contacts.guide.{of}")));
        println!("share {share:e}: {:.3e} of the clearance, {along:.6} N", -gap / 1e-6);
        assert!(gap >= -share * 1e-6, "{gap}");
        assert!((along.abs() - 1500.0).abs() < 1e-3, "{along}");
        let soft = Simulation::of(&without(&guided, 1e10).text());
        assert!(soft.get("contacts.guide.gap") < -1e-6, "without a limit it is deeper");
    }
}

/// In time: the slider comes to its faces, slides as steadily as the direct solution says, and what multipliers do is no work.
#[test]
fn a_limited_depth_in_time_balances_and_accelerates_as_it_does_steadily() {
    let guided = limited(1e-5, 1e-2);
    let steady = guided.slides().acceleration;
    let text = Guided { more: DAMPED.into(), ..guided };
    let mut sim = Simulation::of(&text.text());
    let (u, mut deepest) = (sim.point("a", 0), 0.0_f64);
    sim.run(0.06, 1e-3, |_| {});
    let before = sim.state.velocity[u];
    sim.run(0.12, 1e-3, |now| deepest = deepest.max(-now.get("contacts.guide.gap")));
    let mean = (sim.state.velocity[u] - before) / 0.06;
    let (left, work) = (sim.get("energy.balance"), sim.get("energy.input_work"));
    println!(
        "{mean:.5} m/s² ({steady:.5}), at most {deepest:.2e} m deep, balance {:.1e}, {} steps",
        left / work,
        sim.state.counters.steps
    );
    assert!((mean - steady).abs() < 2e-3 * steady, "{mean} {steady}");
    assert!(deepest <= 1e-7, "{deepest}");
    assert!(left.abs() < 1e-3 * work, "{left} {work}");
}

/// A block of rubber that falls by 5 mm onto a floor in which it is pressed in by 10 µm at the most, as in steps of so many seconds.
fn falling(step: f64) -> String {
    Mechanism::new("falling")
        .step(step)
        .points("a = [-0.05, 0.005], b = [0.05, 0.005], c = [0.05, 0.105], d = [-0.05, 0.105]")
        .and("left = [-1.0, 0.0], right = [1.0, 0.0]")
        .material("rubber", 1e7, 0.3, 1000.0)
        .guide("floor", ["left", "right"], "elements = 2, order = 1")
        .gravity(-9.81)
        .outputs("contacts.it.* energy.*")
        .body("block", "material = 'rubber', thickness = 0.1, state = 'plane_stress'")
        .and("order = 2")
        .patch("block", [3, 3], "bottom: a, right: b, top: c, left: d")
        .contact("it", "surface = ['block.bottom'], path = ['floor'], clearance = 1e-4")
        .and("stiffness = 1e8, penetration = 0.1")
        .text()
}

/// Whatever the step, a block comes back from a hard floor no higher than it fell.
#[test]
fn a_block_comes_back_from_a_hard_floor_no_higher_than_it_fell() {
    for step in [1e-3, 2e-4, 5e-5] {
        let mut sim = Simulation::of(&falling(step));
        let (high, fall) = (sim.get("energy.potential"), 9.81 * 0.005);
        let (mut deepest, mut highest) = (0.0_f64, f64::NEG_INFINITY);
        sim.run(0.12, 1e-3, |now| {
            deepest = deepest.max(-now.get("contacts.it.gap"));
            if now.time() > 0.05 {
                highest = highest.max(now.get("energy.potential") - high);
            }
        });
        let left = sim.get("energy.balance") / fall;
        println!(
            "{step:e} s: back to {:.4} of the height, {deepest:.1e} m deep, balance {left:.1e}",
            1.0 + highest / fall
        );
        assert!(deepest > 0.0 && deepest <= 1e-5, "{deepest}");
        assert!(highest < 0.0, "{highest}");
        // Large strains in steps of a tenth of a period.
        assert!(left.abs() < 5e-4, "{left}");
    }
}

/// A block that a force shakes between the faces of its clearance on an elastic beam.
fn shaken() -> String {
    Mechanism::new("rattle")
        .step(1e-3)
        .gravity(-2.0)
        .material("rubber", 4e8, 0.3, 1000.0)
        .rectangle("beam", 0.03, 0.05)
        .pin("left")
        .pin("right")
        .support("c", "point = 'middle', fix = ['x']")
        .load("down", "point = 'middle', fy = -10.0")
        .load("corner", "point = 'd', fy = -4.0, history.sine.frequency = 25.0")
        .outputs("contacts.it.* energy.*")
        .points("left = [-1.2, 0.0], right = [1.2, 0.0], a = [-0.35, -0.08], b = [0.05, -0.08]")
        .and("c = [0.05, 0.08], d = [-0.35, 0.08], middle = [-0.15, 0.0]")
        .beam("beam", ["left", "right"], [4, 3], "rubber beam")
        .body("block", "material = 'rubber', thickness = 0.02, state = 'plane_stress', order = 2")
        .and("points = ['middle']")
        .patch("block", [2, 4], "bottom: a, right: b, top: c, left: d")
        .contact("it", "surface = ['block.bottom', 'block.top'], path = ['beam'], width = 0.16")
        .and("clearance = 8e-5, stiffness = 1e8, penetration = 0.03")
        .text()
}

/// What multipliers do is in the books: where a point lifts off by g in a step, the spring that held it by N would give ½ N g that nothing
/// has done, 2 % of the energy in steps of 50 µs and less in longer ones.
#[test]
fn multipliers_of_what_is_shaken_in_its_clearance_are_in_the_books() {
    for step in [1e-3, 5e-4, 2.5e-4] {
        let mut sim = Simulation::of(&shaken().edit("step = 1e-3", &format!("step = {step:?}")));
        sim.run(0.2, 1e-3, |_| {});
        let [left, taken, work] = ["balance", "numerical_dissipation", "input_work"]
            .map(|of| sim.get(&format!("energy.{of}")));
        println!("{step:e} s: {left:.1e} J, taken {taken:.1e} of {work:.3} J");
        assert!(taken.abs() < 3e-3 * work, "{taken} {work}");
        assert!(left.abs() < 1e-5 * work, "{left} {work}");
    }
}

/// Derivatives repeat the multipliers' steps with the last tangent: in statics, where each step leads on from multipliers that are known,
/// and in time, where differences of one step are right to about the share that is allowed.
#[test]
fn derivatives_of_a_limited_depth_agree_with_differences() {
    let jammed = Guided { offset: 3.0, ..limited(1e-6, 1e-4) };
    let in_time = Guided { more: DAMPED.into(), ..limited(1e-5, 1e-2) };
    // Under a load that stays, what slips is at its limit: more of it slips on, less holds.
    for (guided, begin, grows, tolerance) in
        [(jammed, 2e-3, 1.01, 1e-3), (in_time, 0.05, 1.0, 3e-2)]
    {
        let interface = "inputs = [\"loads.turn.qx\"]\noutputs";
        let text = guided.text().replace("outputs", interface);
        let text = sensitivity::sharp(&text, 1e-13);
        let mut sim = Simulation::of(&text);
        sim.run(begin, 1e-3, |_| {});
        sim.state.inputs[0] *= grows;
        let sure = sensitivity::check(&sim, &text, 1e-3, &[("loads.turn.qx", 1.0)], tolerance);
        println!("from {begin} s: {sure} derivatives");
        assert!(sure >= 10, "{sure}");
    }
}
