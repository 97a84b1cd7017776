use super::*;
use nalgebra::{DMatrix, DVector};

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A banded symmetric matrix, its border, and the same as one dense matrix. `free` leading
/// rows form a block that K does not hold (its pivots vanish).
fn case(n: usize, width: usize, free: usize, seed: u64) -> (Bordered, DMatrix<f64>) {
    let mut seed = seed;
    let cliques = (0..n as u32 - 4).map(|i| (i..i + 5).collect());
    let layout = Layout::of(n, cliques.collect());
    let mut bordered = Bordered::new(layout, [width, 8], Vec::new(), Vec::new());
    let mut dense = DMatrix::zeros(n + width, n + width);
    for i in free..n {
        for j in i.saturating_sub(4).max(free)..=i {
            let value = noise(&mut seed) + if i == j { 3.0 } else { 0.0 };
            let at = bordered.interior.layout.position(i, j);
            bordered.interior.values[at] = value;
            dense[(i, j)] = value;
            dense[(j, i)] = value;
        }
    }
    for b in 0..width {
        for i in 0..n {
            let value = noise(&mut seed);
            bordered.add_column(i, b, value);
            dense[(i, n + b)] = value;
            dense[(n + b, i)] = value;
        }
    }
    if width > 1 {
        bordered.give_own_row(1);
        for i in 0..n {
            let value = noise(&mut seed);
            bordered.add_row(1, i, value);
            dense[(n + 1, i)] = value;
        }
        bordered.add_corner(1, 0, 0.7);
        dense[(n + 1, n)] = 0.7;
    }
    (bordered, dense)
}

#[test]
fn solution_agrees_with_a_dense_solver_also_where_the_interior_is_singular() {
    for (width, free) in [(0, 0), (3, 0), (5, 3), (6, 5)] {
        let n = 40;
        let (mut bordered, dense) = case(n, width, free, 7);
        let mut seed = 99;
        let right = DVector::from_fn(n + width, |_, _| noise(&mut seed));
        let exact = dense.lu().solve(&right).expect("regular");
        let (mut x, mut y) = (
            right.rows(0, n).iter().copied().collect::<Vec<_>>(),
            right.rows(n, width).iter().copied().collect::<Vec<_>>(),
        );
        bordered.factor().expect("regular");
        bordered.solve(&mut x, &mut y).expect("regular");
        for (ours, theirs) in x.iter().chain(&y).zip(exact.iter()) {
            assert!((ours - theirs).abs() < 1e-10 * exact.amax(), "width {width}");
        }
    }
}

#[test]
fn a_skew_part_beside_the_factorisation_is_solved_for_as_by_a_dense_solver() {
    let (n, width) = (40, 4);
    let (bordered, mut dense) = case(n, width, 0, 21);
    let pairs = 30;
    let mut bordered = bordered.with_beside(2 * pairs);
    let mut seed = 5;
    // As large as the rest: the iteration has to do more than a correction.
    for k in 0..pairs {
        let (i, j, value) = (k, k + 1 + k % 4, 3.0 * noise(&mut seed));
        bordered.add_beside(i, j, value);
        bordered.add_beside(j, i, -value);
        dense[(i, j)] += value;
        dense[(j, i)] -= value;
    }
    let right = DVector::from_fn(n + width, |_, _| noise(&mut seed));
    let exact = dense.lu().solve(&right).expect("regular");
    let mut x: Vec<f64> = right.rows(0, n).iter().copied().collect();
    let mut y: Vec<f64> = right.rows(n, width).iter().copied().collect();
    bordered.factor().expect("regular");
    bordered.solve(&mut x, &mut y).expect("regular");
    for (ours, theirs) in x.iter().chain(&y).zip(exact.iter()) {
        assert!((ours - theirs).abs() < 1e-9 * exact.amax(), "{ours} {theirs}");
    }
}

#[test]
fn a_motion_that_nothing_holds_is_named() {
    let (mut bordered, dense) = case(20, 1, 3, 3);
    assert_eq!(bordered.factor(), Err(Singular));
    let motion = bordered.free_motion().interior;
    assert!(motion.iter().any(|v| v.abs() > 0.5));
    let interior = dense.view((0, 0), (20, 20)) * DVector::from_vec(motion.clone());
    assert!(interior.amax() < 1e-9, "K does not resist it");
}

#[test]
fn what_is_soft_between_what_the_border_holds_leaves_the_solution_its_digits() {
    // Two unknowns, the first held at a place and tied to the second by the border: x₁ = a, x₁ − x₂ = b, whatever K is.
    let layout = Layout::of(2, vec![vec![0], vec![1]]);
    {
        for soft in (-16..=0).map(|e| 10_f64.powi(e)) {
            for hard in (0..=12).map(|e| 10_f64.powi(e)) {
                let mut matrix = Bordered::new(layout.clone(), [2, 2], Vec::new(), Vec::new());
                for (e, value) in [(0, soft), (1, hard)] {
                    let at = matrix.interior.layout.diagonal(e);
                    matrix.interior.values[at] = value;
                }
                matrix.add_column(0, 0, 1.0);
                matrix.add_column(0, 1, 1.0);
                matrix.add_column(1, 1, -1.0);
                let (a, b, force) = (0.3, 0.1, hard);
                let (mut x, mut y) = ([0.0, force], [a, b]);
                matrix.factor().unwrap_or_else(|_| panic!("{soft} beside {hard}"));
                matrix.solve(&mut x, &mut y).expect("regular");
                // Rows of K: soft x₁ + λ₁ + λ₂ = 0, hard x₂ − λ₂ = force.
                let tied = hard * (a - b) - force;
                let expected = [a, a - b, -soft * a - tied, tied];
                for (found, expected) in x.iter().chain(&y).zip(expected) {
                    let off = (found - expected).abs();
                    assert!(
                        off <= 1e-5 * expected.abs(),
                        "{soft} beside {hard}: {found} instead of {expected}"
                    );
                }
            }
        }
    }
}
