//! Mesh files: what `coulisse check` asks about them, and what `coulisse mesh` prints.

use std::time::{Duration, Instant};

use crate::common::{folder, ok_in, project, refused, text};
use crate::mechanism::Mechanism;

/// The beam of `tests/meshes`, 1 m by 0.1 m, with its left end fixed and 1 N down on its right end.
pub fn beam(mesh: &str) -> String {
    Mechanism::new("beam")
        .step(0.5)
        .solver("analysis = 'quasi_static'")
        .entry("experiment", "stop_time = 1.0, communication_step = 0.5")
        .points("a = [0.0, 0.0]")
        .material("m", 1e9, 0.3, 1000.0)
        .body("b", "material = 'm', thickness = 0.01, state = 'plane_stress'")
        .then(mesh)
        .support("s", "edge = 'b.left', fix = ['x', 'y']")
        .load("f", "edge = 'b.right', qy = -10.0, history.ramp = { duration = 1.0 }")
        .outputs("points.b.tip.y")
        .text()
}

/// What a command prints about the beam.
pub fn said(name: &str, mesh: &str, command: &[&str]) -> String {
    let folder = folder(name);
    let file = project("tests/meshes/beam.msh");
    std::fs::copy(file, folder.join("beam.msh")).unwrap();
    std::fs::write(folder.join("beam.toml"), beam(mesh)).unwrap();
    let (task, arguments) = command.split_first().unwrap();
    ok_in(&folder, &[&[*task, "beam.toml"], arguments].concat())
}

#[test]
fn a_mesh_larger_than_100_m_is_asked_about() {
    for (scale, large) in [("1.0", false), ("99.0", false), ("100.0", true)] {
        let mesh = format!("mesh = {{ file = \"beam.msh\", scale = {scale} }}");
        let said = said("mesh_scale", &mesh, &["check"]);
        let asked = said.contains("if this one is in mm, write `mesh.scale = 0.001`");
        assert_eq!(asked, large, "{scale}: {said}");
    }
}

#[test]
fn linear_triangles_in_bending_are_warned_about_with_the_error_to_expect() {
    let file = "mesh = { file = \"beam.msh\" }";
    let warned = said("mesh_linear", file, &["check"]);
    let (_, rest) = warned.split_once("bodies.b has triangles of order 1, about ").expect(&warned);
    let factor: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    // P L³/3EI + 6/5 P L/GA.
    let (modulus, inertia, area) = (1e9, 0.01 * 1e-3 / 12.0, 1e-3);
    let exact = 1.0 / (3.0 * modulus * inertia) + 1.2 * 2.6 / (modulus * area);
    let table = said("mesh_linear_run", file, &["run"]);
    let row = table.lines().find(|line| line.contains("points.b.tip.y"));
    let tip: f64 = row.unwrap().split_whitespace().last().unwrap().parse().unwrap();
    let found = exact / (0.1 - tip);
    assert!((factor / found - 1.0).abs() < 0.05, "{factor} {found}");
    assert!(rest.contains("write `order = 3` in [bodies.b]"), "{rest}");
    let raised = format!("order = 2\n{file}");
    assert!(!said("mesh_raised", &raised, &["check"]).contains("too stiff"));
}

#[test]
fn the_error_of_a_linear_mesh_is_seen_by_its_order() {
    let told = said("mesh_converge", "mesh = { file = \"beam.msh\" }", &["converge"]);
    assert!(told.contains("order 1 → order 2"), "{told}");
    assert!(!told.contains("all outputs"), "{told}");
    let line = |begin: &str| {
        let found = told.lines().find(|line| line.trim().starts_with(begin));
        found.unwrap_or_else(|| panic!("{begin}: {told}")).to_string()
    };
    let last = told.lines().last().unwrap();
    let (_, parts) = last.split_once("`points.b.tip.y` is off most, by ").expect(&told);
    // The deflection is 31 % too small, as a share of the right one.
    let mesh = parts.split_once("mesh ").unwrap().1.trim_end_matches(')');
    let mesh: f64 = mesh.parse().unwrap();
    assert!((0.29..0.33).contains(&mesh), "{last}");
    assert!(
        line("the error of the mesh is below 0.01")
            .ends_with("bodies.b.order = 2 (the mesh order 2), finer than the file's")
    );
    let fine = said("mesh_converged", "order = 3\nmesh = { file = \"beam.msh\" }", &["converge"]);
    assert!(fine.contains("all outputs of the file as it is are within 0.01"), "{fine}");
    let highest = said("mesh_highest", "order = 4\nmesh = { file = \"beam.msh\" }", &["converge"]);
    assert!(
        highest.contains("its order the highest, 4; its error is not seen")
            && !highest.contains("all outputs"),
        "{highest}"
    );
}

#[test]
fn a_mesh_of_20000_triangles_is_read_measured_and_drawn_in_no_time() {
    let folder = folder("mesh_time");
    let body = "[patch]\ncells = [200, 50]\nedges = [{ name = \"bottom\", from = \"a\", to = \"b\" }, { name = \"right\", from = \"b\", \
                to = \"c\" }, { name = \"top\", from = \"c\", to = \"d\" }, { name = \"left\", from = \"d\", to = \"a\" }]";
    let head = "name = \"m\"\n[points]\na = [0.0, 0.0]\nb = [1.0, 0.0]\nc = [1.0, 0.2]\nd = [0.0, 0.2]\n[materials.m]\n\
                young_modulus = 1e9\npoisson_ratio = 0.3\ndensity = 1000.0\n[bodies.b]\nmaterial = \"m\"\nthickness = 0.01\n\
                state = \"plane_stress\"\norder = 1\n";
    let body = body.replace("[patch]", "[bodies.b.patch]");
    std::fs::write(folder.join("m.toml"), format!("{head}{body}\n")).unwrap();
    ok_in(&folder, &["mesh", "m.toml", "--msh", "m.msh"]);
    // No step: one would be proposed from eigenvalues, which takes a minute.
    let file = format!("{head}mesh.file = \"m.msh\"\n").replace("order = 1\n", "");
    std::fs::write(folder.join("file.toml"), file).unwrap();
    let begin = Instant::now();
    let said = ok_in(&folder, &["mesh", "file.toml", "--svg", "m.svg"]);
    assert!(said.contains("b: 20000 triangles of order 1"), "{said}");
    // Below 1 s in a release; beside other tests on a busy machine several.
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn a_file_that_a_model_names_is_no_model() {
    let folder = folder("no_model");
    for (name, what) in [("part.msh", "is a mesh"), ("load.CSV", "is a table")] {
        let file = folder.join(name);
        std::fs::write(&file, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n").unwrap();
        for command in ["mesh", "check", "run"] {
            let message = refused(&[command, text(&file)]);
            assert!(message.contains(what) && message.contains("name the model file"), "{message}");
            assert!(!message.contains("not TOML"), "{message}");
        }
    }
}
