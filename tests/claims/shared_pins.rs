//! Groups of members that turn together on one pin.

use crate::common::{Simulation, check};

fn refused(text: &str) -> String {
    check(text, &[]).expect_err("refused")
}

/// A scissor of two continuous arms that cross in one pin; each of the upper ends carries 100 N.
fn scissor(release: &str) -> String {
    format!(
        r#"
name = "scissor"
[solver]
analysis = "quasi_static"
step = 0.1
[points]
a = [0.0, 0.0]
b = [0.8, 0.0]
m = [0.4, 0.15]
c = [0.0, 0.3]
d = [0.8, 0.3]
[materials.stiff]
young_modulus = 1e15
poisson_ratio = 0.3
density = 0.0
[sections.arm]
rectangle = {{ height = 0.06, width = 0.02 }}
[members]
a1 = {{ from = "a", to = "m", elements = 2, material = "stiff", section = "arm" }}
a2 = {{ from = "m", to = "d", elements = 2, material = "stiff", section = "arm" }}
b1 = {{ from = "b", to = "m", elements = 2, material = "stiff", section = "arm" }}
b2 = {{ from = "m", to = "c", elements = 2, material = "stiff", section = "arm" }}
[joints.m]
hinge = {{ point = "m", release = {release} }}
[supports]
a = {{ point = "a", fix = ["x", "y"] }}
b = {{ point = "b", fix = ["y"] }}
[motions.actuator]
point = "b"
direction = "x"
displacement = 0.0
[loads]
c = {{ point = "c", fy = -100.0 }}
d = {{ point = "d", fy = -100.0 }}
[interface]
outputs = ["motions.*", "members.*"]
"#
    )
}

#[test]
fn two_continuous_arms_that_cross_in_one_pin_need_one_hinge() {
    for release in [r#"[["b1", "b2"]]"#, r#"[["b1", "b2"], ["a2", "a1"]]"#] {
        let mut sim = Simulation::of(&scissor(release));
        sim.step(0.1);
        // Moments of one arm about the pin: the actuator pushes with 2 w P/h; stiff arms bend by nothing.
        let right = -2.0 * 0.8 * 100.0 / 0.3;
        let found = sim.get("motions.actuator.reaction");
        assert!((found - right).abs() < 1e-5 * right.abs(), "{release}: {found} {right}");
        // Each half carries the moment P w/2 of its load about the pin, which passes on within the arm.
        for member in ["a1", "b1"] {
            let moment = sim.get(&format!("members.{member}.to.moment"));
            assert!((moment.abs() - 40.0).abs() < 1e-3, "{member}: {moment}");
        }
    }
    for (release, says) in [
        (r#"[["b1", "b2", "a1", "a2"]]"#, "are one group"),
        (r#"[["b1", "b2"], "b2"]"#, "`b2` is in two groups"),
        (r#"[["b1", "c"]]"#, "`c` is a point"),
    ] {
        let said = refused(&scissor(release));
        assert!(said.contains(says), "{release}: {said}");
    }
}
