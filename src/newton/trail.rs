//! What derivatives have to know of the corrections of positions.

use crate::system::{Iterate, System};

/// The corrections of positions in a stage: their sum with its multipliers, and where the matrix of the first of them was found.
#[derive(Debug, Clone)]
pub struct Trail {
    pub at: Iterate,
    pub interior: Vec<f64>,
    pub border: Vec<f64>,
    /// The version of that matrix.
    pub version: Option<u64>,
    /// The largest of the corrections that other matrices have found, relative to the mechanism's size.
    pub others: f64,
}

impl Trail {
    pub fn new(system: &System) -> Trail {
        Trail {
            at: Iterate::new(system),
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
            version: None,
            others: 0.0,
        }
    }

    pub(super) fn begin(&mut self, at: &Iterate) {
        self.at.clone_from(at);
        (self.version, self.others) = (None, 0.0);
        self.interior.fill(0.0);
        self.border.fill(0.0);
    }

    /// Adds a correction of this `size`, which the matrix of a `version` has found.
    pub(super) fn add(&mut self, (interior, border): (&[f64], &[f64]), version: u64, size: f64) {
        if *self.version.get_or_insert(version) != version {
            self.others = self.others.max(size);
        }
        (self.interior.iter_mut().zip(interior)).for_each(|(sum, x)| *sum += x);
        (self.border.iter_mut().zip(border)).for_each(|(sum, y)| *sum += y);
    }
}
