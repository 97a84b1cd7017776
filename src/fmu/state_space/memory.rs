//! What an instance of a linear model remembers.

use serde::{Deserialize, Serialize};

use super::StateSpace;
use crate::fmu::mode::{Mode, Protocol};

/// All that an instance remembers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Memory {
    pub protocol: Protocol,
    pub mode: Mode,
    /// Start of the host's time, and where it is, s.
    pub start: f64,
    pub time: f64,
    pub failure: Option<String>,
    pub states: Vec<f64>,
    pub inputs: Vec<f64>,
    /// Of co-simulation: rates of the inputs in the next step.
    pub slopes: Vec<f64>,
}

impl Memory {
    /// Of an instance on which nothing has been set.
    pub fn new(model: &StateSpace, protocol: Protocol) -> Memory {
        Memory {
            protocol,
            mode: Mode::Instantiated,
            start: 0.0,
            time: 0.0,
            failure: None,
            states: vec![0.0; model.states.len()],
            inputs: model.inputs.iter().map(|input| input.value).collect(),
            slopes: vec![0.0; model.inputs.len()],
        }
    }
}
