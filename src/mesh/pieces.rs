//! Pieces of a mesh that no side of a triangle connects, and how they meet.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::flaw::place;
use super::{Mesh, Moments};
use crate::message::rounded;
use crate::numerics::plane::extent;

/// Most pieces that are described.
const MAX_LISTED_PIECES: usize = 4;

/// How far apart nodes at the same place may be, relative to the mesh: programs write six digits or more.
const SAME: f64 = 1e-6;

/// Most nodes in one place that are looked at, and most cells that a triangle fills in the mean: more come of no mesh that a program
/// writes, and would take for ever.
const CROWD: usize = 64;

/// The pieces of a mesh; two that share a node alone are two.
#[derive(Debug)]
pub struct Pieces<'a> {
    mesh: &'a Mesh,
    /// The piece of each triangle, counted in the order of their first triangles.
    of: Vec<usize>,
    count: usize,
}

/// How pieces meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meeting {
    /// The middle of a triangle of one lies in another.
    Overlap([f64; 2]),
    /// So many nodes belong to several, one of them here.
    Nodes(usize, [f64; 2]),
    /// So many nodes lie on nodes of another piece and are others, one of them here.
    Coincide(usize, [f64; 2]),
    Apart,
}

impl Mesh {
    pub fn pieces(&self) -> Pieces<'_> {
        let mut sides: Vec<([usize; 2], usize)> = Vec::with_capacity(3 * self.triangles().len());
        for (triangle, nodes) in self.triangles().enumerate() {
            for [a, b] in [[0, 1], [1, 2], [2, 0]].map(|side| side.map(|i| nodes[i])) {
                sides.push(([a.min(b), a.max(b)], triangle));
            }
        }
        sides.sort_unstable();
        let pairs = sides.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.triangles().len()];
        for pair in pairs {
            let [a, b] = [pair[0].1, pair[1].1];
            next[a].push(b);
            next[b].push(a);
        }
        let mut of = vec![usize::MAX; next.len()];
        let mut count = 0;
        for first in 0..of.len() {
            if of[first] != usize::MAX {
                continue;
            }
            let mut waiting = vec![first];
            while let Some(triangle) = waiting.pop() {
                if of[triangle] == usize::MAX {
                    of[triangle] = count;
                    waiting.extend(&next[triangle]);
                }
            }
            count += 1;
        }
        Pieces { mesh: self, of, count }
    }
}

