//! Friction that is set-valued at rest: what sticks does not move, and when it begins to is found
//! inside the step.

mod dead_centres;
mod driven;
mod flexible_path;
mod light_end;
mod rabinowicz;
mod rigid_bar;
mod shaken;
mod two_blocks;

use crate::common::block::Block;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{self, Simulation, bundled};

/// A block on a horizontal path that shakes along itself.
fn shaken(static_coefficient: f64, motion: &str, speed: f64) -> Simulation {
    let block = Block {
        path: [-5.0, 5.0],
        joint: ", ends = \"stop\"",
        fix: r#""y", "rotation""#,
        friction: &format!(
            "stribeck = {{ static_coefficient = {static_coefficient}, kinetic_coefficient = \
             {static_coefficient}, decay_velocity = 0.01, transition = \"set_valued\" }}"
        ),
        more: &Mechanism::part()
            .motion("plane", format!("member = 'plane', direction = 'x', {motion}"))
            .start("block", format!("vx = {speed:?}"))
            .outputs("points.block.*")
            .text(),
        ..Block::default()
    };
    Simulation::of(&block.text())
}

#[test]
fn a_block_on_a_path_that_shakes_with_four_fifths_of_the_limit_does_not_move() {
    // a = 4 m/s² at 10 Hz, μ g = 5 m/s².
    let omega = std::f64::consts::TAU * 10.0;
    let motion =
        format!("amplitude = {:?}\nhistory.sine = {{ frequency = 10.0 }}", 4.0 / (omega * omega));
    let mut sim = shaken(0.5, &motion, 4.0 / omega);
    let start = sim.get("joints.block.position");
    let mut farthest = 0.0_f64;
    sim.run(100.0, 1e-2, |sim| {
        farthest = farthest.max((sim.get("joints.block.position") - start).abs());
        assert_eq!(sim.get("joints.block.sticking"), 1.0, "t = {}", sim.time());
    });
    println!("moved {farthest:e} m in 100 s");
    assert!(farthest < 1e-12, "{farthest:e}");
}

#[test]
fn before_anything_slides_friction_is_the_force_that_holds() {
    // The path begins at rest, but the cosine of its phase leaves a speed of 1e-17 m/s.
    for (amplitude, regime, friction) in [
        // A ω² = 4 m/s² and 8 m/s² against μ g = 5 m/s²; the path goes back.
        (4.0, 1.0, 8.0),
        (-4.0, 1.0, -8.0),
        (8.0, 2.0, 10.0),
        (-8.0, 3.0, -10.0),
    ] {
        let omega = std::f64::consts::TAU * 10.0;
        let motion = format!(
            "amplitude = {:?}\nhistory.sine = {{ frequency = 10.0, phase = {:?} }}",
            amplitude / (omega * omega),
            std::f64::consts::FRAC_PI_2
        );
        let sim = shaken(0.5, &motion, 0.0);
        let seen = ["regime", "friction_force"].map(|key| sim.get(&format!("joints.block.{key}")));
        assert_eq!(seen[0], regime, "{seen:?}");
        // Within the quarter step of 1 ms over which the start solves the path's acceleration changes by
        // (ω Δt/4)² of itself.
        assert!((seen[1] - friction).abs() < 1e-3 * friction.abs(), "{seen:?}");
    }
}

#[test]
fn rabinowicz_follows_the_event_driven_solution() {
    let mut sim = Simulation::of(&bundled("rabinowicz"));
    let exact = common::reference::<5>("rabinowicz_stribeck_svk_exact.csv.gz");
    let (mut farthest, mut row) = (0.0_f64, 0);
    let mut switches = Vec::new();
    let mut sticks = 1.0;
    sim.run(80.0, 1e-3, |sim| {
        row += 1;
        if row % 10 == 0 {
            let [t, x, ..] = exact[row / 10];
            assert!((t - sim.time()).abs() < 1e-9);
            farthest = farthest.max((sim.get("points.block.x") - x).abs());
        }
        let now = sim.get("joints.block.sticking");
        if now != sticks {
            switches.push(sim.get("joints.block.transition_time"));
        }
        sticks = now;
    });
    let iterations = sim.state.counters.iterations;
    println!("{farthest:e} m from the exact solution in 80 s, {iterations} iterations");
    assert!(farthest < 1e-4, "{farthest:e}");
    // Exact instants of the first cycle, repeated with the exact period.
    assert_eq!(switches.len(), 9, "{switches:?}");
    let mut off = 0.0_f64;
    for (i, t) in switches.iter().enumerate() {
        let first = [23.1408276, 28.6359127][i % 2];
        let exact = first + 13.3443125 * (i / 2) as f64;
        off = off.max((t - exact).abs() / 1e-3);
    }
    reached("2 Rabinowicz", "1 ms: events over 80 s", Some(0.05), off, "steps");
    reached("2 Rabinowicz", "1 ms: position over 80 s", Some(1e-4), farthest, "m");
    // Those of five cycles add up.
    assert!(off < 0.2, "{off}");
}

