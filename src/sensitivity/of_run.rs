//! Derivatives of a run by numbers of its model, through all its events.
//!
//! A communication step is a function Φ of the state x and of a number p. The change δ = dx/dp of the state is carried along,
//!
//! ```text
//! δ₊ = ∂Φ/∂x δ + ∂Φ/∂p
//! ```
//!
//! from the change of the start on. Where nothing happens within the step, the tangents of its stages carry it [exactly](super::carry). An event moves
//! with p, with the impulse there, the accelerations that start afresh, and the rest of the step, which gets shorter: δ₊ is then the slope between
//! [neighbours](super::beside) that begin at x ± ε δ with p ± ε, and find the instant to rounding, extrapolated to ε = 0. So it is, too, in every step for
//! a number of which the plan of the mechanism is made.
//!
//! A step in which a condition is nearly broken counts if the nearest neighbours do not break it either. Only neighbours ask for a run that is solved down to
//! rounding.
//!
//! All that is discrete has to be the same on both sides: the parts of each step, by which scheme, what joints do before and after
//! ([`Sequence`](super::runner::Sequence)), and the slopes to both sides. Where this fails with every ε, as where a contact grazes, there is no derivative
//! from there on: [`Lost`].

use super::known::{Known, Lost, NoSensitivity, begin};
use super::runner::{Changes, Runner};
use super::{Change, Perturbation};
use crate::model::Model;
use crate::system::State;

/// A run with the derivatives of all its outputs by some numbers of its model.
#[derive(Debug)]
pub struct Sensitivities {
    model: Model,
    run: Runner,
    /// The state at the beginning of the step.
    before: State,
    known: Vec<Known>,
    values: Vec<f64>,
}

impl Sensitivities {
    /// At the start, with these `inputs`, one for each of the model. `names` are paths of inputs, which are then moved all along the run, or of
    /// any number of the model that measures something.
    ///
    /// # Errors
    /// Where a name is no such number, where the model or one beside it has faults or does not start, and where the start has no derivative.
    pub fn start(
        model: &Model, names: &[&str], inputs: &[f64],
    ) -> Result<Sensitivities, NoSensitivity> {
        let run = begin(model, inputs)?;
        let known = names.iter().map(|name| {
            let mut known = Known::of(name, model, &run, inputs)?;
            known.start(model, &run, inputs)?;
            Ok(known)
        });
        let known = known.collect::<Result<_, NoSensitivity>>()?;
        let values = vec![0.0; run.system.model.outputs.len()];
        let before = run.state.clone();
        let mut all = Sensitivities { model: model.clone(), run, before, known, values };
        all.read();
        Ok(all)
    }

    /// Takes the communication step of `length` from `start` (s) with these `inputs`. What cannot be followed any more is [lost](Sensitivities::lost).
    pub fn advance(&mut self, inputs: &[f64], start: f64, length: f64) {
        let Sensitivities { model, run, before, known, .. } = self;
        before.copy_from(&run.state);
        known.iter_mut().for_each(Known::begin);
        let exact = known.is_empty() || known.iter().any(Known::is_passed);
        let carried = known.iter_mut().filter(|known| known.is_carried());
        let changes = carried.map(|known| (&mut known.change, &known.perturbation));
        let changes: Vec<(&mut Change, &Perturbation)> = changes.collect();
        let taken = run.carry(before, inputs, [start, length], changes, exact);
        for known in known.iter_mut().filter(|known| known.lost.is_none()) {
            let (ends, span) = ((&*before, &*run), [start, length]);
            let found = match &taken {
                Ok(Changes::Carried) if known.is_carried() => Ok(()),
                Ok(Changes::NearEvent) if known.is_carried() => {
                    known.confirm(model, ends, inputs, span)
                }
                Ok(_) => known.pass(model, ends, inputs, span),
                Err(fault) => Err(fault.to_string()),
            };
            match found {
                Ok(()) if known.is_carried() => known.take_carried(run),
                Ok(()) => (),
                Err(reason) => known.lose(start + length, reason),
            }
        }
        self.read();
    }

    /// Reads the outputs of the run.
    fn read(&mut self) {
        let outputs = &self.run.system.model.outputs;
        for (value, output) in self.values.iter_mut().zip(outputs) {
            *value = self.run.system.read(&self.run.state, output.output);
        }
    }

    /// The outputs of the run: solved down to rounding without names, and where neighbours derive it, else within the solver's tolerances.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// ∂y/∂p of each output y by the number p at this place among the names, where the run is; NaN where there is none.
    pub fn of(&self, name: usize) -> &[f64] {
        &self.known[name].slopes
    }

    /// From where on there is no derivative by the number at this place among the names.
    pub fn lost(&self, name: usize) -> Option<&Lost> {
        self.known[name].lost.as_ref()
    }
}
