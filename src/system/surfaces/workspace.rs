//! Scratch space for the assembly of contacts of surfaces.

use super::SurfaceContact;
use super::kinematics::ContactKinematics;
use crate::surfaces::closest_point::Half;
use crate::surfaces::layer::{PointFriction, Touch};
use crate::surfaces::local::{Arms, Locals, MOST};
use crate::surfaces::sample::Exerted;

/// No place.
const NONE: u32 = u32::MAX;

/// Scratch space for the assembly of a contact, with what the last evaluation has found of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactWorkspace {
    pub evaluated: ContactKinematics,
    /// d and s of its points, m: not those in `evaluated` where these are predicted.
    pub exact: Vec<[f64; 2]>,
    /// How its points move with a correction, and how they stand after a share of it.
    pub displacements: Vec<Displacement>,
    pub trial: ContactKinematics,
    /// What its points do there.
    pub touches: Vec<Touch>,
    pub locals: Locals,
    /// The unknowns of each sample and where they end, and what turns there.
    pub halves: Vec<Half>,
    pub ends: Vec<usize>,
    pub arms: Vec<Arms>,
    pub slopes: Slopes,
    pub forces: Vec<PointForces>,
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

/// Forces of a point.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PointForces {
    pub exerted: Exerted,
    pub tangential: PointFriction,
    /// Forces that turn with surface and path in the tangent.
    pub turns: Exerted,
}

/// How a point moves with a correction: changes of d, of s and of what χ follows; and its sliding velocity before, m/s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Displacement {
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

impl ContactWorkspace {
    /// Room for a `contact` in a mechanism of so many unknowns; pages that are not used stay untouched.
    pub fn new(unknowns: usize, contact: &SurfaceContact) -> ContactWorkspace {
        let (mut scratch, samples) = (ContactWorkspace::default(), contact.most_samples());
        scratch.slopes.places.resize(unknowns, NONE);
        scratch.slopes.list.reserve(unknowns);
        scratch.places.reserve(unknowns);
        scratch.equations.reserve(unknowns);
        scratch.changes.reserve(unknowns);
        scratch.evaluated.reserve(samples);
        scratch.trial.reserve_points(contact.points.len(), contact.strips.len());
        scratch.exact.reserve(contact.points.len());
        scratch.displacements.reserve(contact.points.len());
        scratch.touches.reserve(contact.points.len());
        scratch.halves.reserve(samples * MOST);
        scratch.ends.reserve(samples);
        scratch.arms.reserve(samples);
        // Each of its points has samples.
        scratch.forces.reserve(samples);
        scratch
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
