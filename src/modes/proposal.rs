//! A step for a model whose file gives none.
//!
//! It is the largest of 1, 2 and 5 times a power of ten that is no longer than
//!
//! - a communication step, and a two-hundredth of the run,
//! - a fortieth of a ramp, or of a period of what is harmonic; half the shortest interval of a table or a record,
//! - a four-hundredth of a turn of what turns at a given rate, or of the time in which what has the largest velocity at the start crosses the mechanism,
//! - a fortieth of the period of each of the three slowest vibrations about the start that last longer than a communication step. What
//!   is faster is not seen from outside; the time integration damps it.
//!
//! Of 40 steps in a period T the trapezoidal rule makes one of T (1 + (2π/40)²/12), 0.2 % too long. In a quasi-static analysis only the first two count.

use std::f64::consts::TAU;

use crate::checked::Checked;
use crate::checked::history::{History, MotionLaw};
use crate::checked::{Analysis, Direction};
use crate::message::rounded;
use crate::modes::{Loads, Nature, Sliding, modes};
use crate::numerics::expression::Expression;
use crate::numerics::hypot::hypot;
use crate::start::start;
use crate::system::System;

/// Steps in a period, in a ramp.
const IN_A_PERIOD: f64 = 40.0;

/// Steps in a turn, and in a crossing of the mechanism.
const IN_A_TURN: f64 = 400.0;

/// Steps in a run.
const IN_A_RUN: f64 = 200.0;

/// Vibrations that are looked at.
const SLOWEST: usize = 3;

/// Modes among which these are looked for: there may be rigid motions.
const MAX_MODES: usize = 12;

/// A step, and what asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// s.
    pub step: f64,
    /// In words.
    pub reason: String,
}

/// Instants of a run at which functions of time are looked at.
fn instants(run: f64) -> impl Iterator<Item = f64> {
    (0..=1000).map(move |i| run * f64::from(i) * 1e-3)
}

impl Proposal {
    /// The step for a model, of which the one of its [solver](crate::checked::Solver) is not used. What cannot start is judged without its
    /// velocities and vibrations.
    pub fn of(model: &Checked) -> Proposal {
        let (run, every) = (model.experiment.stop_time, model.experiment.communication_step);
        let mut shortest = Proposal { step: every, reason: "the communication step".to_string() };
        shortest.at_most(run / IN_A_RUN, || "200 steps in a run".to_string());
        if model.solver.analysis == Analysis::Dynamic {
            shortest.look_at_inputs(model);
            shortest.look_at_start(model, every);
        }
        shortest.step = round(shortest.step);
        shortest
    }

    fn at_most(&mut self, step: f64, reason: impl FnOnce() -> String) {
        if step < self.step && step > 0.0 {
            (self.step, self.reason) = (step, reason());
        }
    }

    /// What acts as a function of time.
    fn look_at_inputs(&mut self, model: &Checked) {
        let run = model.experiment.stop_time;
        for load in &model.loads {
            let name = format!("loads.{}", load.name);
            self.look_at_history(&name, &load.factors.history, run);
            load.factors.functions().for_each(|f| self.look_at_function(&name, f, run));
        }
        for load in &model.line_loads {
            let name = format!("loads.{}", load.name);
            self.look_at_history(&name, &load.factors.history, run);
            load.factors.functions().for_each(|f| self.look_at_function(&name, f, run));
        }
        for motion in &model.motions {
            let name = format!("motions.{}", motion.name);
            match &motion.law {
                MotionLaw::Scaled { value, history } => {
                    self.look_at_history(&name, history, run);
                    if let (Direction::Rotation, History::Expression(function)) =
                        (motion.direction, history)
                    {
                        let rate = instants(run).map(|t| (value * function.at(t)[1]).abs());
                        let step = TAU / rate.fold(0.0, f64::max) / IN_A_TURN;
                        self.at_most(step, || format!("400 steps in a turn of {name}"));
                    }
                }
                MotionLaw::Rate(rate) if motion.direction == Direction::Rotation => {
                    let step = TAU / rate.abs() / IN_A_TURN;
                    self.at_most(step, || format!("400 steps in a turn of {name}"));
                }
                MotionLaw::Record { ground, .. } => {
                    self.at_most(0.5 * ground.interval(), || {
                        format!("two steps in an interval of the record of {name}")
                    });
                }
                MotionLaw::Rate(_) | MotionLaw::Position(_) | MotionLaw::Acceleration(_) => {}
            }
        }
    }

