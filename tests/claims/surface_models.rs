//! Bundled models of surfaces in guides do what their headers say.

use std::time::Instant;

use coulisse::joints::regime::Sense;
use coulisse::sliding::sliding;
use coulisse::system::System;

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, bundled, check, tier};

/// What the energy balance leaves, by the work put in.
fn unexplained(sim: &Simulation) -> f64 {
    sim.get("energy.balance").abs() / sim.get("energy.input_work")
}

/// Table B of an independent implementation with eight-node elements: 2.650 m/s², and 7.290 m/s² between rigid corners.
#[test]
fn the_bundled_slider_accelerates_as_the_table_says() {
    let mut sim = Simulation::bundled("slider_in_guide", &[]);
    sim.run(0.1, 1e-2, |_| ());
    let before = sim.get("points.middle.vx");
    sim.run(0.2, 1e-2, |_| ());
    let found = (sim.get("points.middle.vx") - before) / 0.1;
    println!("{found} m/s², left {:e}", unexplained(&sim));
    assert!((found - 2.650).abs() < 5e-3 * 1500.0 / 125.6, "{found}");
    assert!(unexplained(&sim) < 1e-3);
    assert_eq!(sim.get("contacts.guide.sides"), 2.0);
}

/// Slow: a bundled slider of solids with and without clearance.
#[test]
fn the_bundled_drawer_jams_without_clearance_and_comes_with_it() {
    for (clearance, comes) in [(0.0, false), (1e-3, true)] {
        for force in [30.0, 300.0] {
            // A pull ten times larger strains it ten times more.
            let values = [("parameters.force", force), ("parameters.clearance", clearance)];
            let mut sim = Simulation::bundled("slider_jams", &values);
            let begin = sim.get("points.middle.x");
            sim.run(0.4, 1e-2, |_| ());
            let way = sim.get("points.middle.x") - begin;
            println!("{clearance} m, {force} N: {way} m, left {:e}", unexplained(&sim));
            assert!(unexplained(&sim) < 1e-3);
            match comes {
                true => assert!(way > 0.1, "{way}"),
                // Strained by a force that is ten times larger.
                false => {
                    assert!(way < 1e-6 * force, "{way}");
                    assert!(sim.get("points.middle.vx").abs() < 1e-6);
                }
            }
        }
    }
}

/// Statics: P (a + l)/l at the mouth and P a/l at the end of the inner tube; P and its moment at the wall.
#[test]
fn the_bundled_telescope_bears_by_the_lever_rule() {
    let mut sim = Simulation::bundled("telescope", &[]);
    sim.run(1.0, 1e-2, |_| ());
    // Most of the inner tube hangs out, bent by millimetres: that is no depth in a contact layer of 1e10 Pa.
    let deepest = sim.get("contacts.overlap.line_pressure") / 1e10;
    let gap = sim.get("contacts.overlap.gap");
    assert!(deepest > 0.0 && gap < 0.0, "{gap} {deepest}");
    assert!(-gap < 1e-4, "{gap} {deepest}");
    let [p, a, l] = [100.0, 1.0, 0.4];
    let normal = sim.get("contacts.overlap.normal_force");
    let lever = p * (a + l) / l + p * a / l;
    println!("{normal} N, lever rule {lever} N, left {:e}", unexplained(&sim));
    assert_eq!(sim.get("contacts.overlap.sides"), 2.0);
    assert!((normal - lever).abs() < 0.02 * lever, "{normal} {lever}");
    let [shear, moment] = ["fy", "moment"].map(|c| sim.get(&format!("supports.wall.{c}")));
    let turned = p * sim.get("points.tip.x");
    assert!((shear - p).abs() < 5e-3 * p, "{shear}");
    assert!((moment - turned).abs() < 5e-3 * turned, "{moment} {turned}");
    assert!(unexplained(&sim) < 1e-3);
}

/// Its tip hangs as low as that of tubes whose end and mouth two sliding joints lead, and by what the clearance lets the inner tube tilt: to
/// one face at its end, to the other at the mouth.
#[test]
fn the_bundled_telescope_bends_as_tubes_on_two_sliding_joints() {
    let text = bundled("telescope");
    let parts = text.split_once("[contacts.overlap]").zip(text.split_once("[motions.push]"));
    let ((before, _), (_, after)) = parts.expect("both sections");
    let joined = format!("{before}{}[motions.push]{after}", sliding_joints())
        .replace("\"contacts.overlap.*\", ", "")
        .replace("\nclearance = 1e-4", "\n# clearance = 1e-4")
        .replace("\nmu = 0.1", "\n# mu = 0.1");
    let [contacts, joints] = [text.clone(), joined].map(|text| {
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 1e-2, |_| ());
        sim.get("points.tip.y")
    });
    let (clearance, out, overlap) = (1e-4, 1.0, 0.4);
    let tilts = clearance + 2.0 * clearance / overlap * out;
    println!("{contacts} m on faces, {joints} m on joints, {tilts} m by the clearance");
    assert!((contacts - (joints - tilts)).abs() < 5e-3 * joints.abs());
}

