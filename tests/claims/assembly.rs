//! The mechanism at t = 0: where its motions want it, without strain that nothing asks for.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, bundled, text};

const STEPS: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];

/// A steel bar from O to A with the given direction of its tip, its supports and its motion.
fn bar(tip: &str, extra: &str) -> String {
    Mechanism::new("bar")
        .step(1e-3)
        .points(format!("O = [0, 0], A = {tip}"))
        .steel()
        .rectangle("square", 0.02, 0.02)
        .member("bar", ["O", "A"], "elements = 4, material = 'steel', section = 'square'")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .probe("bend", "deflection = { point = 'A', from = 'O' }")
        .outputs("probes.* points.A.* energy.*")
        .add(extra)
        .text()
}

/// The same model with another solver step.
fn with_step(text: &str, step: f64) -> String {
    let (head, tail) = text.split_once("[solver]\nstep = ").expect("a step");
    let (_, rest) = tail.split_once('\n').expect("more");
    format!("{head}[solver]\nstep = {step:e}\n{rest}")
}

/// Starts with every step and compares the place of a point with where the rigid mechanism has it.
fn assert_rigid(text: &str, values: &[(&str, f64)], point: &str, place: [f64; 2]) {
    for step in STEPS {
        let sim = Simulation::with(&with_step(text, step), values);
        let strain = sim.get("energy.strain");
        assert!(strain.abs() < 1e-12, "step {step}: strain energy {strain:e} J");
        for (axis, exact) in ["x", "y"].into_iter().zip(place) {
            let seen = sim.get(&format!("points.{point}.{axis}"));
            assert!(
                (seen - exact).abs() < 1e-11,
                "step {step}: {point}.{axis} {seen}, not {exact}"
            );
        }
    }
}

#[test]
fn a_shift_at_the_start_strains_nothing() {
    let shifted = bar(
        "[1, 0]",
        "[masses.A]\npoint = \"A\"\nmass = 2\n\
         [supports.O]\npoint = \"O\"\nfix = [\"y\", \"rotation\"]\n\
         [motions.O]\npoint = \"O\"\ndirection = \"x\"\ndisplacement = 0.1\n",
    );
    assert_rigid(&shifted, &[], "A", [1.1, 0.0]);
}

#[test]
fn a_sine_or_a_table_that_starts_off_zero_strains_nothing() {
    for history in [
        "sine = { frequency = 2, phase = \"pi/2\" }",
        "table = { times = [0, 0.5, 1], values = [1, 1, 0] }",
    ] {
        let shaken = bar(
            "[0, 1]",
            &format!(
                "[masses.A]\npoint = \"A\"\nmass = 5\n\
                 [supports.O]\npoint = \"O\"\nfix = [\"y\", \"rotation\"]\n\
                 [motions.O]\npoint = \"O\"\ndirection = \"x\"\namplitude = 0.01\n\
                 history.{history}\n"
            ),
        );
        assert_rigid(&shaken, &[], "A", [0.01, 1.0]);
    }
}

#[test]
fn a_turn_at_the_start_strains_nothing() {
    for angle in [0.5_f64, -2.5] {
        for analysis in ["", "analysis = \"quasi_static\"\n"] {
            let turned = bar(
                "[1, 0]",
                &format!(
                    "[supports.O]\npoint = \"O\"\nfix = [\"x\", \"y\"]\n\
                     [motions.O]\npoint = \"O\"\ndirection = \"rotation\"\nangle = {angle}\n"
                ),
            );
            let turned = turned.edit("[points]", &format!("{analysis}[points]"));
            assert_rigid(&turned, &[], "A", [angle.cos(), angle.sin()]);
        }
    }
}

#[test]
fn a_crank_angle_at_the_start_takes_the_slider_crank_along() {
    let crank = text("tests/models/slider_crank");
    for angle in [0.5_f64, 2.0, -1.2] {
        let x = 0.1 * angle.cos() + (0.09 - (0.1 * angle.sin()).powi(2)).sqrt();
        assert_rigid(&crank, &[("motions.crank.angle", angle)], "P", [x, 0.0]);
    }
}

