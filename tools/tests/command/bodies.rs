//! Plane bodies in pictures, pages and files, as a user asks for them.

use std::path::Path;

use serde_json::Value;

use crate::common::{self, folder, project, text};
use crate::mechanism::Mechanism;
use crate::written::{array, data, decoded};

/// A strip that is drawn out by 1 mm: σ_xx = E ε with ν = 0, everywhere the same.
fn write(folder: &Path, order: usize, mesh: &str) -> String {
    let strip = Mechanism::new("strip")
        .step(1e-2)
        .solver("analysis = 'quasi_static'")
        .entry("experiment", "stop_time = 0.1, communication_step = 1e-2")
        .points("a = [0.0, 0.0], b = [2.0, 0.0], c = [2.0, 1.0], d = [0.0, 1.0], o = [1.0, 0.5]")
        .material("soft", 1e9, 0.0, 1000.0)
        .body("strip", "material = 'soft', thickness = 0.01, state = 'plane_stress'")
        .and(format!("order = {order}"))
        .add(mesh)
        .support("left", "edge = 'strip.left', fix = ['x', 'y']")
        .motion("right", "edge = 'strip.right', direction = 'x', amplitude = 1e-3")
        .and("history.ramp = { duration = 0.1, smooth = false }")
        .outputs("energy.strain")
        .text();
    let model = folder.join("strip.toml");
    std::fs::write(&model, strip).unwrap();
    text(&model).to_owned()
}

const EDGES: &str = r#"edges = [{ name = "bottom", from = "a", to = "b" }, { name = "right", from = "b", to = "c" },
{ name = "top", from = "c", to = "d" }, { name = "left", from = "d", to = "a" }]"#;

/// The strip in 4 × 2 cells.
pub fn strip(folder: &Path, order: usize) -> String {
    write(folder, order, &format!("[bodies.strip.patch]\ncells = [4, 2]\n{EDGES}"))
}

/// The strip with a round hole, triangles about `size` long.
pub fn plate(folder: &Path, order: usize, size: f64) -> String {
    let hole = r#"holes = [[{ name = "bore", circle = { center = "o", radius = 0.2 } }]]"#;
    write(folder, order, &format!("[bodies.strip.outline]\nsize = {size:?}\n{EDGES}\n{hole}"))
}

fn page(file: &Path) -> Value {
    data(&std::fs::read_to_string(file).unwrap())
}

fn stresses(film: &Value) -> Vec<f64> {
    let unit = film["stress"]["unit"].as_f64().unwrap();
    let values = film["stress"]["values"].as_str().unwrap();
    decoded(values, |pair| unit * f64::from(u16::from_le_bytes(pair)))
}

#[test]
fn a_page_colours_a_drawn_strip_by_its_stress_in_every_frame() {
    let folder = folder("strip_page");
    for order in [1, 2, 4] {
        let html = folder.join("page.html");
        common::ok(&["run", &strip(&folder, order), "--html", text(&html)]);
        let film = &page(&html)["animation"];
        let solid = &film["solids"][0];
        let nodes = solid["nodes"].as_array().unwrap().len();
        assert_eq!(nodes, (4 * order + 1) * (2 * order + 1));
        // Around it go 12 sides.
        let around = solid["loops"].as_array().unwrap();
        assert_eq!(around.len(), 1);
        assert_eq!(around[0].as_array().unwrap().len(), 12 * order + 1);
        assert_eq!(solid["inner"].as_array().unwrap().len(), 18);
        let stresses = stresses(film);
        let frames = film["rows"].as_array().unwrap().len();
        assert_eq!(stresses.len(), frames * nodes);
        for (frame, of_nodes) in stresses.chunks_exact(nodes).enumerate() {
            // Cauchy: F S with S = E (ε + ε²/2) in the unchanged cross-section.
            let strain = 5e-4 * frame as f64 / (frames - 1) as f64;
            let exact = 1e9 * (strain + 0.5 * strain * strain) * (1.0 + strain);
            for stress in of_nodes {
                // Half of 1/65535 of the largest.
                assert!((stress - exact).abs() < 8.0, "{order}, {frame}: {stress} {exact}");
            }
        }
    }
}

