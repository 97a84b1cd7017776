//! Outputs of edges that slide, and of their single nodes.

use super::{Connector, List, Source};
use crate::checked::{SlidingEdge, Subject};
use crate::system::numbers::{Number, Numbers};
use crate::system::{State, System};

items! {
    /// What a sliding edge does on its path.
    pub enum OfEdge of (model, edge = usize) {
        let of = if model.sliding_edges[edge].closed { "nodes" } else { "ends" };
    }
    /// Mean of the sliding coordinates of both ends, or of all nodes of a closed one, m.
    Position => at_positions("position", Length, format!("Sliding coordinate of the middle of {{}}: mean of its {of}")).place(),
    Velocity => at_velocities("velocity", Velocity, "Sliding velocity of the middle of"),
    /// Σ λ of all its nodes, N.
    ForceX => at_forces("fx", Force, "Force along x of {}, exerted on the path"),
    ForceY => at_forces("fy", Force, "Force along y of {}, exerted on the path"),
    /// Σ (Y − Y_m) × λ about its middle, N·m.
    Moment => at_forces("moment", Moment, "Moment about its middle of {}, exerted on the path"),
}

items! {
    /// What a node of a sliding edge does.
    pub enum OfEdgeNode of (_model, _node = (usize, usize)) {}
    /// λ: what it exerts on its path, N.
    ForceX => at_forces("fx", Force, "Force along x of {}, exerted on the path"),
    ForceY => at_forces("fy", Force, "Force along y of {}, exerted on the path"),
    /// Where all nodes slide, m; see [`crate::checked::Spread`].
    Length => at_positions("length", Length, "Initial length of the edge that the force of {} stands for").never_negative(),
    /// Normal force by that length and the thickness, Pa; positive where the path presses.
    Pressure => at_forces("pressure", Pressure, "Pressure of the path on the edge at"),
}

/// The outputs of all sliding edges, each with those of its nodes, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (edge, sliding) in model.sliding_edges.iter().enumerate() {
        let on = format!("edge {} on its path", model.name_of_edge(sliding.edge));
        for of in OfEdge::ALL {
            list.add(&format!("joints.{}", sliding.name), &on, of.of(Subject::Edge(edge)));
        }
        let known = if sliding.spread.is_some() { OfEdgeNode::ALL.len() } else { 2 };
        for (node, slider) in model.sliders[sliding.sliders.clone()].iter().enumerate() {
            let on = format!("point {} on its path", model.points[slider.point].name);
            for of in &OfEdgeNode::ALL[..known] {
                let output = of.of(Subject::EdgeNode(edge, node));
                list.add(&format!("joints.{}", slider.name), &on, output);
            }
        }
    }
}

impl OfEdge {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, edge: usize,
    ) -> N::Number {
        let sliding = &system.model.sliding_edges[edge];
        let coordinate = |j: usize| system.sliders[j].coordinate;
        let force = |j: usize, i: usize| state.get(|s| s.multipliers[j][i]);
        let sum = |of: &dyn Fn(usize) -> N::Number| {
            sliding.sliders.clone().fold(N::Number::from(0.0), |sum, j| sum + of(j))
        };
        match self {
            OfEdge::Position => state.get(|s| middle_of(sliding, |j| s.q[coordinate(j)])),
            OfEdge::Velocity => state.get(|s| middle_of(sliding, |j| s.velocity[coordinate(j)])),
            OfEdge::ForceX => sum(&|j| force(j, 0)),
            OfEdge::ForceY => sum(&|j| force(j, 1)),
            OfEdge::Moment => {
                let at = |j: usize, i: usize| state.get(|s| s.q[system.sliders[j].unknowns[i]]);
                let middle = [0, 1].map(|i| middle_of(sliding, |j| at(j, i)));
                sliding.sliders.clone().fold(N::Number::from(0.0), |sum, j| {
                    sum + (at(j, 0) - middle[0]) * force(j, 1)
                        - (at(j, 1) - middle[1]) * force(j, 0)
                })
            }
        }
    }

    pub(super) fn sources(self, system: &System, edge: usize) -> Vec<Source> {
        let sliders = system.model.sliding_edges[edge].sliders.clone();
        sliders.map(|j| Source::Of(Connector::Slider, j)).collect()
    }
}

/// The mean of what the two ends of a sliding edge have; of a closed one of what all its nodes have.
fn middle_of<D: Number>(edge: &SlidingEdge, of: impl Fn(usize) -> D) -> D {
    let SlidingEdge { closed, sliders, .. } = edge;
    let step = if *closed { 1 } else { sliders.len() - 1 };
    let chosen = sliders.clone().step_by(step);
    let count = chosen.len() as f64;
    chosen.fold(D::zero(), |sum, j| sum + of(j)) / count
}

impl OfEdgeNode {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, (edge, node): (usize, usize),
    ) -> N::Number {
        let sliding = &system.model.sliding_edges[edge];
        let slider = sliding.sliders.start + node;
        match self {
            OfEdgeNode::ForceX => state.get(|s| s.multipliers[slider][0]),
            OfEdgeNode::ForceY => state.get(|s| s.multipliers[slider][1]),
            OfEdgeNode::Length => {
                let spread = sliding.spread.as_ref();
                N::Number::from(spread.map_or(0.0, |spread| spread.lengths[node]))
            }
            OfEdgeNode::Pressure => {
                let matter = system.model.bodies[sliding.edge.body].matter();
                let by_force = (sliding.spread.as_ref().zip(matter)).map_or(0.0, |both| {
                    let (spread, matter) = both;
                    // What pushes the path to its left lies on its right.
                    let sign = if spread.along_path { -1.0 } else { 1.0 };
                    sign / (spread.lengths[node] * matter.thickness)
                });
                let [normal, _] = system.sliders[slider].pressing(None, state);
                normal * by_force
            }
        }
    }

    pub(super) fn sources(self, system: &System, (edge, node): (usize, usize)) -> Vec<Source> {
        match self {
            OfEdgeNode::Length => vec![Source::Initial],
            _ => {
                let first = system.model.sliding_edges[edge].sliders.start;
                vec![Source::Of(Connector::Slider, first + node)]
            }
        }
    }
}
