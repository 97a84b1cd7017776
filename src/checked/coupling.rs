//! Couplings of coordinates, with every name resolved.

use super::{Between, Checked, Input, Moved};
use crate::laws::transmission::Transmission;

/// A kinematic condition: how far one coordinate has moved since the start follows from how far others have, and from a
/// motion that drives it,
///
/// ```text
/// Δx = Σ f_k(Δx_k) + u(t)
/// ```
#[derive(Debug, Clone)]
pub struct Coupling {
    pub name: String,
    /// x, m or rad.
    pub driven: Between,
    pub drivers: Vec<Driver>,
}

/// A coordinate that another follows.
#[derive(Debug, Clone)]
pub struct Driver {
    /// x_k, m or rad.
    pub coordinate: Between,
    pub law: Transmission,
}

impl Coupling {
    /// x and all x_k.
    pub fn coordinates(&self) -> impl Iterator<Item = &Between> {
        let drivers = self.drivers.iter().map(|driver| &driver.coordinate);
        std::iter::once(&self.driven).chain(drivers)
    }
}

impl Checked {
    /// What an input that may not be held between communication points is: a position, or the rate of what a coupling moves
    /// with all that has mass on it.
    pub fn jumps_if_held(&self, input: Input) -> Option<&'static str> {
        let coupled = |motion: usize| matches!(self.motions[motion].moved, Moved::Coupling(_));
        match input {
            Input::MotionPosition { .. } => Some("a position"),
            Input::MotionRate { motion } if coupled(motion) => Some("the rate of a coupling"),
            _ => None,
        }
    }

    /// The motion that drives a coupling.
    pub fn drive_of(&self, coupling: usize) -> Option<usize> {
        let mut motions = self.motions.iter();
        motions.position(|motion| motion.moved == Moved::Coupling(coupling))
    }
}
