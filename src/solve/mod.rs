//! From a state to the next: consistent start, generalized-α, Newton, statics.

pub mod alpha;
mod assemble;
mod books;
mod bristles;
mod contact;
pub mod continuation;
mod damping;
mod ends;
mod equilibrium;
mod events;
mod given;
mod impact;
pub mod mlcp;
pub mod modes;
mod newton;
mod release;
mod restless;
pub mod sensitivity;
mod short;
mod stability;
mod start;
mod step;
mod transition;

pub use equilibrium::equilibrium;
pub use events::{Event, Events, Happening};
pub use sensitivity::{Direction, NoDerivative};
pub use start::{start, start_tuned};
pub use step::{StepFault, Stepper};