impl Pieces<'_> {
    pub fn count(&self) -> usize {
        self.count
    }

    /// Triangles of a piece and its moments.
    pub fn size(&self, piece: usize) -> (usize, Moments) {
        let own = self.mesh.triangles().zip(&self.of);
        let own = own.filter(|(_, of)| **of == piece);
        let part = Mesh {
            order: self.mesh.order,
            nodes: self.mesh.nodes.clone(),
            triangles: own.flat_map(|(nodes, _)| nodes).copied().collect(),
            ..Mesh::default()
        };
        (part.triangles().len(), part.moments())
    }

    /// How they meet; the worst of it.
    pub fn meeting(&self) -> Meeting {
        if self.count < 2 {
            return Meeting::Apart;
        }
        if let Some(at) = self.overlap() {
            return Meeting::Overlap(at);
        }
        let mut pieces: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.mesh.nodes.len()];
        for (nodes, &piece) in self.mesh.triangles().zip(&self.of) {
            for &node in nodes {
                pieces[node].insert(piece);
            }
        }
        let all = |is: &dyn Fn(usize) -> bool| -> Option<(usize, [f64; 2])> {
            let found: Vec<usize> = (0..pieces.len()).filter(|&node| is(node)).collect();
            Some((found.len(), self.mesh.nodes[*found.first()?]))
        };
        let size = SAME * extent(self.mesh.nodes.iter().copied());
        let cell = |node: usize| self.mesh.nodes[node].map(|x| (x / size).round() as i64);
        let mut near: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
        for node in 0..pieces.len() {
            near.entry(cell(node)).or_default().push(node);
        }
        // Of two that coincide the later one counts.
        let coincides = |node: usize| {
            let [i, j] = cell(node);
            let cells = (-1..=1)
                .flat_map(|k| (-1..=1).map(move |l| [i.saturating_add(k), j.saturating_add(l)]));
            let near = cells.filter_map(|cell| near.get(&cell));
            let mut others = near.flat_map(|nodes| nodes.iter().take(CROWD));
            others.any(|&other| other < node && pieces[other].is_disjoint(&pieces[node]))
        };
        if let Some((count, at)) = all(&coincides) {
            return Meeting::Coincide(count, at);
        }
        match all(&|node| pieces[node].len() > 1) {
            Some((count, at)) => Meeting::Nodes(count, at),
            None => Meeting::Apart,
        }
    }

    /// The middle of a triangle that lies in one of another piece.
    fn overlap(&self) -> Option<[f64; 2]> {
        let all: Vec<&[usize]> = self.mesh.triangles().collect();
        let size = extent(self.mesh.nodes.iter().copied()) / (all.len() as f64).sqrt();
        let cell = |at: [f64; 2]| at.map(|x| (x / size).floor() as i64);
        let mut filled = 0;
        let mut around: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
        for (triangle, nodes) in all.iter().enumerate() {
            let cells = nodes.iter().map(|&node| cell(self.mesh.nodes[node]));
            let ends = cells.fold([[i64::MAX; 2], [i64::MIN; 2]], |[low, high], at| {
                [[0, 1].map(|i| low[i].min(at[i])), [0, 1].map(|i| high[i].max(at[i]))]
            });
            for i in ends[0][0]..=ends[1][0] {
                for j in ends[0][1]..=ends[1][1] {
                    filled += 1;
                    if filled > CROWD * all.len() {
                        break;
                    }
                    around.entry([i, j]).or_default().push(triangle);
                }
            }
        }
        let mut middles = all.iter().map(|nodes| self.mesh.middle(nodes)).zip(&self.of);
        let lies_in_another = |(at, piece): &([f64; 2], &usize)| {
            let near = around.get(&cell(*at)).map_or(&[][..], Vec::as_slice);
            (near.iter())
                .any(|&other| self.of[other] != **piece && self.mesh.contains(all[other], *at))
        };
        middles.find(lies_in_another).map(|(at, _)| at)
    }

    /// How many there are, their sizes, and how they meet.
    pub fn described(&self) -> String {
        let one = |piece: usize| {
            let (triangles, moments) = self.size(piece);
            let (area, at) = (rounded(moments.area, 4), place(&moments.centre));
            let plural = if triangles == 1 { "" } else { "s" };
            format!("{triangles} triangle{plural} with {area} m² around {at}")
        };
        let listed: Vec<String> = (0..self.count.min(MAX_LISTED_PIECES)).map(one).collect();
        let more = if self.count > MAX_LISTED_PIECES { ", …" } else { "" };
        let meeting = match self.meeting() {
            Meeting::Apart => String::new(),
            Meeting::Overlap(at) => format!(
                ", which lie over each other at {}; cut or join them in Gmsh (`BooleanFragments`, `BooleanUnion`)",
                place(&at)
            ),
            Meeting::Nodes(1, at) => {
                format!(", which share one node alone, at {}, as a hinge does", place(&at))
            }
            Meeting::Nodes(count, at) => format!(
                ", which share {count} single nodes and no side, the first at {}, as hinges do",
                place(&at)
            ),
            Meeting::Coincide(count, at) => format!(
                ", of which {count} nodes lie on nodes of another piece without being the same, the first at {}; `Coherence Mesh;` in Gmsh \
                 makes them one, and `BooleanFragments` before meshing a common side",
                place(&at)
            ),
        };
        format!(
            "{} pieces that no side of a triangle connects: {}{more}{meeting}",
            self.count,
            listed.join(", ")
        )
    }
}
