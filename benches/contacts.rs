//! Cost of a solver step with many sliders on one stiff bar: `cargo bench --bench contacts`.
//!
//! One thread, minimum and median of several runs. The bar has the same elements for every number of
//! sliders; one end of it is held on the path's height by a support, so that one slider is enough.

#[allow(dead_code)]
#[path = "../tests/claims/common/mod.rs"]
mod common;

use std::f64::consts::TAU;
use std::time::Instant;

use common::Simulation;
use common::bar::{self, Bar};
use coulisse::solve::Stepper;
use coulisse::start::start;
use coulisse::system::System;

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

fn heading(first: &str) {
    println!(
        "{first:>36} {:>8} {:>9} {:>9} {:>11} {:>9} {:>15}",
        "sliders", "µs/step", "median", "iterations", "halvings", "µs/step/slider"
    );
}

fn row(name: &str, sliders: usize, law: &str) {
    match Cost::of(sliders, law) {
        Ok(cost) => println!(
            "{name:>36} {sliders:8} {:9.2} {:9.2} {:11.2} {:9} {:15.2}",
            1e6 * cost.seconds[0],
            1e6 * cost.seconds[cost.seconds.len() / 2],
            cost.iterations,
            cost.rejections,
            1e6 * cost.seconds[0] / sliders as f64
        ),
        Err(fault) => println!("{name:>36} {sliders:8} stops: {fault}"),
    }
}

fn main() {
    heading("cost of sliders");
    for (name, law) in [
        ("bristle_lcp", "bristle_lcp = { stiffness = 1e5, coefficient = 0.5 }"),
        ("spring_friction", "spring_friction = { stiffness = 1e5, coefficient = 0.5 }"),
        ("coulomb", "coulomb = { coefficient = 0.5 }"),
    ] {
        for sliders in [1, 2, 5, 10, 15, 20] {
            row(name, sliders, law);
        }
    }
    println!();
    println!(
        "{:>28} {:>13} {:>8} {:>11} {:>9} {:>9}",
        "loads that jump every 20 ms", "analysis", "sliders", "iterations", "halvings", "refused"
    );
    for stiffness in ["1e5", "1e7", "1e9"] {
        for name in ["bristle_lcp", "spring_friction"] {
            let law = format!("{name} = {{ stiffness = {stiffness}, coefficient = 0.5 }}");
            for analysis in ["quasi_static", "dynamic"] {
                for sliders in [3, 10, 20] {
                    jumps(&format!("{name}, {stiffness}"), sliders, &law, analysis);
                }
            }
        }
    }
}

/// Loads at random that jump, below what the joints bear.
fn jumps(name: &str, sliders: usize, law: &str, analysis: &str) {
    let places: Vec<f64> = (0..sliders).map(|i| i as f64 / (sliders - 1) as f64).collect();
    let bar = Bar { analysis, gravity: 9.81, ..Bar::new(&places, 0.33, law) };
    let checked = common::check(&bar.text(), &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
    let mut state = match start(&system, &[0.0; 2]) {
        Ok(state) => state,
        Err(_) => {
            println!("{name:>28} {analysis:>13} {sliders:8} does not start");
            return;
        }
    };
    let mut stepper = Stepper::new(&system);
    let mut seed = 3;
    let mut refused = 0;
    for _ in 0..300 {
        state.inputs[0] = 384.0 * noise(&mut seed);
        state.inputs[1] = -300.0 * noise(&mut seed).abs();
        let (t, h) = (state.time, if analysis == "dynamic" { 20.0 } else { 1.0 } * STEP);
        refused += u32::from(stepper.advance(&system, &mut state, t, h).is_err());
    }
    let counters = state.counters;
    println!(
        "{name:>28} {analysis:>13} {sliders:8} {:11.2} {:9} {refused:9}",
        counters.iterations as f64 / counters.steps as f64,
        counters.rejections
    );
}

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}
