//! One run, solved down to rounding, and its sequence: its steps, its events and what its joints do.

use std::sync::Arc;

use super::carry::Carried;
use super::{Change, NoDerivative, Perturbation};
use crate::joints::regime::Regime;
use crate::linear::Bordered;
use crate::newton::Trail;
use crate::solve::integrator::{Contents, Integrator};
use crate::solve::scheme::Scheme;
use crate::solve::stepper::{Jump, Solved, StepFault, Stepper};
use crate::system::{State, System, SystemFault, Tuning};

/// A solved part of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    scheme: Scheme,
    contents: Contents,
    jump: Jump,
    halvings: u32,
    /// Whether it has no length: an event lies too close to its beginning.
    empty: bool,
}

/// All that is discrete in a communication step: a function of what the solver has computed is smooth while this stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sequence {
    parts: Vec<Part>,
    /// Of all sliders at the beginning of each part and at the end.
    regimes: Vec<Regime>,
    released: Vec<bool>,
}

impl Sequence {
    fn clear(&mut self) {
        self.parts.clear();
        self.regimes.clear();
        self.released.clear();
    }

    fn look(&mut self, state: &State) {
        self.regimes.extend(state.sliders.iter().map(|own| own.regime));
        self.released.extend(state.motions.iter().map(|motion| motion.released));
    }
}

/// A run that is solved down to rounding.
#[derive(Debug)]
pub(super) struct Runner {
    pub system: Arc<System>,
    pub state: State,
    /// That of the last communication step.
    pub sequence: Sequence,
    stepper: Stepper,
    /// The numbers of its friction laws.
    tuning: Tuning,
    /// Room for a matrix of [`Carried`].
    spare: Option<Bordered>,
}

impl Runner {
    /// At its start.
    ///
    /// # Errors
    /// When the mechanism cannot start.
    pub fn start(system: System, inputs: &[f64]) -> Result<Runner, SystemFault> {
        let mut stepper = sharp(&system);
        let tuning = Tuning::of(&system.model);
        let state = stepper.start(&system, inputs, tuning.clone())?;
        let mut sequence = Sequence::default();
        sequence.look(&state);
        Ok(Runner { system: Arc::new(system), state, sequence, stepper, tuning, spare: None })
    }

    /// Another run of the same mechanism, in which friction laws have other numbers.
    pub fn beside(&self, tuning: Tuning) -> Runner {
        Runner {
            system: self.system.clone(),
            state: self.state.clone(),
            sequence: Sequence::default(),
            stepper: sharp(&self.system),
            tuning,
            spare: None,
        }
    }

    /// Goes to `state`, which belongs to another run of the same structure, moved by a `share` of the change `along`.
    pub fn begin_beside(&mut self, state: &State, share: f64, along: &State) {
        self.state.copy_from(state);
        self.state.tuning = self.tuning.clone();
        self.state.shift_by(share, along);
        self.system.energy().renew_all(&mut self.state);
    }

    /// Takes the communication step of `length` from `start` (s) with these `inputs`.
    ///
    /// # Errors
    /// When the step cannot be taken.
    pub fn advance(&mut self, inputs: &[f64], start: f64, length: f64) -> Result<(), StepFault> {
        self.advance_watched(inputs, [start, length], &mut |_, _, _| ())
    }

    fn advance_watched(
        &mut self, inputs: &[f64], [start, length]: [f64; 2],
        carry: &mut impl FnMut(&mut Integrator, &State, &Solved),
    ) -> Result<(), StepFault> {
        let Runner { system, state, sequence, stepper, .. } = self;
        sequence.clear();
        state.inputs.copy_from_slice(inputs);
        let mut watch = |integrator: &mut Integrator, state: &State, solved: &Solved| {
            sequence.look(state);
            sequence.parts.push(Part {
                scheme: integrator.scheme,
                contents: integrator.contents,
                jump: solved.jump,
                halvings: solved.span.halvings,
                empty: solved.span.length == 0.0,
            });
            carry(integrator, state, solved);
        };
        stepper.advance_watched(system, state, start, length, &mut watch)?;
        sequence.look(state);
        Ok(())
    }

    /// [`Runner::advance`] with these `changes`, each beside its perturbation of what is set; why they are not those of the end of the step, if they
    /// are not.
    ///
    /// # Errors
    /// When the step cannot be taken.
    pub fn carry(
        &mut self, inputs: &[f64], [start, length]: [f64; 2],
        changes: Vec<(&mut Change, &Perturbation)>,
    ) -> Result<Option<NoDerivative>, StepFault> {
        let system = self.system.clone();
        let mut begun = self.state.clone();
        begun.inputs.copy_from_slice(inputs);
        let unresolved = begun.extrapolated != 0.0 || begun.is_unresolved(&system, length);
        begun.begin_signals(&system.model.inputs, length);
        let jumps = begun.inputs_jump() || system.motions.jump(&begun);
        if unresolved || jumps || changes.is_empty() {
            self.advance(inputs, start, length)?;
            return Ok(Some(NoDerivative::Transition { time: start }));
        }
        begun.exchange_stepped();
        let begin = |(change, perturbation): (&mut Change, &Perturbation)| {
            change.by.exchange_stepped();
            change.begin_step(&system, &begun, length, perturbation);
        };
        let spare =
            self.spare.take().or_else(|| Some(self.stepper.integrator.newton.work.matrix.clone()));
        let mut carried = Carried { changes: Vec::new(), missing: None, in_place: true, spare };
        for (change, perturbation) in changes {
            begin((&mut *change, perturbation));
            carried.changes.push(change);
        }
        let newton = &mut self.stepper.integrator.newton;
        newton.corrections.trail.get_or_insert_with(|| Box::new(Trail::new(&system)));
        let mut carry = |integrator: &mut Integrator, state: &State, solved: &Solved| {
            carried.carry(integrator, &system, state, solved);
        };
        self.advance_watched(inputs, [start, length], &mut carry)?;
        carried.report(&mut self.stepper.integrator, &system, &self.state);
        let Carried { missing, spare, .. } = carried;
        self.spare = spare;
        Ok(missing)
    }
}

/// A stepper that solves down to rounding.
fn sharp(system: &System) -> Stepper {
    let mut stepper = Stepper::new(system);
    stepper.integrator.newton.corrections.to_rounding = true;
    stepper
}
