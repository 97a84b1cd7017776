//! Steps are as long as the file says, whatever their energy says.

use coulisse::system::State;

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::check;
use crate::energy_watch::pendulum;

/// The pendulum with a force of the host.
fn pushed() -> String {
    pendulum()
        .edit("[gravity]", "[loads.push]\npoint = \"b\"\nfx = 0.0\n[gravity]")
        .edit("[interface]", "[interface]\ninputs = [\"loads.push.fx\"]")
}

/// The worst error of the balance over `steps` communication steps as a share of the largest energy, and the solver's steps.
fn worst(text: &str, steps: u32) -> (f64, f64) {
    let mut sim = Simulation::of(&text.edit("\"energy.*\"", "\"energy.*\", \"solver.*\""));
    let (mut largest, mut worst) = (0.0_f64, 0.0_f64);
    for _ in 0..steps {
        sim.step(0.03);
        largest = largest.max(sim.get("energy.kinetic"));
        worst = worst.max(sim.lost().abs() / largest);
    }
    (worst, sim.get("solver.steps"))
}

#[test]
fn the_energy_divides_no_step() {
    // The balance of these steps is off by some per cent, and there are as many as the file asks for.
    let (off, steps) = worst(&pendulum(), 1000);
    println!("{off:.1e} in {steps} steps");
    assert!(off > 1e-3 && off < 0.1);
    // Rounding of times makes two of one communication step.
    assert!(steps <= 1002.0, "{steps}");
}

#[test]
fn the_error_of_the_balance_falls_with_the_square_of_the_step() {
    let finer = pendulum().edit("step = 0.03", "step = 0.0075");
    let [(coarse, _), (fine, _)] = [&pendulum(), &finer].map(|text| worst(text, 200));
    println!("{coarse:.2e}, {fine:.2e}");
    // 16 by the order, less where the coarse step is far from small.
    assert!(coarse / fine > 8.0, "{coarse:e} {fine:e}");
}

#[test]
fn steps_go_on_from_a_saved_state_with_the_same_bits() {
    let mut one = Simulation::of(&pushed());
    one.set("loads.push.fx", 3.0);
    for _ in 0..10 {
        for _ in 0..20 {
            one.step(0.03);
        }
        let mut other = Simulation::of(&pushed());
        let bytes = postcard::to_stdvec(&one.state).expect("bytes");
        other.state = State {
            tuning: one.state.tuning.clone(),
            ..postcard::from_bytes(&bytes).expect("a state")
        };
        let saved = one.state.clone();
        // Steps of another length: TR-BDF2, then generalized-α.
        one.step(0.1);
        other.step(0.1);
        assert!(one.state == other.state);
        let first = std::mem::replace(&mut one.state, saved);
        one.step(0.1);
        assert!(one.state == first);
    }
}

#[test]
fn derivatives_of_steps_of_other_lengths_agree_with_differences() {
    let text = pushed().edit("step = 0.03", "step = 0.01\nposition_tolerance = 1e-13");
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for _ in 0..10 {
        sim.set("loads.push.fx", 3.0);
        sim.run(sim.time() + 0.3, 0.03, |_| ());
        sim.set("loads.push.fx", 2.9);
        // Four steps of 9 ms: two of TR-BDF2, two of generalized-α.
        sure += check(&sim, &text, 0.036, &[("loads.push.fx", 1e-3)], 1e-5);
    }
    assert!(sure > 20, "{sure}");
}

/// A rigid crank turns at 20 rad/s whatever it meets, and a rod of length 0.4 m pushes a block along its guide.
fn driven() -> String {
    Mechanism::new("driven")
        .step(1e-3)
        .points("axle = [0.0, 0.0], knee = [-0.3, 0.0], wrist = [0.1, 0.0], left = [-0.5, 0.0]")
        .and("right = [1.0, 0.0]")
        .member("crank", ["axle", "knee"], "rigid = true, mass = 0.6, inertia = 0.03")
        .member("rod", ["knee", "wrist"], "rigid = true, mass = 0.5, inertia = 0.02")
        .guide("guide", ["left", "right"], "elements = 1")
        .pin("axle")
        .mass("wrist", 0.5)
        .motion("drive", "point = 'axle', direction = 'rotation', rate = 20.0")
        .joint("knee", "hinge = { point = 'knee', release = ['rod'] }")
        .slider("slider", "wrist", "guide", "")
        .and("friction.coulomb = { coefficient = 1.2 }")
        .outputs("energy.*")
        .text()
}

