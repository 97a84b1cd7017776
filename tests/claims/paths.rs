//! Sliders on bent and moving paths of one or several members.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Three rigidly connected flexible members, or one, from 0 to 3 m on supports; `path` as written.
fn beam(members: &[(&str, &str, &str, usize)], path: &str, friction: &str) -> String {
    let mut text = Mechanism::new("Beam")
        .step(5e-4)
        .solver("spectral_radius = 0.7, position_tolerance = 1e-12")
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [2.0, 0.0], d = [3.0, 0.0]")
        .and("bead = [0.3, 0.0]")
        .entry("materials.soft", "young_modulus = 5e9, shear_modulus = 2e9, density = 1000.0")
        .rectangle("strip", 0.05, 0.05)
        .mass("bead", 4.0)
        .pin("a")
        .roller("d")
        .gravity(-9.81)
        .start("bead", "vx = 2.5")
        .joint("bead", format!("cylindrical = {{ slider = 'bead', path = {path} }}"))
        .and(friction)
        .outputs("points.* energy.*")
        .text();
    for (name, from, to, elements) in members {
        text += &format!(
            "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = {elements}\n\
             material = \"soft\"\nsection = \"strip\"\n"
        );
    }
    text
}

const PARTS: [(&str, &str, &str, usize); 3] =
    [("left", "a", "b", 2), ("middle", "c", "b", 2), ("right", "c", "d", 2)];

fn friction(transition: &str) -> String {
    format!(
        "friction.stribeck = {{ static_coefficient = 0.4, kinetic_coefficient = 0.32, \
         decay_velocity = 0.05, viscous_coefficient = 0.3, transition = \"{transition}\" }}"
    )
}

