//! Edges of bodies: what slides and turns on them, their places and lengths.

use std::ops::Range;

use super::{Carrier, Checked, Turning, turning, weighted};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::laws::friction::Friction;
use crate::mesh::Curve;
use crate::nodes::{EdgeId, PointId};
use crate::numerics::gauss;
use crate::numerics::hypot::hypot;

/// Share of its length by which a straight edge is off its line: rounding.
const STRAIGHT: f64 = 1e-12;

/// An edge of a body whose nodes slide on a path.
#[derive(Debug, Clone)]
pub struct SlidingEdge {
    /// Of the joint.
    pub name: String,
    pub edge: EdgeId,
    /// Whether it has no ends.
    pub closed: bool,
    /// Whether its two sliders are mean places of it, and none of its nodes.
    pub mean: bool,
    /// Its sliders, from the first node to the last; at least two.
    pub sliders: Range<usize>,
    /// The slider that carries the friction of all of its nodes together.
    pub friction: Option<usize>,
    /// Where all of its nodes slide.
    pub spread: Option<Spread>,
}

/// A hole of a body whose mean place is that of what it turns on.
#[derive(Debug, Clone)]
pub struct Pin {
    pub name: String,
    pub hole: EdgeId,
    pub on: Bearing,
}

/// What a pin turns on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearing {
    Edge(EdgeId),
    Point(PointId),
}

impl Bearing {
    /// "edge link.bore" or "point A".
    pub fn name(self, model: &Checked) -> String {
        match self {
            Bearing::Edge(edge) => format!("edge {}", model.name_of_edge(edge)),
            Bearing::Point(point) => format!("point {}", model.points[point].name),
        }
    }
}

impl SlidingEdge {
    /// Whether a slider is one of its nodes or carries their friction.
    pub fn has(&self, slider: usize) -> bool {
        self.sliders.contains(&slider) || self.friction == Some(slider)
    }

    /// Which of its nodes are held, and where the edge is.
    pub fn summary(&self, model: &Checked) -> [String; 2] {
        let held = match (&self.spread, self.mean) {
            (Some(_), _) => "all nodes",
            (None, false) => "its ends",
            (None, true) => "its mean place",
        };
        let edge = model.name_of_edge(self.edge);
        [format!("sliding edge, {held}"), format!("edge {edge}")]
    }
}

/// How forces at the nodes of an edge are spread along it.
#[derive(Debug, Clone)]
pub struct Spread {
    /// ∫ φ_k dS of each node over the edge in the initial configuration, m.
    pub lengths: Vec<f64>,
    /// Whether the edge runs as its path does, which then has the body on its left.
    pub along_path: bool,
}

/// The place at a `length` (m) along a chain of axes.
fn place_along(axes: &[InitialAxis], length: f64) -> [f64; 2] {
    let mut begin = 0.0;
    for (k, axis) in axes.iter().enumerate() {
        let own = ArcLength::of(axis);
        if length <= begin + own.total() || k + 1 == axes.len() {
            let [xi, ..] = own.coordinate(length - begin);
            return axis.position(xi);
        }
        begin += own.total();
    }
    [0.0; 2]
}

/// Length of these parts of an axis together, m.
fn total(axes: &[InitialAxis]) -> f64 {
    axes.iter().map(|axis| ArcLength::of(axis).total()).sum()
}

