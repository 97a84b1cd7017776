//! Cost of a solver step with many sliders on one stiff bar: `cargo bench --bench contacts`.
//!
//! One thread, minimum and median of several runs. The bar has the same elements for every number of
//! sliders; one end of it is held on the path's height by a support, so that one slider is enough.

#[path = "../tests/redundant/bar.rs"]
mod bar;
#[path = "../tests/common/mod.rs"]
mod common;

use std::f64::consts::TAU;
use std::time::Instant;

use common::Simulation;

const STEP: f64 = 1e-3;
const STEPS: usize = 1000;
const REPETITIONS: usize = 5;

/// What a run of one law on one number of sliders has cost.
struct Cost {
    /// s per step, rising.
    seconds: Vec<f64>,
    /// Linear solutions per step.
    iterations: f64,
    /// Steps that were halved.
    rejections: u64,
}

impl Cost {
    /// A load at an angle that grows and falls: joints slip one after another, all of them slide, and
    /// stick again.
    fn of(sliders: usize, law: &str) -> Result<Cost, String> {
        let model = bar::long_bar(sliders, law);
        let mut sim = Simulation::of(&model);
        let begin = sim.state.clone();
        let mut seconds = Vec::new();
        for _ in 0..REPETITIONS {
            sim.state.copy_from(&begin);
            let clock = Instant::now();
            sim.set("loads.skew.fy", -1000.0);
            for i in 0..STEPS {
                let t = STEP * i as f64;
                sim.set("loads.skew.fx", 600.0 * (TAU * 2.0 * t).sin());
                sim.try_step(t, STEP)?;
            }
            seconds.push(clock.elapsed().as_secs_f64() / STEPS as f64);
        }
        seconds.sort_by(f64::total_cmp);
        let counters = sim.state.counters;
        Ok(Cost {
            seconds,
            iterations: counters.iterations as f64 / STEPS as f64,
            rejections: counters.rejections,
        })
    }
}

fn main() {
    println!(
        "{:>30} {:>8} {:>9} {:>9} {:>11} {:>10} {:>15}",
        "", "sliders", "µs/step", "median", "iterations", "halvings", "µs/step/slider"
    );
    for law in [
        "bristle_lcp = { stiffness = 1e5, coefficient = 0.5, damping = 300.0 }",
        "spring_friction = { stiffness = 1e5, coefficient = 0.5 }",
        "coulomb = { coefficient = 0.5, transition = \"return_map\" }",
        "coulomb = { coefficient = 0.5, transition = \"set_valued\" }",
    ] {
        let name = law.split_once(" = ").map_or("", |(name, _)| name);
        let transition = law.rsplit('"').nth(1).unwrap_or("");
        for sliders in [1, 2, 5, 10, 20] {
            let name = format!("{name} {transition}");
            match Cost::of(sliders, law) {
                Ok(cost) => println!(
                    "{name:>30} {sliders:8} {:9.2} {:9.2} {:11.2} {:10} {:15.2}",
                    1e6 * cost.seconds[0],
                    1e6 * cost.seconds[cost.seconds.len() / 2],
                    cost.iterations,
                    cost.rejections,
                    1e6 * cost.seconds[0] / sliders as f64
                ),
                Err(fault) => println!("{name:>30} {sliders:8} stops: {fault}"),
            }
        }
    }
}
