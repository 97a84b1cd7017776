//! A prismatic slider with a length bears with its two ends: friction grows with the moment, and the
//! joint can jam. Against the rigid closed form of a translational joint with two-sided contact.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

const LENGTH: f64 = 0.2;
const MASS: f64 = 2.0;
const FRICTION: f64 = 0.25;
const GRAVITY: f64 = 9.81;
const TRANSITIONS: [&str; 2] = ["set_valued", "siqueira_coda_2023"];

/// A block on a clamped steel guide along x, pulled by `force` at the place `arm` from its centre.
/// Its weight comes with the pull, so that the guide does not ring.
fn block(transition: &str, force: [f64; 2], arm: [f64; 2], gravity: f64) -> Simulation {
    let [fx, fy] = force;
    let moment = arm[0] * fy - arm[1] * fx;
    Mechanism::new("block")
        .step(1e-3)
        .points("left = [-1.0, 0.0], right = [1.0, 0.0], block = [0.0, 0.0]")
        .steel()
        .rectangle("bar", 0.2, 0.2)
        .member("guide", ["left", "right"], "elements = 3, material = 'steel', section = 'bar'")
        .clamp("left")
        .clamp("right")
        .wheel("block", MASS, 0.01)
        .load("pull", format!("point = 'block', fx = {fx:?}, fy = {:?}", fy - MASS * gravity))
        .and(format!("moment = {moment:?}, history.ramp = {{ duration = 0.1 }}"))
        .joint("block", "prismatic.slider = 'block', prismatic.path = ['guide']")
        .and(format!("prismatic.length = {LENGTH}"))
        .and(format!(
            "friction.coulomb = {{ coefficient = {FRICTION}, \
                 transition = '{transition}' }}"
        ))
        .simulation()
}

/// S of the closed form: two normal forces N_L upwards and N_U downwards with
/// N_L − N_U = m g − F_y and (a/2)(N_L + N_U) + x_A F_y − y_A F_x = 0; where only one side bears, the
/// two ends share it.
fn pressed(force: [f64; 2], arm: [f64; 2], gravity: f64) -> f64 {
    let weight = MASS * gravity - force[1];
    let moment = arm[0] * force[1] - arm[1] * force[0];
    let [lower, upper] = [1.0, -1.0].map(|side| 0.5 * weight - side * moment / LENGTH);
    lower.abs() + upper.abs()
}

#[test]
fn an_off_centre_pull_jams_from_the_offset_of_the_closed_form_on_however_hard() {
    let threshold = LENGTH / (2.0 * FRICTION);
    for transition in TRANSITIONS {
        for force in [2.0, -200.0] {
            for side in [1.0, -1.0] {
                let moved = |factor: f64| {
                    let arm = [0.0, side * threshold * factor];
                    let mut sim = block(transition, [force, 0.0], arm, 0.0);
                    let start = sim.get("joints.block.position");
                    sim.run(0.4, 1e-2, |_| ());
                    sim.get("joints.block.position") - start
                };
                let jammed = moved(1.001);
                // 400 steps, each as sure as positions are: 1e-10 of 2 m.
                assert!(jammed.abs() < 8e-8, "{transition} {force} N {side}: {jammed:e}");
                // 0.1 % of the force is left over: s̈ = 0.001 F/m, of a ramp of 0.1 s and 0.3 s more.
                let exact = 1e-3 * force / MASS * (0.1 * 0.1 * 0.15 + 0.05 * 0.3 + 0.5 * 0.3 * 0.3);
                let free = moved(0.999);
                assert!(
                    (free / exact - 1.0).abs() < 3e-3,
                    "{transition} {force} N {side}: {free:e}, {exact:e}"
                );
            }
        }
    }
}

