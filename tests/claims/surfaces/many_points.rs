//! Contacts of surfaces in many points.

use crate::common::edit::Edit;
use crate::common::{Simulation, bundled};

/// Which points touch follows from the steps before. Accelerations ring in what the step does not resolve: by positions that are extrapolated with
/// them less than half of the points that do would touch at first, and a step would take 8.9 solutions, not 3.7.
#[test]
fn a_thousand_points_take_few_solutions_per_step_while_their_load_grows() {
    const STEPS: f64 = 10.0;
    let fine = bundled("slider_in_guide").edit("cells = [8, 20]", "cells = [2, 250]");
    let mut sim = Simulation::of(&fine);
    assert!(sim.state.points.len() > 1000);
    sim.run(0.01, 1e-3, |_| ());
    let before = sim.state.counters;
    sim.run(0.01 + 1e-3 * STEPS, 1e-3, |_| ());
    let after = sim.state.counters;
    let each = (after.iterations - before.iterations) as f64 / STEPS;
    println!("{each:.1} solutions per step");
    assert!(each <= 4.0, "{each}");
    assert_eq!(after.rejections, before.rejections);
}
