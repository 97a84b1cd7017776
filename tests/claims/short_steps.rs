//! Communication steps below the solver's: every input and tuned number acts for the time that the host gave it.

use coulisse::fmu::{Call, Instance, Kind, Status};
use coulisse::solve::Stepper;

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::common::rig::{Rig, blueprint};
use crate::common::sensitivity::check;

const STEP: f64 = 0.02;
const COEFFICIENT: &str = "joints.block.friction.coulomb.coefficient";

/// A block of 2 kg on a level path under 20 N of weight, with a host's force along it; with friction unless its coefficient is 0.
fn pushed_block(coefficient: f64) -> String {
    let smooth = Mechanism::new("pushed_block")
        .step(STEP)
        .points("left = [-10.0, 0.0], right = [10.0, 0.0], block = [0.0, 0.0]")
        .member("plane", ["left", "right"], "elements = 1, order = 1")
        .support("plane", "member = 'plane', fix = ['x', 'y', 'rotation']")
        .mass("block", 2.0)
        .gravity(-10.0)
        .load("push", "point = 'block', fx = 0.0")
        .inputs("loads.push.fx")
        .outputs("points.block.* energy.*")
        .slider("block", "block", "plane", "");
    if coefficient == 0.0 {
        return smooth.text();
    }
    smooth
        .and(format!("friction.coulomb = {{ coefficient = {coefficient:?} }}"))
        .entry("interface", format!("parameters = ['{COEFFICIENT}']"))
        .text()
}

/// Forces of a host in its `k`-th step of `h` s: smooth, alternating, a stair, and a pulse now and then.
fn courses(k: u32, h: f64) -> [f64; 4] {
    let t = f64::from(k) * h;
    [
        30.0 + 10.0 * (3.0 * t / STEP).sin(),
        if k.is_multiple_of(2) { 12.0 } else { 40.0 },
        12.0 + 7.0 * f64::from((k / 7) % 4),
        if k.is_multiple_of(11) { 60.0 } else { 12.0 },
    ]
}

