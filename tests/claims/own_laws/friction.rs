//! Friction whose coefficient is an expression.

use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders};

const G: f64 = 10.0;

/// A block of 2 kg on a fixed bar with this friction and velocity, under a force along the bar.
pub fn block(step: f64, friction: &str, vx: f64, push: &str) -> Mechanism {
    Mechanism::new("block")
        .step(step)
        .points("rear = [0.0, 0.0], front = [100.0, 0.0], block = [1.0, 0.0]")
        .guide("bar", ["rear", "front"], "rigid = true, elements = 1, order = 1")
        .mass("block", 2.0)
        .gravity(-G)
        .entry("joints.block", "cylindrical = { slider = 'block', path = ['bar'] }")
        .and(format!("friction.{friction}"))
        .start("block", format!("vx = {vx:?}"))
        .entry("loads.push", format!("point = 'block', {push}"))
        .outputs("points.block.* joints.block.* energy.*")
}

#[test]
fn a_stribeck_curve_by_an_expression_sticks_and_slides_as_stribeck_does() {
    let stribeck = "stribeck = { static_coefficient = 0.6, kinetic_coefficient = 0.4, decay_velocity = 0.05, decay_exponent = 2.0 }";
    let own = "expression = { coefficient = 'mu_d + (mu_s - mu_d)*exp(-(v/vs)^2)', numbers = { mu_s = 0.6, mu_d = 0.4, vs = 0.05 } }";
    let pushes = "fx = '16*sin(3*t)'";
    let mut sims = [stribeck, own].map(|law| Simulation::of(&block(1e-3, law, 0.3, pushes).text()));
    let mut rests = 0;
    let mut farthest = 0.0_f64;
    for _ in 0..400 {
        let [a, b] = sims.each_mut().map(|sim| {
            sim.step(0.01);
            [
                sim.get("points.block.x"),
                sim.get("points.block.vx"),
                sim.get("joints.block.friction_force"),
            ]
        });
        rests += usize::from(a[1] == 0.0 && b[1] == 0.0);
        for (a, b) in a.into_iter().zip(b) {
            farthest = farthest.max((a - b).abs());
        }
    }
    println!("{rests} of 400 instants at rest, apart by {farthest:.1e}");
    assert!(rests > 30 && rests < 390 && farthest < 1e-9, "{rests} {farthest:e}");
}

#[test]
fn a_coefficient_that_grows_along_the_path_stops_a_block_where_its_work_is_the_kinetic_energy() {
    // v²/2 = μ g (d + d²/2 + d x₀) with μ (1 + x) and d the way from x₀ = 1 m.
    let own = "expression = { coefficient = 'mu*(1 + x)', numbers = { mu = 0.2 } }";
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let mut sim = Simulation::of(&block(step, own, 5.0, "fx = 0.0").text());
        sim.run(4.0, 0.04, |_| {});
        assert_eq!(sim.get("points.block.vx"), 0.0);
        let lost = sim.get("joints.block.dissipated_energy");
        assert!((lost - 25.0).abs() < 1e-2, "{lost}");
        let work = 0.5 * 25.0 / (0.2 * G);
        let way = -2.0 + (4.0 + 2.0 * work).sqrt();
        (sim.get("points.block.x") - 1.0 - way).abs()
    });
    println!("{errors:?} m, orders {:.2?}", orders(&errors));
    assert!(errors[2] < 1e-5, "{errors:?}");
}

#[test]
fn a_coefficient_that_grows_in_time_and_with_the_normal_force_brakes_by_its_integral() {
    // μ = 0.3 t (N/20)^(−1/3) under 20 + 10 t N: Δv = ∫ μ N/m dt.
    let own = "expression = { coefficient = 'mu*t*(N/20)^(-1/3)', numbers = { mu = 0.3 } }";
    let mut sim = Simulation::of(&block(1e-3, own, 5.0, "fy = '-10*t'").text());
    sim.run(1.0, 0.01, |_| {});
    let n = 10_000;
    let slowed: f64 = (0..n)
        .map(|i| (f64::from(i) + 0.5) / f64::from(n))
        .map(|t| 0.3 * t * (1.0 + 0.5 * t).powf(2.0 / 3.0) * 20.0 / 2.0)
        .sum::<f64>()
        / f64::from(n);
    let seen = 5.0 - sim.get("points.block.vx");
    assert!((seen - slowed).abs() < 1e-5, "{seen} {slowed}");
}

#[test]
fn a_coefficient_that_vanishes_at_rest_creeps_and_one_that_does_not_holds() {
    let mut moved = ["0.5", "0.5*tanh(v/0.01)"].map(|coefficient| {
        let own = format!("expression = {{ coefficient = '{coefficient}' }}");
        let mut sim = Simulation::of(&block(1e-3, &own, 0.0, "fx = 5.0").text());
        sim.run(1.0, 0.01, |_| {});
        [sim.get("points.block.x") - 1.0, sim.get("points.block.vx")]
    });
    // 0.5 · 20 N · tanh(v/v₀) = 5 N.
    let creep = 0.01 * 0.5_f64.atanh();
    moved[1][1] -= creep;
    assert_eq!(moved[0], [0.0; 2]);
    assert!(moved[1][0] > 0.9 * creep && moved[1][1].abs() < 1e-8, "{moved:?}");
}

#[test]
fn derivatives_by_the_numbers_of_an_expression_are_those_of_differences() {
    let own = "expression = { coefficient = '(mu_d + (mu_s - mu_d)*exp(-(v/0.05)^2))*(1 + 0.3*x)*(N/20)^(-0.2)', \
               numbers = { mu_s = 0.6, mu_d = 0.4 } }";
    let text = block(1e-3, own, 0.5, "fx = '16*sin(3*t)', fy = '-3*t'");
    let text = text.entry("interface", "parameters = ['joints.block.friction.*']").text();
    let text = sharp(&text, 1e-13);
    let numbers = "joints.block.friction.expression.numbers";
    let [own, kinetic] = ["mu_s", "mu_d"].map(|name| format!("{numbers}.{name}"));
    let knowns = [(own.as_str(), 1e-2), (kinetic.as_str(), 1e-2)];
    check_run(&text, 0.04, &knowns, 1e-5, 10);
}
