//! From a state to the next: TR-BDF2 and generalized-α, the [events] that cut steps, and the equilibria of a quasi-static analysis.
//!
//! The stepper goes through a communication step, see `step.rs`: `plan.rs` divides it, a step is cut where motions end, and `judge.rs`
//! cuts its parts at their first event. The integrator of `integrator.rs` solves a part and knows no events; what
//! happens at an event, impulses and new accelerations, is in [events].

mod accept;
pub mod alpha;
mod communication_step;
mod energy;
mod energy_check;
pub mod events;
mod failure;
pub(crate) mod forces;
pub(crate) mod guess;
mod implicit;
mod input_jump;
pub(crate) mod integrator;
mod judge;
mod load;
pub(crate) mod plan;
pub(crate) mod scheme;
pub(crate) mod statics;
mod step;
mod step_control;
pub(crate) mod stepper;
pub mod tableau;
pub(crate) mod tolerances;
mod too_long;
mod unresolved;

pub use communication_step::{CommunicationStep, Progress};
pub use events::{Affected, Event, Events, Happening, Layer, Reason, SnapThrough};
pub use stepper::{StepFault, Stepper};
pub use tolerances::MOST_SUBSTEPS;