#[test]
fn an_impulse_is_that_of_the_forces_at_any_communication_step() {
    for coefficient in [0.0, 0.1] {
        for share in [1e-3, 1e-2, 0.03, 0.09, 0.11, 0.5] {
            let h = share * STEP;
            for course in 0..4 {
                let mut sim = Simulation::of(&pushed_block(coefficient));
                let (mut x, mut v, mut worst) = (0.0, 0.0, [0.0_f64; 3]);
                let friction = coefficient * 20.0;
                for k in (0..300).take_while(|k| f64::from(*k) * h < 0.5) {
                    let force = courses(k, h)[course];
                    sim.set("loads.push.fx", force);
                    sim.step(h);
                    let a = (force - friction) / 2.0;
                    (x, v) = (x + h * (v + 0.5 * h * a), v + h * a);
                    let errors = [
                        (sim.get("points.block.vx") - v) / v,
                        (sim.get("points.block.x") - x) / x,
                        sim.get("joints.block.friction_force").abs() - friction,
                    ];
                    for (worst, error) in worst.iter_mut().zip(errors) {
                        *worst = worst.max(error.abs());
                    }
                }
                println!("μ = {coefficient}, {share} of the step, course {course}: {worst:?}");
                // Nothing but rounding: accelerations are constant over each step.
                assert!(worst.iter().all(|error| *error < 1e-9), "{worst:?}");
                assert!(sim.get("energy.balance").abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_pulse_of_one_millisecond_acts_for_one_millisecond() {
    // A cart of 5 kg with a pendulum of 1 kg at 0.5 m, Stribeck friction under it.
    let cart = |step: f64| {
        Mechanism::new("cart")
            .step(step)
            .points("left = [-3.0, 0.0], right = [3.0, 0.0], cart = [0.0, 0.0], bob = [0.0, -0.5]")
            .member("rail", ["left", "right"], "elements = 1")
            .support("rail", "member = 'rail', fix = ['x', 'y', 'rotation']")
            .entry("members.rod", "from = 'cart', to = 'bob', rigid = true")
            .mass("cart", 5.0)
            .mass("bob", 1.0)
            .slider("cart", "cart", "rail", "")
            .and("friction.stribeck = { static_coefficient = 0.15, kinetic_coefficient = 0.10, decay_velocity = 0.02 }")
            .load("drive", "point = 'cart', fx = 0.0")
            .gravity(-9.81)
            .inputs("loads.drive.fx")
            .outputs("points.cart.*")
            .text()
    };
    for step in [1e-3, 9e-3, 0.011, 0.02, 0.05] {
        let mut sim = Simulation::of(&cart(step));
        for k in 0..30 {
            let force = match k {
                0..3 | 4..8 => 12.0,
                3 => 40.0,
                _ => 30.0,
            };
            sim.set("loads.drive.fx", force);
            sim.step(1e-3);
        }
        let v = sim.get("points.cart.vx");
        println!("steps of {step} s: {v} m/s");
        // By Heun's method in steps of 5 µs on the two equations of cart and pendulum.
        assert!((v - 0.11647).abs() < 3e-5, "{step}: {v}");
    }
}

#[test]
fn a_tuned_coefficient_acts_from_the_step_on_for_which_it_was_set() {
    let plan = blueprint(&pushed_block(0.1));
    let (mut rig, started) = Rig::started(&plan, &[("loads.push.fx", 30.0)]);
    assert!(started);
    let (h, mut v) = (1e-2 * STEP, 0.0);
    for k in 0..40 {
        let coefficient = if k % 2 == 0 { 0.4 } else { 0.1 };
        rig.set(&[(COEFFICIENT, coefficient)]);
        let now = rig.0.time();
        assert_eq!(rig.0.perform(Call::DoStep, |i| i.do_step(now, h)), Status::Ok);
        v += h * (30.0 - 20.0 * coefficient) / 2.0;
        let reference = plan.interface().find("points.block.vx").expect("an output");
        let mut read = f64::NAN;
        let get = |i: &mut Instance| i.get(Kind::Real, &[reference], |_, x| read = x);
        assert_eq!(rig.0.perform(Call::GetReal, get), Status::Ok);
        // A number that jumps is felt as a ramp over a part of the step; nothing of that is left in the next but one.
        assert!((read - v).abs() < 0.5 * h * 3.0, "{k}: {read} {v}");
    }
}

#[test]
fn derivatives_of_short_steps_are_those_of_differences() {
    let text = pushed_block(0.1);
    let mut sim = Simulation::of(&text);
    sim.set("loads.push.fx", 20.0);
    sim.step(1e-3);
    for k in 0..6 {
        sim.set("loads.push.fx", courses(k, 1e-3)[1]);
        // Velocities, positions and energies follow the force in each of them.
        let sure = check(&sim, &text, 1e-3, &[("loads.push.fx", 1.0)], 1e-6);
        assert!(sure > 3, "{k}: {sure}");
        sim.step(1e-3);
    }
}

#[test]
fn short_steps_give_the_same_bits_from_any_state() {
    let mut kept = Simulation::of(&pushed_block(0.1));
    let mut fresh = Simulation::of(&pushed_block(0.1));
    for k in 0..200 {
        // Lengths a hundredth, a tenth and a twentieth of the solver's step, and a rounding.
        let h = STEP * [1e-2, 0.1, 0.05, 1e-9][k as usize % 4];
        for sim in [&mut kept, &mut fresh] {
            sim.set("loads.push.fx", courses(k, h)[3]);
        }
        let t = kept.time();
        kept.step(h);
        let Simulation { system, state, .. } = &mut fresh;
        Stepper::new(system).advance(system, state, t, h).expect("a step");
        assert_eq!(kept.state, fresh.state);
    }
}
