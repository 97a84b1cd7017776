//! Imposed motions that end.
//!
//! Positions and velocities go on as they were; the force of the drive is gone, and so the accelerations and joint forces start afresh. The
//! step is cut at the instant: a time is known, the place of a slider is looked for along the step.
//!
//! What has no mass does not go on: it moves at once as far as springs without dampers let it, and gets the velocity at which
//! dampers balance what is left.

use crate::numerics::root::Bracket;
use crate::solve::integrator::Integrator;
use crate::solve::scheme::Scheme;
use crate::solve::stepper::{Jump, Rejected, Solved, Stepper, Watch};
use crate::solve::tolerances::{AT_ONCE, BORDER, EVENT_TRIALS, RELEASE_REACH, RELEASED_TOGETHER};
use crate::system::{Constraint, Span, State, System, Until};

impl Stepper {
    /// Takes a step over `span` in as many parts as there are instants at which motions end.
    pub(crate) fn take_releasing(
        &mut self, system: &System, state: &mut State, span: Span, watch: &mut Watch<'_>,
    ) -> Result<(), Rejected> {
        let mut rest = span;
        while rest.length > 0.0 {
            let part = match self.next_release(system, state, rest)? {
                length if length < rest.length => rest.first(length),
                _ => rest,
            };
            self.take_parts(system, state, part, watch)?;
            if self.stopped.is_some() {
                break;
            }
            rest = rest.after(part.length);
            self.release(system, state, part.after(part.length), watch);
            if self.releasing.contains(&true) && self.stops_at(state, rest.length > 0.0) {
                break;
            }
        }
        Ok(())
    }

    /// Length of the part of the `rest` (s) of a step from `state` at whose end motions end, or all of it; marks these motions.
    fn next_release(
        &mut self, system: &System, state: &State, whole: Span,
    ) -> Result<f64, Rejected> {
        let rest = whole.length;
        let mut length = rest;
        self.releasing.fill(false);
        for (m, waits) in system.motions.pending(state) {
            let after = match waits {
                Until::Time(time) => Some(time - state.time).filter(|after| *after <= rest),
                Until::Position { slider, at, side } => {
                    let coordinate = system.sliders[slider].coordinate;
                    let beyond = |q: &[f64]| side * (q[coordinate] - at);
                    let speed = state.velocity[coordinate].abs();
                    if beyond(&state.q) + RELEASE_REACH * speed * length < 0.0 {
                        None
                    } else {
                        self.integrator.locate_place(system, state, length, whole, &beyond)?
                    }
                }
            };
            let Some(after) = after else { continue };
            let after = match after / rest {
                share if share <= BORDER => 0.0,
                share if share >= 1.0 - BORDER => rest,
                _ => after,
            };
            if after < length - RELEASED_TOGETHER * rest {
                length = after;
                self.releasing.fill(false);
            }
            self.releasing[m] = after <= length + RELEASED_TOGETHER * rest;
        }
        Ok(length)
    }

    /// Releases what is marked: `state` gets the accelerations and joint forces that follow.
    fn release(&mut self, system: &System, state: &mut State, now: Span, watch: &mut Watch<'_>) {
        if !self.releasing.contains(&true) {
            return;
        }
        let motions = system.motions.iter().zip(&mut state.motions);
        for ((motion, own), _) in motions.zip(&self.releasing).filter(|(_, now)| **now) {
            own.released = true;
            (motion.unknowns.iter()).for_each(|&u| state.reactions[u] = 0.0);
        }
        self.integrator.settle_massless(system, state, now, &self.releasing);
        let (span, jump) = (now, Jump::Release);
        watch(&mut self.integrator, state, &Solved { span, jump });
        self.search.note_touching(system, state);
        let _ = self.discontinuity(system).set_regimes(state);
        self.record(system, state);
        for (motion, _) in self.releasing.iter().enumerate().filter(|(_, now)| **now) {
            self.events.released(motion, state.time);
        }
    }
}

impl Integrator {
    /// Time from `state` on at which `beyond` of the unknowns rises through 0, where that is within `length` (s).
    fn locate_place(
        &mut self, system: &System, state: &State, length: f64, whole: Span,
        beyond: &impl Fn(&[f64]) -> f64,
    ) -> Result<Option<f64>, Rejected> {
        let before = beyond(&state.q);
        if before >= 0.0 || length == 0.0 {
            return Ok((before >= 0.0).then_some(0.0));
        }
        self.attempt(system, state, whole.first(length))?;
        let over = beyond(&self.newton.at.q);
        if over < 0.0 {
            return Ok(None);
        }
        let mut bracket = Bracket::new([0.0, before], [length, over]);
        let sharp = self.event_sharpness() * (over - before);
        for _ in 0..EVENT_TRIALS {
            let [earliest, beyond_there] = bracket.high;
            if beyond_there <= sharp || earliest <= BORDER * length {
                break;
            }
            // What is closer to the beginning is not cut there.
            let after = bracket.trial().max(BORDER * length);
            self.attempt(system, state, whole.first(after))?;
            let now = beyond(&self.newton.at.q);
            bracket.narrow(after, now);
            if now.abs() <= sharp {
                return Ok(Some(after));
            }
        }
        Ok(Some(bracket.high[0]))
    }

    /// Gives what has no mass place and velocity where motions have ended that drove some of it: by two implicit Euler steps. The first, in
    /// which all else is fixed, gives positions: springs without dampers reach equilibrium. The second, in which all else goes on as it was, gives
    /// velocities. What springs lose is lost as in an impact.
    fn settle_massless(
        &mut self, system: &System, state: &mut State, now: Span, releasing: &[bool],
    ) {
        let motions = system.motions.iter().zip(releasing);
        let mut freed = motions.filter(|(_, releasing)| **releasing);
        if !freed.any(|(motion, _)| motion.unknowns.iter().any(|&u| system.mass.is_massless(u))) {
            return;
        }
        let before = system.energy().mechanical(state);
        let scheme = std::mem::replace(&mut self.scheme, Scheme::Euler);
        let to_rounding = std::mem::replace(&mut self.newton.corrections.to_rounding, true);
        let h = AT_ONCE * state.step();
        for passed in [0.0, h] {
            self.predict(system, state, Span { length: h, ..now });
            for u in (0..system.nodal).filter(|&u| !system.mass.is_massless(u)) {
                let way = passed * state.velocity[u];
                self.newton.at.q.set(u, state.q.get(u).plus(way));
                self.newton.at.driven.hold(u);
            }
            // Inertia of what goes on, over so short a time, would hide the stiffness of the rest.
            if self.newton.solve_static(system).is_err() {
                // It then moves in the next step, whose energy is watched.
                break;
            }
            let settled = system.unknown.iter().copied();
            let settled = settled.filter(|&u| self.newton.at.driven[u].is_none());
            let sliding = system.sliders.iter().zip(&self.newton.at.sliders);
            let sliding = sliding.filter(|(_, own)| own.constraint == Constraint::Path);
            for u in settled.chain(sliding.map(|(slider, _)| slider.coordinate)) {
                if passed == 0.0 {
                    state.q.set(u, self.newton.at.q.get(u));
                } else {
                    state.velocity[u] = self.newton.at.q.way(u, &state.q) / h;
                }
            }
        }
        (self.scheme, self.newton.corrections.to_rounding) = (scheme, to_rounding);
        system.energy().renew_all(state);
        let lost = before - state.energy.mechanical;
        state.energy.impact_loss += lost.max(0.0);
        state.energy.numerical_dissipation += lost.min(0.0);
    }
}
