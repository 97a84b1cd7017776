//! What is left of pivots that were raised, and whether it is rounding.

use super::panel::down;
use super::{Frontal, OUTSIDE};
use crate::numerics::lanes::LANES;

/// What is left of a sum is rounding below so many times the root of the sum of its terms' squared rounding errors;
/// up to one is met where nothing is left.
const SUM_ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Frontal {
    /// L⁻¹e of each raised pivot.
    pub(super) fn respond(&mut self) {
        let length = self.work.len();
        self.responses.clear();
        self.responses.resize(self.raised.len() * length, 0.0);
        let responses = self.responses.chunks_exact_mut(length.max(1));
        for (raised, response) in self.raised.iter().zip(responses) {
            response[raised.row] = 1.0;
            (self.tree).solve_lower(&self.lower, response, &mut self.gathered);
        }
    }

    /// Takes away what is rounding of that which is left of raised pivots, and of how their motions are coupled.
    ///
    /// A pivot is the stiffness p = φᵀKφ against the motion φ = L⁻ᵀe of what has been eliminated, and the entries of K
    /// are as good as rounding allows: p means nothing below some ε (Σ (φ_i K_ij φ_j)²)^½. That is far below any share of
    /// a diagonal entry where a stiff part stands on a soft one, and above it where a long part is free. Multipliers have no
    /// diagonal entry; what the elimination adds up there, Σ l² |d|, stands for it.
    pub(super) fn drop_rounding(&mut self, values: &[f64]) {
        let (count, length) = (self.raised.len(), self.work.len().max(1));
        let mut motions = std::mem::take(&mut self.motions);
        let mut rounding = std::mem::take(&mut self.rounding);
        let mut raised = std::mem::take(&mut self.raised);
        for list in [&mut motions, &mut rounding] {
            list.clear();
            list.resize(count * length, 0.0);
        }
        let rows = motions.chunks_exact_mut(length);
        for ((one, motion), squares) in
            (raised.iter().zip(rows)).zip(rounding.chunks_exact_mut(length))
        {
            motion[one.row] = 1.0;
            (self.tree).solve_upper(&self.lower, motion, &mut self.gathered);
            self.add_squares(values, motion, squares);
        }
        let bound = |k: usize, l: usize, row: usize| {
            // The motion of a raised pivot moves what has been eliminated before it.
            let moved = row + 1;
            let squares = &rounding[k * length..][..moved];
            let terms = squares.iter().zip(&motions[l * length..]);
            SUM_ROUNDING * terms.map(|(square, by)| square * by * by).sum::<f64>().sqrt()
        };
        for k in 0..count {
            let row = raised[k].row;
            if raised[k].left.abs() <= bound(k, k, row) {
                raised[k].left = 0.0;
            }
            let stiffness = 1.0 / self.inverse.diagonal[row];
            // The same of what has not been raised, by Cauchy and Schwarz.
            let size = |j: usize| self.growth[j] + self.scales.get(j).copied().unwrap_or(0.0);
            let own = size(row);
            let response = &mut self.responses[k * length..][..length];
            let tied = if self.ties { row + 1 } else { length };
            for (j, moved) in response.iter_mut().enumerate().skip(tied) {
                if (*moved * stiffness).abs() <= SUM_ROUNDING * (own * size(j)).sqrt() {
                    *moved = 0.0;
                }
            }
            for (l, other) in raised.iter().enumerate().skip(k + 1) {
                let moved = &mut self.responses[k * length + other.row];
                if *moved != 0.0 && (*moved * stiffness).abs() <= bound(k, l, other.row) {
                    *moved = 0.0;
                }
            }
        }
        (self.motions, self.rounding, self.raised) = (motions, rounding, raised);
    }

    /// Adds Σ (K_ij x_j)² to `squares`.
    fn add_squares(&self, values: &[f64], x: &[f64], squares: &mut [f64]) {
        let (unknowns, slots) = (self.unknowns(), self.order + self.width);
        for (e, &p) in self.place[..self.order].iter().enumerate() {
            let by = x[p as usize];
            if by == 0.0 {
                continue;
            }
            for &(other, position) in self.beside.row(e) {
                let term = values[position as usize] * by;
                squares[self.place[other as usize] as usize] += term * term;
            }
        }
        let place = |unknown: u32| match self.place.get(unknown as usize) {
            Some(&p) => p as usize,
            None => unknowns + unknown as usize - slots,
        };
        // Those of what leaves leave are no entries of their own.
        let entries = self.pattern.iter().take(self.in_pattern);
        for (value, pair) in self.given.iter().zip(entries) {
            let [a, b] = pair.map(place);
            squares[a] += (value * x[b]).powi(2);
            if a != b {
                squares[b] += (value * x[a]).powi(2);
            }
        }
        for &p in &self.place[self.order..] {
            if self.ties && p != OUTSIDE {
                let p = p as usize;
                squares[p] += (self.growth[p] * x[p]).powi(2);
            }
        }
    }

    /// Adds up |l_ik| |d_kl| |l_il| in each row i from `first` on, vectors of the border included.
    pub(super) fn add_up_growth(&mut self, first: usize) {
        self.growth.fill(0.0);
        for leaves in self.tree.leaves.iter().filter(|leaves| leaves.first >= first) {
            let panel = &self.lower.as_flattened()[leaves.panel..][..leaves.size()];
            let others = self.tree.others_of(leaves);
            for (i, row) in panel.chunks_exact(leaves.columns).enumerate() {
                for (j, l) in row[..i.min(leaves.columns)].iter().enumerate() {
                    for lane in 0..leaves.count {
                        let at = |unknown: usize| leaves.first + LANES * unknown + lane;
                        let row = match i.checked_sub(leaves.columns) {
                            Some(other) => others[LANES * other + lane] as usize,
                            None => at(i),
                        };
                        self.growth[row] += l[lane] * l[lane] * self.inverse.pivot(at(j))[0].abs();
                    }
                }
            }
        }
        for front in &self.tree.fronts {
            let shape = front.shape;
            let tiles = &self.lower[front.panel..][..shape.panel()];
            let entries = tiles.as_flattened().as_flattened();
            let rows = &self.tree.rows[front.start..][..shape.rows];
            let own = front.first as u32..(front.first + shape.columns) as u32;
            let begin = match first <= front.first {
                true => 0,
                false => shape.columns + rows.partition_point(|&row| (row as usize) < first),
            };
            if begin == shape.columns + shape.rows {
                continue;
            }
            for j in 0..shape.columns {
                let [own_pivot, beside] = self.inverse.pivot(front.first + j);
                let [column, next] = [j, j + 1].map(|j| shape.column(down(j)));
                let below = own.clone().chain(rows.iter().copied()).enumerate();
                for (i, row) in below.skip(begin.max(j + 1)) {
                    let l = entries[column + down(i)];
                    // L is the identity within a pair.
                    let both = match beside != 0.0 && i > j + 1 {
                        true => l * entries[next + down(i)] * beside,
                        false => 0.0,
                    };
                    self.growth[row as usize] += l * l * own_pivot.abs() + 2.0 * both.abs();
                }
            }
        }
    }
}
