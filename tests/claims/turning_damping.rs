//! Damping that turns with what it damps, against formulas.

use std::f64::consts::TAU;
use std::time::Instant;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, orders};
use coulisse::model::checked::Subject;
use coulisse::quantity::Quantity;
use coulisse::sensitivity::Perturbation;
use coulisse::solve::Stepper;

const YOUNG: f64 = 2e9;
const DENSITY: f64 = 2000.0;
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.05;
const WIDTH: f64 = 0.02;
/// c_k, s.
const COEFFICIENT: f64 = 2e-3;

/// An arm from a pivot that a motor turns with `rate`, and a point within it.
fn arm(step: f64, rate: f64, axes: &str) -> String {
    Mechanism::new("arm")
        .step(step)
        .solver("spectral_radius = 0.95, position_tolerance = 1e-13")
        .points(format!("o = [0.0, 0.0], m = [{:?}, 0.0], a = [{LENGTH:?}, 0.0]", 0.5 * LENGTH))
        .material("soft", YOUNG, 0.0, DENSITY)
        .rectangle("strip", HEIGHT, WIDTH)
        .beam("inner", ["o", "m"], [2, 3], "soft strip")
        .beam("outer", ["m", "a"], [2, 3], "soft strip")
        .pin("o")
        .motion("motor", format!("point = 'o', direction = 'rotation', rate = {rate:?}"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .entry("damping.all", format!("stiffness_coefficient = {COEFFICIENT:?}"))
        .and(format!("axes = '{axes}'"))
        .outputs("points.* energy.* motions.* members.* supports.* solver.*")
        .text()
}

/// The same arm, free of the motor, that begins to turn with this rate.
fn free(step: f64, rate: f64, axes: &str) -> Simulation {
    let motor = "[motions.motor]\npoint = \"o\"\ndirection = \"rotation\"\n";
    let text = arm(step, rate, axes)
        .edit(&format!("{motor}rate = {rate:?}\n"), "")
        .edit("\"motions.*\", ", "")
        .edit(
            "[damping.all]",
            &format!("[initial.points.a]\nvy = {:?}\n[damping.all]", rate * LENGTH),
        );
    Simulation::of(&text)
}

/// A plate that begins to turn about a corner with this rate.
fn plate(step: f64, rate: f64) -> String {
    Mechanism::new("plate")
        .step(step)
        .solver("spectral_radius = 0.95, position_tolerance = 1e-13")
        .points("o = [0.0, 0.0], a = [1.0, 0.0], b = [1.0, 0.2], c = [0.0, 0.2]")
        .material("soft", YOUNG, 0.3, DENSITY)
        .body("plate", format!("material = 'soft', thickness = {WIDTH:?}"))
        .and("state = 'plane_stress', order = 2")
        .patch("plate", [6, 2], "bottom: o, right: a, top: b, left: c")
        .pin("o")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("a", format!("vy = {rate:?}"))
        .entry("damping.all", format!("stiffness_coefficient = {COEFFICIENT:?}"))
        .outputs("points.* energy.*")
        .text()
}

/// Slow: seven turns, and the order of the loss in three steps.
#[test]
fn a_damped_bar_and_a_damped_plate_spin_on_without_loss() {
    let rate = 10.0;
    let turn = TAU / rate;
    // What is left once the bar has stretched by its centrifugal force and does so no more.
    let lost = |sim: &mut Simulation, energy: f64| {
        sim.run(turn, turn / 20.0, |_| ());
        let before = sim.get("energy.damping_work");
        sim.run(6.0 * turn, turn / 20.0, |_| ());
        (sim.get("energy.damping_work") - before) / energy
    };
    let losses = [turn / 200.0, turn / 400.0, turn / 800.0].map(|step| {
        let mut sim = free(step, rate, "turning");
        let energy = sim.get("energy.kinetic");
        lost(&mut sim, energy)
    });
    println!("bar: share of its energy in six turns {losses:?}");
    let plate = |step: f64| {
        let mut sim = Simulation::of(&plate(step, rate));
        let energy = sim.get("energy.kinetic");
        lost(&mut sim, energy)
    };
    let plates = [turn / 200.0, turn / 400.0].map(plate);
    println!("plate: {plates:?}");
    let mut drawn = free(turn / 200.0, rate, "initial");
    let energy = drawn.get("energy.kinetic");
    drawn.run(0.25 * turn, turn / 40.0, |_| ());
    let braked = drawn.get("energy.damping_work") / energy;
    println!("in the initial configuration, in a quarter of a turn: {braked:.3}");
    // What the trapezoidal rule makes of a moment and of forces at its lever, Δφ − sin Δφ, goes with the fourth power of the step.
    assert!(
        losses[2].abs() < 2e-6 && orders(&losses).into_iter().all(|order| order > 3.8),
        "{losses:?}"
    );
    assert!(plates.into_iter().all(|lost| lost.abs() < 1e-11), "{plates:?}");
    assert!(braked > 0.5);
}

#[test]
fn the_initial_axes_brake_a_turning_bar_as_the_formula_says() {
    // c_k L ω² ∫ [EA sin²φ + GA (1 − cos φ)²] dt, of a bar so slow that it stays straight and as long as it is.
    let rate = 1e-4;
    let mut sim = Simulation::of(&arm(50.0, rate, "initial"));
    let (ea, ga) = (YOUNG * HEIGHT * WIDTH, 0.5 * YOUNG * HEIGHT * WIDTH);
    let mut worst = 0.0_f64;
    sim.run(6000.0, 500.0, |sim| {
        let phi = rate * sim.time();
        let [sin, cos] = [phi.sin(), phi.cos()];
        let stretched = 0.5 * (phi - sin * cos);
        let sheared = 1.5 * phi - 2.0 * sin + 0.5 * sin * cos;
        let exact = COEFFICIENT * LENGTH * rate * (ea * stretched + ga * sheared);
        worst = worst.max((sim.get("energy.damping_work") / exact - 1.0).abs());
    });
    println!("in the initial configuration: off by {worst:.1e}");
    assert!(worst < 3e-3, "{worst}");
    let mut turning = Simulation::of(&arm(50.0, rate, "turning"));
    turning.run(6000.0, 500.0, |_| ());
    let share = turning.get("energy.damping_work") / sim.get("energy.damping_work");
    println!("turning: {share:.1e} of that");
    assert!(share.abs() < 1e-9, "{share}");
}

/// The deflection of the tip across the turning axis through the pivot.
fn deflection(sim: &Simulation, rate: f64) -> f64 {
    let (sin, cos) = (rate * sim.time()).sin_cos();
    sim.get("points.a.y") * cos - sim.get("points.a.x") * sin
}

/// Rate of decay of the first bending mode while the motor turns, by the envelope of its swings, 1/s; with the frequency in the initial configuration.
fn decay(rate: f64, axes: &str) -> [f64; 2] {
    let text = arm(1e-3, rate, axes);
    let mode = Simulation::of(&text).modes(1).list.swap_remove(0);
    let omega = mode.angular_frequency();
    let step = TAU / omega / 400.0;
    let mut sim = Simulation::of(
        &arm(step, rate, axes)
            .edit("stiffness_coefficient = 0.002", "stiffness_coefficient = 2e-4"),
    );
    for (u, shape) in mode.shape.iter().enumerate() {
        sim.state.velocity[u] += 1e-3 * shape;
    }
    let (mut swings, mut last) = (Vec::new(), [0.0; 2]);
    sim.run(12.0 * TAU / omega, step, |sim| {
        let now = deflection(sim, rate);
        let [first, second] = last;
        if (second - first) * (now - second) < 0.0 {
            // The top of the parabola through three places.
            let (slope, bend) = (0.5 * (now - first), now - 2.0 * second + first);
            swings.push((sim.time(), second - 0.5 * slope * slope / bend));
        }
        last = [second, now];
    });
    // From swing to swing, which an offset does not change.
    let ranges: Vec<(f64, f64)> =
        (swings.windows(2)).map(|pair| (pair[0].0, (pair[1].1 - pair[0].1).abs())).collect();
    let (first, last) = (ranges[2], ranges[ranges.len() - 1]);
    [(first.1 / last.1).ln() / (last.0 - first.0), omega]
}

#[test]
fn a_turning_arm_decays_as_one_that_stands() {
    let [_, omega] = decay(0.0, "turning");
    // Half of c_k ω² of the elastic stiffness; that by the centrifugal force is not damped.
    let exact = 0.5 * 2e-4 * omega * omega;
    for (share, axes, allowed) in [
        (0.0, "turning", 2e-3),
        (0.0, "initial", 2e-3),
        (0.05, "turning", 5e-3),
        (0.2, "turning", 3e-2),
    ] {
        let [seen, _] = decay(share * omega, axes);
        println!("{axes}, turned by {share} ω: {seen:.4} 1/s of {exact:.4}");
        assert!((seen / exact - 1.0).abs() < allowed, "{share} {axes}: {seen} {exact}");
    }
}

#[test]
fn a_bar_that_is_stretched_decays_by_half_of_the_coefficient_times_the_square_of_its_frequency() {
    // u ~ sin(πx/2L), ω = π/2L √(E/ρ), while the bar stands and while it is turned slowly.
    let omega = 0.25 * TAU / LENGTH * (YOUNG / DENSITY).sqrt();
    let coefficient = 0.04 / omega;
    let step = TAU / omega / 500.0;
    for rate in [0.0, 0.02 * omega] {
        let own = format!("stiffness_coefficient = {coefficient:?}");
        let text = arm(step, rate, "turning").edit("stiffness_coefficient = 0.002", &own);
        let mut still = Simulation::of(&text);
        let mut sim = Simulation::of(&text);
        let nodes = (0..2).flat_map(|member| sim.system.drawing().nodes_of_member(member).to_vec());
        let mut along: Vec<usize> = nodes.map(|node| node.position[0]).collect();
        along.dedup();
        for x in along {
            let place = sim.state.q[x];
            sim.state.velocity[x] += 1e-3 * (0.25 * TAU * place / LENGTH).sin();
        }
        let (mut swings, mut last) = (Vec::new(), [0.0; 2]);
        for _ in 0..8 * 500 {
            sim.step(step);
            still.step(step);
            let length = |sim: &Simulation| sim.get("points.a.x").hypot(sim.get("points.a.y"));
            let now = length(&sim) - length(&still);
            let [first, second] = last;
            if (second - first) * (now - second) < 0.0 {
                let (slope, bend) = (0.5 * (now - first), now - 2.0 * second + first);
                swings.push((sim.time(), (second - 0.5 * slope * slope / bend).abs()));
            }
            last = [second, now];
        }
        let (first, last) = (swings[1], swings[swings.len() - 1]);
        let seen = (first.1 / last.1).ln() / (last.0 - first.0);
        let exact = 0.5 * coefficient * omega * omega;
        println!("turned by {rate:.1} rad/s: {seen:.4} of {exact:.4}");
        assert!((seen / exact - 1.0).abs() < 5e-3, "{seen} {exact}");
    }
}

/// An arm that the motor turns fast and that swings a lot.
fn swung(step: f64) -> Simulation {
    let text = arm(step, 25.0, "turning");
    let ramp = "rate = 25.0";
    let text = text.edit(ramp, "amplitude = 3.0\nhistory.ramp = { duration = 0.4 }");
    let text = text.edit("stiffness_coefficient = 0.002", "stiffness_coefficient = 2e-4");
    let mut sim = Simulation::of(&text);
    sim.run(0.5, 0.02, |_| ());
    sim
}

#[test]
fn the_balance_of_a_turning_damped_arm_closes_with_second_order() {
    let runs = [1e-3, 5e-4, 2.5e-4].map(swung);
    let fine = swung(2.5e-5);
    let taken = fine.get("energy.damping_work");
    let balances = runs.each_ref().map(|sim| (sim.lost() / taken).abs());
    let works = runs.each_ref().map(|sim| (sim.get("energy.damping_work") / taken - 1.0).abs());
    println!("balance {balances:?}, work {works:?} of {taken:.3e} J");
    let tips = runs.each_ref().map(|sim| (sim.get("points.a.x") - fine.get("points.a.x")).abs());
    println!("tip {tips:?}");
    for errors in [balances, works, tips] {
        let found = orders(&errors);
        assert!(found.into_iter().all(|order| order > 1.7), "{errors:?}");
    }
    // What a support holds is what the ends of the members say.
    for (end, support) in [("fx", "fx"), ("fy", "fy")] {
        let [end, support] = [format!("members.inner.from.{end}"), format!("supports.o.{support}")]
            .map(|path| fine.get(&path));
        assert!((end - support).abs() < 1e-6 * support.abs().max(1.0), "{end} {support}");
    }
}

#[test]
fn newtons_method_goes_on_in_few_iterations_where_a_damped_arm_turns() {
    let iterations = |coefficient: f64, rate: f64, step: f64| {
        let own = format!("stiffness_coefficient = {coefficient:?}");
        let text = arm(step, rate, "turning").edit("stiffness_coefficient = 0.002", &own);
        let mut sim = Simulation::of(&text);
        let begun = Instant::now();
        sim.run(40.0 * step, step, |_| ());
        let time = begun.elapsed();
        (sim.get("solver.iterations") / sim.get("solver.steps"), time)
    };
    for step in [1e-5, 1e-4, 1e-3, 1e-2] {
        for rate in [1.0, 10.0, 30.0, 100.0] {
            let [(damped, longer), (free, shorter)] =
                [COEFFICIENT, 0.0].map(|c| iterations(c, rate, step));
            println!(
                "step {step:e} s at {rate} rad/s: {damped:.1} iterations per step, undamped {free:.1}; time times {:.2}",
                longer.as_secs_f64() / shorter.as_secs_f64()
            );
            assert!(damped < free + 4.0, "{damped} {free}");
        }
    }
}

#[test]
fn derivatives_of_a_turning_damped_arm_agree_with_differences() {
    let push = "[loads.push]\npoint = \"a\"\nfy = -200.0\n[damping.all]\nmass_coefficient = 3.0";
    let arm = arm(1e-3, 25.0, "turning")
        .edit("[damping.all]", push)
        .edit("[interface]", "[interface]\ninputs = [\"loads.push.fy\", \"motions.motor.rate\"]");
    agree_with_differences(&arm, &[20.0, 0.02], 60);
    let plate = plate(1e-3, 25.0)
        .edit("[damping.all]", push)
        .edit("[interface]", "[interface]\ninputs = [\"loads.push.fy\"]");
    agree_with_differences(&plate, &[20.0], 20);
}

/// Derivatives of all outputs over three steps by each input, which the differences change by up to these `sizes`; at least so
/// many are told by both.
fn agree_with_differences(text: &str, sizes: &[f64], at_least: usize) {
    let mut sim = Simulation::of(&text.edit("[solver]", "[solver]\nenergy_tolerance = 1e9"));
    sim.run(0.05, 1e-3, |_| ());
    let (start, h) = (sim.state.time, 3e-3);
    let mut sure = 0;
    for (input, &size) in sizes.iter().enumerate() {
        let mut perturbation = Perturbation::none(&sim.system);
        perturbation.inputs[input] = 1.0;
        let (there, change) = Stepper::new(&sim.system)
            .change(&sim.system, &sim.state, start, h, &perturbation)
            .expect("a derivative");
        let states = [-1.0, 1.0, -0.5, 0.5].map(|share| {
            let mut state = sim.state.clone();
            state.inputs[input] += share * size;
            Stepper::new(&sim.system).advance(&sim.system, &mut state, start, h).expect("a step");
            state
        });
        for output in &sim.system.model().outputs {
            if output.output.of == Subject::Solver {
                continue;
            }
            let read = |k: usize| sim.system.read(&states[k], output.output);
            let difference = (8.0 * (read(3) - read(2)) - (read(1) - read(0))) / (6.0 * size);
            let exact = sim.system.output_change(&there, &change, output.output);
            let scale = exact.abs().max(difference.abs());
            // A rounding error of a position over βΔt², or times EA/h.
            let rounding = match output.output.of {
                Subject::Point(_) if output.quantity == Quantity::Acceleration => 4e-16 * 4e6,
                // The balance itself is nothing but what Newton's method leaves.
                Subject::Energy if output.path == "energy.balance" => 1e-10,
                Subject::Energy => 1e-12 * sim.system.read(&there, output.output).abs() + 1e-11,
                Subject::Point(_) => 1e-13,
                _ => 4e-16 * YOUNG * HEIGHT * WIDTH * 1e2,
            };
            let noise = rounding / size;
            let off = (exact - difference).abs();
            println!("{} by {input}: {exact:.8e} {difference:.8e}", output.path);
            assert!(
                off <= 1e-6 * scale + noise,
                "{}: {off:.1e} of {scale:.1e}, noise {noise:.1e}",
                output.path
            );
            sure += usize::from(scale > 0.0 && noise < 1e-3 * scale);
        }
    }
    println!("{sure} sure");
    assert!(sure >= at_least, "{sure}");
}
