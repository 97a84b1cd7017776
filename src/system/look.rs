//! What pictures keep of a state: where everything is, and what acts on members.

use super::numbers::{Acting, Placed};
use super::state::Scaling;
use super::{State, System};
use crate::numerics::positions::Positions;

/// What acts on the members of a mechanism in a state.
#[derive(Debug, Clone, PartialEq)]
pub struct ActingForces {
    time: f64,
    multipliers: Vec<[f64; 3]>,
    inputs: Vec<f64>,
    scaling: Scaling,
}

impl ActingForces {
    /// That of a `state`.
    pub fn of(state: &State) -> ActingForces {
        ActingForces {
            time: state.time,
            multipliers: state.multipliers.clone(),
            inputs: state.reached.iter().map(|[value, _]| *value).collect(),
            scaling: state.scaling.clone(),
        }
    }
}

/// A mechanism with what acts on its members.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    pub(super) system: &'a System,
    pub(super) q: &'a Positions,
    acting: &'a ActingForces,
}

impl<'a> Look<'a> {
    /// At the positions `q` under these forces.
    pub fn new(system: &'a System, q: &'a Positions, acting: &'a ActingForces) -> Look<'a> {
        Look { system, q, acting }
    }
}

impl Placed for Look<'_> {
    fn places(&self) -> &Positions {
        self.q
    }

    fn multipliers_of(&self, j: usize) -> &[f64; 3] {
        &self.acting.multipliers[j]
    }
}

impl Acting for Look<'_> {
    fn time(&self) -> f64 {
        self.acting.time
    }

    fn input(&self, i: usize) -> f64 {
        self.acting.inputs[i]
    }

    fn scaling(&self) -> &Scaling {
        &self.acting.scaling
    }
}
