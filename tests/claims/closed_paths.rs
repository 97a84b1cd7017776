//! Paths that end where they begin.

use std::f64::consts::TAU;

use crate::common::edit::Edit;
use crate::common::sensitivity::check;
use crate::common::{self, Simulation};

/// A bead of 1 kg on a rigid ring of radius 1 m, thrown from its lowest place with 7 m/s: 0.8 J more than it needs for the top.
const RING: &str = r#"
    name = "ring"
    solver.step = 1e-3
    gravity.y = -9.81
    points = { south = [0.0, -1.0], east = [1.0, 0.0], north = [0.0, 1.0], west = [-1.0, 0.0], bead = [0.0, -1.0] }
    members.a = { from = "south", to = "east", elements = 6, arc.radius = 1.0 }
    members.b = { from = "east", to = "north", elements = 6, arc.radius = 1.0 }
    members.c = { from = "north", to = "west", elements = 6, arc.radius = 1.0 }
    members.d = { from = "west", to = "south", elements = 6, arc.radius = 1.0 }
    supports.a = { member = "a", fix = ["x", "y", "rotation"] }
    supports.b = { member = "b", fix = ["x", "y", "rotation"] }
    supports.c = { member = "c", fix = ["x", "y", "rotation"] }
    supports.d = { member = "d", fix = ["x", "y", "rotation"] }
    masses.bead = { point = "bead", mass = 1.0 }
    initial.points.bead.vx = 7.0
    joints.bead.cylindrical = { slider = "bead", path = ["a", "b", "c", "d"], ends = "closed" }
    interface.outputs = ["points.bead.*", "joints.bead.*", "energy.*"]
"#;

/// Time of a lap: ∫ dφ/ω with ω² = v² − 2 g (1 − cos φ), by the trapezoidal rule, which converges geometrically here.
fn lap(v: f64) -> f64 {
    let count = 4096;
    let share =
        |k: i32| (v * v - 19.62 * (1.0 - (TAU * f64::from(k) / f64::from(count)).cos())).sqrt();
    (0..count).map(|k| TAU / f64::from(count) / share(k)).sum()
}

#[test]
fn a_bead_goes_round_a_ring_in_the_time_of_a_pendulum_beyond_its_top() {
    for kind in ["cylindrical", "prismatic"] {
        let mut errors = Vec::new();
        for step in [1e-3, 5e-4] {
            let text = RING.edit("step = 1e-3", &format!("step = {step}"));
            let mut ring = Simulation::of(&text.edit("cylindrical", kind));
            let (count, time) = (10, lap(7.0));
            let begin = ring.get("joints.bead.position");
            let mut worst = 0.0_f64;
            for k in 0..count {
                // In steps that divide a lap, so that each ends with one.
                let parts = (time / 1e-2).ceil();
                for i in 0..parts as i32 {
                    let start = time * (f64::from(k) + f64::from(i) / parts);
                    ring.try_step(start, time / parts).expect("a step");
                }
                let far = ring.get("joints.bead.position") - begin;
                worst = worst.max((far - TAU * f64::from(k + 1)).abs());
                if kind == "prismatic" {
                    let turned = ring.get("points.bead.rotation");
                    assert!((turned - far).abs() < 1e-4, "{turned} rad after {far} m");
                }
            }
            // 24.5 J turn over in each lap.
            assert!(ring.lost().abs() < 1e-2 * step / 1e-3, "{} J", ring.lost());
            errors.push(worst);
        }
        println!("{kind}: {errors:?} m after ten laps");
        // At the bottom the bead makes 7 mm in a step of 1 ms.
        assert!(
            errors[0] < 5e-4 && errors[1] < 0.3 * errors[0],
            "{errors:?}"
        );
    }
}