#[test]
fn a_path_written_from_its_other_end_is_the_same_motion_with_s_mirrored() {
    for transition in ["set_valued", "siqueira_coda_2023"] {
        let law = friction(transition);
        let there = beam(&PARTS, r#"["left", "middle", "right"]"#, &law);
        let back = beam(&PARTS, r#"["right", "middle", "left"]"#, &law);
        let (mut there, mut back) = (Simulation::of(&there), Simulation::of(&back));
        let (mut worst, mut crossed, mut stuck) = (0.0_f64, false, false);
        for k in 0..1200 {
            let t = f64::from(k) * 1e-3;
            there.try_step(t, 1e-3).expect("a step");
            back.try_step(t, 1e-3).expect("a step");
            for (name, mirror) in [("position", 3.0), ("velocity", 0.0)] {
                let name = format!("joints.bead.{name}");
                worst = worst.max((there.get(&name) + back.get(&name) - mirror).abs());
            }
            for name in ["points.bead.x", "points.bead.y", "points.b.y"] {
                worst = worst.max((there.get(name) - back.get(name)).abs());
            }
            crossed |= there.get("joints.bead.position") > 1.05;
            stuck |= there.get("joints.bead.sticking") != 0.0;
        }
        println!("{transition}: differences up to {worst:.1e}");
        assert!(crossed && stuck, "the bead has to change its member and to stop");
        assert!(worst < 1e-7, "{transition}: {worst:e}");
    }
}

#[test]
fn a_single_member_is_walked_from_the_end_that_start_names() {
    let one = [("all", "a", "d", 6)];
    let law = friction("set_valued");
    let mut there = Simulation::of(&beam(&one, r#"["all"]"#, &law));
    let mut back = Simulation::of(&beam(&one, r#"["all"], start = "d""#, &law));
    assert!((back.get("joints.bead.position") - 2.7).abs() < 1e-12);
    for sim in [&mut there, &mut back] {
        sim.run(0.4, 1e-3, |_| ());
    }
    let sum = there.get("joints.bead.position") + back.get("joints.bead.position");
    assert!((sum - 3.0).abs() < 1e-8, "{sum}");
}

#[test]
fn one_member_or_three_of_the_same_elements_are_the_same_path() {
    let law = friction("set_valued");
    let mut three = Simulation::of(&beam(&PARTS, r#"["left", "middle", "right"]"#, &law));
    let mut one = Simulation::of(&beam(&[("all", "a", "d", 6)], r#"["all"]"#, &law));
    for sim in [&mut three, &mut one] {
        sim.run(0.8, 1e-3, |_| ());
    }
    for name in ["joints.bead.position", "points.bead.y", "joints.bead.velocity"] {
        let difference = (three.get(name) - one.get(name)).abs();
        assert!(difference < 1e-7, "{name}: {difference:e}");
    }
}

#[test]
fn passing_from_member_to_member_jumps_no_more_than_passing_from_element_to_element() {
    let mut sim = Simulation::of(&beam(&PARTS, r#"["left", "middle", "right"]"#, ""));
    let look = |sim: &Simulation| {
        ["joints.bead.position", "joints.bead.velocity", "energy.balance"].map(|n| sim.get(n))
    };
    let mut before = look(&sim);
    // Largest change of velocity and balance in one step: anywhere, between elements of one
    // member, between members.
    let mut largest = [[0.0_f64; 2]; 3];
    let mut passed = [0; 3];
    sim.run(1.0, 5e-4, |sim| {
        let now = look(sim);
        let at = (2.0 * now[0]).floor();
        let kind = match (2.0 * before[0]).floor() == at {
            true => 0,
            false => 1 + usize::from(at % 2.0 == 0.0),
        };
        passed[kind] += 1;
        for (i, most) in largest[kind].iter_mut().enumerate() {
            *most = most.max((now[i + 1] - before[i + 1]).abs());
        }
        before = now;
    });
    println!("{largest:?} {passed:?}");
    assert_eq!(passed[1..], [3, 2]);
    let [anywhere, elements, members] = largest;
    assert!(members[0] <= anywhere[0] && elements[0] <= anywhere[0]);
    assert!(members[1] <= 2.0 * elements[1]);
    // The whole way costs a millionth of the 12 J that are moving.
    assert!(sim.get("energy.balance").abs() < 2e-6 * sim.get("energy.kinetic"));
}

/// A massless flexible rod with 1 kg and 2 kg at its ends, which floats and turns in the plane,
/// and a bead of 0.5 kg that slides along it without friction.
fn floating_rod(h: f64) -> String {
    Mechanism::new("FloatingRod")
        .step(h)
        .solver("spectral_radius = 0.8, position_tolerance = 1e-13")
        .points("a = [0.0, 0.0], b = [1.0, 0.0], bead = [0.7, 0.0]")
        .entry("materials.soft", "young_modulus = 2e9, shear_modulus = 1e9, density = 0.0")
        .rectangle("strip", 0.02, 0.02)
        .member("rod", ["a", "b"], "elements = 2, material = 'soft', section = 'strip'")
        .mass("a", 1.0)
        .mass("b", 2.0)
        .mass("bead", 0.5)
        .slider("bead", "bead", "rod", "ends = 'continue'")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("a", "vx = 0.1, vy = -0.4")
        .start("b", "vy = 0.6")
        .start("bead", "vx = -0.4")
        .outputs("points.* energy.*")
        .text()
}

#[test]
fn a_bead_on_a_floating_rod_keeps_momentum_and_energy() {
    let masses = [("a", 1.0), ("b", 2.0), ("bead", 0.5)];
    let momenta = |sim: &Simulation| {
        let mut sum = [0.0; 3];
        for (name, m) in masses {
            let [x, y, vx, vy] =
                ["x", "y", "vx", "vy"].map(|k| sim.get(&format!("points.{name}.{k}")));
            sum[0] += m * vx;
            sum[1] += m * vy;
            sum[2] += m * (x * vy - y * vx);
        }
        sum
    };
    let drift = [2e-3, 1e-3, 5e-4].map(|h| {
        let mut sim = Simulation::of(&floating_rod(h));
        let start = momenta(&sim);
        let mut worst = [0.0_f64; 4];
        sim.run(1.0, 1e-2, |sim| {
            let now = momenta(sim);
            for i in 0..3 {
                worst[i] = worst[i].max((now[i] - start[i]).abs());
            }
            let [balance, taken] =
                ["balance", "numerical_dissipation"].map(|of| sim.get(&format!("energy.{of}")));
            assert!(balance.abs() < 1e-12);
            worst[3] = worst[3].max(taken.abs());
        });
        let s = sim.get("joints.bead.position");
        println!("Δt = {h} s: {worst:?}; bead from 0.7 m to {s:.3} m");
        assert!(s < 0.4, "it has to pass from element to element");
        worst
    });
    for [px, py, ..] in drift {
        // The sum of all forces is zero but for Newton's tolerance.
        assert!(px < 1e-9 && py < 1e-9);
    }
    // Angular momentum and energy beside 1 N·m·s and 0.5 J: of second order in the step, but that the bead passes from element to
    // element within a step, which leaves some of both behind.
    assert!(drift[2][2] < 1e-6 && drift[2][3] < 1e-6);
    for (i, ratio) in [(2, 2.7), (3, 3.2)] {
        assert!(drift.windows(2).all(|d| d[0][i] / d[1][i] > ratio), "{drift:?}");
    }
}

/// A block on a stiff rod that turns about its middle by a smooth ramp of 1.2 rad in 1 s.
fn turning_rod(kind: &str) -> String {
    Mechanism::new("TurningRod")
        .step(1e-3)
        .solver("spectral_radius = 0.5")
        .points("hub = [0.0, 0.0], tip = [2.0, 0.0], block = [0.3, 0.0]")
        .entry("materials.stiff", "young_modulus = 1e12, shear_modulus = 5e11, density = 0.0")
        .rectangle("bar", 0.1, 0.1)
        .member("rod", ["hub", "tip"], "elements = 2, material = 'stiff', section = 'bar'")
        .pin("hub")
        .motion("hub", "point = 'hub', direction = 'rotation', amplitude = 1.2")
        .and("history.ramp = { duration = 1.0 }")
        .wheel("block", 0.5, 0.2)
        .load("block", "point = 'block', moment = 0.0")
        .joint("block", format!("{kind} = {{ slider = 'block', path = ['rod'] }}"))
        .outputs("points.block.* motions.*")
        .text()
}

#[test]
fn a_prismatic_slider_turns_with_its_path_and_a_cylindrical_one_does_not() {
    let mut moments = Vec::new();
    for (kind, share) in [("cylindrical", 0.0), ("prismatic", 1.0)] {
        let mut sim = Simulation::of(&turning_rod(kind));
        sim.run(0.25, 1e-2, |sim| {
            let turned = share * sim.get("motions.hub.position");
            assert!((sim.get("points.block.rotation") - turned).abs() < 1e-5, "{kind}");
        });
        moments.push(sim.get("motions.hub.reaction"));
    }
    // r̈ = θ̇² r and nothing along the rod, both kinds the same; the prismatic joint takes J θ̈ more.
    let bend = 1.2 * 60.0 * 0.25 * 0.75 * 0.5;
    let extra = moments[1] - moments[0];
    println!("{moments:?}: {extra:.4} N·m more, J θ̈ = {:.4}", 0.2 * bend);
    assert!((extra - 0.2 * bend).abs() < 1e-3 * 0.2 * bend);
}

#[test]
fn a_drive_does_the_work_of_the_impulse_with_which_a_stop_moves_on() {
    // 1 kg at 3 m/s meets the stop of a belt that is driven at 1 m/s: ½ (3 − 1)² J are lost, and
    // the drive holds the belt back with 2 N·s at 1 m/s.
    for h in [1e-3, 3e-4, 1e-4] {
        let mut sim = Mechanism::new("Stop")
            .step(h)
            .points("left = [-1.0, 0.0], right = [1.0, 0.0], block = [0.0, 0.0]")
            .member("belt", ["left", "right"], "elements = 1")
            .support("belt", "member = 'belt', fix = ['y', 'rotation']")
            .motion("belt", "member = 'belt', direction = 'x', velocity = 1.0")
            .mass("block", 1.0)
            .joint("block", "cylindrical.slider = 'block', cylindrical.path = ['belt']")
            .and("cylindrical.ends = 'stop'")
            .start("block", "vx = 3.0")
            .outputs("points.block.vx energy.*")
            .simulation();
        sim.run(1.0, 0.1, |_| ());
        // Newton's method leaves 1e-10 of 2 m in each position, which over one step is a velocity.
        assert!((sim.get("points.block.vx") - 1.0).abs() < 2.0 * 2e-10 / h);
        assert!((sim.get("energy.input_work") + 2.0).abs() < 1e-5, "{h}");
        assert!((sim.get("energy.impact_loss") - 2.0).abs() < 1e-5, "{h}");
        assert!(sim.get("energy.balance").abs() < 1e-5, "{h}");
    }
}
