//! The path of a sliding joint: a chain of elements with the arc length s of its initial
//! configuration, so that ξ(s) is a function of s alone and an element is found by division.
//!
//! On a smooth path each element carries what [`super::blend`] adds to its own polynomial, so that
//! neighbours join with the same slope and curvature.

use super::blend::{Blend, MAX_CARRIERS, Weights};
use super::element::PathElement;
use super::flexibility::{Flexibility, Stiffness};
use super::roughness::Profile;
use crate::nodes::Node;

/// A path of one or more members.
#[derive(Debug, Clone)]
pub struct Path {
    elements: Vec<PathElement>,
    /// For each element, the nodes that carry it.
    blends: Vec<Blend>,
    length: f64,
    curved: bool,
    roughness: Option<Profile>,
    /// How it gives way under a moment; where no slider hands it one, none.
    flexibility: Option<Flexibility>,
}

/// Weights of the path's nodes at one s: Y = Σ w_l Y_l, and by s. Beyond an end the path goes on
/// along its end tangent.
#[derive(Debug, Clone, Copy)]
pub struct PathPoint {
    /// Arc length on the initial path, m.
    pub s: f64,
    /// Index of the element in the path.
    pub element: usize,
    /// Weights of the positions with first and second derivative by s, in the order of
    /// [`Path::carriers`].
    pub position: [Weights; 3],
    /// Weights of the rotations with first and second derivative by s.
    pub rotation: [Weights; 3],
}

impl Path {
    /// `elements` in the order of growing s, each starting where the one before ends; not empty.
    /// Where `smooth`, elements that go on in each other join with the same slope and curvature.
    pub fn new(elements: Vec<PathElement>, smooth: bool) -> Path {
        let length = elements.last().map_or(0.0, |e| e.start + e.length);
        let join = |k: usize| {
            let joint = [elements.get(k)?, elements.get(k + 1)?];
            (smooth && joint[0].goes_on_in(joint[1])).then_some(joint)
        };
        let blends = (elements.iter().enumerate())
            .map(|(k, element)| Blend::of(element, k.checked_sub(1).and_then(join), join(k)))
            .collect();
        Path {
            curved: elements.iter().any(|e| e.curve.is_some()),
            blends,
            elements,
            length,
            roughness: None,
            flexibility: None,
        }
    }

    /// Counts the turning of the initial path from the place `s` on.
    pub fn turn_from(&mut self, s: f64) {
        let already = self.turned(&self.point_on(self.element_at(s), s))[0];
        for element in &mut self.elements {
            element
                .turned
                .iter_mut()
                .for_each(|turned| *turned -= already);
            // n = R(turned) normal stays as it is.
            element.turn_back(-already);
        }
        for blend in &mut self.blends {
            blend.count_turning_from(already);
        }
    }

    /// Angle by which the initial path has turned, with its derivatives by s.
    pub fn turned(&self, point: &PathPoint) -> [f64; 3] {
        if !self.curved {
            return [0.0; 3];
        }
        let turned = self.blends[point.element].turned();
        [0, 1, 2].map(|d| {
            let weights = point.rotation[d].iter();
            weights.zip(turned).map(|(w, turned)| w * turned).sum()
        })
    }

    /// This path with a rough surface.
    pub fn with_roughness(self, roughness: Option<Profile>) -> Path {
        Path { roughness, ..self }
    }

    /// This path of elements with these `stiffness`es for a slider that hands it a moment.
    pub fn with_flexibility(self, stiffness: &[Stiffness]) -> Path {
        let joined = |k: usize| self.blends[k].joined();
        let flexibility = Some(Flexibility::of(&self.elements, stiffness, joined));
        Path {
            flexibility,
            ..self
        }
    }

    /// f(s), by which the path turns under a moment beyond what its nodes do, f′ and f″; see [`super::flexibility`].
    pub fn flexibility(&self, point: &PathPoint) -> [f64; 3] {
        let flexibility = self.flexibility.as_ref();
        flexibility.map_or([0.0; 3], |flexibility| {
            flexibility.at(point.element, point.s, &point.rotation)
        })
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

    /// The nodes that a place on `element` hangs on.
    pub fn carriers(&self, element: usize) -> &[Node] {
        self.blends[element].nodes()
    }

    /// Node weights at s on the given element, which is extended as a polynomial where s lies
    /// beside it, and as a straight line beyond the ends of the path.
    pub fn point_on(&self, element: usize, s: f64) -> PathPoint {
        let e = &self.elements[element];
        let inside = s.clamp(0.0, self.length);
        let along = inside - e.start;
        let own = e.weights(along);
        let [value, slope, bend] = self.blends[element].weights(&own, along, e.length);
        let beyond = s - inside;
        if beyond == 0.0 {
            PathPoint {
                s,
                element,
                position: [value, slope, bend],
                rotation: [value, slope, bend],
            }
        } else {
            let none = [0.0; MAX_CARRIERS];
            let mut onward = value;
            for (v, d) in onward.iter_mut().zip(&slope) {
                *v += d * beyond;
            }
            PathPoint {
                s,
                element,
                position: [onward, slope, none],
                rotation: [value, none, none],
            }
        }
    }
}

impl PathPoint {
    /// The nodes that the weights are those of.
    pub fn carriers<'a>(&self, path: &'a Path) -> &'a [Node] {
        path.carriers(self.element)
    }

    /// Σ w_l r_l over the nodes that carry it and have a rotation, with the r_l among the unknowns `q`.
    pub fn turn(&self, path: &Path, weights: &Weights, q: &[f64]) -> f64 {
        let nodes = self.carriers(path);
        nodes
            .iter()
            .zip(weights)
            .filter_map(|(node, w)| Some(w * q[node.rotation?]))
            .sum()
    }
}
