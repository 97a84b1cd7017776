//! What makes a mesh none.

use std::collections::BTreeMap;

use super::quality::jacobians;
use super::{HIGHEST_ORDER, MAX_TRIANGLES, Mesh};
use crate::message::{rounded, shown};
use crate::numerics::triangle::{node_count, side};

/// What is wrong with a mesh, and where; triangles and nodes are counted from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Flaw {
    #[error("triangles of order {0}; allowed: 1 to {HIGHEST_ORDER}")]
    Order(usize),
    #[error("{0} triangles; allowed: 1 to {MAX_TRIANGLES}")]
    Count(usize),
    #[error("{what} {index} names node {node} of {count}")]
    NoNode { what: &'static str, index: usize, node: usize, count: usize },
    #[error("node {node} lies at ({}, {}), which is no position", .at[0], .at[1])]
    NoPlace { node: usize, at: [f64; 2] },
    #[error("node {node} at {} belongs to no triangle", place(.at))]
    Unused { node: usize, at: [f64; 2] },
    #[error(
        "triangle {triangle} at {} is turned inside out: its Jacobian decreases to {} times that of the straight \
         triangle; allowed: above 0; make its curved edge flatter, or the triangles there smaller",
        place(.at), rounded(*.jacobian, 3)
    )]
    Inverted { triangle: usize, at: [f64; 2], jacobian: f64 },
    #[error("triangle {triangle} at {} is flat or runs clockwise: its area is {} m²; allowed: corners counter-clockwise",
        place(.at), rounded(*.area, 3))]
    Clockwise { triangle: usize, at: [f64; 2], area: f64 },
    #[error(
        "triangles {} and {} do not fit together at {}: they lie on the same side of their common side, or differ in \
         its inner nodes, or a third one shares it", .triangles[0], .triangles[1], place(.at)
    )]
    Overlap { triangles: [usize; 2], at: [f64; 2] },
    #[error("edge `{}` is no chain of sides of triangles with the body on its left at {}", shown(.name), place(.at))]
    NoChain { name: String, at: [f64; 2] },
    #[error("edge `{}` has {count} nodes; allowed: {order}·k + 1, the last one the first one where it is closed",
        shown(.name))]
    Length { name: String, count: usize, order: usize },
    #[error("two {what} are named `{}`", shown(.name))]
    Twice { what: &'static str, name: String },
}

/// A place for a message.
pub(super) fn place(at: &[f64; 2]) -> String {
    format!("({}, {}) m", rounded(at[0], 6), rounded(at[1], 6))
}

/// The sides of all triangles by the two corners they walk from and to: triangle and side.
type Sides = BTreeMap<(usize, usize), (usize, usize)>;

impl Mesh {
    /// That this is a mesh: every triangle has a positive Jacobian everywhere, neighbours share their whole
    /// side, edges are chains of sides with the body on their left, every node belongs to a triangle, and
    /// no name stands for two things of a kind.
    ///
    /// # Errors
    /// The first [`Flaw`].
    pub fn check(&self) -> Result<(), Flaw> {
        self.check_numbers()?;
        self.check_shapes()?;
        let sides = self.check_neighbours()?;
        self.check_edges(&sides)
    }

    /// Counts and ranges.
    fn check_numbers(&self) -> Result<(), Flaw> {
        if !(1..=HIGHEST_ORDER).contains(&self.order) {
            return Err(Flaw::Order(self.order));
        }
        let own = node_count(self.order);
        let count = self.triangles.len().div_ceil(own);
        if count == 0 || count > MAX_TRIANGLES || !self.triangles.len().is_multiple_of(own) {
            return Err(Flaw::Count(count));
        }
        let beyond = |what, index: usize, nodes: &[usize]| {
            let node = nodes.iter().find(|&&node| node >= self.nodes.len());
            node.map_or(Ok(()), |node| {
                Err(Flaw::NoNode {
                    what,
                    index: index + 1,
                    node: node.saturating_add(1),
                    count: self.nodes.len(),
                })
            })
        };
        for (index, nodes) in self.triangles().enumerate() {
            beyond("triangle", index, nodes)?;
        }
        for (index, edge) in self.edges.iter().enumerate() {
            beyond("edge", index, &edge.nodes)?;
        }
        for (index, (_, node)) in self.points.iter().enumerate() {
            beyond("point", index, &[*node])?;
        }
        let mut used = vec![false; self.nodes.len()];
        for &node in &self.triangles {
            used[node] = true;
        }
        for (node, (&at, used)) in self.nodes.iter().zip(used).enumerate() {
            let node = node + 1;
            if !(at[0].is_finite() && at[1].is_finite()) {
                return Err(Flaw::NoPlace { node, at });
            }
            if !used {
                return Err(Flaw::Unused { node, at });
            }
        }
        Ok(())
    }

