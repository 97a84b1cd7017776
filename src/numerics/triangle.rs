//! Lagrange polynomials on the equally spaced nodes of a triangle.

/// Nodes of a triangle of an order: (p + 1)(p + 2)/2.
pub const fn node_count(order: usize) -> usize {
    (order + 1) * (order + 2) / 2
}

/// The order of a triangle with a [number of nodes](node_count).
pub const fn order_of(nodes: usize) -> usize {
    let mut order = 1;
    while node_count(order) < nodes {
        order += 1;
    }
    order
}

/// The nodes of a triangle, each by three integers whose sum is the order: its barycentric coordinates times
/// the order.
///
/// The local order is Gmsh's: corners, nodes inside the sides 0–1, 1–2 and 2–0 as one walks around, and then
/// the triangle of the inner nodes in the same way.
pub fn lattice(order: usize) -> Vec<[usize; 3]> {
    let mut nodes = Vec::with_capacity(node_count(order));
    walk(order, |node| nodes.push(node));
    nodes
}

/// The [`lattice`] of a triangle with `NODES` nodes.
pub fn lattice_of<const NODES: usize>() -> [[usize; 3]; NODES] {
    let (mut nodes, mut count) = ([[0; 3]; NODES], 0);
    walk(order_of(NODES), |node| {
        nodes[count] = node;
        count += 1;
    });
    nodes
}

/// Calls `each` with the nodes of the lattice one after the other.
fn walk(order: usize, mut each: impl FnMut([usize; 3])) {
    // The inner triangles get smaller by three and move away from all sides by one.
    let (mut away, mut left) = (0, order);
    loop {
        if left == 0 {
            each([away; 3]);
            return;
        }
        for corner in 0..3 {
            let mut node = [away; 3];
            node[corner] += left;
            each(node);
        }
        for side in 0..3 {
            for k in 1..left {
                let mut node = [away; 3];
                node[side] += left - k;
                node[(side + 1) % 3] += k;
                each(node);
            }
        }
        if left < 3 {
            return;
        }
        away += 1;
        left -= 3;
    }
}

/// Local numbers of the nodes of side 0–1, 1–2 or 2–0, in walking order with its corners.
pub fn side(order: usize, side: usize) -> impl Iterator<Item = usize> + Clone {
    let inner = (0..order - 1).map(move |k| 3 + side * (order - 1) + k);
    std::iter::once(side).chain(inner).chain(std::iter::once((side + 1) % 3))
}

/// Value and derivatives by ξ and η of a node's shape function at (ξ, η), the barycentric coordinates of the
/// second and the third corner.
///
/// N = P_i(λ₀) P_j(λ₁) P_k(λ₂) with P_m(λ) = Π_{l<m} (pλ − l)/(l + 1) for the node (i, j, k) of the lattice.
pub fn shape(order: usize, node: [usize; 3], [xi, eta]: [f64; 2]) -> [f64; 3] {
    let p = order as f64;
    let factor = |m: usize, lambda: f64| {
        let (mut f, mut df) = (1.0, 0.0);
        for l in 0..m {
            let scale = 1.0 / (l + 1) as f64;
            let next = (p * lambda - l as f64) * scale;
            df = df * next + f * p * scale;
            f *= next;
        }
        (f, df)
    };
    let (a, da) = factor(node[0], 1.0 - xi - eta);
    let (b, db) = factor(node[1], xi);
    let (c, dc) = factor(node[2], eta);
    [a * b * c, (a * db - da * b) * c, (a * dc - da * c) * b]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_as_gmsh_counts_them() {
        assert_eq!(lattice(1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        assert_eq!(lattice(2)[3..], [[1, 1, 0], [0, 1, 1], [1, 0, 1]]);
        let cubic = lattice(3);
        assert_eq!(cubic[3..6], [[2, 1, 0], [1, 2, 0], [0, 2, 1]]);
        assert_eq!(cubic[9..], [[1, 1, 1]]);
        assert_eq!(cubic, lattice_of::<10>());
        let quartic = lattice(4);
        assert_eq!(quartic[12..], [[2, 1, 1], [1, 2, 1], [1, 1, 2]]);
        for order in 1..=6 {
            assert_eq!(lattice(order).len(), node_count(order));
            assert_eq!(order_of(node_count(order)), order);
        }
        assert_eq!(side(4, 2).collect::<Vec<_>>(), [2, 9, 10, 11, 0]);
    }

    #[test]
    fn a_shape_function_is_one_at_its_node_and_its_derivatives_are_differences() {
        for order in 1..=4 {
            let nodes = lattice(order);
            let place = |n: [usize; 3]| [1, 2].map(|i| n[i] as f64 / order as f64);
            for (i, &node) in nodes.iter().enumerate() {
                for (j, &other) in nodes.iter().enumerate() {
                    let value = shape(order, node, place(other))[0];
                    assert!((value - f64::from(u8::from(i == j))).abs() < 1e-13);
                }
                let (x, y, h) = (0.31, 0.22, 1e-6);
                let at = |x: f64, y: f64| shape(order, node, [x, y])[0];
                let [_, dx, dy] = shape(order, node, [x, y]);
                assert!((dx - (at(x + h, y) - at(x - h, y)) / (2.0 * h)).abs() < 1e-8);
                assert!((dy - (at(x, y + h) - at(x, y - h)) / (2.0 * h)).abs() < 1e-8);
            }
        }
    }
}
