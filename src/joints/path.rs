//! The path of a sliding joint: a chain of elements with the arc length s of its initial
//! configuration, so that ξ(s) is a function of s alone and an element is found by division.
//!
//! On a smooth path each element carries what [`super::blend`] adds to its own polynomial, so that
//! neighbours join with the same slope and curvature.
//!
//! Where its surface is a face that stands beside it, s counts along that: `path/face.rs`.

mod face;
mod seen;

use std::f64::consts::TAU;
use std::ops::Range;

use super::blend::{Blend, MAX_CARRIERS, Weights};
use super::element::PathElement;
use super::flexibility::{Flexibility, Stiffness};
use super::regime::End;
use super::roughness::Profile;
use crate::nodes::{FrameNode, Node};
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::positions::Position;

/// A path of one or more members.
#[derive(Debug, Clone)]
pub struct Path {
    elements: Vec<PathElement>,
    /// For each element, the nodes that carry it.
    blends: Vec<Blend>,
    length: f64,
    curved: bool,
    /// Angle by which one lap of a closed path turns, rad.
    lap: Option<f64>,
    roughness: Option<Profile>,
    /// How it yields under a moment; where no slider hands it one, none.
    flexibility: Option<Flexibility>,
    body: Option<Body>,
    /// Whether surfaces see the polynomials of its elements.
    traced: bool,
    /// Whether its direction goes on turning beyond its first and its last end.
    turns_on: [bool; 2],
}

/// A rigid body that carries a path: the nodes of the path's elements are places of its own frame.
#[derive(Debug, Clone)]
struct Body {
    /// Its centre of mass and its rotation.
    node: [Node; 1],
    /// Initial positions of the nodes relative to the centre of mass, m, numbered as their unknowns.
    initial: Vec<f64>,
}

/// Weights of the path's nodes at one s: Y = Σ w_l Y_l, and by s. Beyond an end the path goes on
/// along its end tangent.
#[derive(Debug, Clone, Copy)]
pub struct PathPoint {
    /// Arc length on the initial path, or on its face, m.
    pub s: f64,
    /// Index of the element in the path.
    pub element: usize,
    /// Weights of the positions with first and second derivative by s, in the order of
    /// [`Path::carriers`].
    pub position: [Weights; 3],
    /// Weights of the rotations with first and second derivative by s.
    pub rotation: [Weights; 3],
    /// Of a path on a rigid body.
    pub on_body: Option<OnBody>,
}

/// A place of a rigid body's path, seen from the body.
#[derive(Debug, Clone, Copy)]
pub struct OnBody {
    /// D with first and second derivative by s: initial position relative to the centre of mass, m.
    pub arm: [[f64; 2]; 3],
    /// Angle by which the initial path has turned, rad, with its derivatives by s.
    turned: [f64; 3],
}

/// Weights on an element with first and second derivative by s.
struct OnElement {
    smooth: [Weights; 3],
    /// Weights of the element's own polynomial, of its nodes and by its axis.
    own: [[f64; MAX_NODES]; 3],
    /// How far the place is beyond the end of the path that they are those of, m.
    beyond: f64,
}

/// Makes weights at an end of a path those of what goes on so far `beyond` it, m.
fn onward<const N: usize>([value, slope, bend]: &mut [[f64; N]; 3], beyond: f64) {
    for (v, d) in value.iter_mut().zip(slope) {
        *v += *d * beyond;
    }
    *bend = [0.0; N];
}

/// An unknown of a node that carries a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnedBy {
    /// Index of the node among the [`Path::carriers`].
    pub node: usize,
    /// Y₁ (0), Y₂ (1) or r (2).
    pub component: usize,
    pub unknown: usize,
}

impl Path {
    /// `elements` in the order of growing s, each starting where the one before ends; not empty.
    /// Where `smooth`, elements that go on in each other join with the same slope and curvature.
    pub fn new(elements: Vec<PathElement>, smooth: bool) -> Path {
        Path::of(elements, smooth, false)
    }

    /// [`Path::new`] of elements of which the last ends where the first begins: s counts on from lap to lap.
    pub fn closed(elements: Vec<PathElement>, smooth: bool) -> Path {
        Path::of(elements, smooth, true)
    }

