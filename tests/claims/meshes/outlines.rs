//! Meshes inside outlines against areas, circles, Euler's formula, and what is no outline.

use std::f64::consts::{PI, TAU};

use coulisse::axis::{Axis, PlaneSpline};
use coulisse::mesh::{Mesh, Outline, Side, USUAL_TURN};
use proptest::prelude::*;

use super::{arc, edge, straight};
use crate::common;

fn side(name: &str, curve: Axis) -> Side {
    Side { name: name.to_string(), curve, size: None, begins: None }
}

fn outline(order: usize, size: f64, outer: Vec<Side>, holes: Vec<Vec<Side>>) -> Outline {
    Outline { order, size, largest_turn: USUAL_TURN, outer, holes }
}

/// Sides a, b, c, … of a polygon.
fn polygon(corners: &[[f64; 2]]) -> Vec<Side> {
    let name = |i: usize| char::from(b'a' + i as u8).to_string();
    (0..corners.len())
        .map(|i| side(&name(i), straight(corners[i], corners[(i + 1) % corners.len()])))
        .collect()
}

/// 2 m by 1 m.
fn plate() -> Vec<Side> {
    polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
}

/// That the mesh is one, fills its outline, and every free side of a triangle lies on an edge.
fn holds(mesh: &Mesh, holes: usize) {
    assert_eq!(mesh.check(), Ok(()));
    let mut sides = std::collections::BTreeSet::new();
    for nodes in mesh.triangles() {
        for i in 0..3 {
            let (a, b) = (nodes[i], nodes[(i + 1) % 3]);
            if !sides.remove(&(b, a)) {
                sides.insert((a, b));
            }
        }
    }
    let p = mesh.order;
    let chains = mesh.edges.iter().flat_map(|edge| edge.nodes.windows(p + 1).step_by(p));
    let pieces: std::collections::BTreeSet<(usize, usize)> =
        chains.map(|piece| (piece[0], piece[p])).collect();
    assert_eq!(pieces, sides);
    let corners: std::collections::BTreeSet<usize> =
        mesh.triangles().flat_map(|nodes| nodes[..3].to_vec()).collect();
    let triangles = mesh.triangles().len();
    assert_eq!(triangles + sides.len() + 2, 2 * corners.len() + 2 * holes, "Euler");
    let (p, inner) = (mesh.order, (3 * triangles - sides.len()) / 2 + sides.len());
    let inside = if p > 2 { (p - 1) * (p - 2) / 2 } else { 0 };
    assert_eq!(mesh.nodes.len(), corners.len() + inner * (p - 1) + triangles * inside);
}

#[test]
fn a_polygon_is_filled_with_its_area_at_the_size_that_was_asked_for() {
    for (order, size) in [(1, 0.5), (2, 0.2), (3, 0.1), (4, 0.05)] {
        let mesh = outline(order, size, plate(), Vec::new()).mesh().expect("a mesh");
        holds(&mesh, 0);
        let quality = mesh.quality();
        assert!((quality.area - 2.0).abs() < 1e-12);
        assert!(
            quality.least_angle.0.to_degrees() > 22.0,
            "{}",
            quality.least_angle.0.to_degrees()
        );
        // The side of an equilateral triangle of the mean area.
        let mean = (2.0 / mesh.triangles().len() as f64 * 4.0 / 3.0_f64.sqrt()).sqrt();
        assert!((mean / size - 0.95).abs() < 0.1, "{}", mean / size);
        let bottom = edge(&mesh, "a");
        assert_eq!((bottom.nodes.len() - 1) / order, (2.0 / size).round() as usize);
        assert!(bottom.nodes.iter().all(|&node| mesh.nodes[node][1] == 0.0));
    }
}

