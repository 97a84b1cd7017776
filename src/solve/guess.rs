//! The first guess of a stage.

use super::tableau::Tableau;
use crate::system::{Constraint, Iterate, State, System};

/// Accelerations at the end of a stage as its first guess; multipliers follow in the same way.
#[derive(Clone, Copy)]
pub(crate) enum Guess<'a> {
    /// None.
    Nothing,
    /// Those of the state, and this share of their change in the step before.
    Ahead(f64),
    /// From a start or an event the smooth ones of a short step, by which positions move as with constant acceleration:
    /// what the step does not resolve would be thrown far by its own.
    Smooth,
    /// Through those of the state and at the ends of the last stages, the last one first, with these weights of the latter.
    Through([f64; 2], &'a [Middle]),
}

impl Guess<'_> {
    /// A time `h` (s) after `state`.
    pub fn of(state: &State, h: f64) -> Guess<'static> {
        match state.equal.share(h) {
            Some(share) => Guess::Ahead(share),
            None => Guess::Smooth,
        }
    }

    /// At the end of stage `i` of a step from `state`, a time `h` (s) after it, where the stages before have ended in `middle`.
    pub fn of_stage<'a>(
        tableau: &Tableau, i: usize, state: &State, h: f64, middle: &'a [Middle],
    ) -> Guess<'a> {
        match (i, state.equal.share(1.0)) {
            (0, _) => Guess::of(state, h),
            (1, None) => Guess::Ahead(-1.0),
            (_, smooth) => {
                let last = &middle[i.saturating_sub(2)..i];
                Guess::Through(tableau.ahead(i, smooth.is_some()), last)
            }
        }
    }

    /// That of unknown `u`.
    pub fn acceleration(self, state: &State, u: usize) -> f64 {
        let (now, earlier) = (state.acceleration[u], state.earlier.acceleration[u]);
        match self {
            Guess::Nothing => 0.0,
            Guess::Smooth => 2.0 * earlier - now,
            _ => self.find(now, earlier, |end| end.unknowns[u][1]),
        }
    }

    /// Those of all unknowns.
    pub fn accelerations(self, state: &State, out: &mut [f64]) {
        let Guess::Ahead(share) = self else {
            out.iter_mut().enumerate().for_each(|(u, out)| *out = self.acceleration(state, u));
            return;
        };
        let ends = state.acceleration.iter().zip(&state.earlier.acceleration);
        for (out, (now, earlier)) in out.iter_mut().zip(ends) {
            *out = now + share * (now - earlier);
        }
    }

    pub fn find_forces(self, state: &State, at: &mut Iterate) {
        for (j, own) in at.sliders.iter_mut().enumerate() {
            if own.constraint == Constraint::Open {
                continue;
            }
            for (k, x) in own.multipliers.iter_mut().enumerate() {
                *x = self.find(*x, state.earlier.multipliers[j][k], |end| end.multipliers[j][k]);
            }
        }
        for (i, own) in at.pins.iter_mut().enumerate() {
            for (k, x) in own.iter_mut().enumerate() {
                *x = self.find(*x, state.earlier.pins[i][k], |end| end.pins[i][k]);
            }
        }
    }

    /// That of a force, or of an acceleration with which positions do not move yet, that is `now` in the state and was `earlier` before.
    fn find(self, now: f64, earlier: f64, at: impl Fn(&Middle) -> f64) -> f64 {
        match self {
            Guess::Nothing => now,
            Guess::Ahead(share) => now + share * (now - earlier),
            Guess::Smooth => earlier,
            Guess::Through(weights, ends) => {
                let changes = ends.iter().rev().zip(weights);
                now + changes.map(|(end, weight)| weight * (at(end) - now)).sum::<f64>()
            }
        }
    }
}

/// The end of a stage that is not the last one.
#[derive(Debug, Clone)]
pub(crate) struct Middle {
    /// q̇ and q̈.
    pub unknowns: Vec<[f64; 2]>,
    pub multipliers: Vec<[f64; 3]>,
    pub pins: Vec<[f64; 2]>,
}

impl Middle {
    /// Of all stages of a step but the last.
    pub fn of_stages(system: &System) -> Vec<Middle> {
        let one = Middle {
            unknowns: vec![[0.0; 2]; system.initial.len()],
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            pins: vec![[0.0; 2]; system.pins.list.len()],
        };
        vec![one; system.tableau().stages() - 1]
    }

    /// Keeps the forces of the iterate.
    pub fn keep_forces(&mut self, at: &Iterate) {
        for (kept, own) in self.multipliers.iter_mut().zip(&at.sliders) {
            *kept = own.multipliers;
        }
        self.pins.copy_from_slice(&at.pins);
    }
}
