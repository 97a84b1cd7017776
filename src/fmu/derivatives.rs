//! Derivatives: of outputs by inputs and parameters, of inputs and outputs by time.

use super::blueprint::Built;
use super::instance::Instance;
use super::interface::{Kind, Role};
use super::memory::LastStep;
use super::mode::{Mode, Protocol};
use super::report::Refusal;
use super::values::check_size;
use crate::checked::{Checked, Output};
use crate::sensitivity::Perturbation;
use crate::solve::Stepper;
use crate::system::{State, StateWithRates, System, TimeDerivatives};

/// Known variables and by how much each changes.
type Direction<'a> = (&'a [u32], &'a dyn Fn(usize) -> f64);

/// An output's value and its first and second time derivative, as far as the state holds them.
fn known(system: &System, state: &StateWithRates, output: Output) -> [Option<f64>; 3] {
    let [first, second] = system.output_rates(state, output);
    [Some(system.read(state.now, output)), first, second]
}

impl LastStep {
    /// Mean slope over the last step between the values reported at its ends; 0 before the first step and of what was not known.
    fn mean_slope(&self, ends: [Option<f64>; 2]) -> f64 {
        match ends {
            [Some(before), Some(now)] if self.length > 0.0 => (now - before) / self.length,
            _ => 0.0,
        }
    }

    /// First time derivative of an output of `now`, its end.
    pub(super) fn rate(&self, system: &System, now: &StateWithRates, output: Output) -> f64 {
        let [value, first, _] = known(system, now, output);
        first.unwrap_or_else(|| self.mean_slope([Some(system.read(&self.before, output)), value]))
    }

    /// Changes of `outputs` at its end by each of the `perturbations`; see [`crate::sensitivity`].
    fn changes(
        &self, built: &Built, stepper: &mut Stepper, perturbations: &[Perturbation],
        outputs: &[Output],
    ) -> Result<Vec<Vec<f64>>, Refusal> {
        let system = &built.system;
        let (end, each) = stepper
            .changes(system, &self.before, self.start, self.length, perturbations)
            .map_err(|fault| Refusal::discard(fault.to_string()))?;
        let changes = |by: &State| {
            outputs.iter().map(|&output| system.output_change(&end, by, output)).collect()
        };
        Ok(each.iter().map(changes).collect())
    }
}

impl Instance {
    /// Changes of the outputs `unknown` by the changes `seed` of `known`: ∂unknown/∂known · seed.
    ///
    /// After a communication step: how the outputs at its end would differ, had the inputs and
    /// tunable parameters that were set before it differed; its beginning stays. By the converged
    /// tangents of all its substeps.
    ///
    /// In Initialization Mode and before the first step: how the consistent start would differ by
    /// inputs and all parameters. By the tangent where positions stay, else by differences that
    /// have settled (`differences.rs`).
    ///
    /// # Errors
    /// [`Status::Error`](super::Status::Error) for variables that are no unknown or known;
    /// [`Status::Discard`](super::Status::Discard) where there is no derivative.
    pub fn directional_derivative(
        &mut self, unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        let changes = self.changes(unknown, &[(known, &seed)])?;
        changes.into_iter().flatten().enumerate().for_each(|(i, change)| put(i, change));
        Ok(())
    }

    /// Σ seed · ∂unknown/∂known for each of `known`: the derivatives of [`Instance::directional_derivative`] in the directions of all of them, with
    /// which the step is taken once, so both agree to rounding.
    ///
    /// # Errors
    /// Those of [`Instance::directional_derivative`].
    pub fn adjoint_derivative(
        &mut self, unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        let one = |_: usize| 1.0;
        let directions: Vec<Direction<'_>> =
            known.chunks(1).map(|own| (own, &one as &dyn Fn(usize) -> f64)).collect();
        for (k, changes) in self.changes(unknown, &directions)?.into_iter().enumerate() {
            put(k, changes.iter().enumerate().map(|(i, change)| seed(i) * change).sum());
        }
        Ok(())
    }