    fn of(elements: Vec<PathElement>, smooth: bool, closed: bool) -> Path {
        let length = elements.last().map_or(0.0, |e| e.start + e.length);
        let count = elements.len();
        let join = |k: usize| {
            let next = if closed { (k + 1) % count } else { k + 1 };
            let joint = [elements.get(k)?, elements.get(next)?];
            (smooth && joint[0].goes_on_in(joint[1])).then_some(joint)
        };
        let before = |k: usize| match k {
            0 => closed.then(|| count - 1),
            _ => Some(k - 1),
        };
        let mut blends: Vec<Blend> = (elements.iter().enumerate())
            .map(|(k, element)| Blend::of(element, before(k).and_then(join), join(k)))
            .collect();
        let lap = closed.then(|| {
            let turned = |e: &PathElement| [e.turned[0], e.turned[e.turned.len() - 1]];
            let [first, last] = [&elements[0], &elements[count - 1]].map(turned);
            ((last[1] - first[0]) / TAU).round() * TAU
        });
        if let Some(lap) = lap {
            blends[0].turn_neighbour(End::First, -lap);
            blends[count - 1].turn_neighbour(End::Last, lap);
        }
        Path {
            lap,
            curved: elements.iter().any(|e| e.curve.is_some()),
            blends,
            elements,
            length,
            roughness: None,
            flexibility: None,
            body: None,
            traced: false,
            turns_on: [false; 2],
        }
    }

    /// A straight path of a `length` (m) that no nodes carry.
    pub fn without_nodes(length: f64) -> Path {
        let element = PathElement {
            nodes: Vec::new(),
            start: 0.0,
            length,
            curve: None,
            turned: Vec::new(),
            normal: [0.0, 1.0],
            ends_member: false,
        };
        Path::new(vec![element], false)
    }

    /// Whether nothing carries it.
    pub fn is_free(&self) -> bool {
        self.body.is_none() && self.elements.iter().all(|element| element.nodes.is_empty())
    }

    /// This path on a rigid body with this `node`, whose elements' nodes have these `initial` positions relative to its centre of mass.
    pub fn on_body(self, node: FrameNode, initial: Vec<f64>) -> Path {
        let node = [node.into()];
        let body = Some(Body { node, initial });
        Path { body, ..self }
    }

    /// Counts the turning of the initial path from the place `s` on.
    pub fn turn_from(&mut self, s: f64) {
        let already = self.turned(&self.point_on(self.element_at(s), s))[0];
        for element in &mut self.elements {
            element.turned.iter_mut().for_each(|turned| *turned -= already);
            // n = R(turned) normal stays as it is.
            element.turn_back(-already);
        }
        for blend in &mut self.blends {
            blend.count_turning_from(already);
        }
    }

    /// Angle by which the initial path has turned, with its derivatives by s.
    pub fn turned(&self, point: &PathPoint) -> [f64; 3] {
        match &point.on_body {
            Some(place) => place.turned,
            None => self.turning(point),
        }
    }

    /// How the direction of the path has turned, by the weights of the elements' nodes.
    fn turning(&self, point: &PathPoint) -> [f64; 3] {
        if !self.curved {
            return [0.0; 3];
        }
        let turned = self.blends[point.element].turned();
        let mut angle = [0, 1, 2].map(|d| {
            let weights = point.rotation[d].iter();
            weights.zip(turned).map(|(w, turned)| w * turned).sum()
        });
        angle[0] += self.lap.unwrap_or(0.0) * self.laps(point.element, point.s);
        angle
    }

    /// Whether an element of it is curved in the initial configuration.
    pub fn is_curved(&self) -> bool {
        self.curved
    }

    /// Whether it goes on where it begins.
    pub fn is_closed(&self) -> bool {
        self.lap.is_some()
    }

    /// The element behind or before `element`, where there is one.
    pub fn next(&self, element: usize, forward: bool) -> Option<usize> {
        let last = self.elements.len() - 1;
        match (forward, element) {
            (true, e) if e < last => Some(e + 1),
            (true, _) => self.is_closed().then_some(0),
            (false, 0) => self.is_closed().then_some(last),
            (false, e) => Some(e - 1),
        }
    }

    /// s of the beginning of `element` in the lap in which `s` is next to it, m.
    pub fn start_near(&self, element: usize, s: f64) -> f64 {
        self.elements[element].start + self.length * self.laps(element, s)
    }