#[test]
fn the_seam_of_a_ring_is_a_place_like_any_other() {
    // The same ring begun a quarter further on: the bead meets the seam elsewhere.
    let other = RING.edit(r#"["a", "b", "c", "d"]"#, r#"["b", "c", "d", "a"]"#);
    let mut rings = [RING, &other].map(Simulation::of);
    for k in 0..2000 {
        let at = rings.each_mut().map(|ring| {
            ring.try_step(1e-3 * f64::from(k), 1e-3).expect("a step");
            ["points.bead.x", "points.bead.y", "joints.bead.normal_force"]
                .map(|name| ring.get(name))
        });
        for (a, b) in at[0].iter().zip(at[1]) {
            // Newton's tolerance of positions, over Δt² in the force.
            assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "step {k}: {at:?}");
        }
    }
}

#[test]
fn derivatives_and_restored_states_hold_across_the_seam() {
    let text = RING.edit(
        "solver.step = 1e-3",
        "solver = { step = 1e-3, position_tolerance = 1e-12, force_tolerance = 1e-10 }",
    );
    let text = text.edit("interface.outputs", "loads.push = { point = \"bead\", fx = 0.0 }\n    interface.inputs = [\"loads.push.fx\"]\n    interface.outputs");
    let mut ring = Simulation::of(&text);
    while ring.get("joints.bead.position") < TAU - 0.02 {
        let time = ring.time();
        ring.try_step(time, 1e-3).expect("a step");
    }
    // Ten steps of 7 mm lead over the seam.
    let known = [("loads.push.fx", 1.0)];
    assert!(check(&ring, &text, 1e-2, &known, 1e-6) > 5);
    let (time, saved) = (ring.time(), ring.state.clone());
    let [first, again] = [0, 1].map(|_| {
        ring.state = saved.clone();
        ring.try_step(time, 1e-2).expect("a step");
        ring.state.clone()
    });
    assert!(first == again && ring.get("joints.bead.position") > TAU + 0.02);
}

#[test]
fn an_elastic_ring_that_floats_freely_and_its_bead_keep_their_energy() {
    // Steps of 1 ms are too long for the vibrations of the ring.
    let mut text = RING.edit("step = 1e-3", "step = 5e-4").edit("gravity.y = -9.81", "materials.s = { young_modulus = 1e9, poisson_ratio = 0.3, density = 1000.0 }\n    sections.s = { rectangle = { height = 0.05, width = 0.05 } }");
    for member in ["a", "b", "c", "d"] {
        let held = format!(
            "    supports.{member} = {{ member = \"{member}\", fix = [\"x\", \"y\", \"rotation\"] }}\n"
        );
        text = text.edit(&held, "");
    }
    let text = text.replace(
        "arc.radius = 1.0 }",
        "arc.radius = 1.0, material = \"s\", section = \"s\" }",
    );
    let mut ring = Simulation::of(&text);
    let energy = ring.get("energy.kinetic");
    ring.run(2.5, 1e-2, |_| {});
    let laps = ring.get("joints.bead.position") / TAU;
    println!("{laps} laps, {} J lost of {energy} J", ring.lost());
    assert!(
        laps > 2.0 && ring.lost().abs() < 1e-3 * energy,
        "{laps} {} J",
        ring.lost()
    );
}

#[test]
fn what_begins_or_ends_or_has_corners_is_no_closed_path() {
    for (from, to, part) in [
        (
            r#"["a", "b", "c", "d"]"#,
            r#"["a", "b", "c"]"#,
            "begins at point `south` and ends at point `west`",
        ),
        (
            "elements = 6, arc.radius = 1.0 }\n    members.c",
            "elements = 6 }\n    members.c",
            "meet at an angle",
        ),
        (
            r#"ends = "closed""#,
            r#"ends = "closed", contact = "unilateral""#,
            "on a closed path is not known",
        ),
        (
            r#"ends = "closed""#,
            r#"ends = "closed", restitution = 0.5"#,
            "nothing stops",
        ),
    ] {
        let message = common::check(&RING.edit(from, to), &[]).expect_err("a fault");
        assert!(message.contains(part), "{message}");
    }
}
