//! The unknowns that a point of a surface and the place of the path below it hang on.

use crate::joints::blend::MAX_CARRIERS;
use crate::numerics::lagrange::MAX_NODES;

/// Most of them: positions and rotations of an element's nodes, positions of those that carry a path.
pub const MOST: usize = 3 * MAX_NODES + 2 * MAX_CARRIERS;

/// One of these unknowns.
#[derive(Debug, Clone, Copy, Default)]
pub struct Local {
    /// Its number among the unknowns.
    pub unknown: usize,
    /// ∂(X − P)/∂z of the point X and the place P at a fixed s.
    pub place: [f64; 2],
    /// ∂P′/∂z.
    pub along: [f64; 2],
    /// ∂τ/∂z.
    pub slope: [f64; 2],
    /// ∂τ′/∂z.
    pub bend: [f64; 2],
    /// Weight in the angle that turns an arm; 0 of a position.
    pub turn: f64,
    /// Which arm it turns.
    pub arm: ArmOf,
    /// Whether it moves the surface and not the path.
    pub surface: bool,
}

/// Whose arm turns with a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArmOf {
    /// The arm of the surface, from the axis of its member or from the centre of mass of its rigid body.
    #[default]
    Surface,
    /// The arm of a path on a rigid body.
    Path,
}

/// All unknowns of a contact point, with its arms.
#[derive(Debug, Clone)]
pub struct Locals {
    count: usize,
    list: [Local; MOST],
    pub arms: Arms,
}

/// Arms as they have turned.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arms {
    /// The arm of the surface.
    pub surface: [f64; 2],
    /// D, D′ of a path on a rigid body.
    pub path: [[f64; 2]; 2],
}

impl Arms {
    /// Second derivatives of X − P and of τ by two unknowns with these weights in what turns an arm.
    pub fn second(&self, a: (f64, ArmOf), b: (f64, ArmOf)) -> Option<[[f64; 2]; 2]> {
        let share = a.0 * b.0;
        if share == 0.0 || a.1 != b.1 {
            return None;
        }
        Some(match a.1 {
            ArmOf::Surface => [self.surface.map(|d| -share * d), [0.0; 2]],
            ArmOf::Path => [self.path[0].map(|d| share * d), self.path[1].map(|d| -share * d)],
        })
    }
}

impl Default for Locals {
    fn default() -> Locals {
        Locals { count: 0, list: [Local::default(); MOST], arms: Arms::default() }
    }
}

impl Locals {
    /// None.
    pub fn clear(&mut self) {
        self.count = 0;
        self.arms = Arms::default();
    }

    /// One more.
    pub fn push(&mut self, local: Local) {
        self.list[self.count] = local;
        self.count += 1;
    }

    /// In the order in which they were pushed.
    pub fn as_slice(&self) -> &[Local] {
        &self.list[..self.count]
    }
}
