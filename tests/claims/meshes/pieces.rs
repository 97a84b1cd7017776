//! Pieces of a mesh that no side of a triangle connects; `tests/meshes/write.py` makes the files.

use coulisse::mesh::pieces::Meeting;
use coulisse::mesh::{Mesh, gmsh};

use super::model;

fn read(name: &str) -> Mesh {
    let file = std::fs::read(format!("tests/meshes/{name}.msh")).expect("a file");
    gmsh::read(&file, &[]).expect("a mesh")
}

#[test]
fn squares_that_no_side_connects_are_two_pieces_of_known_size() {
    // Three nodes on the common side of squares of half a metre.
    for (name, second, meeting) in [
        ("apart", [2.0, 0.5], Meeting::Apart),
        ("beside", [1.5, 0.5], Meeting::Coincide(3, [1.0, 0.0])),
        ("corner", [1.5, 1.5], Meeting::Nodes(1, [1.0, 1.0])),
    ] {
        let mesh = read(name);
        let pieces = mesh.pieces();
        assert_eq!(pieces.count(), 2, "{name}");
        let sizes = [0, 1].map(|piece| pieces.size(piece));
        let triangles: usize = sizes.iter().map(|(triangles, _)| triangles).sum();
        assert_eq!(triangles, mesh.triangles().len());
        for ((_, moments), [x, y]) in sizes.iter().zip([[0.5, 0.5], second]) {
            let off =
                (moments.area - 1.0).abs() + (moments.centre[0] - x).hypot(moments.centre[1] - y);
            assert!(off < 1e-12, "{name}: {off}");
        }
        match (pieces.meeting(), meeting) {
            (Meeting::Coincide(count, [x, _]), Meeting::Coincide(wanted, _)) => {
                assert_eq!((count, x), (wanted, 1.0));
            }
            (seen, wanted) => assert_eq!(seen, wanted, "{name}"),
        }
    }
    let overlap = read("overlap");
    let Meeting::Overlap([x, y]) = overlap.pieces().meeting() else {
        panic!("{:?}", overlap.pieces().meeting());
    };
    assert!((0.5..1.0).contains(&x) && (0.0..1.0).contains(&y), "{x} {y}");
    for name in ["plate_1_41_text", "plate_4_41_text", "points"] {
        assert_eq!(read(name).pieces().count(), 1, "{name}");
    }
}

#[test]
fn pieces_are_one_body_where_their_number_is_stated_and_a_rigid_one_too() {
    for name in ["apart", "beside", "corner"] {
        let file = |more: &str| format!("file = \"{name}.msh\"{more}");
        let fault = model(&file(""), "").expect_err("two pieces").to_string();
        assert!(fault.contains("2 pieces that no side of a triangle connects"), "{fault}");
        assert!(fault.contains("state `pieces = 2` if they are one body"), "{fault}");
        let whole = model(&file(", pieces = 2"), "").expect("a body");
        let [mass, _] = whole.bodies[0].weight();
        assert!((mass - 2.0 * 10.0).abs() < 1e-9, "{mass}");
        assert!(model(&file(", pieces = 3"), "").is_err());
    }
    let overlap = "file = \"overlap.msh\", pieces = 2";
    let fault = model(overlap, "").expect_err("counted twice").to_string();
    assert!(fault.contains("which lie over each other"), "{fault}");
}
