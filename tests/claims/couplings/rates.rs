//! Derivatives of couplings, and drives by their rates.

use super::{arms, cam, gears};
use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::sensitivity::{check, check_run, sharp};

#[test]
fn derivatives_of_couplings_are_those_of_differences() {
    let text = sharp(&gears(), 1e-13);
    check_run(&text, 0.3, &[("loads.motor.moment", 1.0)], 1e-6, 7);
}

#[test]
fn derivatives_by_what_drives_a_coupling_are_those_of_differences() {
    let driven = |law: &str, input: &str| {
        let text = arms()
            .edit("amplitude = 0.8\nhistory.sine = { frequency = 0.5, phase = \"pi/2\" }", law);
        let inputs = format!("[interface]\ninputs = [\"{input}\"]");
        // Differences are those of equal steps; where the drive is jerked, parts of a step do not reach these tolerances.
        let equal = text.edit("[solver]", "[solver]\nenergy_tolerance = 1e9");
        sharp(&equal.edit("[interface]", &inputs), 1e-13)
    };
    for (law, key, size) in [
        ("angle = 0.0", "angle", 1e-4),
        ("rate = 0.7", "rate", 1e-2),
        ("acceleration = 0.3", "acceleration", 0.1),
    ] {
        let input = format!("motions.motor.{key}");
        let text = driven(law, &input);
        let mut sim = Simulation::of(&text);
        for n in 1..=20 {
            sim.set(&input, 0.02 * f64::from(n));
            sim.step(0.01);
        }
        let sure = check(&sim, &text, 0.01, &[(&input, size)], 1e-5);
        println!("{key}: {sure} derivatives");
        assert!(sure >= 20, "{key}: {sure}");
    }
    let text = sharp(&cam(0.15, "dynamic"), 1e-13);
    let mut sim = Simulation::of(&text);
    sim.run(0.2, 0.01, |_| {});
    let sure = check(&sim, &text, 0.01, &[("loads.turn.moment", 0.1)], 1e-5);
    println!("cam: {sure} derivatives");
    assert!(sure >= 10, "{sure}");
}

#[test]
fn a_drive_by_its_rate_starts_with_it_and_keeps_its_angle_over_many_turns() {
    let text = arms()
        .edit(
            "amplitude = 0.8\nhistory.sine = { frequency = 0.5, phase = \"pi/2\" }",
            "rate = 31.0",
        )
        .edit("y = -9.81", "y = 0.0");
    let mut sim = Simulation::of(&text);
    assert!((sim.get("couplings.elbow.rate") - 31.0).abs() < 1e-12);
    sim.run(3.0, 0.01, |_| {});
    assert!((sim.get("couplings.elbow.angle") - 93.0).abs() < 1e-9);
    // Angular momentum about the shoulder is what the start has given it: nothing acts from outside but through the pivot.
    let work = sim.get("energy.input_work").abs();
    let balance = sim.get("energy.balance").abs();
    println!("balance {balance:e} J of {work} J");
    assert!(balance < 1e-2 * (work + sim.get("energy.kinetic")));
}
