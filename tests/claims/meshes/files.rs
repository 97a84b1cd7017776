//! What a model makes of a mesh file; `tests/meshes/write.py` makes the files.

use super::model;

#[test]
fn a_mesh_in_millimetres_is_scaled_with_its_points_and_edges() {
    let text = |scale: &str| format!("file = \"points.msh\", scale = {scale}");
    let small = model(&text("1e-3"), "").expect("a body");
    let [mass, inertia] = small.bodies[0].weight();
    let exact = 1000.0 * 0.01 * 1e-6;
    assert!((mass / exact - 1.0).abs() < 1e-12, "{mass}");
    assert!(
        (inertia / (exact * 1e-6 / 6.0) - 1.0).abs() < 1e-12,
        "{inertia}"
    );
    let tip = small.points.iter().find(|point| point.name == "b.tip");
    assert_eq!(tip.expect("a point").position, [1e-3, 1e-3]);
    let mesh = &small.bodies[0].mesh;
    let left = &super::edge(mesh, "left").nodes;
    assert_eq!(mesh.nodes[left[0]], [0.0, 1e-3]);
    assert!(model(&text("0.0"), "").is_err());
}
