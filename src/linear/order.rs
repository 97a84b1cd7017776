//! The order in which the rows of a symmetric matrix are eliminated.

use nalgebra_sparse::pattern::SparsityPattern;

/// Weights of the distance from the end and of the growth of the front (Sloan 1986).
const DISTANCE: i64 = 1;
const GROWTH: i64 = 2;

/// An order that costs no less than this share of another is not taken instead: both ends of a chain
/// are alike.
const WORTH: f64 = 0.9;

/// An order of the rows of a symmetric pattern that keeps its envelope small: from one end to the
/// other, always the row next that lets the front of rows begun grow the least (Sloan 1986).
/// Entry k of the result is the old index of the new row k.
///
/// Rows after one that a border of `width` columns has entries in, as `bordered` tells, are reduced
/// together with these columns. So each part goes from one of its ends to the other or towards its
/// border, whichever costs least; parts without a border come first.
pub fn sloan(pattern: &SparsityPattern, bordered: &[bool], width: usize) -> Vec<usize> {
    let n = pattern.major_dim();
    let mut seen = vec![false; n];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for seed in 0..n {
        if seen[seed] {
            continue;
        }
        let part = if pattern.lane(seed).len() > 1 {
            connected(pattern, seed, bordered, width)
        } else {
            vec![seed]
        };
        part.iter().for_each(|&i| seen[i] = true);
        parts.push(part);
    }
    let has_border = |part: &[usize]| part.iter().any(|&i| bordered[i]);
    parts.sort_by_key(|part| has_border(part));
    parts.concat()
}

/// The cheapest order of the part of the pattern that holds `seed`.
fn connected(
    pattern: &SparsityPattern,
    seed: usize,
    bordered: &[bool],
    width: usize,
) -> Vec<usize> {
    let mut end = seed;
    let mut tree = Tree::around(pattern, &[end]);
    let mut far = tree.far(pattern);
    // Walk to the far end of the part until its depth no longer grows.
    loop {
        let next = Tree::around(pattern, &[far]);
        if next.depth() <= tree.depth() {
            break;
        }
        (end, tree) = (far, next);
        far = tree.far(pattern);
    }
    let rows = tree.rows.iter().copied();
    let beside: Vec<usize> = rows.filter(|&i| bordered[i]).collect();
    let ends = [&[far][..], &[end], &beside];
    let mut orders = ends.into_iter().filter(|end| !end.is_empty()).map(|end| {
        let tree = Tree::around(pattern, end);
        let order = numbered(pattern, tree.far(pattern), &tree);
        (cost(pattern, bordered, width, &order), order)
    });
    let first = orders.next().unwrap_or((0.0, tree.rows.clone()));
    let cheaper = |best: (f64, Vec<usize>), other: (f64, Vec<usize>)| {
        if other.0 < WORTH * best.0 {
            other
        } else {
            best
        }
    };
    orders.fold(first, cheaper).1
}

/// Rows around some of them, breadth-first.
struct Tree {
    rows: Vec<usize>,
    /// Distance of every row of the pattern from the roots; `usize::MAX` where none of them reaches it.
    distance: Vec<usize>,
}

impl Tree {
    fn around(pattern: &SparsityPattern, roots: &[usize]) -> Tree {
        let mut rows = roots.to_vec();
        let mut distance = vec![usize::MAX; pattern.major_dim()];
        roots.iter().for_each(|&i| distance[i] = 0);
        let mut next = 0;
        while next < rows.len() {
            let row = rows[next];
            next += 1;
            for &j in pattern.lane(row) {
                if distance[j] == usize::MAX {
                    distance[j] = distance[row] + 1;
                    rows.push(j);
                }
            }
        }
        Tree { rows, distance }
    }

    /// Distance of its last level.
    fn depth(&self) -> usize {
        self.rows.last().map_or(0, |&row| self.distance[row])
    }

    /// A row of its last level, with the fewest neighbours.
    fn far(&self, pattern: &SparsityPattern) -> usize {
        let rows = self.rows.iter().copied();
        let last = rows.filter(|&i| self.distance[i] == self.depth());
        last.min_by_key(|&i| pattern.lane(i).len()).unwrap_or(0)
    }
}

/// Whether a row is in the front: it or a neighbour of it is numbered.
#[derive(Clone, Copy, PartialEq)]
enum Status {
    Inactive,
    /// Beside the front.
    Preactive,
    Active,
    Numbered,
}

