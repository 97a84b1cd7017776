//! The discretised mechanism: numbered degrees of freedom, elements, joints, sparsity, probes.

mod state;

pub use state::State;

use crate::model::checked::{Checked, Output};

/// Everything about the mechanism that does not change in time.
#[derive(Debug)]
pub struct System {}

/// A model that is free of faults in itself but cannot be assembled or solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SystemFault(pub String);

impl System {
    /// Numbers the degrees of freedom and places the joints.
    ///
    /// # Errors
    /// When a slider does not lie on its path.
    pub fn build(_checked: &Checked) -> Result<System, SystemFault> {
        unreachable!("skeleton")
    }

    /// The value of an output in `state`. Booleans are 0 or 1, counters whole numbers.
    pub fn read(&self, _state: &State, _output: Output) -> f64 {
        unreachable!("skeleton")
    }
}