#[test]
fn a_pulled_block_accelerates_as_the_closed_form_says() {
    let mut both = [0, 0];
    for transition in TRANSITIONS {
        for (force, arm) in [
            // Bears with opposite corners, to either side and pulled either way.
            ([40.0, 0.0], [0.0, 0.15]),
            ([40.0, 5.0], [0.1, -0.2]),
            ([-40.0, -12.0], [0.3, 0.1]),
            // Presses with one side.
            ([40.0, 3.0], [0.0, 0.01]),
            ([-30.0, 60.0], [0.02, 0.02]),
        ] {
            let s = pressed(force, arm, GRAVITY);
            let side = (MASS * GRAVITY - force[1]).abs();
            both[usize::from(s > 1.001 * side)] += 1;
            let exact = (force[0] - FRICTION * s * force[0].signum()) / MASS;
            let mut sim = block(transition, force, arm, GRAVITY);
            // Within the middle element of the guide.
            sim.run(0.11, 1e-2, |_| ());
            let before = sim.get("joints.block.velocity");
            sim.run(0.16, 1e-2, |_| ());
            let seen = (sim.get("joints.block.velocity") - before) / 0.05;
            assert!(
                (seen / exact - 1.0).abs() < 1e-6,
                "{transition} {force:?} at {arm:?}: {seen}, {exact}"
            );
        }
    }
    assert!(both.iter().all(|count| *count >= 4), "{both:?}");
}

#[test]
fn a_block_that_needs_its_moment_to_be_held_stays_and_slips_without() {
    // On an incline of 30° with μ = 0.25 a block slides; with a moment on it, it jams.
    let incline = |moment: f64| {
        let text = common::bundled("incline_prismatic")
            .edit("path = [\"guide\"]", "path = [\"guide\"], length = 0.2")
            .edit("static_coefficient = 0.6", "static_coefficient = 0.25")
            .edit("kinetic_coefficient = 0.4", "kinetic_coefficient = 0.25")
            .edit(
                "[gravity]",
                &format!("[loads.turn]\npoint = \"block\"\nmoment = {moment:?}\n[gravity]"),
            );
        let angle = std::f64::consts::FRAC_PI_6;
        let mut sim = Simulation::with(&text, &[("parameters.angle", angle)]);
        let start = sim.get("joints.block.position");
        sim.run(1.0, 1e-2, |_| ());
        sim.get("joints.block.position") - start
    };
    // μ 2M/L = m g sin α
    let limit = 2.0 * GRAVITY * 0.5 * 0.2 / (2.0 * 0.25);
    for sign in [1.0, -1.0] {
        let held = incline(1.001 * sign * limit);
        assert!(held.abs() < 1e-9, "{held:e}");
        let slides = incline(0.99 * sign * limit);
        let exact = 0.5 * 0.01 * GRAVITY * 0.5;
        assert!((slides / exact - 1.0).abs() < 1e-3, "{slides} {exact}");
    }
}

#[test]
fn forces_at_the_ends_and_friction_balance_the_reactions_of_the_guide() {
    let text = common::bundled("incline_prismatic")
        .edit("path = [\"guide\"]", "path = [\"guide\"], length = 0.2")
        .edit(
            "[gravity]",
            "[loads.turn]\npoint = \"block\"\nmoment = 3.0\nhistory.sine = { frequency = 1.5 }\n\
             [gravity]",
        )
        .edit("\"energy.*\"", "\"energy.*\", \"supports.*\"");
    let mut sim = Simulation::of(&text);
    let (sin, cos) = (35_f64.to_radians().sin(), 35_f64.to_radians().cos());
    // Down the slope, and to the left of it.
    let (t, n) = ([cos, -sin], [sin, cos]);
    let (mut one_sided, mut two_sided) = (0, 0);
    sim.run(1.0, 1e-2, |sim| {
        let of = |key: &str| sim.get(&format!("joints.block.{key}"));
        let (front, rear, friction) = (of("front_force"), of("rear_force"), of("friction_force"));
        let reaction = ["fx", "fy"].map(|key| sim.get(&format!("supports.guide.{key}")));
        let along = |axis: [f64; 2]| axis[0] * reaction[0] + axis[1] * reaction[1];
        assert!((along(n) + front + rear).abs() < 1e-6);
        assert!((along(t) + friction).abs() < 1e-6);
        // The support's moment is that about the beginning of the guide, where s = 0.
        let s = of("position");
        let moment = front * (s + 0.1) + rear * (s - 0.1);
        let held = sim.get("supports.guide.moment");
        assert!((held + moment).abs() < 1e-6, "{held} {moment}");
        assert!((of("moment") - 0.1 * (front - rear)).abs() < 1e-9);
        let sum = front.abs() + rear.abs();
        assert!((of("normal_force") - sum).abs() < 1e-9);
        if front * rear < 0.0 {
            two_sided += 1;
        } else {
            one_sided += 1;
        }
    });
    assert!(one_sided > 10 && two_sided > 10, "{one_sided} {two_sided}");
}

