//! Redundant constraints are named, with the supports among them.

use crate::common::edit::Edit;
use crate::common::refusal;

/// A rigid bar on a pivot that carries a slider of a Scott-Russell linkage, whose end goes straight up by itself: the bar is level
/// already when a support fixes its rotation.
const LEVEL: &str = r#"
name = "level"
solver.step = 1e-3
[points]
pivot = [-1.0, 0.4]
end = [1.0, 0.4]
O = [0.0, 0.0]
C = [0.3, 0.2]
B = [0.6, 0.0]
A = [0.0, 0.4]
left = [-1.0, 0.0]
right = [2.0, 0.0]
[members]
bar = { from = "pivot", to = "end", rigid = true, mass = 5.0, inertia = 0.4 }
short = { from = "O", to = "C", rigid = true, mass = 1.0, inertia = 0.02 }
low = { from = "B", to = "C", rigid = true, mass = 1.0, inertia = 0.02 }
up = { from = "C", to = "A", rigid = true, mass = 1.0, inertia = 0.02 }
ground = { from = "left", to = "right", elements = 1, order = 1 }
[joints]
C = { hinge = { point = "C", release = ["short"] } }
B = { cylindrical = { slider = "B", path = ["ground"] } }
A = { cylindrical = { slider = "A", path = ["bar"] } }
[supports]
O = { point = "O", fix = ["x", "y"] }
ground = { member = "ground", fix = ["x", "y", "rotation"] }
pivot = { point = "pivot", fix = ["x", "y"] }
bar = { point = "pivot", member = "bar", fix = ["rotation"] }
[motions]
B = { point = "B", direction = "x", displacement = 0.0 }
[gravity]
y = -9.81
"#;

#[test]
fn supports_among_redundant_constraints_are_named_in_dynamics_and_in_statics() {
    let equilibrium = LEVEL.edit("[gravity]", "[initial]\nequilibrium = true\n[gravity]");
    for text in [LEVEL, &equilibrium] {
        let said = refusal(text);
        println!("{said}");
        for part in ["redundant constraint", "supports.bar (rotation)", "joints.A", "motions.B"] {
            assert!(said.contains(part), "{said}");
        }
        assert!(!said.contains("rigid-body mode"), "{said}");
    }
    // Without that support it is determinate.
    let released =
        LEVEL.edit("bar = { point = \"pivot\", member = \"bar\", fix = [\"rotation\"] }\n", "");
    crate::common::Simulation::of(&released).step(1e-3);
}

#[test]
fn a_redundant_coupling_of_elastic_members_is_no_rigid_body_mode_of_the_platform_that_they_carry() {
    let lift = LEVEL
        .edit("[motions]", "[couplings]\nagain = { driven = { to = \"B\", direction = \"x\" } }\n[motions]\nagain = { coupling = \"again\", displacement = 0.0 }")
        .edit("short = { from = \"O\", to = \"C\", rigid = true, mass = 1.0, inertia = 0.02 }", "short = { from = \"O\", to = \"C\", elements = 2, material = \"steel\", section = \"arm\" }")
        .edit("[members]", "[materials.steel]\nyoung_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7800.0\n[sections.arm]\nrectangle = { height = 0.06, width = 0.02 }\n[initial]\nequilibrium = true\n[members]")
        .edit("bar = { point = \"pivot\", member = \"bar\", fix = [\"rotation\"] }\n", "");
    let said = refusal(&lift);
    println!("{said}");
    assert!(said.contains("motions.again, motions.B and couplings.again constrain"), "{said}");
}
