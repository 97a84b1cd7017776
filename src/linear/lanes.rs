//! Innermost loops over columns of numbers, two at a time.

use wide::f64x2;

/// Numbers that are taken together: as many as a register holds on every machine.
pub const LANES: usize = 2;

/// Each of the `targets` less each of the `columns` times its share. All have the same length, a multiple of [`LANES`].
#[inline(always)]
pub fn subtract<const T: usize, const N: usize>(
    targets: [&mut [f64]; T],
    columns: [&[f64]; N],
    shares: [[f64; N]; T],
) {
    let length = targets[0].len() / LANES;
    let mut targets = targets.map(|target| &mut target.as_chunks_mut::<LANES>().0[..length]);
    let columns = columns.map(|column| &column.as_chunks::<LANES>().0[..length]);
    let shares = shares.map(|shares| shares.map(f64x2::splat));
    for k in 0..length {
        let columns = columns.map(|column| f64x2::new(column[k]));
        for (target, shares) in targets.iter_mut().zip(&shares) {
            let mut left = f64x2::new(target[k]);
            for (column, share) in columns.iter().zip(shares) {
                left -= *share * *column;
            }
            target[k] = left.to_array();
        }
    }
}

/// The products of the `columns` with `x`. All have the same length, a multiple of [`LANES`].
#[inline(always)]
pub fn products<const N: usize>(columns: [&[f64]; N], x: &[f64]) -> [f64; N] {
    let (x, _) = x.as_chunks::<LANES>();
    let columns = columns.map(|column| &column.as_chunks::<LANES>().0[..x.len()]);
    let mut sums = [f64x2::ZERO; N];
    for (k, x) in x.iter().enumerate() {
        let x = f64x2::new(*x);
        for (sum, column) in sums.iter_mut().zip(columns) {
            *sum += f64x2::new(column[k]) * x;
        }
    }
    sums.map(|sum| {
        let [even, odd] = sum.to_array();
        even + odd
    })
}

/// The product of two vectors. Four running sums: the compiler may not reorder a single one, and the order must not depend
/// on the machine.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = left
        .remainder()
        .iter()
        .zip(right.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in left.zip(right) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}
