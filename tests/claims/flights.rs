//! Beads in the air over a path with stops, and past its ends.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};

const G: f64 = 9.81;

/// A bead of 1 kg over a level rigid path from x = −1 m (s = 0) to 1 m, thrown from `at` with `velocity` under a wind of `wind` N along x.
fn bead(at: [f64; 2], velocity: [f64; 2], wind: f64, step: f64) -> String {
    let ([x, y], [vx, vy]) = (at, velocity);
    Mechanism::new("flight")
        .step(step)
        .gravity(-G)
        .points(format!("a = [-1.0, 0.0], b = [1.0, 0.0], bead = [{x:?}, {y:?}]"))
        .guide("table", ["a", "b"], "elements = 2")
        .mass("bead", 1.0)
        .load("wind", format!("point = 'bead', fx = {wind:?}"))
        .start("bead", format!("vx = {vx:?}, vy = {vy:?}"))
        .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['table']")
        .and("cylindrical.ends = 'stop', cylindrical.contact = 'unilateral'")
        .outputs("points.bead.* joints.bead.* energy.*")
        .text()
}

/// Largest distance from the parabola until `end` (s), and whether the bead was off its path all the time.
fn stray(sim: &mut Simulation, at: [f64; 2], velocity: [f64; 2], wind: f64, end: f64) -> [f64; 2] {
    let (mut far, mut touched) = (0.0_f64, 0.0);
    sim.run(end, 1e-2, |sim| {
        let t = sim.time();
        let flight = |i: usize, a: f64| at[i] + velocity[i] * t + 0.5 * a * t * t;
        let (x, y) = (flight(0, wind), flight(1, -G));
        far = far.max((sim.get("points.bead.x") - x).hypot(sim.get("points.bead.y") - y));
        if sim.get("joints.bead.regime") != 5.0 || sim.get("joints.bead.normal_force") != 0.0 {
            touched = 1.0;
        }
        // Nearest is the path below or above, or its end.
        let away = x - x.clamp(-1.0, 1.0);
        let gap = sim.get("joints.bead.gap") - y.hypot(away);
        let place = sim.get("joints.bead.position") - (x - away + 1.0);
        assert!(gap.abs() < 1e-9 && place.abs() < 1e-9, "{gap} {place} at {t} s");
    });
    [far, touched]
}

#[test]
fn what_flies_past_an_end_falls_freely_and_does_not_come_up_onto_the_path_from_below() {
    // Out over the end at 0.14 s, back under the path at 0.36 s, through x = 0 at 0.6 s.
    for mirror in [1.0, -1.0] {
        for step in [1e-2, 1e-3] {
            let (at, v, wind) = ([0.5 * mirror, 0.3], [5.0 * mirror, 0.0], -20.0 * mirror);
            let mut sim = Simulation::of(&bead(at, v, wind, step));
            let [far, touched] = stray(&mut sim, at, v, wind, 1.2);
            // Rounding of places, gathered over a thousand steps.
            assert!(far < 1e-9 && touched == 0.0, "{far} m off, {touched}");
            assert_eq!(sim.get("joints.bead.transitions"), 0.0);
            let lost = sim.lost();
            // Velocities gather the rounding of places over the step.
            assert!(lost.abs() < 1e-7, "{lost} J, step {step} s");
        }
    }
}

#[test]
fn what_comes_back_over_the_path_lands_on_it_and_is_held_by_its_stop() {
    // Out over the end and back above the path: down again at x = −0.92 m.
    for step in [1e-2, 1e-3] {
        let (at, v, wind) = ([0.5, 0.3], [5.0, 3.0], -20.0);
        let lands = (3.0 + (9.0 + 2.0 * G * 0.3_f64).sqrt()) / G;
        let mut sim = Simulation::of(&bead(at, v, wind, step));
        let before = (lands / 1e-2).floor() * 1e-2;
        let [far, touched] = stray(&mut sim, at, v, wind, before);
        assert!(far < 1e-9 && touched == 0.0, "{far} m off, {touched}");
        sim.run(before + 1e-2, 1e-2, |_| ());
        assert!((sim.get("joints.bead.transition_time") - lands).abs() < 1e-8);
        sim.run(2.0, 1e-2, |_| ());
        assert_eq!(sim.get("joints.bead.regime"), 4.0);
        assert!(sim.get("joints.bead.position").abs() < 1e-15);
        assert!((sim.get("joints.bead.normal_force") - G).abs() < 1e-9);
    }
}

