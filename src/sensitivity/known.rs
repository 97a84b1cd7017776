//! A number by which a run is derived, and the change of the run by it.

use super::beside::{SIZES, Sides, first_place, settle, share};
use super::runner::Runner;
use super::{Change, Perturbation};
use crate::checked::{Output, Subject};
use crate::model::{Faults, Model};
use crate::system::{State, System, SystemFault};

/// Difference of a number, relative to it, by which outputs of a law alone are derived to fourth order.
const LAW_STEP: f64 = 1e-3;

/// Why there are no derivatives of a run.
#[derive(Debug, thiserror::Error)]
pub enum NoSensitivity {
    /// The model has faults, or has some beside the number.
    #[error(transparent)]
    Model(#[from] Faults),
    /// There is no such number, no start or no derivative of the start.
    #[error("{0}")]
    Start(String),
}

/// From where on there is no derivative by a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// The communication point up to which it is lost, s.
    pub time: f64,
    /// Where and why, in words.
    pub reason: String,
}

/// What follows from a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// An input, moved all along the run.
    Input(usize),
    /// A number of friction laws, which may change between steps.
    Tuned,
    /// The start alone.
    Start,
    /// The plan of the mechanism.
    Plan,
}

/// A number by which is derived.
#[derive(Debug)]
pub(super) struct Known {
    name: String,
    kind: Kind,
    value: f64,
    /// What ε is relative to.
    size: f64,
    /// The neighbours for each ε, made when they are needed.
    sides: [Option<Box<Sides>>; SIZES],
    /// Change of the state per unit of the number, and room to carry it.
    pub change: Change,
    /// What a host sets otherwise, per unit of the number.
    pub perturbation: Perturbation,
    /// The change at the beginning of the step.
    begun: State,
    pub slopes: Vec<f64>,
    pub lost: Option<Lost>,
}

impl Known {
    pub fn of(
        name: &str, model: &Model, run: &Runner, inputs: &[f64],
    ) -> Result<Known, NoSensitivity> {
        let checked = &run.system.model;
        let input = checked.inputs.iter().position(|input| input.path == name);
        let mut perturbation = Perturbation::none(&run.system);
        let tuned = checked.parameters.iter().position(|parameter| parameter.path == name);
        let tuned = tuned.filter(|k| checked.parameters[*k].tunable.is_some());
        let (kind, value) = match (input, tuned) {
            (Some(k), _) => {
                perturbation.inputs[k] = 1.0;
                (Kind::Input(k), inputs[k])
            }
            (None, Some(k)) => {
                perturbation.parameters[k] = 1.0;
                (Kind::Tuned, number(name, model)?)
            }
            _ if name.starts_with("initial.") => (Kind::Start, number(name, model)?),
            _ => (Kind::Plan, number(name, model)?),
        };
        // Where it is 0 the mechanism's size for a length, else one unit.
        let size = match (value == 0.0, model.unit_of(name)) {
            (false, _) => value.abs(),
            (true, Some("m")) => run.system.size,
            (true, _) => 1.0,
        };
        Ok(Known {
            name: name.to_owned(),
            kind,
            value,
            size,
            sides: Default::default(),
            change: Change::none(&run.system, &run.state, &perturbation),
            perturbation,
            begun: run.state.clone(),
            slopes: vec![0.0; checked.outputs.len()],
            lost: None,
        })
    }

    /// Whether steps without events carry the change exactly.
    pub fn is_carried(&self) -> bool {
        self.kind != Kind::Plan && self.lost.is_none()
    }

    /// Whether neighbours of the run derive every step.
    pub fn is_passed(&self) -> bool {
        self.kind == Kind::Plan && self.lost.is_none()
    }

    /// Finds the change of the start.
    ///
    /// # Errors
    /// Why it has no derivative.
    pub fn start(
        &mut self, model: &Model, run: &Runner, inputs: &[f64],
    ) -> Result<(), NoSensitivity> {
        let mut fault = None;
        let found = settle(run, 0, self.size, |place| {
            let sides = self.sides_of_start(place, model, run, inputs).map_err(|why| {
                let text = why.to_string();
                fault = Some(why);
                text
            })?;
            let slopes = sides.slopes(run);
            if self.kind == Kind::Plan {
                self.sides[place] = Some(Box::new(sides));
            }
            slopes
        });
        let (state, outputs) = found.map_err(|reason| {
            fault.unwrap_or_else(|| {
                NoSensitivity::Start(format!(
                    "the start has no derivative by `{}`: {reason}",
                    self.name
                ))
            })
        })?;
        (self.change.by, self.slopes) = (state, outputs);
        Ok(())
    }

    /// Neighbours at their start.
    fn sides_of_start(
        &self, place: usize, model: &Model, run: &Runner, inputs: &[f64],
    ) -> Result<Sides, NoSensitivity> {
        let step = share(place) * self.size;
        let side = |by: f64| match self.kind {
            Kind::Input(_) => begin(model, &self.moved(inputs, by)),
            _ => match model.clone().with_value(&self.name, self.value + by) {
                Ok(other) => begin(&other, inputs).map_err(|fault| {
                    NoSensitivity::Start(format!(
                        "with `{}` = {} near {}: {fault}",
                        self.name,
                        self.value + by,
                        self.value
                    ))
                }),
                Err(fault) => Err(NoSensitivity::Start(fault.to_string())),
            },
        };
        let both = Box::new([side(step)?, side(-step)?]);
        if !both.iter().all(|side| side.state.fits(&run.system)) {
            return Err(NoSensitivity::Start(format!(
                "`{}` changes how many unknowns the model has; allowed: numbers that leave its elements as they are",
                self.name
            )));
        }
        Ok(Sides { both, by: [step, -step].map(|step| (self.value + step) - self.value) })
    }

