//! Polynomials on a triangle in Bernstein form.
//!
//! ```text
//! f(λ) = Σ_{i+j+k=d} c_ijk d!/(i! j! k!) λ₀ⁱ λ₁ʲ λ₂ᵏ
//! ```
//!
//! The basis is nowhere negative and its sum is 1, so that f lies between its least and its largest coefficient;
//! over ever smaller parts of the triangle these close in on it with the square of the size (Farin 1986).

use super::triangle::node_count;

/// Highest degree.
const HIGHEST: usize = 6;
/// Coefficients of the highest degree.
const MAX_COEFFICIENTS: usize = node_count(HIGHEST);

/// How often a triangle is cut in four before a polynomial that close to 0 counts as not positive.
const DEPTH: usize = 12;

/// What rounding leaves of coefficients, relative to the largest.
const COEFFICIENT_ROUNDING: f64 = 1e-12;

/// The coefficients of a polynomial by its values on the lattice of its degree.
#[derive(Debug)]
pub struct Bernstein {
    degree: usize,
    by_values: [[f64; MAX_COEFFICIENTS]; MAX_COEFFICIENTS],
}

/// Those of degrees 0, 2, 4 and 6: of the Jacobians of triangles of order 1 to 4.
pub static OF_JACOBIANS: [Bernstein; 4] =
    [Bernstein::of(0), Bernstein::of(2), Bernstein::of(4), Bernstein::of(6)];

/// The corners of a part of a triangle, (ξ, η).
type Part = [[f64; 2]; 3];

impl Bernstein {
    const fn of(degree: usize) -> Bernstein {
        let count = node_count(degree);
        let mut values = [[0.0; MAX_COEFFICIENTS]; MAX_COEFFICIENTS];
        let mut row = 0;
        while row < count {
            let [_, j, k] = index(degree, row);
            let [xi, eta] = share(degree, [j, k]);
            let mut column = 0;
            while column < count {
                values[row][column] = basis(index(degree, column), [1.0 - xi - eta, xi, eta]);
                column += 1;
            }
            row += 1;
        }
        Bernstein { degree, by_values: inverse(values, count) }
    }

