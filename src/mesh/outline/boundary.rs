//! The outline in pieces, each of which will be the side of a triangle.

use super::frame::Frame;
use super::{Outline, OutlineFault, Side};
use crate::axis::Axis;
use crate::mesh::{Curve, MAX_TRIANGLES};

/// Most pieces.
pub(super) const MAX_PIECES: usize = 20_000;

/// What may miss in a quotient before one piece more is taken: the last bits of a length decide nothing.
pub(super) const ALMOST: f64 = 1e-9;

/// Triangles that come out, beside equilateral ones of the mesh size.
const USUAL: f64 = 1.15;

/// A part of a side; ends and shares run with the body on the left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub side: usize,
    /// Of the side's arc length.
    pub shares: [f64; 2],
    /// Vertices.
    pub ends: [usize; 2],
}

pub(super) struct Boundary<'a> {
    pub sides: Vec<&'a Side>,
    /// First and last vertex of each side, in the initial configuration.
    pub corners: Vec<[usize; 2]>,
    /// One loop behind the other, the outer one first.
    pub loops: Vec<Vec<Piece>>,
    pub frame: Frame,
    /// The vertices, m.
    pub places: Vec<[f64; 2]>,
    /// The vertices in the frame.
    pub at: Vec<[f64; 2]>,
}

impl<'a> Boundary<'a> {
    /// # Errors
    /// Sides that cross or touch, too many pieces or triangles, loops without area, holes that are not inside.
    pub fn of(outline: &'a Outline) -> Result<Boundary<'a>, OutlineFault> {
        let mut boundary = Boundary::parted(outline)?;
        boundary.part_on(outline.largest_turn)?;
        boundary.turn()?;
        boundary.nest()?;
        boundary.count(outline.size)?;
        Ok(boundary)
    }

    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.loops.iter().flatten()
    }

