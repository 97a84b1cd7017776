//! How the unknowns move at the end of a step.

use super::alpha::{Before, Weights};
use crate::numerics::positions::Positions;
use crate::system::State;

/// How the unknowns move at the end of a step.
#[derive(Debug, Clone)]
pub(crate) struct Movement {
    pub velocity: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub algorithmic: Vec<f64>,
}

impl Movement {
    pub fn of(unknowns: usize) -> Movement {
        Movement {
            velocity: vec![0.0; unknowns],
            acceleration: vec![0.0; unknowns],
            algorithmic: vec![0.0; unknowns],
        }
    }

    /// Takes the movement at the end of a step of length `h` from `state` to `q` by the weights of the time integration; where
    /// there are none, in a quasi-static analysis, the mean velocity.
    pub fn follow(&mut self, weights: Option<&Weights>, h: f64, state: &State, q: &Positions) {
        for u in 0..q.len() {
            let (before, way) = (Before::of(state, u), q.way(u, &state.q));
            if let Some(w) = weights {
                let a = w.algorithmic(h, way, &before);
                self.velocity[u] = w.velocity(h, a, &before);
                self.acceleration[u] = w.acceleration(a, &before);
                self.algorithmic[u] = a;
            } else {
                self.velocity[u] = way / h;
                self.acceleration[u] = 0.0;
                self.algorithmic[u] = 0.0;
            }
        }
    }

    /// Lets unknown `u` move as it must.
    pub fn drive(&mut self, u: usize, velocity: f64, acceleration: f64) {
        self.velocity[u] = velocity;
        self.acceleration[u] = acceleration;
        self.algorithmic[u] = acceleration;
    }

    /// Writes this movement into `state`.
    pub fn give(&self, state: &mut State) {
        state.velocity.copy_from_slice(&self.velocity);
        state.acceleration.copy_from_slice(&self.acceleration);
        state.algorithmic.copy_from_slice(&self.algorithmic);
    }
}

/// A step or its change: the state at its beginning, positions and movement at its end.
pub(crate) type Passage<'a> = (&'a State, &'a Positions, &'a Movement);
