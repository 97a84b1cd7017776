//! Which vertices are eliminated in one front: groups of the order, small ones joined to their parents.

use crate::linear::lists::Lists;

pub const NONE: u32 = u32::MAX;

/// Fronts of up to so many columns may have this share of zeros.
const RELAXED: [(usize, f64); 4] = [(8, 0.8), (24, 0.3), (64, 0.1), (usize::MAX, 0.03)];

/// A front in terms of vertices.
#[derive(Debug, Clone, Default)]
pub struct Supernode {
    /// The first and the last of its vertices in the order of elimination.
    pub first: u32,
    last: u32,
    /// Where what it is coupled with is listed, and how much.
    start: u32,
    rows: u32,
    /// The first and the last of its children, the next one of its parent, and how many it has.
    pub child: u32,
    youngest: u32,
    pub sibling: u32,
    pub children: u32,
    pub parent: u32,
    /// Unknowns of both, and entries that are zero because fronts were joined.
    pub width: usize,
    below: usize,
    zeros: usize,
    absorbed: bool,
    /// Which front it has become.
    pub front: u32,
}

/// The fronts of an order; their room serves the next order, too.
#[derive(Debug, Clone, Default)]
pub struct Supernodes {
    pub nodes: Vec<Supernode>,
    /// The next vertex of the same front.
    pub next: Vec<u32>,
    rows: Vec<u32>,
    /// The group of each vertex; vectors of the border come after all of them.
    group: Vec<u32>,
    seen: Vec<u32>,
    /// Cliques and couplings with vectors whose first vertex is in a group, linked.
    cliques: [Vec<u32>; 2],
    vectors: [Vec<u32>; 2],
    /// Children before their parents, right before them where possible.
    pub order: Vec<u32>,
}

impl Supernodes {
    /// Finds the fronts for these `groups` of vertices, which stand for `weights` unknowns each and are coupled in
    /// `cliques`; each of `vectors` couples a vertex with a vector of the border, of which there are `slots`.
    pub fn find(
        &mut self, groups: &Lists, weights: &[u32], cliques: &Lists, vectors: &[[u32; 2]],
        slots: usize,
    ) {
        let n = weights.len();
        self.link(groups, cliques, vectors, n + slots);
        let weight = |v: u32| weights.get(v as usize).map_or(1, |&w| w as usize);
        for (g, members) in groups.iter().enumerate() {
            let node = &mut self.nodes[g];
            node.first = members.first().map_or(NONE, |&v| v);
            node.last = members.last().map_or(NONE, |&v| v);
            node.width = members.iter().map(|&v| weight(v)).sum();
            node.start = self.rows.len() as u32;
            for pair in members.windows(2) {
                self.next[pair[0] as usize] = pair[1];
            }
            members.iter().for_each(|&v| self.seen[v as usize] = g as u32);
            let mut child = self.nodes[g].child;
            while child != NONE {
                let Supernode { start, rows, .. } = self.nodes[child as usize];
                for k in start..start + rows {
                    self.couple(g, self.rows[k as usize], n);
                }
                child = self.nodes[child as usize].sibling;
            }
            let mut c = self.cliques[0][g];
            while c != NONE {
                cliques.get(c as usize).iter().for_each(|&v| self.couple(g, v, n));
                c = self.cliques[1][c as usize];
            }
            let mut k = self.vectors[0][g];
            while k != NONE {
                self.couple(g, n as u32 + vectors[k as usize][1], n);
                k = self.vectors[1][k as usize];
            }
            let node = &mut self.nodes[g];
            let rows = &self.rows[node.start as usize..];
            node.rows = rows.len() as u32;
            node.below = rows.iter().map(|&v| weight(v)).sum();
            let above = rows.iter().map(|&v| self.group[v as usize]).min();
            node.parent = above.unwrap_or(NONE);
            self.join_children(g);
            let parent = self.nodes[g].parent;
            if parent != NONE {
                self.append(parent as usize, [g as u32; 2], 1);
            }
        }
        for g in 0..self.nodes.len() {
            let mut child = self.nodes[g].child;
            while child != NONE {
                self.nodes[child as usize].parent = g as u32;
                child = self.nodes[child as usize].sibling;
            }
        }
        self.arrange();
    }

    /// Makes so many `times` the room that the rows of the last order have taken.
    pub fn reserve(&mut self, times: usize) {
        self.rows.reserve(times * self.rows.len());
    }

