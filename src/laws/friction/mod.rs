//! Friction between a slider and its path.

mod stribeck;

pub use stribeck::{Stribeck, Transition};

/// The friction laws of a sliding joint: both the file's syntax and the list of the physics.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Friction {
    #[default]
    None,
    /// Coulomb friction with Stribeck decay and a viscous part.
    Stribeck(Stribeck),
}