#[test]
fn a_disc_converges_to_its_area_with_order_two_four_four_six() {
    for (order, expected) in [(1, 2.0), (2, 4.0), (3, 4.0), (4, 6.0)] {
        let error = |size: f64| {
            let disc = outline(order, size, Side::circle("rim", [0.3, 0.1], 1.0), Vec::new());
            let mesh = disc.mesh().expect("a mesh");
            assert_eq!((edge(&mesh, "rim").nodes.len() - 1) / order, (TAU / size).round() as usize);
            (mesh.quality().area - PI).abs()
        };
        let seen = (error(TAU / 12.0) / error(TAU / 24.0)).log2();
        assert!((seen - expected).abs() < 0.06, "order {order}: {seen}");
    }
}

#[test]
fn a_hole_is_one_closed_edge_on_its_circle_with_the_body_on_its_left() {
    let holes = vec![Side::circle("bore", [0.5, 0.5], 0.3)];
    let mesh = outline(3, 0.4, plate(), holes).mesh().expect("a mesh");
    holds(&mesh, 1);
    let bore = edge(&mesh, "bore");
    // Twelve edges of 30 degrees, because the size alone would give eight.
    assert!(bore.closed && bore.nodes.len() == 37);
    let polar = |node: usize| {
        let [x, y] = mesh.nodes[node];
        ((x - 0.5).hypot(y - 0.5), (y - 0.5).atan2(x - 0.5))
    };
    for pair in bore.nodes.windows(2) {
        let ((r, a), (_, b)) = (polar(pair[0]), polar(pair[1]));
        assert!((r - 0.3).abs() < 1e-15);
        let turn = (b - a).rem_euclid(TAU) - TAU;
        assert!((turn + TAU / 36.0).abs() < 1e-13, "{turn}");
    }
    let missing = mesh.quality().area - (2.0 - 0.09 * PI);
    assert!(missing.abs() < 2e-5, "{missing}");
}

#[test]
fn sides_of_one_name_are_one_edge_and_corners_can_have_names() {
    let mut sides = plate();
    for i in [1, 2] {
        sides[i].name = "contour".to_string();
    }
    sides[2].begins = Some("corner".to_string());
    sides[0].size = Some(0.05);
    let mesh = outline(2, 0.5, sides, Vec::new()).mesh().expect("a mesh");
    holds(&mesh, 0);
    assert_eq!(mesh.points.len(), 1);
    assert_eq!(mesh.nodes[mesh.points[0].1], [2.0, 1.0]);
    let contour = &edge(&mesh, "contour").nodes;
    let ends = [contour[0], contour[contour.len() - 1]].map(|node| mesh.nodes[node]);
    assert_eq!(ends, [[2.0, 0.0], [0.0, 1.0]]);
    assert!(contour.contains(&mesh.points[0].1));
    assert_eq!(edge(&mesh, "a").nodes.len(), 81);
    // No piece is more than twice as long as the next.
    let longest = mesh.quality().chords[1];
    assert!(longest < 0.55 && mesh.triangles().len() < 500, "{longest}");
}

#[test]
fn walls_and_splines_are_parted_as_finely_as_they_ask_for() {
    // A ring whose wall is a twentieth of its radius.
    let hole = vec![Side::circle("inner", [0.0, 0.0], 0.95)];
    let ring = outline(4, 0.5, Side::circle("outer", [0.0, 0.0], 1.0), hole);
    let mesh = ring.mesh().expect("a mesh");
    holds(&mesh, 1);
    let quality = mesh.quality();
    assert!((quality.area - PI * (1.0 - 0.95 * 0.95)).abs() < 1e-12);
    assert!(quality.least_angle.0.to_degrees() > 25.0 && quality.scaled_jacobian.0 > 0.8);
    // A wave on the upper side.
    let wave: Vec<[f64; 2]> = (0..=16)
        .map(|k| 2.0 - k as f64 / 8.0)
        .map(|x| [x, 1.0 + 0.1 * (3.0 * PI * x).sin()])
        .collect();
    let mut sides = plate();
    sides[2].curve = Axis::Spline(PlaneSpline::through(&wave).expect("a curve"));
    let mesh = outline(3, 1.0, sides, Vec::new()).mesh().expect("a mesh");
    holds(&mesh, 0);
    let exact: f64 = 2.0;
    assert!((mesh.quality().area - exact).abs() < 5e-3, "{}", mesh.quality().area);
    assert!(edge(&mesh, "c").nodes.len() > 3 * 16);
}

