//! The curve that an edge was drawn with, whatever mesh fills the body.

use std::f64::consts::PI;

use crate::axis::{Axis, Place};

/// Most pieces of a curve between two knots.
const MAX_CHORDS: usize = 4096;

/// A curve as an edge runs along it.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    pub axis: Axis,
    /// Whether the edge runs from its last place to its first.
    pub reversed: bool,
}

impl Curve {
    /// Most that a piece turns, rad: a parabola through its ends and its middle strays from an arc by 1e-7 of the radius.
    pub const TURN: f64 = PI / 36.0;

    /// The curve of an edge which runs as its axis does.
    pub fn along(axis: &Axis) -> Curve {
        Curve { axis: axis.clone(), reversed: false }
    }

    /// The place at a `share` of its length, with the direction in which the edge runs.
    pub fn at(&self, share: f64) -> Place {
        match self.reversed {
            false => self.axis.at(share),
            true => {
                let Place { position, angle } = self.axis.at(1.0 - share);
                let angle = angle + PI;
                Place { position, angle }
            }
        }
    }

    fn place(&self, share: f64) -> [f64; 2] {
        self.at(share).position
    }

    /// The shares of its length, from 0 to 1, between which it is smooth and turns little.
    pub fn smooth_parts(&self) -> Vec<f64> {
        self.in_walking_order(self.axis.smooth_parts())
    }

    /// Shares of the axis as shares of the edge.
    fn in_walking_order(&self, mut shares: Vec<f64>) -> Vec<f64> {
        if self.reversed {
            shares.reverse();
            shares.iter_mut().for_each(|share| *share = 1.0 - *share);
        }
        shares
    }

    /// Its pieces in walking order, m: a line by its ends, others in parabolas by their ends and their middle. They end at the
    /// [knots](Axis::knots) of a spline: a nearly flat profile has its heights there, whatever it turns. Between two of them they are of equal
    /// length. A cubic strays from its parabola by as much to one side as to the other, so that pressures over a piece keep their sum.
    pub fn pieces(&self) -> Vec<Vec<[f64; 2]>> {
        if self.axis.is_straight() {
            return vec![vec![self.place(0.0), self.place(1.0)]];
        }
        let mut pieces = Vec::new();
        for ends in self.in_walking_order(self.axis.knots()).windows(2) {
            let [from, to] = [ends[0], ends[1]];
            let count = self.pieces_between([from, to]);
            let share = |k: usize| match k {
                _ if k == 2 * count => to,
                _ => from + (to - from) * (k as f64 / (2 * count) as f64),
            };
            pieces.extend((0..count).map(|piece| {
                let places = 2 * piece..=2 * piece + 2;
                places.map(|k| self.place(share(k))).collect()
            }));
        }
        pieces
    }

    /// Equal parts between two shares of its length that turn by [`Curve::TURN`] at most.
    fn pieces_between(&self, [from, to]: [f64; 2]) -> usize {
        let ends = if self.reversed { [1.0 - to, 1.0 - from] } else { [from, to] };
        let mut count = 1;
        while count < MAX_CHORDS {
            let (_, turn) = self.axis.largest_turn_between(ends, count);
            // The last bits of a turn decide nothing.
            let times = turn / Curve::TURN * (1.0 - 1e-9);
            if times <= 1.0 {
                break;
            }
            count = ((count as f64 * times).ceil() as usize).min(MAX_CHORDS);
        }
        count
    }
}
