//! A rigid wheel that is set down sliding and comes to roll (Peiret et al., Fig. 1).
//!
//! The wheel (mass m, radius R, moment of inertia I) moves with m ẍ = −F, I ω̇ = R F, and its lowest point
//! slides with u = ẋ − R ω. A block of mass m on a plank of mass M = I/R² that is free along x has the same
//! equations: the plank's velocity is R ω, and u is that of sliding. For a disk M = m/2.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, runge_kutta};

const MASS: f64 = 10.0;
const PLANK: f64 = 5.0;
const GRAVITY: f64 = 9.81;
const COEFFICIENT: f64 = 0.3;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 100.0;
/// End of the runs and distance of the places that are compared, s.
const END: f64 = 2.4;
const EVERY: f64 = 4e-3;
/// u̇ = −μ g (1 + m/M): it rolls after 2 s.
const SLIDES: f64 = 2.0;
const SPEED: f64 = SLIDES * COEFFICIENT * GRAVITY * (1.0 + MASS / PLANK);

fn wheel(law: &str, step: f64) -> Simulation {
    Mechanism::new("wheel")
        .step(step)
        .points("left = [-20.0, 0.0], right = [60.0, 0.0], block = [0.0, 0.0]")
        .material("stiff", 1e13, 0.0, PLANK / (80.0 * 0.25))
        .rectangle("square", 0.5, 0.5)
        .beam("plank", ["left", "right"], [1, 1], "stiff square")
        .support("plank", "member = 'plank', fix = ['y', 'rotation']")
        .mass("block", MASS)
        .load("weight", format!("point = 'block', fy = {}", -MASS * GRAVITY))
        .slider("block", "block", "plank", "")
        .and(format!("friction.{law}"))
        .start("block", format!("vx = {SPEED}"))
        .outputs("points.block.vx energy.*")
        .simulation()
}

fn bristle_lcp() -> String {
    format!(
        "bristle_lcp = {{ stiffness = {STIFFNESS}, coefficient = {COEFFICIENT}, damping = {DAMPING} }}"
    )
}

/// The nonlinear bristle law of Gonthier et al. and Liang et al. with the same bristles. With one
/// coefficient for rest and motion its dwell time has nothing to do.
fn nonlinear() -> String {
    format!(
        "bristle = {{ stiffness = {STIFFNESS}, damping = {DAMPING}, static_coefficient = {COEFFICIENT}, \
         kinetic_coefficient = {COEFFICIENT}, decay_velocity = 0.01, dwell_time = 0.1 }}"
    )
}

/// u every 4 ms until 2.4 s.
fn sliding(law: &str, step: f64) -> Vec<f64> {
    let mut all = Vec::new();
    wheel(law, step).run(END, EVERY, |sim| all.push(sim.get("joints.block.velocity")));
    all
}

/// The same without this project's integration: bristles follow the surface until they bear μ F_N, then
/// they slip.
fn exact() -> Vec<f64> {
    let limit = COEFFICIENT * MASS * GRAVITY;
    let rate = |_t: f64, &[u, z]: &[f64; 2]| {
        let trial = STIFFNESS * z + DAMPING * u;
        let force = trial.clamp(-limit, limit);
        let follows = if trial == force { u } else { (force - STIFFNESS * z) / DAMPING };
        [-force * (1.0 / MASS + 1.0 / PLANK), follows]
    };
    let mut y = [SPEED, 0.0];
    let count = (END / EVERY).round() as usize;
    (0..count)
        .map(|i| {
            let t = EVERY * i as f64;
            y = runge_kutta(y, t, t + EVERY, 4000, rate);
            y[0]
        })
        .collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |d, (a, b)| f64::max(d, (a - b).abs()))
}

#[test]
fn a_wheel_that_is_set_down_sliding_rolls_after_two_seconds() {
    let mut sim = wheel(&bristle_lcp(), 1e-3);
    sim.run(3.0, 1e-3, |sim| {
        let expected = SPEED * (1.0 - sim.time() / SLIDES);
        let u = sim.get("joints.block.velocity");
        if sim.time() < SLIDES - 1e-2 {
            assert!((u - expected).abs() < 0.02, "{u} for {expected} at {}", sim.time());
        }
    });
    assert!(sim.get("joints.block.velocity").abs() < 1e-4);
    assert_eq!(sim.get("joints.block.sticking"), 1.0);
    // What is left of the momentum moves both: v = m v₀/(m + M).
    let rolls = SPEED * MASS / (MASS + PLANK);
    assert!((sim.get("points.block.vx") - rolls).abs() < 1e-4);
}

#[test]
fn the_difference_to_the_nonlinear_bristle_law_shrinks_with_the_step() {
    let law = sliding(&nonlinear(), 2e-5);
    let own = exact();
    let apart = largest_difference(&law, &own);
    println!("nonlinear law at 20 µs against its own equations: {apart:e} m/s");
    for (name, reference, noise) in [("law", &law, apart), ("equations", &own, 0.0)] {
        let mut before: Option<f64> = None;
        for step in [4e-3, 2e-3, 1e-3, 5e-4] {
            let difference = largest_difference(&sliding(&bristle_lcp(), step), reference);
            let order = before.map_or(1.0, |before| (before / difference).log2());
            println!("{name}: step {step:e} s, difference {difference:e} m/s, order {order:.3}");
            assert!(noise < 0.1 * difference);
            assert!((0.85..1.2).contains(&order), "{order}");
            before = Some(difference);
        }
    }
}
