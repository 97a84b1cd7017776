//! Pieces of an outline that are too long where they are.

use std::collections::BTreeSet;

use super::OutlineFault;
use super::boundary::{ALMOST, Boundary, MAX_PIECES, Piece};
use crate::axis::Axis;

/// Parts of a piece in which its turn is looked at.
const LOOKS: usize = 4;

/// How far a piece keeps from what it does not touch, beside its length: of two chords that cross, an end of one is
/// nearer to the other than half the length of that.
const CLEAR: f64 = 0.51;

/// Longest piece beside the next one; 2 are those of a piece that was parted.
const GROWTH: f64 = 2.01;

/// A piece is parted no more once it is so short beside the shortest one at the beginning.
const SHORTEST: f64 = 1.0 / 64.0;

/// Least part of the distance that their angle lets expect between sides that meet at a corner.
const AT_CORNER: f64 = 0.7;

impl Boundary<'_> {
    /// Halves pieces until each turns by `largest_turn` at most, is short beside its distance from everything that it
    /// does not meet, and not much longer than its neighbours.
    ///
    /// # Errors
    /// Sides that have a kink, or between which there is no distance.
    pub(super) fn part_on(&mut self, largest_turn: f64) -> Result<(), OutlineFault> {
        let lengths = self.pieces().map(|piece| self.squared_length(piece));
        let shortest = lengths.fold(f64::INFINITY, f64::min) * SHORTEST * SHORTEST;
        self.part_where_turning(largest_turn, shortest)?;
        loop {
            let long = self.long_pieces(shortest)?;
            if long.is_empty() {
                return Ok(());
            }
            if self.pieces().count() + long.len() > MAX_PIECES {
                return Err(OutlineFault::Pieces(MAX_PIECES));
            }
            self.halve(&long);
        }
    }

    /// Halves pieces that turn too much; none turns more for being halved.
    fn part_where_turning(&mut self, largest_turn: f64, shortest: f64) -> Result<(), OutlineFault> {
        let mut looked: Vec<Piece> = self.pieces().cloned().collect();
        while !looked.is_empty() {
            looked.retain(|piece| self.turn_of(piece) > largest_turn * (1.0 + ALMOST));
            if let Some(piece) = (looked.iter()).find(|piece| self.squared_length(piece) < shortest)
            {
                return Err(OutlineFault::Kink {
                    side: self.sides[piece.side].name.clone(),
                    at: self.places[piece.ends[0]],
                });
            }
            let first = self.places.len();
            let long = looked.iter().map(|piece| piece.ends).collect();
            self.halve(&long);
            // The new pieces have a new vertex.
            let new = |piece: &&Piece| piece.ends.iter().any(|&end| end >= first);
            looked = self.pieces().filter(new).cloned().collect();
        }
        Ok(())
    }

    /// Halves the curved pieces with given ends, and then what is too long beside them; whether there are such pieces.
    ///
    /// # Errors
    /// When [`part_on`](Boundary::part_on) fails.
    pub(super) fn part(
        &mut self, ends: &BTreeSet<[usize; 2]>, largest_turn: f64,
    ) -> Result<bool, OutlineFault> {
        let curved = |piece: &&Piece| {
            !self.sides[piece.side].curve.is_straight() && ends.contains(&piece.ends)
        };
        let found: BTreeSet<[usize; 2]> =
            self.pieces().filter(curved).map(|piece| piece.ends).collect();
        self.halve(&found);
        self.part_on(largest_turn)?;
        Ok(!found.is_empty())
    }

    fn halve(&mut self, ends: &BTreeSet<[usize; 2]>) {
        for index in 0..self.loops.len() {
            let own = std::mem::take(&mut self.loops[index]);
            let mut parted = Vec::with_capacity(own.len());
            for piece in own {
                if ends.contains(&piece.ends) {
                    parted.extend(self.halves(&piece));
                } else {
                    parted.push(piece);
                }
            }
            self.loops[index] = parted;
        }
    }

    fn squared_length(&self, piece: &Piece) -> f64 {
        let [a, b] = piece.ends.map(|vertex| self.at[vertex]);
        square(a, b)
    }

    /// The ends of the pieces that are too long where they are.
    fn long_pieces(&self, shortest: f64) -> Result<BTreeSet<[usize; 2]>, OutlineFault> {
        let mut long = BTreeSet::new();
        let vertices = self.vertices();
        for own in &self.loops {
            for (i, piece) in own.iter().enumerate() {
                let length = self.squared_length(piece);
                let beside = [&own[(i + own.len() - 1) % own.len()], &own[(i + 1) % own.len()]];
                let next = beside.map(|other| self.squared_length(other));
                if length > GROWTH * GROWTH * next[0].min(next[1]) {
                    long.insert(piece.ends);
                    continue;
                }
                let Some(vertex) = self.near(piece, length, beside, &vertices) else {
                    continue;
                };
                if length < shortest {
                    return Err(OutlineFault::Crossing {
                        sides: [piece.side, vertex.sides[1]]
                            .map(|side| self.sides[side].name.clone()),
                        at: self.places[vertex.number],
                    });
                }
                long.insert(piece.ends);
            }
        }
        Ok(long)
    }

    /// By how much a piece turns, rad, on a curve that does not turn evenly.
    fn turn_of(&self, piece: &Piece) -> f64 {
        let curve = &self.sides[piece.side].curve;
        if matches!(curve, Axis::Straight { .. } | Axis::Arc(_)) {
            return 0.0;
        }
        let [from, to] = piece.shares;
        let angle = |k: usize| curve.at(from + (to - from) * k as f64 / LOOKS as f64).angle;
        (0..LOOKS).map(|k| (angle(k + 1) - angle(k)).abs()).sum()
    }

    /// All vertices from left to right.
    fn vertices(&self) -> Vec<Vertex> {
        let mut vertices = Vec::new();
        for own in &self.loops {
            for (i, piece) in own.iter().enumerate() {
                let before = &own[(i + own.len() - 1) % own.len()];
                let number = piece.ends[0];
                vertices.push(Vertex {
                    number,
                    x: self.at[number][0],
                    sides: [before.side, piece.side],
                });
            }
        }
        vertices.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.number.cmp(&b.number)));
        vertices
    }

    /// A vertex that a piece does not keep clear of.
    fn near<'v>(
        &self, piece: &Piece, length: f64, beside: [&Piece; 2], vertices: &'v [Vertex],
    ) -> Option<&'v Vertex> {
        let [a, b] = piece.ends.map(|vertex| self.at[vertex]);
        let clear = CLEAR * length.sqrt();
        let (left, right) = (a[0].min(b[0]) - clear, a[0].max(b[0]) + clear);
        let first = vertices.partition_point(|vertex| vertex.x < left);
        let within = vertices[first..].iter().take_while(|vertex| vertex.x <= right);
        let own = beside.map(|other| other.ends);
        within.filter(|vertex| !own.iter().flatten().any(|&end| end == vertex.number)).find(
            |vertex| {
                let distance = square_to_segment(self.at[vertex.number], a, b);
                distance < clear * clear && !self.at_a_corner(piece.side, vertex, distance)
            },
        )
    }

    /// Whether the nearness of a vertex to a side is that of two sides that meet at a corner.
    fn at_a_corner(&self, side: usize, vertex: &Vertex, distance: f64) -> bool {
        let others = vertex.sides.into_iter().filter(|&other| other != side);
        let mut corners = others.flat_map(|other| {
            let common = self.corners[side].into_iter();
            common
                .filter(move |corner| self.corners[other].contains(corner))
                .map(move |corner| (corner, other))
        });
        corners.any(|(corner, other)| {
            let away = square(self.at[corner], self.at[vertex.number]);
            let squared_sine = self.squared_sine(corner, side, other);
            away > 0.0 && distance >= AT_CORNER * AT_CORNER * squared_sine * away
        })
    }

    /// Of the angle between the first chords of two sides from their corner; 1 from a right angle on.
    fn squared_sine(&self, corner: usize, one: usize, other: usize) -> f64 {
        let way = |side: usize| {
            let mut from = self.pieces().filter(|piece| piece.side == side);
            let c = self.at[corner];
            let ends = from.find_map(|piece| match piece.ends {
                [a, b] if a == corner => Some(b),
                [a, b] if b == corner => Some(a),
                _ => None,
            });
            ends.map_or([0.0; 2], |end| [0, 1].map(|i| self.at[end][i] - c[i]))
        };
        let (u, v) = (way(one), way(other));
        let dot = u[0] * v[0] + u[1] * v[1];
        let cross = u[0] * v[1] - u[1] * v[0];
        if dot <= 0.0 {
            return 1.0;
        }
        cross * cross / (dot * dot + cross * cross)
    }
}

/// A vertex with the sides before and behind it.
struct Vertex {
    number: usize,
    x: f64,
    sides: [usize; 2],
}

fn square(a: [f64; 2], b: [f64; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    d[0] * d[0] + d[1] * d[1]
}

/// Squared distance of a point from a segment, without square roots and what machines do with `hypot`.
fn square_to_segment(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    let along = (point[0] - a[0]) * d[0] + (point[1] - a[1]) * d[1];
    let share = (along / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
    square(point, [0, 1].map(|i| a[i] + share * d[i]))
}