/// Where μ tan β = 1 for the angle β of the rod no force moves the block on.
#[test]
fn what_is_driven_against_a_jam_ends_there_whatever_the_step() {
    let beta = (1.0_f64 / 1.2).atan();
    let jam = (0.4 * beta.sin() / 0.3).asin() / 20.0;
    for h in [1e-3, 3e-4, 1e-4, 3e-5, 1e-5] {
        let mut sim = Simulation::with(&driven(), &[("solver.step", h)]);

        let message = loop {
            let t = sim.time();
            match sim.try_step(t, 1e-3) {
                Ok(()) => {}
                Err(message) => break message,
            }
            assert!(sim.time() < 2.0 * jam, "{h} s: it turns on");
        };
        let late = sim.time() - jam;
        println!("{h:.0e} s: {late:+.2e} s from the jam: {message}");
        assert!(late.abs() < 1e-3, "{h} s: {late} s");
    }
}

/// A strip of steel, clamped at one end, on a corner of which a force begins to act: a node there moves faster than the steps resolve.
fn strip() -> String {
    Mechanism::new("strip")
        .step(1e-4)
        .points("a = [0.0, 0.0], b = [0.3, 0.0], c = [0.3, 0.06], d = [0.0, 0.06]")
        .steel()
        .body("strip", "material = 'steel', thickness = 0.02, state = 'plane_stress'")
        .patch("strip", [50, 10], "sole: a, end: b, top: c, root: d")
        .support("root", "edge = 'strip.root', fix = ['x', 'y']")
        .load("corner", "point = 'b', fy = -5e3")
        .outputs("points.b.y energy.* solver.*")
        .text()
}

#[test]
fn a_force_that_strikes_the_corner_of_a_fine_solid_divides_no_step() {
    let mut sim = Simulation::of(&strip());
    sim.run(5e-4, 1e-4, |sim| {
        let [kinetic, balance] =
            ["kinetic", "balance"].map(|name| sim.get(&format!("energy.{name}")));
        assert!(balance.abs() < 1e-3 * kinetic, "{balance:e} of {kinetic:e} J");
    });
    let [steps, iterations] =
        ["steps", "iterations"].map(|name| sim.get(&format!("solver.{name}")));
    println!("{steps} steps, {iterations} iterations");
    assert!(steps == 5.0 && iterations < 60.0);
}

#[test]
fn a_load_by_steep_ramps_gives_its_impulse_with_a_tolerance() {
    for ramp in [1e-2, 3e-4, 1e-5] {
        for step in [1e-2, 2e-3] {
            let text = format!(
                "name = 'ramps'\n[experiment]\nstop_time = 1.0\ncommunication_step = 0.1\n[solver]\nstep = {step}\ntolerance = 1e-4\n\
                 [points]\na = [0.0, 0.0]\n[masses]\na = {{ point = 'a', mass = 1.0 }}\n[supports]\na = {{ point = 'a', fix = ['y'] }}\n\
                 [loads.f]\npoint = 'a'\nfx = 10.0\nhistory.table = {{ times = [0.0, 0.1003, {}, 0.2007, {}], values = [0.0, 0.0, 1.0, 1.0, 0.0], beyond = 'hold' }}\n\
                 [interface]\noutputs = ['points.a.vx']\n",
                0.1003 + ramp,
                0.2007 + ramp
            );
            let mut sim = Simulation::of(&text);
            sim.run(1.0, 0.1, |_| ());
            let (v, impulse) = (sim.get("points.a.vx"), 10.0 * (0.2007 - 0.1003));
            assert!((v - impulse).abs() < 1e-12, "{ramp} s, step {step} s: {v} m/s");
        }
    }
}
