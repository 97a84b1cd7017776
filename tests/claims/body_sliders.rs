//! Rigid bodies that slide beside what is hinged to them at the same point.

use crate::common::edit::Edit;
use crate::common::{Simulation, check, text};

/// A slider-crank at 20 turns per second whose slider of 1 kg is `slider`, held by `joint`.
fn crank(slider: &str, joint: &str) -> String {
    text("tests/models/driven_slider_crank")
        .edit(
            "left = [-1.0, 0.0]",
            "c0 = [0.33, -0.05]\nc1 = [0.45, -0.05]\nc2 = [0.45, 0.05]\nc3 = [0.33, 0.05]\nleft = [-1.0, 0.0]",
        )
        .edit(MASS, slider)
        .edit(ON_PATH, joint)
}

const MASS: &str = "[masses.b]\npoint = \"b\"\nmass = 1.0\n";
const ON_PATH: &str = "[joints.b]\ncylindrical = { slider = \"b\", path = [\"guide\"] }\n";

const EDGES: &str = r#"cells = [1, 1]
edges = [{ name = "bottom", from = "c0", to = "c1" }, { name = "right", from = "c1", to = "c2" },
{ name = "top", from = "c2", to = "c3" }, { name = "left", from = "c3", to = "c0" }]"#;

fn block(points: &str) -> String {
    format!(
        "[bodies.block]\nrigid = true\nmass = 1.0\ninertia = 0.002\npoints = [{points}]\n[bodies.block.patch]\n{EDGES}\n"
    )
}

const HINGE: &str = "[joints.h]\nhinge = { point = \"b\", release = [\"rod\"] }\n";
const PRISMATIC: &str =
    "[joints.b]\nprismatic = { slider = \"b\", path = [\"guide\"], member = \"block\" }\n";

/// Largest torque (N·m) and force on the guide (N) of the rigid slider-crank by inverse dynamics, after 0.3 s.
const RIGHT: [f64; 2] = [129.4166, 390.7735];

#[test]
fn a_rigid_body_slides_with_a_rod_hinged_at_the_same_point() {
    // The block does not turn: its torque and its force on the guide are those of a mass at its point.
    let masses = [
        ("a mass", MASS.to_string(), ON_PATH.to_string()),
        ("a block", block("\"b\""), format!("{HINGE}{PRISMATIC}")),
        ("joint before hinge", block("\"b\""), format!("{PRISMATIC}{HINGE}")),
    ];
    for (what, slider, joint) in masses {
        let mut sim = Simulation::of(&crank(&slider, &joint));
        let mut largest = [0.0_f64; 2];
        sim.run(0.3, 1e-3, |sim| {
            let seen = ["motions.o.reaction", "joints.b.normal_force"].map(|path| sim.get(path));
            (largest.iter_mut().zip(seen)).for_each(|(most, x)| *most = most.max(x.abs()));
        });
        for (seen, right) in largest.iter().zip(RIGHT) {
            assert!((seen - right).abs() < 1e-3 * right, "{what}: {seen}, right is {right}");
        }
    }
}

#[test]
fn what_is_no_slider_at_its_point_is_refused_by_name() {
    let elsewhere = PRISMATIC.replace("slider = \"b\"", "slider = \"a\"");
    let elsewhere = crank(&block("\"b\""), &format!("{HINGE}{elsewhere}"));
    let message = check(&elsewhere, &[]).expect_err("a block elsewhere");
    assert!(message.contains("rigid body `block` does not carry point `a`"), "{message}");
    let several = PRISMATIC.replace(", member = \"block\"", "");
    let several = crank(&block("\"b\""), &format!("{HINGE}{several}"));
    let message = check(&several, &[]).expect_err("two rotations");
    assert!(message.contains("say which with `member`: `rod`, `block`"), "{message}");
}