    /// Finds the group where each clique and each vector comes in first.
    fn link(&mut self, groups: &Lists, cliques: &Lists, vectors: &[[u32; 2]], count: usize) {
        // Each vertex may be a front.
        let refill = |list: &mut Vec<u32>, length: usize| {
            list.clear();
            list.reserve(length.max(count));
            list.resize(length, NONE);
        };
        for list in [&mut self.group, &mut self.seen, &mut self.next] {
            refill(list, count);
        }
        self.rows.clear();
        self.nodes.clear();
        self.nodes.reserve(count);
        self.order.clear();
        self.order.reserve(count);
        let none = Supernode {
            child: NONE,
            youngest: NONE,
            sibling: NONE,
            parent: NONE,
            ..Supernode::default()
        };
        self.nodes.resize(groups.len(), none);
        for (g, members) in groups.iter().enumerate() {
            members.iter().for_each(|&v| self.group[v as usize] = g as u32);
        }
        for ([first, next], length) in
            [(&mut self.cliques, cliques.len()), (&mut self.vectors, vectors.len())]
        {
            refill(first, groups.len());
            refill(next, length);
        }
        let group = |v: u32| self.group[v as usize];
        let [first, next] = &mut self.cliques;
        for c in (0..cliques.len()).rev() {
            let least = cliques.get(c).iter().map(|&v| group(v)).min();
            if let Some(g) = least.filter(|&g| g != NONE) {
                next[c] = std::mem::replace(&mut first[g as usize], c as u32);
            }
        }
        let [first, next] = &mut self.vectors;
        for (k, &[v, _]) in vectors.iter().enumerate().rev() {
            next[k] = std::mem::replace(&mut first[group(v) as usize], k as u32);
        }
    }

    /// Couples front `g` with vertex or vector `v`, unless that has been eliminated before.
    fn couple(&mut self, g: usize, v: u32, vertices: usize) {
        let (at, group) = (v as usize, self.group[v as usize]);
        // Vertices without unknowns belong to no group.
        let counts = at >= vertices || (group != NONE && group > g as u32);
        if counts && self.seen[at] != g as u32 {
            self.seen[at] = g as u32;
            self.rows.push(v);
        }
    }

    /// What front `g` is coupled with.
    pub fn rows_mut(&mut self, g: u32) -> &mut [u32] {
        let Supernode { start, rows, .. } = self.nodes[g as usize];
        &mut self.rows[start as usize..][..rows as usize]
    }

    /// Appends so many children, linked from the first to the last, to those of `g`.
    fn append(&mut self, g: usize, [first, last]: [u32; 2], count: u32) {
        if count == 0 {
            return;
        }
        match self.nodes[g].youngest {
            NONE => self.nodes[g].child = first,
            before => self.nodes[before as usize].sibling = first,
        }
        self.nodes[g].youngest = last;
        self.nodes[g].children += count;
        self.nodes[last as usize].sibling = NONE;
    }

    /// Joins children to a front where that makes few zeros: what many small fronts save, they lose in handling.
    fn join_children(&mut self, g: usize) {
        let node = &mut self.nodes[g];
        let mut next = std::mem::replace(&mut node.child, NONE);
        (node.youngest, node.children) = (NONE, 0);
        while next != NONE {
            let id = next;
            let (child, node) = (&self.nodes[id as usize], &self.nodes[g]);
            next = child.sibling;
            let columns = child.width + node.width;
            let zeros =
                child.zeros + node.zeros + child.width * (node.width + node.below - child.below);
            let entries = columns * (columns + 1) / 2 + columns * node.below;
            let share = zeros as f64 / entries as f64;
            let joins = RELAXED.iter().any(|&(most, allowed)| columns <= most && share <= allowed);
            if !joins {
                self.append(g, [id; 2], 1);
                continue;
            }
            let (first, last) = (child.first, child.last);
            let (offspring, count) = ([child.child, child.youngest], child.children);
            self.next[last as usize] = node.first;
            self.nodes[id as usize].absorbed = true;
            let node = &mut self.nodes[g];
            (node.first, node.width, node.zeros) = (first, columns, zeros);
            self.append(g, offspring, count);
        }
    }

    fn arrange(&mut self) {
        for root in 0..self.nodes.len() as u32 {
            let node = &self.nodes[root as usize];
            if node.parent != NONE || node.absorbed {
                continue;
            }
            let mut g = self.eldest(root);
            loop {
                self.order.push(g);
                if g == root {
                    break;
                }
                let node = &self.nodes[g as usize];
                g = match node.sibling {
                    NONE => node.parent,
                    sibling => self.eldest(sibling),
                };
            }
        }
    }

    /// The front below `g` that comes first.
    fn eldest(&self, mut g: u32) -> u32 {
        while self.nodes[g as usize].child != NONE {
            g = self.nodes[g as usize].child;
        }
        g
    }
}
