//! Friction laws with memory in mechanisms.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use std::f64::consts::{PI, TAU};

use crate::common::block::Block;
use crate::common::{self, Simulation, runge_kutta};
use coulisse::solve::Stepper;
use coulisse::start::start;
use coulisse::system::System;

/// A block of 2 kg on a fixed horizontal path that is moved by a sin ωt along it; F_N = 20 N.
fn shaken(law: &str, amplitude: f64, frequency: f64, step: f64) -> Simulation {
    Simulation::of(&shaken_text(law, amplitude, frequency, step))
}

fn shaken_text(law: &str, amplitude: f64, frequency: f64, step: f64) -> String {
    let block = Block {
        step,
        friction: law,
        more: &Mechanism::part()
            .motion("block", "point = 'block', direction = 'x'")
            .and(format!("amplitude = {amplitude:?}"))
            .and(format!("history.sine = {{ frequency = {frequency:?} }}"))
            .outputs("energy.*")
            .text(),
        ..Block::default()
    };
    block.text()
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
    [mean * by_velocity / (amplitude * omega), mean * by_place / amplitude, spent(&sim) - before]
}

#[test]
fn the_loop_of_spring_friction_has_the_damping_and_the_stiffness_of_the_paper() {
    // k = 3, a = 1, ω = 1; ψ by the coefficient: f F_N = ψ k a.
    for psi in [0.05, 0.1, 0.2, 1.0 / 3.0, 0.5, 0.7, 0.9, 0.95] {
        let limit: f64 = 3.0 * psi;
        let law =
            format!("spring_friction = {{ stiffness = 3.0, coefficient = {:?} }}", limit / 20.0);
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
        let law =
            format!("spring_friction = {{ stiffness = 3.0, coefficient = {:?} }}", limit / 20.0);
        let [b, k, spent] = simulated(&law, 1.0, 1.0, 500);
        println!("psi {psi}: {spent:e} J of {} J", 3.0);
        assert!(spent.abs() <= 1e-12 * 3.0);
        assert!(b.abs() < 1e-12 && (k - 3.0).abs() < 1e-9, "{b:e} {k}");
    }
}

/// μ_s, μ_k, v_σ and σ₀, σ₁ of the bristle laws below; F_N = 20 N.
const STATIC: f64 = 0.6;
const KINETIC: f64 = 0.4;
const DECAY: f64 = 0.01;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 60.0;

fn slowness(v: f64) -> f64 {
    (-(v / DECAY) * (v / DECAY)).exp()
}

fn steady(v: f64) -> f64 {
    20.0 * (KINETIC + (STATIC - KINETIC) * slowness(v)) / STIFFNESS
}

/// Largest difference of the friction force, over two cycles of 5 mm at 1 Hz in steps of 1/n s, from
/// that of an equation dy/dt = `rate`(v, y) with the `force`(v, y), integrated by Runge and Kutta.
fn off<const N: usize>(
    law: &str, n: usize, rate: impl Fn(f64, &[f64; N]) -> [f64; N],
    force: impl Fn(f64, &[f64; N]) -> f64,
) -> f64 {
    let (a, h) = (5e-3, 1.0 / n as f64);
    let speed = |t: f64| a * TAU * (TAU * t).cos();
    let mut sim = shaken(law, a, 1.0, h);
    let (mut y, mut t, mut worst) = ([0.0; N], 0.0, 0.0_f64);
    let mut step = 0;
    sim.run(2.0, h, |sim| {
        step += 1;
        let end = step as f64 * h;
        y = runge_kutta(y, t, end, 200_000 / n, |t, y| rate(speed(t), y));
        t = end;
        let exact = force(speed(t), &y);
        worst = worst.max((sim.get("joints.block.friction_force") - exact).abs());
    });
    worst
}

/// Errors of 12 N, from halving to halving of the step.
fn is_of_first_order(worst: [f64; 3]) {
    println!("{worst:?} N of 12 N");
    let halved = |pair: &[f64]| (0.4..0.6).contains(&(pair[1] / pair[0]));
    assert!(worst[2] < 0.03 && worst.windows(2).all(halved));
}

#[test]
fn dahls_law_follows_its_equation() {
    for exponent in [1.0_f64, 0.5, 2.0] {
        let law =
            format!("dahl = {{ stiffness = 1e4, coefficient = 0.5, exponent = {exponent:?} }}");
        let rate = |v: f64, y: &[f64; 1]| {
            let u: f64 = 1.0 - y[0] * v.signum() / 1e-3;
            [v * u.abs().powf(exponent) * u.signum()]
        };
        let worst = off(&law, 2000, rate, |_, y| 1e4 * y[0]);
        println!("n = {exponent}: {worst:e} N of 10 N");
        // The law knows no rate: every step is exact. What is left is the reference at n = 1/2, where
        // du/dt has no derivative, and the path's 20 m, of which 1e-15 is a force of 2e-10 N.
        let tolerance = if exponent < 1.0 { 2e-4 } else { 1e-7 };
        assert!(worst < tolerance);
    }
}

