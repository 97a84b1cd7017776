//! The path of a sliding joint: a chain of elements with the arc length s of its initial
//! configuration, so that ξ(s) is explicit and an element is found by division.

use super::roughness::Profile;
use crate::elements::lagrange::{MAX_NODES, shape};

/// One element that carries the path.
#[derive(Debug, Clone)]
pub struct PathElement {
    /// Unknowns (Y₁, Y₂, r) of each node.
    pub nodes: Vec<[usize; 3]>,
    /// s at the element's first-walked end, m.
    pub start: f64,
    /// Initial length, m.
    pub length: f64,
    /// Walked from its last node to its first.
    pub reversed: bool,
    /// Unit normal to the left of growing s in the initial configuration.
    pub normal: [f64; 2],
    /// Whether the path leaves the member at this element's far end.
    pub ends_member: bool,
}

/// A path of one or more members.
#[derive(Debug, Clone)]
pub struct Path {
    elements: Vec<PathElement>,
    length: f64,
    roughness: Option<Profile>,
}

/// Weights of the path's nodes at one s: Y = Σ w_l Y_l, and by s. Beyond an end the path goes on
/// along its end tangent.
#[derive(Debug, Clone, Copy)]
pub struct PathPoint {
    /// Arc length on the initial path, m.
    pub s: f64,
    /// Index of the element in the path.
    pub element: usize,
    /// Weights of the positions with first and second derivative by s.
    pub position: [[f64; MAX_NODES]; 3],
    /// Weights of the rotations with first and second derivative by s.
    pub rotation: [[f64; MAX_NODES]; 3],
}

impl Path {
    /// `elements` in the order of growing s, each starting where the one before ends; not empty.
    pub fn new(elements: Vec<PathElement>) -> Path {
        let length = elements.last().map_or(0.0, |e| e.start + e.length);
        Path {
            elements,
            length,
            roughness: None,
        }
    }

    /// The same path with a rough surface.
    pub fn with_roughness(self, roughness: Option<Profile>) -> Path {
        Path { roughness, ..self }
    }

    /// Height of the surface over the path.
    pub fn roughness(&self) -> Option<&Profile> {
        self.roughness.as_ref()
    }

    /// Length of the initial configuration, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The elements in the order of growing s.
    pub fn elements(&self) -> &[PathElement] {
        &self.elements
    }

    /// The element that carries s; the first or last one beyond the ends.
    pub fn element_at(&self, s: f64) -> usize {
        let after = self.elements.partition_point(|e| e.start <= s);
        after.saturating_sub(1)
    }

    /// Node weights at s on the given element, which is extended as a polynomial where s lies
    /// beside it, and as a straight line beyond the ends of the path.
    pub fn point_on(&self, element: usize, s: f64) -> PathPoint {
        let e = &self.elements[element];
        let inside = s.clamp(0.0, self.length);
        let along = 2.0 * (inside - e.start) / e.length;
        let (xi, rate) = if e.reversed {
            (1.0 - along, -2.0 / e.length)
        } else {
            (along - 1.0, 2.0 / e.length)
        };
        let shape = shape(e.nodes.len() - 1, xi);
        let slope = shape.first.map(|d| d * rate);
        let bend = shape.second.map(|d| d * rate * rate);
        let beyond = s - inside;
        if beyond == 0.0 {
            PathPoint {
                s,
                element,
                position: [shape.value, slope, bend],
                rotation: [shape.value, slope, bend],
            }
        } else {
            let none = [0.0; MAX_NODES];
            let mut value = shape.value;
            for (v, d) in value.iter_mut().zip(&slope) {
                *v += d * beyond;
            }
            PathPoint {
                s,
                element,
                position: [value, slope, none],
                rotation: [shape.value, none, none],
            }
        }
    }
}

impl PathPoint {
    /// Σ w_l r_l over the nodes of its element, with the rotations r_l among the unknowns `q`.
    pub fn turn(&self, path: &Path, weights: &[f64; MAX_NODES], q: &[f64]) -> f64 {
        let nodes = &path.elements()[self.element].nodes;
        nodes
            .iter()
            .zip(weights)
            .map(|(node, w)| w * q[node[2]])
            .sum()
    }
}