impl Checked {
    /// All edges of all bodies.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + use<> {
        let counts: Vec<usize> = self.bodies.iter().map(|b| b.mesh.edges.len()).collect();
        let each = counts.into_iter().enumerate();
        each.flat_map(|(body, count)| (0..count).map(move |edge| EdgeId { body, edge }))
    }

    /// `BODY.EDGE`.
    pub fn name_of_edge(&self, EdgeId { body, edge }: EdgeId) -> String {
        let body = &self.bodies[body];
        format!("{}.{}", body.name, body.mesh.edges[edge].name)
    }

    /// Initial places of the nodes of an edge in walking order, m.
    pub fn places_of_edge(&self, EdgeId { body, edge }: EdgeId) -> impl Iterator<Item = [f64; 2]> {
        let mesh = &self.bodies[body].mesh;
        mesh.edges[edge].nodes.iter().map(|&node| mesh.nodes[node])
    }

    /// The initial axes of the sides of triangles that make up an edge, in walking order.
    pub fn axes_of_edge(&self, edge: EdgeId) -> Vec<InitialAxis> {
        let order = self.bodies[edge.body].mesh.order;
        let places: Vec<[f64; 2]> = self.places_of_edge(edge).collect();
        let sides = places.windows(order + 1).step_by(order);
        sides.map(InitialAxis::through).collect()
    }

    /// Most that a piece of an outline turns, rad.
    pub const OUTLINE_TURN: f64 = Curve::TURN;

    /// An edge as contacts and sliders see it: that of a rigid body by the curves it was drawn with, whatever mesh the body has.
    pub fn outline_of_edge(&self, edge: EdgeId) -> Vec<InitialAxis> {
        match self.curves_of_edge(edge) {
            [] => self.axes_of_edge(edge),
            curves => (curves.iter().flat_map(Curve::pieces))
                .map(|places| InitialAxis::through(&places))
                .collect(),
        }
    }

    /// The curves with which an edge of a rigid body was drawn; none where its mesh is all there is, or where the body is elastic.
    pub fn curves_of_edge(&self, edge: EdgeId) -> &[Curve] {
        match self.is_rigid(edge.body) {
            true => &self.bodies[edge.body].mesh.edges[edge.edge].curves,
            false => &[],
        }
    }

    /// Consistent lengths of the nodes of an edge in the initial configuration, ∫ φ_k dS, m: a uniform load of 1 N/m is this force at the
    /// node.
    pub fn consistent_lengths(&self, edge: EdgeId) -> Vec<f64> {
        let order = self.bodies[edge.body].mesh.order;
        let mut lengths = vec![0.0; self.places_of_edge(edge).count()];
        for (side, axis) in self.axes_of_edge(edge).iter().enumerate() {
            for (xi, weight) in gauss::legendre(2 * order + 2) {
                let at = axis.at(xi);
                let own = &mut lengths[side * order..=(side + 1) * order];
                for (length, value) in own.iter_mut().zip(at.shape.value) {
                    *length += weight * at.stretch * value;
                }
            }
        }
        lengths
    }

    /// The same as shares of the edge's length.
    pub fn shares_of_edge(&self, edge: EdgeId) -> Vec<f64> {
        let mut shares = self.consistent_lengths(edge);
        let length: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= length);
        shares
    }

    /// The friction of a slider; of a node of an edge that of all nodes together.
    pub fn friction_of(&self, slider: usize) -> &Friction {
        let mut edges = self.sliding_edges.iter();
        let edge = edges.find(|edge| edge.sliders.contains(&slider));
        let together = edge.and_then(|edge| edge.friction);
        &self.sliders[together.unwrap_or(slider)].friction
    }

    /// The nodes of the edge whose friction a slider carries, as sliders with their shares of the edge's length; none of
    /// any other slider.
    pub fn shares_of_friction(&self, slider: usize) -> Vec<(usize, f64)> {
        let mut edges = self.sliding_edges.iter();
        let edge = edges.find(|edge| edge.friction == Some(slider));
        let spread = edge.and_then(|edge| Some((edge, edge.spread.as_ref()?)));
        spread.map_or_else(Vec::new, |(edge, Spread { lengths, .. })| {
            let whole: f64 = lengths.iter().sum();
            let shares = lengths.iter().map(|length| length / whole);
            edge.sliders.clone().zip(shares).collect()
        })
    }

    /// The mean place of an edge in the initial configuration, m.
    pub fn middle_of_edge(&self, edge: EdgeId) -> [f64; 2] {
        weighted(self.places_of_edge(edge).zip(self.shares_of_edge(edge)))
    }

    /// Weights of the nodes of an edge whose sums are two of its mean places. On the straight line nearest to it, by
    /// the mean square along it in the initial configuration, these are the points of Gauss's rule, by w (1 ∓ S̃ L/(2√3) / Σ w S̃²), S̃ from the
    /// middle. Where the edge is curved, each is as far from that line as the edge is there in the initial configuration, and turns with it.
    pub fn weights_of_means(&self, edge: EdgeId) -> [Vec<Turning>; 2] {
        let axes = self.axes_of_edge(edge);
        let shares = self.shares_of_edge(edge);
        let order = self.bodies[edge.body].mesh.order;
        let (mut lengths, mut begin) = (vec![0.0; shares.len()], 0.0);
        for (side, axis) in axes.iter().enumerate() {
            let length = ArcLength::of(axis);
            for l in 0..=order {
                let xi = 2.0 * l as f64 / order as f64 - 1.0;
                lengths[side * order + l] = begin + length.up_to(xi);
            }
            begin += length.total();
        }
        let whole = begin;
        let both = || shares.iter().zip(&lengths);
        let middle: f64 = both().map(|(w, s)| w * s).sum();
        let spread: f64 = both().map(|(w, s)| w * (s - middle).powi(2)).sum();
        let ends = [-0.5, 0.5].map(|end: f64| end * whole / 3.0_f64.sqrt());
        let line: [Vec<f64>; 2] = ends.map(|end| {
            let weight = |(w, s): (&f64, &f64)| w * (1.0 + end * (s - middle) / spread);
            both().map(weight).collect()
        });
        let on_line = [0, 1].map(|k| {
            let weights = line[k].iter().copied();
            weighted(self.places_of_edge(edge).zip(weights))
        });
        let [u, v] = [0, 1].map(|i| on_line[1][i] - on_line[0][i]);
        [0, 1].map(|k| {
            let here = place_along(&axes, middle + ends[k]);
            let [x, y] = [0, 1].map(|i| here[i] - on_line[k][i]);
            let square = if hypot(x, y) > STRAIGHT * whole { u * u + v * v } else { f64::INFINITY };
            // (x, y) as a multiple of (u, v), stretched and turned.
            let off = [(x * u + y * v) / square, (y * u - x * v) / square];
            let both = line[k].iter().zip(line[0].iter().zip(&line[1]));
            both.map(|(own, (first, last))| {
                let way = last - first;
                [own + off[0] * way, off[1] * way]
            })
            .collect()
        })
    }

    /// The two mean places of an edge in the initial configuration, m.
    pub fn means_of_edge(&self, edge: EdgeId) -> [[f64; 2]; 2] {
        self.weights_of_means(edge).map(|weights| {
            let both = self.places_of_edge(edge).zip(weights);
            both.fold([0.0; 2], |sum, (place, weight)| {
                let turned = turning(weight).map(|[a, b]| a * place[0] + b * place[1]);
                [0, 1].map(|i| sum[i] + turned[i])
            })
        })
    }

    /// Initial length of a path or a surface, m.
    pub fn length_of_carrier(&self, carrier: Carrier) -> f64 {
        match carrier {
            Carrier::Member(member) => self.length_of(member),
            Carrier::Edge(edge) => total(&self.outline_of_edge(edge)),
        }
    }

    /// Initial length of what a load acts along, m: of an edge of a rigid body that of its curves, of another that of its mesh, whose nodes
    /// bear it.
    pub fn length_under_load(&self, carrier: Carrier) -> f64 {
        match carrier {
            Carrier::Member(member) => self.length_of(member),
            Carrier::Edge(edge) => match self.curves_of_edge(edge) {
                [] => total(&self.axes_of_edge(edge)),
                curves => curves.iter().map(|curve| curve.axis.length()).sum(),
            },
        }
    }

    /// Whether a point is a node of an edge.
    pub fn is_on_edge(&self, point: PointId, EdgeId { body, edge }: EdgeId) -> bool {
        let body = &self.bodies[body];
        let nodes = &body.mesh.edges[edge].nodes;
        let mut points = body.points.iter();
        points.any(|(node, p)| *p == point && nodes.contains(node))
    }
}
