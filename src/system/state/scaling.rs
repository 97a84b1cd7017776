//! What a static path multiplies.

use super::field::Field;
use crate::checked::statics::Scaled;

/// Loads that a static path multiplies by its factor, their histories left out; of any other state none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scaling {
    lines: Vec<usize>,
    gravity: bool,
    factor: f64,
}

impl Scaling {
    /// Of a path that multiplies all of `scaled`, where its factor is 0.
    pub fn of(scaled: &[Scaled]) -> Scaling {
        let lines = scaled.iter().filter_map(|scaled| match scaled {
            Scaled::LineLoad(id) => Some(*id),
            _ => None,
        });
        let gravity = scaled.iter().any(|scaled| matches!(scaled, Scaled::Gravity));
        Scaling { lines: lines.collect(), gravity, factor: 0.0 }
    }

    /// Takes the factor of the path.
    pub fn set(&mut self, factor: f64) {
        self.factor = factor;
    }

    /// What multiplies a load along a member or in a section of it in place of its history; `None` where that does.
    pub fn of_line(&self, load: usize) -> Option<f64> {
        self.lines.contains(&load).then_some(self.factor)
    }

    /// What multiplies the gravity of the file.
    pub fn of_gravity(&self) -> f64 {
        if self.gravity { self.factor } else { 1.0 }
    }
}

impl Field for Scaling {
    fn copy(&mut self, other: &Self) {
        self.clone_from(other);
    }
}
