//! Changes that are carried along communication steps, several at once: what their steps have in common is solved once.

use super::common::StageRoom;
use super::{Change, NoDerivative, Perturbation};
use crate::linear::Singular;
use crate::newton::Newton;
use crate::solve::integrator::{Contents, Integrator};
use crate::solve::stepper::{Jump, Solved, Stepper};
use crate::system::{
    Constraint, HostInput, Iterate, Linear, MassFactor, Rates, State, System, Varied, Workspace,
};

/// Changes on their way along a communication step.
pub(super) struct Carried<'a> {
    pub changes: Vec<&'a mut Change>,
    /// Why they have not come to its end.
    pub missing: Option<NoDerivative>,
    /// Whether steps of one stage are carried in their integrator, which keeps what derivatives have to know: another matrix than that of the step is
    /// then in it.
    pub in_place: bool,
    /// The largest correction of positions by another matrix than the first one of its stage, relative to the mechanism's size.
    pub others: f64,
    /// Room for what stages are carried with.
    pub room: Option<StageRoom>,
}

/// Corrections of positions, relative to the mechanism's size, above which the change of the matrix that has found them counts. That of the first one of a
/// stage is known; where later ones have found more, as in the steps behind an event, whose first guesses are rough, neighbours of the run derive the step.
const SEVERAL: f64 = 1e-10;

impl Carried<'_> {
    /// Carries the changes over a substep from `state`.
    pub fn carry(
        &mut self, integrator: &mut Integrator, system: &System, state: &State, solved: &Solved,
    ) {
        let Solved { span, jump } = *solved;
        let time = span.end.time;
        self.missing = self.missing.take().or(match jump {
            Jump::None => None,
            Jump::Impact => Some(NoDerivative::Impact { time }),
            Jump::Transition => Some(NoDerivative::Transition { time }),
            Jump::Release => Some(NoDerivative::Release { time }),
        });
        if self.missing.is_some() {
            return;
        }
        let carried = match self.in_place && system.is_dynamic() && !integrator.has_stages() {
            true => self.carry_solved(integrator, system, state, span),
            // The step itself goes on as it does without derivatives.
            false => self.carry_again(&mut integrator.clone(), system, state, span),
        };
        if carried.is_err() {
            self.missing = Some(NoDerivative::Singular { time });
        } else if self.in_place && self.others > SEVERAL {
            self.missing = Some(NoDerivative::Transition { time });
        }
    }

    /// The changes of what was reported of `state` at the end of the communication step that has begun at `before`.
    pub fn report(
        &mut self, integrator: &mut Integrator, system: &System, [before, state]: [&State; 2],
    ) {
        if self.missing.is_some() {
            return;
        }
        for change in &mut self.changes {
            change.keep_transitions(before, state);
            change.by.keep_stepped();
        }
        if integrator.contents != Contents::Report {
            return;
        }
        let tau = state.instant();
        let factored = integrator.factor_instant(system, tau).map_err(|_| Singular);
        let mut changes = self.changes.iter_mut();
        let about = Linear::at(system, &integrator.newton.at);
        let reported = factored.and_then(|()| {
            changes.try_for_each(|change| change.report((integrator, &about), system, tau))
        });
        if reported.is_err() {
            self.missing = Some(NoDerivative::Singular { time: state.time });
        }
    }
}

impl Stepper {
    /// Change of the state at the end of the communication step of `length` from `before` (at
    /// `start` of the model's clock) by a change of what the host had set before that step.
    /// Returns the end and its change.
    ///
    /// # Errors
    /// [`NoDerivative`].
    pub fn change(
        &mut self, system: &System, before: &State, start: f64, length: f64,
        perturbation: &Perturbation,
    ) -> Result<(State, State), NoDerivative> {
        let each = std::slice::from_ref(perturbation);
        let (state, mut by) = self.changes(system, before, start, length, each)?;
        Ok((state, by.swap_remove(0)))
    }

    /// [`Stepper::change`] for each of some perturbations: the step is taken and its tangents are factored once.
    ///
    /// # Errors
    /// [`NoDerivative`].
    pub fn changes(
        &mut self, system: &System, before: &State, start: f64, length: f64,
        perturbations: &[Perturbation],
    ) -> Result<(State, Vec<State>), NoDerivative> {
        let mut state = before.clone();
        if state.is_unresolved(system, length) {
            // What has been set acts with the next step that is solved for.
            self.advance(system, &mut state, start, length)?;
            let nothing = Perturbation::none(system);
            let mut change = Change::none(system, before, &nothing);
            change.begin_step(system, before, length, &nothing);
            return Ok((state, vec![change.by; perturbations.len()]));
        }
        let (start, length) = state.go_back(start, length);
        let mut stepped = state.clone();
        stepped.exchange_stepped();
        stepped.begin_signals(&system.model.inputs, length);
        let mut missing = None;
        let begun = perturbations.iter().map(|perturbation| {
            let mut change = Change::none(system, &state, perturbation);
            change.by.reached.fill([0.0; 2]);
            change.begin_step(system, &state, length, perturbation);
            missing = change.jump_inputs(self, system, stepped.clone(), length).err();
            change
        });
        let mut changes: Vec<Change> = begun.collect();
        let mut carried = Carried {
            changes: changes.iter_mut().collect(),
            missing,
            in_place: false,
            others: 0.0,
            room: None,
        };
        let mut carry = |integrator: &mut Integrator, state: &State, solved: &Solved| {
            carried.carry(integrator, system, state, solved);
        };
        self.advance_watched(system, &mut state, start, length, &mut carry)?;
        carried.report(&mut self.integrator, system, [before, &state]);
        let missing = carried.missing;
        let by = changes.into_iter().map(|change| change.by).collect();
        missing.map_or(Ok((state, by)), Err)
    }
}

