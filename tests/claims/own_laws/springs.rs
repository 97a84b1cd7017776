//! Springs and dampers whose force is an expression.

use std::f64::consts::PI;

use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders};

const M: f64 = 2.0;

/// A mass of 2 kg that moves along x only, 0.1 m beyond the free length of what holds it, with the velocity `vx`.
fn carriage(step: f64, spring: &str, vx: f64) -> String {
    Mechanism::new("carriage")
        .step(step)
        .solver("spectral_radius = 0.99")
        .entry("parameters", "k = 800.0, cubic = 6e4, c = 3.0, d = 5.0")
        .points("mass = [1.1, 0.0], foot = [0.0, 0.0]")
        .mass("mass", M)
        .roller("mass")
        .spring("s", format!("ground = 'foot', to = 'mass', free_length = 1.0, {spring}"))
        .start("mass", format!("vx = {vx:?}"))
        .inputs("springs.s.actuator springs.s.free_length")
        .outputs("points.mass.* springs.* energy.*")
        .text()
}

#[test]
fn an_expression_of_a_linear_spring_and_damper_is_both_of_them() {
    let [linear, own] = ["stiffness = 800.0, damping = 3.0", "force = 'k*x + c*v'"].map(|spring| {
        let mut sim = Simulation::of(&carriage(1e-3, spring, 0.7));
        sim.run(1.0, 0.01, |_| {});
        [
            "points.mass.x",
            "springs.s.force",
            "springs.s.stored_energy",
            "springs.s.dissipated_energy",
        ]
        .map(|output| sim.get(output))
    });
    println!("{linear:?} {own:?}");
    for (a, b) in linear.into_iter().zip(own) {
        assert!((a - b).abs() < 1e-11 * a.abs().max(1.0), "{a} {b}");
    }
}

#[test]
fn a_cubic_spring_swings_with_the_period_of_the_closed_form_and_keeps_its_energy() {
    // T = 4 ∫ dx/v from rest at A: with x = A sin φ the integrand is smooth.
    let (k, cubic, a) = (800.0, 6e4, 0.1_f64);
    let n = 1000;
    let integrand = |phi: f64| (k + 0.5 * cubic * a * a * (1.0 + phi.sin().powi(2))).recip().sqrt();
    let mean: f64 = (0..n).map(|i| integrand(0.5 * PI * (f64::from(i) + 0.5) / f64::from(n))).sum();
    let period = 4.0 * M.sqrt() * 0.5 * PI * mean / f64::from(n);
    let errors = [2e-3, 1e-3, 5e-4].map(|step| {
        let mut sim = Simulation::of(&carriage(step, "force = 'k*x + cubic*x^3'", 0.0));
        sim.run(10.0 * step * (period / (10.0 * step)).floor(), 10.0 * step, |_| {});
        let rest = period - sim.time();
        sim.step(rest);
        let full = 0.5 * k * a * a + 0.25 * cubic * a.powi(4);
        assert!((sim.get("springs.s.stored_energy") / full - 1.0).abs() < 4e-3);
        assert!(sim.get("energy.balance").abs() < 1e-3 * full);
        assert_eq!(sim.get("springs.s.dissipated_energy"), 0.0);
        (sim.get("points.mass.x") - 1.1).abs().max(sim.get("points.mass.vx").abs() / 40.0)
    });
    println!("after a period of {period:.4} s {errors:?} m, orders {:.2?}", orders(&errors));
    assert!(errors[2] < 1e-4 && orders(&errors)[1] > 1.8);
}

#[test]
fn a_quadratic_damper_brakes_by_its_closed_form_and_books_what_it_takes() {
    let errors = [2e-3, 1e-3, 5e-4].map(|step| {
        let mut sim = Simulation::of(&carriage(step, "force = 'd*v*abs(v)'", 2.0));
        sim.run(1.0, 0.01, |_| {});
        let exact = 2.0 / (1.0 + 5.0 * 2.0 / M);
        let lost = 0.5 * M * (4.0 - exact * exact);
        let seen = sim.get("springs.s.dissipated_energy");
        assert!((seen - lost).abs() < 1e-4 * lost, "{seen} {lost}");
        assert_eq!(sim.get("springs.s.stored_energy"), 0.0);
        (sim.get("points.mass.vx") - exact).abs()
    });
    println!("{errors:?} m/s, orders {:.2?}", orders(&errors));
    assert!(errors[2] < 1e-6 && orders(&errors)[1] > 1.9);
}

#[test]
fn derivatives_through_an_expression_are_those_of_differences() {
    let spring = "force = 'k*x + cubic*x^3 + c*v*(1 + (x/0.1)^2)'";
    let text = sharp(&carriage(1e-3, spring, 0.7), 1e-13);
    let knowns = [("springs.s.actuator", 1.0), ("springs.s.free_length", 1e-4)];
    check_run(&text, 0.1, &knowns, 1e-5, 10);
}
