//! A block on a path that shakes along itself: creep, slip, and the force that holds it.

use super::driven::Driven;
use super::shaken;
use crate::common::Simulation;
use crate::common::reach::reached;

/// What the block of 2 kg bears on its path, m/s².
const BEARS: f64 = 5.0;

/// The block under a path that shakes with `ratio` of what it bears and `frequency` (Hz), started with the path or
/// at rest.
fn block(ratio: f64, frequency: f64, with_the_path: bool) -> (Simulation, Driven) {
    let omega = std::f64::consts::TAU * frequency;
    let amplitude = ratio * BEARS;
    let motion = format!(
        "amplitude = {:?}\nhistory.sine = {{ frequency = {frequency:?} }}",
        amplitude / (omega * omega)
    );
    let path = amplitude / omega;
    let speed = if with_the_path { path } else { 0.0 };
    (shaken(0.5, &motion, speed), Driven::new(amplitude, BEARS, omega, speed - path))
}

#[test]
fn a_block_does_not_creep_on_any_path_that_it_bears() {
    let rest = |mut sim: Simulation| {
        let start = sim.get("joints.block.position");
        let mut farthest = 0.0_f64;
        sim.run(10.0, 1e-3, |sim| {
            farthest = farthest.max((sim.get("joints.block.position") - start).abs());
        });
        farthest
    };
    let creeps = [
        ("path with 2 m/s²", rest(shaken(0.5, "acceleration = 2.0", 0.0))),
        ("path at 2 Hz, 0.8 of the limit", rest(block(0.8, 2.0, true).0)),
        ("path at 30 Hz, 0.8 of the limit", rest(block(0.8, 30.0, true).0)),
    ];
    for (path, creep) in creeps {
        reached("4 creep", &format!("{path}, 1 ms: slip in 10 s"), Some(1e-17), creep, "m");
        assert_eq!(creep, 0.0, "{path}");
    }
}

#[test]
fn a_block_that_slides_on_a_shaken_path_follows_the_closed_form() {
    let mut gives = 0.0_f64;
    // What there is to reach and what is asserted. Errors of first order where friction changes keep it from there: what
    // breaks away sticks up to the end of the step, because over that step the mean of the force is too small for it, and starts by
    // up to ½ j h² too slow under the jerk j; and what turns back in the last 2 % of a step gets the speed of the path there.
    for (ratio, with_the_path, reach, most) in [
        (1.2, true, 6e-9, 3e-6),
        (2.0, true, 1.1e-4, 5e-4),
        (5.0, true, 1.4e-6, 3e-4),
        (5.0, false, 1.4e-6, 2e-5),
    ] {
        let (mut sim, mut exact) = block(ratio, 2.0, with_the_path);
        let start = sim.get("joints.block.position");
        let (mut farthest, mut taken, mut given) = (0.0_f64, 0.0, 0.0_f64);
        sim.run(5.0, 1e-3, |sim| {
            let slip = sim.get("joints.block.position") - start;
            farthest = farthest.max((slip - exact.advance(sim.time())).abs());
            let work = sim.get("joints.block.dissipated_energy");
            given = given.max(taken - work);
            taken = work;
        });
        let begins = if with_the_path { "with the path" } else { "at rest" };
        let what = format!("2 Hz, {ratio} of the limit, begins {begins}, 1 ms: slip over 5 s");
        reached("5 shaken block", &what, Some(reach), farthest, "m");
        gives = gives.max(given);
        assert!(farthest < most, "{what}: {farthest:e}");
        assert_eq!(given, 0.0, "{what}");
    }
    reached(
        "5 shaken block",
        "all: energy gained from friction in a step",
        Some(1e-15),
        gives,
        "J",
    );
}

#[test]
fn the_force_that_holds_a_caught_block_on_a_shaken_path_does_not_ring() {
    // Overshoot: by how much the friction force at the end of a step is off that of the exact solution there, as a
    // share of the exact force with which the block is held right after it was caught, in the three steps after the one in
    // which it was. It is to be below 0.05. Were it not for what generalized-α begins with after an event, it would be κ j h/β. What is left is of
    // order (ω h)², 4e-3 at 10 Hz and 1 ms.
    for (frequency, step, most) in [(2.0, 1e-3, 2e-4), (10.0, 2.5e-4, 2e-4), (10.0, 1e-3, 4e-3)] {
        let (mut sim, mut exact) = block(1.2, frequency, true);
        let omega = std::f64::consts::TAU * frequency;
        let holds = |t: f64| 2.0 * 1.2 * BEARS * (omega * t).sin();
        let (mut overshoot, mut later, mut since, mut catches) = (0.0_f64, 0.0_f64, 100, 0);
        sim.run(1.0, step, |sim| {
            exact.advance(sim.time());
            let sticks = sim.get("joints.block.sticking") == 1.0;
            since = if sticks { since + 1 } else { -1 };
            catches += usize::from(since == 0);
            let caught = exact.catches.last().map_or(f64::INFINITY, |t| holds(*t).abs());
            let off = (sim.get("joints.block.friction_force") - holds(sim.time())).abs() / caught;
            if (1..=3).contains(&since) {
                overshoot = overshoot.max(off);
            } else if (4..=20).contains(&since) {
                later = later.max(off);
            }
        });
        let what = format!("path at {frequency} Hz, {} ms: overshoot in three steps", 1e3 * step);
        reached("ringing", &what, Some(0.05), overshoot, "");
        println!("{what}: {overshoot}, in the seventeen after them {later}, {catches} catches");
        assert!(catches > 3 && overshoot < most, "{what}: {overshoot}");
    }
}
