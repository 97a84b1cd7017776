//! Models that are too large are refused in words.

use crate::common::refusal;

#[test]
fn a_body_whose_matrix_has_no_room_is_refused_with_its_size() {
    let text = r#"
        name = "plate"
        solver.step = 1e-3
        [points]
        a = [0.0, 0.0]
        b = [1.0, 0.0]
        c = [1.0, 1.0]
        d = [0.0, 1.0]
        [materials.steel]
        young_modulus = 210e9
        poisson_ratio = 0.3
        density = 7850.0
        [bodies.plate]
        material = "steel"
        thickness = 0.02
        state = "plane_stress"
        order = 4
        [bodies.plate.patch]
        cells = [170, 170]
        edges = [
          { name = "bottom", from = "a", to = "b" },
          { name = "right", from = "b", to = "c" },
          { name = "top", from = "c", to = "d" },
          { name = "left", from = "d", to = "a" },
        ]
        [supports.clamp]
        edge = "plate.left"
        fix = ["x", "y"]
        [interface]
        outputs = ["points.c.y"]
    "#;
    let message = refusal(text);
    // 681 nodes on each side, of two coordinates each.
    for said in ["927522 equations", "5.2e7 entries", "5e7", "fewer elements"] {
        assert!(message.contains(said), "{message}");
    }
}
