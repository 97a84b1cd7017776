//! Pins: weighted means of positions that coincide.
//!
//! ```text
//! c = Σ w_k x_k = 0,    R ← R + w_k λ  on the rows of x_k
//! ```
//!
//! along x and along y, with constant weights that add up to 0: those of the nodes of a hole are their shares of its length,
//! those of what it is held on are negative. The conditions are linear, so that velocities and accelerations obey the same
//! and the tangent holds the weights alone. Points of the straight line nearest to an edge are pinned to the edge in the
//! same way, with weights of both signs.

use super::{Iterate, System};
use crate::linear::Bordered;
use crate::model::checked::{Bearing, Checked};
use crate::nodes::Nodes;
use crate::numerics::positions::Coordinates;

/// One pin.
#[derive(Debug, Clone)]
pub(crate) struct Pin {
    /// The joint that it is or belongs to.
    pub name: String,
    /// Y₁, Y₂ of each node, and its weight.
    pub terms: Vec<([usize; 2], f64)>,
    /// Place of its first multiplier in the border; the second follows.
    pub border: usize,
}

impl Pin {
    /// The pins of a model, whose multipliers begin at `border`.
    pub(super) fn all(model: &Checked, nodes: &Nodes, border: usize) -> Vec<Pin> {
        let edge = |id, weights: Vec<f64>| nodes.of_edge(id).iter().copied().zip(weights);
        let point = |id| (nodes.of_place(id), -1.0);
        let mut pins: Vec<Pin> = Vec::new();
        let mut add = |name: &str, terms: Vec<([usize; 2], f64)>| {
            pins.push(Pin {
                name: name.to_string(),
                terms,
                border: border + 2 * pins.len(),
            });
        };
        for pin in &model.pins {
            let hole = edge(pin.hole, model.shares_of_edge(pin.hole));
            let terms = match pin.on {
                Bearing::Edge(id) => {
                    let shares = model.shares_of_edge(id);
                    hole.chain(edge(id, shares.iter().map(|w| -w).collect()))
                        .collect()
                }
                Bearing::Point(id) => hole.chain([point(id)]).collect(),
            };
            add(&pin.name, terms);
        }
        for sliding in model.sliding_edges.iter().filter(|edge| edge.mean) {
            let points = model.weights_of_line(sliding.edge).into_iter();
            for (weights, j) in points.zip(sliding.sliders.clone()) {
                let terms = edge(sliding.edge, weights).chain([point(model.sliders[j].point)]);
                add(&sliding.name, terms.collect());
            }
        }
        pins
    }

    /// The unknowns of its nodes.
    pub fn unknowns(&self) -> impl Iterator<Item = &usize> {
        self.terms.iter().flat_map(|(node, _)| node)
    }

    /// c, or what the conditions make of any change of the unknowns.
    pub fn gap(&self, q: &(impl Coordinates + ?Sized)) -> [f64; 2] {
        // Measured from one of the nodes, so that a place far away costs no digits.
        let Some((origin, _)) = self.terms.first() else {
            return [0.0; 2];
        };
        [0, 1].map(|i| {
            let from = q.place(origin[i]);
            let ways = self.terms.iter();
            ways.map(|(node, weight)| weight * q.place(node[i]).way_from(from))
                .sum()
        })
    }
}

impl System {
    /// Adds the forces of the pins, each with its multipliers, to `rows`.
    pub(crate) fn add_pin_forces(
        &self,
        multipliers: impl Iterator<Item = [f64; 2]>,
        rows: &mut [f64],
    ) {
        for (pin, multipliers) in self.pins.iter().zip(multipliers) {
            for (node, weight) in &pin.terms {
                for (u, multiplier) in node.iter().zip(multipliers) {
                    rows[*u] += weight * multiplier;
                }
            }
        }
    }

    /// Writes what the pins' conditions make of positions, or of a change of them, into the border.
    pub(crate) fn pin_gaps(&self, q: &(impl Coordinates + ?Sized), sign: f64, border: &mut [f64]) {
        for pin in &self.pins {
            for (row, gap) in border[pin.border..].iter_mut().zip(pin.gap(q)) {
                *row = sign * gap;
            }
        }
    }

    /// Adds the pins' columns to the matrix.
    pub(super) fn add_pins_tangent(&self, matrix: &mut Bordered) {
        for pin in &self.pins {
            for (node, weight) in &pin.terms {
                for (i, &u) in node.iter().enumerate() {
                    if let Some(e) = self.equation_of(u) {
                        matrix.add_column(e, pin.border + i, *weight);
                    }
                }
            }
        }
    }

    /// The pins' part of a solution of the border.
    pub(crate) fn of_pins<'a>(&'a self, border: &'a [f64]) -> impl Iterator<Item = [f64; 2]> + 'a {
        (self.pins.iter()).map(|pin| [border[pin.border], border[pin.border + 1]])
    }
}

impl Iterate {
    /// Adds `share` of the pins' part of a solution of the border to their multipliers.
    pub(crate) fn add_to_pins(&mut self, system: &System, share: f64, border: &[f64]) {
        for (own, change) in self.pins.iter_mut().zip(system.of_pins(border)) {
            (own.iter_mut().zip(change)).for_each(|(own, change)| *own += share * change);
        }
    }
}
