//! Equilibria: where loads are put on at t = 0, and in the steps of a quasi-static analysis.

pub(crate) mod easing;
pub(crate) mod equilibrium;
mod slides;
mod snap;
mod stability;

pub use equilibrium::equilibrium;