    /// A place (ξ, η) where a polynomial of this degree is not above 0, or so little that rounding may have
    /// made it so; `None` where it is above 0 all over the triangle.
    pub fn not_positive(&self, polynomial: impl Fn([f64; 2]) -> f64) -> Option<[f64; 2]> {
        let mut parts: Vec<(Part, usize)> = vec![([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 0)];
        while let Some((part, depth)) = parts.pop() {
            let (mut values, mut lowest) = ([0.0; MAX_COEFFICIENTS], (f64::INFINITY, part[0]));
            let count = node_count(self.degree);
            for (node, value) in values.iter_mut().enumerate().take(count) {
                let [_, j, k] = index(self.degree, node);
                let at = within(&part, share(self.degree, [j, k]));
                *value = polynomial(at);
                // What is no number is the lowest of all.
                if value.is_nan() {
                    return Some(at);
                }
                if *value < lowest.0 {
                    lowest = (*value, at);
                }
            }
            if lowest.0 <= 0.0 {
                return Some(lowest.1);
            }
            let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
            for row in &self.by_values[..count] {
                let coefficient: f64 = row.iter().zip(&values).map(|(r, v)| r * v).sum();
                least = least.min(coefficient);
                largest = largest.max(coefficient.abs());
            }
            if least > COEFFICIENT_ROUNDING * largest {
                continue;
            }
            if depth == DEPTH {
                return Some(lowest.1);
            }
            parts.extend(quarters(&part).map(|quarter| (quarter, depth + 1)));
        }
        None
    }
}

/// The exponents of basis polynomial `number`.
const fn index(degree: usize, number: usize) -> [usize; 3] {
    let (mut k, mut left) = (0, number);
    while left > degree - k {
        left -= degree - k + 1;
        k += 1;
    }
    [degree - left - k, left, k]
}

/// (ξ, η) of a node of the lattice; the middle where the degree is 0.
const fn share(degree: usize, [j, k]: [usize; 2]) -> [f64; 2] {
    match degree {
        0 => [1.0 / 3.0, 1.0 / 3.0],
        d => [j as f64 / d as f64, k as f64 / d as f64],
    }
}

const fn basis(exponents: [usize; 3], lambda: [f64; 3]) -> f64 {
    let (mut product, mut count, mut i) = (1.0, 0, 0);
    while i < 3 {
        let mut n = 0;
        while n < exponents[i] {
            n += 1;
            count += 1;
            // The multinomial coefficient on the way.
            product *= lambda[i] * count as f64 / n as f64;
        }
        i += 1;
    }
    product
}

/// The inverse of the leading block of a matrix, by elimination with the largest pivot of each column.
const fn inverse(
    mut a: [[f64; MAX_COEFFICIENTS]; MAX_COEFFICIENTS], count: usize,
) -> [[f64; MAX_COEFFICIENTS]; MAX_COEFFICIENTS] {
    let mut b = [[0.0; MAX_COEFFICIENTS]; MAX_COEFFICIENTS];
    let mut i = 0;
    while i < count {
        b[i][i] = 1.0;
        i += 1;
    }
    let mut c = 0;
    while c < count {
        let (mut pivot, mut r) = (c, c);
        while r < count {
            if a[r][c].abs() > a[pivot][c].abs() {
                pivot = r;
            }
            r += 1;
        }
        (a[c], a[pivot]) = (a[pivot], a[c]);
        (b[c], b[pivot]) = (b[pivot], b[c]);
        let by = 1.0 / a[c][c];
        let (own, its) = (a[c], b[c]);
        let mut r = 0;
        while r < count {
            let factor = if r == c { 1.0 - by } else { a[r][c] * by };
            let mut k = 0;
            while k < count {
                a[r][k] -= factor * own[k];
                b[r][k] -= factor * its[k];
                k += 1;
            }
            r += 1;
        }
        c += 1;
    }
    b
}

fn within([a, b, c]: &Part, [xi, eta]: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|i| a[i] + xi * (b[i] - a[i]) + eta * (c[i] - a[i]))
}

fn quarters(&[a, b, c]: &Part) -> [Part; 4] {
    let middle = |p: [f64; 2], q: [f64; 2]| [0, 1].map(|i| 0.5 * (p[i] + q[i]));
    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_those_of_the_basis_and_bound_the_polynomial() {
        for Bernstein { degree, by_values } in &OF_JACOBIANS {
            let count = node_count(*degree);
            for own in 0..count {
                let value = |node: usize| {
                    let [_, j, k] = index(*degree, node);
                    let [xi, eta] = share(*degree, [j, k]);
                    basis(index(*degree, own), [1.0 - xi - eta, xi, eta])
                };
                for (other, row) in by_values.iter().enumerate().take(count) {
                    let sum: f64 = (0..count).map(|node| row[node] * value(node)).sum();
                    let exact = f64::from(u8::from(own == other));
                    assert!((sum - exact).abs() < 1e-12, "{degree} {own} {other}: {sum}");
                }
            }
        }
    }

    #[test]
    fn a_value_below_zero_is_found_wherever_it_is_and_however_narrow() {
        let quartic = &OF_JACOBIANS[2];
        for place in [[0.31, 0.17], [0.123, 0.777], [0.05, 0.5]] {
            for (floor, is_negative) in [(1e-5, false), (-1e-9, true)] {
                let bowl = |[x, y]: [f64; 2]| {
                    let square = (x - place[0]).powi(2) + (y - place[1]).powi(2);
                    square * (1.0 + square) + floor
                };
                let found = quartic.not_positive(bowl);
                assert_eq!(found.is_some(), is_negative, "{place:?} {floor}");
                if let Some([x, y]) = found {
                    assert!((x - place[0]).hypot(y - place[1]) < 1e-3, "{x} {y}");
                }
            }
        }
        assert!(quartic.not_positive(|_| f64::NAN).is_some());
        assert_eq!(OF_JACOBIANS[0].not_positive(|_| 2.0), None);
    }
}