fn sliding_joints() -> String {
    Mechanism::part().slider("end", "end", "outer", "").slider("mouth", "mouth", "inner", "").text()
}

/// Steady sliding of the drawer with clearance is that of rigid corners: S = 2 F e/L, without weight, and m a = F − σ μ S. Against its
/// pull it may find an equilibrium outside of its guide, turned over; it is solved or refused, and that is no answer.
#[test]
fn the_bundled_drawer_with_clearance_slides_on_its_corners() {
    let checked = check(&bundled("slider_jams"), &[("parameters.clearance", 1e-3)]).unwrap();
    let system = System::build(&checked).unwrap();
    let (force, offset, length, mass) = (30.0, 0.35, 0.4, 700.0 * 0.016 * 0.4 * 0.8);
    for (sense, sign) in [(Sense::Forward, 1.0), (Sense::Backward, -1.0)] {
        let begin = Instant::now();
        let found = match sliding(&system, &[], 0, sense, 1.0) {
            Ok(found) => found,
            Err(fault) => {
                println!("{sense:?}: {fault}, {:?}", begin.elapsed());
                assert_eq!(sense, Sense::Backward);
                continue;
            }
        };
        let pressing = system.surfaces.normal_force_of(0, &found.state);
        let sides = 2.0 * force * offset / length;
        let balanced = (force - sign * 0.45 * pressing) / mass;
        println!(
            "{sense:?}: {} m/s² of {balanced}, {pressing} N of {sides}, {:?}",
            found.acceleration,
            begin.elapsed()
        );
        assert!((pressing / sides - 1.0).abs() < 0.02);
        assert!((found.acceleration / balanced - 1.0).abs() < 1e-6);
    }
}

/// A contact layer so hard that rounding moves the slider by more than it gives way is solved or refused; nothing is taken for steady sliding
/// in which its weight of 1232 N is not borne.
/// Slow: Newton's method on a slider whose forces are rounding.
#[test]
fn what_bears_nothing_does_not_slide() {
    for hard in tier::cases(["4.2e13", "4.2e17"], 1) {
        let text = bundled("slider_in_guide")
            .replace("stiffness = 4.2e11", &format!("stiffness = {hard}"));
        let checked = check(&text, &[("parameters.clearance", 1e-5)]).unwrap();
        let system = System::build(&checked).unwrap();
        match sliding(&system, &[], 0, Sense::Forward, 1.0) {
            Ok(found) => {
                println!("{hard}: {} m/s²", found.acceleration);
                assert!((found.acceleration - 7.1834).abs() < 1e-3, "{}", found.acceleration);
            }
            Err(fault) => {
                println!("{hard}: {fault}");
                assert_eq!(hard, "4.2e17");
            }
        }
    }
}

/// Every bundled model with a contact of surfaces or of corners with clearance: what the balance leaves is below a thousandth of the work,
/// or of the energy that there is at the start where nothing drives it, and less with half the step.
/// Slow: bundled solids run to their ends in two steps.
#[test]
fn energy_of_the_bundled_contacts_balances_better_with_half_the_step() {
    for (name, end) in [
        ("slider_in_guide", 0.2),
        ("slider_jams", 0.4),
        ("telescope", 0.5),
        ("slider_crank_with_clearance", 0.04),
    ] {
        let text = crate::common::bundled(name);
        let line = text.lines().find(|line| line.starts_with("step = "));
        let line = line.expect("a step");
        let step: f64 = line[7..].split('#').next().unwrap_or("").trim().parse().expect("a number");
        let left = [1.0, 0.5].map(|share| {
            let text = text.replacen(line, &format!("step = {:e}", share * step), 1);
            let mut sim = Simulation::of(&text);
            let started = sim.get("energy.kinetic");
            let mut worked = started.abs();
            sim.run(end, end / 20.0, |now| {
                worked = worked.max(now.get("energy.input_work").abs());
            });
            let (left, noise) = (sim.get("energy.balance").abs(), sim.noise());
            println!("{name}, step {:e} s: {left:.2e} J of {worked:.3e} J", share * step);
            assert!(left < 1e-3 * worked, "{name}: {left:e} {worked:e}");
            (left / worked, noise / worked)
        });
        let [(whole, noise), (half, _)] = left;
        // Newton's method leaves a share of 1e-8 of the forces.
        assert!(half <= whole.max(1e2 * noise).max(1e-8), "{name}: {whole:e}, half {half:e}");
    }
}