#[test]
fn the_same_outline_gives_the_same_bits_and_last_bits_change_no_triangle() {
    let drawn = |shift: f64| {
        let corners = [[0.0, 0.0], [1.0, 0.1], [1.2, 1.0], [0.1, 0.8]].map(|[x, y]: [f64; 2]| {
            let (sin, cos) = 0.7_f64.sin_cos();
            [cos * x - sin * y + shift, sin * x + cos * y - shift]
        });
        let mut sides = polygon(&corners);
        sides[1].curve = arc(corners[1], corners[2], 1.0 + shift);
        let centre = [0, 1].map(|i| corners.iter().map(|c| c[i]).sum::<f64>() / 4.0);
        outline(3, 0.1, sides, vec![Side::circle("bore", centre, 0.2 + shift)])
    };
    let mesh = drawn(0.0).mesh().expect("a mesh");
    assert_eq!(drawn(0.0).mesh().expect("a mesh"), mesh);
    for shift in [1e-16, -1e-16, 3e-16] {
        let other = drawn(shift).mesh().expect("a mesh");
        assert_eq!(other.triangles, mesh.triangles);
        for (other, edge) in other.edges.iter().zip(&mesh.edges) {
            assert_eq!((&other.name, &other.nodes), (&edge.name, &edge.nodes));
        }
    }
}

#[test]
fn what_is_no_outline_is_refused_with_its_place() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let changed = |change: &dyn Fn(&mut Outline)| {
        let mut outline =
            outline(3, 0.2, polygon(&square), vec![Side::circle("bore", [0.5, 0.5], 0.2)]);
        change(&mut outline);
        outline
    };
    let bore = |outline: &mut Outline, centre, radius| {
        outline.holes[0] = Side::circle("bore", centre, radius)
    };
    for (outline, message) in [
        (changed(&|o| o.order = 0), "triangles of order 0; allowed: 1 to 4"),
        (
            changed(&|o| o.size = -1.0),
            "mesh size -1 m; allowed: above 0, up to 1.414 m, the extent of the outline",
        ),
        (
            changed(&|o| o.outer[1].size = Some(200.0)),
            "mesh size 200 m of side `b`; allowed: above 0, up to 1.414 m, the extent of the outline",
        ),
        (
            changed(&|o| o.size = 1e-3),
            "mesh size 0.001 m gives some 2300000 triangles; allowed: 200000, as from a size of 0.0036 m",
        ),
        (
            changed(&|o| o.size = 1e-9),
            "edges are divided into more than 20000 pieces, the most that are allowed; take a larger `size`, or leave thin and \
             short details out",
        ),
        (
            changed(&|o| o.largest_turn = 2.0),
            "edges that turn by 2 rad; allowed: above 0, up to 1.57",
        ),
        (changed(&|o| o.outer.clear()), "the outline has no sides; allowed: two or more"),
        (changed(&|o| o.holes.push(Vec::new())), "hole 2 has no sides; allowed: two or more"),
        (
            changed(&|o| o.outer[2].curve = straight([1.0, 1.0], [1.0, 1.0])),
            "side `c` has no length, or no finite one, at (1, 1) m",
        ),
        (
            changed(&|o| o.outer[2].curve = straight([1.0, 1.0], [0.0, 1.2])),
            "side `c` ends at (0, 1.2) m and the next, `d`, begins at (0, 1) m; allowed: where it ends",
        ),
        (
            changed(&|o| o.outer[2].name = "a".to_string()),
            "two edges are named `a`; allowed: one, or sides that follow each other",
        ),
        (
            changed(&|o| o.holes[0][1].name = "a".to_string()),
            "two edges are named `a`; allowed: one, or sides that follow each other",
        ),
        (
            changed(&|o| {
                o.outer = polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
                o.holes.clear();
            }),
            "sides `b` and `d` cross or touch at (0.5, 0.5) m; allowed: sides that meet at their ends only",
        ),
        (
            changed(&|o| bore(o, [0.2, 0.5], 0.25)),
            "sides `d` and `bore` cross or touch at (-0.00019101, 0.649745) m; allowed: sides that meet at their ends only",
        ),
        (
            changed(&|o| bore(o, [0.25, 0.5], 0.25)),
            "sides `d` and `bore` cross or touch at (0.000677386, 0.518391) m; allowed: sides that meet at their ends only",
        ),
        (
            changed(&|o| bore(o, [3.0, 0.5], 0.25)),
            "hole 1, whose first side is `bore`, lies outside at (3.25, 0.5) m; allowed: inside the outline, outside other \
             holes",
        ),
        (
            changed(&|o| o.holes.push(Side::circle("pin", [0.5, 0.5], 0.1))),
            "hole 2, whose first side is `pin`, lies inside another hole at (0.6, 0.5) m; allowed: inside the outline, \
             outside other holes",
        ),
        (
            changed(&|o| o.outer[0].curve = arc([0.0, 0.0], [1.0, 0.0], -2.5)),
            "sides `a` and `bore` cross or touch at (0.373121, 0.345398) m; allowed: sides that meet at their ends only",
        ),
        (
            changed(&|o| o.outer = polygon(&[[0.0, 0.0], [3.0, 0.0], [3.0, 0.1]])),
            "sides `c` and `a` meet at (0, 0) m with an angle of 1.91 degrees; allowed: 5 or more",
        ),
        (
            changed(&|o| {
                let [from, to] = [square[0], square[2]];
                o.outer = vec![side("to", straight(from, to)), side("fro", straight(to, from))];
            }),
            "sides `to` and `fro` meet at (1, 1) m with an angle of 0 degrees; allowed: 5 or more",
        ),
    ] {
        let fault = outline.mesh().expect_err(message).to_string();
        assert_eq!(fault, message);
    }
}

