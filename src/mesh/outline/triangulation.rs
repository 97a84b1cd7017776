//! Triangles inside an outline.

use spade::{
    AngleLimit, ConstrainedDelaunayTriangulation, Point2, RefinementParameters, Triangulation,
};

use super::OutlineFault;
use super::boundary::{Boundary, Piece};
use crate::mesh::MAX_TRIANGLES;

/// Largest triangle beside the equilateral one of the mesh size; the middle of all is then about that one.
const LARGEST: f64 = 1.4;

/// Most rounds in which nodes are moved.
const ROUNDS: usize = 12;

type Delaunay = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Straight triangles.
#[derive(Clone)]
pub(super) struct Triangles {
    /// Nodes, those of the outline first; in the frame while triangles are decided about, in the end m.
    pub nodes: Vec<[f64; 2]>,
    /// Counter-clockwise.
    pub corners: Vec<[usize; 3]>,
}

/// The triangles inside an outline.
///
/// Ruppert's refinement with the sides of the outline kept as they are, then rounds in which every inner node goes to
/// the middle of its neighbours and all are triangulated anew; the round whose worst triangle is the best one stands.
///
/// # Errors
/// When another side crosses one so near a corner that they were taken for sides that meet there.
pub(super) fn inside(boundary: &Boundary, size: f64) -> Result<Triangles, OutlineFault> {
    let sides: Vec<[usize; 2]> = boundary.pieces().map(|piece| piece.ends).collect();
    let length = boundary.frame.length(size);
    let area = LARGEST * 0.25 * 3.0_f64.sqrt() * length * length;
    let mut delaunay = delaunay(&boundary.at, &sides).map_err(|ends| crossing(boundary, ends))?;
    let most = RefinementParameters::new().with_max_additional_vertices(MAX_TRIANGLES);
    // 30 degrees, as a ratio that needs no sine.
    let limits = most
        .with_angle_limit(AngleLimit::from_radius_to_shortest_edge_ratio(1.0))
        .with_max_allowed_area(area)
        .keep_constraint_edges();
    let mut best = refined(&mut delaunay, limits);
    let holes = boundary.loops.len() - 1;
    if !best.fill(sides.len(), holes) {
        return Err(OutlineFault::NoTriangulation);
    }
    let mut round = best.clone();
    for _ in 0..ROUNDS {
        round.smooth(sides.len());
        let Ok(mut moved) = self::delaunay(&round.nodes, &sides) else {
            break;
        };
        // No node more: only what lies outside is found.
        let none = RefinementParameters::new().with_max_additional_vertices(0);
        round = refined(&mut moved, none.keep_constraint_edges());
        if !round.fill(sides.len(), holes) {
            break;
        }
        if round.worst() > best.worst() {
            best = round.clone();
        }
    }
    best.sort();
    for (i, node) in best.nodes.iter_mut().enumerate() {
        *node = match boundary.places.get(i) {
            Some(&place) => place,
            None => boundary.frame.place(*node),
        };
    }
    Ok(best)
}

/// The triangulation, or the ends of a side that another one crosses.
fn delaunay(nodes: &[[f64; 2]], sides: &[[usize; 2]]) -> Result<Delaunay, [usize; 2]> {
    let points = nodes.iter().map(|&[x, y]| Point2::new(x, y)).collect();
    let mut lost = None;
    let found = Delaunay::try_bulk_load_cdt(points, sides.to_vec(), |ends| lost = Some(ends));
    match (found, lost) {
        (Ok(found), None) if found.num_vertices() == nodes.len() => Ok(found),
        (_, ends) => Err(ends.unwrap_or_default()),
    }
}

fn crossing(boundary: &Boundary, [a, b]: [usize; 2]) -> OutlineFault {
    let lost = |piece: &&Piece| piece.ends == [a, b] || piece.ends == [b, a];
    match boundary.pieces().find(lost) {
        Some(piece) => OutlineFault::Crossed {
            side: boundary.sides[piece.side].name.clone(),
            at: boundary.places[a],
        },
        None => OutlineFault::NoTriangulation,
    }
}

/// The triangles inside, refined.
fn refined(delaunay: &mut Delaunay, limits: RefinementParameters<f64>) -> Triangles {
    let outside = delaunay.refine(limits.exclude_outer_faces(true)).excluded_faces;
    let mut inside = vec![true; delaunay.num_all_faces()];
    for face in outside {
        inside[face.index()] = false;
    }
    Triangles {
        nodes: delaunay.vertices().map(|v| [v.position().x, v.position().y]).collect(),
        corners: (delaunay.inner_faces())
            .filter(|face| inside[face.index()])
            .map(|face| face.vertices().map(|vertex| vertex.index()))
            .collect(),
    }
}

impl Triangles {
    /// Whether triangles fill the outline: Euler's formula for V nodes, of which B lie on the outline, and H holes,
    /// T = 2V − B − 2 + 2H.
    fn fill(&self, outline: usize, holes: usize) -> bool {
        self.corners.len() + outline + 2 == 2 * self.nodes.len() + 2 * holes
    }

    /// Moves every inner node to the middle of its neighbours.
    fn smooth(&mut self, outline: usize) {
        let mut sums = vec![([0.0; 2], 0.0); self.nodes.len()];
        for corners in &self.corners {
            for i in 0..3 {
                // Every side of an inner node belongs to two triangles: each neighbour counts twice.
                let (sum, count) = &mut sums[corners[i]];
                for k in 1..3 {
                    let [x, y] = self.nodes[corners[(i + k) % 3]];
                    sum[0] += x;
                    sum[1] += y;
                    *count += 1.0;
                }
            }
        }
        for (node, (sum, count)) in self.nodes.iter_mut().zip(sums).skip(outline) {
            *node = sum.map(|x| x / count);
        }
    }

    /// Least quality of a triangle, 4√3 area/Σ side²: 1 of an equilateral one.
    fn worst(&self) -> f64 {
        let quality = |corners: &[usize; 3]| {
            let [a, b, c] = corners.map(|node| self.nodes[node]);
            let square = |a: [f64; 2], b: [f64; 2]| {
                let d = [b[0] - a[0], b[1] - a[1]];
                d[0] * d[0] + d[1] * d[1]
            };
            let doubled = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            2.0 * 3.0_f64.sqrt() * doubled / (square(a, b) + square(b, c) + square(c, a))
        };
        self.corners.iter().map(quality).fold(f64::INFINITY, f64::min)
    }

    /// Brings triangles into an order that depends on nothing but which nodes they join: each from its least node.
    fn sort(&mut self) {
        for corners in &mut self.corners {
            let least = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
            corners.rotate_left(least);
        }
        self.corners.sort_unstable();
    }
}
