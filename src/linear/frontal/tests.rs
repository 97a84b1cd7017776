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

/// What a case is made of.
#[derive(Clone, Copy)]
struct Kind {
    /// The second strip is held by nothing but its followers.
    floats: bool,
    /// All followers slide, without friction.
    symmetric: bool,
    /// Some elements are so many times as stiff, and only springs that are not at each strip's first node hold it.
    contrast: Option<f64>,
}

/// Elements of `cells` nodes of two unknowns each along two strips; a node of one may follow the other, or a node that
/// follows itself.
fn case(seed: u64, kind: Kind) -> Case {
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
        let balanced = kind.contrast.is_some() || kind.floats && k >= strips[0] - 1;
        let factor = DMatrix::from_fn(n, n, |i, j| {
            let mean = (j % 2..n).step_by(2).map(|l| factor[(i, l)]).sum::<f64>() / (n / 2) as f64;
            factor[(i, j)] - if balanced { mean } else { 0.0 }
        });
        let mut stiffness = factor.transpose() * factor;
        if let Some(contrast) = kind.contrast.filter(|_| noise.chance(0.5)) {
            stiffness *= contrast;
        }
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
    if kind.contrast.is_some() {
        let held = if kind.floats { 1 } else { 2 };
        for node in [0, strips[0]].into_iter().take(held) {
            for e in 2 * node..2 * node + 2 {
                dense[(e, e)] += 1.0;
                let at = matrix.interior.layout.diagonal(e);
                matrix.interior.values[at] += 1.0;
            }
        }
    }
    let mut pinned = Vec::new();
    for follower in &followers {
        let fate = match noise.below(8) {
            _ if kind.symmetric => Fate::Slides,
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

/// Followers of any fate.
fn any(seed: u64) -> Kind {
    Kind {
        floats: (seed / 9).is_multiple_of(3),
        symmetric: false,
        contrast: None,
    }
}

/// Followers that slide.
fn slides(seed: u64) -> Kind {
    Kind {
        symmetric: true,
        ..any(seed)
    }
}

/// Stiff elements beside soft ones.
fn stiff(seed: u64) -> Kind {
    Kind {
        contrast: Some(10_f64.powi((seed % 9) as i32)),
        ..slides(seed)
    }
}

/// The matrix with its rows and columns scaled alike so that their largest entries come near 1, and the scales.
fn equilibrated(matrix: &DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let mut scaled = matrix.clone();
    let mut scales = DVector::repeat(matrix.nrows(), 1.0);
    for _ in 0..20 {
        let factors: Vec<f64> = (scaled.row_iter())
            .map(|row| row.amax())
            .map(|largest| {
                if largest > 0.0 {
                    largest.powf(-0.5)
                } else {
                    1.0
                }
            })
            .collect();
        for (i, factor) in factors.into_iter().enumerate() {
            scaled.row_mut(i).scale_mut(factor);
            scaled.column_mut(i).scale_mut(factor);
            scales[i] *= factor;
        }
    }
    (scaled, scales)
}

#[test]
fn stiff_parts_on_soft_ones_are_solved_and_counted_and_what_nothing_holds_is_named() {
    let (mut regular, mut singular) = ([0; 9], [0; 9]);
    for seed in 0..3000 {
        let Case {
            mut matrix,
            dense,
            order,
            width,
        } = case(seed, stiff(seed));
        let contrast = (seed % 9) as usize;
        let (scaled, scales) = equilibrated(&dense);
        let eigen = SymmetricEigen::new(scaled.clone()).eigenvalues;
        let least = eigen.iter().fold(f64::INFINITY, |a, v| a.min(v.abs()));
        if least < 1e-16 * order as f64 && contrast < 7 {
            singular[contrast] += 1;
            assert!(matrix.factor().is_err(), "{seed}: {least:.1e}");
            let motion = matrix.free_motion();
            let all = motion.interior.iter().chain(&motion.border).zip(&scales);
            let moved = DVector::from_iterator(order + width, all.map(|(v, scale)| v / scale));
            let force = (&scaled * &moved).amax();
            assert!(force < 1e-14 * moved.amax(), "{seed}: {force:.1e}");
            continue;
        }
        // In between rounding of the entries decides.
        if least < 1e-14 * order as f64 {
            continue;
        }
        regular[contrast] += 1;
        let negative = eigen.iter().filter(|v| **v < 0.0).count();
        let counted = matrix.clone().factor_counting();
        assert_eq!(counted, (negative, Ok(())), "{seed}: {least:.1e}");
        let mut noise = Noise(seed + 1_000_000);
        let right = DVector::from_fn(order + width, |_, _| noise.next());
        let exact = scaled.lu().solve(&right).expect("regular");
        let right = right.component_div(&scales);
        let mut x: Vec<f64> = right.rows(0, order).iter().copied().collect();
        let mut y: Vec<f64> = right.rows(order, width).iter().copied().collect();
        matrix
            .factor()
            .unwrap_or_else(|_| panic!("{seed} is regular: {least:.1e}"));
        matrix.solve(&mut x, &mut y);
        let off = (x.iter().chain(&y).zip(&scales).zip(exact.iter()))
            .map(|((ours, scale), theirs)| (ours / scale - theirs).abs())
            .fold(0.0, f64::max);
        assert!(
            off < 1e-12_f64.max(1e-14 / least) * exact.amax(),
            "{seed}: {off:.1e} of {:.1e}, least {least:.1e}",
            exact.amax()
        );
    }
    assert!(regular.iter().all(|n| *n > 200), "{regular:?}");
    assert!(singular[4..].iter().sum::<i32>() > 2, "{singular:?}");
}

/// A beam of `elements` with two unknowns at each node, displacement and rotation, and springs on its first node.
fn beam(elements: usize, springs: f64, noise: &mut Noise) -> Bordered {
    let order = 2 * (elements + 1);
    let cliques = (0..elements as u32).map(|k| (2 * k..2 * k + 4).collect());
    let mut matrix = Bordered::new(Layout::sparse(order, cliques.collect()), 0, 2, Vec::new());
    let shape = [
        [12.0, 6.0, -12.0, 6.0],
        [6.0, 4.0, -6.0, 2.0],
        [-12.0, -6.0, 12.0, -6.0],
        [6.0, 2.0, -6.0, 4.0],
    ];
    for k in 0..elements {
        let stiffness = 2.0 + noise.next();
        for (i, row) in shape.iter().enumerate() {
            for (j, entry) in row[..=i].iter().enumerate() {
                let at = matrix.interior.layout.position(2 * k + i, 2 * k + j);
                matrix.interior.values[at] += stiffness * entry;
            }
        }
    }
    for e in 0..2 {
        let at = matrix.interior.layout.diagonal(e);
        matrix.interior.values[at] += springs;
    }
    matrix
}

#[test]
fn a_long_beam_that_nothing_holds_is_told_from_one_on_soft_springs() {
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let elements = 1 + noise.below(100);
        assert!(beam(elements, 0.0, &mut noise).factor().is_err(), "{seed}");
        // A part of 1e-8 of the stiffness of the elements; a force on the spring moves the whole.
        let springs = 1e-7;
        let mut held = beam(elements, springs, &mut noise);
        let mut x = vec![0.0; 2 * (elements + 1)];
        x[0] = springs;
        held.factor()
            .unwrap_or_else(|_| panic!("{seed}: {elements}"));
        held.solve(&mut x, &mut []);
        for node in x.chunks(2) {
            // Rounding of the elements' stiffness, with the length as a lever.
            let off = (node[0] - 1.0).abs();
            let allowed = 1e-13 / springs * (elements as f64).powi(2);
            assert!(off < allowed, "{seed}: {off:.1e} of {elements}");
        }
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
        } = case(seed, any(seed));
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
        } = case(seed, slides(seed));
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