    /// Laps of a closed path after which `s` is next to `element`; 0 where it has ends.
    fn laps(&self, element: usize, s: f64) -> f64 {
        let e = &self.elements[element];
        match self.lap {
            Some(_) => ((s - e.start - 0.5 * e.length) / self.length).round(),
            None => 0.0,
        }
    }

    /// This path with a rough surface, or with a face, along which it then counts.
    pub fn with_roughness(mut self, roughness: Option<Profile>) -> Path {
        if let Some(Profile::Level(height)) = roughness {
            self.count_along_face(height);
        }
        Path { roughness, ..self }
    }

    /// This path of elements with these `stiffness`es for a slider that hands it a moment. One of rigid elements alone turns by no
    /// more than its nodes do, which is then a constraint.
    pub fn with_flexibility(self, stiffness: &[Stiffness]) -> Path {
        let joined = |k: usize| self.blends[k].joined();
        let is_elastic = stiffness.iter().any(Option::is_some);
        let flexibility = is_elastic
            .then(|| Flexibility::of(&self.elements, stiffness, joined, self.is_closed()));
        Path { flexibility, ..self }
    }

    /// This path for a slider that turns with it and stays on it at these `ends`: what is beyond them are trials of a solution at an end, where
    /// the moment of the slider would change its force along the path by a jump if the path turned no more.
    pub fn turning_on(self, ends: [bool; 2]) -> Path {
        Path { turns_on: ends, ..self }
    }

    /// Whether it turns under a moment beyond what its nodes do.
    pub fn is_flexible(&self) -> bool {
        self.flexibility.is_some()
    }

