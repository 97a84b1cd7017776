//! How long steps are.

use serde::{Deserialize, Serialize};

use crate::system::System;

/// Share of the longest step with which a run begins whose steps follow from their error.
const FIRST: f64 = 0.01;

/// Displacement relative to the mechanism's size, or rotation in rad, from which on errors are relative to the largest so far. A motion that begins
/// as a high power of time has no relative error that a shorter step would make smaller. Velocities count from those on that move so far in the longest step.
const LEAST: f64 = 1e-3;

/// Length of steps, and what their errors are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepControl {
    /// Length of the next step, s: without `solver.tolerance` always that of the solver.
    pub(crate) length: f64,
    /// Error of the last step over the allowed one and over the third power of its length, 1/s³.
    pub(crate) density: Option<f64>,
    pub(crate) largest: Largest,
}

/// The largest so far: displacement relative to the mechanism's size (or rad), rate of that in 1/s, acting force in N.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Largest {
    pub way: f64,
    pub rate: f64,
    pub force: f64,
}

impl StepControl {
    pub(super) fn new(system: &System) -> StepControl {
        let solver = &system.model.solver;
        let share = if solver.tolerance.is_some() { FIRST } else { 1.0 };
        StepControl {
            length: share * solver.step,
            density: None,
            largest: Largest { way: LEAST, rate: LEAST / solver.step, force: 0.0 },
        }
    }
}
