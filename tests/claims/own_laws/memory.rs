//! Friction with a state that an expression moves, against the program's LuGre law and an independent integration.

use super::friction::block;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders};

/// LuGre's law with the numbers of `lugre` below, whose damping fades with the speed.
const LUGRE: &str = "expression_with_memory = { \
    state = 'v - abs(v)*z*sigma0/(N*(mu_k + (mu_s - mu_k)*exp(-(v/vs)^2)))', \
    force = 'sigma0*z + sigma1*exp(-(v/vs)^2)*rate', \
    numbers = { sigma0 = 1e5, sigma1 = 300.0, mu_s = 0.6, mu_k = 0.4, vs = 0.01 } }";

const BUILT_IN: &str = "lugre = { stiffness = 1e5, static_coefficient = 0.6, kinetic_coefficient = 0.4, decay_velocity = 0.01, \
    damping = 300.0 }";

const PUSH: &str = "fx = '16*sin(3*t)'";

#[test]
fn lugre_by_expressions_is_lugre_to_rounding() {
    let mut sims = [BUILT_IN, LUGRE].map(|law| Simulation::of(&block(1e-3, law, 0.0, PUSH).text()));
    let (mut farthest, mut bent, mut fastest) = (0.0_f64, 0, 0.0_f64);
    for _ in 0..300 {
        let [a, b] = sims.each_mut().map(|sim| {
            sim.step(0.01);
            ["points.block.x", "points.block.vx", "joints.block.friction_force"].map(|o| sim.get(o))
        });
        bent += usize::from(a[1].abs() < 1e-3);
        fastest = fastest.max(a[1].abs());
        for (a, b) in a.into_iter().zip(b) {
            farthest = farthest.max((a - b).abs() / a.abs().max(1.0));
        }
    }
    // Both follow z exactly over a step of constant rate and normal force.
    println!(
        "apart by {farthest:.1e}, {bent} instants of 300 with bent bristles, up to {fastest:.2} m/s"
    );
    assert!(farthest < 1e-8 && bent > 10 && fastest > 0.5, "{farthest:e} {bent} {fastest}");
}

/// Way and velocity of a block of 2 kg under `push`(t) and friction by Bouc and Wen, at t = 1 s, by the rule of Runge and Kutta.
fn bouc_wen(push: impl Fn(f64) -> f64) -> [f64; 2] {
    let rates = |t: f64, [_, v, z]: [f64; 3]| {
        let turned = 0.6 * v.abs() * z.abs() * z + 0.4 * v * z * z;
        [v, (push(t) - 0.5 * 20.0 * z) / 2.0, (v - turned) / 1e-3]
    };
    let h = 1e-5;
    let mut y = [0.0; 3];
    for i in 0..100_000 {
        let t = h * f64::from(i);
        let moved = |y: [f64; 3], k: [f64; 3], h: f64| [0, 1, 2].map(|i| y[i] + h * k[i]);
        let a = rates(t, y);
        let b = rates(t + 0.5 * h, moved(y, a, 0.5 * h));
        let c = rates(t + 0.5 * h, moved(y, b, 0.5 * h));
        let d = rates(t + h, moved(y, c, h));
        y = [0, 1, 2].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    [y[0], y[1]]
}

#[test]
fn bouc_wen_by_expressions_converges_to_its_differential_equations() {
    let law = "expression_with_memory = { state = '(v - 0.6*abs(v)*abs(z)^(n - 1)*z - 0.4*v*abs(z)^n)/y', force = 'mu*N*z', \
               numbers = { y = 1e-3, mu = 0.5, n = 2.0 } }";
    let [x, v] = bouc_wen(|t| 14.0 * (8.0 * t).sin());
    let errors = [2e-3, 1e-3, 5e-4, 2.5e-4].map(|step| {
        let mut sim = Simulation::of(&block(step, law, 0.0, "fx = '14*sin(8*t)'").text());
        sim.run(1.0, 0.02, |_| {});
        let [seen, speed] = ["x", "vx"].map(|o| sim.get(&format!("points.block.{o}")));
        (seen - 1.0 - x).abs().max((speed - v).abs())
    });
    println!("x = {x:.5} m, v = {v:.5} m/s: errors {errors:?}, orders {:.2?}", orders(&errors));
    assert!(errors[3] < 2e-4 && orders(&errors)[2] > 0.8, "{errors:?}");
}

#[test]
fn derivatives_by_the_numbers_of_a_law_with_memory_are_those_of_differences() {
    let text = block(1e-3, LUGRE, 0.0, PUSH);
    let text = text.entry("interface", "parameters = ['joints.block.friction.*']").text();
    let text = sharp(&text, 1e-13);
    let numbers = "joints.block.friction.expression_with_memory.numbers";
    let paths = ["sigma0", "sigma1", "mu_k"].map(|name| format!("{numbers}.{name}"));
    let knowns = [(paths[0].as_str(), 10.0), (paths[1].as_str(), 0.1), (paths[2].as_str(), 1e-4)];
    check_run(&text, 0.3, &knowns, 1e-4, 10);
}