#[test]
#[ignore = "full tier, 10 s: a fine mesh"]
fn a_page_of_650_cubic_triangles_and_500_frames_is_smaller_than_20_mb() {
    let folder = folder("large_page");
    let html = folder.join("page.html");
    let model = plate(&folder, 3, 0.088);
    let arguments = ["--step", "2e-4", "--frames", "500", "--html", text(&html)];
    let output = common::call(&[&["run", &model], &arguments[..]].concat());
    assert!(output.status.success(), "{output:?}");
    let film = &page(&html)["animation"];
    let triangles = film["solids"][0]["triangles"].as_array().unwrap().len() / 10;
    assert!((600..700).contains(&triangles), "{triangles}");
    assert_eq!(film["solids"][0]["loops"].as_array().unwrap().len(), 2);
    assert!(film["rows"].as_array().unwrap().len() >= 500);
    let size = std::fs::metadata(html).unwrap().len();
    assert!(size < 20_000_000, "{size}");
}

#[test]
fn the_mesh_of_a_plate_with_a_hole_is_measured_drawn_and_written() {
    let folder = folder("mesh");
    let model = plate(&folder, 3, 0.2);
    let [msh, vtu, svg, png] = ["m.msh", "m.vtu", "m.svg", "m.png"].map(|name| folder.join(name));
    let files =
        ["--msh", text(&msh), "--vtu", text(&vtu), "--svg", text(&svg), "--png", text(&png)];
    let printed = common::ok(&[&["mesh", &model], &files[..]].concat());
    let number = |before: &str| -> f64 {
        let (_, rest) = printed.split_once(before).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    let pi = std::f64::consts::PI;
    let (plate, hole) = (2.0, 0.04 * pi);
    // Twelve cubic sides are longer than the circle by 1e-5 of it; six digits are printed.
    let close =
        |value: f64, exact: f64| assert!((value / exact - 1.0).abs() < 2e-5, "{value} {exact}");
    close(number("area: "), plate - hole);
    close(number("mass: "), 10.0 * (plate - hole));
    close(number("about it: "), 10.0 * (plate * 5.0 / 12.0 - hole * 0.04 / 2.0));
    assert!(printed.contains("centre of mass: (1, 0.5)"), "{printed}");
    let bore = printed.lines().find(|line| line.trim().starts_with("bore")).unwrap();
    let cells: Vec<&str> = bore.split_whitespace().collect();
    close(cells[2].parse().unwrap(), 0.4 * pi);
    assert_eq!(cells[3], "closed");
    let drawn = std::fs::read_to_string(svg).unwrap();
    let area = drawn.lines().find(|line| line.contains("evenodd")).unwrap();
    assert_eq!(area.matches('M').count(), 2, "outline and hole");
    assert!(drawn.contains("stroke-width=\"0.5\"") && drawn.contains(">bore<"));
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    let count: usize = printed.split_whitespace().nth(1).unwrap().parse().unwrap();
    let file = std::fs::read_to_string(vtu).unwrap();
    assert_eq!(array(&file, "types", |b: [u8; 1]| b[0]), vec![69; count]);
    // Read back, it is the same mesh.
    write(&folder, 3, "[bodies.strip]\nmesh = { file = \"m.msh\" }");
    let read = std::fs::read_to_string(&model).unwrap().replace("order = 3\n", "");
    std::fs::write(&model, read).unwrap();
    assert_eq!(common::ok(&["mesh", &model]), printed);
}

#[test]
fn meshes_that_are_not_there_are_refused_with_those_that_are() {
    let everything = project("tests/models/everything.toml");
    let printed = common::ok(&["mesh", &everything]);
    for name in ["plate", "disc", "shoe", "bracket"] {
        assert!(printed.contains(&format!("{name}: ")), "{name}");
    }
    assert_eq!(common::ok(&["mesh", &everything, "--body", "disc"]).matches("area").count(), 1);
    let message = common::refused(&["mesh", &everything, "--body", "disk"]);
    assert!(message.contains("no body `disk`; there are: "), "{message}");
    let message = common::refused(&["mesh", &everything, "--msh", "all.msh"]);
    assert!(message.contains("choose with --body one of: "), "{message}");
    let message = common::refused(&["mesh", &common::model("incline")]);
    assert!(message.contains("has no bodies"), "{message}");
}

#[test]
fn paraview_gets_triangles_with_displacement_velocity_and_stress() {
    let folder = folder("body_vtk");
    let film = folder.join("film");
    common::ok(&["run", &strip(&folder, 3), "--vtk", text(&film), "--frames", "11"]);
    let file = std::fs::read_to_string(film.join("strip_00010.vtu")).unwrap();
    assert_eq!(array(&file, "types", |b: [u8; 1]| b[0]), [69; 16]);
    assert_eq!(array(&file, "body", i32::from_le_bytes), [0; 16]);
    let corners = array(&file, "connectivity", i64::from_le_bytes);
    let doubles = |name| array(&file, name, f64::from_le_bytes);
    let (points, moved) = (doubles("Points"), doubles("displacement"));
    assert_eq!(points.len() / 3, 13 * 7);
    for (place, by) in points.chunks_exact(3).zip(moved.chunks_exact(3)) {
        assert!((by[0] - 5e-4 * (place[0] - by[0])).abs() < 1e-12);
    }
    // The first node of the first side stands a third of the way from the first corner to the second.
    for cell in corners.chunks_exact(10) {
        let x = |k: usize| points[3 * cell[k] as usize];
        assert!((x(3) - (2.0 * x(0) + x(1)) / 3.0).abs() < 1e-12);
        assert!((x(9) - (x(0) + x(1) + x(2)) / 3.0).abs() < 1e-12);
    }
    let exact = 1e9 * (5e-4 + 0.5 * 5e-4 * 5e-4) * (1.0 + 5e-4);
    for (stress, von_mises) in doubles("stress").chunks_exact(4).zip(doubles("von_mises")) {
        assert!((stress[0] - exact).abs() < 1.0 && stress[1].abs() < 1.0);
        assert!((von_mises - exact).abs() < 1.0);
    }
}

#[test]
fn every_kind_of_part_has_its_arrays_in_one_film() {
    let folder = folder("everything_vtk");
    let (film, html) = (folder.join("film"), folder.join("page.html"));
    let model = project("tests/models/everything.toml");
    let files = ["--vtk", text(&film), "--html", text(&html), "--frames", "2"];
    common::call(&[&["run", &model, "--stop", "0.01"], &files[..]].concat());
    let file = std::fs::read_to_string(film.join("everything_00000.vtu")).unwrap();
    let points = array(&file, "Points", f64::from_le_bytes).len() / 3;
    for (name, width) in [
        ("velocity", 3),
        ("rotation", 1),
        ("bending_moment", 1),
        ("contact_force", 3),
        ("von_mises", 1),
        ("stress", 4),
    ] {
        assert_eq!(array(&file, name, f64::from_le_bytes).len(), width * points, "{name}");
    }
    let body = array(&file, "body", i32::from_le_bytes);
    assert!((0..9).all(|id| body.contains(&id)) && body.contains(&-1));
    let ends = array(&file, "offsets", i64::from_le_bytes);
    let corners = array(&file, "connectivity", i64::from_le_bytes).len();
    assert_eq!((ends.len(), ends[ends.len() - 1]), (body.len(), corners as i64));
    assert_eq!(page(&html)["animation"]["solids"].as_array().unwrap().len(), 9);
}

#[test]
fn modes_show_bodies_by_their_edges() {
    let folder = folder("body_modes");
    let (svg, html) = (folder.join("modes.svg"), folder.join("modes.html"));
    let files = ["--svg", text(&svg), "--html", text(&html), "-n", "2"];
    common::ok(&[&["modes", &plate(&folder, 2, 0.3)], &files[..]].concat());
    let page = std::fs::read_to_string(html).unwrap();
    let (_, data) = page.split_once("const { modes, shapes } = ").unwrap();
    let data: Value = serde_json::from_str(data.split_once(";\n").unwrap().0).unwrap();
    let lines = &data["shapes"]["lines"];
    // Four sides and the hole, which ends where it begins.
    assert_eq!(lines.as_array().unwrap().len(), 5);
    let bore = lines.as_array().unwrap().iter().map(|line| line["rest"].as_array().unwrap());
    let closed = bore.filter(|rest| rest.first() == rest.last()).count();
    assert_eq!(closed, 1);
    assert!(std::fs::read_to_string(svg).unwrap().contains("mode 2: "));
}
