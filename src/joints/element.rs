//! One element of a path: its nodes, its arc length and its direction in the initial configuration.

use std::f64::consts::{PI, TAU};

use crate::elements::initial::{ArcLength, InitialAxis};
use crate::nodes::Node;
use crate::numerics::lagrange::{MAX_NODES, shape};

/// Change of direction from one element to the next, in the drawing or under way, that counts as a
/// kink, rad. Members that continue each other meet at smaller angles by their discretisation alone.
pub const KINK: f64 = 1e-3;

/// Share of what two sides of triangles turn at which they meet without a corner: their polynomials are those of one
/// smooth curve.
const SMOOTH: f64 = 0.1;

/// Angle beyond which elements meet in a corner, where the sides of triangles that meet turn by `turned`; 0 for members.
pub fn corner(turned: [f64; 2]) -> f64 {
    KINK + SMOOTH * turned[0].abs().min(turned[1].abs())
}

/// One element that carries the path.
#[derive(Debug, Clone)]
pub struct PathElement {
    /// Nodes of the element in the order of growing s.
    pub nodes: Vec<Node>,
    /// s at the element's first node, m.
    pub start: f64,
    /// Initial length, of a face the face's, m.
    pub length: f64,
    /// ξ(s) where the element is curved.
    pub curve: Option<Box<ArcLength>>,
    /// Angle by which the initial path has turned at each node since the slider's place in the
    /// drawing, rad: its curves count, its corners do not. 0 on straight paths.
    pub turned: Vec<f64>,
    /// Unit normal to the left of growing s in the initial configuration, turned back by `turned`.
    pub normal: [f64; 2],
    /// Whether the path leaves the member at this element's far end, and not in line with it by
    /// design.
    pub ends_member: bool,
}

impl PathElement {
    /// Whether `next` goes on in this element's direction, clamped to it: no hinge, no corner.
    pub fn goes_on_in(&self, next: &PathElement) -> bool {
        let ([a, b], [c, d]) = (self.normal, next.normal);
        let straight = (a * d - b * c).atan2(a * c + b * d);
        let ends = [self.turned.last(), next.turned.first()];
        let [left, right] = ends.map(|turned| turned.copied().unwrap_or_default());
        // By whole turns where a closed path begins anew.
        let corner = (straight + right - left + PI).rem_euclid(TAU) - PI;
        let allowed = self::corner([self.turns_as_side(), next.turns_as_side()]);
        self.nodes.last() == next.nodes.first() && corner.abs() <= allowed
    }

    /// Angle by which a side of a triangle turns; 0 of a member, which has its initial directions.
    fn turns_as_side(&self) -> f64 {
        match (self.nodes[0].rotation, self.turned.as_slice()) {
            (None, [first, .., last]) => last - first,
            _ => 0.0,
        }
    }

    /// Initial length of its axis, m.
    pub fn length_of_axis(&self) -> f64 {
        // Where it is straight a face is as long as the axis.
        (self.curve.as_ref()).map_or(self.length, |curve| curve.total())
    }

    /// ξ at `along` m from the first node.
    pub fn coordinate(&self, along: f64) -> f64 {
        match &self.curve {
            Some(curve) => curve.coordinate(along)[0],
            None => 2.0 * along / self.length - 1.0,
        }
    }

    /// Weights of the nodes at `along` m from the first one and their first derivatives by s, `D` of them in all, at most
    /// four, also beside the element.
    pub fn weights<const D: usize>(&self, along: f64) -> [[f64; MAX_NODES]; D] {
        let all = self.four_weights(along);
        std::array::from_fn(|d| all[d])
    }

    // In line, so that what nobody asks for is not computed.
    #[inline(always)]
    fn four_weights(&self, along: f64) -> [[f64; MAX_NODES]; 4] {
        let Some(curve) = &self.curve else {
            let rate = 2.0 / self.length;
            let shape = shape(self.nodes.len() - 1, 2.0 * along / self.length - 1.0);
            return [
                shape.value,
                shape.first.map(|d| d * rate),
                shape.second.map(|d| d * rate * rate),
                shape.third.map(|d| d * rate * rate * rate),
            ];
        };
        let [xi, rate, bend, third] = curve.coordinate(along);
        let shape = shape(self.nodes.len() - 1, xi);
        let combine = |shares: [f64; 3]| -> [f64; MAX_NODES] {
            std::array::from_fn(|l| {
                shares[0] * shape.first[l]
                    + shares[1] * shape.second[l]
                    + shares[2] * shape.third[l]
            })
        };
        let square = rate * rate;
        [
            shape.value,
            combine([rate, 0.0, 0.0]),
            combine([bend, square, 0.0]),
            combine([third, 3.0 * rate * bend, square * rate]),
        ]
    }

    /// Lets the element follow a curved or unevenly spaced `axis`, entered where the path has `turned` already.
    pub fn follow(&mut self, axis: &InitialAxis, turned: f64) {
        let curve = ArcLength::of(axis);
        let direction = axis.nodes()[0].angle;
        let angles = axis.nodes().iter().map(|node| node.angle);
        self.length = curve.total();
        self.curve = Some(Box::new(curve));
        self.normal = [-direction.sin(), direction.cos()];
        self.turned = angles.map(|a| turned + a - direction).collect();
    }

    /// Turns the normal back by an angle.
    pub fn turn_back(&mut self, angle: f64) {
        if angle != 0.0 {
            let ((sin, cos), [x, y]) = (angle.sin_cos(), self.normal);
            self.normal = [cos * x + sin * y, cos * y - sin * x];
        }
    }
}