    /// Areas and Jacobians.
    fn check_shapes(&self) -> Result<(), Flaw> {
        let jacobian_of = jacobians(self.order);
        for (index, nodes) in self.triangles().enumerate() {
            let (triangle, at) = (index + 1, self.middle(nodes));
            let (straight, scaled) = jacobian_of(&self.nodes, nodes);
            // Written so that what is no number is refused as well.
            if !(straight > 0.0 && straight.is_finite()) {
                let area = 0.5 * straight;
                return Err(Flaw::Clockwise { triangle, at, area });
            }
            if let Some(found) = self.turned_over(nodes) {
                let jacobian = scaled.min(found / straight);
                return Err(Flaw::Inverted { triangle, at, jacobian });
            }
        }
        Ok(())
    }

    /// A Jacobian that is not above 0, m², if a triangle has one anywhere.
    fn turned_over(&self, nodes: &[usize]) -> Option<f64> {
        let found = match self.order {
            1 => self.map::<{ node_count(1) }>(nodes).turned_over(),
            2 => self.map::<{ node_count(2) }>(nodes).turned_over(),
            3 => self.map::<{ node_count(3) }>(nodes).turned_over(),
            _ => self.map::<{ node_count(4) }>(nodes).turned_over(),
        };
        found.map(|(_, jacobian)| jacobian)
    }

    /// That every side belongs to one triangle, or to two that walk it in opposite directions over the same
    /// nodes.
    fn check_neighbours(&self) -> Result<Sides, Flaw> {
        let all: Vec<&[usize]> = self.triangles().collect();
        let mut sides = Sides::new();
        for (index, nodes) in all.iter().enumerate() {
            for side in 0..3 {
                let ends = (nodes[side], nodes[(side + 1) % 3]);
                let overlap = |other: usize| Flaw::Overlap {
                    triangles: [other + 1, index + 1],
                    at: [0, 1].map(|i| 0.5 * (self.nodes[ends.0][i] + self.nodes[ends.1][i])),
                };
                if let Some((other, _)) = sides.insert(ends, (index, side)) {
                    return Err(overlap(other));
                }
                if let Some(&(other, its)) = sides.get(&(ends.1, ends.0)) {
                    let own = self.side(nodes, side);
                    let back: Vec<usize> = self.side(all[other], its).collect();
                    if !own.eq(back.into_iter().rev()) {
                        return Err(overlap(other));
                    }
                }
            }
        }
        Ok(sides)
    }

    fn check_edges(&self, sides: &Sides) -> Result<(), Flaw> {
        let all: Vec<&[usize]> = self.triangles().collect();
        for edge in &self.edges {
            let (name, count) = (edge.name.clone(), edge.nodes.len());
            let closes = edge.nodes.first() == edge.nodes.last();
            if count < self.order + 1
                || !(count - 1).is_multiple_of(self.order)
                || closes != edge.closed
            {
                let order = self.order;
                return Err(Flaw::Length { name, count, order });
            }
            for piece in edge.nodes.windows(self.order + 1).step_by(self.order) {
                let ends = (piece[0], piece[self.order]);
                let walks = |&(index, own): &(usize, usize)| {
                    let nodes = all[index];
                    piece.iter().copied().eq(side(self.order, own).map(|local| nodes[local]))
                };
                if !sides.get(&ends).is_some_and(walks) {
                    let at = self.nodes[piece[0]];
                    return Err(Flaw::NoChain { name, at });
                }
            }
        }
        let twice = |what, mut names: Vec<&String>| {
            names.sort();
            match names.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(Flaw::Twice { what, name: pair[0].clone() }),
                None => Ok(()),
            }
        };
        twice("edges", self.edges.iter().map(|edge| &edge.name).collect())?;
        twice("points", self.points.iter().map(|(name, _)| name).collect())
    }
}
