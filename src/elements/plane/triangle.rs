//! The reference triangle: corners (0, 0), (1, 0), (0, 1), nodes on a lattice of equal spacing.
//!
//! Nodes are counted as Gmsh does: the corners counter-clockwise; the inner nodes of the sides 0-1, 1-2
//! and 2-0 as one walks around; then those inside, which are the nodes of a smaller triangle in
//! the same order.
//!
//! ```text
//!      2                                     2
//!      | \                                   |  \
//!      5   4       order 2                   7    6           order 3
//!      |     \                               |      \
//!      0 - 3 - 1                             8   9    5
//!                                            |          \
//!                                            0 - 3 - 4 - 1
//! ```

/// Highest order of an element.
pub const MAX_ORDER: usize = 4;

/// Nodes of a triangle of `order`.
pub const fn nodes(order: usize) -> usize {
    (order + 1) * (order + 2) / 2
}

/// Order of a triangle with this number of nodes.
pub(crate) const fn order_of(count: usize) -> usize {
    let mut order = 1;
    while nodes(order) < count {
        order += 1;
    }
    order
}

/// (ξ, η) of all nodes.
pub fn lattice<const NODES: usize>() -> [[f64; 2]; NODES] {
    let order = order_of(NODES);
    steps::<NODES>(order).map(|[i, j]| [i, j].map(|k| k as f64 / order as f64))
}

/// (ξ, η) of all nodes in steps of 1/order.
fn steps<const NODES: usize>(order: usize) -> [[usize; 2]; NODES] {
    let mut steps = [[0; 2]; NODES];
    let (mut place, mut first, mut size) = (0, 0, order);
    let mut push = |i: usize, j: usize| {
        steps[place] = [i, j];
        place += 1;
    };
    loop {
        if size == 0 {
            push(first, first);
            break;
        }
        push(first, first);
        push(first + size, first);
        push(first, first + size);
        (1..size).for_each(|k| push(first + k, first));
        (1..size).for_each(|k| push(first + size - k, first + k));
        (1..size).for_each(|k| push(first, first + size - k));
        // The lattice inside has its first corner one step in, and three steps less on every side.
        if size < 3 {
            break;
        }
        (first, size) = (first + 1, size - 3);
    }
    steps
}

/// Values and derivatives by ξ and η of the shape functions at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape<const NODES: usize> {
    pub value: [f64; NODES],
    pub slope: [[f64; NODES]; 2],
}

/// The polynomials of the triangle's order that are 1 at one node and 0 at the others.
///
/// With p L₁, p L₂ and p L₃ the numbers of lattice lines from a place to the sides, that of the node (i, j, k)
/// is R_i(p L₁) R_j(p L₂) R_k(p L₃), where R_m(z) = z (z − 1) … (z − m + 1)/m! (Silvester 1969).
pub fn shape<const NODES: usize>([xi, eta]: [f64; 2]) -> Shape<NODES> {
    let order = order_of(NODES);
    let p = order as f64;
    let [x, y, z] = [xi, eta, 1.0 - xi - eta].map(|l| ladder(p * l));
    let mut shape = Shape {
        value: [0.0; NODES],
        slope: [[0.0; NODES]; 2],
    };
    for (l, [i, j]) in steps::<NODES>(order).into_iter().enumerate() {
        let ([a, da], [b, db], [c, dc]) = (x[i], y[j], z[order - i - j]);
        shape.value[l] = a * b * c;
        shape.slope[0][l] = p * b * (da * c - a * dc);
        shape.slope[1][l] = p * a * (db * c - b * dc);
    }
    shape
}

/// R_m(z) and its derivative for m from 0 to the highest order.
fn ladder(z: f64) -> [[f64; 2]; MAX_ORDER + 1] {
    let mut ladder = [[1.0, 0.0]; MAX_ORDER + 1];
    for m in 1..=MAX_ORDER {
        let [value, slope] = ladder[m - 1];
        let (factor, scale) = (z - (m - 1) as f64, 1.0 / m as f64);
        ladder[m] = [scale * value * factor, scale * (slope * factor + value)];
    }
    ladder
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [[f64; 2]; 5] = [
        [0.0, 0.0],
        [0.2, 0.3],
        [0.71, 0.13],
        [0.0, 1.0],
        [1.1, -0.4],
    ];

    fn reproduces<const NODES: usize>() {
        let (order, lattice) = (order_of(NODES) as i32, lattice::<NODES>());
        for (m, n) in (0..=order).flat_map(|m| (0..=order - m).map(move |n| (m, n))) {
            let power = |x: f64, n: i32| if n < 0 { 0.0 } else { x.powi(n) };
            let f = |[x, y]: [f64; 2]| power(x, m) * power(y, n);
            for [x, y] in PLACES {
                let shape = shape::<NODES>([x, y]);
                let sum = |weights: &[f64; NODES]| -> f64 {
                    lattice.iter().zip(weights).map(|(at, w)| w * f(*at)).sum()
                };
                let by_x = f64::from(m) * power(x, m - 1) * power(y, n);
                let by_y = f64::from(n) * power(x, m) * power(y, n - 1);
                assert!((sum(&shape.value) - f([x, y])).abs() < 1e-14, "{m} {n}");
                assert!((sum(&shape.slope[0]) - by_x).abs() < 1e-13, "{m} {n}");
                assert!((sum(&shape.slope[1]) - by_y).abs() < 1e-13, "{m} {n}");
            }
        }
    }

    #[test]
    fn shapes_reproduce_polynomials_of_their_order_and_their_derivatives() {
        reproduces::<3>();
        reproduces::<6>();
        reproduces::<10>();
        reproduces::<15>();
    }

    #[test]
    fn nodes_are_counted_as_gmsh_does() {
        let cubic = [
            [0, 0],
            [3, 0],
            [0, 3],
            [1, 0],
            [2, 0],
            [2, 1],
            [1, 2],
            [0, 2],
            [0, 1],
            [1, 1],
        ];
        assert_eq!(steps::<10>(3), cubic);
        let quartic = steps::<15>(4);
        assert_eq!(
            quartic[..6],
            [[0, 0], [4, 0], [0, 4], [1, 0], [2, 0], [3, 0]]
        );
        assert_eq!(quartic[12..], [[1, 1], [2, 1], [1, 2]]);
    }
}
