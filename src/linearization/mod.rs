//! Linear state-space models about a state.
//!
//! ```text
//! ẋ = A x + B u,    y = C x + D u
//! ```
//!
//! x, u and y are changes from the state about which the model is linear. Which contacts are closed and which sliders stick stays as it is
//! there. Constraints are eliminated, so that x holds minimal coordinates: independent unknowns z and their velocities ż, the positions of what
//! has a damper but no mass, and what laws of friction with memory remember.
//!
//! The equations about the state are varied exactly, column by column (`equations.rs`), constraints are eliminated (`eliminate.rs`), and what is
//! left is solved for ẋ (`states.rs`). Inputs that drive motions become proper (`proper.rs`). [`reduction`] makes models with fewer states.

mod dynamics;
mod eliminate;
mod equations;
mod proper;
pub mod reduction;
mod states;
mod triangular;

use nalgebra::{Complex, DMatrix};

use crate::checked::{Analysis, InputVariable, Output, OutputVariable};
use crate::joints::regime::Regime;
use crate::quantity::Quantity;
use crate::system::outputs::item;
use crate::system::{Along, Constraint, State, System, SystemFault};
use equations::Equations;
use proper::{Matrices, Parts};
use states::{Named, Resolved, resolve};

pub use dynamics::UNDAMPED;

/// A dense matrix.
pub type Matrix = DMatrix<f64>;

/// An eigenvalue of A, 1/s.
pub type Pole = Complex<f64>;

/// What sliding joints do in a linear model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joints {
    /// What they do in the state: stick, slide with the slope of their friction, or are open.
    #[default]
    AsTheyAre,
    /// All that are on their paths stick.
    Stuck,
    /// They slide without friction.
    Free,
}

/// A state, an input or an output.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantified {
    pub path: String,
    pub unit: String,
    /// Its value at the state about which the model is linear, SI units.
    pub value: f64,
}

/// A linear model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    pub states: Vec<Quantified>,
    pub inputs: Vec<Quantified>,
    pub outputs: Vec<Quantified>,
    pub a: Matrix,
    pub b: Matrix,
    pub c: Matrix,
    pub d: Matrix,
    /// ẋ of the state itself: 0 in an equilibrium.
    pub rates: Vec<f64>,
    /// The mass matrix of the coordinates that are the first states, and whose velocities are the next; empty where states are no coordinates.
    pub mass: Matrix,
    /// What each sliding joint does.
    pub regimes: Vec<(String, &'static str)>,
}

/// What of a model is linear: the inputs and outputs, by their places in [`Checked`](crate::checked::Checked).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    pub joints: Joints,
}

/// The most unknowns; matrices are dense.
pub const MOST_UNKNOWNS: usize = 2000;

/// Whether an output is a function of the state of motion: no sum since the start, no number that jumps.
pub fn is_linear(system: &System, output: &OutputVariable) -> bool {
    let item = item(system.model(), output.output);
    item.known.is_some() && !item.jumps && !output.quantity.is_discrete()
}

/// The linear model of `system` about `state`.
///
/// # Errors
/// Where the mechanism has no equations of motion, they are too many, or they cannot be solved for the accelerations.
pub fn linearize(system: &System, state: &State, request: &Request) -> Result<Linear, SystemFault> {
    if system.model().solver.analysis != Analysis::Dynamic {
        return Err(SystemFault(
            "a quasi-static analysis has no equations of motion; set solver.analysis = \"dynamic\" for a linear model".into(),
        ));
    }
    let unknowns = system.equations() + system.border();
    if unknowns > MOST_UNKNOWNS {
        return Err(SystemFault(format!(
            "the linear model would come from {unknowns} unknowns; allowed: {MOST_UNKNOWNS}. Take fewer elements"
        )));
    }
    let model = system.model();
    let inputs = request.inputs.iter().map(|&i| &model.inputs[i]);
    let outputs: Vec<&OutputVariable> =
        request.outputs.iter().map(|&i| &model.outputs[i]).collect();
    let mut equations = Equations::about(system, state, &request.inputs, request.joints)?;
    let of: Vec<Output> = outputs.iter().map(|output| output.output).collect();
    let Resolved { states, mass, a, jets, c, feed, .. } = resolve(&mut equations, &of)?;
    let rates = states.iter().map(|state| state.rate).collect();
    let quantified = |state: Named| {
        let Named { path, unit, value, .. } = state;
        Quantified { path, unit: unit.to_owned(), value }
    };
    let mut linear = Linear {
        states: states.into_iter().map(quantified).collect(),
        rates,
        mass,
        regimes: regimes(&equations),
        inputs: Vec::new(),
        outputs: (outputs.iter())
            .map(|output| Quantified {
                path: output.path.clone(),
                unit: output.quantity.unit().to_owned(),
                value: system.read(&equations.about.state, output.output),
            })
            .collect(),
        ..Linear::default()
    };
    let offsets = equations.offsets();
    let (matrices, derived) = Parts { a, jets, c, feed }.proper(&offsets);
    for ((input, offset), derived) in inputs.zip(offsets).zip(derived) {
        let value = |order: usize| if order == offset { input.start } else { 0.0 };
        let of = |order: usize| derivative(input, order as i32 - offset as i32, value(order));
        linear.states.extend(derived.states.into_iter().map(of));
        linear.rates.resize(linear.states.len(), 0.0);
        linear.inputs.push(of(derived.order));
    }
    let Matrices { a, b, c, d } = matrices;
    (linear.a, linear.b, linear.c, linear.d) = (a, b, c, d);
    Ok(linear)
}

/// The derivative of an input by time of this order; below 0 an integral.
fn derivative(input: &InputVariable, order: i32, value: f64) -> Quantified {
    let path = match order {
        0 => input.path.clone(),
        1 => format!("der({})", input.path),
        ..0 => format!("integral{}({})", if order == -1 { "" } else { "2" }, input.path),
        _ => format!("der{order}({})", input.path),
    };
    let chains = [
        [Quantity::Length, Quantity::Velocity, Quantity::Acceleration],
        [Quantity::Angle, Quantity::AngularVelocity, Quantity::AngularAcceleration],
    ];
    let known = chains.iter().find_map(|chain| {
        let place = chain.iter().position(|quantity| *quantity == input.quantity)?;
        chain.get(usize::try_from(place as i32 + order).ok()?)
    });
    let unit = match (known, order) {
        (Some(quantity), _) => quantity.unit().to_owned(),
        (None, 0) => input.quantity.unit().to_owned(),
        (None, 1) => format!("{}/s", input.quantity.unit()),
        (None, _) => format!("{}/s{order}", input.quantity.unit()),
    };
    Quantified { path, unit, value }
}

/// What each sliding joint does in the linear model.
fn regimes(equations: &Equations) -> Vec<(String, &'static str)> {
    let Equations { system, about, .. } = equations;
    let word = |j: usize| {
        let own = &about.at().sliders[j];
        match (own.constraint, own.along) {
            (Constraint::Open, _) => "open",
            (Constraint::Stop(_), _) => "at its stop",
            (Constraint::Path, Along::Stick) => "sticks",
            (Constraint::Path, Along::Free) => "slides without friction",
            (Constraint::Path, _) => match about.state.sliders[j].regime {
                Regime::Stick => "sticks by bristles",
                _ => "slides",
            },
        }
    };
    (0..system.sliders.len()).map(|j| (system.model().path_of_slider(j), word(j))).collect()
}

#[cfg(test)]
mod tests;
