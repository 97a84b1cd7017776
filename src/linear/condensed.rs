//! An envelope into which sliders that carry nothing but their mass are condensed.
//!
//! The node of such a slider has coordinates x that K couples with nothing else, by k; its multipliers λ stand
//! beside an identity there, and its path couples them with interior unknowns q by G, and with s by c. With the column b
//! of s and its row r, δ (which is b and c, δ where it has no row of its own)
//!
//! ```text
//! [ K   0   G   b_q ] [q]   [f_q]        x = g − Gᵀq − c s
//! [ 0   k   1   b_x ] [x] = [f_x]        λ = f_x − k x − b_x s
//! [ Gᵀ  1   0   c   ] [λ]   [g  ]
//! [ r_q r_x r_λ δ   ] [s]   [g_s]
//! ```
//!
//! so λ and x go whatever k is, and leave G k Gᵀ in K, b_q + G (k c − b_x) in the column of s, r_q − G ρ in its row and
//! δ − ρ·c − r_λ·b_x on its diagonal, where ρ = r_x − k r_λ. That is c·k c without friction: the mass of the slider along its path, and s goes
//! as well. Each column that the border loses is one less in every row of L⁻¹B and in the Schur complement.

mod node;
#[cfg(test)]
mod tests;

use super::block::Block;
use super::dense::Dense;
use super::entries::Entries;
use super::envelope::{Profile, Raised};
use super::frontal::Follower;
use node::{Inside, Node, Sums, dot};

/// What moves a node by less than this share of all that is free does so by rounding.
const ROUNDING: f64 = 1e-9;

/// Nobody's.
const NONE: u32 = u32::MAX;

/// L D Lᵀ of an envelope with what of its border is condensed into it; see the module.
#[derive(Debug, Clone)]
pub struct Condensed {
    block: Block,
    nodes: Vec<Node>,
    /// The node that has each interior and each border unknown.
    interior: Vec<u32>,
    border: Vec<u32>,
    /// Border unknowns that are left, rising, and the place of each among them.
    outside: Vec<usize>,
    place: Vec<u32>,
    /// What the border is with them alone.
    left: Entries,
    sums: Sums,
}

impl Condensed {
    /// Room for a border of `width` and `spare` raised pivots, with those of the `followers` condensed that can be.
    pub fn new(profile: Profile, followers: &[Follower], [width, spare]: [usize; 2]) -> Condensed {
        let order = profile.order();
        let (mut interior, mut border) = (vec![NONE; order], vec![NONE; width]);
        let mut nodes: Vec<Node> = Vec::new();
        for node in followers.iter().filter_map(Node::of) {
            if !profile.is_alone(&node.coordinates)
                || node.coordinates.iter().any(|&e| interior[e] != NONE)
            {
                continue;
            }
            let own = nodes.len() as u32;
            node.coordinates.iter().for_each(|&e| interior[e] = own);
            border[node.sliding..=node.sliding + node.coordinates.len()].fill(own);
            nodes.push(node);
        }
        let block = Block::new(profile, width, spare);
        Condensed {
            left: Entries::new(block.room()),
            block,
            nodes,
            interior,
            border,
            outside: Vec::with_capacity(width),
            place: vec![NONE; width],
            sums: Sums::new(order),
        }
    }

    /// Factors K, whose entries are `values`, with what is condensed, and leaves S in the dense matrix.
    pub fn factor(&mut self, values: &mut [f64], border: &Entries, dense: &mut Dense) {
        self.look_inside(values, border);
        self.fill(values, border);
        self.leave(values, border);
        self.block
            .factor(values, &mut self.left, self.outside.len(), dense);
    }

