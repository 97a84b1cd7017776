//! The fronts of a factorisation: which unknowns are eliminated together, and what they are coupled with then.

use super::degree::Elimination;
use crate::linear::envelope::dot;

const NONE: u32 = u32::MAX;

/// Unknowns in the order of elimination, in groups that are eliminated together.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub fronts: Vec<Front>,
    /// Rows of all fronts: places in the order, rising within a front. Vectors of the border follow the last unknown.
    pub rows: Vec<u32>,
    /// Where each of them stands in the parent's front: among its columns, then its rows.
    pub targets: Vec<u32>,
    /// How many vectors of the border it is made for.
    pub vectors: Option<usize>,
    /// The front of each unknown.
    pub front_of: Vec<u32>,
    /// Vertices in the order of elimination.
    pub order: Vec<u32>,
    /// Most rows and columns of a front, and entries of its rows' square.
    pub longest: usize,
    pub largest: usize,
    /// Most entries that wait for their parents at one time.
    pub waiting: usize,
    /// Entries of L, and multiplications of the factorisation.
    pub entries: usize,
    pub work: f64,
}

/// Unknowns that are eliminated together.
#[derive(Debug, Clone)]
pub struct Front {
    /// The first of them, and how many.
    pub first: usize,
    pub columns: usize,
    /// Where its rows are listed, and how many.
    pub start: usize,
    pub rows: usize,
    /// Where its columns of L begin: columns + rows numbers each.
    pub panel: usize,
    /// How many of the fronts before it add to it.
    pub children: usize,
    /// Whether a front adds up what it leaves, or the border.
    pub parent: Option<usize>,
}

/// A front while the tree grows, in terms of vertices.
#[derive(Default)]
struct Node {
    /// Its vertices in the order of elimination, and what it is coupled with.
    columns: Vec<u32>,
    rows: Vec<u32>,
    children: Vec<u32>,
    parent: u32,
    /// Unknowns of both, and entries that are zero because fronts were joined.
    width: usize,
    below: usize,
    zeros: usize,
    absorbed: bool,
}

impl Tree {
    /// The fronts for this order of vertices, which stand for `weights` unknowns each and are coupled in
    /// `cliques`; each of `vectors` couples a vertex with a vector of the border, of which there are `slots`.
    pub fn new(
        elimination: &Elimination,
        weights: &[u32],
        cliques: &[Vec<u32>],
        vectors: &[[u32; 2]],
        slots: usize,
    ) -> Tree {
        let mut nodes = grow(elimination, weights, cliques, vectors, slots);
        let order = arrange(&nodes);
        Tree::number(&mut nodes, &order, weights, slots)
    }

    /// Numbers the unknowns of the nodes in this order of the nodes.
    fn number(nodes: &mut [Node], order: &[u32], weights: &[u32], slots: usize) -> Tree {
        let mut tree = Tree {
            vectors: Some(slots),
            ..Tree::default()
        };
        // The first unknown of each vertex.
        let mut place = vec![0; weights.len() + slots];
        let mut next = 0;
        let mut front = vec![NONE; nodes.len()];
        for (k, &node) in order.iter().enumerate() {
            front[node as usize] = k as u32;
            for &v in &nodes[node as usize].columns {
                place[v as usize] = next;
                next += weights[v as usize];
                tree.order.push(v);
                (0..weights[v as usize]).for_each(|_| tree.front_of.push(k as u32));
            }
        }
        for slot in 0..slots {
            place[weights.len() + slot] = next + slot as u32;
        }
        let mut waiting = 0;
        for &id in order {
            let node = &mut nodes[id as usize];
            let start = tree.rows.len();
            node.rows.sort_unstable_by_key(|&v| place[v as usize]);
            for &v in &node.rows {
                let count = weights.get(v as usize).copied().unwrap_or(1);
                tree.rows
                    .extend(place[v as usize]..place[v as usize] + count);
            }
            let rows = tree.rows.len() - start;
            let columns = node.width;
            let first = node.columns.first().map_or(0, |&v| place[v as usize]);
            let parent = (node.parent != NONE).then(|| front[node.parent as usize] as usize);
            tree.fronts.push(Front {
                first: first as usize,
                columns,
                start,
                rows,
                panel: tree.entries,
                children: node.children.len(),
                parent,
            });
            let length = columns + rows;
            tree.entries += length * columns;
            tree.longest = tree.longest.max(length);
            tree.largest = tree.largest.max(rows * rows);
            tree.work += (0..columns)
                .map(|k| ((length - k) as f64).powi(2))
                .sum::<f64>();
        }
        let mut sizes: Vec<usize> = Vec::new();
        for front in &tree.fronts {
            for _ in 0..front.children {
                waiting -= sizes.pop().unwrap_or(0);
            }
            if front.parent.is_some() {
                sizes.push(front.rows * front.rows);
                waiting += front.rows * front.rows;
                tree.waiting = tree.waiting.max(waiting);
            }
        }
        tree.aim(next);
        tree
    }

