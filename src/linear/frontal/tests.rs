//! Fronts against a dense solver.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::Follower;
use crate::linear::{Bordered, Layout};

/// Reproducible numbers.
struct Noise(u64);

impl Noise {
    /// In (−1, 1).
    fn next(&mut self) -> f64 {
        let seed = self.0.wrapping_mul(6364136223846793005);
        self.0 = seed.wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * end as f64) as usize % end
    }

    fn chance(&mut self, share: f64) -> bool {
        self.next() < 2.0 * share - 1.0
    }
}

/// What happens to a follower.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Slides,
    Rubs,
    /// Its s is given.
    Kept,
    Open,
    /// Its first coordinate is.
    Pinned,
}

/// A random sparse matrix with followers, and the same as one dense matrix.
struct Case {
    matrix: Bordered,
    dense: DMatrix<f64>,
    order: usize,
    width: usize,
}

/// Elements of `cells` nodes of two unknowns each along two strips, of which the second is held by nothing but its
/// followers if it `floats`; a node of one may follow the other, or a node that follows itself.
fn case(seed: u64, floats: bool, symmetric: bool) -> Case {
    let mut noise = Noise(seed);
    let strips = [3 + noise.below(12), 2 + noise.below(8)];
    let order: usize = 2 * strips.iter().sum::<usize>();
    let (mut elements, mut first) = (Vec::new(), 0);
    for nodes in strips {
        for node in first..first + nodes - 1 {
            let mut list: Vec<u32> = (2 * node as u32..2 * node as u32 + 4).collect();
            if node + 2 < first + nodes && noise.chance(0.5) {
                list.extend([2 * node as u32 + 4, 2 * node as u32 + 5]);
            }
            elements.push(list);
        }
        first += nodes;
    }
    // A coordinate that no follower has for itself is taken for none.
    let mut followers = Vec::new();
    let mut width = 0;
    for node in 0..order / 2 {
        let follows = node >= strips[0] && noise.chance(0.6) || noise.chance(0.1);
        if follows {
            let coordinates = vec![
                Some(2 * node),
                Some(2 * node + 1).filter(|_| !noise.chance(0.05)),
            ];
            followers.push(Follower {
                sliding: width,
                coordinates,
            });
            width += 3;
        }
    }
    let layout = Layout::sparse(order, elements.clone());
    let mut matrix = Bordered::new(layout, width, 20, followers.clone());
    let mut dense = DMatrix::zeros(order + width, order + width);
    for (k, list) in elements.iter().enumerate() {
        let n = list.len();
        let factor = DMatrix::from_fn(n, n, |_, _| noise.next());
        // Forces of the second strip's elements balance: they do not hold it.
        let balanced = floats && k >= strips[0] - 1;
        let factor = DMatrix::from_fn(n, n, |i, j| {
            let mean = (j % 2..n).step_by(2).map(|l| factor[(i, l)]).sum::<f64>() / (n / 2) as f64;
            factor[(i, j)] - if balanced { mean } else { 0.0 }
        });
        let stiffness = factor.transpose() * factor;
        for (i, &a) in list.iter().enumerate() {
            for (j, &b) in list.iter().enumerate() {
                let (a, b) = (a as usize, b as usize);
                dense[(a, b)] += stiffness[(i, j)];
                if a >= b {
                    let at = matrix.interior.layout.position(a, b);
                    matrix.interior.values[at] += stiffness[(i, j)];
                }
            }
        }
    }
    let mut pinned = Vec::new();
    for follower in &followers {
        let fate = match noise.below(8) {
            _ if symmetric => Fate::Slides,
            0 => Fate::Open,
            1 => Fate::Pinned,
            2 => Fate::Kept,
            3 | 4 => Fate::Rubs,
            _ => Fate::Slides,
        };
        let s = follower.sliding;
        let row = order + s;
        if fate == Fate::Open {
            for b in s..s + 3 {
                matrix.add_corner(b, b, 1.0);
                dense[(order + b, order + b)] = 1.0;
            }
            continue;
        }
        let own_row = matches!(fate, Fate::Rubs | Fate::Kept);
        if own_row {
            matrix.give_own_row(s);
        }
        let by_s = if fate == Fate::Kept {
            1.0
        } else {
            0.3 * noise.next()
        };
        matrix.add_corner(s, s, by_s);
        dense[(row, row)] = by_s;
        for i in 0..2 {
            let slope = noise.next();
            matrix.add_corner(s + 1 + i, s, -slope);
            dense[(row + 1 + i, row)] = -slope;
            let by_multiplier = match fate {
                Fate::Kept => 0.0,
                Fate::Rubs => -slope + 0.3 * noise.next(),
                _ => -slope,
            };
            matrix.add_corner(s, s + 1 + i, by_multiplier);
            dense[(row, row + 1 + i)] = by_multiplier;
            if let Some(e) = follower.coordinates[i] {
                matrix.add_column(e, s + 1 + i, 1.0);
                dense[(e, row + 1 + i)] += 1.0;
                dense[(row + 1 + i, e)] += 1.0;
            }
        }
        // The path: two nodes of the other strip, or of its own.
        let node = follower.coordinates[0].unwrap_or(0) / 2;
        let (first, nodes) = if (node >= strips[0]) != noise.chance(0.1) {
            (0, strips[0])
        } else {
            (strips[0], strips[1])
        };
        let from = first + noise.below(nodes - 1);
        for l in (from..from + 2).filter(|&l| l != node) {
            let (weight, slope) = (noise.next(), 0.2 * noise.next());
            for i in 0..2 {
                let (e, b) = (2 * l + i, s + 1 + i);
                matrix.add_column(e, b, -weight);
                dense[(e, order + b)] -= weight;
                dense[(order + b, e)] -= weight;
                matrix.add_column(e, s, -slope);
                dense[(e, row)] -= slope;
                let by_path = match fate {
                    Fate::Kept => 0.0,
                    Fate::Rubs => noise.next(),
                    _ => -slope,
                };
                if own_row && by_path != 0.0 {
                    matrix.add_row(s, e, by_path);
                }
                dense[(row, e)] += by_path;
            }
        }
        if fate == Fate::Pinned {
            pinned.extend(follower.coordinates[0]);
        }
    }
    for e in pinned {
        matrix.pin(e);
        dense.fill_row(e, 0.0);
        dense.fill_column(e, 0.0);
        dense[(e, e)] = matrix.interior.values[matrix.interior.layout.position(e, e)];
    }
    Case {
        matrix,
        dense,
        order,
        width,
    }
}