    /// Which nodes are condensed, and what of the border is left.
    fn look_inside(&mut self, values: &[f64], border: &Entries) {
        for node in &mut self.nodes {
            node.inside = if node.is_held(border) {
                Inside::Multipliers
            } else {
                Inside::Nothing
            };
        }
        // What of a node meets another border unknown stays.
        for (b, own) in self.border.iter().enumerate() {
            let mut meets = |other: u32| {
                if other != *own {
                    for met in [*own, other].into_iter().filter(|met| *met != NONE) {
                        self.nodes[met as usize].inside = Inside::Nothing;
                    }
                }
            };
            let there = |&&(_, value): &&(usize, f64)| value != 0.0;
            for &(e, _) in border.column(b).iter().chain(border.row(b)).filter(there) {
                if self.interior[e] != NONE {
                    meets(self.interior[e]);
                }
            }
            border
                .corner(b)
                .iter()
                .filter(there)
                .for_each(|&(c, _)| meets(self.border[c]));
        }
        for node in self.nodes.iter_mut().filter(|node| node.is_condensed()) {
            node.take(self.block.profile(), values, border);
        }
        self.outside.clear();
        for (b, own) in self.border.iter().enumerate() {
            let node = self.nodes.get(*own as usize);
            let stays = match node.map_or(Inside::Nothing, |node| node.inside) {
                Inside::Nothing => true,
                Inside::Multipliers => node.is_some_and(|node| node.sliding == b),
                Inside::Given | Inside::All => false,
            };
            self.place[b] = NONE;
            if stays {
                self.place[b] = self.outside.len() as u32;
                self.outside.push(b);
            }
        }
    }

    /// Adds to K what the nodes leave there; their own rows become a large diagonal.
    fn fill(&mut self, values: &mut [f64], border: &Entries) {
        let profile = self.block.profile();
        let diagonal = (0..profile.order()).map(|i| values[profile.diagonal(i)].abs());
        let largest = diagonal.fold(1.0, f64::max);
        for node in self.nodes.iter().filter(|node| node.is_condensed()) {
            let n = node.coordinates.len();
            for i in 0..n {
                for j in 0..n {
                    let stiffness = node.stiffness[i][j];
                    if stiffness == 0.0 {
                        continue;
                    }
                    for &(row, a) in node.path(border, i) {
                        let share = a * stiffness;
                        let before = node.path(border, j).filter(|(column, _)| *column <= row);
                        for &(column, b) in before {
                            values[profile.position(row, column)] += share * b;
                        }
                    }
                }
            }
            for (i, &e) in node.coordinates.iter().enumerate() {
                for &other in &node.coordinates[..i] {
                    profile
                        .find(e, other)
                        .into_iter()
                        .for_each(|at| values[at] = 0.0);
                }
                values[profile.diagonal(e)] = largest;
            }
        }
    }

    /// The border with the unknowns that are left; where s goes, too, K takes what it leaves.
    fn leave(&mut self, values: &mut [f64], border: &Entries) {
        let (left, sums) = (&mut self.left, &mut self.sums);
        left.clear();
        for node in self.nodes.iter_mut().filter(|node| node.is_condensed()) {
            let s = node.sliding;
            let pushed = [0, 1, 2].map(|i| node.pushed(i) - node.beside[i]);
            node.gather(border, border.column(s), pushed, sums);
            if node.inside != Inside::Multipliers {
                node.column.clear();
                sums.drain(|e, value| node.column.push((e, value)));
            }
            if node.inside == Inside::All {
                let profile = self.block.profile();
                for &(row, a) in &node.column {
                    let share = a / node.diagonal;
                    let before = node.column.iter().filter(|(column, _)| *column <= row);
                    for &(column, b) in before {
                        values[profile.position(row, column)] -= share * b;
                    }
                }
            }
            if node.inside != Inside::Multipliers {
                continue;
            }
            let place = self.place[s] as usize;
            sums.drain(|e, value| left.add_column(e, place, value));
            left.add_corner(place, place, node.diagonal);
            if border.has_own_row(s) {
                left.give_own_row(place);
                node.gather(border, border.row(s), node.lever.map(|lever| -lever), sums);
                sums.drain(|e, value| left.add_row(place, e, value));
            }
        }
        for (place, &b) in self.outside.iter().enumerate() {
            let node = self.nodes.get(self.border[b] as usize);
            if node.is_some_and(Node::is_condensed) {
                continue;
            }
            for &(e, value) in border.column(b) {
                left.add_column(e, place, value);
            }
            if border.has_own_row(b) {
                left.give_own_row(place);
                for &(e, value) in border.row(b) {
                    left.add_row(place, e, value);
                }
            }
            for &(c, value) in border.corner(b) {
                // What is not left is coupled by zeros at most.
                if self.place[c] != NONE {
                    left.add_corner(place, self.place[c] as usize, value);
                }
            }
        }
    }