    /// x ← L⁻¹ x, where `lower` has the columns of L front by front.
    pub fn solve_lower(&self, lower: &[f64], x: &mut [f64], room: &mut [f64]) {
        for front in &self.fronts {
            let (k, length) = (front.columns, front.columns + front.rows);
            let gathered = &mut room[..length];
            let rows = &self.rows[front.start..front.start + front.rows];
            gathered[..k].copy_from_slice(&x[front.first..front.first + k]);
            gathered[k..].fill(0.0);
            let columns = lower[front.panel..front.panel + k * length].chunks_exact(length);
            for (j, column) in columns.enumerate() {
                let (own, below) = gathered[j..].split_at_mut(1);
                for (value, l) in below.iter_mut().zip(&column[j + 1..]) {
                    *value -= l * own[0];
                }
            }
            x[front.first..front.first + k].copy_from_slice(&gathered[..k]);
            for (&row, value) in rows.iter().zip(&gathered[k..]) {
                x[row as usize] += value;
            }
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn solve_upper(&self, lower: &[f64], x: &mut [f64], room: &mut [f64]) {
        for front in self.fronts.iter().rev() {
            let (k, length) = (front.columns, front.columns + front.rows);
            let gathered = &mut room[..length];
            let rows = &self.rows[front.start..front.start + front.rows];
            gathered[..k].copy_from_slice(&x[front.first..front.first + k]);
            for (value, &row) in gathered[k..].iter_mut().zip(rows) {
                *value = x[row as usize];
            }
            let columns = lower[front.panel..front.panel + k * length].chunks_exact(length);
            for (j, column) in columns.enumerate().rev() {
                let (own, below) = gathered[j..].split_at_mut(1);
                own[0] -= dot(&column[j + 1..], below);
            }
            x[front.first..front.first + k].copy_from_slice(&gathered[..k]);
        }
    }

    /// Finds where the rows of each front stand in its parent's.
    fn aim(&mut self, unknowns: u32) {
        self.targets = vec![0; self.rows.len()];
        for front in &self.fronts {
            let range = front.start..front.start + front.rows;
            let Some(parent) = front.parent.map(|p| &self.fronts[p]) else {
                for (target, row) in self.targets[range.clone()]
                    .iter_mut()
                    .zip(&self.rows[range])
                {
                    *target = row - unknowns;
                }
                continue;
            };
            let above = &self.rows[parent.start..parent.start + parent.rows];
            let end = parent.first + parent.columns;
            let mut k = 0;
            for (target, &row) in self.targets[range.clone()]
                .iter_mut()
                .zip(&self.rows[range])
            {
                *target = if (row as usize) < end {
                    row - parent.first as u32
                } else {
                    while above[k] != row {
                        k += 1;
                    }
                    (parent.columns + k) as u32
                };
            }
        }
    }
}

/// The fronts of the groups, with small ones joined to their parents.
fn grow(
    elimination: &Elimination,
    weights: &[u32],
    cliques: &[Vec<u32>],
    vectors: &[[u32; 2]],
    slots: usize,
) -> Vec<Node> {
    let n = weights.len();
    let groups = elimination.groups.len() - 1;
    // The group of each vertex; vectors of the border come after all of them.
    let mut group = vec![NONE; n + slots];
    for g in 0..groups {
        let members = &elimination.vertices[elimination.groups[g]..elimination.groups[g + 1]];
        members.iter().for_each(|&v| group[v as usize] = g as u32);
    }
    let mut begins: Vec<Vec<u32>> = vec![Vec::new(); groups];
    for (c, clique) in cliques.iter().enumerate() {
        let first = clique.iter().map(|&v| group[v as usize]).min();
        if let Some(g) = first.filter(|&g| g != NONE) {
            begins[g as usize].push(c as u32);
        }
    }
    let mut beside: Vec<Vec<u32>> = vec![Vec::new(); groups];
    for &[v, slot] in vectors {
        beside[group[v as usize] as usize].push(n as u32 + slot);
    }
    let weight = |v: u32| weights.get(v as usize).map_or(1, |&w| w as usize);
    let mut seen = vec![NONE; n + slots];
    let mut nodes: Vec<Node> = Vec::with_capacity(groups);
    nodes.resize_with(groups, Node::default);
    for g in 0..groups {
        let members = &elimination.vertices[elimination.groups[g]..elimination.groups[g + 1]];
        let mut node = Node {
            columns: members.to_vec(),
            width: members.iter().map(|&v| weight(v)).sum(),
            parent: NONE,
            children: std::mem::take(&mut nodes[g].children),
            ..Node::default()
        };
        members.iter().for_each(|&v| seen[v as usize] = g as u32);
        let mut add = |v: u32| {
            let at = v as usize;
            // Vertices without unknowns belong to no group.
            let counts = at >= n || (group[at] != NONE && group[at] > g as u32);
            if counts && seen[at] != g as u32 {
                seen[at] = g as u32;
                node.rows.push(v);
            }
        };
        for &child in &node.children {
            nodes[child as usize].rows.iter().for_each(|&v| add(v));
        }
        for &c in &begins[g] {
            cliques[c as usize].iter().for_each(|&v| add(v));
        }
        beside[g].iter().for_each(|&v| add(v));
        node.below = node.rows.iter().map(|&v| weight(v)).sum();
        join_children(&mut node, &mut nodes);
        let above = node.rows.iter().map(|&v| group[v as usize]).min();
        if let Some(parent) = above.filter(|&parent| parent != NONE) {
            node.parent = parent;
            nodes[parent as usize].children.push(g as u32);
        }
        nodes[g] = node;
    }
    for g in 0..groups {
        for k in 0..nodes[g].children.len() {
            let child = nodes[g].children[k] as usize;
            nodes[child].parent = g as u32;
        }
    }
    nodes
}

/// Joins children to a node where that makes few zeros: what many small fronts save, they lose in handling.
fn join_children(node: &mut Node, nodes: &mut [Node]) {
    let mut kept = Vec::with_capacity(node.children.len());
    for id in std::mem::take(&mut node.children) {
        let child = &mut nodes[id as usize];
        let columns = child.width + node.width;
        let zeros =
            child.zeros + node.zeros + child.width * (node.width + node.below - child.below);
        let entries = columns * (columns + 1) / 2 + columns * node.below;
        let share = zeros as f64 / entries as f64;
        let joins = RELAXED
            .iter()
            .any(|&(most, allowed)| columns <= most && share <= allowed);
        if !joins {
            kept.push(id);
            continue;
        }
        child.absorbed = true;
        let mut columns_of = std::mem::take(&mut child.columns);
        columns_of.append(&mut node.columns);
        node.columns = columns_of;
        node.width = columns;
        node.zeros = zeros;
        child.rows = Vec::new();
        kept.append(&mut child.children);
    }
    node.children = kept;
}

/// Fronts of up to so many columns may have this share of zeros.
const RELAXED: [(usize, f64); 4] = [(8, 0.8), (24, 0.3), (64, 0.1), (usize::MAX, 0.03)];

/// Children before their parents, right before them where possible.
fn arrange(nodes: &[Node]) -> Vec<u32> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for root in (0..nodes.len() as u32).filter(|&g| nodes[g as usize].parent == NONE) {
        if nodes[root as usize].absorbed {
            continue;
        }
        stack.push((root, 0));
        while let Some((g, next)) = stack.pop() {
            match nodes[g as usize].children.get(next) {
                Some(&child) => {
                    stack.push((g, next + 1));
                    stack.push((child, 0));
                }
                None => order.push(g),
            }
        }
    }
    order
}