#[test]
fn lugre_follows_its_equation_with_first_order() {
    let law = format!(
        "lugre = {{ stiffness = 1e4, static_coefficient = {STATIC}, kinetic_coefficient = {KINETIC}, \
         decay_velocity = {DECAY}, damping = {DAMPING:?} }}"
    );
    let rate = |v: f64, y: &[f64; 1]| [v - v.abs() * y[0] / steady(v)];
    let force = |v: f64, y: &[f64; 1]| STIFFNESS * y[0] + DAMPING * slowness(v) * rate(v, y)[0];
    is_of_first_order([1000, 2000, 4000].map(|n| off(&law, n, rate, force)));
}

#[test]
fn the_elasto_plastic_law_follows_its_equation_with_first_order() {
    let law = format!(
        "elasto_plastic = {{ stiffness = 1e4, static_coefficient = {STATIC}, kinetic_coefficient = \
         {KINETIC}, decay_velocity = {DECAY}, damping = {DAMPING:?}, breakaway_share = 0.6 }}"
    );
    // By the sine of Dupont et al. 2002.
    let share = |r: f64| match r {
        _ if r <= 0.6 => 0.0,
        _ if r >= 1.0 => 1.0,
        _ => 0.5 * (PI * (r - 0.8) / 0.4).sin() + 0.5,
    };
    let rate = |v: f64, y: &[f64; 1]| {
        let r = y[0] * v.signum() / steady(v);
        [v * (1.0 - share(r) * r)]
    };
    let force = |v: f64, y: &[f64; 1]| STIFFNESS * y[0] + DAMPING * slowness(v) * rate(v, y)[0];
    is_of_first_order([1000, 2000, 4000].map(|n| off(&law, n, rate, force)));
}

#[test]
fn the_share_of_static_friction_follows_its_equation_with_first_order() {
    let law = format!(
        "bristle = {{ stiffness = 1e4, static_coefficient = {STATIC}, kinetic_coefficient = {KINETIC}, \
         decay_velocity = {DECAY}, damping = 200.0, dwell_time = 0.3 }}"
    );
    // y: lost share of static friction, deflection; c/k = 0.02 s.
    let limit = |y: &[f64; 2]| 20.0 * (STATIC - (STATIC - KINETIC) * y[0]);
    let rate = |v: f64, y: &[f64; 2]| {
        let settled = 1.0 - slowness(v);
        let constant = if settled > y[0] { 0.02 } else { 0.3 };
        let lost = (settled - y[0]) / constant;
        let slips = STIFFNESS * y[1] * v.signum() >= limit(y);
        // At the limit z follows it, but where the limit grows no faster than the slider moves.
        let follows = (-20.0 * (STATIC - KINETIC) * lost / STIFFNESS).min(v.abs());
        [lost, if slips { follows * v.signum() } else { v }]
    };
    let force = |v: f64, y: &[f64; 2]| {
        let slips = STIFFNESS * y[1] * v.signum() >= limit(y);
        let damping = if slips { 0.0 } else { 200.0 * v };
        (STIFFNESS * y[1] + damping).clamp(-limit(y), limit(y))
    };
    is_of_first_order([1000, 2000, 4000].map(|n| off(&law, n, rate, force)));
}

/// A block of 2 kg on a fixed horizontal path, F_N = 20 N, pushed along it by a force that the host
/// sets.
fn pushed(law: &str, step: f64) -> Simulation {
    Simulation::of(&pushed_text(law, step))
}

fn pushed_text(law: &str, step: f64) -> String {
    let block = Block {
        step,
        friction: law,
        more: &Mechanism::part()
            .load("push", "point = 'block', fx = 0.0")
            .inputs("loads.push.fx")
            .entry("interface", "linear = ['loads.push.fx']")
            .outputs("energy.*")
            .text(),
        ..Block::default()
    };
    block.text()
}

/// Where a block goes in 100 swings of its load between 0 and 7 N, of at most 10 N that it bears.
fn drift(law: &str) -> f64 {
    let mut sim = pushed(law, 1e-3);
    let mut swing = |count: usize| {
        for i in 0..count * 100 {
            let part = (i % 100) as f64 / 100.0;
            sim.set("loads.push.fx", 3.5 * (1.0 - (TAU * part).cos()));
            sim.step(1e-2);
        }
        sim.get("joints.block.position")
    };
    let first = swing(10);
    swing(100) - first
}

