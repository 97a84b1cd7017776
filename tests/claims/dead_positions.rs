//! Positions beyond which a motion can drive nothing, and members that lack the hinges to move: what is said of them.

use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// A crank of 0.15 m at 4π rad/s, a coupler of 0.2 m, a rocker of 0.18 m on bearings 0.4 m apart: the crank cannot turn fully.
fn four_bar(hinges: &[(&str, &str)]) -> Mechanism {
    let along = (0.25 * 0.25 + 0.2 * 0.2 - 0.18 * 0.18) / 0.5;
    let (x, y) = (0.15 + along, f64::sqrt(0.2 * 0.2 - along * along));
    let bar = |length: f64| {
        let (mass, inertia) = (2.0 * length, 2.0 * length * length * length / 12.0);
        format!("rigid = true, mass = {mass:?}, inertia = {inertia:?}")
    };
    let file = Mechanism::new("four_bar")
        .step(1e-3)
        .points(format!("O = [0.0, 0.0], A = [0.15, 0.0], B = [{x:?}, {y:?}], C = [0.4, 0.0]"))
        .member("crank", ["O", "A"], bar(0.15))
        .member("coupler", ["A", "B"], bar(0.2))
        .member("rocker", ["B", "C"], bar(0.18))
        .pin("O")
        .pin("C")
        .gravity(-9.81)
        .entry("initial", "velocities = 'rigid_mechanism'");
    let add = |file: Mechanism, (name, keys): &(&str, &str)| file.joint(name, *keys);
    let file = hinges.iter().fold(file, add);
    file.outputs("points.*")
}

const CRANK: &str = "point = 'O', direction = 'rotation', rate = '4*pi'";

#[test]
fn a_crank_that_cannot_turn_fully_is_said_to_be_at_a_dead_position() {
    let with_friction = "hinge = { point = 'B', release = ['coupler'], radius = 0.01 }, friction.coulomb.coefficient = 0.2";
    // Coupler and rocker are in line where A and C are 0.38 m apart.
    let angle = ((0.15_f64.powi(2) + 0.4 * 0.4 - 0.38 * 0.38) / (2.0 * 0.15 * 0.4)).acos();
    let time = angle / (4.0 * std::f64::consts::PI);
    for hinge in ["hinge = { point = 'B' }", with_friction] {
        let file = four_bar(&[("A", "hinge = { point = 'A' }"), ("B", hinge)]);
        let mut sim = Simulation::of(&file.motion("crank", CRANK).text());
        let said = (0..100).find_map(|k| sim.try_step(2e-3 * k as f64, 2e-3).err());
        let said = said.expect("a dead position");
        println!("{said}");
        assert!((sim.time() - time).abs() < 2e-3, "{} {time}", sim.time());
        for word in [
            "dead position",
            "member `coupler`",
            "member `rocker`",
            "motions.crank",
            "out of reach",
        ] {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert!(!said.contains("jams") && !said.contains("Newton"), "{said}");
    }
}

#[test]
fn rigid_members_that_lack_hinges_are_asked_for_them() {
    let driven = common::refusal(&four_bar(&[]).motion("crank", CRANK).text());
    assert!(driven.contains("is a hinge missing at `A`, `B`?"), "{driven}");
    // Without a motion it is the joint whose moment the loop needs: A lies between the bearings.
    let held = common::refusal(&four_bar(&[]).text());
    assert!(held.contains("is a hinge missing at `B`?"), "{held}");
    // One hinge is not enough, and the other is asked for.
    let one = four_bar(&[("A", "hinge = { point = 'A' }")]).motion("crank", CRANK);
    let said = common::refusal(&one.text());
    assert!(said.contains("is a hinge missing at `B`?"), "{said}");
}
