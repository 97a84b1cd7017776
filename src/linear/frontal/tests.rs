//! Fronts against a dense solver.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

pub mod case;
mod passing;
mod pins;

use super::Follower;
use crate::linear::{Bordered, Layout};
use case::{Case, Noise, any, case, slides, stiff};

/// The matrix with its rows and columns scaled alike so that their largest entries come near 1, and the scales.
fn equilibrated(matrix: &DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let mut scaled = matrix.clone();
    let mut scales = DVector::repeat(matrix.nrows(), 1.0);
    for _ in 0..20 {
        let factors: Vec<f64> = (scaled.row_iter())
            .map(|row| row.amax())
            .map(|largest| if largest > 0.0 { largest.powf(-0.5) } else { 1.0 })
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
        let Case { mut matrix, dense, order, width } = case(seed, stiff(seed));
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
        matrix.factor().unwrap_or_else(|_| panic!("{seed} is regular: {least:.1e}"));
        matrix.solve(&mut x, &mut y).expect("regular");
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
    let mut matrix =
        Bordered::new(Layout::of(order, cliques.collect()), [0, 2], Vec::new(), Vec::new());
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
fn a_long_beam_that_nothing_holds_is_reported_from_one_on_soft_springs() {
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let elements = 1 + noise.below(100);
        assert!(beam(elements, 0.0, &mut noise).factor().is_err(), "{seed}");
        // A part of 1e-8 of the stiffness of the elements; a force on the spring moves the whole.
        let springs = 1e-7;
        let mut held = beam(elements, springs, &mut noise);
        let mut x = vec![0.0; 2 * (elements + 1)];
        x[0] = springs;
        held.factor().unwrap_or_else(|_| panic!("{seed}: {elements}"));
        held.solve(&mut x, &mut []).expect("regular");
        for node in x.chunks(2) {
            // Rounding of the elements' stiffness, with the length as a lever.
            let off = (node[0] - 1.0).abs();
            let allowed = 1e-13 / springs * (elements as f64).powi(2);
            assert!(off < allowed, "{seed}: {off:.1e} of {elements}");
        }
    }
}

#[test]
fn a_beam_of_thousands_of_elements_that_nothing_holds_is_free() {
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let elements = 200 + noise.below(4800);
        assert!(beam(elements, 0.0, &mut noise).factor().is_err(), "{seed}: {elements}");
        // Clamped at one end, a force at the other moves it as the flexibilities of its elements add up.
        let mut held = beam(elements, 1e6, &mut noise);
        let mut x = vec![0.0; 2 * (elements + 1)];
        x[2 * elements] = 1.0;
        let pattern = held.interior.values.clone();
        held.factor().unwrap_or_else(|_| panic!("{seed}: {elements}"));
        held.solve(&mut x, &mut []).expect("regular");
        let stiffness = |k: usize| {
            let at = held.interior.layout.position(2 * k + 2, 2 * k);
            pattern[at] / -12.0
        };
        // At its end P L³/3EI, element by element, on top of what the springs give.
        let own = |k: usize| {
            let arm = (elements - k) as f64;
            ((arm.powi(3) - (arm - 1.0).powi(3)) / 3.0) / stiffness(k)
        };
        let length = elements as f64;
        let exact = (0..elements).map(own).sum::<f64>() + (1.0 + length * length) / 1e6;
        let off = (x[2 * elements] / exact - 1.0).abs();
        // Rounding of the elements' stiffness, with the flexibility of the whole.
        assert!(off < 1e-13 * length.powi(3), "{seed}: {off:.1e} of {elements}");
    }
}

#[test]
fn solutions_agree_with_a_dense_solver_whatever_followers_do() {
    let mut regular = 0;
    for seed in 0..4000 {
        let Case { mut matrix, dense, order, width } = case(seed, any(seed));
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
        matrix.factor().unwrap_or_else(|_| panic!("{seed} is regular"));
        let mut x: Vec<f64> = right.rows(0, order).iter().copied().collect();
        let mut y: Vec<f64> = right.rows(order, width).iter().copied().collect();
        matrix.solve(&mut x, &mut y).expect("regular");
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
        let layout = Layout::of(order, cliques.iter().map(list).collect());
        let mut matrix = Bordered::new(layout, [0, 0], Vec::new(), Vec::new());
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
        matrix.solve(&mut x, &mut []).expect("regular");
        let residual = dense * DVector::from_vec(x) - right;
        assert!(residual.amax() < 1e-13, "{sizes:?}: {}", residual.amax());
    }
}

#[test]
fn negative_eigenvalues_are_counted_with_those_of_followers() {
    for seed in 0..500 {
        let Case { mut matrix, dense, .. } = case(seed, slides(seed));
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
        sliding: Some(3 * f),
        multipliers: 3 * f + 1..3 * f + 3,
        coordinates: vec![Some(4 + 2 * f), Some(5 + 2 * f)],
        reach: (0..4).collect(),
        around: Vec::new(),
    });
    let mut matrix = Bordered::new(Layout::of(8, elements), [6, 6], followers.to_vec(), Vec::new());
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
    assert!(motion.border[0] != 0.0 && motion.border[3] != 0.0, "{motion:?}");
}

#[test]
fn leaves_of_all_widths_are_solved_and_counted_as_by_a_dense_solver() {
    let mut noise = Noise(5);
    for width in 1..12 {
        // A chain of elements between nodes of three unknowns, with so many others inside of each.
        let elements = 1 + noise.below(12);
        let order = 3 * (elements + 1) + width * elements;
        let clique = |k: usize| {
            let inside = 3 * (elements + 1) + width * k;
            (3 * k..3 * k + 6).chain(inside..inside + width).collect::<Vec<_>>()
        };
        let list = |k: usize| clique(k).into_iter().map(|e| e as u32).collect();
        let layout = Layout::of(order, (0..elements).map(list).collect());
        let mut matrix = Bordered::new(layout, [0, 9], Vec::new(), Vec::new());
        let mut dense = DMatrix::identity(order, order);
        for k in 0..elements {
            for &i in &clique(k) {
                for &j in clique(k).iter().filter(|j| **j < i) {
                    dense[(i, j)] = noise.next();
                    dense[(j, i)] = dense[(i, j)];
                }
            }
        }
        // What is inside of the first one is held by the others alone, as far as there are any.
        let first = 3 * (elements + 1);
        for i in first..first + width.min(3) {
            for j in first..first + width {
                (dense[(i, j)], dense[(j, i)]) = (0.0, 0.0);
            }
        }
        for i in 0..order {
            for j in (0..=i).filter(|&j| dense[(i, j)] != 0.0) {
                let at = matrix.interior.layout.position(i, j);
                matrix.interior.values[at] = dense[(i, j)];
            }
        }
        let eigen = SymmetricEigen::new(dense.clone()).eigenvalues;
        let negative = eigen.iter().filter(|v| **v < 0.0).count();
        assert_eq!(matrix.clone().factor_counting(), (negative, Ok(())), "{width}");
        let right = DVector::from_fn(order, |_, _| noise.next());
        let mut x: Vec<f64> = right.iter().copied().collect();
        matrix.factor().unwrap_or_else(|_| panic!("{width} of {elements}"));
        matrix.solve(&mut x, &mut []).expect("regular");
        let residual = &dense * DVector::from_vec(x) - right;
        let least = eigen.iter().fold(f64::INFINITY, |a, v| a.min(v.abs()));
        assert!(residual.amax() < 1e-11 / least.min(1.0), "{width}: {:.1e}", residual.amax());
    }
}