/// Slow: a drift shows over a hundred swings, under every law with memory.
#[test]
fn a_load_that_swings_below_break_away_moves_what_dahl_and_lugre_hold_and_nothing_else() {
    let k = "stiffness = 1e5";
    let bristles = "static_coefficient = 0.5, kinetic_coefficient = 0.4, decay_velocity = 0.01";
    let still = [
        drift(&format!(
            "spring_friction = {{ {k}, coefficient = 0.5, viscous_coefficient = 50.0 }}"
        )),
        drift(&format!(
            "elasto_plastic = {{ {k}, {bristles}, damping = 100.0, breakaway_share = 0.8 }}"
        )),
        drift(&format!("bristle = {{ {k}, {bristles}, damping = 100.0, dwell_time = 1.0 }}")),
        drift(&format!("bristle_lcp = {{ {k}, coefficient = 0.5, damping = 100.0 }}")),
    ];
    let creeping = [
        drift(&format!("dahl = {{ {k}, coefficient = 0.5 }}")),
        drift(&format!("lugre = {{ {k}, {bristles}, damping = 100.0 }}")),
    ];
    println!("{still:?}, {creeping:?} m in 100 swings");
    // Δ = 0.1 mm; a position is sure to 1e-10 of 20 m.
    assert!(still.iter().all(|moved| moved.abs() < 1e-9));
    assert!(creeping.iter().all(|moved| *moved > 1e-4));
}

/// Largest friction force while the load grows by 40 N/s after a rest of `rest` s, and the share of static
/// friction that the slide before had left lost.
fn breakaway(rest: f64) -> (f64, f64) {
    let law = "bristle = { stiffness = 1e5, static_coefficient = 0.8, kinetic_coefficient = 0.4, \
               decay_velocity = 0.02, damping = 500.0, dwell_time = 2.0 }";
    let mut sim = pushed(law, 1e-3);
    // Slides, then is left alone and stops.
    sim.set("loads.push.fx", 30.0);
    sim.step(0.1);
    sim.set("loads.push.fx", 0.0);
    sim.run(0.5, 1e-3, |_| ());
    let stopped = sim.state.sliders[0].memory[1];
    let mut push = |force: f64, time: f64| {
        sim.set("loads.push.fx", force);
        sim.step(time);
        let velocity = sim.get("joints.block.velocity");
        (sim.get("joints.block.friction_force"), velocity)
    };
    push(0.0, rest);
    let (mut largest, mut force) = (0.0_f64, 0.0);
    loop {
        let (friction, velocity) = push(force, 1e-3);
        if velocity > 0.05 {
            return (largest, stopped);
        }
        largest = largest.max(friction);
        force += 0.04;
    }
}

#[test]
fn the_longer_a_joint_rests_the_more_it_takes_to_start_it() {
    for rest in [0.1, 0.5, 2.0, 8.0] {
        let (found, lost) = breakaway(rest);
        assert!((0.8..0.95).contains(&lost), "{lost}");
        // d grows as 1 − exp(−t/2 s) also while the load grows by 40 N/s, until the two meet.
        let bears = |t: f64| 20.0 * (0.4 + 0.4 * (1.0 - lost * (-(rest + t) / 2.0).exp()));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let t = 0.5 * (low + high);
            if 40.0 * t < bears(t) { low = t } else { high = t }
        }
        println!("{rest} s: {found:.3} N, by the law {:.3} N", bears(low));
        assert!((found - bears(low)).abs() < 0.15, "{found} {}", bears(low));
    }
}

#[test]
fn the_energy_balance_closes_while_bristles_take_and_give() {
    // A push that bends the bristles and lets go, then one that makes the block slide: what the integration takes is
    // counted, so that nothing but rounding is left.
    let law = "spring_friction = { stiffness = 2e3, coefficient = 0.5 }";
    let left = [1e-3, 5e-4].map(|step| {
        let mut sim = pushed(law, step);
        let (mut stored, mut returned) = (0.0_f64, 0.0_f64);
        for i in 1..=800 {
            let t = f64::from(i) * 1e-3;
            let most = if t < 0.4 { 4.0 } else { 25.0 };
            sim.set("loads.push.fx", most * (TAU * t / 0.4).sin().max(0.0));
            sim.step(1e-3);
            let now = sim.get("energy.friction_stored");
            returned += (stored - now).max(0.0);
            stored = now;
            // ½ k z².
            let z = sim.get("joints.block.micro_displacement");
            assert!((now - 1e3 * z * z).abs() < 1e-12);
            assert!(sim.get("energy.friction_work") >= now - 1e-12);
        }
        assert!(returned > 1e-3, "{returned}");
        sim.get("energy.balance") / sim.get("energy.input_work")
    });
    println!("unexplained shares of the input work: {left:?}");
    assert!(left.iter().all(|left| left.abs() < 1e-10));
}