    /// Keeps the change at the beginning of a step.
    pub fn begin(&mut self) {
        self.begun.copy_from(&self.change.by);
    }

    /// Takes the change at the end of the step, which has been carried there.
    pub fn take_carried(&mut self, run: &Runner) {
        let Runner { system, state, .. } = run;
        for (k, output) in system.model.outputs.iter().enumerate() {
            let output = output.output;
            self.slopes[k] = match (self.kind, output.of) {
                (Kind::Tuned, Subject::Equivalent(_)) => self.by_law(run, output),
                _ => system.output_change(state, &self.change.by, output),
            };
        }
    }

    /// Derivative of an output that a tuned law has without the mechanism.
    fn by_law(&self, run: &Runner, output: Output) -> f64 {
        let Runner { system, state, .. } = run;
        let mut beside = state.clone();
        let mut at = |by: f64| {
            beside.tuning = state.tuning.moved(&self.change.friction, by);
            system.read(&beside, output)
        };
        let step = LAW_STEP * self.size;
        (8.0 * (at(step) - at(-step)) - at(2.0 * step) + at(-2.0 * step)) / (12.0 * step)
    }

    /// Finds the change over the communication step from `before` to where `run` is by neighbours of the run.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn pass(
        &mut self, model: &Model, (before, run): (&State, &Runner), inputs: &[f64], span: [f64; 2],
    ) -> Result<(), String> {
        let first = first_place(&run.system, before, &self.begun, span[1], self.size);
        let (state, outputs) = settle(run, first, self.size, |place| {
            self.advance_sides(place, model, (before, run), inputs, span, Sides::slopes)
        })?;
        self.change.by = state;
        if self.kind == Kind::Plan {
            self.slopes = outputs;
        }
        Ok(())
    }

    /// Confirms the change that tangents have carried over the communication step from `before` to where `run` is, past what is nearly an event: the nearest
    /// neighbours have to be on the sequence of the run.
    ///
    /// # Errors
    /// Where they are not.
    pub fn confirm(
        &mut self, model: &Model, ends: (&State, &Runner), inputs: &[f64], span: [f64; 2],
    ) -> Result<(), String> {
        self.advance_sides(SIZES - 1, model, ends, inputs, span, Sides::confirm)
    }

    /// Takes the neighbours of a place over the communication step, and looks at them beside the run.
    fn advance_sides<T>(
        &mut self, place: usize, model: &Model, (before, run): (&State, &Runner), inputs: &[f64],
        [start, length]: [f64; 2], look: impl FnOnce(&Sides, &Runner) -> Result<T, String>,
    ) -> Result<T, String> {
        if self.sides[place].is_none() {
            self.sides[place] = Some(Box::new(match self.kind {
                Kind::Plan => {
                    let sides = self.sides_of_start(place, model, run, inputs);
                    sides.map_err(|fault| fault.to_string())?
                }
                _ => self.sides_of_run(place, run),
            }));
        }
        let Some(mut sides) = self.sides[place].take() else { return Err(String::new()) };
        let mut taken = Ok(());
        for (side, by) in sides.both.iter_mut().zip(sides.by) {
            side.begin_beside(before, by, &self.begun);
            let inputs = self.moved(inputs, by);
            taken = taken.and(side.advance(&inputs, start, length));
        }
        let found = match taken {
            Ok(()) => look(&sides, run),
            Err(fault) => Err(format!("a neighbour of the run ends there: {fault}")),
        };
        self.sides[place] = Some(sides);
        found
    }

    /// Neighbours with the plan of the run.
    fn sides_of_run(&self, place: usize, run: &Runner) -> Sides {
        let step = share(place) * self.size;
        let by = [step, -step];
        let both = by.map(|by| run.beside(run.state.tuning.moved(&self.change.friction, by)));
        let both = Box::new(both);
        Sides { both, by }
    }

    /// The inputs beside those of the run.
    fn moved(&self, inputs: &[f64], by: f64) -> Vec<f64> {
        let mut inputs = inputs.to_vec();
        if let Kind::Input(k) = self.kind {
            inputs[k] += by;
        }
        inputs
    }

    /// There are no derivatives from `time` (s) on.
    pub fn lose(&mut self, time: f64, reason: String) {
        self.lost = Some(Lost { time, reason });
        self.slopes.fill(f64::NAN);
    }
}

/// The value of a number of the model that measures something.
fn number(name: &str, model: &Model) -> Result<f64, NoSensitivity> {
    let fault = |fault: &dyn ToString| NoSensitivity::Start(fault.to_string());
    // The model says which names are near, and what counts has no derivative.
    let value = model.numbers().get(name).copied();
    model.clone().with_value(name, value.unwrap_or(1.0)).map_err(|unknown| fault(&unknown))?;
    value.ok_or_else(|| {
        fault(&format!(
            "`{name}` counts something and has no derivative; allowed: numbers that measure something"
        ))
    })
}

/// The run of a model.
pub(super) fn begin(model: &Model, inputs: &[f64]) -> Result<Runner, NoSensitivity> {
    let refused = |fault: SystemFault| NoSensitivity::Start(model.faults(&fault).to_string());
    let system = System::build(&model.check()?).map_err(refused)?;
    Runner::start(system, inputs).map_err(refused)
}
