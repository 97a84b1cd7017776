//! How far linear triangles are too stiff in bending, as `coulisse check` expects it.

use coulisse::model::{Checked, Model};

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A body of linear triangles or of order 4 that is fixed at one end and loaded across the other, in plane stress unless `strain`.
fn model(shape: &str, points: &str, (order, ratio, state): (usize, f64, &str)) -> Checked {
    let text = Mechanism::new("bending")
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .material("m", 1e9, ratio, 1000.0)
        .points(points)
        .body("b", format!("material = 'm', thickness = 1.0, state = '{state}'"))
        .and(format!("order = {order}, {shape}"))
        .support("left", "edge = 'b.left', fix = ['x', 'y']")
        .load("f", "edge = 'b.right', qy = -1.0")
        .probe("tip", "edge_place = { edge = 'b.right', fraction = 0.5 }")
        .outputs("probes.tip.y")
        .text();
    let data = |name: &str| std::fs::read(format!("tests/meshes/{name}"));
    let model = Model::parse(&text, "model.toml", &data).and_then(|model| model.check());
    model.unwrap_or_else(|faults| panic!("{faults}"))
}

/// The excess of the stiffness of the triangles as found by computation, and as expected.
fn excess(shape: &str, points: &str, ratio: f64, state: &str) -> [f64; 2] {
    let deflection = |order: usize| {
        let checked = model(shape, points, (order, ratio, state));
        let mut body = Simulation::built(&checked);
        let before = checked.places[0].position[1];
        body.run(1.0, 1.0, |_| {});
        (before - body.get("probes.tip.y"), checked)
    };
    let ((linear, checked), (exact, _)) = (deflection(1), deflection(4));
    let contraction = match state {
        "plane_stress" => ratio,
        _ => ratio / (1.0 - ratio),
    };
    let expected = checked.bodies[0].mesh.excess_in_bending(contraction);
    [exact / linear - 1.0, expected]
}

const STRAIGHT: &str = "a = [0.0, 0.0]\nb = [1.0, 0.0]\nc = [1.0, 0.1]\nd = [0.0, 0.1]";

/// A strip of width 0.1 along a quarter of a circle of radius 1.
const RING: &str = "a = [0.0, 0.95]\nb = [0.95, 0.0]\nc = [1.05, 0.0]\nd = [0.0, 1.05]";

/// Two arms of width 0.1 at a right angle.
const ANGLE: &str = "a = [0.0, 0.0]\nb = [0.1, 0.0]\ne = [0.1, 0.9]\nf = [1.0, 0.9]\nc = [1.0, 1.0]\nd = [0.0, 1.0]";

#[test]
fn the_excess_of_linear_triangles_in_bending_is_the_expected_one() {
    let grid = |cells: [usize; 2]| {
        format!(
            r#"patch.cells = {cells:?}
patch.edges = [{{ name = "bottom", from = "a", to = "b" }}, {{ name = "right", from = "b", to = "c" }},
{{ name = "top", from = "c", to = "d" }}, {{ name = "left", from = "d", to = "a" }}]"#
        )
    };
    let ring = |cells: [usize; 2]| {
        format!(
            r#"patch.cells = {cells:?}
patch.edges = [{{ name = "inner", from = "a", to = "b", arc.angle = -1.5707963 }}, {{ name = "right", from = "b", to = "c" }},
{{ name = "outer", from = "c", to = "d", arc.angle = 1.5707963 }}, {{ name = "left", from = "d", to = "a" }}]"#
        )
    };
    let inside = |size: f64| {
        format!(
            r#"outline.size = {size}
outline.edges = [{{ name = "bottom", from = "a", to = "b" }}, {{ name = "right", from = "b", to = "c" }},
{{ name = "top", from = "c", to = "d" }}, {{ name = "left", from = "d", to = "a" }}]"#
        )
    };
    let angle = r#"outline.size = 0.03
outline.edges = [{ name = "left", from = "a", to = "b" }, { name = "i", from = "b", to = "e" }, { name = "ii", from = "e", to = "f" },
{ name = "right", from = "f", to = "c" }, { name = "iii", from = "c", to = "d" }, { name = "iv", from = "d", to = "a" }]"#;
    for (shape, points, ratio, state) in [
        (grid([20, 2]), STRAIGHT, 0.3, "plane_stress"),
        (grid([20, 4]), STRAIGHT, 0.0, "plane_stress"),
        (grid([40, 3]), STRAIGHT, 0.4, "plane_strain"),
        (inside(0.05), STRAIGHT, 0.3, "plane_stress"),
        (inside(0.025), STRAIGHT, 0.3, "plane_strain"),
        (ring([32, 2]), RING, 0.3, "plane_stress"),
        (ring([48, 4]), RING, 0.3, "plane_stress"),
        (angle.to_string(), ANGLE, 0.3, "plane_stress"),
    ] {
        let [found, expected] = excess(&shape, points, ratio, state);
        println!("{found:.4} {expected:.4} {:.3}", expected / found);
        assert!((0.75..1.25).contains(&(expected / found)), "{shape}: {found} {expected}");
    }
}