#[test]
fn a_quasi_static_analysis_bends_the_bristles_and_comes_back() {
    let text = "spring_friction = { stiffness = 3.0, coefficient = 0.05 }";
    let [dynamic, quasi_static] = ["dynamic", "quasi_static"].map(|analysis| {
        let model = shaken_text(text, 1.0, 1.0 / TAU, TAU / 400.0);
        let model = model.edit("[solver]", &format!("[solver]\nanalysis = \"{analysis}\""));
        let mut sim = Simulation::of(&model);
        let mut forces = Vec::new();
        sim.run(2.0 * TAU, TAU / 400.0, |sim| {
            forces.push(sim.get("joints.block.friction_force"));
        });
        forces
    });
    let pairs = dynamic.iter().zip(&quasi_static);
    let worst = pairs.fold(0.0_f64, |far, (a, b)| far.max((a - b).abs()));
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn numbers_beyond_all_measure_are_refused_and_never_give_one_that_is_none() {
    for law in [
        "dahl = { stiffness = 1e-50, coefficient = 1e50 }",
        "spring_friction = { stiffness = 1e-50, coefficient = 1e50 }",
        "lugre = { stiffness = 1e-50, static_coefficient = 1e50, kinetic_coefficient = 0.0, decay_velocity = 1e-50, damping = 1e50 }",
        "elasto_plastic = { stiffness = 1e-50, static_coefficient = 1e50, kinetic_coefficient = 0.0, decay_velocity = 1e-50, damping = 1e50 }",
        "bristle = { stiffness = 1e-50, static_coefficient = 1e50, kinetic_coefficient = 0.0, decay_velocity = 1e-50, dwell_time = 1e-50, damping = 1e50 }",
    ] {
        let text = shaken_text(law, 1e-3, 1.0, 1e-3).edit("[solver]", "[solver]\nmax_halvings = 2");
        let checked = common::check(&text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
        let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
        let Ok(mut state) = start(&system, &[]) else {
            continue;
        };
        let mut stepper = Stepper::new(&system);
        for step in 0..20 {
            let taken = stepper.advance(&system, &mut state, 0.05 * f64::from(step), 0.05);
            for output in &checked.outputs {
                let value = system.read(&state, output.output);
                assert!(value.is_finite(), "{law}: {} is {value}", output.path);
            }
            if taken.is_err() {
                break;
            }
        }
    }
}

#[test]
fn what_bristles_hold_at_a_quasi_static_start_is_there_from_the_beginning() {
    let law = "bristle_lcp = { stiffness = 2e3, coefficient = 0.5 }";
    let text = pushed_text(law, 1e-2).edit("[solver]", "[solver]\nanalysis = \"quasi_static\"");
    let mut sim = Simulation::of(&text.edit("fx = 0.0", "fx = 5.0"));
    // ½ F²/k.
    let held = 5.0 * 5.0 / (2.0 * 2e3);
    for _ in 0..3 {
        assert!((sim.get("energy.friction_stored") - held).abs() < 1e-9);
        assert!(sim.get("joints.block.dissipated_energy").abs() < 1e-9);
        assert!(sim.get("energy.balance").abs() < 1e-9);
        sim.step(1e-2);
    }
}

#[test]
fn what_a_falling_normal_force_lets_go_is_heat() {
    // 100 N/m bent by 5 N, then F_N falls from 20 to 2 N. Without damping both laws are the same.
    let mut all = Vec::new();
    for law in [
        "spring_friction = { stiffness = 100.0, coefficient = 0.6 }",
        "bristle_lcp = { stiffness = 100.0, coefficient = 0.6 }",
        "bristle_lcp = { stiffness = 100.0, coefficient = 0.6, damping = 1.0 }",
    ] {
        let text = pushed_text(law, 1e-3).edit("fx = 0.0", "fx = 0.0\nfy = 0.0").edit(
            "inputs = [\"loads.push.fx\"]",
            "inputs = [\"loads.push.fx\", \"loads.push.fy\"]",
        );
        let mut sim = Simulation::of(&text);
        sim.set("loads.push.fx", 5.0);
        sim.run(20.0, 0.05, |_| ());
        sim.set("loads.push.fy", 18.0);
        sim.run(20.4, 1e-3, |_| ());
        let dissipated = sim.get("joints.block.dissipated_energy");
        let work = sim.get("energy.friction_work");
        let balance = sim.get("energy.balance") / sim.get("energy.input_work");
        println!("{law}: {dissipated} J of {work} J, {balance:e}");
        assert!(work > 0.0 && dissipated > 0.0 && dissipated <= work + 1e-12);
        assert!(balance.abs() < 1e-3, "{law}: {balance}");
        all.push(dissipated);
    }
    assert!((all[0] - all[1]).abs() < 1e-9 * all[0], "{all:?}");
}
