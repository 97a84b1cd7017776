//! Stops at the ends of a path: a slider leaves one no faster than it came.

mod sweep;
mod trajectory;

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};
use coulisse::start::start;
use coulisse::system::System;

/// A bead on an arc of 2 m between two stops, `rise` (m) high, that begins at the share `at` of it with
/// the speed `vx`.
fn bead(rise: f64, at: f64, vx: f64, step: f64, contact: &str) -> String {
    // Centre and radius of the circle through (−1, 0), (0, rise) and (1, 0).
    let radius = (1.0 + rise * rise) / (2.0 * rise);
    let (centre, half) = (rise - radius, (1.0 / radius).asin());
    let angle = half * (2.0 * at - 1.0);
    let (x, y) = (radius * angle.sin(), centre + radius * angle.cos());
    Mechanism::new("stop")
        .step(step)
        .points(format!("a = [-1.0, 0.0], b = [1.0, 0.0], bead = [{x:?}, {y:?}]"))
        .guide("path", ["a", "b"], "elements = 12, order = 3")
        .and(format!("arc.through = [0.0, {rise:?}]"))
        .mass("bead", 0.184)
        .slider("bead", "bead", "path", format!("ends = 'stop'{contact}"))
        .start("bead", format!("vx = {vx:?}"))
        .gravity(-9.81)
        .outputs("points.bead.* energy.*")
        .text()
}

/// Runs a bead for a second; returns the largest rise of its energy (J), as a share of the largest
/// kinetic energy, and whether it met a stop.
fn gain(text: &str, step: f64) -> Option<(f64, bool)> {
    let checked = check(text, &[]).ok()?;
    let system = System::build(&checked).ok()?;
    start(&system, &[]).ok()?;
    let mut sim = Simulation::of(text);
    let energy = |sim: &Simulation| sim.get("energy.kinetic") + sim.get("energy.potential");
    let begin = energy(&sim);
    let (mut gained, mut fastest, mut met) = (0.0_f64, 0.0_f64, false);
    for _ in 0..(1.0 / step) as usize {
        let t = sim.time();
        sim.try_step(t, step).expect("a step");
        gained = gained.max(energy(&sim) - begin);
        fastest = fastest.max(sim.get("energy.kinetic"));
        met |= sim.get("joints.bead.regime") == 4.0;
    }
    Some((gained / fastest, met))
}

#[test]
fn a_bead_that_slides_down_an_arc_leaves_its_stop_with_no_more_than_it_came_with() {
    let mut met = 0;
    for contact in ["", ", contact = \"unilateral\""] {
        for rise in [0.1, 0.3, 0.8] {
            for step in [1e-3, 2.3e-4] {
                for (at, vx) in [(0.1, -0.5), (0.02, -0.01), (0.93, 1.7), (0.3, -2.0)] {
                    let text = bead(rise, at, vx, step, contact);
                    let (gained, stopped) = gain(&text, step).expect("it starts");
                    met += usize::from(stopped);
                    // What the time integration gives on a curved path at this step.
                    assert!(gained < 1e-3, "{gained:e} of it:\n{text}");
                }
            }
        }
    }
    assert!(met > 24, "{met} of 48 met a stop");
}

#[test]
fn random_beads_do_not_gain_energy_at_their_stops() {
    let mut seed = 1_u64;
    let mut dice = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut ran, mut met) = (0, 0);
    for _ in 0..60 {
        let contact = ["", ", contact = \"unilateral\""][usize::from(dice() < 0.7)];
        let (rise, at) = (0.05 + 0.9 * dice(), 0.03 + 0.94 * dice());
        let (vx, step) = (6.0 * dice() - 3.0, 10_f64.powf(-2.7 - dice()));
        let text = bead(rise, at, vx, step, contact);
        let Some((gained, stopped)) = gain(&text, step) else {
            continue;
        };
        ran += 1;
        met += usize::from(stopped);
        assert!(gained < 5e-3, "{gained:e} of it:\n{text}");
    }
    assert!(ran > 50 && met > 20, "{ran} ran, {met} met a stop");
}
