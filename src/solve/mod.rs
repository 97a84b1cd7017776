//! From a state to the next: the consistent start, generalized-α and Newton's method, and the [events] that cut steps.

mod accept;
pub mod alpha;
pub(crate) mod augmented;
mod bristles;
pub(crate) mod criteria;
mod energy;
mod error_control;
pub mod events;
pub(crate) mod failure;
mod implicit;
mod leap;
mod load;
pub(crate) mod movement;
pub(crate) mod newton;
mod restart;
mod scheme;
mod short;
pub(crate) mod start;
pub(crate) mod statics;
mod step;
pub(crate) mod stepper;
mod too_long;

pub use events::{Event, Events, Happening, Reason, Snap};
pub use start::{start, start_to_rounding, start_tuned};
pub use statics::equilibrium;
pub use stepper::{StepFault, Stepper};
