//! `coulisse modes`.

use std::path::{Path, PathBuf};

use crate::common::{self, call, folder, model, project};

fn ok(arguments: &[&str]) -> String {
    common::ok(&[&["modes"], arguments].concat())
}

fn written(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_building_of_the_paper_is_printed_written_drawn_and_moves() {
    let building = project("tests/models/building.toml");
    let files = ["-o", "building.csv", "--svg", "building.svg", "--html", "building.html"];
    let text = ok(&[&[building.as_str(), "-n", "11"], &files[..]].concat());
    // ω₁₁ is 133.98 rad/s in the paper; 5 % of damping is asked for in modes 1 and 11.
    let row = text.lines().find(|line| line.trim().starts_with("11 ")).unwrap();
    let cells: Vec<f64> =
        row.split_whitespace().take(5).map(|cell| cell.parse().unwrap()).collect();
    assert!((cells[1] / 133.98 - 1.0).abs() < 0.015, "{row}");
    assert!((cells[4] - 5.0).abs() < 1e-3, "{row}");
    assert!(text.contains("damping.frame: c_m = "), "{text}");
    let table = written("building.csv");
    assert_eq!(table.lines().count(), 12);
    let first: Vec<&str> = table.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((first.len(), first[1]), (15, "vibration"));
    assert_eq!(written("building.svg").matches("<title>mode ").count(), 11);
    let page = written("building.html");
    assert_eq!(page.matches(" Hz\"").count(), 11);
    assert!(!page.contains("{{") && !page.contains("http"), "the page stands alone");
}

/// A rigid body on a bushing over a fixed floor.
const BLOCK: &str = r#"
name = "block"
[points]
a = [0.0, 0.0]
b = [0.0, 0.5]
c = [1.0, 0.0]
[members.floor]
from = "a"
to = "c"
rigid = true
[supports.floor]
member = "floor"
fix = ["x", "y", "rotation"]
[bodies.block]
rigid = true
mass = 2.0
inertia = 0.1
center = "b"
points = ["b"]
[springs.mount]
from = "a"
to = "b"
[springs.mount.bushing]
stiffness = [100.0, 200.0, 30.0]
"#;

#[test]
fn a_rigid_body_is_what_moves_most() {
    let folder = folder("rigid_body");
    let file = folder.join("block.toml");
    std::fs::write(&file, BLOCK).unwrap();
    let shown = ok(&[file.to_str().unwrap()]);
    assert_eq!(shown.matches("body block").count(), 3, "{shown}");
}

#[test]
fn shapes_of_a_beam_are_sines_of_a_modal_mass_of_one() {
    let beam = model("beam_moving_load");
    ok(&[&beam, "--members", "beam", "-n", "3", "--shapes", "shapes.csv"]);
    let table = written("shapes.csv");
    let mut lines = table.lines();
    let head = "node,x,y,mode1 x,mode1 y,mode1 rotation,mode2 x,mode2 y";
    assert!(lines.next().unwrap().starts_with(head), "{table}");
    // Simply supported, 25 m long, 2,500 kg/m³ × 1.75 m²: φ = √(2/(ρAL)) sin(kπx/L). Shear and rotary inertia, which that leaves out, change
    // the second mode by (kπ h/L)² ≈ 1.6 %; its rotation by as much again.
    let scale = (2.0 / (2500.0 * 1.75 * 25.0_f64)).sqrt();
    let (mut nodes, mut signs) = (0, [0.0; 2]);
    for line in lines.filter(|line| line.starts_with("members.beam[")) {
        let cells: Vec<f64> = line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
        nodes += 1;
        for mode in 1..=2 {
            let k = f64::from(mode) * std::f64::consts::PI / 25.0;
            let at = 2 + 3 * (mode as usize - 1);
            let sign = &mut signs[mode as usize - 1];
            if nodes == 1 {
                *sign = cells[at + 2].signum();
            }
            let exact = [0.0, scale * (k * cells[0]).sin(), k * scale * (k * cells[0]).cos()];
            for (i, (exact, size)) in exact.into_iter().zip([scale, scale, k * scale]).enumerate() {
                let off = (*sign * cells[at + i] - exact).abs();
                assert!(off < 0.02 * size, "{line}: mode {mode}, {i}: {off} of {size}");
            }
        }
    }
    assert_eq!(nodes, 16);
}

#[test]
fn members_alone_are_the_bridge_without_the_mass_on_it() {
    let bridge = model("moving_mass_on_bridge");
    let text = ok(&[&bridge, "-n", "4", "--members", "span1,span2"]);
    for hertz in ["1.02579", "1.60176", "4.1043", "5.19317"] {
        assert!(text.contains(hertz), "{hertz} in\n{text}");
    }
    assert!(text.contains("mass 218750 kg"), "{text}");
    assert!(!text.contains("UNSTABLE"));
}

#[test]
fn what_does_not_vibrate_is_said_to_be_rigid_or_unstable() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let pendulum = |bob: f64| {
        format!(
            "name = \"pendulum\"\nsolver.step = 1e-3\ngravity.y = -9.81\n[points]\nhook = [0.0, 0.0]\n\
             bob = [0.0, {bob:?}]\n[materials.m]\nyoung_modulus = 1e12\npoisson_ratio = 0.0\ndensity = 0.0\n\
             [sections.s]\ncircle = {{ diameter = 0.01 }}\n[members.rod]\nfrom = \"hook\"\nto = \"bob\"\n\
             elements = 1\norder = 1\nmaterial = \"m\"\nsection = \"s\"\n[masses.bob]\npoint = \"bob\"\n\
             mass = 2.0\n[supports.hook]\npoint = \"hook\"\nfix = [\"x\", \"y\"]\n[interface]\n\
             outputs = [\"points.bob.x\"]\n"
        )
    };
    std::fs::write(folder.join("hangs.toml"), pendulum(-2.0)).unwrap();
    std::fs::write(folder.join("stands.toml"), pendulum(2.0)).unwrap();
    // Without its tension the rod resists nothing.
    let text = ok(&["hangs.toml", "-n", "1"]);
    assert!(text.contains("1 of them rigid"), "{text}");
    // √(g/L) = 2.21472 rad/s.
    let text = ok(&["hangs.toml", "-n", "1", "--at", "equilibrium"]);
    assert!(text.contains("2.2147"), "{text}");
    let text = ok(&["stands.toml", "-n", "1", "--at", "equilibrium"]);
    assert!(text.contains("grows e-fold in 0.4515"), "{text}");
    let text = ok(&["hangs.toml", "-n", "1", "--at-time", "0.01", "--set", "masses.bob.mass=5"]);
    assert!(text.contains("at t = 0.01 s") && text.contains("mass 5 kg"), "{text}");
}