/// A star about the origin with corners at random distances, some of its sides bulging, and round holes.
fn star() -> impl Strategy<Value = Outline> {
    let corner = (0.6..1.0_f64, -0.6..0.6_f64);
    let hole = (0.05..0.9_f64, 0.0..TAU, 0.02..0.3_f64);
    let (corners, holes) =
        (prop::collection::vec(corner, 3..12), prop::collection::vec(hole, 0..4));
    (corners, holes, 1..=4_usize, 0.05..0.5_f64, any::<bool>()).prop_map(
        |(corners, holes, order, size, clockwise)| {
            let place = |i: usize| {
                let i = if clockwise { corners.len() - i } else { i };
                let (sin, cos) = (TAU * i as f64 / corners.len() as f64).sin_cos();
                let r = corners[i % corners.len()].0;
                [r * cos, r * sin]
            };
            let outer = (0..corners.len()).map(|i| {
                let curve = match corners[i].1 {
                    bulge if bulge < 0.0 => straight(place(i), place((i + 1) % corners.len())),
                    bulge => arc(place(i), place((i + 1) % corners.len()), bulge),
                };
                side(&format!("s{i}"), curve)
            });
            let hole = |(i, &(r, angle, radius)): (usize, &(f64, f64, f64))| {
                Side::circle(&format!("h{i}"), [r * angle.cos(), r * angle.sin()], radius)
            };
            outline(order, size, outer.collect(), holes.iter().enumerate().map(hole).collect())
        },
    )
}

proptest! {
    #![proptest_config(common::random_cases(300))]

    /// Holes may lie anywhere: there is a mesh that holds its promises, or a message.
    #[test]
    fn a_random_star_with_holes_is_filled_or_refused(star in star()) {
        match star.mesh() {
            Ok(mesh) => {
                holds(&mesh, star.holes.len());
                prop_assert_eq!(star.mesh().expect("a mesh"), mesh);
            }
            Err(fault) => {
                let message = fault.to_string();
                let known = ["cross", "lies", "angle of"].iter().any(|word| message.contains(word));
                prop_assert!(known && !star.holes.is_empty() || message.contains("angle of"), "{}", message);
            }
        }
    }
}
