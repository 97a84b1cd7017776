//! Material points: nodes, and places of rigid bodies.

use crate::checked::{BodyId, Checked};
use crate::nodes::Nodes;
use crate::numerics::number::Number;
use crate::numerics::positions::{Coordinates, Position, Positions};

/// A point that moves with a node, or on an arm with a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialPoint {
    /// Y₁, Y₂ of the node or of the centre of mass.
    pub node: [usize; 2],
    /// On a rigid body.
    pub arm: Option<Arm>,
}

/// Where a material point is on a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    /// The unknown r of the body.
    pub rotation: usize,
    /// d, from the initial centre of mass, m.
    pub initial: [f64; 2],
}

impl Arm {
    /// R d where r is the `angle`, m.
    pub(super) fn turned<D: Number>(&self, angle: D) -> [D; 2] {
        let ((sin, cos), [x, y]) = (angle.sin_cos(), self.initial);
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// J R d = ∂x/∂r where r is the `angle`, m.
    pub(super) fn lever<D: Number>(&self, angle: D) -> [D; 2] {
        let [x, y] = self.turned(angle);
        [-y, x]
    }
}

impl MaterialPoint {
    /// That of a rigid body which is initially at `place`; `None` where the body is not rigid.
    pub(super) fn on_body(
        model: &Checked, nodes: &Nodes, body: BodyId, place: [f64; 2],
    ) -> Option<MaterialPoint> {
        let [x, y] = model.bodies[body].rigid()?.centre;
        let node = nodes.of_rigid_body(body)?;
        Some(MaterialPoint {
            node: node.position,
            arm: Some(Arm { rotation: node.rotation, initial: [place[0] - x, place[1] - y] }),
        })
    }

    /// Where it is at the positions `q`, m.
    pub fn place(&self, q: &[f64]) -> [f64; 2] {
        let arm = self.arm.map_or([0.0; 2], |arm| arm.turned(q[arm.rotation]));
        [0, 1].map(|i| q[self.node[i]] + arm[i])
    }

    /// The same, m from `origin`.
    pub(super) fn displacement_from(&self, origin: [Position; 2], q: &Positions) -> [f64; 2] {
        let arm = self.arm.map_or([0.0; 2], |arm| arm.turned(q[arm.rotation]));
        [0, 1].map(|i| q.place(self.node[i]).displacement_from(origin[i]) + arm[i])
    }

    /// Its velocity at the positions `q` when the unknowns move with the velocities `rates`.
    pub fn velocity(&self, q: &[f64], rates: &[f64]) -> [f64; 2] {
        let turning = self.arm.map_or([0.0; 2], |arm| {
            arm.lever(q[arm.rotation]).map(|lever| lever * rates[arm.rotation])
        });
        [0, 1].map(|i| rates[self.node[i]] + turning[i])
    }

    /// Its unknowns.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + use<> {
        let rotation = self.arm.map(|arm| arm.rotation);
        self.node.into_iter().chain(rotation)
    }
}

impl From<[usize; 2]> for MaterialPoint {
    fn from(node: [usize; 2]) -> MaterialPoint {
        MaterialPoint { node, arm: None }
    }
}
