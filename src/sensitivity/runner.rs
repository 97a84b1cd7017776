//! One run, solved down to rounding but for what tangents derive, and its sequence: its steps, its events and what its joints do.

use std::sync::Arc;

use super::carry::Carried;
use super::common::StageRoom;
use super::{Change, Perturbation};
use crate::joints::regime::Regime;
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

/// What has become of changes over a communication step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    /// They are those of its end.
    Carried,
    /// So they are, where neighbours of the run do not break a condition that the run has nearly broken.
    NearEvent,
    /// They are not.
    Missing,
}

/// A run that is solved down to rounding, but where tangents [carry](Runner::carry) changes along.
#[derive(Debug)]
pub(super) struct Runner {
    pub system: Arc<System>,
    pub state: State,
    /// That of the last communication step.
    pub sequence: Sequence,
    stepper: Stepper,
    /// The numbers of its friction laws.
    tuning: Tuning,
    /// Room of [`Carried`].
    room: Option<StageRoom>,
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
        Ok(Runner { system: Arc::new(system), state, sequence, stepper, tuning, room: None })
    }

    /// Another run of the same mechanism, in which friction laws have other numbers.
    pub fn beside(&self, tuning: Tuning) -> Runner {
        Runner {
            system: self.system.clone(),
            state: self.state.clone(),
            sequence: Sequence::default(),
            stepper: sharp(&self.system),
            tuning,
            room: None,
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

    /// [`Runner::advance`] from `before`, where the run is, with these `changes`, each beside its perturbation of what is set. Tangents ask for no more
    /// than a solution within the solver's tolerances, neighbours of the run for one down to rounding, `exact`: a step that only these can derive is taken
    /// once more.
    ///
    /// # Errors
    /// When the step cannot be taken.
    pub fn carry(
        &mut self, before: &State, inputs: &[f64], span: [f64; 2],
        changes: Vec<(&mut Change, &Perturbation)>, exact: bool,
    ) -> Result<Changes, StepFault> {
        self.solve_to_rounding(exact);
        let found = self.carry_once(before, inputs, span, changes);
        self.solve_to_rounding(true);
        if exact || found == Ok(Changes::Carried) {
            return found;
        }
        let carried = self.sequence.clone();
        self.state.copy_from(before);
        self.advance(inputs, span[0], span[1])?;
        // Where rounding decides whether a condition is broken, tangents may have carried another sequence than that of the run.
        match found {
            Ok(Changes::NearEvent) if self.sequence == carried => found,
            _ => Ok(Changes::Missing),
        }
    }

    fn solve_to_rounding(&mut self, exact: bool) {
        self.stepper.integrator.newton.corrections.to_rounding = exact;
    }

    fn carry_once(
        &mut self, before: &State, inputs: &[f64], [start, length]: [f64; 2],
        changes: Vec<(&mut Change, &Perturbation)>,
    ) -> Result<Changes, StepFault> {
        let system = self.system.clone();
        let mut begun = before.clone();
        begun.inputs.copy_from_slice(inputs);
        let unresolved = begun.extrapolated != 0.0 || begun.is_unresolved(&system, length);
        begun.begin_signals(&system.model.inputs, length);
        let jumps = begun.inputs_jump() || system.motions.jump(&begun);
        if unresolved || jumps || changes.is_empty() {
            self.advance(inputs, start, length)?;
            return Ok(Changes::Missing);
        }
        begun.exchange_stepped();
        let begin = |(change, perturbation): (&mut Change, &Perturbation)| {
            change.by.exchange_stepped();
            change.begin_step(&system, &begun, length, perturbation);
        };
        let room = self.room.take();
        let mut carried =
            Carried { changes: Vec::new(), missing: None, in_place: true, others: 0.0, room };
        for (change, perturbation) in changes {
            begin((&mut *change, perturbation));
            carried.changes.push(change);
        }
        let newton = &mut self.stepper.integrator.newton;
        newton.corrections.trail.get_or_insert_with(|| Box::new(Trail::new(&system)));
        let mut carry = |integrator: &mut Integrator, state: &State, solved: &Solved| {
            carried.carry(integrator, &system, state, solved);
        };
        self.stepper.search.nearly = false;
        self.advance_watched(inputs, [start, length], &mut carry)?;
        carried.report(&mut self.stepper.integrator, &system, [before, &self.state]);
        let Carried { missing, room, .. } = carried;
        self.room = room;
        Ok(match (missing, self.stepper.search.nearly) {
            (Some(_), _) => Changes::Missing,
            (None, true) => Changes::NearEvent,
            (None, false) => Changes::Carried,
        })
    }
}

/// A stepper that solves down to rounding.
fn sharp(system: &System) -> Stepper {
    let mut stepper = Stepper::new(system);
    stepper.integrator.newton.corrections.to_rounding = true;
    stepper
}
