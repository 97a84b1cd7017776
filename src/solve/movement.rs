//! How the unknowns move at the end of a step.

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
