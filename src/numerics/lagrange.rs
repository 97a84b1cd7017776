//! Lagrange polynomials on equally spaced nodes of [−1, 1].

/// Most nodes of an element (order 4).
pub const MAX_NODES: usize = 5;

/// Values and the first three derivatives of the shape functions at one ξ; entries beyond the
/// element's nodes are zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    pub value: [f64; MAX_NODES],
    pub first: [f64; MAX_NODES],
    pub second: [f64; MAX_NODES],
    pub third: [f64; MAX_NODES],
}

/// φ_l(ξ) = Π_{m≠l} (ξ − ξ_m)/(ξ_l − ξ_m) with its derivatives by ξ, for `order` 1 to 4.
///
/// The products are built up factor by factor with the product rule, so that the derivatives are
/// exact at the nodes too.
pub fn shape(order: usize, xi: f64) -> Shape {
    let node: [f64; MAX_NODES] = std::array::from_fn(|l| -1.0 + 2.0 * l as f64 / order as f64);
    let mut out = Shape {
        value: [0.0; MAX_NODES],
        first: [0.0; MAX_NODES],
        second: [0.0; MAX_NODES],
        third: [0.0; MAX_NODES],
    };
    for l in 0..=order {
        [out.value[l], out.first[l], out.second[l], out.third[l]] = basis(&node[..=order], l, xi);
    }
    out
}

/// Value and the first three derivatives at `x` of the polynomial that is 1 at node `l` and 0 at the others.
#[inline]
pub fn basis(nodes: &[f64], l: usize, x: f64) -> [f64; 4] {
    let [mut f, mut df, mut ddf, mut dddf] = [1.0, 0.0, 0.0, 0.0];
    for (m, &node) in nodes.iter().enumerate() {
        if m != l {
            let scale = 1.0 / (nodes[l] - node);
            let factor = (x - node) * scale;
            dddf = dddf * factor + 3.0 * ddf * scale;
            ddf = ddf * factor + 2.0 * df * scale;
            df = df * factor + f * scale;
            f *= factor;
        }
    }
    [f, df, ddf, dddf]
}

/// Coefficients of the powers of ξ, from 0 on, of the polynomial with given values at the nodes.
pub fn monomials(order: usize, values: &[f64; MAX_NODES]) -> [f64; MAX_NODES] {
    let node = |l: usize| -1.0 + 2.0 * l as f64 / order as f64;
    let mut sum = [0.0; MAX_NODES];
    for (l, &value) in values.iter().enumerate().take(order + 1) {
        let mut product = [0.0; MAX_NODES];
        product[0] = value;
        for m in (0..=order).filter(|&m| m != l) {
            let scale = 1.0 / (node(l) - node(m));
            for k in (0..MAX_NODES).rev() {
                let lower = if k > 0 { product[k - 1] } else { 0.0 };
                product[k] = scale * (lower - node(m) * product[k]);
            }
        }
        for (sum, term) in sum.iter_mut().zip(product) {
            *sum += term;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials_are_the_same_polynomial_as_the_shapes() {
        let values = [1.3, -0.4, 2.2, 0.7, -1.1];
        for order in 1..=4 {
            let coefficients = monomials(order, &values);
            for xi in [-1.0, -0.2, 0.5, 1.4] {
                let value: f64 =
                    (shape(order, xi).value.iter().zip(values)).map(|(w, v)| w * v).sum();
                let powers = coefficients.iter().rev().fold(0.0, |sum, c| sum * xi + c);
                assert!((value - powers).abs() < 1e-13, "{order} {xi}");
            }
        }
    }

    #[test]
    fn shapes_reproduce_polynomials_of_their_order_and_their_derivatives() {
        for order in 1..=4 {
            for power in 0..=order as i32 {
                for xi in [-1.0, -0.37, 0.0, 0.61, 1.0, 1.3] {
                    let s = shape(order, xi);
                    let at = |w: &[f64; MAX_NODES]| -> f64 {
                        (0..=order)
                            .map(|l| w[l] * (-1.0 + 2.0 * l as f64 / order as f64).powi(power))
                            .sum()
                    };
                    let p = f64::from(power);
                    let d1 = if power < 1 { 0.0 } else { p * f64::powi(xi, power - 1) };
                    let d2 = if power < 2 { 0.0 } else { p * (p - 1.0) * f64::powi(xi, power - 2) };
                    assert!((at(&s.value) - f64::powi(xi, power)).abs() < 1e-13);
                    assert!((at(&s.first) - d1).abs() < 1e-12);
                    assert!((at(&s.second) - d2).abs() < 1e-11);
                }
            }
        }
    }
}
