//! A model as a unit of FMI 2.0 and 3.0 for co-simulation and Model Exchange, in safe Rust.
//!
//! [`Interface`] is the one variable table: the description that a host reads, the get and set
//! functions and the value references all come from it. [`Instance`] is one running mechanism with
//! the state machine of the standard. A linear model is another one ([`state_space`]); [`Unit`] is either, and [`crate::abi`] only
//! translates C arguments into its calls.

/// Calls that do no more than to change the mode of an `Instance`.
macro_rules! mode_changes {
    ($($(#[$doc:meta])* $call:ident => $mode:ident;)*) => {
        impl Instance {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// Never.
            pub fn $call(&mut self) -> Result<(), Refusal> {
                self.memory.mode = Mode::$mode;
                Ok(())
            }
        )*}
    };
}

mod bend_watch;
pub mod blueprint;
mod clock;
mod contact_watch;
pub mod dependencies;
mod derivatives;
pub mod description;
mod differences;
mod energy_watch;
mod fmi3_description;
mod force_watch;
pub(crate) mod guard;
pub mod guid;
mod happened;
pub mod host;
pub mod instance;
pub mod interface;
pub mod location;
mod memory;
pub mod mode;
mod own;
pub mod report;
mod sampling;
mod step_log;
mod stepping;

mod slopes;
pub mod snapshot;
mod start_derivatives;
pub mod state_space;
#[cfg(test)]
mod tests;
mod under_way;
pub mod unit;
mod values;

pub use blueprint::{Blueprint, Built};
pub use description::model_description;
pub use fmi3_description::model_description_3;
pub use guid::guid;
pub use host::Host;
pub use instance::Instance;
pub use interface::{ArrayElement, Interface, Kind, Own, Role, Variability, Variable};
pub use location::resource_folder;
pub use mode::{Call, Mode, Protocol, in_fmi3};
pub use report::{Category, Log, Refusal, Sink, Status};
pub use snapshot::Snapshot;
pub use state_space::{STATE_SPACE_FILE, StateSpace};
pub use stepping::{Outcome, Progress};
pub use unit::{Plan, Saved, Unit};

pub use crate::model::MODEL_FILE;

/// Which sources this library was built from, as every compiler tells it alike. The text stands in the library's file,
/// where the command looks for it: others number the variables of a model otherwise.
pub const SOURCES: &str = concat!("coulisse-sources:", env!("COULISSE_SOURCES"));