#[test]
fn solutions_agree_with_a_dense_solver_whatever_followers_do() {
    let mut regular = 0;
    for seed in 0..4000 {
        let Case {
            mut matrix,
            dense,
            order,
            width,
        } = case(seed, seed % 3 == 0, false);
        let mut noise = Noise(seed + 1_000_000);
        let right = DVector::from_fn(order + width, |_, _| noise.next());
        let values = dense.clone().singular_values();
        let condition = values.max() / values.min();
        // Rounding of either solver may be as large as the test's share of the solution.
        if condition > 1e7 {
            continue;
        }
        regular += 1;
        let exact = dense.clone().lu().solve(&right).expect("regular");
        matrix
            .factor()
            .unwrap_or_else(|_| panic!("{seed} is regular"));
        let mut x: Vec<f64> = right.rows(0, order).iter().copied().collect();
        let mut y: Vec<f64> = right.rows(order, width).iter().copied().collect();
        matrix.solve(&mut x, &mut y);
        let off = (x.iter().chain(&y).zip(exact.iter()))
            .map(|(ours, theirs)| (ours - theirs).abs())
            .fold(0.0, f64::max);
        assert!(
            off < 1e-13 * condition.max(1e4) * exact.amax(),
            "{seed}: {off:.1e} of {:.1e}, condition {condition:.1e}",
            exact.amax()
        );
    }
    assert!(regular > 2000, "{regular}");
}

