//! Room for the assembly of contacts of surfaces.

use super::SurfaceContact;
use super::kinematics::ContactKinematics;
use crate::surfaces::foot::Half;
use crate::surfaces::layer::PointFriction;
use crate::surfaces::local::{Arms, Locals, MOST};
use crate::surfaces::sample::Exerted;

/// No place.
const NONE: u32 = u32::MAX;

/// Room for the assembly of a contact, with what the last evaluation has found of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    pub evaluated: ContactKinematics,
    /// d and s of its points, m: not those of `stands` where these are predicted.
    pub exact: Vec<[f64; 2]>,
    /// How its points move with a correction, and how they stand after a share of it.
    pub ways: Vec<Way>,
    pub trial: ContactKinematics,
    pub locals: Locals,
    /// The unknowns of each sample and where they end, and what turns there.
    pub halves: Vec<Half>,
    pub ends: Vec<usize>,
    pub arms: Vec<Arms>,
    pub slopes: Slopes,
    pub acts: Vec<Acts>,
    /// Unknowns that have an equation: their places in a list, their equations, and what changes with them.
    pub places: Vec<usize>,
    pub equations: Vec<u32>,
    pub changes: Vec<Change>,
}

/// The unknowns of a point with ∂d/∂z, ∂s/∂z, that of what χ follows, and ∂(∂s/∂z·ż)/∂z at unchanged velocities; with what N and the
/// force of what is stored change by as the other ends of its strips move; and with what d changes by with the ends of the path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slopes {
    pub list: Vec<(usize, [f64; 7])>,
    /// Where each of all unknowns is in the list.
    places: Vec<u32>,
}

/// What changes of a point with an unknown z.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    /// σ ∂d/∂z, ∂s/∂z, and ∂c/∂z of what χ follows, where it counts.
    pub depth: f64,
    pub s: f64,
    pub passing: f64,
    /// ∂N/∂z, and that of the force of what is stored by c.
    pub normal: f64,
    pub stored: f64,
    /// ∂T/∂z as far as T follows N and the velocity.
    pub friction: f64,
    /// ∂N/∂z by the ends of the path.
    pub ended: f64,
}

/// What a point does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Acts {
    pub exerted: Exerted,
    pub tangential: PointFriction,
    /// Forces that turn with surface and path in the tangent.
    pub turns: Exerted,
}

/// How a point moves with a correction: changes of d, of s and of what χ follows; and its sliding velocity before, m/s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Way {
    pub by: [f64; 3],
    pub velocity: f64,
}

impl Slopes {
    pub fn clear(&mut self) {
        for (unknown, _) in self.list.drain(..) {
            self.places[unknown] = NONE;
        }
    }

    pub fn add(&mut self, unknown: usize, slopes: [f64; 7]) {
        if self.places.len() <= unknown {
            self.places.resize(unknown + 1, NONE);
        }
        let place = &mut self.places[unknown];
        if *place == NONE {
            *place = self.list.len() as u32;
            self.list.push((unknown, [0.0; 7]));
        }
        let sum = &mut self.list[*place as usize].1;
        for (sum, slope) in sum.iter_mut().zip(slopes) {
            *sum += slope;
        }
    }
}

impl Room {
    /// Room for a `contact` in a mechanism of so many unknowns; pages that are not used stay untouched.
    pub fn new(unknowns: usize, contact: &SurfaceContact) -> Room {
        let (mut room, samples) = (Room::default(), contact.most_samples());
        room.slopes.places.resize(unknowns, NONE);
        room.slopes.list.reserve(unknowns);
        room.places.reserve(unknowns);
        room.equations.reserve(unknowns);
        room.changes.reserve(unknowns);
        room.evaluated.reserve(samples);
        room.trial.reserve_points(contact.points.len(), contact.strips.len());
        room.exact.reserve(contact.points.len());
        room.ways.reserve(contact.points.len());
        room.halves.reserve(samples * MOST);
        room.ends.reserve(samples);
        room.arms.reserve(samples);
        // Each of its points has samples.
        room.acts.reserve(samples);
        room
    }

    /// The unknowns of a sample; none where nothing of its stretch touches.
    pub fn halves_of(&self, sample: usize) -> &[Half] {
        if self.ends.is_empty() {
            return &[];
        }
        let first = match sample {
            0 => 0,
            _ => self.ends[sample - 1],
        };
        &self.halves[first..self.ends[sample]]
    }
}