    /// The forward half of a solution with the right-hand side `x` and `y`; `right` becomes that of the dense system.
    pub fn forward(
        &mut self,
        values: &[f64],
        border: &Entries,
        (x, y): (&mut [f64], &[f64]),
        right: &mut [f64],
    ) {
        right.fill(0.0);
        for (right, &b) in right.iter_mut().zip(&self.outside) {
            *right = y[b];
        }
        for node in self.nodes.iter_mut().filter(|node| node.is_condensed()) {
            node.along = y[node.sliding];
            for (i, &e) in node.coordinates.iter().enumerate() {
                node.force[i] = std::mem::take(&mut x[e]);
                node.gap[i] = y[node.sliding + 1 + i];
                node.along -= node.by_multipliers[i] * node.force[i] + node.lever[i] * node.gap[i];
            }
            for i in 0..node.coordinates.len() {
                let force = node.force[i] - dot(node.stiffness[i], node.gap);
                for &(e, value) in node.path(border, i) {
                    x[e] -= value * force;
                }
            }
            if node.inside != Inside::Multipliers {
                let share = node.along / node.diagonal;
                node.column
                    .iter()
                    .for_each(|&(e, value)| x[e] -= value * share);
            } else {
                right[self.place[node.sliding] as usize] = node.along;
            }
        }
        self.block.forward(values, x, right);
    }

    /// The backward half, where the dense system has this `solution`.
    pub fn backward(
        &mut self,
        values: &[f64],
        border: &Entries,
        solution: &[f64],
        (x, y): (&mut [f64], &mut [f64]),
    ) {
        self.block.backward(values, x, solution);
        for (value, &b) in solution.iter().zip(&self.outside) {
            y[b] = *value;
        }
        for node in self.nodes.iter().filter(|node| node.is_condensed()) {
            let s = node.sliding;
            let moved = || {
                node.column
                    .iter()
                    .map(|&(e, value)| value * x[e])
                    .sum::<f64>()
            };
            match node.inside {
                Inside::Nothing | Inside::Multipliers => {}
                Inside::Given => y[s] = node.along / node.diagonal,
                Inside::All => y[s] = (node.along - moved()) / node.diagonal,
            }
            for (i, &own) in node.coordinates.iter().enumerate() {
                let moved: f64 = node.path(border, i).map(|&(e, value)| value * x[e]).sum();
                x[own] = node.gap[i] - moved - node.slope[i] * y[s];
            }
            for i in 0..node.coordinates.len() {
                let moved: f64 = (node.stiffness[i].iter().zip(&node.coordinates))
                    .map(|(k, &e)| k * x[e])
                    .sum();
                y[s + 1 + i] = node.force[i] - moved - node.beside[i] * y[s];
            }
        }
    }

    /// Border unknowns in the dense system; those of raised pivots follow.
    pub fn outside(&self) -> &[usize] {
        &self.outside
    }

    /// Whether a `solution` of the dense system pushes any row, or moves a node along its path, beyond rounding.
    pub fn pushes(&self, solution: &[f64]) -> bool {
        let largest = solution.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let moves = |node: &Node| {
            let s = solution[self.place[node.sliding] as usize];
            let slope = node.slope.iter().fold(0.0_f64, |a, c| a.max(c.abs()));
            s.abs() * slope > ROUNDING * largest
        };
        let mut sliding = (self.nodes.iter()).filter(|node| node.inside == Inside::Multipliers);
        sliding.any(moves) || self.block.pushes(&self.left, solution)
    }

    /// Negative pivots: of a coordinate and its multiplier one is.
    pub fn negative(&self) -> usize {
        let condensed = self.nodes.iter().filter(|node| node.is_condensed());
        self.block.negative() + condensed.map(|node| node.coordinates.len()).sum::<usize>()
    }

    /// The pivots that were raised.
    pub fn raised(&self) -> &[Raised] {
        self.block.raised()
    }
}