#[test]
fn the_quick_return_starts_at_any_crank_angle_with_bars_a_million_times_stiffer() {
    for angle in [0.3_f64, 1.5, 3.0] {
        let turned = bundled("quick_return").edit("rate = \"5*pi\"", "angle = 0.0");
        let turned = turned.edit("\"motions.crank.rate\"", "\"motions.crank.angle\"");
        let crank = angle - 0.4_f64.asin();
        let (x, y) = (0.2 * crank.cos(), 0.5 + 0.2 * crank.sin());
        let arm = x.hypot(y);
        assert_rigid(&turned, &[("motions.crank.angle", angle)], "A", [x / arm, y / arm]);
    }
}

#[test]
fn a_free_pendulum_follows_its_pivot_without_strain_whatever_the_step() {
    for mesh in ["1\norder = 1", "1", "4", "60"] {
        let hung = bar(
            "[0, -1]",
            "[supports.O]\npoint = \"O\"\nfix = [\"y\"]\n\
             [motions.O]\npoint = \"O\"\ndirection = \"x\"\ndisplacement = 0.3\n",
        );
        let hung = hung.edit("elements = 4", &format!("elements = {mesh}"));
        let hung = hung.edit("\"rigid_mechanism\"", "\"rest\"");
        let tips: Vec<[f64; 2]> = (STEPS.iter())
            .map(|&step| {
                let sim = Simulation::of(&with_step(&hung, step));
                let strain = sim.get("energy.strain");
                assert!(strain.abs() < 1e-12, "step {step}: strain energy {strain:e} J");
                ["x", "y"].map(|axis| sim.get(&format!("points.A.{axis}")))
            })
            .collect();
        let [x, y] = tips[0];
        assert!(((x - 0.3).hypot(y) - 1.0).abs() < 1e-11, "{mesh}: {x} {y}");
        // The tip swings back or lags, but nothing drags it along.
        assert!(x.abs() < 0.3, "{mesh}: {x}");
        assert!(tips.iter().all(|tip| *tip == tips[0]), "{mesh}: {tips:?}");
    }
}

#[test]
fn a_gap_of_the_drawing_closes_without_strain_where_the_mechanism_can_move() {
    // P is drawn 0.8 µm beside the bar, which turns about O: the least mass moves.
    let drawn = bar(
        "[1, 0]",
        "[supports.O]\npoint = \"O\"\nfix = [\"x\", \"y\"]\n\
         [masses.P]\npoint = \"P\"\nmass = 1e-3\n\
         [joints.P]\ncylindrical = { slider = \"P\", path = [\"bar\"] }\n\
         [initial.points.P]\nvx = 0\nvy = 0\n",
    );
    let drawn = drawn.edit("[materials", "P = [0.5, 0.8e-6]\n[materials");
    let drawn = drawn.edit("\"points.A.*\"", "\"points.*\"");
    let drawn = drawn.edit("\"rigid_mechanism\"", "\"rest\"");
    for step in STEPS {
        let sim = Simulation::of(&with_step(&drawn, step));
        let strain = sim.get("energy.strain");
        assert!(strain.abs() < 1e-12, "step {step}: strain energy {strain:e} J");
        let [y, tip] = ["points.P.y", "points.A.y"].map(|path| sim.get(path));
        assert!((y - 0.5 * tip).abs() < 1e-12, "step {step}: {y} off the bar");
        assert!((0.0..4e-8).contains(&y), "step {step}: {y}");
    }
}

#[test]
fn a_given_velocity_is_enough_however_stiff_the_path() {
    for young in ["210e9", "210e13", "210e15", "210e17"] {
        let spun = bar(
            "[10, 0]",
            "[supports.O]\npoint = \"O\"\nfix = [\"x\", \"y\"]\n\
             [motions.O]\npoint = \"O\"\ndirection = \"rotation\"\nrate = 3\n\
             [masses.P]\npoint = \"P\"\nmass = 2\n\
             [joints.P]\ncylindrical = { slider = \"P\", path = [\"bar\"] }\n\
             [initial.points.P]\nvx = 0\n",
        );
        let spun = spun.edit("[materials", "P = [0.5, 0]\n[materials");
        let spun = spun.edit("\"points.A.*\"", "\"points.*\"");
        let sim = Simulation::of(&spun.edit("2.1e11", young));
        let seen = ["points.P.vx", "points.P.vy"].map(|path| sim.get(path));
        assert_eq!(seen[0], 0.0, "{young}");
        // The stiffer the bar, the less rounding leaves of the conditions beside its stiffness.
        assert!((seen[1] - 1.5).abs() < 1e-6, "{young}: {}", seen[1]);
    }
}