    /// Changes of the outputs `unknown` in each of some directions.
    fn changes(
        &mut self, unknown: &[u32], directions: &[Direction<'_>],
    ) -> Result<Vec<Vec<f64>>, Refusal> {
        if self.memory.protocol == Protocol::ModelExchange {
            return Err(self.memory.protocol.lacks(Protocol::CoSimulation));
        }
        self.start()?;
        let built = self.built()?;
        let Some(last) = &self.memory.last else {
            return Err(Refusal::error("the mechanism has no start"));
        };
        let outputs = self.unknowns(built.system.model(), unknown, last.length == 0.0)?;
        let perturbations = directions
            .iter()
            .map(|(known, seed)| self.perturbation(&built, last, known, seed))
            .collect::<Result<Vec<Perturbation>, Refusal>>()?;
        let changes = if last.length == 0.0 {
            let inputs = &last.before.inputs;
            perturbations
                .iter()
                .map(|by| self.change_of_start(&built, inputs, by, unknown, &outputs))
                .collect::<Result<_, Refusal>>()?
        } else if self.memory.mode == Mode::StepFailed {
            return Err(Refusal::discard(
                "the last communication step was discarded; derivatives are over whole steps",
            ));
        } else if self.memory.events.at_event {
            return Err(Refusal::discard(
                "the last communication step ended at an event, where outputs jump; derivatives are over steps without one at their end",
            ));
        } else {
            let system = &built.system;
            let stepper = self.stepper.get_or_insert_with(|| Stepper::new(system));
            last.changes(&built, stepper, &perturbations, &outputs)?
        };
        let infinite = |changes: &Vec<f64>| changes.iter().position(|change| !change.is_finite());
        if let Some(i) = changes.iter().find_map(infinite) {
            return Err(Refusal::discard(format!(
                "{} has no finite derivative here",
                self.name(unknown[i])
            )));
        }
        Ok(changes)
    }

    /// The outputs of these value references; `at_start`, calculated parameters are unknowns, too.
    fn unknowns(
        &self, model: &Checked, references: &[u32], at_start: bool,
    ) -> Result<Vec<Output>, Refusal> {
        let output = |&reference: &u32| {
            let variable = self.blueprint.interface().get(reference);
            match variable.map(|v| (v.role, v.is_measured())) {
                Some((Role::Output(k), true)) => Ok(model.outputs[k].output),
                Some((Role::Calculated(k), true)) if at_start => Ok(model.calculated[k].output),
                Some(_) => Err(Refusal::error(format!(
                    "{} is no unknown; allowed: outputs of type Real",
                    self.name(reference)
                ))),
                None => Err(self.unknown_reference(reference)),
            }
        };
        references.iter().map(output).collect()
    }

    fn perturbation(
        &self, built: &Built, last: &LastStep, known: &[u32], seed: impl Fn(usize) -> f64,
    ) -> Result<Perturbation, Refusal> {
        let mut perturbation = Perturbation::none(&built.system);
        for (i, &reference) in known.iter().enumerate() {
            let change = seed(i);
            if !change.is_finite() {
                return Err(Refusal::error(format!(
                    "the change of {} is {change}; allowed: finite numbers",
                    self.name(reference)
                )));
            }
            let parameters = &self.blueprint.checked().parameters;
            match self.role(Kind::Real, reference)? {
                Role::Input(k) => perturbation.inputs[k] += change,
                Role::Parameter(k) if last.length == 0.0 || parameters[k].tunable.is_some() => {
                    perturbation.parameters[k] += change;
                }
                Role::Parameter(_) => {
                    return Err(Refusal::error(format!(
                        "{} is a fixed parameter, and a communication step has been taken; \
                         allowed: inputs and tunable parameters",
                        self.name(reference)
                    )));
                }
                Role::Output(_) | Role::Calculated(_) | Role::Own(_) => {
                    return Err(Refusal::error(format!(
                        "{} is no known; allowed: inputs and parameters",
                        self.name(reference)
                    )));
                }
            }
        }
        Ok(perturbation)
    }

    /// Sets time derivatives of inputs for the next communication step: for each of `references`
    /// the one of order `order(i)`, 1 or 2. All or none.
    ///
    /// # Errors
    /// For variables that are no inputs, other orders and values that no input may have.
    pub fn set_input_derivatives(
        &mut self, references: &[u32], order: impl Fn(usize) -> i32, value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        let mut changes = Vec::with_capacity(references.len());
        for (i, &reference) in references.iter().enumerate() {
            let Role::Input(k) = self.role(Kind::Real, reference)? else {
                return Err(Refusal::error(format!(
                    "{} is no input; allowed: inputs of type Real",
                    self.name(reference)
                )));
            };
            self.check_order(reference, order(i))?;
            let name = self.name(reference);
            check_size(&format_args!("derivative of {name}"), value(i))?;
            changes.push((k, order(i), value(i)));
        }
        let memory = &mut self.memory;
        for (k, order, value) in changes {
            let rates = match &mut memory.state {
                Some(state) if memory.mode == Mode::StepComplete => &mut state.input_rates[k],
                _ => &mut memory.input_rates[k],
            };
            rates.given = true;
            if order == 1 {
                rates.first = value;
            } else {
                rates.second = value;
            }
        }
        if let (Some(state), true) = (&mut memory.state, memory.mode != Mode::StepComplete) {
            state.input_rates.copy_from_slice(&memory.input_rates);
        }
        Ok(())
    }

    /// Reads time derivatives of outputs at the end of the last step: for each of `references` the
    /// one of order `order(i)`, 1 or 2.
    ///
    /// The state holds those of positions and the first of velocities. The next higher one of every
    /// output is the mean slope of the last communication step, and 0 before the first one; of
    /// forces and energies the second is 0: nothing is known of it.
    ///
    /// # Errors
    /// For variables that are no outputs, for other orders, and when a derivative is not finite.
    pub fn output_derivatives(
        &mut self, references: &[u32], order: impl Fn(usize) -> i32,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        let built = self.built()?;
        let outputs = self.unknowns(built.system.model(), references, false)?;
        self.start()?;
        let (Some(state), Some(last)) = (&self.memory.state, &self.memory.last) else {
            return Err(Refusal::error("the mechanism has no start"));
        };
        let system = &built.system;
        let [by, before] = [state, &last.before].map(|state| TimeDerivatives::of(system, state));
        let now = StateWithRates { now: state, by: &by };
        let before = StateWithRates { now: &last.before, by: &before };
        for (i, (&output, &reference)) in outputs.iter().zip(references).enumerate() {
            self.check_order(reference, order(i))?;
            let order = if order(i) == 1 { 1 } else { 2 };
            let rate = match known(system, &now, output)[order] {
                Some(rate) => rate,
                None => {
                    let ends = [&before, &now].map(|at| known(system, at, output)[order - 1]);
                    last.mean_slope(ends)
                }
            };
            if !rate.is_finite() {
                return Err(Refusal::discard(format!(
                    "{} has no finite time derivative of order {order} here",
                    self.name(reference)
                )));
            }
            put(i, rate);
        }
        Ok(())
    }

    fn check_order(&self, reference: u32, order: i32) -> Result<(), Refusal> {
        if matches!(order, 1 | 2) {
            return Ok(());
        }
        Err(Refusal::error(format!(
            "derivative of order {order} of {}; allowed: 1 and 2",
            self.name(reference)
        )))
    }
}
