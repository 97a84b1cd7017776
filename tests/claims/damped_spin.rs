//! Stiffness-proportional damping of a bar that spins steadily, of which nothing changes but its direction.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

const RATE: f64 = 50.0;
const MASS: f64 = 0.5;

/// A bar of 1 m with a mass at its end, driven about the other one, in steps of `step` (s).
fn bar(step: f64, solver: &str) -> Simulation {
    let text = Mechanism::new("spin")
        .step(step)
        .solver(solver)
        .points("o = [0.0, 0.0], t = [1.0, 0.0]")
        .material("m", 70e9, 0.3, 2700.0)
        .rectangle("s", 0.02, 0.03)
        .beam("bar", ["o", "t"], [4, 3], "m s")
        .mass("t", MASS)
        .pin("o")
        .motion("w", format!("point = 'o', direction = 'rotation', rate = {RATE:?}"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .entry("damping.d", "stiffness_coefficient = 5e-3")
        .probe("m", "section = { member = 'bar', at = 0.4 }")
        .outputs("probes.* members.bar.* energy.*")
        .text();
    Simulation::of(&text)
}

#[test]
fn a_damped_bar_that_spins_is_neither_sheared_nor_driven_by_its_damping() {
    // c_k G A ω³ h²/12 of steps of 1 ms and of 0.5 ms: what it would be if rotations had the rate at which positions turn in the scheme.
    let out_of_nothing = |step: f64| 5e-3 * 70e9 / 2.6 * 6e-4 * RATE.powi(3) * step * step / 12.0;
    assert!((out_of_nothing(1e-3) - 841.0).abs() < 1.0);
    for (step, solver) in [
        (1e-3, "spectral_radius = 0.9"),
        (0.5e-3, "spectral_radius = 0.9"),
        (1e-3, "spectral_radius = 0.6"),
        // Two stages in every step.
        (1e-3, "spectral_radius = 0.3"),
    ] {
        let mut sim = bar(step, solver);
        sim.run(0.4, 0.01, |_| ());
        let work = sim.get("energy.damping_work");
        let mut most = 0.0_f64;
        sim.run(0.5, 0.01, |sim| most = most.max(sim.get("members.bar.largest_shear")));
        assert!(most < 5e-3 * out_of_nothing(step), "{step} {solver}: {most} N");
        let lost = sim.get("energy.damping_work") - work;
        // The shear force would turn it with 9 J in this time; the bar still vibrates a little from its start.
        assert!(lost.abs() < 0.1, "{step} {solver}: {lost} J");
        // ω² (m + ρ A (1 − x²)/2) of what is beyond x pulls.
        let pull = RATE * RATE * (MASS + 2700.0 * 6e-4 * 0.5 * (1.0 - 0.4 * 0.4));
        let seen = sim.get("probes.m.normal");
        // Velocities of the scheme have a share along the radius, too, of the fourth order in the angle of a step.
        assert!((seen - pull).abs() < 4e-3 * pull, "{step} {solver}: {seen} N instead of {pull}");
    }
}
