//! The one mechanism of what is unilateral or set-valued: stops, contacts that open, friction that sticks, kinks, ends of paths,
//! motions that end.
//!
//! - `conditions.rs` and `search.rs` say which conditions a step breaks, `grazing.rs` which it breaks inside and keeps at its end;
//!   `../judge.rs` cuts the step at the first of them, `release.rs` where a motion ends, and `transition.rs` says what is there from then on.
//!   What is too short to be solved for goes by `extrapolation.rs`.
//! - There `contact.rs` opens and closes, `impact.rs` finds the impulses and `accelerations.rs` the forces afterwards. Both ask one
//!   complementarity problem, that of [impulses](crate::linear::impulses), whose `rows.rs` stand off the equations and whose matrix is their `response.rs`.
//! - `record.rs` keeps what happened and when, for whoever asks; `layers.rs` says it of contact layers, for which no step is cut, and
//!   `crossing.rs` when.

pub(crate) mod accelerations;
mod conditions;
mod contact;
mod crossing;
mod ends;
mod extrapolation;
mod grazing;
pub(crate) mod impact;
mod jam;
mod layers;
mod motion_jump;
mod record;
mod release;
mod response;
pub(crate) mod rows;
pub(crate) mod search;
mod transition;

pub use layers::Layer;
pub use record::{Affected, Event, Events, Happening, Reason, SnapThrough};