#[test]
fn wrong_questions_are_refused_with_what_is_allowed() {
    let bridge = model("moving_mass_on_bridge");
    for (arguments, words) in [
        (vec!["-n", "0"], "-n is 0; allowed: from 1 to 1000"),
        (vec!["--members", "deck"], "no member or body `deck`; there are: span1, span2"),
        (vec!["--at-time", "-1"], "allowed: a finite number from 0 on"),
        (vec!["--set", "masses.wheels.mass=1"], "masses.wheel.mass"),
        (vec!["-o", "nowhere/table.csv"], "cannot be written"),
    ] {
        let output = call(&[&["modes", &bridge], &arguments[..]].concat());
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn modes_that_the_mesh_does_not_resolve_are_marked() {
    // (β L)² of a cantilever: with four cubic elements the third frequency is right, the sixth is off by a fifth.
    let beam = model("cantilever_rollup");
    let dynamic = ["--set", "members.beam.elements=4"];
    let text = ok(&[&[beam.as_str(), "-n", "6"], &dynamic[..]].concat());
    let marked = |mode: &str| {
        let row = text.lines().find(|line| line.trim_start().starts_with(mode)).unwrap();
        row.ends_with(" *")
    };
    assert!(!marked("3 ") && marked("6 "), "{text}");
    assert!(text.contains("* not resolved: "), "{text}");
}

#[test]
fn the_heading_says_whether_initial_forces_count() {
    let building = model("isolated_building_frame");
    let with = ok(&[&building, "-n", "1"]);
    assert!(with.contains("with the stiffness of initial forces (P-Delta)"), "{with}");
    let without = ok(&[&model("moving_mass_on_bridge"), "-n", "1"]);
    assert!(without.contains("without the stiffness of forces under loads (P-Delta)"), "{without}");
}

/// ω ∝ 1/√ρ where all mass is that of the material.
#[test]
fn frequencies_are_listed_over_a_number_of_the_file() {
    let folder = common::folder("modes_list");
    let [list, out] = ["list.csv", "out.csv"].map(|name| folder.join(name));
    std::fs::write(&list, "materials.steel.density\n7850\n31400\n").expect("a list");
    let [list, out] = [&list, &out].map(|path| common::text(path));
    let told = ok(&[&model("cantilever_rollup"), "-n", "2", "--list", list, "-o", out]);
    assert!(told.contains("mode 2, Hz"), "{told}");
    let rows = std::fs::read_to_string(out).expect("rows");
    let row = |k: usize| -> Vec<f64> {
        let cells = rows.lines().nth(k).expect("a row").split(',');
        cells.map(|cell| cell.parse().expect("a number")).collect()
    };
    for mode in [1, 2] {
        assert!((row(1)[mode] / row(2)[mode] - 2.0).abs() < 1e-9, "{rows}");
    }
}