#[test]
fn a_block_on_a_belt_that_accelerates_does_not_move() {
    let mut sim = Simulation::of(&common::text("tests/models/accelerating_belt"));
    let start = sim.get("joints.block.position");
    let mut farthest = 0.0_f64;
    sim.run(2.0, 1e-2, |sim| {
        farthest = farthest.max((sim.get("joints.block.position") - start).abs());
    });
    println!("moved {farthest:e} m in 2 s");
    assert!(sim.get("points.block.x") > 1.0);
    assert!(farthest < 1e-12, "{farthest:e}");
}

#[test]
fn just_below_the_friction_angle_it_stays_and_just_above_it_goes() {
    for (factor, goes) in [(1.0_f64 - 1e-6, false), (1.0 + 1e-6, true)] {
        let text = bundled("incline")
            .edit("decay_velocity = 1e-3", "decay_velocity = 1e-3, transition = \"set_valued\"");
        let angle = (0.6 * factor).atan();
        let mut sim = Simulation::with(&text, &[("parameters.angle", angle)]);
        let start = sim.get("joints.block.position");
        sim.run(20.0, 1e-2, |_| ());
        let moved = sim.get("joints.block.position") - start;
        if goes {
            // Down with the kinetic coefficient as soon as it moves.
            assert!(moved > 1.0, "{moved}");
        } else {
            assert_eq!(moved, 0.0);
        }
    }
}

/// A block of 2 kg at x = `at` on a path through the origin that turns there by `turn` (rad), with
/// μ g = 5 m/s² where it is level, started with `speed` against a constant `push` (N).
fn braked(at: f64, turn: f64, speed: f64, push: f64, coefficient: f64) -> Simulation {
    let (sin, cos) = turn.sin_cos();
    Mechanism::new("braked")
        .step(1e-3)
        .points("left = [-10.0, 0.0], middle = [0.0, 0.0]")
        .and(format!("right = [{:?}, {:?}], block = [{at:?}, 0.0]", 10.0 * cos, 10.0 * sin))
        .guide("before", ["left", "middle"], "elements = 1, order = 1")
        .guide("after", ["middle", "right"], "elements = 1, order = 1")
        .mass("block", 2.0)
        .load("push", format!("point = 'block', fx = {push:?}, fy = -20.0"))
        .slider("block", "block", "before after", "")
        .and(format!("friction.coulomb.coefficient = {coefficient:?}"))
        .and("friction.coulomb.transition = 'set_valued'")
        .start("block", format!("vx = {speed:?}"))
        .simulation()
}

#[test]
fn a_block_that_comes_to_rest_anywhere_in_a_step_is_caught_once_and_stays() {
    for share in [0.0, 0.8, 0.9, 0.99] {
        for i in 0..100 {
            // At rest after 20 and some steps.
            let speed = 5.0 * (1.0 + share) * 1e-3 * (20.0 + f64::from(i) / 100.0);
            let mut sim = braked(-5.0, 0.0, speed, -10.0 * share, 0.5);
            sim.run(0.1, 1e-3, |_| ());
            let place = sim.get("joints.block.position");
            sim.run(0.3, 1e-3, |_| ());
            let moved = (sim.get("joints.block.position") - place).abs();
            let transitions = sim.get("joints.block.transitions");
            assert_eq!(transitions, 1.0, "{share} of the limit, {i} % of a step");
            assert!(moved < 1e-12, "{share} of the limit, {i} % of a step: {moved:e} m");
            let force = sim.get("joints.block.friction_force");
            // The last step is cut where the block comes to rest; a rounding of its 10 m over a
            // fiftieth of a step squared is this much of a force on 2 kg.
            let rounding = 2.0 * 10.0 * f64::EPSILON / (0.25 * (0.02_f64 * 1e-3).powi(2));
            assert!((force + 10.0 * share).abs() < rounding, "{force} N");
        }
    }
}

#[test]
fn a_kink_leaves_a_slider_what_it_has_along_the_new_direction() {
    for turn in [0.3_f64, 0.9, 1.2, 1.4] {
        for i in 0..10 {
            let at = -0.01 - 1e-4 * f64::from(i);
            let mut sim = braked(at, turn, 1.0, 0.0, 0.0);
            sim.run(0.015, 1e-3, |_| ());
            let (speed, time) = (sim.get("joints.block.velocity"), 0.015 + at);
            // Gravity is that of the load, 10 m/s², along the second member.
            let exact = turn.cos() - 10.0 * turn.sin() * time;
            assert!((speed - exact).abs() < 0.02, "{turn} rad from {at} m: {speed}, {exact}");
        }
    }
}

