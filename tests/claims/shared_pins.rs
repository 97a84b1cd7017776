//! Groups of members that turn together on one pin.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};

fn refused(text: &str) -> String {
    check(text, &[]).expect_err("refused")
}

/// A scissor of two continuous arms that cross in one pin; each of the upper ends carries 100 N.
fn scissor(release: &str) -> String {
    Mechanism::new("scissor")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0], b = [0.8, 0.0], m = [0.4, 0.15], c = [0.0, 0.3]")
        .and("d = [0.8, 0.3]")
        .material("stiff", 1e15, 0.3, 0.0)
        .rectangle("arm", 0.06, 0.02)
        .member("a1", ["a", "m"], "elements = 2, material = 'stiff', section = 'arm'")
        .member("a2", ["m", "d"], "elements = 2, material = 'stiff', section = 'arm'")
        .member("b1", ["b", "m"], "elements = 2, material = 'stiff', section = 'arm'")
        .member("b2", ["m", "c"], "elements = 2, material = 'stiff', section = 'arm'")
        .joint("m", format!("hinge = {{ point = 'm', release = {release} }}"))
        .pin("a")
        .roller("b")
        .motion("actuator", "point = 'b', direction = 'x', displacement = 0.0")
        .load("c", "point = 'c', fy = -100.0")
        .load("d", "point = 'd', fy = -100.0")
        .outputs("motions.* members.*")
        .text()
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