    fn look_at_history(&mut self, name: &str, history: &History, run: f64) {
        match history {
            History::Constant => {}
            History::Expression(function) => self.look_at_function(name, function, run),
            History::Ramp { duration, .. } => {
                self.at_most(duration / IN_A_PERIOD, || format!("40 steps in the ramp of {name}"));
            }
            History::Sine { frequency, .. } => {
                self.at_most(1.0 / (frequency.abs() * IN_A_PERIOD), || {
                    format!("40 steps in a period of {name}")
                });
            }
            History::Table(spline, _) => {
                let intervals = spline.knots().windows(2).map(|pair| pair[1] - pair[0]);
                let least = intervals.fold(f64::INFINITY, f64::min);
                self.at_most(0.5 * least, || {
                    format!("two steps in an interval of the table of {name}")
                });
            }
        }
    }

    /// The period of a function is that of the sine that bends as much in the same range.
    fn look_at_function(&mut self, name: &str, function: &Expression, run: f64) {
        let (mut range, mut bend) = ([f64::INFINITY, f64::NEG_INFINITY], 0.0_f64);
        for [value, _, second] in instants(run).map(|t| function.at(t)) {
            range = [range[0].min(value), range[1].max(value)];
            bend = bend.max(second.abs());
        }
        let period = TAU * (0.5 * (range[1] - range[0]) / bend).sqrt();
        self.at_most(period / IN_A_PERIOD, || {
            format!("40 steps in a period of the expression of {name}")
        });
    }

    /// Velocities and vibrations.
    fn look_at_start(&mut self, model: &Checked, every: f64) {
        let inputs: Vec<f64> = model.inputs.iter().map(|input| input.start).collect();
        let Ok(system) = System::build(model) else {
            return;
        };
        let Ok(state) = start(&system, &inputs) else {
            return;
        };
        let points = (0..model.points.len()).map(|id| system.drawing().unknowns_of_point(id));
        let speeds = points.map(|[x, y]| hypot(state.velocity[x], state.velocity[y]));
        let fastest = speeds.fold(0.0, f64::max);
        self.at_most(system.size / fastest / IN_A_TURN, || {
            format!(
                "400 steps in the time in which what moves with {} m/s crosses the mechanism",
                rounded(fastest, 3)
            )
        });
        let loads = Loads::at_start(model);
        let Ok(found) = modes(&system, &state, MAX_MODES, Sliding::Free, loads) else {
            return;
        };
        let vibrations = found.list.iter().filter(|mode| mode.nature == Nature::Vibration);
        let periods = vibrations.map(|mode| TAU / mode.angular_frequency());
        for period in periods.take(SLOWEST).filter(|period| *period >= every) {
            self.at_most(period / IN_A_PERIOD, || {
                format!("40 steps in a period of the vibration of {} Hz", rounded(1.0 / period, 3))
            });
        }
    }
}

/// The largest of 1, 2 and 5 times a power of ten up to `step`.
fn round(step: f64) -> f64 {
    let power = step.log10().floor() as i32;
    // The power may be one too high or too low by rounding of the logarithm; written as decimals, so that it is the number of a file.
    let candidates = (power - 1..=power + 1)
        .flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}").parse().unwrap_or(0.0)));
    let fitting = candidates.filter(|candidate| *candidate <= step * (1.0 + 1e-12));
    fitting.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers_of_a_file() {
        for (step, expected) in
            [(1e-3, 1e-3), (9.99e-4, 5e-4), (4.9e-7, 2e-7), (0.3, 0.2), (7.0, 5.0), (0.006, 0.005)]
        {
            assert_eq!(round(step), expected);
        }
    }
}
