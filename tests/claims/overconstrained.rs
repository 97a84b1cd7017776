//! Redundant constraints are named, with the supports among them.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::refusal;

/// A rigid bar on a pivot that carries a slider of a Scott-Russell linkage, whose end goes straight up by itself: the bar is level
/// already when a support fixes its rotation.
fn level() -> String {
    Mechanism::new("level")
        .step(1e-3)
        .points("pivot = [-1.0, 0.4], end = [1.0, 0.4], O = [0.0, 0.0], C = [0.3, 0.2]")
        .and("B = [0.6, 0.0], A = [0.0, 0.4], left = [-1.0, 0.0], right = [2.0, 0.0]")
        .member("bar", ["pivot", "end"], "rigid = true, mass = 5.0, inertia = 0.4")
        .member("short", ["O", "C"], "rigid = true, mass = 1.0, inertia = 0.02")
        .member("low", ["B", "C"], "rigid = true, mass = 1.0, inertia = 0.02")
        .member("up", ["C", "A"], "rigid = true, mass = 1.0, inertia = 0.02")
        .guide("ground", ["left", "right"], "elements = 1, order = 1")
        .joint("C", "hinge = { point = 'C', release = ['short'] }")
        .slider("B", "B", "ground", "")
        .slider("A", "A", "bar", "")
        .pin("O")
        .pin("pivot")
        .support("bar", "point = 'pivot', member = 'bar', fix = ['rotation']")
        .motion("B", "point = 'B', direction = 'x', displacement = 0.0")
        .gravity(-9.81)
        .text()
}

const LEVEL_SUPPORT: &str =
    "[supports.bar]\npoint = \"pivot\"\nmember = \"bar\"\nfix = [\"rotation\"]\n";

#[test]
fn supports_among_redundant_constraints_are_named_in_dynamics_and_in_statics() {
    let equilibrium = level().edit("[gravity]", "[initial]\nequilibrium = true\n[gravity]");
    for text in [&level(), &equilibrium] {
        let said = refusal(text);
        println!("{said}");
        for part in ["redundant constraint", "supports.bar (rotation)", "joints.A", "motions.B"] {
            assert!(said.contains(part), "{said}");
        }
        assert!(!said.contains("rigid-body mode"), "{said}");
    }
    // Without that support it is determinate.
    let released = level().edit(LEVEL_SUPPORT, "");
    crate::common::Simulation::of(&released).step(1e-3);
}

#[test]
fn a_redundant_coupling_of_elastic_members_is_no_rigid_body_mode_of_the_platform_that_they_carry() {
    let lift = level()
        .edit(
            "[motions.B]",
            "[couplings.again]\ndriven = { to = \"B\", direction = \"x\" }\n\
             [motions.again]\ncoupling = \"again\"\ndisplacement = 0.0\n[motions.B]",
        )
        .edit(
            "to = \"C\"\nrigid = true\nmass = 1.0\ninertia = 0.02\n[members.low]",
            "to = \"C\"\nelements = 2\nmaterial = \"steel\"\nsection = \"arm\"\n[members.low]",
        )
        .edit(LEVEL_SUPPORT, "");
    let lift = Mechanism::part()
        .add(lift)
        .material("steel", 2e11, 0.3, 7800.0)
        .rectangle("arm", 0.06, 0.02)
        .entry("initial", "equilibrium = true")
        .text();
    let said = refusal(&lift);
    println!("{said}");
    assert!(said.contains("motions.again, motions.B and couplings.again constrain"), "{said}");
}
