//! Room for the assembly of contacts of surfaces.

use super::surface_contact::Stands;
use crate::surfaces::lining::Rubbed;
use crate::surfaces::local::Locals;

/// No place.
const NONE: u32 = u32::MAX;

/// Room for the assembly of a contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    pub stands: Stands,
    pub locals: Locals,
    /// The unknowns of each sample, with its first derivatives, and where they end.
    pub firsts: Vec<(usize, [f64; 2])>,
    pub first_ends: Vec<usize>,
    /// Its second derivatives, upper triangles column by column, and where they begin.
    pub seconds: Vec<[f64; 2]>,
    pub second_starts: Vec<usize>,
    pub slopes: Slopes,
    pub acts: Vec<Acts>,
    /// Unknowns that have an equation: their places in a list and their equations.
    pub free: Vec<usize>,
    pub equations: Vec<u32>,
}

/// The unknowns of a point with ∂d/∂z, ∂s/∂z and ∂(∂s/∂z·ż)/∂z at unchanged velocities.
#[derive(Debug, Clone, Default)]
pub(super) struct Slopes {
    pub list: Vec<(usize, [f64; 3])>,
    /// Where each of all unknowns is in the list.
    places: Vec<u32>,
}

/// What a point does.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Acts {
    /// σ N and the force along, N.
    pub across: f64,
    pub along: f64,
    pub rubbed: Rubbed,
}

impl Slopes {
    pub fn clear(&mut self) {
        for (unknown, _) in self.list.drain(..) {
            self.places[unknown] = NONE;
        }
    }

    pub fn add(&mut self, unknown: usize, share: f64, slopes: [f64; 3]) {
        if self.places.len() <= unknown {
            self.places.resize(unknown + 1, NONE);
        }
        let place = &mut self.places[unknown];
        if *place == NONE {
            *place = self.list.len() as u32;
            self.list.push((unknown, [0.0; 3]));
        }
        let sum = &mut self.list[*place as usize].1;
        for (sum, slope) in sum.iter_mut().zip(slopes) {
            *sum += share * slope;
        }
    }
}

impl Room {
    /// Room in a mechanism of so many unknowns.
    pub fn new(unknowns: usize) -> Room {
        let mut room = Room::default();
        room.slopes.places.resize(unknowns, NONE);
        room
    }

    pub fn firsts_of(&self, sample: usize) -> &[(usize, [f64; 2])] {
        let first = if sample == 0 {
            0
        } else {
            self.first_ends[sample - 1]
        };
        &self.firsts[first..self.first_ends[sample]]
    }

    pub fn second(&self, sample: usize, a: usize, b: usize) -> [f64; 2] {
        let (row, column) = (a.min(b), a.max(b));
        self.seconds[self.second_starts[sample] + column * (column + 1) / 2 + row]
    }
}