#[test]
fn a_drawer_comes_or_jams_by_where_it_is_pulled_and_not_by_how_hard() {
    let text = common::text("tests/models/drawer");
    for pull in [20.0, 500.0] {
        for (offset, moves) in [(0.3, true), (0.396, true), (0.404, false), (0.45, false)] {
            let values = [("parameters.offset", offset), ("loads.pull.fx", pull)];
            let mut sim = Simulation::with(&text, &values);
            let start = sim.get("joints.drawer.position");
            sim.run(0.15, 1e-2, |_| ());
            let moved = sim.get("joints.drawer.position") - start;
            assert_eq!(moved > 1e-5, moves, "{pull} N at {offset} m: {moved:e} m");
            let [front, rear] =
                ["front", "rear"].map(|e| sim.get(&format!("joints.drawer.{e}_force")));
            assert!((front + rear).abs() < 1e-2 * front.abs(), "{front} {rear}");
        }
    }
}

/// The drawer in motion at 1 m/s with a mass at its knob, 0.5 m from the axis, pulled at the axis.
fn eccentric(transition: &str, mass: f64, pull: f64, step: f64) -> Simulation {
    let text = common::text("tests/models/drawer")
        .edit(
            "coefficient = 0.5",
            &format!("coefficient = 0.5, transition = \"{transition}\""),
        )
        .edit("step = 1e-3", &format!("step = {step:?}"))
        .edit(
            "[loads.pull]\npoint = \"knob\"",
            &format!(
                "[masses.knob]\npoint = \"knob\"\nmass = {mass:?}\n[initial.points.drawer]\nvx = 1.0\n\
                 [initial]\nvelocities = \"rigid_mechanism\"\n[loads.pull]\npoint = \"drawer\""
            ),
        );
    let values = [("parameters.offset", 0.5), ("loads.pull.fx", pull)];
    Simulation::with(&text, &values)
}

#[test]
fn inertia_beside_the_axis_presses_the_ends_when_it_is_accelerated_or_braked() {
    for transition in TRANSITIONS {
        for pull in [5.0_f64, -5.0] {
            let mut sim = eccentric(transition, 3.0, pull, 1e-3);
            sim.run(0.1, 1e-2, |_| ());
            let before = sim.get("joints.drawer.velocity");
            sim.run(0.3, 1e-2, |_| ());
            let seen = (sim.get("joints.drawer.velocity") - before) / 0.2;
            // m a = F − μ (2/L) m_k e |a|, since it slides forwards.
            let levered = 0.5 * 2.0 / 0.4 * 3.0 * 0.5;
            let exact = pull / (8.0 + pull.signum() * levered);
            assert!((seen / exact - 1.0).abs() < 5e-3, "{transition} {pull}: {seen} {exact}");
        }
    }
}

#[test]
fn inertia_that_locks_a_sliding_drawer_stops_it_at_once() {
    // μ (2/L) m_k e = 62.5 kg is more than the mass of 55 kg: braking presses harder than it brakes,
    // and the rigid drawer has no deceleration at all. 5 N alone would take 11 s.
    let places = TRANSITIONS.map(|transition| {
        let mut sim = eccentric(transition, 50.0, -5.0, 1e-4);
        sim.run(0.06, 1e-2, |_| ());
        let speed = sim.get("joints.drawer.velocity");
        assert!(speed.abs() < 1e-3, "{transition}: {speed} m/s");
        sim.run(0.5, 1e-2, |_| ());
        let balance = sim.get("energy.balance");
        assert!(balance.abs() < 0.02 * 27.5, "{transition}: {balance} J of 27.5 J");
        sim.get("joints.drawer.position")
    });
    for place in places {
        assert!((place - places[0]).abs() < 1e-5, "{places:?}");
    }
    // Pulled forwards it goes on.
    let mut sim = eccentric("set_valued", 50.0, 5.0, 1e-4);
    sim.run(0.1, 1e-2, |_| ());
    let before = sim.get("joints.drawer.velocity");
    sim.run(0.5, 1e-2, |_| ());
    let seen = (sim.get("joints.drawer.velocity") - before) / 0.4;
    let exact = 5.0 / (55.0 + 62.5);
    assert!((seen / exact - 1.0).abs() < 5e-3, "{seen} {exact}");
}