#[test]
fn a_bead_touches_down_as_long_as_there_is_path_below_it() {
    // A millimetre before the end and behind it, where a step of 10 ms goes 5 cm outward and 2 cm down.
    let (v, height) = (5.0, 0.2);
    let fall = (2.0 * height / G).sqrt();
    for step in [1e-2, 1e-3, 1e-4] {
        for (end, side) in [(1.0, 1.0), (-1.0, -1.0)] {
            for inward in [1e-3, -1e-3] {
                let x = end - side * (v * fall + inward);
                let mut sim = Simulation::of(&bead([x, height], [side * v, 0.0], 0.0, step));
                sim.run(0.5, 1e-2, |_| ());
                let lands = sim.get("joints.bead.regime") == 4.0;
                assert_eq!(lands, inward > 0.0, "{inward} m before the end, step {step} s");
                let fell = -sim.get("points.bead.y") - (0.5 * G * 0.25 - height);
                assert!(lands || fell.abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_bead_from_outside_lands_above_the_path_and_passes_below_it() {
    // It begins a hand's breadth beyond the end and flies inward, over its edge or under it within one long step.
    for step in [2e-2, 1e-3] {
        for (height, lands) in [(0.07, true), (0.03, false)] {
            let (at, v) = ([1.2, height], [-2.0, 0.0]);
            let mut sim = Simulation::of(&bead(at, v, 0.0, step));
            sim.run(0.3, 1e-2, |_| ());
            assert_eq!(sim.get("joints.bead.regime") != 5.0, lands, "{height} m, step {step} s");
            let y = if lands { 0.0 } else { height - 0.5 * G * 0.09 };
            assert!((sim.get("points.bead.y") - y).abs() < 1e-9);
        }
    }
}

#[test]
fn what_has_passed_the_path_rises_through_it_and_lands_on_its_own_side() {
    // Drawn below the path's level beyond its end, thrown up and inward.
    let (at, v) = ([1.3, -0.5], [-1.0, 5.0]);
    let mut sim = Simulation::of(&bead(at, v, 0.0, 1e-3));
    assert_eq!(sim.get("joints.bead.regime"), 5.0);
    let lands = (5.0 + (25.0 - 2.0 * G * 0.5_f64).sqrt()) / G;
    sim.run(0.5, 1e-3, |_| ());
    let saved = sim.state.clone();
    for _ in 0..2 {
        sim.state = saved.clone();
        sim.run(1.0, 1e-3, |_| ());
        assert!((sim.get("joints.bead.transition_time") - lands).abs() < 1e-8);
        assert!((sim.get("joints.bead.position") - (1.3 - 1.0 + 1.0)).abs() < 1e-9);
    }
    // Below the path itself it may not begin.
    let refused = check(&bead([0.5, -0.5], v, 0.0, 1e-3), &[]).expect_err("a fault");
    assert!(refused.contains("to the right of the path"), "{refused}");
}

#[test]
fn where_an_end_is_an_error_what_flies_past_it_is_refused_and_on_a_prolonged_path_it_lands() {
    let text = bead([0.5, 0.3], [5.0, 0.0], 0.0, 1e-3);
    let mut sim = Simulation::of(&text.edit("cylindrical.ends = \"stop\"\n", ""));
    let refused = (0..300).find_map(|k| sim.try_step(1e-3 * f64::from(k), 1e-3).err());
    let message = refused.expect("a refused step");
    assert!(message.contains("flies past the end of its path"), "{message}");
    assert!((sim.time() - 0.1).abs() < 2e-3, "{}", sim.time());
    let mut sim = Simulation::of(&text.edit("\"stop\"", "\"continue\""));
    sim.run(0.5, 1e-3, |_| ());
    let fall = (0.6 / G).sqrt();
    assert!((sim.get("joints.bead.transition_time") - fall).abs() < 1e-8);
    assert!((sim.get("joints.bead.position") - (1.5 + 2.5)).abs() < 1e-9);
}
