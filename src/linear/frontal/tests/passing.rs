//! Couplings that come and go, against a dense solver.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::case::{Case, Noise, any, case, slides};
use crate::linear::Bordered;

/// Couples nodes of a random case at random, with a random stiffness, in the matrix and in the dense one.
fn couple(matrix: &mut Bordered, dense: &mut DMatrix<f64>, noise: &mut Noise) {
    matrix.couplings.clear();
    let nodes = matrix.interior.layout.order() / 2;
    for _ in 0..noise.below(6) {
        let list = [0; 3].map(|_| 2 * noise.below(nodes) as u32);
        let unknowns = list.map(|e| [e, e + 1]).concat();
        let by: Vec<f64> = unknowns.iter().map(|_| 3.0 * noise.next()).collect();
        matrix.couple(&unknowns);
        matrix.add_coupled(|a, b| by[a] * by[b]);
        for (a, &i) in unknowns.iter().enumerate() {
            for (b, &j) in unknowns.iter().enumerate() {
                dense[(i as usize, j as usize)] += by[a] * by[b];
            }
        }
    }
}

#[test]
fn couplings_that_change_are_solved_for_as_by_a_dense_solver() {
    let mut regular = 0;
    for seed in 0..1000 {
        let Case { mut matrix, dense: alone, order, width } = case(seed, any(seed));
        let mut noise = Noise(seed + 1_000_000);
        for turn in 0..4 {
            let mut dense = alone.clone();
            couple(&mut matrix, &mut dense, &mut noise);
            let values = dense.clone().singular_values();
            let condition = values.max() / values.min();
            if condition > 1e7 {
                continue;
            }
            regular += 1;
            let right = DVector::from_fn(order + width, |_, _| noise.next());
            let exact = dense.lu().solve(&right).expect("regular");
            matrix.factor().unwrap_or_else(|_| panic!("{seed}, {turn} is regular"));
            let mut x = right.as_slice().to_vec();
            let mut y = x.split_off(order);
            matrix.solve(&mut x, &mut y).expect("regular");
            let off = (x.iter().chain(&y).zip(exact.iter()))
                .map(|(ours, theirs)| (ours - theirs).abs())
                .fold(0.0, f64::max);
            assert!(
                off < 1e-13 * condition.max(1e4) * exact.amax(),
                "{seed}, {turn}: {off:.1e} of {:.1e}, condition {condition:.1e}",
                exact.amax()
            );
        }
    }
    assert!(regular > 2000, "{regular}");
}

#[test]
fn negative_eigenvalues_are_counted_with_those_of_couplings() {
    for seed in 0..300 {
        let Case { mut matrix, mut dense, .. } = case(seed, slides(seed));
        couple(&mut matrix, &mut dense, &mut Noise(seed + 1_000_000));
        let eigen = SymmetricEigen::new(dense).eigenvalues;
        if eigen.iter().any(|v| v.abs() < 1e-6 * eigen.amax()) {
            continue;
        }
        let negative = eigen.iter().filter(|v| **v < 0.0).count();
        assert_eq!(matrix.factor_counting(), (negative, Ok(())), "{seed}");
    }
}

#[test]
fn what_was_coupled_before_changes_no_bit() {
    for seed in 0..200 {
        let solution = |turns: &[u64]| {
            let Case { mut matrix, mut dense, order, width } = case(seed, any(seed));
            for &turn in turns {
                couple(&mut matrix, &mut dense, &mut Noise(turn));
                let _singular = matrix.factor();
            }
            let (mut x, mut y) = (vec![1.0; order], vec![1.0; width]);
            let _none = matrix.solve(&mut x, &mut y);
            x.extend(y);
            x.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        let (before, last) = (seed + 3_000_000, seed + 4_000_000);
        assert_eq!(solution(&[before, last]), solution(&[last]), "{seed}");
    }
}
