//! Friction of surfaces by laws that are a line through rest, where slip turns.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A block on a contact layer, tied to a spring, that starts with 1 m/s and swings.
fn block(law: &str, step: f64) -> String {
    Mechanism::new("block")
        .step(step)
        .points("c0 = [-0.1, 0.0], c1 = [0.1, 0.0], c2 = [0.1, 0.1], c3 = [-0.1, 0.1]")
        .and("mid = [0.0, 0.05], ga = [-2.0, 0.0], gb = [2.0, 0.0]")
        .body("block", "rigid = true, mass = 1.0, inertia = 0.004, points = ['mid']")
        .patch("block", [1, 1], "bottom: c0, right: c1, top: c2, left: c3")
        .guide("floor", ["ga", "gb"], "elements = 1")
        .contact("floor", "surface = ['block.bottom'], path = ['floor'], stiffness = 1e5")
        .and(law)
        .spring("s", "ground = 'mid', to = 'mid', direction = 'x', stiffness = 100.0")
        .start("mid", "vx = 1.0")
        .gravity(-9.81)
        .outputs("energy.* contacts.*")
        .text()
}

/// Friction of such a law opposes the slip: what it has taken never falls, in steps in which the slip turns either, and what the time integration makes
/// of it there is told.
#[test]
fn friction_of_a_line_through_rest_gives_nothing_back_where_slip_turns() {
    for law in [
        "friction.modified_coulomb = { coefficient = 0.1, threshold_velocity = 0.1 }",
        "friction.modified_coulomb = { coefficient = 0.4, threshold_velocity = 1e-2 }",
        "friction.arctangent = { coefficient = 0.2, threshold_velocity = 0.05, change = 0.5 }",
    ] {
        for step in [1e-2, 3e-3, 1e-3] {
            let mut sim = Simulation::of(&block(law, step));
            let (mut taken, mut back, mut there) = (0.0_f64, 0.0_f64, 0.0_f64);
            sim.run(2.0, step, |now| {
                let work = now.get("contacts.floor.dissipated_energy");
                back = back.max(taken - work);
                taken = work;
                there = there.max(now.get("energy.kinetic") + now.get("energy.strain"));
            });
            let [made, balance] =
                ["numerical_dissipation", "balance"].map(|of| sim.get(&format!("energy.{of}")));
            println!(
                "{law}, {step:e} s: {taken:.3e} J taken, {back:.1e} J given back; {made:.1e} J by the integration, {balance:.1e} J open, of {there:.2e} J"
            );
            assert!(taken > 0.1 && back <= 0.0, "{law}, {step}: {back:e}");
            assert!(
                made > -1e-3 * there && balance.abs() < 1e-3 * there,
                "{law}, {step}: {made:e}, {balance:e}"
            );
        }
    }
}
