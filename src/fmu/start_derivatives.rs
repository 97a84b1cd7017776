//! Derivatives of the consistent start: by the tangent where positions stay as they are, else by
//! differences that have settled.

use super::blueprint::Built;
use super::differences::{
    Estimate, LARGEST_CHANGE, NEGLIGIBLE, NOTHING, ROUNDINGS, TOLERANCE, derivatives_at_zero,
};
use super::instance::Instance;
use super::report::Refusal;
use crate::checked::{Output, Subject};
use crate::message::rounded;
use crate::sensitivity::{self, Perturbation};
use crate::start;
use crate::system::{State, System, SystemFault};

impl Instance {
    /// Changes of the `outputs` of the start, whose value references are `unknown`.
    ///
    /// # Errors
    /// [`Status::Discard`](super::Status::Discard) where there is no derivative.
    pub(super) fn change_of_start(
        &self, built: &Built, inputs: &[f64], perturbation: &Perturbation, unknown: &[u32],
        outputs: &[Output],
    ) -> Result<Vec<f64>, Refusal> {
        let discard = |fault: SystemFault| Refusal::discard(fault.to_string());
        let system = &built.system;
        let tuning = self.blueprint.tuning(built, &self.memory.parameters)?;
        // Of linearised friction the tangent knows nothing.
        let linearised = |output: &Output| matches!(output.of, Subject::Equivalent(_));
        if !outputs.iter().any(linearised)
            && let Some((state, by)) =
                sensitivity::change_of_start(system, inputs, tuning, perturbation)
                    .map_err(discard)?
        {
            let change = |&output: &Output| system.output_change(&state, &by, output);
            return Ok(outputs.iter().map(change).collect());
        }
        self.differences_of_start(built, inputs, perturbation, unknown, outputs)
    }

    /// Changes of the outputs of a start by differences.
    fn differences_of_start(
        &self, built: &Built, inputs: &[f64], perturbation: &Perturbation, unknown: &[u32],
        outputs: &[Output],
    ) -> Result<Vec<f64>, Refusal> {
        let changed = |values: &[f64], by: &[f64], e: f64| -> Vec<f64> {
            values.iter().zip(by).map(|(v, d)| v + e * d).collect()
        };
        let read = |system: &System, state: &State| -> Vec<f64> {
            outputs.iter().map(|&output| system.read(state, output)).collect()
        };
        let refused = |fault: SystemFault| Refusal::discard(fault.to_string());
        let own: Vec<f64> = (self.memory.parameters.iter().enumerate())
            .map(|(k, set)| set.unwrap_or_else(|| self.blueprint.parameter(built, k)))
            .collect();
        let values = |e: f64| {
            let inputs = changed(inputs, &perturbation.inputs, e);
            let mut parameters = self.memory.parameters.clone();
            let moved = changed(&own, &perturbation.parameters, e);
            for (k, value) in moved.into_iter().enumerate() {
                if perturbation.parameters[k] != 0.0 {
                    parameters[k] = Some(value);
                }
            }
            let other;
            let built = if perturbation.parameters.iter().all(|by| *by == 0.0) {
                built
            } else {
                other = self.blueprint.built_with(&parameters)?;
                &other
            };
            let tuning = self.blueprint.tuning(built, &parameters)?;
            let state =
                start::start_to_rounding(&built.system, &inputs, tuning).map_err(refused)?;
            Ok(read(&built.system, &state))
        };
        let pairs = (inputs.iter().zip(&perturbation.inputs))
            .chain(own.iter().zip(&perturbation.parameters));
        let size = pairs
            .map(|(value, by)| by.abs() / if *value == 0.0 { 1.0 } else { value.abs() })
            .fold(0.0, f64::max);
        if size == 0.0 {
            return Ok(vec![0.0; outputs.len()]);
        }
        let here = values(0.0)?;
        let tuning = self.blueprint.tuning(built, &self.memory.parameters)?;
        let state = start::start_tuned(&built.system, inputs, tuning).map_err(refused)?;
        let rounding: Vec<f64> = (here.iter().zip(read(&built.system, &state)))
            .map(|(exact, value)| (exact - value).abs() + f64::EPSILON * exact.abs())
            .collect();
        let none: Vec<f64> = (outputs.iter())
            .map(|&output| size * negligible(&built.system, &state, output))
            .collect();
        let largest = LARGEST_CHANGE / size;
        let found = derivatives_at_zero(values, &here, &rounding, &none, largest)
            .map_err(|refusal| Refusal::discard(refusal.message))?;
        let answer = |(i, estimate): (usize, &Estimate)| {
            if estimate.error <= none[i].max(TOLERANCE * estimate.value.abs()) {
                return Ok(estimate.value);
            }
            let in_rounding = estimate.error <= ROUNDINGS * rounding[i] * size;
            if in_rounding && estimate.value.abs() <= estimate.error {
                return Ok(0.0);
            }
            Err(Refusal::discard(format!(
                "{} has no derivative at the start that differences can determine: at best they yield \
                 {} with an error of {}; it has a kink or a jump there, or rounding hides it",
                self.name(unknown[i]),
                rounded(estimate.value, 5),
                rounded(estimate.error, 2)
            )))
        };
        found.iter().enumerate().map(answer).collect()
    }
}

/// A change of an output that is none: a share of the largest output of the same quantity.
fn negligible(system: &System, state: &State, output: Output) -> f64 {
    let all = &system.model().outputs;
    let own = all.iter().find(|variable| variable.output == output);
    let alike = (all.iter()).filter(|v| own.is_some_and(|own| own.quantity == v.quantity));
    let largest = alike.fold(0.0_f64, |largest, v| largest.max(system.read(state, v.output).abs()));
    NOTHING.max(NEGLIGIBLE * largest)
}
