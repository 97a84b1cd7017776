//! `coulisse linearize`, `coulisse reduce` and `coulisse response`: linear models of a mechanism about a state.

mod files;
mod mat;
mod poles;
pub mod reduce;
pub mod response;

use std::path::PathBuf;

use anyhow::{Result, bail};
use coulisse::linearization::{self, Joints, Linear, is_linear};
use coulisse::modes::Loads;
use coulisse::system::System;

use crate::description::chosen;
use crate::libraries::Choice;
use crate::number::short;
use crate::run::with_outputs;
use crate::state::{Chosen, model_of};
use crate::{assignment, print};

/// Which linear model.
#[derive(clap::Args)]
pub struct Wanted {
    /// Model file (TOML) or FMU of this project.
    model: PathBuf,
    /// Inputs u, separated by commas; a name that ends in * stands for all that begin so. All of the model unless given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    inputs: Vec<String>,
    /// Outputs y, likewise.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    outputs: Vec<String>,
    #[command(flatten)]
    state: Chosen,
    /// What sliding joints do that are on their paths.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Slide::AsTheyAre)]
    joints: Slide,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Slide {
    /// They stick or slide as in the state, with the slope of their friction.
    AsTheyAre,
    /// All stick.
    Stuck,
    /// All slide without friction.
    Free,
}

#[derive(clap::Args)]
pub struct Request {
    #[command(flatten)]
    wanted: Wanted,
    /// Discretise with this sampling time, s, inputs held: A and B become those of x[k+1] = A x[k] + B u[k].
    #[arg(long, value_name = "T", value_parser = positive, allow_hyphen_values = true)]
    sample: Option<f64>,
    /// Write A, B, C, D with names and units here: .npz, .mat or .json; or .fmu, an FMU of the linear model.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    libraries: Choice,
}

/// A time above 0.
///
/// # Errors
/// For anything else.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(time) if time > 0.0 && time.is_finite() => Ok(time),
        _ => Err("allowed: a finite number above 0".to_owned()),
    }
}

/// A linear model with where it comes from.
struct Found {
    name: String,
    place: String,
    linear: Linear,
    /// End and communication step of the experiment of the model, s.
    experiment: [f64; 2],
    /// What is known of the error of a reduced model, by name.
    stated: Vec<(&'static str, f64)>,
}

impl Wanted {
    /// The linear model.
    ///
    /// # Errors
    /// The faults of the model; when there is no such state, input, output or linear model.
    fn find(&self) -> Result<Found> {
        let model = with_outputs(model_of(&self.model, &self.set)?, &self.outputs)?;
        let checked = model.check()?;
        let system = System::build(&checked).map_err(|fault| model.faults(&fault))?;
        let inputs = checked.inputs.iter().map(|input| input.path.as_str());
        let inputs = chosen("--inputs", "input", &self.inputs, &inputs.collect::<Vec<_>>())?;
        let linear = |output: &&coulisse::checked::OutputVariable| is_linear(&system, output);
        let all: Vec<(usize, &str)> = (checked.outputs.iter().enumerate())
            .filter(|(_, output)| linear(output))
            .map(|(place, output)| (place, output.path.as_str()))
            .collect();
        let names: Vec<&str> = all.iter().map(|(_, path)| *path).collect();
        let sums = checked
            .outputs
            .iter()
            .find(|output| !linear(output) && self.outputs.contains(&output.path));
        if let Some(output) = sums {
            bail!(
                "--outputs: `{}` jumps or is summed from the start, and has no linear model; leave it out",
                output.path
            );
        }
        let outputs = chosen("--outputs", "output", &self.outputs, &names)?;
        let outputs = outputs.into_iter().map(|k| all[k].0).collect();
        let joints = match self.joints {
            Slide::AsTheyAre => Joints::AsTheyAre,
            Slide::Stuck => Joints::Stuck,
            Slide::Free => Joints::Free,
        };
        let (state, mut place) = self.state.find(&model, &system)?;
        let unstrained = self.state.is_start() && Loads::at_start(&checked) == Loads::Absent;
        if unstrained && checked.has_elastic_parts() {
            place += ", without the stiffness of forces under loads (P-Delta), which --at equilibrium has";
        }
        let request = linearization::Request { inputs, outputs, joints };
        let linear = linearization::linearize(&system, &state, &request)
            .map_err(|fault| model.faults(&fault))?;
        let own = &checked.experiment;
        let experiment = [own.stop_time, own.communication_step];
        Ok(Found { name: checked.name, place, linear, experiment, stated: Vec::new() })
    }
}

/// Prints and writes the linear model that `request` asks for.
///
/// # Errors
/// As [`Wanted::find`]; when a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    crate::files::may_write(&request.output, &[&request.wanted.model])?;
    let format = request.output.as_deref().map(files::Format::of).transpose()?;
    let mut found = request.wanted.find()?;
    let text = text(&found);
    if let Some(time) = request.sample {
        found.linear = found.linear.sampled(time);
    }
    let text = match request.sample {
        Some(time) => {
            let (time, written) =
                (short(time), if request.output.is_some() { "written: " } else { "" });
            format!(
                "{text}\n\n{written}samples every {time} s, inputs held: a pole p becomes exp(p · {time} s)"
            )
        }
        None => text,
    };
    if let (Some(file), Some(format)) = (&request.output, format) {
        crate::files::write(
            file,
            &files::bytes(&found, format, request.sample, &request.libraries)?,
        )?;
    }
    print(&text)
}

/// What there is: sizes, poles, gains, and what the state does.
fn text(found: &Found) -> String {
    let Found { name, place, linear, .. } = found;
    let sizes = format!(
        "{name}: linear model {place}: {} states, {} inputs, {} outputs\n",
        linear.states.len(),
        linear.inputs.len(),
        linear.outputs.len()
    );
    let mut text = sizes + &state_of(linear) + "\n" + &poles::table(linear);
    for input in linear.inputs.iter().filter(|input| input.path.contains('(')) {
        text +=
            &format!("\n\nthe input is {}, because outputs follow it without delay", input.path);
    }
    text
}

/// What joints do in the state about which the model is linear, and how it moves.
fn state_of(linear: &Linear) -> String {
    let mut text = String::new();
    for (joint, regime) in &linear.regimes {
        text += &format!("{joint} {regime}\n");
    }
    if let Some((state, rate)) = fastest(linear) {
        text += &format!(
            "the state is no equilibrium: {} changes by {} per second; the model describes small deviations from that motion, as long as the configuration hardly changes\n",
            state,
            short(rate)
        );
    }
    text
}

/// The state that changes most per second.
fn fastest(linear: &Linear) -> Option<(&str, f64)> {
    let moving = linear.states.iter().zip(&linear.rates);
    // What rounding accelerates is no motion.
    let moving = moving.filter(|(_, rate)| rate.abs() > 1e-3);
    let most = moving.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    most.map(|(state, rate)| (state.path.as_str(), *rate))
}
