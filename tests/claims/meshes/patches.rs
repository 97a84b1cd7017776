//! Structured patches against areas and circles.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use coulisse::axis::Axis;
use coulisse::mesh::Patch;

use super::{arc, edge, straight};

fn patch(order: usize, cells: [usize; 2], sides: [Axis; 4]) -> Patch {
    Patch {
        order,
        cells,
        sides,
        names: ["bottom", "right", "top", "left"].map(String::from),
        corners: [None, None, Some("tip".to_string()), None],
    }
}

/// The sides of a polygon.
fn polygon(corners: [[f64; 2]; 4]) -> [Axis; 4] {
    std::array::from_fn(|i| straight(corners[i], corners[(i + 1) % 4]))
}

const COOK: [[f64; 2]; 4] = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]];

#[test]
fn cooks_membrane_has_its_area_its_sides_and_the_diagonals_of_its_cells() {
    for order in 1..=4 {
        let mesh = patch(order, [4, 3], polygon(COOK)).mesh().expect("a mesh");
        assert_eq!(mesh.nodes.len(), (4 * order + 1) * (3 * order + 1));
        assert_eq!(mesh.triangles().len(), 24);
        let quality = mesh.quality();
        assert!((quality.area - 1440.0).abs() < 1e-10, "{}", quality.area);
        assert!((quality.scaled_jacobian.0 - 1.0).abs() < 1e-13);
        let right = edge(&mesh, "right");
        assert_eq!(right.nodes.len(), 3 * order + 1);
        assert!(right.nodes.iter().all(|&node| mesh.nodes[node][0] == 48.0));
        let at = |node: usize| mesh.nodes[node];
        assert_eq!(at(right.nodes[0]), [48.0, 44.0]);
        assert_eq!(mesh.points, [("tip".to_string(), edge(&mesh, "top").nodes[0])]);
        assert_eq!(at(mesh.points[0].1), [48.0, 60.0]);
        let corners: Vec<[f64; 2]> = mesh.triangles[..3].iter().map(|&node| at(node)).collect();
        let third = 44.0 / 3.0;
        let expected = [[0.0, 0.0], [12.0, 11.0], [0.0, third]];
        for (corner, expected) in corners.iter().zip(expected) {
            assert!((corner[0] - expected[0]).hypot(corner[1] - expected[1]) < 1e-13);
        }
    }
}

/// A quarter of a ring with radii 1 and 2.
fn quarter() -> [Axis; 4] {
    [
        straight([1.0, 0.0], [2.0, 0.0]),
        arc([2.0, 0.0], [0.0, 2.0], FRAC_PI_2),
        straight([0.0, 2.0], [0.0, 1.0]),
        arc([0.0, 1.0], [1.0, 0.0], -FRAC_PI_2),
    ]
}

#[test]
fn the_area_of_a_ring_converges_with_order_two_four_four_six() {
    for (order, expected) in [(1, 2.0), (2, 4.0), (3, 4.0), (4, 6.0)] {
        let error = |cells: usize| {
            let mesh = patch(order, [2, cells], quarter()).mesh().expect("a mesh");
            (mesh.quality().area - 3.0 * FRAC_PI_4).abs()
        };
        // The places of interpolation are evenly spaced: their polynomials have a mean of zero for even p.
        let seen = (error(3) / error(6)).log2();
        assert!((seen - expected).abs() < 0.05, "order {order}: {seen}");
    }
}

#[test]
fn cubic_edges_of_thirty_degrees_miss_the_circle_by_39_millionths_of_the_radius() {
    let mesh = patch(3, [1, 3], quarter()).mesh().expect("a mesh");
    let nodes = &edge(&mesh, "left").nodes;
    assert_eq!(nodes.len(), 10);
    for &node in nodes {
        let [x, y] = mesh.nodes[node];
        assert!((x.hypot(y) - 1.0).abs() < 4.0 * f64::EPSILON);
    }
    // Between its nodes the edge is the polynomial through them.
    let radius = |xi: f64| {
        let weights = coulisse::numerics::lagrange::shape(3, xi).value;
        let along = |i: usize| (0..4).map(|l| weights[l] * mesh.nodes[nodes[l]][i]).sum::<f64>();
        along(0).hypot(along(1))
    };
    let off = (0..=200).map(|k| (radius(k as f64 / 100.0 - 1.0) - 1.0).abs());
    let most = off.fold(0.0, f64::max);
    assert!((most - 3.9e-5).abs() < 0.1e-5, "{most}");
}

#[test]
fn a_patch_that_is_none_is_refused_with_its_place() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let mut open = polygon(square);
    open[1] = straight([1.0, 0.1], [1.0, 1.0]);
    let mut bulging = polygon(square);
    bulging[0] = arc([0.0, 0.0], [1.0, 0.0], -5.0);
    let mut same_name = patch(1, [1, 1], polygon(square));
    same_name.names[2] = "left".to_string();
    let [a, b, c, d] = square;
    for (patch, message) in [
        (
            patch(1, [0, 3], polygon(square)),
            "0 × 3 cells; allowed: at least one in each direction, 100000 in all",
        ),
        (patch(5, [1, 1], polygon(square)), "triangles of order 5; allowed: 1 to 4"),
        (
            patch(1, [1, 1], open),
            "side 1 ends at (1, 0) m and side 2 begins at (1, 0.1) m; allowed: where it ends",
        ),
        (
            patch(1, [1, 1], polygon([a, d, c, b])),
            "triangle 1 at (0.333333, 0.333333) m is flat or runs clockwise: its area is -0.5 m²; allowed: corners \
             counter-clockwise",
        ),
        (
            patch(3, [1, 1], bulging),
            "triangle 1 at (0.333333, 0.333333) m is turned inside out: its Jacobian decreases to -20.1 times that of the \
             straight triangle; allowed: above 0; make its curved edge flatter, or the triangles there smaller",
        ),
        (same_name, "two edges are named `left`"),
    ] {
        let fault = patch.mesh().expect_err(message);
        assert_eq!(fault.to_string(), message);
    }
}
