//! Friction laws with memory in mechanisms.

mod common;

use std::f64::consts::{PI, TAU};

use common::Simulation;

/// A block of 2 kg on a fixed horizontal path that is moved by a sin ωt along it; F_N = 20 N.
fn shaken(law: &str, amplitude: f64, frequency: f64, step: f64) -> Simulation {
    Simulation::of(&format!(
        r#"
name = "shaken"
[solver]
step = {step:?}
[points]
left = [-10.0, 0.0]
right = [10.0, 0.0]
block = [0.0, 0.0]
[members.plane]
from = "left"
to = "right"
elements = 1
order = 1
[supports.plane]
member = "plane"
fix = ["x", "y", "rotation"]
[motions.block]
point = "block"
direction = "x"
amplitude = {amplitude:?}
history.sine = {{ frequency = {frequency:?} }}
[masses.block]
point = "block"
mass = 2.0
[gravity]
y = -10.0
[joints.block]
cylindrical = {{ slider = "block", path = ["plane"] }}
friction.{law}
[interface]
outputs = ["energy.*"]
"#
    ))
}

/// b_e and k_e of the loop that a joint goes through in its second cycle of `n` steps, by the
/// trapezoidal rule over the times, and the energy that it dissipates.
fn simulated(law: &str, amplitude: f64, omega: f64, n: usize) -> [f64; 3] {
    let period = TAU / omega;
    let h = period / n as f64;
    let mut sim = shaken(law, amplitude, 1.0 / period, h);
    sim.run(period, h, |_| ());
    let spent =
        |sim: &Simulation| sim.get("energy.friction_work") - sim.get("energy.friction_stored");
    let before = spent(&sim);
    let (mut by_velocity, mut by_place) = (0.0, 0.0);
    let mut step = 0;
    sim.run(2.0 * period, h, |sim| {
        step += 1;
        let tau = TAU * step as f64 / n as f64;
        let force = sim.get("joints.block.friction_force");
        by_velocity += force * tau.cos();
        by_place += force * tau.sin();
    });
    let mean = 2.0 / n as f64;
    [
        mean * by_velocity / (amplitude * omega),
        mean * by_place / amplitude,
        spent(&sim) - before,
    ]
}

#[test]
fn the_loop_of_spring_friction_has_the_damping_and_the_stiffness_of_the_paper() {
    // k = 3, a = 1, ω = 1; ψ by the coefficient: f F_N = ψ k a.
    for psi in [0.05, 0.1, 0.2, 1.0 / 3.0, 0.5, 0.7, 0.9, 0.95] {
        let limit: f64 = 3.0 * psi;
        let law = format!(
            "spring_friction = {{ stiffness = 3.0, coefficient = {:?} }}",
            limit / 20.0
        );
        let [b, k, spent] = simulated(&law, 1.0, 1.0, 4000);
        // Půst et al. 2011, Eqs. 48 and 51.
        let exact_b = 4.0 * limit / PI * (1.0 - psi);
        let part = 1.0 - 2.0 * psi;
        let exact_k = 3.0 / PI * (part.acos() - 2.0 * part * (psi * (1.0 - psi)).sqrt());
        println!("psi {psi:.3}: b_e {b:.6} (exact {exact_b:.6}), k_e {k:.6} ({exact_k:.6})");
        assert!((b / exact_b - 1.0).abs() < 1e-3 && (k / exact_k - 1.0).abs() < 1e-3);
        // π b_e ω a² is the loop's area.
        assert!((spent / (PI * exact_b) - 1.0).abs() < 1e-6, "{spent}");
        if psi == 1.0 / 3.0 {
            assert!((exact_b - 0.848826).abs() < 1e-6 && (exact_k - 0.875374).abs() < 1e-6);
        }
    }
}

#[test]
fn spring_friction_dissipates_nothing_below_its_limit() {
    for psi in [1.000001, 1.5, 4.0] {
        let limit: f64 = 3.0 * psi;
        let law = format!(
            "spring_friction = {{ stiffness = 3.0, coefficient = {:?} }}",
            limit / 20.0
        );
        let [b, k, spent] = simulated(&law, 1.0, 1.0, 500);
        println!("psi {psi}: {spent:e} J of {} J", 3.0);
        assert!(spent.abs() <= 1e-12 * 3.0);
        assert!(b.abs() < 1e-12 && (k - 3.0).abs() < 1e-9, "{b:e} {k}");
    }
}
