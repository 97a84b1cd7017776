//! What of a border is eliminated with the interior.

use super::pivot::BESIDE;
use super::{Frontal, Inside};
use crate::linear::couplings::Couplings;
use crate::linear::entries::Entries;
use crate::numerics::lanes::larger;

/// Least size of the entry of a multiplier in the row of the coordinate that it is eliminated with. It is 1 but for a node that carries a
/// slider, from which the slider may go away.
const BESIDE_COORDINATE: f64 = 0.25;

impl Frontal {
    /// Which border unknowns can be eliminated with the interior: those of a follower whose multipliers stand
    /// beside its own coordinates, or of one that is off its path and coupled with nothing.
    pub(super) fn look_inside(&mut self, border: &Entries) {
        self.outside.clear();
        self.vectors = 0;
        let mut next = 0;
        for (f, follower) in self.followers.iter().enumerate() {
            let (own, multipliers) = (follower.border(), follower.multipliers.clone());
            let held = |(b, e): (usize, &Option<usize>)| {
                let mut own = border.column(b).iter();
                own.any(|&(row, value)| Some(row) == *e && value.abs() >= BESIDE_COORDINATE)
            };
            let mut beside = multipliers.clone().zip(&follower.coordinates);
            let coupled =
                follower.is_paired() || multipliers.clone().all(|b| !border.column(b).is_empty());
            let on_path = self.free[f] && coupled && beside.all(held);
            let alone = |b: usize| {
                let corner = border.corner(b);
                border.column(b).is_empty()
                    && border.row(b).is_empty()
                    && corner.iter().all(|&(c, value)| c == b && value != 0.0)
                    && !corner.is_empty()
            };
            let symmetric = multipliers.clone().all(|b| !border.has_own_row(b));
            self.inside[f] = if on_path && symmetric {
                match follower.sliding {
                    Some(s) if border.has_own_row(s) => Inside::Multipliers,
                    _ => Inside::All,
                }
            } else if self.free[f] && own.clone().all(alone) {
                Inside::All
            } else {
                Inside::Nothing
            };
            let mut leave = |range: std::ops::Range<usize>| {
                for b in range {
                    self.outside.push(b);
                    let column = self.vectors;
                    self.vectors += 1 + usize::from(border.has_own_row(b));
                    self.slots[b] = [column, self.vectors - 1];
                }
            };
            leave(next..own.start);
            match self.inside[f] {
                Inside::Nothing => leave(own.clone()),
                Inside::Multipliers => leave(own.start..multipliers.start),
                Inside::All => {}
            }
            next = own.end;
        }
        for b in next..self.width {
            self.outside.push(b);
            let column = self.vectors;
            self.vectors += 1 + usize::from(border.has_own_row(b));
            self.slots[b] = [column, self.vectors - 1];
        }
    }

    /// Hands every entry of the border that is not in S to `each`: two unknowns, or an unknown and a vector, by
    /// number: interior unknowns, border unknowns, vectors.
    pub(super) fn each_entry(&self, border: &Entries, mut each: impl FnMut([u32; 2], f64)) {
        let (order, slots) = (self.order, self.order + self.width);
        let mut is_outside = self.outside.iter().copied().peekable();
        let outside = |b: usize| self.outside.binary_search(&b).is_ok();
        for b in 0..self.width {
            let own = (order + b) as u32;
            if is_outside.next_if_eq(&b).is_some() {
                let [column, row] = self.slots[b].map(|slot| (slots + slot) as u32);
                for &(i, value) in border.column(b) {
                    each([i as u32, column], value);
                }
                if row != column {
                    for &(i, value) in border.row(b) {
                        each([i as u32, row], value);
                    }
                    for &(c, value) in border.corner(b).iter().filter(|(c, _)| !outside(*c)) {
                        each([(order + c) as u32, row], value);
                    }
                }
                continue;
            }
            for &(i, value) in border.column(b) {
                each([i as u32, own], value);
            }
            for &(c, value) in border.corner(b) {
                if outside(c) {
                    each([own, (slots + self.slots[c][0]) as u32], value);
                } else if c <= b {
                    each([(order + c) as u32, own], value);
                }
            }
        }
    }

    /// Takes the entries of the border and of couplings; returns whether the tree was made for their pattern.
    pub(super) fn take_given(&mut self, border: &Entries, couplings: &Couplings) -> bool {
        let mut given = std::mem::take(&mut self.given);
        given.clear();
        let mut same =
            self.tree.vectors == Some(self.vectors) && self.coupled == *couplings.lists();
        let mut pattern = self.pattern[..self.in_border].iter();
        self.each_entry(border, |pair, value| {
            same &= pattern.next() == Some(&pair);
            given.push(value);
        });
        same &= pattern.next().is_none();
        given.extend(couplings.values());
        given.resize(self.pattern.len().max(given.len()), 0.0);
        self.given = given;
        same
    }

    /// What pivots are compared with: diagonal entries, and what multipliers and s make of those of their node.
    pub(super) fn scale(&mut self, values: &[f64], couplings: &Couplings, border: &Entries) {
        let interior = &self.place[..self.order];
        for (&p, &diagonal) in interior.iter().zip(&self.diagonal) {
            self.scales[p as usize] = values[diagonal];
        }
        for (e, value) in couplings.diagonal() {
            self.scales[interior[e] as usize] += value;
        }
        let mut largest = 0.0;
        for &p in interior {
            let size = self.scales[p as usize].abs();
            self.scales[p as usize] = size;
            largest = larger(largest, size);
        }
        let (least, usual) = (1e-14 * largest, if largest > 0.0 { largest } else { 1.0 });
        for &p in interior {
            let size = self.scales[p as usize];
            self.scales[p as usize] = if size > least { size } else { usual };
        }
        // Of a row that is far softer than others that the border couples it with, 1/K would swamp theirs in C K⁻¹ B.
        let beside =
            || border.beside(self.outside.iter().copied()).map(|row| interior[row] as usize);
        let stiffest = beside().map(|p| self.scales[p]).fold(0.0, f64::max);
        for p in beside() {
            self.scales[p] = larger(self.scales[p], BESIDE * stiffest);
        }
        let entry = |scales: &[f64], e: usize| scales[self.place[e] as usize];
        for (follower, inside) in self.followers.iter().zip(&self.inside) {
            if *inside == Inside::Nothing {
                continue;
            }
            let own = |b: usize, c: usize| {
                let entries = border.corner(b).iter().filter(|(other, _)| *other == c);
                entries.map(|(_, value)| value).sum::<f64>()
            };
            let sliding = follower.sliding;
            let mut sum = sliding.map_or(0.0, |s| own(s, s).abs());
            for (i, b) in follower.multipliers.clone().enumerate() {
                let beside = follower.coordinates.get(i).copied().flatten();
                let column = border.column(b);
                let scale = match beside {
                    _ if column.is_empty() => own(b, b).abs(),
                    Some(e) => 1.0 / entry(&self.scales, e),
                    None => column.iter().map(|&(e, g)| g * g / entry(&self.scales, e)).sum(),
                };
                self.scales[self.place[self.order + b] as usize] = scale;
                if let Some(s) = sliding {
                    let stiffness = beside.map_or(1.0, |e| entry(&self.scales, e));
                    sum += own(b, s).powi(2) * stiffness;
                }
            }
            if let (Some(s), Inside::All) = (sliding, *inside) {
                self.scales[self.place[self.order + s] as usize] = sum;
            }
        }
    }
}
