//! What becomes of a solved part of a step: whether it is taken as a whole or cut at an event.
//!
//! The place of an event is found to [a share of the step](Integrator::event_sharpness) by regula falsi with the length of the part as unknown.

use super::events::search::Search;
use super::integrator::{Contents, Integrator};
use super::scheme::Scheme;
use super::stepper::{Jump, Rejected, Stepper};
use super::tolerances::BORDER;
use crate::numerics::root::Bracket;
use crate::system::{Span, State, System};

/// Share of the `rest` of a step within which a transition is taken for one at its beginning.
fn beginning(state: &State, rest: f64) -> f64 {
    (BORDER * state.step() / rest).clamp(BORDER, 0.5)
}

/// What becomes of a part of a step.
pub(super) enum Verdict {
    /// This is taken of it, up to an event if there is one.
    Take(Taken),
    /// It is attempted with another scheme.
    Switch(Scheme),
}

/// What is taken of a part of a step.
pub(super) struct Taken {
    /// The solution over it is in the iterate. It has no length where an event lies too close to the beginning for a solution.
    pub part: Span,
    /// Where the event lies, s from the beginning.
    pub event: Option<f64>,
    /// What makes velocities or accelerations jump there.
    pub jump: Jump,
}

impl Stepper {
    /// Solves the `rest` of a step from `state`, and judges it.
    pub(super) fn judge(
        &mut self, system: &System, state: &mut State, rest: Span,
    ) -> Result<Verdict, Rejected> {
        let dynamic = system.is_dynamic();
        let whole = Verdict::Take(Taken {
            part: rest,
            event: None,
            jump: match self.integrator.scheme {
                Scheme::Alpha => Jump::None,
                Scheme::Euler | Scheme::Complementary => Jump::Transition,
            },
        });
        match (self.integrator.attempt(system, state, rest), self.integrator.scheme.instead()) {
            (Err(Rejected::Retry(_)), Some(scheme))
                if dynamic
                    && (self.integrator.scheme != Scheme::Alpha || rest.is_halved())
                    && !system.guess_goes_too_far(state, rest.length) =>
            {
                return Ok(Verdict::Switch(scheme));
            }
            (attempt, _) => attempt?,
        }
        if !dynamic
            || !system.sliders.have_events()
            || self.integrator.scheme == Scheme::Complementary
        {
            return Ok(whole);
        }
        self.search.look_at_end(system, &self.integrator.newton);
        if self.search.any() {
            return self.cut(system, state, rest);
        }
        if self.integrator.scheme == Scheme::Euler {
            if !self.compute_by_alpha(system, state, rest) {
                self.integrator.attempt(system, state, rest)?;
            }
            return Ok(whole);
        }
        let Integrator { newton, motion, .. } = &mut self.integrator;
        motion.find_velocities(system, &newton.at);
        let end = (&newton.at, &motion.velocity[..]);
        let grazing = self.search.first_grazing(system, state, rest.length, end);
        if let Some(share) = grazing.filter(|share| (BORDER..=1.0 - BORDER).contains(share)) {
            return self.judge(system, state, rest.first(share * rest.length));
        }
        // Where friction has driven, implicit Euler has to take the part.
        match self.integrator.newton.friction_drives(system) {
            true => Ok(Verdict::Switch(Scheme::Euler)),
            false => Ok(whole),
        }
    }

    /// Cuts the `rest` of a step from `state` at the first of the conditions that it breaks.
    fn cut(&mut self, system: &System, state: &State, rest: Span) -> Result<Verdict, Rejected> {
        let sharp = self.search.any_sharp();
        let share = self.search.locate(system, &mut self.integrator, state, rest, sharp)?;
        let border = beginning(state, rest.length);
        let mut part = rest.first(0.0);
        if share >= 1.0 - border && !sharp {
            self.integrator.attempt(system, state, rest)?;
            (self.search.all_mut()).for_each(|excess| excess.now = excess.over);
            part = rest;
        } else if share > border {
            part = rest.first(share * rest.length);
        }
        let jump = match self.search.is_impact(system) {
            true => Jump::Impact,
            false => Jump::Transition,
        };
        let alpha = self.integrator.scheme == Scheme::Alpha;
        if part.length > 0.0 && alpha && self.integrator.newton.friction_drives(system) {
            return Ok(Verdict::Switch(Scheme::Euler));
        }
        // What is not sharp takes place where the last solution ends.
        let extrapolates = part.length == 0.0 && sharp && !self.search.is_friction();
        let place = match extrapolates {
            true => share * rest.length,
            false => part.length,
        };
        let event = Some(place);
        Ok(Verdict::Take(Taken { part, event, jump }))
    }
}

impl Search {
    /// Share of the step at which the first of the broken conditions is met with equality; the iterate is then the solution there, unless
    /// it is at the very beginning or end. Where one is `sharp`, the end is no exception, and the share is good also at the beginning: a
    /// step that ended beyond its obstacle would not know how to get back.
    fn locate(
        &mut self, system: &System, integrator: &mut Integrator, state: &State, whole: Span,
        sharp: bool,
    ) -> Result<f64, Rejected> {
        let (rest, sharpness) = (whole.length, integrator.event_sharpness());
        integrator.contents = Contents::Nothing;
        integrator.newton.load_state(system, state, rest);
        self.measure(system, &integrator.newton, Some(&state.velocity));
        let border = beginning(state, rest);
        let before = self.largest(false);
        if before >= 0.0 {
            return Ok(0.0);
        }
        let mut bracket = Bracket::new([0.0, before], [1.0, 1.0]);
        let mut share = 1.0;
        while bracket.width() > sharpness {
            share = bracket.trial();
            if bracket.low[0] == 0.0 {
                share = share.max(border);
            }
            integrator.attempt(system, state, whole.first(share * rest))?;
            self.measure(system, &integrator.newton, None);
            let f = self.largest(false);
            bracket.narrow(share, f);
            let (low, high) = (bracket.low[0], bracket.high[0]);
            if high <= border && sharp {
                return Ok(self.locate_extrapolated(system, integrator, state, (whole, high)));
            }
            if high <= border || (low >= 1.0 - border && !sharp) {
                return Ok(high);
            }
            if f.abs() <= sharpness {
                return Ok(share);
            }
        }
        Ok(share)
    }
}
