//! A point of a surface.
//!
//! ```text
//! X = Σ w_l Y_l + R(φ) D,    φ = Σ v_l r_l
//! ```
//!
//! with the shape functions w = v of a side of a triangle (D = 0) or of a frame element (D = ± half of its height,
//! across its axis), or with the centre of mass and the rotation of a rigid body (w = v = 1, D from there).

use super::local::{ArmOf, Local, Locals};
use crate::nodes::Node;
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::plane::turned;
use crate::numerics::positions::{Position, Positions};

/// A point of a surface with its part of it.
#[derive(Debug, Clone)]
pub struct SurfacePoint {
    /// The nodes that it hangs on.
    pub nodes: Vec<Node>,
    /// w_l.
    pub weights: [f64; MAX_NODES],
    /// D in the initial configuration, m.
    pub arm: [f64; 2],
    /// Its part of the surface's initial length, m.
    pub length: f64,
    /// Initial position, m.
    pub initial: [f64; 2],
}

/// Where a point is.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// A place nearby, from which the others are counted: positions far away keep their digits.
    pub from: [Position; 2],
    /// The point from there, m.
    pub place: [f64; 2],
    /// D as it has turned, m.
    pub arm: [f64; 2],
}

impl Placed {
    /// The origin.
    pub fn origin() -> Placed {
        Placed { from: [Position::default(); 2], place: [0.0; 2], arm: [0.0; 2] }
    }
}

/// A place of a surface as it hangs on nodes.
#[derive(Debug, Clone, Copy)]
pub struct Carried<'a> {
    pub nodes: &'a [Node],
    pub weights: &'a [f64; MAX_NODES],
    pub arm: [f64; 2],
}

impl SurfacePoint {
    /// How it hangs on its nodes.
    pub fn carried(&self) -> Carried<'_> {
        Carried { nodes: &self.nodes, weights: &self.weights, arm: self.arm }
    }

    /// Where it is.
    pub fn at(&self, q: &Positions) -> Placed {
        self.carried().at(q)
    }

    /// Adds the unknowns that it hangs on.
    pub fn add_locals(&self, at: &Placed, locals: &mut Locals) {
        self.carried().add_locals(at, locals);
    }
}

impl Carried<'_> {
    /// Where it is.
    pub fn at(&self, q: &Positions) -> Placed {
        let from = self.nodes[0].position.map(|u| q.get(u));
        let (mut place, mut angle) = ([0.0; 2], 0.0);
        for (node, w) in self.nodes.iter().zip(self.weights) {
            for (i, &u) in node.position.iter().enumerate() {
                place[i] += w * q.get(u).displacement_from(from[i]);
            }
            angle += node.rotation.map_or(0.0, |r| w * q[r]);
        }
        let arm = if angle == 0.0 { self.arm } else { turned(self.arm, angle) };
        Placed { from, place: [place[0] + arm[0], place[1] + arm[1]], arm }
    }

    /// Adds the unknowns that it hangs on; at a node of an element those of that node alone.
    pub fn add_locals(&self, at: &Placed, locals: &mut Locals) {
        locals.arms.surface = at.arm;
        for (node, &w) in self.nodes.iter().zip(self.weights).filter(|(_, w)| **w != 0.0) {
            for (i, &unknown) in node.position.iter().enumerate() {
                let mut place = [0.0; 2];
                place[i] = w;
                locals.push(Local { unknown, place, surface: true, ..Local::default() });
            }
            if let Some(unknown) = node.rotation
                && self.arm != [0.0; 2]
            {
                locals.push(Local {
                    unknown,
                    place: [-w * at.arm[1], w * at.arm[0]],
                    turn: w,
                    arm: ArmOf::Surface,
                    surface: true,
                    ..Local::default()
                });
            }
        }
    }
}