#[test]
fn in_statics_static_friction_holds_what_it_can() {
    // On a spring so weak that it could go 2 m, pushed with half of F_N, between sliding and static friction.
    let places = ["siqueira_coda_2023", "set_valued"].map(|transition| {
        let block = Block {
            step: 1e-2,
            solver: "analysis = \"quasi_static\"",
            points: "wall = [-100.0, 0.0]",
            friction: &format!(
                "coulomb = {{ coefficient = 0.4, static_coefficient = 0.6, transition = \
                 \"{transition}\" }}"
            ),
            more: &Mechanism::part()
                .material("spring", 100.0, 0.0, 0.0)
                .rectangle("unit", 1.0, 1.0)
                .beam("spring", ["wall", "block"], [1, 1], "spring unit")
                .clamp("wall")
                .load("push", "point = 'block', fx = 10.0, history.ramp = { duration = 1.0 }")
                .text(),
            ..Block::default()
        };
        let mut sim = Simulation::of(&block.text());
        let start = sim.get("joints.block.position");
        sim.run(1.5, 1e-2, |_| ());
        sim.get("joints.block.position") - start
    });
    assert!(places[0].abs() < 1e-6, "{places:?}");
    assert!((places[1] - places[0]).abs() < 1e-9, "{places:?}");
}

/// The block on a path of 1 m with stops at its ends, pushed by the host.
fn stopped(coefficients: &str) -> Simulation {
    let block = Block {
        path: [0.0, 1.0],
        at: 0.9,
        joint: ", ends = \"stop\"",
        friction: &format!("coulomb = {{ {coefficients}, transition = \"set_valued\" }}"),
        more: &Mechanism::part()
            .load("push", "point = 'block', fx = 0.0")
            .inputs("loads.push.fx")
            .entry("interface", "linear = ['loads.push.fx']")
            .outputs("points.block.vx")
            .text(),
        ..Block::default()
    };
    Simulation::of(&block.text())
}

#[test]
fn at_a_stop_friction_holds_until_the_pull_away_is_more_than_it_bears() {
    let mut sim = stopped("coefficient = 0.4, static_coefficient = 0.5");
    let push = |sim: &mut Simulation, force: f64, time: f64| {
        sim.set("loads.push.fx", force);
        let end = sim.time() + time;
        sim.run(end, 0.01, |_| ());
        sim.get("joints.block.position")
    };
    assert_eq!(push(&mut sim, 30.0, 1.0), 1.0);
    for force in [5.0, 0.0, -5.0, -9.9, -5.0, 10.0, -9.9] {
        assert_eq!(push(&mut sim, force, 0.5), 1.0, "{force} N");
    }
    // From −9.9 to −10.1 N in 0.01 s, and from then on with (10.1 − 8)/2 m/s².
    let place = push(&mut sim, -10.1, 0.21);
    let exact = 1.0 - 0.5 * 1.05 * 0.2 * 0.2;
    assert!((place - exact).abs() < 3e-3, "{place} {exact}");
}

#[test]
fn where_nothing_holds_nothing_is_in_the_way() {
    // ẍ = F/m with F = 20 sin πt N: x = (10/π)(t − sin(πt)/π).
    let mut sim = stopped("coefficient = 0.0");
    let pi = std::f64::consts::PI;
    let mut farthest = 0.0_f64;
    for i in 0..150 {
        let t = 1e-3 * f64::from(i + 1);
        sim.set("loads.push.fx", -20.0 * (pi * t).sin());
        sim.step(1e-3);
        let exact = 0.9 - 10.0 / pi * (t - (pi * t).sin() / pi);
        farthest = farthest.max((sim.get("joints.block.position") - exact).abs());
    }
    assert!(farthest < 2e-6, "{farthest:e}");
    assert!(sim.get("joints.block.transitions") <= 1.0);
}

#[test]
fn a_block_that_a_motion_drives_along_a_fixed_path_slides_against_friction_however_it_begins() {
    // From rest, to and fro by 0.1 m: friction takes 0.5 · 20 N over 0.4 m in each cycle.
    let block = Block {
        friction: "coulomb = { coefficient = 0.5, static_coefficient = 0.6 }",
        more: &Mechanism::part()
            .motion("drive", "point = 'block', direction = 'x', amplitude = 0.1")
            .and("history.sine = { frequency = 1.0, phase = 1.5707963267948966 }")
            .outputs("energy.*")
            .text(),
        ..Block::default()
    };
    let mut sim = Simulation::of(&block.text());
    sim.run(3.0, 1e-2, |_| ());
    let taken = sim.get("energy.friction_work");
    assert!((taken / (3.0 * 0.4 * 10.0) - 1.0).abs() < 1e-3, "{taken}");
    assert!(sim.get("energy.balance").abs() < 1e-3 * taken);
}
