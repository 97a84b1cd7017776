//! Positions to more digits than a number has.
//!
//! A step adds a short way to a position far away, and what rounding cuts off, ε |q|, would count as a force times m/h². So
//! it is kept (compensated summation, Kahan 1965; Hairer, Lubich & Wanner 2006, section VIII.5): a position is the sum of a
//! number and of what its rounding has cut off, and ways are differences of both.

use std::ops::{Deref, Range};

use serde::{Deserialize, Serialize};

/// One position.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Position {
    pub rounded: f64,
    /// What rounding has cut off.
    pub rest: f64,
}

impl From<f64> for Position {
    fn from(rounded: f64) -> Position {
        Position { rounded, rest: 0.0 }
    }
}

impl Position {
    /// The position a `way` farther.
    #[inline(always)]
    pub fn plus(self, way: f64) -> Position {
        let way = way + self.rest;
        let rounded = self.rounded + way;
        // What rounding has cut off, whichever is larger (Knuth).
        let added = rounded - self.rounded;
        let rest = (self.rounded - (rounded - added)) + (way - added);
        Position { rounded, rest }
    }

    /// The way from `other`.
    #[inline(always)]
    pub fn displacement_from(self, other: impl Into<Position>) -> f64 {
        let other = other.into();
        (self.rounded - other.rounded) + (self.rest - other.rest)
    }
}

/// What has numbered positions.
pub trait Coordinates {
    fn place(&self, u: usize) -> Position;
}

impl Coordinates for [f64] {
    #[inline(always)]
    fn place(&self, u: usize) -> Position {
        self[u].into()
    }
}

impl Coordinates for Positions {
    #[inline(always)]
    fn place(&self, u: usize) -> Position {
        self.get(u)
    }
}

/// Positions, each with what rounding has cut off; as a slice they are rounded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Positions {
    rounded: Vec<f64>,
    rest: Vec<f64>,
}

impl Deref for Positions {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.rounded
    }
}

impl From<&[f64]> for Positions {
    fn from(q: &[f64]) -> Positions {
        Positions { rounded: q.to_vec(), rest: vec![0.0; q.len()] }
    }
}

impl Positions {
    #[inline(always)]
    pub fn get(&self, u: usize) -> Position {
        Position { rounded: self.rounded[u], rest: self.rest[u] }
    }

    #[inline(always)]
    pub fn set(&mut self, u: usize, place: impl Into<Position>) {
        let Position { rounded, rest } = place.into();
        (self.rounded[u], self.rest[u]) = (rounded, rest);
    }

    /// Moves position `u` by `way`.
    #[inline(always)]
    pub fn add(&mut self, u: usize, way: f64) {
        self.set(u, self.get(u).plus(way));
    }

    /// The way of position `u` from where it is in `before`.
    #[inline(always)]
    pub fn way(&self, u: usize, before: &Positions) -> f64 {
        self.get(u).displacement_from(before.get(u))
    }

    /// All of them.
    #[inline(always)]
    pub fn places(&self) -> impl Iterator<Item = Position> {
        let pairs = self.rounded.iter().zip(&self.rest);
        pairs.map(|(&rounded, &rest)| Position { rounded, rest })
    }

    /// Puts each where `place` says.
    #[inline(always)]
    pub fn put_each(&mut self, places: impl Iterator<Item = Position>) {
        for ((rounded, rest), place) in self.rounded.iter_mut().zip(&mut self.rest).zip(places) {
            (*rounded, *rest) = (place.rounded, place.rest);
        }
    }

    /// The ways of the positions of a `range` from where they are in `before`.
    #[inline(always)]
    pub fn ways<'a>(
        &'a self, range: Range<usize>, before: &'a Positions,
    ) -> impl Iterator<Item = f64> + 'a {
        let rounded = self.rounded[range.clone()].iter().zip(&before.rounded[range.clone()]);
        let rests = self.rest[range.clone()].iter().zip(&before.rest[range]);
        rounded.zip(rests).map(|((end, begin), (end_rest, begin_rest))| {
            let end = Position { rounded: *end, rest: *end_rest };
            end.displacement_from(Position { rounded: *begin, rest: *begin_rest })
        })
    }

    /// Moves the positions of a `range` by as many `ways`.
    #[inline(always)]
    pub fn add_each(&mut self, range: Range<usize>, ways: impl Iterator<Item = f64>) {
        let places = self.rounded[range.clone()].iter_mut().zip(&mut self.rest[range]);
        for ((rounded, rest), way) in places.zip(ways) {
            let place = Position { rounded: *rounded, rest: *rest }.plus(way);
            (*rounded, *rest) = (place.rounded, place.rest);
        }
    }

    /// Puts all at the numbers `q`, of which nothing is cut off.
    pub fn put(&mut self, q: &[f64]) {
        self.rounded.copy_from_slice(q);
        self.rest.fill(0.0);
    }

    /// Puts all at `value`.
    pub fn fill(&mut self, value: f64) {
        self.rounded.fill(value);
        self.rest.fill(0.0);
    }

    /// Takes the first of `other`, as many as there are; does not allocate.
    pub fn copy_from(&mut self, other: &Positions) {
        let count = self.rounded.len();
        self.rounded.copy_from_slice(&other.rounded[..count]);
        self.rest.copy_from_slice(&other.rest[..count]);
    }

    /// Whether there are `count`, as of one read from outside.
    pub fn are(&self, count: usize) -> bool {
        self.rounded.len() == count && self.rest.len() == count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_short_ways_add_up_far_away() {
        let way = 1e-9 / 3.0;
        let begin = Position::from(1000.0);
        let end = (0..1_000_000).fold(begin, |place, _| place.plus(way));
        assert!((end.displacement_from(begin) - 1e6 * way).abs() < 1e-18);
        assert_eq!(Position::from(way).plus(1000.0).displacement_from(1000.0), way);
    }
}