impl Change {
    /// At the beginning of a communication step of `length` from `before`, for which inputs are set that differ by the `perturbation`.
    pub(super) fn begin_step(
        &mut self, system: &System, before: &State, length: f64, perturbation: &Perturbation,
    ) {
        let by = &mut self.by;
        for (i, variable) in system.model.inputs.iter().enumerate() {
            // A signal is linear in the values that were set; derivatives of the host do not change.
            let input = HostInput {
                value: perturbation.inputs[i],
                rates: Rates { given: before.input_rates[i].given, ..Rates::default() },
                reached: by.reached[i],
            };
            by.signals[i] = input.signal(variable.reconstruction, length);
        }
        let varied = Varied { now: before, by };
        let jump = system.loads.gravity.jump(&varied) + system.springs.jump(&varied);
        by.energy.input_work += jump.eps;
    }

    /// What joints begin to do between `before` and `state` without an event, they do from the end of a step on: no number moves that time.
    fn keep_transitions(&mut self, before: &State, state: &State) {
        let ends = before.journal.iter().zip(&state.journal);
        for (change, (was, is)) in self.by.journal.iter_mut().zip(ends) {
            if was.transitions != is.transitions {
                change.transition_time = 0.0;
            }
        }
    }

    /// Completes the change of the iterate, of which the known part is there, by the tangent that is factored.
    pub(super) fn solve_by_factored(
        &mut self, (newton, about): (&mut Newton, &Linear), system: &System, factor: MassFactor,
    ) -> Result<(), Singular> {
        let Newton { at, work, .. } = newton;
        self.correct(system, (at, about), work, factor)?;
        for _ in 0..at.augmented {
            system.surfaces.augment_change(at, &mut self.at);
            self.correct(system, (at, about), work, factor)?;
        }
        self.follow_closest_points(system, at);
        // Now with the solution: what is left on prescribed unknowns changes their reactions.
        system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
        Ok(())
    }

    /// Changes of the closest points of what is off its path.
    pub(super) fn follow_closest_points(&mut self, system: &System, at: &Iterate) {
        for (slider, own) in system.sliders.iter().zip(&at.sliders) {
            if own.constraint == Constraint::Open {
                self.at.q.set(slider.coordinate, slider.closest_point_rate(&at.q, &self.at.q));
            }
        }
    }

    /// Adds to the change of the iterate what its equations are still off by, through the factored tangent.
    fn correct(
        &mut self, system: &System, (at, about): (&Iterate, &Linear), work: &mut Workspace,
        factor: MassFactor,
    ) -> Result<(), Singular> {
        system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
        self.correct_by(system, at, work, factor)?;
        Ok(())
    }

    /// Corrects the iterate for the residual as it is; returns the largest change of a position.
    pub(super) fn correct_by(
        &mut self, system: &System, at: &Iterate, work: &mut Workspace, factor: MassFactor,
    ) -> Result<f64, Singular> {
        for (x, &u) in self.interior.iter_mut().zip(&system.unknown) {
            *x = match at.driven[u] {
                None => -self.residual.nodal[u],
                Some(_) => 0.0,
            };
        }
        for (y, r) in self.border.iter_mut().zip(&self.residual.border) {
            *y = -r;
        }
        work.matrix.solve(&mut self.interior, &mut self.border)?;
        Ok(self.apply(system, at, factor))
    }

    /// Applies the correction in the room to the change of the iterate; returns the largest change of a position.
    pub(super) fn apply(&mut self, system: &System, at: &Iterate, factor: MassFactor) -> f64 {
        let mut largest = 0.0_f64;
        for (x, &u) in self.interior.iter().zip(&system.unknown) {
            if at.driven[u].is_some() {
                continue;
            }
            self.at.q.add(u, *x);
            self.at.acceleration[u] += factor.unwrap_or(0.0) * x;
            largest = largest.max(x.abs());
        }
        for slider in &system.sliders {
            let ds = self.border[slider.border];
            self.at.q.add(slider.coordinate, ds);
            largest = largest.max(ds.abs());
        }
        self.at.add_forces(system, 1.0, &self.border);
        largest
    }
}
