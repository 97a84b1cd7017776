//! Change of a communication step's outcome by a change of its inputs and tunable parameters.
//!
//! Every substep solves R(x, x₀, u) = 0 for the end x from the beginning x₀ and the inputs and
//! parameters u. With the tangent J = ∂R/∂x at the converged x,
//!
//! ```text
//! J δx = −(∂R/∂x₀ δx₀ + ∂R/∂u δu)
//! ```
//!
//! carries a change δx₀ of the beginning on to the end, exactly and without differences; so does
//! the chain of all substeps. The state at the beginning of the communication step does not
//! change. Friction and stops stay on the branch that the converged step is on: between sticking
//! and sliding the derivative is that of the side on which the step has ended.

mod about;
mod accept;
mod at_start;
mod beside;
mod carry;
mod common;
mod input_jump;
mod instant;
mod known;
mod of_run;
mod runner;
mod stage;

pub(crate) use about::{About, Direction};
pub use at_start::change_of_start;
pub use known::{Lost, NoSensitivity};
pub use of_run::Sensitivities;

use crate::checked::Tunable;
use crate::message::rounded;
use crate::solve::guess::Middle;
use crate::solve::stepper::StepFault;
use crate::surfaces::layer::PointMemory;
use crate::system::{InertiaRoom, Iterate, Movement, Residual, SpringState, State, System};

/// Why a derivative does not exist.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoDerivative {
    /// The step itself cannot be taken.
    #[error(transparent)]
    Step(#[from] StepFault),
    /// A stop, a kink or the path itself was met.
    #[error(
        "t = {} s: in the last step a slider met a stop, a kink of its path or its path; across \
         an impact there is no derivative",
        rounded(*.time, 10)
    )]
    Impact { time: f64 },
    /// The step was cut there.
    #[error(
        "t = {} s: in the last step a slider has lifted off or left a stop, or begun to stick or \
         to slide under a law that is set-valued at rest; across this there is no derivative",
        rounded(*.time, 10)
    )]
    Transition { time: f64 },
    /// A motion has ended.
    #[error(
        "t = {} s: in the last step a motion has released what it drove; across this there is \
         no derivative",
        rounded(*.time, 10)
    )]
    Release { time: f64 },
    /// The tangent of a solved substep has no inverse, which Newton's method did not need.
    #[error(
        "t = {} s: the tangent at the end of a solver step is singular; there is no derivative",
        rounded(*.time, 10)
    )]
    Singular { time: f64 },
}

/// A change that is carried along a communication step.
#[derive(Debug)]
struct Change {
    /// Change of the state; see [`crate::system::variation`].
    by: State,
    /// Change of the iterate.
    at: Iterate,
    residual: Residual,
    movement: Movement,
    inertia: InertiaRoom,
    /// Changes of Q + δ, V and q̇ in a stage, and of the ends of all stages of a step but the last.
    origin: Vec<f64>,
    base: Vec<f64>,
    velocity: Vec<f64>,
    middle: Vec<Middle>,
    /// Change of the numbers of each friction law, of the sliders and then of the contacts.
    friction: Vec<Vec<f64>>,
    interior: Vec<f64>,
    border: Vec<f64>,
    /// Changes of the rates of the constraints, and of the forces of members and bodies.
    rates: Vec<f64>,
    elastic: Vec<f64>,
}

/// Perturbation of a communication step: changes of what a host sets before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// Changes of the inputs, in the order of `Checked::inputs`.
    pub inputs: Vec<f64>,
    /// Changes of the parameters, in the order of `Checked::parameters`; those that are not tunable are
    /// passed over.
    pub parameters: Vec<f64>,
}

impl Perturbation {
    /// No change yet.
    pub fn none(system: &System) -> Perturbation {
        Perturbation {
            inputs: vec![0.0; system.model.inputs.len()],
            parameters: vec![0.0; system.model.parameters.len()],
        }
    }
}

impl Change {
    /// Nothing has followed yet from what the host sets.
    fn none(system: &System, before: &State, perturbation: &Perturbation) -> Change {
        let mut by = State::initial(system, &perturbation.inputs);
        by.q.fill(0.0);
        by.points.fill(PointMemory::default());
        by.springs.fill(SpringState::default());
        let laws = 0..system.sliders.len() + system.surfaces.contacts.len();
        let laws = laws.map(|law| before.tuning.friction(law));
        let numbers = laws.map(|law| law.numbers().len());
        let mut friction: Vec<Vec<f64>> = numbers.map(|n| vec![0.0; n]).collect();
        for (parameter, change) in system.model.parameters.iter().zip(&perturbation.parameters) {
            let Some(Tunable { laws, number }) = parameter.tunable.clone() else {
                continue;
            };
            for law in &mut friction[laws] {
                law[number] = *change;
            }
        }
        Change {
            by,
            friction,
            at: Iterate::unchanged(system),
            residual: Residual::new(system),
            movement: Movement::of(system.initial.len()),
            inertia: InertiaRoom::new(system),
            origin: vec![0.0; system.initial.len()],
            base: vec![0.0; system.initial.len()],
            velocity: vec![0.0; system.initial.len()],
            middle: Middle::of_stages(system),
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
            rates: vec![0.0; system.border()],
            elastic: vec![0.0; system.nodal],
        }
    }
}
