//! The unknowns that a point of a surface and the place of the path below it hang on.

use crate::joints::blend::MAX_CARRIERS;
use crate::numerics::lagrange::MAX_NODES;

/// Most of them: positions and rotations of an element's nodes, positions of those that carry a path, and one to look at.
pub const MOST: usize = 3 * MAX_NODES + 2 * MAX_CARRIERS + 1;

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
    pub arm: Arm,
    /// Whether it moves the surface and not the path.
    pub surface: bool,
}

/// What turns with a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arm {
    /// The arm of the surface, from the axis of its member or from the centre of mass of its rigid body.
    #[default]
    Surface,
    /// That of a path on a rigid body.
    Path,
}

/// All of them.
#[derive(Debug, Clone)]
pub struct Locals {
    count: usize,
    list: [Local; MOST],
    /// Arms as they have turned: that of the surface, and D, D′ of a path on a rigid body.
    pub surface_arm: [f64; 2],
    pub path_arm: [[f64; 2]; 2],
}

impl Default for Locals {
    fn default() -> Locals {
        Locals {
            count: 0,
            list: [Local::default(); MOST],
            surface_arm: [0.0; 2],
            path_arm: [[0.0; 2]; 2],
        }
    }
}

impl Locals {
    /// None.
    pub fn clear(&mut self) {
        self.count = 0;
        self.surface_arm = [0.0; 2];
        self.path_arm = [[0.0; 2]; 2];
    }

    /// The first `count` of them.
    pub fn truncate(&mut self, count: usize) {
        self.count = count;
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

    /// Second derivatives of X − P and of τ by two of them.
    pub fn second(&self, i: usize, j: usize) -> [[f64; 2]; 2] {
        let (a, b) = (&self.list[i], &self.list[j]);
        let share = a.turn * b.turn;
        if share == 0.0 || a.arm != b.arm {
            return [[0.0; 2]; 2];
        }
        match a.arm {
            Arm::Surface => [self.surface_arm.map(|d| -share * d), [0.0; 2]],
            Arm::Path => [
                self.path_arm[0].map(|d| share * d),
                self.path_arm[1].map(|d| -share * d),
            ],
        }
    }
}