#[test]
fn fronts_of_many_columns_agree_with_a_dense_solver() {
    let mut noise = Noise(11);
    for sizes in [[33, 70, 5], [64, 131, 30], [97, 98, 97]] {
        // Two cliques that share some unknowns.
        let [first, second, shared] = sizes;
        let order = first + second - shared;
        let cliques = [0..first, first - shared..order];
        let list = |range: &std::ops::Range<usize>| range.clone().map(|e| e as u32).collect();
        let layout = Layout::sparse(order, cliques.iter().map(list).collect());
        let mut matrix = Bordered::new(layout, 0, 0, Vec::new());
        let mut dense = DMatrix::identity(order, order) * order as f64;
        for range in cliques {
            for i in range.clone() {
                for j in range.start..i {
                    dense[(i, j)] = noise.next();
                    dense[(j, i)] = dense[(i, j)];
                }
            }
        }
        for i in 0..order {
            for j in (0..=i).filter(|&j| dense[(i, j)] != 0.0) {
                let at = matrix.interior.layout.position(i, j);
                matrix.interior.values[at] = dense[(i, j)];
            }
        }
        let right = DVector::from_fn(order, |_, _| noise.next());
        let mut x: Vec<f64> = right.iter().copied().collect();
        matrix.factor().expect("positive");
        matrix.solve(&mut x, &mut []);
        let residual = dense * DVector::from_vec(x) - right;
        assert!(residual.amax() < 1e-13, "{sizes:?}: {}", residual.amax());
    }
}

#[test]
fn negative_eigenvalues_are_counted_with_those_of_followers() {
    for seed in 0..500 {
        let Case {
            mut matrix, dense, ..
        } = case(seed, seed % 3 == 0, true);
        let eigen = SymmetricEigen::new(dense).eigenvalues;
        if eigen.iter().any(|v| v.abs() < 1e-6 * eigen.amax()) {
            continue;
        }
        let negative = eigen.iter().filter(|v| **v < 0.0).count();
        assert_eq!(matrix.factor_counting(), (negative, Ok(())), "{seed}");
    }
}

#[test]
fn a_motion_that_no_follower_holds_is_named() {
    // A strip of two nodes whose followers slide along a straight path that is held.
    let elements = vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
    let followers = [0, 1].map(|f| Follower {
        sliding: 3 * f,
        coordinates: vec![Some(4 + 2 * f), Some(5 + 2 * f)],
    });
    let mut matrix = Bordered::new(Layout::sparse(8, elements), 6, 6, followers.to_vec());
    for e in 0..4 {
        let at = matrix.interior.layout.position(e, e);
        matrix.interior.values[at] = 1.0;
    }
    for (i, j, value) in [(4, 4, 2.0), (6, 6, 2.0), (6, 4, -2.0)] {
        let at = matrix.interior.layout.position(i, j);
        matrix.interior.values[at] = value;
    }
    for s in [0, 3] {
        let node = 4 + 2 * s / 3;
        for i in 0..2 {
            matrix.add_column(node + i, s + 1 + i, 1.0);
            matrix.add_column(i, s + 1 + i, -1.0);
        }
        matrix.add_corner(s + 1, s, -1.0);
        matrix.add_corner(s, s + 1, -1.0);
    }
    assert!(matrix.factor().is_err());
    let motion = matrix.free_motion();
    let along = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    for (ours, theirs) in motion.interior.iter().zip(along) {
        assert!((ours.abs() - theirs).abs() < 1e-9, "{motion:?}");
    }
    assert!(
        motion.border[0] != 0.0 && motion.border[3] != 0.0,
        "{motion:?}"
    );
}
