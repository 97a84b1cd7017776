//! Sliders with friction that turn back while their mechanism moves on, as at a dead centre: it goes through, at every step and speed.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::common::tier;

const CRANK: f64 = 0.1;
const PIVOT: f64 = -0.3;
const INERTIA_OF_CRANK: f64 = 0.02;
const MASS_OF_CRANK: f64 = 2.0;
const RADIUS: f64 = 0.02;
const IN_BEARING: f64 = 0.15;
const IN_BLOCK: f64 = 0.2;
const GRAVITY: f64 = 9.81;

/// A quick return that coasts from `speed` (rad/s): a crank with friction in its bearing, a block with friction on a rigid rocker.
fn quick_return(speed: f64, step: f64) -> String {
    Mechanism::new("quick_return")
        .step(step)
        .gravity(-GRAVITY)
        .points(format!("O = [0.0, 0.0], A = [{CRANK}, 0.0], G = [0.0, {PIVOT}], T = [0.2, 0.3]"))
        .body("crank", format!("rigid = true, mass = {MASS_OF_CRANK}"))
        .and(format!("inertia = {INERTIA_OF_CRANK}, center = 'O', points = ['O', 'A']"))
        .member("rocker", ["G", "T"], "rigid = true, mass = 1.0, inertia = 0.03333333333333333")
        .pin("O")
        .joint("O", format!("hinge = {{ point = 'O', release = ['crank'], radius = {RADIUS} }}"))
        .and(format!("friction.coulomb = {{ coefficient = {IN_BEARING} }}"))
        .pin("G")
        .joint("block", "cylindrical.slider = 'A', cylindrical.path = ['rocker']")
        .and("cylindrical.start = 'G', cylindrical.ends = 'continue'")
        .and(format!("friction.coulomb = {{ coefficient = {IN_BLOCK} }}"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("O", format!("rotation_rate = {speed}"))
        .outputs("joints.* energy.*")
        .text()
}

type Vector = [f64; 2];

fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// φ̈ of the crank, whose normal force on the block is found by fixed-point iteration: both its friction and that of the bearing follow forces.
fn acceleration(phi: f64, rate: f64) -> f64 {
    let radial = [phi.cos(), phi.sin()];
    let a = radial.map(|x| CRANK * x);
    let velocity = [-rate * a[1], rate * a[0]];
    let arm = [a[0], a[1] - PIVOT];
    let rho = arm[0].hypot(arm[1]);
    let t = arm.map(|x| x / rho);
    let n = [-t[1], t[0]];
    let (slides, turns) = (dot(t, velocity), dot(n, velocity) / rho);
    let length = 0.2_f64.hypot(0.6);
    let inertia = 1.0 / 30.0 + 0.25 * length * length;
    let weight = -GRAVITY * 0.5 * length * t[0];
    let (mut normal, mut torque) = (0.0_f64, 0.0);
    let mut found = 0.0;
    for _ in 0..60 {
        let friction = IN_BLOCK * normal.abs() * slides.signum();
        // φ̈ = φ₀ + φ₁ N from the crank, θ̈ = θ₁ φ̈ + θ₀ from the geometry, and I θ̈ = ρ N + weight of the rocker.
        let on_crank = t.map(|x| -friction * x);
        let first = (cross(a, on_crank) - torque) / INERTIA_OF_CRANK;
        let by_normal = -cross(a, n) / INERTIA_OF_CRANK;
        let turned = dot(n, [-a[1], a[0]]) / rho;
        let rest = (dot(n, a.map(|x| -rate * rate * x)) - 2.0 * slides * turns) / rho;
        let lacks = inertia * (turned * first + rest) - weight;
        normal = lacks / (rho - inertia * turned * by_normal);
        found = first + by_normal * normal;
        let bearing = [0, 1].map(|i| normal * n[i] + friction * t[i]);
        let bearing = [bearing[0], bearing[1] + MASS_OF_CRANK * GRAVITY];
        torque = IN_BEARING * RADIUS * bearing[0].hypot(bearing[1]) * rate.signum();
    }
    found
}

/// φ̇ after `end` (s) by the classical Runge-Kutta method.
fn coasts(speed: f64, end: f64) -> f64 {
    let steps = 20_000;
    let h = end / f64::from(steps);
    let (mut phi, mut rate) = (0.0, speed);
    for _ in 0..steps {
        let slope = |shift: f64, k: [f64; 2]| {
            let (phi, rate) = (phi + shift * k[0], rate + shift * k[1]);
            [rate, acceleration(phi, rate)]
        };
        let k1 = slope(0.0, [0.0; 2]);
        let k2 = slope(0.5 * h, k1);
        let k3 = slope(0.5 * h, k2);
        let k4 = slope(h, k3);
        let sum = [0, 1].map(|i| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        phi += h / 6.0 * sum[0];
        rate += h / 6.0 * sum[1];
    }
    rate
}

/// The instant at which the block turns back lies anywhere in its step.
#[test]
fn a_quick_return_coasts_through_the_reversals_of_its_block() {
    let speeds: Vec<f64> = (0..13).map(|i| 8.0 + 0.5 * f64::from(i)).collect();
    let mut worst = 0.0_f64;
    for speed in tier::cases(speeds, 5) {
        let truth = coasts(speed, 0.4);
        for step in [2e-3, 1e-3, 5e-4] {
            let mut sim = Simulation::of(&quick_return(speed, step));
            sim.run(0.4, 0.02, |_| {});
            let error = sim.get("joints.O.velocity") / RADIUS - truth;
            worst = worst.max(error.abs() / (step * step));
            assert!(
                error.abs() <= 150.0 * step * step,
                "{speed} rad/s, step {step}: {error:e} of {truth}"
            );
            let taken = sim.get("energy.numerical_dissipation").abs();
            assert!(taken < 2e-3 * speed * step, "{speed} rad/s, step {step}: {taken} J");
        }
    }
    println!("errors of the speed up to {worst} rad/s³ times the square of the step");
}