    /// f(s), by which the path turns under a moment beyond what its nodes do, f′ and f″; see [`super::flexibility`].
    pub fn flexibility(&self, point: &PathPoint) -> [f64; 3] {
        let flexibility = self.flexibility.as_ref();
        flexibility.map_or([0.0; 3], |flexibility| {
            let laps = self.length * self.laps(point.element, point.s);
            flexibility.at(point.element, point.s - laps, &point.rotation)
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

    /// s of one of its ends, m.
    pub fn end(&self, end: End) -> f64 {
        match end {
            End::First => 0.0,
            End::Last => self.length,
        }
    }

    /// The elements in the order of growing s.
    pub fn elements(&self) -> &[PathElement] {
        &self.elements
    }

    /// s less the laps of a closed path that it counts, in [0, length].
    pub fn within_a_lap(&self, s: f64) -> f64 {
        match self.lap {
            Some(_) => s.rem_euclid(self.length),
            None => s,
        }
    }

    /// The element that carries s; the first or last one beyond the ends.
    pub fn element_at(&self, s: f64) -> usize {
        let s = self.within_a_lap(s);
        let after = self.elements.partition_point(|e| e.start <= s);
        after.saturating_sub(1)
    }

    /// The nodes that a place on `element` hangs on.
    pub fn carriers(&self, element: usize) -> &[Node] {
        match &self.body {
            Some(body) => &body.node,
            None => self.blends[element].nodes(),
        }
    }

    /// The nodes of an element among its [carriers](Path::carriers).
    pub fn own_carriers(&self, element: usize) -> Range<usize> {
        self.blends[element].own()
    }

    /// ξ of the place s on an element, beyond ±1 beside it.
    pub fn coordinate(&self, element: usize, s: f64) -> f64 {
        let e = &self.elements[element];
        let along = s - e.start - self.length * self.laps(element, s);
        e.coordinate(self.on_axis(element, along).along)
    }

    /// The nodes of an element without those of its neighbours.
    pub fn nodes(&self, element: usize) -> &[Node] {
        match &self.body {
            Some(body) => &body.node,
            None => &self.elements[element].nodes,
        }
    }

    /// The unknowns that the direction φ of a section on `element` follows: rotations of the nodes that carry it, or
    /// where these have none their positions.
    pub fn turned_by(&self, element: usize) -> impl Iterator<Item = TurnedBy> {
        let nodes = self.carriers(element).iter().enumerate();
        nodes.flat_map(|(node, carrier)| {
            let components = if carrier.rotation.is_some() { 2..3 } else { 0..2 };
            components.filter_map(move |component| {
                let unknown = carrier.unknown(component)?;
                Some(TurnedBy { node, component, unknown })
            })
        })
    }

    /// Whether a rigid body carries it.
    pub fn is_on_body(&self) -> bool {
        self.body.is_some()
    }

    /// Lets a place be seen from the rigid body that carries it, whatever the body does.
    fn see_from(&self, body: &Body, point: &mut PathPoint) {
        let nodes = self.blends[point.element].nodes();
        let arm = [0, 1, 2].map(|d| {
            let sum = |i: usize| {
                let places = nodes.iter().map(|node| body.initial[node.position[i]]);
                places.zip(&point.position[d]).map(|(place, w)| place * w).sum()
            };
            [sum(0), sum(1)]
        });
        let (mut whole, none) = ([0.0; MAX_CARRIERS], [0.0; MAX_CARRIERS]);
        whole[0] = 1.0;
        point.on_body = Some(OnBody { arm, turned: self.turning(point) });
        point.position = [whole, none, none];
        point.rotation = [whole, none, none];
    }

    /// Node weights at s on the given element, which is extended as a polynomial where s lies
    /// beside it, and as a straight line beyond the ends of the path.
    // In line, so that the weights are written once.
    #[inline]
    pub fn point_on(&self, element: usize, s: impl Into<Position>) -> PathPoint {
        let place = s.into();
        let found = self.weights_on(element, place);
        let mut point = PathPoint {
            s: place.rounded,
            element,
            position: found.smooth,
            rotation: found.smooth,
            on_body: None,
        };
        if found.beyond != 0.0 {
            onward(&mut point.position, found.beyond);
            match self.turns_on[usize::from(found.beyond > 0.0)] {
                true => onward(&mut point.rotation, found.beyond),
                false => point.rotation[1..].fill([0.0; MAX_CARRIERS]),
            }
        }
        if let Some(body) = &self.body {
            self.see_from(body, &mut point);
        }
        point
    }

    /// Weights on an element, at the end of the path where the place is beyond it.
    #[inline]
    fn weights_on(&self, element: usize, place: Position) -> OnElement {
        let e = &self.elements[element];
        let s = place.rounded;
        let inside = match self.lap {
            Some(_) => place,
            None if s < 0.0 => Position::from(0.0),
            None if s > self.length => Position::from(self.length),
            None => place,
        };
        let along = inside.displacement_from(e.start) - self.length * self.laps(element, s);
        let below = self.on_axis(element, along);
        let own = e.weights(below.along);
        let mut smooth = self.blends[element].weights(&own, below.along, e.length_of_axis());
        below.by_face(&mut smooth);
        OnElement { smooth, own, beyond: place.displacement_from(inside) }
    }

    /// Third derivatives by s of the weights of the positions at a point; 0 beyond the ends.
    pub fn third_derivatives(&self, point: &PathPoint) -> Weights {
        self.third_on(point.element, point.s)
    }

    fn third_on(&self, element: usize, s: f64) -> Weights {
        if self.lap.is_none() && !(0.0..=self.length).contains(&s) {
            return [0.0; MAX_CARRIERS];
        }
        let e = &self.elements[element];
        let along = s - e.start - self.length * self.laps(element, s);
        let place = self.on_axis(element, along);
        let own = e.weights(place.along);
        let weights = self.blends[element].weights(&own, place.along, e.length_of_axis());
        place.third_by_face(weights)
    }
}

impl PathPoint {
    /// The place `s` (m) of a path that no nodes carry.
    pub fn without_nodes(s: f64) -> PathPoint {
        let none = [0.0; MAX_CARRIERS];
        PathPoint { s, element: 0, position: [none; 3], rotation: [none; 3], on_body: None }
    }

    /// The nodes that the weights are those of.
    pub fn carriers<'a>(&self, path: &'a Path) -> &'a [Node] {
        path.carriers(self.element)
    }

    /// Which of the `count` carriers carries it most.
    pub fn nearest(&self, count: usize) -> usize {
        let [weights, ..] = &self.position;
        (1..count).fold(0, |most, l| if weights[l] > weights[most] { l } else { most })
    }

    /// Σ w_l r_l over the nodes that carry it and have a rotation, with the r_l among the unknowns `q`.
    pub fn turn(&self, path: &Path, weights: &Weights, q: &[f64]) -> f64 {
        let nodes = self.carriers(path);
        nodes.iter().zip(weights).filter_map(|(node, w)| Some(w * q[node.rotation?])).sum()
    }
}
