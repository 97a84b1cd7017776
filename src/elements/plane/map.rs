//! The map from the reference triangle to an element as drawn.

use crate::numerics::triangle::{self, lattice_of, order_of};

/// Newton's iterations to a place before it is given up.
const ITERATIONS: usize = 30;

/// Shape functions at one place, and their derivatives by ξ and η.
struct Shape<const NODES: usize> {
    value: [f64; NODES],
    slope: [[f64; NODES]; 2],
}

fn shape<const NODES: usize>(at: [f64; 2]) -> Shape<NODES> {
    let all = lattice_of::<NODES>().map(|node| triangle::shape(order_of(NODES), node, at));
    Shape {
        value: all.map(|[value, _, _]| value),
        slope: [
            all.map(|[_, slope, _]| slope),
            all.map(|[_, _, slope]| slope),
        ],
    }
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

    /// Where the nodes are drawn.
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
        Local {
            value: shape.value,
            slope: [by(d, -c), by(-b, a)],
            jacobian,
        }
    }

    /// A place in space where the map turns over or draws together, if there is one.
    pub fn turned_over(&self) -> Option<[f64; 2]> {
        let fine = 4 * order_of(NODES);
        let lines = (0..=fine).flat_map(|i| (0..=fine - i).map(move |j| [i, j]));
        let places = lines.map(|at| at.map(|k| k as f64 / fine as f64));
        let worst = places
            .map(|at| (at, determinant(self.columns(&shape(at)))))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let (at, jacobian) = worst?;
        (jacobian.is_nan() || jacobian <= 0.0).then(|| self.place(at))
    }

    /// (ξ, η) of the place `wanted` of the element, if it is there: inside or on a side, which may be missed
    /// by `tolerance` in ξ, η or 1 − ξ − η.
    pub fn find(&self, wanted: [f64; 2], tolerance: f64) -> Option<[f64; 2]> {
        let mut at = [1.0 / 3.0; 2];
        for _ in 0..ITERATIONS {
            let shape = shape(at);
            let found = self.sum(&shape.value);
            let [dx, dy] = [wanted[0] - found[0], wanted[1] - found[1]];
            let columns = self.columns(&shape);
            let [[a, c], [b, d]] = columns;
            let jacobian = determinant(columns);
            let step = [(d * dx - b * dy) / jacobian, (a * dy - c * dx) / jacobian];
            // Beyond the element the polynomials lead anywhere.
            let length = step[0].hypot(step[1]);
            let scale = if length > 0.5 { 0.5 / length } else { 1.0 };
            at = [at[0] + scale * step[0], at[1] + scale * step[1]];
            if length < 1e-14 {
                break;
            }
        }
        let found = self.place(at);
        let miss = (wanted[0] - found[0]).hypot(wanted[1] - found[1]);
        let inside = at[0].min(at[1]).min(1.0 - at[0] - at[1]) >= -tolerance;
        (inside && miss <= tolerance * self.extent()).then_some(at)
    }

    /// Half the perimeter of the box around the nodes, m.
    fn extent(&self) -> f64 {
        let along = |i: usize| {
            let all = self.nodes.iter().map(|node| node[i]);
            let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            high - low
        };
        along(0) + along(1)
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