    /// The sides parted by size and curvature.
    fn parted(outline: &'a Outline) -> Result<Boundary<'a>, OutlineFault> {
        let (mut places, mut loops, mut corners) = (Vec::new(), Vec::new(), Vec::new());
        for sides in outline.loops() {
            let size = |side: &Side| side.size.unwrap_or(outline.size);
            let counts: Vec<usize> = (sides.iter())
                .map(|side| pieces(&side.curve, size(side), outline.largest_turn))
                .collect();
            let sum = counts.iter().fold(0, |sum: usize, &n| sum.saturating_add(n));
            // A polygon has three sides.
            let times = 3_usize.div_ceil(sum);
            if sum.saturating_add(places.len()) > MAX_PIECES {
                return Err(OutlineFault::Pieces(MAX_PIECES));
            }
            let (first, mut own) = (places.len(), Vec::new());
            for (side, count) in sides.iter().zip(counts) {
                let (begin, count) = (places.len(), count * times);
                for k in 0..count {
                    let shares = [k, k + 1].map(|k| k as f64 / count as f64);
                    let ends = [begin + k, begin + k + 1];
                    let side_number = corners.len();
                    places.push(side.curve.at(shares[0]).position);
                    own.push(Piece { side: side_number, shares, ends });
                }
                corners.push([begin, begin + count]);
            }
            // The last side ends where the first begins.
            if let (Some(piece), Some(corner)) = (own.last_mut(), corners.last_mut()) {
                piece.ends[1] = first;
                corner[1] = first;
            }
            loops.push(own);
        }
        let frame = Frame::around(&places);
        Ok(Boundary {
            sides: outline.loops().flatten().collect(),
            corners,
            loops,
            frame,
            at: places.iter().map(|&place| frame.of(place)).collect(),
            places,
        })
    }

    /// The halves of a piece, between which there is a new vertex.
    pub fn halves(&mut self, piece: &Piece) -> [Piece; 2] {
        let middle = 0.5 * (piece.shares[0] + piece.shares[1]);
        let vertex = self.places.len();
        let place = self.sides[piece.side].curve.at(middle).position;
        self.places.push(place);
        self.at.push(self.frame.of(place));
        let half = |shares, ends| Piece { side: piece.side, shares, ends };
        [
            half([piece.shares[0], middle], [piece.ends[0], vertex]),
            half([middle, piece.shares[1]], [vertex, piece.ends[1]]),
        ]
    }

    /// Twice the area of a loop, in the frame.
    fn doubled_area(&self, own: &[Piece]) -> f64 {
        let cross = |piece: &Piece| {
            let [a, b] = piece.ends.map(|vertex| self.at[vertex]);
            a[0] * b[1] - a[1] * b[0]
        };
        own.iter().map(cross).sum()
    }

    /// Turns every loop so that the body is on its left.
    fn turn(&mut self) -> Result<(), OutlineFault> {
        for index in 0..self.loops.len() {
            let area = self.doubled_area(&self.loops[index]);
            if area == 0.0 {
                return Err(OutlineFault::NoArea(index));
            }
            if (area > 0.0) != (index == 0) {
                let own = &mut self.loops[index];
                own.reverse();
                for piece in own {
                    piece.shares.reverse();
                    piece.ends.reverse();
                }
            }
        }
        Ok(())
    }

    /// That holes lie inside the outline and outside each other. No loops cross, so that one vertex tells.
    fn nest(&self) -> Result<(), OutlineFault> {
        for hole in 1..self.loops.len() {
            let first = &self.loops[hole][0];
            let vertex = first.ends[0];
            for other in (0..self.loops.len()).filter(|&other| other != hole) {
                if self.surrounds(other, self.at[vertex]) != (other == 0) {
                    return Err(OutlineFault::Hole {
                        hole,
                        side: self.sides[first.side].name.clone(),
                        lies: if other == 0 { "outside" } else { "inside another hole" },
                        at: self.places[vertex],
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether a loop goes round a point: how often a ray to the right crosses it.
    fn surrounds(&self, index: usize, [x, y]: [f64; 2]) -> bool {
        let crosses = |piece: &&Piece| {
            let [a, b] = piece.ends.map(|vertex| self.at[vertex]);
            let left = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
            (a[1] > y) != (b[1] > y) && (left > 0.0) == (b[1] > a[1])
        };
        self.loops[index].iter().filter(crosses).count() % 2 == 1
    }

    /// That the size does not give too many triangles.
    fn count(&self, size: f64) -> Result<(), OutlineFault> {
        let doubled: f64 = self.loops.iter().map(|own| self.doubled_area(own)).sum();
        let length = self.frame.length(size);
        let triangles = USUAL * 0.5 * doubled / (0.25 * 3.0_f64.sqrt() * length * length);
        let share = triangles / MAX_TRIANGLES as f64;
        if share > 1.0 {
            let enough = 1.05 * size * share.sqrt();
            return Err(OutlineFault::TooFine { size, triangles, enough });
        }
        Ok(())
    }

    /// Name, nodes and curves of each edge; `nodes` gives those of a piece by its ends.
    pub fn edges(
        &self, nodes: impl Fn([usize; 2]) -> Vec<usize>,
    ) -> Vec<(String, Vec<usize>, Vec<Curve>)> {
        let mut edges: Vec<(String, Vec<usize>, Vec<Curve>)> = Vec::new();
        for own in &self.loops {
            let name = |i: usize| &self.sides[own[i % own.len()].side].name;
            // Where an edge begins; a closed one begins where it is drawn to begin.
            let first = (0..own.len()).find(|&i| name(i) != name(i + own.len() - 1)).unwrap_or(0);
            for i in first..first + own.len() {
                let piece = &own[i % own.len()];
                let (along, [from, to]) = (nodes(piece.ends), piece.shares);
                let begins = (from == 0.0 || from == 1.0).then(|| Curve {
                    axis: self.sides[piece.side].curve.clone(),
                    reversed: from > to,
                });
                match edges.last_mut() {
                    Some((last, chain, curves)) if i > first && last == name(i) => {
                        chain.extend(&along[1..]);
                        curves.extend(begins);
                    }
                    _ => edges.push((name(i).clone(), along, begins.into_iter().collect())),
                }
            }
        }
        edges
    }

    /// Names and vertices of the corners that have a name.
    pub fn points(&self) -> Vec<(String, usize)> {
        let corners = self.sides.iter().zip(&self.corners);
        corners.filter_map(|(side, corner)| Some((side.begins.clone()?, corner[0]))).collect()
    }
}

/// Into how many parts a curve is parted, each of a length and, on an arc, with a turn; what turns more in some
/// places than in others is parted there later.
fn pieces(curve: &Axis, size: f64, largest_turn: f64) -> usize {
    // Saturates where there are far too many.
    let parts = |quotient: f64| ((quotient * (1.0 - ALMOST)).ceil() as usize).max(1);
    let by_turn = match curve {
        Axis::Arc(_) => parts(curve.largest_turn(1).1 / largest_turn),
        Axis::Straight { .. } | Axis::Spline(_) | Axis::Ellipse(_) | Axis::Nurbs(_) => 1,
    };
    by_turn.max(parts(curve.length() / size))
}