/// Sloan's numbering from `start` to the roots of `end`.
fn numbered(pattern: &SparsityPattern, start: usize, end: &Tree) -> Vec<usize> {
    let mut status = vec![Status::Inactive; pattern.major_dim()];
    let mut priority = vec![0; pattern.major_dim()];
    for &i in &end.rows {
        priority[i] = DISTANCE * end.distance[i] as i64 - GROWTH * pattern.lane(i).len() as i64;
    }
    let mut order = Vec::with_capacity(end.rows.len());
    let mut queue = vec![start];
    status[start] = Status::Preactive;
    while let Some(place) = (0..queue.len()).max_by_key(|&k| (priority[queue[k]], queue[k])) {
        let row = queue.swap_remove(place);
        let mut raise = |i: usize, status: &mut [Status]| {
            priority[i] += GROWTH;
            if status[i] == Status::Inactive {
                status[i] = Status::Preactive;
                queue.push(i);
            }
        };
        let neighbours = |i: usize| pattern.lane(i).iter().copied().filter(move |&j| j != i);
        if status[row] == Status::Preactive {
            neighbours(row).for_each(|j| raise(j, &mut status));
        }
        order.push(row);
        status[row] = Status::Numbered;
        for j in neighbours(row) {
            if status[j] == Status::Preactive {
                status[j] = Status::Active;
                raise(j, &mut status);
                for k in neighbours(j) {
                    if status[k] != Status::Numbered {
                        raise(k, &mut status);
                    }
                }
            }
        }
    }
    order
}

/// About the multiplications that a factorisation takes in this order of one part of the pattern:
/// the square of each row's length, and its length for each column of the border that has begun.
/// Where sliders move the border begins at any of its rows.
fn cost(pattern: &SparsityPattern, bordered: &[bool], width: usize, order: &[usize]) -> f64 {
    let mut place = vec![usize::MAX; pattern.major_dim()];
    for (k, &i) in order.iter().enumerate() {
        place[i] = k;
    }
    let all = order.iter().filter(|&&i| bordered[i]).count().max(1) as f64;
    let (mut sum, mut begun) = (0.0, 0.0);
    for (k, &i) in order.iter().enumerate() {
        let first = (pattern.lane(i).iter().map(|&j| place[j])).fold(k, usize::min);
        let length = (k - first) as f64;
        if bordered[i] {
            begun += 1.0;
        }
        sum += length * (length + width as f64 * begun / all);
    }
    sum
}

#[cfg(test)]
mod tests {
    use nalgebra_sparse::coo::CooMatrix;
    use nalgebra_sparse::csr::CsrMatrix;

    use super::*;

    /// The pattern of lines of rows, each row coupled with the one before.
    fn pattern(rows: usize, lines: &[&[usize]]) -> SparsityPattern {
        let mut coo = CooMatrix::new(rows, rows);
        (0..rows).for_each(|i| coo.push(i, i, 1.0));
        for pair in lines.iter().flat_map(|line| line.windows(2)) {
            coo.push(pair[0], pair[1], 1.0);
            coo.push(pair[1], pair[0], 1.0);
        }
        CsrMatrix::from(&coo).pattern().clone()
    }

    #[test]
    fn a_chain_is_numbered_from_end_to_end() {
        let chain = pattern(5, &[&[3, 0, 4, 1, 2]]);
        let order = sloan(&chain, &[false; 5], 0);
        assert!(order == [3, 0, 4, 1, 2] || order == [2, 1, 4, 0, 3]);
    }

    #[test]
    fn the_rows_of_the_border_come_last() {
        // A portal with the feet 0 and 20, and a row by itself.
        let line: Vec<usize> = (0..=20).collect();
        let portal = pattern(22, &[&line]);
        let mut bordered = [false; 22];
        (bordered[0], bordered[20]) = (true, true);
        let order = sloan(&portal, &bordered, 16);
        assert_eq!(order[0], 21);
        let last = &order[18..];
        assert!(last.contains(&0) && last.contains(&20), "{order:?}");
    }

    #[test]
    fn every_row_is_numbered_once() {
        let tree = pattern(9, &[&[0, 4, 8], &[2, 4, 6], &[1, 3, 5, 1]]);
        let mut bordered = [false; 9];
        bordered[5] = true;
        let mut order = sloan(&tree, &bordered, 3);
        assert!(order[6..].contains(&5), "{order:?}");
        order.sort();
        assert_eq!(order, (0..9).collect::<Vec<_>>());
    }
}
