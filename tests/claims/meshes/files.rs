//! What a model makes of a mesh file; `tests/meshes/write.py` makes the files.

use std::collections::BTreeSet;

use coulisse::mesh::{Mesh, gmsh};
use coulisse::model::Model;

use super::model;
use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// The tip of the beam, 1 m by 0.1 m by 0.01 m of E = 1 GPa, ν = 0.3, under 1 N across its end, m.
fn deflection(mesh: &str) -> f64 {
    let more = format!(
        "{mesh}\n[loads.f]\nedge = \"b.right\"\nqy = -10.0\n[interface]\noutputs = [\"points.b.tip.y\"]"
    );
    let mut beam = Simulation::built(&model("file = \"beam.msh\"", &more).expect("a beam"));
    beam.run(1.0, 0.5, |_| {});
    0.1 - beam.get("points.b.tip.y")
}

#[test]
fn a_linear_mesh_of_higher_order_bends_as_a_beam_does() {
    // P L³/3EI + 6/5 P L/GA; the clamped end keeps its width, which takes less than half a percent.
    let (modulus, inertia, shear) = (1e9, 0.01 * 1e-3 / 12.0, 1e9 / 2.6);
    let exact = 1.0 / (3.0 * modulus * inertia) + 1.2 / (shear * 1e-3);
    let [linear, square, cubic, quartic] =
        ["", "order = 2", "order = 3", "order = 4"].map(deflection);
    assert!(linear < 0.78 * exact, "{linear} {exact}");
    for (of, deflection) in [(2, square), (3, cubic), (4, quartic)] {
        let off = deflection / exact - 1.0;
        assert!(off.abs() < 5e-3, "order {of}: {off}");
    }
}

#[test]
fn a_raised_mesh_has_the_same_shape_edges_and_points() {
    for (own, form) in (1..=4).flat_map(|order| ["41_text", "22_binary"].map(|form| (order, form)))
    {
        let file = std::fs::read(format!("tests/meshes/plate_{own}_{form}.msh")).expect("a file");
        let mesh = gmsh::read(&file, &[]).expect("a mesh");
        for order in own..=4 {
            let raised = mesh.raised(order);
            assert_eq!(raised.check(), Ok(()), "{own} → {order}");
            let (sides, corners) = (mesh.edges.len(), mesh.triangles().len());
            assert_eq!((raised.edges.len(), raised.triangles().len()), (sides, corners));
            let [before, after] = [&mesh, &raised].map(|mesh| mesh.moments());
            assert!((after.area / before.area - 1.0).abs() < 1e-13);
            assert!((after.polar / before.polar - 1.0).abs() < 1e-13);
            for (edge, old) in raised.edges.iter().zip(&mesh.edges) {
                assert_eq!((&edge.name, edge.closed), (&old.name, old.closed));
                let first =
                    [(&raised, edge), (&mesh, old)].map(|(mesh, edge)| mesh.nodes[edge.nodes[0]]);
                assert_eq!(first[0], first[1]);
            }
            for ((name, node), (its, old)) in raised.points.iter().zip(&mesh.points) {
                assert_eq!((name, raised.nodes[*node]), (its, mesh.nodes[*old]));
            }
            // By Euler's formula a plate with one hole has as many corners as sides less triangles.
            let (sides, triangles) = (sides_of(&mesh), mesh.triangles().len());
            let inner = (order - 1) * (order.max(2) - 2) / 2;
            let nodes = sides - triangles + (order - 1) * sides + inner * triangles;
            assert_eq!(raised.nodes.len(), nodes, "{own} → {order}");
        }
    }
}

/// How many sides the triangles have, one that two share counted once.
fn sides_of(mesh: &Mesh) -> usize {
    let ends = |nodes: &[usize]| [[0, 1], [1, 2], [2, 0]].map(|ends| ends.map(|i| nodes[i]));
    let all = mesh.triangles().flat_map(ends);
    let all: BTreeSet<[usize; 2]> = all.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    all.len()
}

#[test]
fn a_model_may_have_the_points_of_its_mesh_alone() {
    for (loaded, output, wanted, allowed) in [
        ("point = \"b.tip\"\nfx = 100.0", "points.b.tip.x", 4e-4, 0.1),
        ("edge = \"b.right\"\nqx = 1000.0", "probes.end.x", 1e-4, 0.01),
    ] {
        let text = Mechanism::new("mesh")
            .step(0.5)
            .solver("analysis = 'quasi_static'")
            .material("m", 1e9, 0.3, 1000.0)
            .body("b", "material = 'm', thickness = 0.01, state = 'plane_stress', order = 3")
            .and("mesh.file = 'beam.msh'")
            .support("left", "edge = 'b.left', fix = ['x', 'y']")
            .load("f", loaded)
            .probe("end", "edge_place = { edge = 'b.right', fraction = 0.5 }")
            .entry("interface", format!("outputs = ['{output}', 'supports.left.fx']"))
            .text();
        let data = |name: &str| std::fs::read(format!("tests/meshes/{name}"));
        let model = Model::parse(&text, "model.toml", &data).and_then(|model| model.check());
        let mut beam = Simulation::built(&model.expect("a beam"));
        beam.run(0.5, 0.5, |_| {});
        assert!((beam.get("supports.left.fx") + 100.0).abs() < 1e-6);
        // F L/EA, and of the force at the corner e² F L/EI from its moment and a little from its place.
        let stretch = beam.get(output) - 1.0;
        assert!((stretch / wanted - 1.0).abs() < allowed, "{output}: {stretch}");
    }
}

#[test]
fn a_mesh_in_millimetres_is_scaled_with_its_points_and_edges() {
    let text = |scale: &str| format!("file = \"points.msh\", scale = {scale}");
    let small = model(&text("1e-3"), "").expect("a body");
    let [mass, inertia] = small.bodies[0].weight();
    let exact = 1000.0 * 0.01 * 1e-6;
    assert!((mass / exact - 1.0).abs() < 1e-12, "{mass}");
    assert!((inertia / (exact * 1e-6 / 6.0) - 1.0).abs() < 1e-12, "{inertia}");
    let tip = small.points.iter().find(|point| point.name == "b.tip");
    assert_eq!(tip.expect("a point").position, [1e-3, 1e-3]);
    let mesh = &small.bodies[0].mesh;
    let left = &super::edge(mesh, "left").nodes;
    assert_eq!(mesh.nodes[left[0]], [0.0, 1e-3]);
    assert!(model(&text("0.0"), "").is_err());
}
