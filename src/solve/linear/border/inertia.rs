//! How many eigenvalues of a bordered matrix are negative.

use nalgebra::{DMatrix, SymmetricEigen};

use super::Bordered;

impl Bordered {
    /// Negative eigenvalues of the matrix, which must be symmetric but for the rows of the border
    /// unknowns `zero` that are known to be 0, and which are left out. The matrix is destroyed.
    ///
    /// By Sylvester's law of inertia: the negative pivots of K and the negative eigenvalues of the
    /// Schur complement, in which a raised pivot counts as a positive one more.
    pub fn negative(&mut self, zero: &[usize]) -> usize {
        self.reduce();
        let width = self.dense.order;
        let mut schur = DMatrix::from_fn(width, width, |b, c| {
            // Raised pivots have −βe and e: the row times −β is the column transposed.
            let boost = |b: usize| match b.checked_sub(self.width) {
                Some(k) => -self.raised[k].boost,
                None => 1.0,
            };
            match zero.contains(&b) || zero.contains(&c) {
                true => f64::from(b == c),
                false => boost(b) * self.dense.values[b * self.room + c],
            }
        });
        // Forces and lengths side by side: balanced, so that no sign is lost in rounding.
        let scale = schur
            .map(f64::abs)
            .column_iter()
            .map(|c| c.max())
            .collect::<Vec<f64>>();
        let scale = |b: usize| 1.0 / scale[b].max(f64::MIN_POSITIVE).sqrt();
        for b in 0..width {
            for c in 0..b {
                let mean = 0.5 * (schur[(b, c)] + schur[(c, b)]) * scale(b) * scale(c);
                (schur[(b, c)], schur[(c, b)]) = (mean, mean);
            }
            schur[(b, b)] *= scale(b) * scale(b);
        }
        let pivots = self.interior.inverse_pivots().iter();
        let negative = pivots.filter(|pivot| **pivot < 0.0).count();
        if width == 0 {
            return negative;
        }
        // The eigensolver would look for ever.
        if schur.iter().any(|value| !value.is_finite()) {
            return usize::MAX;
        }
        let values = SymmetricEigen::new(schur).eigenvalues;
        negative + values.iter().filter(|value| **value < 0.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::case;
    use super::*;

    #[test]
    fn negative_eigenvalues_are_counted_also_where_the_interior_is_singular() {
        for (width, free, seed) in [(0, 0, 3), (1, 0, 5), (4, 0, 7), (5, 3, 11), (7, 5, 13)] {
            let (mut bordered, mut dense) = case(30, width, free, seed);
            for b in 1..width.min(2) {
                // Symmetric, as `negative` wants it: row 1 has its own entries in `case`.
                for i in 0..30 + width {
                    dense[(30 + b, i)] = dense[(i, 30 + b)];
                }
                bordered.own_row[b] = false;
                bordered.corner.fill(0.0);
                dense[(30 + b, 30)] = 0.0;
                dense[(30, 30 + b)] = 0.0;
            }
            let exact = SymmetricEigen::new(dense).eigenvalues;
            let exact = exact.iter().filter(|value| **value < 0.0).count();
            assert_eq!(bordered.negative(&[]), exact, "width {width}, free {free}");
        }
    }
}
