//! From a state to the next: consistent start, generalized-α, Newton, statics.

mod accept;
pub mod alpha;
mod assemble;
mod bristles;
mod contact;
pub mod continuation;
mod crossing;
mod damping;
mod drawn;
mod ends;
mod energy;
mod equilibrium;
mod events;
mod failure;
mod given;
mod impact;
mod load;
pub mod mlcp;
pub mod modes;
mod movement;
mod newton;
mod release;
mod return_map;
pub mod sensitivity;
mod short;
mod stability;
mod start;
mod step;
mod stepper;
mod transition;

pub use equilibrium::equilibrium;
pub use events::{Event, Events, Happening};
pub use sensitivity::{NoDerivative, Perturbation, change_of_start};
pub use start::{start, start_to_rounding, start_tuned};
pub use stepper::{StepFault, Stepper};
