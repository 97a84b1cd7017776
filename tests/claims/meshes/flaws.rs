//! What a mesh must not be.

use coulisse::mesh::{Mesh, Patch};

use super::straight;

/// The unit square in eight quadratic triangles.
fn square() -> Mesh {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let patch = Patch {
        order: 2,
        cells: [2, 2],
        sides: std::array::from_fn(|i| straight(corners[i], corners[(i + 1) % 4])),
        names: ["bottom", "right", "top", "left"].map(String::from),
        corners: [const { None }; 4],
    };
    patch.mesh().expect("a mesh")
}

type Damage = fn(&mut Mesh);

#[test]
fn every_flaw_of_a_mesh_is_found_with_its_place() {
    let flawed: [(Damage, &str); 10] = [
        (|mesh| mesh.nodes.push([2.0, 3.0]), "node 26 at (2, 3) m belongs to no triangle"),
        (|mesh| mesh.triangles[7] = 25, "triangle 2 names node 26 of 25"),
        (|mesh| mesh.nodes[3][1] = f64::NAN, "node 4 lies at (0.75, NaN), which is no position"),
        (|mesh| mesh.triangles.truncate(10), "2 triangles; allowed: 1 to 200000"),
        (
            |mesh| mesh.nodes[1] = [0.25, 0.3],
            "triangle 1 at (0.166667, 0.166667) m is turned inside out: its Jacobian decreases to -1.4 times that of the \
             straight triangle; allowed: above 0; make its curved edge flatter, or the triangles there smaller",
        ),
        (
            |mesh| mesh.triangles.swap(6, 7),
            "triangle 2 at (0.333333, 0.333333) m is flat or runs clockwise: its area is -0.125 m²; allowed: corners \
             counter-clockwise",
        ),
        (
            |mesh| {
                let first = mesh.triangles[..6].to_vec();
                mesh.triangles.extend(first);
            },
            "triangles 1 and 9 do not fit together at (0.25, 0) m: they lie on the same side of their common side, or \
             differ in its inner nodes, or a third one shares it",
        ),
        (
            |mesh| mesh.edges[1].nodes.reverse(),
            "edge `right` is no chain of sides of triangles with the body on its left at (1, 1) m",
        ),
        (
            |mesh| mesh.edges[1].closed = true,
            "edge `right` has 5 nodes; allowed: 2·k + 1, the last one the first one where it is closed",
        ),
        (
            |mesh| mesh.points = ["a", "b", "a"].map(|name| (name.to_string(), 0)).to_vec(),
            "two points are named `a`",
        ),
    ];
    for (damage, message) in flawed {
        let mut mesh = square();
        damage(&mut mesh);
        let flaw = mesh.check().expect_err(message);
        assert_eq!(flaw.to_string(), message);
    }
}
