//! Paths that end where they begin.

use std::f64::consts::{PI, TAU};

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
        assert!(errors[0] < 1.2e-3 && errors[1] < 0.3 * errors[0], "{errors:?}");
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
fn a_hinge_in_a_ring_is_a_kink_wherever_the_ring_begins() {
    // Pressed together at its hinges the ring has corners there, at which the bead loses energy in both senses.
    let mut text = RING
        .edit("gravity.y = -9.81", "materials.s = { young_modulus = 1e9, poisson_ratio = 0.3, density = 1000.0 }\n    sections.s = { rectangle = { height = 0.1, width = 0.05 } }\n    joints.south.hinge = { point = \"south\" }\n    joints.north.hinge = { point = \"north\" }\n    loads = { south = { point = \"south\", fy = 2000.0 }, north = { point = \"north\", fy = -2000.0 } }\n    initial.equilibrium = true")
        .replace("arc.radius = 1.0 }", "arc.radius = 1.0, material = \"s\", section = \"s\" }");
    for member in ["a", "b", "c", "d"] {
        let held = format!(
            "supports.{member} = {{ member = \"{member}\", fix = [\"x\", \"y\", \"rotation\"] }}\n"
        );
        text = text.edit(&held, "");
    }
    let text = text
        .edit("masses.bead", "supports.east = { point = \"east\", fix = [\"x\", \"y\"] }\n    supports.west = { point = \"west\", fix = [\"x\", \"y\"] }\n    masses.bead")
        .edit("bead = [0.0, -1.0]", "bead = [0.6, -0.8]")
        .edit("initial.points.bead.vx = 7.0", "initial.points.bead = { vx = 5.6, vy = 4.2 }");
    for text in [text.clone(), text.edit("vx = 5.6, vy = 4.2", "vx = -5.6, vy = -4.2")] {
        let other = text.edit(r#"["a", "b", "c", "d"]"#, r#"["b", "c", "d", "a"]"#);
        let mut rings = [&text, &other].map(|text| Simulation::of(text));
        let begin = rings.each_mut().map(|ring| ring.get("joints.bead.position"));
        for k in 0..2000 {
            for ring in &mut rings {
                ring.try_step(1e-3 * f64::from(k), 1e-3).expect("a step");
            }
        }
        let seen = [0, 1].map(|i| {
            let ring = &rings[i];
            let way = (ring.get("joints.bead.position") - begin[i]).abs();
            [way, ring.get("energy.impact_loss")]
        });
        println!("{seen:?} m, J");
        assert!(seen[0][0] > 1.5 * TAU && seen[0][1] > 0.1, "{seen:?}");
        let near = |i: usize| (seen[0][i] - seen[1][i]).abs() < 1e-5 * seen[0][i];
        assert!(near(0) && near(1), "{seen:?}");
    }
}

#[test]
fn derivatives_and_restored_states_hold_across_the_seam() {
    let text = RING.edit(
        "solver.step = 1e-3",
        "solver = { step = 1e-3, position_tolerance = 1e-12, force_tolerance = 1e-10, energy_tolerance = 1e9 }",
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
    let text =
        text.replace("arc.radius = 1.0 }", "arc.radius = 1.0, material = \"s\", section = \"s\" }");
    let mut ring = Simulation::of(&text);
    let energy = ring.get("energy.kinetic");
    ring.run(2.5, 1e-2, |_| {});
    let laps = ring.get("joints.bead.position") / TAU;
    println!("{laps} laps, {} J lost of {energy} J", ring.lost());
    assert!(laps > 2.0 && ring.lost().abs() < 1e-3 * energy, "{laps} {} J", ring.lost());
}

/// The bead in the ring, of `elements` to a quarter, under a weight that the host sets and with contact that can open.
fn drum(v: f64, elements: usize, step: f64) -> Simulation {
    let text = RING
        .edit("step = 1e-3", &format!("step = {step}"))
        .edit("vx = 7.0", &format!("vx = {v}"))
        .edit(r#""closed""#, r#""closed", contact = "unilateral""#)
        .edit(
            "gravity.y = -9.81",
            "loads.weight = { point = \"bead\", fy = 0.0 }\n    interface.inputs = [\"loads.weight.fy\"]",
        );
    Simulation::of(&text.replace("elements = 6", &format!("elements = {elements}")))
}

/// Errors of the time of flight (s) and of the place where it ends (m, counted on from the start) of a bead that has gone two laps
/// round the ring with the speed `v` when its weight begins to act, at the bottom.
///
/// It leaves at the angle θ from the top where v² = g R cos θ, with v² = v₀² − 2 g R (1 + cos θ). There its parabola has the
/// ring's curvature, and meets it again at −3 θ. Below the centre it goes back round it.
fn flight(v: f64, elements: usize, step: f64) -> [f64; 2] {
    let g = 9.81_f64;
    let cos = (v * v - 2.0 * g) / (3.0 * g);
    let (angle, rest) = (cos.acos(), (g * cos).sqrt());
    let lasts = ((3.0 * angle).sin() + angle.sin()) / (rest * cos);
    let middle = angle.tan() / rest;
    let below = cos + rest * angle.sin() * middle - 0.5 * g * middle * middle < 0.0;
    let laps = if below { 1.0 } else { 2.0 };
    let lands = laps * TAU + PI + 3.0 * angle;
    let mut sim = drum(v, elements, step);
    let begin = sim.get("joints.bead.position");
    let mut time = 2.0 * TAU / v.abs();
    for k in 0..200 {
        (sim.try_step(time * f64::from(k) / 200.0, time / 200.0)).expect("a step");
    }
    assert_eq!(sim.get("joints.bead.transitions"), 0.0);
    sim.set("loads.weight.fy", -g);
    let [mut up, mut down] = [0.0; 2];
    while down == 0.0 {
        sim.try_step(time, 1e-2).expect("a step");
        time += 1e-2;
        let open = sim.get("joints.bead.regime") == 5.0;
        let changed = sim.get("joints.bead.transition_time");
        up = if open && up == 0.0 { changed } else { up };
        down = if up > 0.0 && !open { changed } else { 0.0 };
    }
    // Since it has landed it slides on, for less than 10 ms.
    let slid = sim.get("joints.bead.velocity") * (time - down);
    let far = sim.get("joints.bead.position") - begin - slid;
    [(down - up - lasts).abs(), (v.signum() * far - lands).abs()]
}

#[test]
fn a_bead_in_a_drum_leaves_it_where_nothing_presses_and_lands_where_its_parabola_meets_the_ring() {
    for v in [6.0, -6.0, 6.5, -6.5] {
        let [time, place] = flight(v, 12, 1e-3);
        println!("{v} m/s: off by {time:e} s, {place:e} m");
        // A lift-off is found to a part of a step. What slides on after the flight gets faster by 0.1 m/s in 10 ms.
        assert!(time < 1e-3 && place < 5e-4, "{v} m/s: {time} s, {place} m");
    }
}

#[test]
fn a_bead_on_a_drum_leaves_it_at_two_thirds_of_its_height() {
    // Outside, pushed off the top with 0.5 m/s: cos θ = 2/3 + v²/(3 g R).
    let text = RING
        .edit("bead = [0.0, -1.0]", "bead = [0.0, 1.0]")
        .edit("vx = 7.0", "vx = 0.5")
        .edit("ends = \"closed\"", "ends = \"closed\", contact = \"unilateral\", side = \"right\"");
    let mut sim = Simulation::of(&text);
    let begin = sim.get("joints.bead.position");
    let leaves = (2.0 / 3.0 + 0.25 / (3.0 * 9.81_f64)).acos();
    let mut left = None;
    sim.run(1.0, 1e-3, |sim| {
        if sim.get("joints.bead.regime") == 5.0 {
            left.get_or_insert(begin - sim.get("joints.bead.position"));
        }
    });
    let left = left.expect("it leaves");
    // Seen at the end of a step of 3 mm.
    assert!((left - leaves).abs() < 5e-3, "{left} {leaves}");
    assert!(sim.get("joints.bead.gap") > 0.01);
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
        (r#"ends = "closed""#, r#"ends = "closed", restitution = 0.5"#, "the slider has no impact"),
    ] {
        let message = common::check(&RING.edit(from, to), &[]).expect_err("a fault");
        assert!(message.contains(part), "{message}");
    }
}
