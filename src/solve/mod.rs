//! From a state to the next: generalized-α and Newton's method, the [events] that cut steps, and the equilibria of a quasi-static analysis.

mod accept;
pub mod alpha;
pub(crate) mod augmented;
mod bristles;
pub(crate) mod criteria;
mod energy;
mod error_control;
pub mod events;
pub(crate) mod failure;
pub(crate) mod forces;
pub(crate) mod guess;
mod implicit;
mod judge;
mod leap;
mod load;
pub(crate) mod movement;
pub(crate) mod newton;
mod pace;
pub(crate) mod plan;
mod scheme;
mod short;
pub mod stage;
pub(crate) mod statics;
mod step;
pub(crate) mod stepper;
mod too_long;

pub use events::{Event, Events, Happening, Reason, Snap};
pub use stepper::{StepFault, Stepper};
