//! A rigid wheel that is set down sliding and comes to roll (Peiret et al., Fig. 1).
//!
//! The wheel (mass m, radius R, moment of inertia I) moves with m ẍ = −F, I ω̇ = R F, and its lowest point
//! slides with u = ẋ − R ω. A block of mass m on a plank of mass M = I/R² that is free along x has the same
//! equations: the plank's velocity is R ω, and u is that of sliding. For a disk M = m/2.

mod common;

use common::{Simulation, runge_kutta};

const MASS: f64 = 10.0;
const PLANK: f64 = 5.0;
const GRAVITY: f64 = 9.81;
const COEFFICIENT: f64 = 0.3;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 100.0;
/// u̇ = −μ g (1 + m/M): it rolls after 2 s.
const SLIDES: f64 = 2.0;
const SPEED: f64 = SLIDES * COEFFICIENT * GRAVITY * (1.0 + MASS / PLANK);

fn wheel(law: &str, step: f64) -> Simulation {
    Simulation::of(&format!(
        r#"
name = "wheel"
[solver]
step = {step}
[points]
left = [-20.0, 0.0]
right = [60.0, 0.0]
block = [0.0, 0.0]
[materials.stiff]
young_modulus = 1e13
poisson_ratio = 0.0
density = {density}
[sections.square]
rectangle = {{ height = 0.5, width = 0.5 }}
[members.plank]
from = "left"
to = "right"
elements = 1
order = 1
material = "stiff"
section = "square"
[supports.plank]
member = "plank"
fix = ["y", "rotation"]
[masses.block]
point = "block"
mass = {MASS}
[loads.weight]
point = "block"
fy = {weight}
[joints.block]
cylindrical = {{ slider = "block", path = ["plank"] }}
friction.{law}
[initial.points.block]
vx = {SPEED}
[interface]
outputs = ["points.block.vx", "energy.*"]
"#,
        density = PLANK / (80.0 * 0.25),
        weight = -MASS * GRAVITY,
    ))
}

fn bristle_lcp() -> String {
    format!(
        "bristle_lcp = {{ stiffness = {STIFFNESS}, coefficient = {COEFFICIENT}, damping = {DAMPING} }}"
    )
}

/// u and z by the bristle law of Liang, Fillmore & Ma (2012) with one coefficient: the bristles follow
/// the surface until they bear μ F_N, then they slip.
fn exact(until: f64, every: f64) -> Vec<f64> {
    let limit = COEFFICIENT * MASS * GRAVITY;
    let rate = |_t: f64, &[u, z]: &[f64; 2]| {
        let trial = STIFFNESS * z + DAMPING * u;
        let force = trial.clamp(-limit, limit);
        let follows = if trial == force {
            u
        } else {
            (force - STIFFNESS * z) / DAMPING
        };
        [-force * (1.0 / MASS + 1.0 / PLANK), follows]
    };
    let mut y = [SPEED, 0.0];
    let count = (until / every).round() as usize;
    (0..count)
        .map(|i| {
            let t = every * i as f64;
            y = runge_kutta(y, t, t + every, 4000, rate);
            y[0]
        })
        .collect()
}

#[test]
fn a_wheel_that_is_set_down_sliding_rolls_after_two_seconds() {
    let mut sim = wheel(&bristle_lcp(), 1e-3);
    sim.run(3.0, 1e-3, |sim| {
        let expected = SPEED * (1.0 - sim.time() / SLIDES);
        let u = sim.get("joints.block.velocity");
        if sim.time() < SLIDES - 1e-2 {
            assert!(
                (u - expected).abs() < 0.02,
                "{u} for {expected} at {}",
                sim.time()
            );
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
    let every = 4e-3;
    let reference = exact(2.4, every);
    let mut points = Vec::new();
    for step in [4e-3, 2e-3, 1e-3, 5e-4] {
        let mut sim = wheel(&bristle_lcp(), step);
        let mut expected = reference.iter();
        let mut largest = 0.0_f64;
        sim.run(2.4, every, |sim| {
            let u = expected.next().expect("as many");
            largest = largest.max((sim.get("joints.block.velocity") - u).abs());
        });
        println!("step {step:e} s: largest difference of u {largest:e} m/s");
        points.push((step, largest));
    }
    for pair in points.windows(2) {
        let order = (pair[0].1 / pair[1].1).log2();
        println!("order {order:.3}");
        assert!((0.85..1.3).contains(&order), "{order}");
    }
}
