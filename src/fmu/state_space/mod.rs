//! A linear model as an FMI unit of its own, for co-simulation and for Model Exchange with continuous states:
//!
//! ```text
//! ẋ = A x + B (u − u₀),    y = y₀ + C x + D (u − u₀)
//! ```
//!
//! u₀ and y₀ are inputs and outputs where the mechanism was linearised, so that inputs and outputs have the names and values of the whole
//! model. x begins with 0.

mod description;
mod file;
mod instance;
mod memory;
mod snapshot;
mod step;

use std::path::Path;

use serde::Deserialize;

pub use instance::Instance;
pub use snapshot::Snapshot;

use super::guid::guid;
use super::report::Refusal;
use crate::linearization::{Linear, Matrix};

/// Name of the file in an FMU's resources.
pub const STATE_SPACE_FILE: &str = "linear.toml";

/// The largest file, bytes: matrices of 300 states with inputs and outputs.
pub const LARGEST_STATE_SPACE: u64 = 1 << 28;

/// A variable of the whole model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Channel {
    pub name: String,
    pub unit: String,
    /// Value where the mechanism was linearised, SI units.
    pub value: f64,
}

/// What is said of a linear model beside its matrices.
#[derive(Debug, Clone, PartialEq)]
pub struct About<'a> {
    /// Name of the FMU, an identifier.
    pub name: &'a str,
    pub description: &'a str,
    /// End and communication step of the default experiment, s.
    pub experiment: [f64; 2],
}

/// A linear model with its variables. Value references are numbers of inputs, outputs, states and derivatives, in this order.
#[derive(Debug, Clone, PartialEq)]
pub struct StateSpace {
    name: String,
    description: String,
    experiment: [f64; 2],
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
    /// Descriptions of the states.
    states: Vec<String>,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    d: Matrix,
    guid: String,
    text: String,
}

/// What a value reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Input(usize),
    Output(usize),
    State(usize),
    Derivative(usize),
    /// Of FMI 3.0 alone, behind the others.
    Time,
}

impl StateSpace {
    /// Of a linear model.
    ///
    /// # Errors
    /// Where two variables have one name.
    pub fn of(linear: &Linear, about: &About) -> Result<StateSpace, Refusal> {
        StateSpace::parse(file::written(linear, about))
    }

    /// Reads the file in an FMU's `resources` folder.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(folder: &Path) -> Result<StateSpace, Refusal> {
        let file = folder.join(STATE_SPACE_FILE);
        let text = std::fs::read_to_string(&file)
            .map_err(|fault| Refusal::error(format!("{}: {fault}", file.display())))?;
        StateSpace::parse(text)
    }

    /// Identifier of the model.
    pub fn guid(&self) -> &str {
        &self.guid
    }

    /// The file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Name of the FMU.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Numbers of inputs, outputs and states.
    fn counts(&self) -> [usize; 3] {
        [self.inputs.len(), self.outputs.len(), self.states.len()]
    }

    /// Number of variables, with the time where a host sees it.
    fn variables(&self, with_time: bool) -> usize {
        let [inputs, outputs, states] = self.counts();
        inputs + outputs + 2 * states + usize::from(with_time)
    }

    fn role(&self, reference: u32, with_time: bool) -> Option<Role> {
        let [inputs, outputs, states] = self.counts();
        let mut place = usize::try_from(reference).ok()?;
        let kinds = [
            (inputs, Role::Input as fn(usize) -> Role),
            (outputs, Role::Output),
            (states, Role::State),
            (states, Role::Derivative),
        ];
        for (count, role) in kinds {
            if place < count {
                return Some(role(place));
            }
            place -= count;
        }
        (with_time && place == 0).then_some(Role::Time)
    }

    fn label(&self, role: Role) -> String {
        match role {
            Role::Input(k) => self.inputs[k].name.clone(),
            Role::Output(k) => self.outputs[k].name.clone(),
            Role::State(k) => format!("x[{}]", k + 1),
            Role::Derivative(k) => format!("der(x[{}])", k + 1),
            Role::Time => "time".to_owned(),
        }
    }

    /// ∂(unknown)/∂(known).
    fn slope(&self, unknown: Role, known: Role) -> Option<f64> {
        match (unknown, known) {
            (Role::Derivative(i), Role::State(j)) => Some(self.a[(i, j)]),
            (Role::Derivative(i), Role::Input(j)) => Some(self.b[(i, j)]),
            (Role::Output(i), Role::State(j)) => Some(self.c[(i, j)]),
            (Role::Output(i), Role::Input(j)) => Some(self.d[(i, j)]),
            _ => None,
        }
    }
}
