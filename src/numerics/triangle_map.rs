//! The map from the reference triangle to one in the initial configuration, with curved sides.

use super::bernstein::OF_JACOBIANS;
use super::triangle::{self, lattice_of, order_of};
use crate::numerics::hypot::hypot;

/// Newton's iterations to a place before it is given up.
const ITERATIONS: usize = 30;

/// How far from a place Newton's method may end, relative to the element.
const MISS: f64 = 1e-9;

/// Places of a lattice from whose nearest they begin.
const STARTS: usize = triangle::node_count(4);

/// Shape functions at one place, and their derivatives by ξ and η.
struct Shape<const NODES: usize> {
    value: [f64; NODES],
    slope: [[f64; NODES]; 2],
}

fn shape<const NODES: usize>(at: [f64; 2]) -> Shape<NODES> {
    let all = lattice_of::<NODES>().map(|node| triangle::shape(order_of(NODES), node, at));
    Shape {
        value: all.map(|[value, _, _]| value),
        slope: [all.map(|[_, slope, _]| slope), all.map(|[_, _, slope]| slope)],
    }
}

/// A place of triangles that are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Within {
    pub element: usize,
    /// (ξ, η).
    pub at: [f64; 2],
}

impl Within {
    /// The least of ξ, η and 1 − ξ − η: how far inside the triangle it is, 0 on a side.
    pub fn depth(&self) -> f64 {
        depth(self.at)
    }
}

fn depth([xi, eta]: [f64; 2]) -> f64 {
    xi.min(eta).min(1.0 - xi - eta)
}

/// The map X(ξ, η) = Σ φ_l X_l of an element with the nodes X_l.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Map<const NODES: usize> {
    nodes: [[f64; 2]; NODES],
}

/// The map and the shape functions at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local<const NODES: usize> {
    pub value: [f64; NODES],
    /// ∂φ/∂X₁ and ∂φ/∂X₂, 1/m.
    pub slope: [[f64; NODES]; 2],
    /// det ∂X/∂(ξ, η), m²; positive where nodes are counted counter-clockwise.
    pub jacobian: f64,
}

impl<const NODES: usize> Map<NODES> {
    /// From the nodes, m, in the order of the [`lattice`](triangle::lattice).
    pub fn new(nodes: [[f64; 2]; NODES]) -> Map<NODES> {
        Map { nodes }
    }

    /// Initial positions of the nodes.
    pub fn nodes(&self) -> &[[f64; 2]; NODES] {
        &self.nodes
    }

    /// X, m.
    pub fn place(&self, at: [f64; 2]) -> [f64; 2] {
        self.sum(&shape(at).value)
    }

    /// Shape functions with their derivatives by X.
    pub fn at(&self, at: [f64; 2]) -> Local<NODES> {
        let shape = shape(at);
        let columns = self.columns(&shape);
        let jacobian = determinant(columns);
        let [[a, c], [b, d]] = columns;
        let by = |x: f64, y: f64| {
            std::array::from_fn(|l| (x * shape.slope[0][l] + y * shape.slope[1][l]) / jacobian)
        };
        Local { value: shape.value, slope: [by(d, -c), by(-b, a)], jacobian }
    }

    /// A place, m, where the map turns over or draws together, and its Jacobian there, m², if there is one.
    pub fn turned_over(&self) -> Option<([f64; 2], f64)> {
        // A polynomial of degree 2(p − 1).
        let jacobian = |at: [f64; 2]| determinant(self.columns(&shape(at)));
        let at = OF_JACOBIANS[order_of(NODES) - 1].not_positive(jacobian)?;
        Some((self.place(at), jacobian(at)))
    }

    /// (ξ, η) of the place `wanted` of the element, if it is there: inside or on a side, which may be missed
    /// by `tolerance` in ξ, η or 1 − ξ − η.
    pub fn find(&self, wanted: [f64; 2], tolerance: f64) -> Option<[f64; 2]> {
        if self.is_far(wanted) {
            return None;
        }
        let mut at = self.nearest_start(wanted);
        for _ in 0..ITERATIONS {
            let shape = shape(at);
            let found = self.sum(&shape.value);
            let [dx, dy] = [wanted[0] - found[0], wanted[1] - found[1]];
            let columns = self.columns(&shape);
            let [[a, c], [b, d]] = columns;
            let jacobian = determinant(columns);
            let step = [(d * dx - b * dy) / jacobian, (a * dy - c * dx) / jacobian];
            // Beyond the element the polynomials lead anywhere.
            let length = hypot(step[0], step[1]);
            let scale = if length > 0.5 { 0.5 / length } else { 1.0 };
            at = [at[0] + scale * step[0], at[1] + scale * step[1]];
            if length < 1e-14 {
                break;
            }
        }
        let found = self.place(at);
        let miss = hypot(wanted[0] - found[0], wanted[1] - found[1]);
        (depth(at) >= -tolerance && miss <= MISS * self.extent()).then_some(at)
    }

    /// Whether a place is farther from the box around the nodes than the polynomials between them lead.
    fn is_far(&self, place: [f64; 2]) -> bool {
        let margin = self.extent();
        (0..2).any(|i| {
            let [low, high] = self.range(i);
            !(place[i] >= low - margin && place[i] <= high + margin)
        })
    }

    /// The place of a fine lattice whose image is nearest.
    fn nearest_start(&self, wanted: [f64; 2]) -> [f64; 2] {
        let starts = lattice_of::<STARTS>();
        let starts = starts.map(|[_, j, k]| [j, k].map(|i| i as f64 / order_of(STARTS) as f64));
        let miss = |at: &[f64; 2]| {
            let [x, y] = self.place(*at);
            hypot(wanted[0] - x, wanted[1] - y)
        };
        let nearest = starts.into_iter().min_by(|a, b| miss(a).total_cmp(&miss(b)));
        nearest.unwrap_or([1.0 / 3.0; 2])
    }

    /// Half the perimeter of the box around the nodes, m.
    fn extent(&self) -> f64 {
        let along = |i: usize| {
            let [low, high] = self.range(i);
            high - low
        };
        along(0) + along(1)
    }

    /// The least and the largest coordinate of the nodes, m.
    fn range(&self, i: usize) -> [f64; 2] {
        let all = self.nodes.iter().map(|node| node[i]);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    fn sum(&self, weights: &[f64; NODES]) -> [f64; 2] {
        [0, 1].map(|i| self.nodes.iter().zip(weights).map(|(x, w)| w * x[i]).sum())
    }

    /// ∂X/∂ξ and ∂X/∂η.
    fn columns(&self, shape: &Shape<NODES>) -> [[f64; 2]; 2] {
        [0, 1].map(|i| self.sum(&shape.slope[i]))
    }
}

fn determinant([[a, c], [b, d]]: [[f64; 2]; 2]) -> f64 {
    a * d - b * c
}
