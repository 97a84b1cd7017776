//! The state of a mechanism about which something is linear.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use coulisse::fmu::MODEL_FILE;
use coulisse::message::{figure, rounded};
use coulisse::model::Model;
use coulisse::solve::Stepper;
use coulisse::start::{equilibrium, start};
use coulisse::system::{State, System};

use crate::run;
use crate::unpacked::Unpacked;

/// Communication steps to a time, at the most.
const MAX_STEPS: f64 = 1e8;

/// Which state.
#[derive(Debug, clap::Args)]
pub struct Chosen {
    /// State about which the mechanism moves.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = At::Start)]
    at: At,
    /// The state of the simulation at this time instead, s.
    #[arg(long, value_name = "T", conflicts_with = "at", allow_hyphen_values = true)]
    at_time: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum At {
    /// As the simulation begins: with the strains of loads in a quasi-static analysis and with `initial.equilibrium = true`, without
    /// them otherwise.
    Start,
    /// The static equilibrium under the loads of t = 0.
    Equilibrium,
}

impl Chosen {
    /// Whether it is the start of the simulation.
    pub fn is_start(&self) -> bool {
        self.at_time.is_none() && self.at == At::Start
    }

    /// The state of a model with its inputs as in the file, and which it is in words.
    ///
    /// # Errors
    /// When there is none, or the time is not reached.
    pub fn find(&self, model: &Model, system: &System) -> Result<(State, String)> {
        let inputs: Vec<f64> = system.model().inputs.iter().map(|input| input.start).collect();
        if self.at_time.is_none() && self.at == At::Equilibrium {
            let state = equilibrium(system, &inputs).map_err(|fault| model.faults(&fault))?;
            return Ok((state, "in equilibrium under the loads of t = 0".to_owned()));
        }
        let state = start(system, &inputs).map_err(|fault| model.faults(&fault))?;
        match self.at_time {
            Some(time) => Ok((reach(system, state, time)?, format!("at t = {} s", figure(time)))),
            None => Ok((state, "at the start".to_owned())),
        }
    }
}

/// A model file, or that inside an FMU, with these numbers set.
///
/// # Errors
/// When it cannot be read, or has no such numbers.
pub fn model_of(path: &Path, set: &[(String, f64)]) -> Result<Model> {
    let unpacked;
    let path = if run::is_fmu(path) {
        unpacked = Unpacked::open(path)?;
        let inside = unpacked.resources().join(MODEL_FILE);
        if !inside.is_file() {
            bail!("{}: an FMU without a model of this project inside", path.display());
        }
        inside
    } else {
        path.to_owned()
    };
    run::with_values(run::model(&path)?, set)
}

/// The state of the simulation at a time, from that at the start.
fn reach(system: &System, mut state: State, time: f64) -> Result<State> {
    let step = system.model().experiment.communication_step;
    if !(time.is_finite() && time >= 0.0) {
        bail!("--at-time is {}; allowed: a finite number from 0 on", figure(time));
    }
    let steps = (time / step * (1.0 - 1e-9)).ceil();
    if steps > MAX_STEPS {
        bail!(
            "--at-time {} is {} communication steps of {} s away; allowed: {}",
            figure(time),
            rounded(steps, 3),
            figure(step),
            figure(MAX_STEPS)
        );
    }
    let mut stepper = Stepper::new(system);
    for i in 0..steps as u64 {
        let at = |i: u64| time * i as f64 / steps;
        let (from, to) = (at(i), at(i + 1));
        let outcome = stepper.advance(system, &mut state, from, to - from);
        outcome.with_context(|| format!("--at-time {} is not reached", figure(time)))?;
    }
    Ok(state)
}
