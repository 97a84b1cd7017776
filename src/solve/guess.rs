//! The first guess of a stage.

use super::stage::MIDDLE;
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
    /// A line through those of the state and of the middle of the step.
    Through(&'a Middle),
}

impl Guess<'_> {
    /// A time `h` (s) after `state`.
    pub fn of(state: &State, h: f64) -> Guess<'static> {
        match state.equal.share(h) {
            Some(share) => Guess::Ahead(share),
            None => Guess::Smooth,
        }
    }

    /// At the end of the second of two stages from `state`, where the first has ended in `middle`.
    pub fn second<'a>(state: &State, middle: &'a Middle) -> Guess<'a> {
        match state.equal.share(1.0) {
            Some(_) => Guess::Through(middle),
            None => Guess::Ahead(-1.0),
        }
    }

    pub fn acceleration(self, state: &State, u: usize) -> f64 {
        let now = state.acceleration[u];
        match self {
            Guess::Nothing => 0.0,
            Guess::Ahead(share) => now + share * (now - state.earlier.acceleration[u]),
            Guess::Smooth => 2.0 * state.earlier.acceleration[u] - now,
            Guess::Through(middle) => now + (middle.unknowns[u][1] - now) / MIDDLE,
        }
    }

    pub fn find_forces(self, state: &State, at: &mut Iterate) {
        let (sliders, pins, share) = match self {
            Guess::Nothing => return,
            Guess::Ahead(share) => (&state.earlier.multipliers, &state.earlier.pins, -share),
            Guess::Smooth => (&state.earlier.multipliers, &state.earlier.pins, 1.0),
            Guess::Through(middle) => (&middle.multipliers, &middle.pins, 1.0 / MIDDLE),
        };
        if share == 0.0 {
            return;
        }
        for (own, other) in at.sliders.iter_mut().zip(sliders) {
            if own.constraint != Constraint::Open {
                (own.multipliers.iter_mut().zip(other)).for_each(|(x, y)| *x += share * (y - *x));
            }
        }
        for (own, other) in at.pins.iter_mut().zip(pins) {
            (own.iter_mut().zip(other)).for_each(|(x, y)| *x += share * (y - *x));
        }
    }
}

/// The end of the first of two stages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Middle {
    /// q̇ and q̈.
    pub unknowns: Vec<[f64; 2]>,
    pub multipliers: Vec<[f64; 3]>,
    pub pins: Vec<[f64; 2]>,
}

impl Middle {
    pub fn new(system: &System) -> Middle {
        Middle {
            unknowns: vec![[0.0; 2]; system.initial.len()],
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            pins: vec![[0.0; 2]; system.pins.len()],
        }
    }
}
