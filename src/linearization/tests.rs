//! Linear models against differences of the nonlinear equations.

use std::path::Path;

use super::equations::Equations;
use super::states::resolve;
use super::{Joints, is_linear};
use crate::model::Model;
use crate::sensitivity::{About, Direction};
use crate::solve::Stepper;
use crate::start::start;
use crate::system::{State, System};

/// Sizes of differences as shares of the mechanism: near a kink the smallest is right, where forces are stiff the largest.
const SMALL: [f64; 4] = [1e-5, 1e-6, 1e-7, 1e-8];

/// Entries of a column relative to those of all columns that are rounding.
const ROUNDING: f64 = 1e-9;

/// Time, s, over which the nonlinear equations let massless unknowns follow: no vibration of these models feels it.
const INSTANT: f64 = 1e-9;

/// Largest error of a column relative to its largest entry of one kind.
const WITHIN: f64 = 2e-5;

fn moved(state: &State, direction: &Direction, share: f64) -> State {
    let mut there = state.clone();
    for u in 0..direction.q.len() {
        there.q.add(u, share * direction.q[u]);
        there.velocity[u] += share * direction.velocity[u];
    }
    for (reached, value) in there.reached.iter_mut().zip(&direction.inputs) {
        reached[0] += share * value;
    }
    for (motion, [value, rate, acceleration]) in there.motions.iter_mut().zip(&direction.motions) {
        motion.value += share * value;
        motion.rate += share * rate;
        motion.acceleration += share * acceleration;
    }
    there
}

/// The largest error of every `nth` column of the linear model of a bundled model at `time` (s), which are compared with central differences
/// of accelerations and outputs.
fn error(name: &str, time: f64, nth: usize) -> f64 {
    let file = format!("{}/resources/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let checked = Model::load(Path::new(&file)).unwrap().check().unwrap();
    let system = System::build(&checked).unwrap();
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let mut state = start(&system, &inputs).unwrap();
    let mut stepper = Stepper::new(&system);
    let step = checked.experiment.communication_step;
    for k in 0..(time / step).round() as usize {
        stepper.advance(&system, &mut state, k as f64 * step, step).unwrap();
    }
    state.control.length = INSTANT;
    let outputs: Vec<_> = (checked.outputs.iter().filter(|output| is_linear(&system, output)))
        .map(|output| output.output)
        .collect();
    let all: Vec<usize> = (0..inputs.len()).collect();
    let mut equations = Equations::about(&system, &state, &all, Joints::AsTheyAre).unwrap();
    let resolved = resolve(&mut equations, &outputs).unwrap();
    let about = |state: &State| About::new(&system, state, |_| ()).unwrap().state;
    let mut worst = 0.0_f64;
    for (k, direction) in resolved.directions.iter().enumerate().step_by(nth) {
        let largest = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let moves = largest(&direction.q).max(largest(&direction.velocity)).max(1e-3);
        let pairs = SMALL.map(|small| {
            let share = small * system.size / moves;
            (share, [-share, share].map(|share| about(&moved(&state, direction, share))))
        });
        let read = |state: &State, of| system.read(state, of);
        let columns = resolved.a.ncols();
        let linear = |row: usize| match k.checked_sub(columns) {
            None => resolved.c[(row, k)],
            Some(jet) => {
                let (order, input) = (jet / all.len(), jet % all.len());
                resolved.feed[order][(row, input)]
            }
        };
        for (row, &output) in outputs.iter().enumerate() {
            let quantity = super::item(&checked, output).quantity;
            let same = |other: &usize| super::item(&checked, outputs[*other]).quantity == quantity;
            let kind: Vec<usize> = (0..outputs.len()).filter(same).collect();
            let scale = kind.iter().map(|&row| linear(row).abs()).fold(0.0, f64::max);
            let all = kind.iter().map(|&row| resolved.c.row(row).amax()).fold(0.0, f64::max);
            let scale = scale.max(ROUNDING * all).max(1e-12);
            let of = |(share, [less, more]): &(f64, [State; 2])| {
                0.5 * (read(more, output) - read(less, output)) / share
            };
            // What a change of the size changes is not known better.
            let found = pairs.each_ref().map(of);
            let known = |k: usize| 2.0 * (found[k] - found[k + 1]).abs();
            let error = |k: &usize| {
                let apart = (found[*k] - linear(row)).abs().min((found[k + 1] - linear(row)).abs());
                (apart - known(*k)).max(0.0) / scale
            };
            let best = (0..SMALL.len() - 1).min_by(|a, b| error(a).total_cmp(&error(b)));
            let best = best.expect("several");
            let (error, seen) = (error(&best), found[best]);
            if error > worst {
                worst = error;
                println!(
                    "{name} at {time}: column {k} of {columns}, {}: {found:?} {seen:e} {:e}",
                    checked.outputs.iter().find(|o| o.output == output).unwrap().path,
                    linear(row)
                );
            }
        }
    }
    println!("{name} at {time} s: {} states, worst {worst:e}", resolved.a.ncols());
    worst
}

#[test]
fn the_linear_models_of_bundled_models_are_the_slopes_of_their_equations() {
    for (name, time, nth) in [
        ("incline", 0.05, 1),
        ("rabinowicz", 0.05, 1),
        ("quarter_car", 0.0, 1),
        ("quarter_car", 0.5, 1),
        ("half_car", 0.3, 1),
        ("compressor", 0.0, 1),
        ("slider_crank_with_clearance", 0.01, 1),
        ("moving_mass_on_bridge", 0.1, 3),
        ("cam_and_spring", 0.02, 1),
        ("press", 0.05, 1),
        ("vehicle_on_bridge", 0.1, 37),
        ("isolated_building_frame", 0.0, 97),
    ] {
        let worst = error(name, time, nth);
        assert!(worst < WITHIN, "{name} at {time} s: {worst:e}");
    }
}
