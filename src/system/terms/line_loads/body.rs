//! Loads along edges of rigid bodies: a force on the body and a moment about its centre of mass.
//!
//! A place of the edge at R d from the centre of mass Y passes its share w dS of the load on. What keeps its direction, q, and what turns
//! with the body, q_n and q_t along its initial normal n and tangent t, make
//!
//! ```text
//! F = S q + R (F_n q_n + F_t q_t),    M = q·J R D + M_n q_n + M_t q_t
//! S = ∫ w dS,   D = ∫ w d dS,   F_n = ∫ w n dS,   M_n = ∫ w d×n dS   (and so with t)
//! ```
//!
//! q·R D is the potential of the moment of q, up to its sign; what turns with the body has none, and the tangent J R F of its force has
//! no counterpart in the row of the moment.

use crate::checked::Checked;
use crate::linear::{Bordered, Layout};
use crate::nodes::{FrameNode, Nodes};
use crate::system::equations::Equations;
use crate::system::numbers::Number;

/// A load along an edge of a rigid body or through it.
#[derive(Debug, Clone)]
pub(crate) struct BodyLoad {
    pub node: FrameNode,
    /// S, m.
    share: f64,
    /// D, m².
    lever: [f64; 2],
    /// F (m) and M (m²) of q_n and of q_t.
    following: [([f64; 2], f64); 2],
    /// Entries of the tangent between positions and the rotation: axis, equations and place.
    couplings: Vec<(usize, [usize; 2], usize)>,
    /// Place of that of the rotation with itself.
    diagonal: Option<usize>,
}

impl BodyLoad {
    pub fn new(node: FrameNode) -> BodyLoad {
        BodyLoad {
            node,
            share: 0.0,
            lever: [0.0; 2],
            following: [([0.0; 2], 0.0); 2],
            couplings: Vec::new(),
            diagonal: None,
        }
    }

    /// The rigid bodies along whose edges loads act.
    pub fn bodies(model: &Checked, nodes: &Nodes) -> impl Iterator<Item = FrameNode> {
        let loads = model.line_loads.iter();
        loads.filter_map(|load| nodes.of_rigid_body(model.rigid_body_of(load)?))
    }

    /// Adds what a place of an edge, with this `initial` position relative to the centre of mass with the direction `angle`, passes on: its share in the load, m.
    pub fn add_along(&mut self, share: f64, initial: [f64; 2], angle: f64) {
        self.add_place(share, initial);
        let (sin, cos) = angle.sin_cos();
        for ((force, moment), [x, y]) in self.following.iter_mut().zip([[-sin, cos], [cos, sin]]) {
            *force = [force[0] + share * x, force[1] + share * y];
            *moment += share * (initial[0] * y - initial[1] * x);
        }
    }

    /// Adds what a place with this `initial` position relative to the centre of mass passes on of a load through the body.
    pub fn add_place(&mut self, share: f64, initial: [f64; 2]) {
        self.share += share;
        self.lever = [0, 1].map(|i| self.lever[i] + share * initial[i]);
    }

    /// Unknowns of the position with the share of a dead load along x and y, m.
    pub fn dead(&self) -> [(usize, f64); 2] {
        self.node.position.map(|u| (u, self.share))
    }

    /// Finds the places of its tangent; returns how many entries are beside the symmetric part.
    pub fn connect(&mut self, follows: bool, equation: &Equations, layout: &Layout) -> usize {
        let Some(turn) = equation.of(self.node.rotation) else {
            return 0;
        };
        self.diagonal = Some(layout.position(turn, turn));
        for (axis, &u) in self.node.position.iter().enumerate().filter(|_| follows) {
            if let Some(e) = equation.of(u) {
                self.couplings.push((axis, [e, turn], layout.position(e, turn)));
            }
        }
        2 * self.couplings.len()
    }

    /// Force and moment of the components [q_x, q_y, q_n, q_t] on a body that has turned by `angle`, but for S q.
    pub fn forces<D: Number>(&self, angle: D, q: [D; 4]) -> [D; 3] {
        let [x, y] = turned(angle, self.force(q));
        let lever = turned(angle, self.lever.map(D::from));
        let [normal, tangential] = self.following.map(|(_, moment)| moment);
        let moment = q[1] * lever[0] - q[0] * lever[1];
        [x, y, moment + q[2] * normal + q[3] * tangential]
    }

    /// Their derivatives by the angle.
    fn slopes(&self, angle: f64, q: [f64; 4]) -> [f64; 3] {
        let [x, y] = turned(angle, self.force(q));
        let lever = turned(angle, self.lever);
        [-y, x, -(q[0] * lever[0] + q[1] * lever[1])]
    }

    /// F_n q_n + F_t q_t.
    fn force<D: Number>(&self, q: [D; 4]) -> [D; 2] {
        let [(normal, _), (tangential, _)] = self.following;
        [0, 1].map(|i| q[2] * normal[i] + q[3] * tangential[i])
    }

    /// Takes the derivatives at an angle from the matrix: the symmetric half from its entries, the other beside it.
    pub fn add_tangent(&self, angle: f64, q: [f64; 4], matrix: &mut Bordered) {
        let slopes = self.slopes(angle, q);
        if let Some(place) = self.diagonal {
            matrix.interior.values[place] -= slopes[2];
        }
        for &(axis, [position, turn], place) in &self.couplings {
            let half = 0.5 * slopes[axis];
            matrix.interior.values[place] -= half;
            matrix.add_beside(position, turn, -half);
            matrix.add_beside(turn, position, half);
        }
    }
}

fn turned<D: Number>(angle: D, [x, y]: [D; 2]) -> [D; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}
