//! Sliders that leave their paths at the ends: `ends = "leave"`.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check, tier};
use crate::random_mechanisms::Dice;
use coulisse::start::start;
use coulisse::system::System;

const G: f64 = 9.81;

/// A bead of 2 kg on a straight rigid ramp of 1.5 m that falls by `angle` (rad) to the right and ends in the origin, 1 m before that end,
/// with the speed `v` (m/s) down it.
fn ramp(angle: f64, friction: f64, v: f64, step: f64, contact: &str) -> String {
    let (sin, cos) = angle.sin_cos();
    Mechanism::new("ramp")
        .step(step)
        .gravity(-G)
        .points(format!("a = [{:?}, {:?}], b = [0.0, 0.0]", -1.5 * cos, 1.5 * sin))
        .and(format!("bead = [{:?}, {sin:?}]", -cos))
        .guide("ramp", ["a", "b"], "elements = 3")
        .mass("bead", 2.0)
        .start("bead", format!("vx = {:?}, vy = {:?}", v * cos, -v * sin))
        .slider("bead", "bead", "ramp", format!("ends = 'leave'{contact}"))
        .and(format!("friction.coulomb = {{ coefficient = {friction:?} }}"))
        .outputs("points.bead.* joints.bead.* energy.*")
        .text()
}

#[test]
fn a_bead_flies_off_the_end_of_its_ramp_on_the_parabola_of_its_speed_there() {
    let (angle, friction) = (0.3_f64, 0.1);
    let (sin, cos) = angle.sin_cos();
    let a = G * (sin - friction * cos);
    for v in [0.0_f64, 0.3, 7.0] {
        let instant = ((v * v + 2.0 * a).sqrt() - v) / a;
        let speed = v + a * instant;
        for contact in ["", ", contact = \"unilateral\""] {
            for step in [1e-2, 1.3e-3, 1e-4] {
                let mut sim = Simulation::of(&ramp(angle, friction, v, step, contact));
                sim.run(instant + 0.5, 1e-2, |sim| {
                    let t = sim.time();
                    let flown = (t - instant).max(0.0);
                    let way = match flown {
                        0.0 => v * t + 0.5 * a * t * t - 1.0,
                        _ => speed * flown,
                    };
                    let place = [way * cos, -way * sin - 0.5 * G * flown * flown];
                    let off = ["points.bead.x", "points.bead.y"].map(|name| sim.get(name));
                    let off = (off[0] - place[0]).hypot(off[1] - place[1]);
                    assert!(off < 1e-8, "{off} m off at {t} s, step {step} s, {v} m/s");
                    if flown > 0.0 {
                        assert_eq!(sim.get("joints.bead.regime"), 5.0);
                        assert_eq!(sim.get("joints.bead.normal_force"), 0.0);
                        assert_eq!(sim.get("joints.bead.friction_force"), 0.0);
                        assert_eq!(sim.get("joints.bead.position"), 1.5);
                        let gap = sim.get("joints.bead.gap") - place[0].hypot(place[1]);
                        assert!(gap.abs() < 1e-8, "gap off by {gap} m at {t} s");
                    }
                });
                let late = sim.get("joints.bead.transition_time") - instant;
                assert!(late.abs() < 1e-8, "{late} s late, step {step} s");
                assert!(sim.lost().abs() < 1e-7, "{} J", sim.lost());
            }
        }
    }
}

const LENGTH: f64 = 3.0;
const SPEED: f64 = 6.0;
/// Young's modulus (Pa), density (kg/m³), height and width of the section (m) of the beam.
const BEAM: [f64; 4] = [2.1e11, 7850.0, 0.04, 0.1];

/// What a motion draws over a simply supported beam without weight, to its end at 0.5 s and beyond: a mass or, of 0 kg, a force of 500 N.
fn load_on_beam(step: f64, mass: f64) -> String {
    let load = match mass {
        0.0 => "gravity.y = 0.0\nloads.load = { point = \"load\", fy = -500.0 }".to_string(),
        _ => format!("gravity.y = {:?}\nmasses.load = {{ point = \"load\", mass = {mass:?} }}", -G),
    };
    let [young, density, height, width] = BEAM;
    Mechanism::new("over_and_off")
        .add(load)
        .points(format!("a = [0.0, 0.0], b = [{LENGTH:?}, 0.0], load = [0.0, 0.0]"))
        .entry("materials.steel", format!("young_modulus = {young:?}, shear_modulus = 1e13"))
        .and(format!("density = {density:?}"))
        .rectangle("bar", height, width)
        .member("beam", ["a", "b"], "material = 'steel', section = 'bar', elements = 6")
        .and("order = 3")
        .pin("a")
        .roller("b")
        .motion("drive", format!("point = 'load', direction = 'x', velocity = {SPEED:?}"))
        .slider("load", "load", "beam", "ends = 'leave'")
        .probe("middle", "displacement = { member = 'beam', at = 1.5, direction = 'y' }")
        .step(step)
        .solver("spectral_radius = 0.95")
        .outputs("points.load.* joints.load.* energy.* probes.middle")
        .text()
}

/// Deflection of the middle of the beam at `t` (s), m, under the force or after it has left: the modes of Krylov and Timoshenko (Frýba 1972,
/// Chap. 1), each with what it has when the force leaves.
fn krylov(t: f64) -> f64 {
    let [young, density, height, width] = BEAM;
    let (line, stiffness) = (density * height * width, young * width * height.powi(3) / 12.0);
    let crossing = LENGTH / SPEED;
    let mode = |n: f64| {
        let k = n * std::f64::consts::PI / LENGTH;
        let (own, forced) = (k * k * (stiffness / line).sqrt(), k * SPEED);
        let size = -2.0 * 500.0 / (line * LENGTH) / (own * own - forced * forced);
        let under = |t: f64| size * ((forced * t).sin() - forced / own * (own * t).sin());
        let rate = size * forced * ((forced * crossing).cos() - (own * crossing).cos());
        let free = t - crossing;
        let q = match free > 0.0 {
            true => under(crossing) * (own * free).cos() + rate / own * (own * free).sin(),
            false => under(t),
        };
        q * (0.5 * n * std::f64::consts::PI).sin()
    };
    (1..60).map(|n| mode(f64::from(n))).sum()
}

#[test]
fn a_mass_that_has_left_its_beam_falls_and_a_load_is_gone() {
    for mass in [50.0, 0.0] {
        for step in [2e-3, 1e-3, 2.5e-4] {
            let mut sim = Simulation::of(&load_on_beam(step, mass));
            let (mut left, mut swing, mut far) = ([f64::NAN; 3], 0.0_f64, 0.0_f64);
            sim.run(1.2, 2e-3, |sim| {
                let middle = sim.get("probes.middle");
                swing = swing.max(middle.abs());
                far = far.max((middle - krylov(sim.time())).abs());
                if sim.get("joints.load.regime") != 5.0 {
                    return;
                }
                let place = ["points.load.y", "points.load.vy"].map(|name| sim.get(name));
                if left[0].is_nan() {
                    left = [sim.time(), place[0], place[1]];
                }
                let [from, y, vy] = left;
                let t = sim.time() - from;
                let falls = if mass > 0.0 { -G } else { 0.0 };
                let off = place[0] - (y + vy * t + 0.5 * falls * t * t);
                assert!(off.abs() < 1e-9, "{off} m off at {} s", sim.time());
            });
            let late = sim.get("joints.load.transition_time") - LENGTH / SPEED;
            println!(
                "{mass} kg, {step} s: {late:e} s late, {:e} of the swing off, lost {:e} J",
                far / swing,
                sim.lost()
            );
            // The sliding coordinate ends where the beam does, which sags and comes inward.
            assert!(late.abs() < 1e-5, "{late} s late");
            let near = if step > 1e-3 { 0.02 } else { 0.005 };
            assert!(mass > 0.0 || far < near * swing, "{far} m of {swing} m off");
        }
    }
}

/// A bead of 0.8 kg, `at` (m) from the pivot of an arm of 1 m that a motion turns with 5 rad/s.
fn centrifuge(at: f64, step: f64, arm: &str) -> String {
    Mechanism::new("centrifuge")
        .step(step)
        .points(format!("pivot = [0.0, 0.0], tip = [1.0, 0.0], bead = [{at:?}, 0.0]"))
        .member("arm", ["pivot", "tip"], arm)
        .mass("bead", 0.8)
        .motion("turn", "member = 'arm', direction = 'rotation', rate = 5.0")
        .pin("pivot")
        .slider("bead", "bead", "arm", "ends = 'leave'")
        .outputs("points.bead.* joints.bead.* energy.*")
        .text()
}

#[test]
fn a_bead_is_thrown_off_a_turning_arm_along_its_velocity() {
    let (at, rate) = (0.2_f64, 5.0_f64);
    let instant = (1.0 / at).acosh() / rate;
    let out = at * rate * (rate * instant).sinh();
    let (sin, cos) = (rate * instant).sin_cos();
    let thrown = [out * cos - rate * sin, out * sin + rate * cos];
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let mut sim = Simulation::of(&centrifuge(at, step, "rigid = true"));
        sim.run(1.0, 4e-3, |_| ());
        let left = sim.get("joints.bead.transition_time");
        assert_eq!(sim.get("joints.bead.regime"), 5.0);
        let velocity = ["points.bead.vx", "points.bead.vy"].map(|name| sim.get(name));
        let place = ["points.bead.x", "points.bead.y"].map(|name| sim.get(name));
        let flown = 1.0 - instant;
        let exact = [cos + thrown[0] * flown, sin + thrown[1] * flown];
        let off = (place[0] - exact[0]).hypot(place[1] - exact[1]);
        let faster = (velocity[0] - thrown[0]).hypot(velocity[1] - thrown[1]);
        println!("{step} s: left {:e} s late, {off:e} m and {faster:e} m/s off", left - instant);
        off
    });
    let order = (errors[0] / errors[2]).log2() / 2.0;
    assert!(errors[2] < 2e-4 && order > 1.8, "{errors:?}, order {order}");
}

/// A path on which a bead of random mass, friction and speed comes to an end: a rigid arc, an elastic cantilever or a free arm.
fn random(dice: &mut Dice) -> (String, f64) {
    let step = dice.scale(1e-5, 1e-2);
    let kind = dice.whole(0, 2);
    // The bead begins in the middle of a straight path, and at rest at the beginning of an arc.
    let (at, v) = match kind {
        0 => (0.0, 0.0),
        _ => (0.5, dice.sign() * dice.scale(0.01, 3.0)),
    };
    let path = match kind {
        0 => format!(
            "members.path = {{ from = \"a\", to = \"b\", elements = 6, order = 3, arc.angle = {:?} }}\n\
             supports.path = {{ member = \"path\", fix = [\"x\", \"y\", \"rotation\"] }}",
            dice.between(-1.5, 1.5)
        ),
        1 => format!(
            "members.path = {{ from = \"a\", to = \"b\", elements = {}, order = 3, material = \"soft\", section = \"bar\" }}\n\
             materials.soft = {{ young_modulus = {:?}, poisson_ratio = 0.3, density = 1000.0 }}\n\
             sections.bar.rectangle = {{ height = 0.03, width = 0.05 }}\n\
             supports.path = {{ point = \"a\", fix = [\"x\", \"y\", \"rotation\"] }}",
            dice.whole(2, 5),
            dice.scale(1e8, 1e11)
        ),
        _ => format!(
            "members.path = {{ from = \"a\", to = \"b\", rigid = true, mass = {:?}, inertia = 0.1 }}\n\
             supports.path = {{ point = \"a\", fix = [\"x\", \"y\"] }}",
            dice.scale(0.1, 10.0)
        ),
    };
    let friction = match dice.whole(0, 2) {
        0 => String::new(),
        1 => format!("friction.coulomb = {{ coefficient = {:?} }}", dice.between(0.01, 0.5)),
        _ => "friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.1, decay_velocity = 0.1 }".into(),
    };
    let contact = if dice.chance(0.3) { ", contact = \"unilateral\"" } else { "" };
    let text = Mechanism::new("random")
        .step(step)
        .entry("gravity", format!("x = {:?}, y = {:?}", dice.between(-5.0, 15.0), -G))
        .points(format!("a = [0.0, 0.0], b = [1.0, 0.0], bead = [{at:?}, 0.0]"))
        .add(path)
        .mass("bead", dice.scale(0.01, 5.0))
        .start("bead", format!("vx = {v:?}"))
        .slider("bead", "bead", "path", format!("ends = 'leave'{contact}"))
        .and(friction)
        .outputs("points.bead.* joints.bead.* energy.*")
        .text();
    (text, step)
}

/// Slow: random beads in all steps.
#[test]
fn random_beads_leave_for_good_and_no_energy_comes_of_it() {
    let (mut left, mut off, beads) = (0_u64, Vec::new(), tier::share(600));
    for seed in 0..beads {
        let (text, step) = random(&mut Dice::seeded(seed));
        let Ok(checked) = check(&text, &[]) else {
            continue;
        };
        let starts = System::build(&checked).is_ok_and(|system| start(&system, &[]).is_ok());
        if !starts {
            continue;
        }
        let mut sim = Simulation::of(&text);
        let dt = step.max(1e-3);
        let (mut gone, mut largest, mut before) = (None, 0.0_f64, [0.0; 3]);
        let end = (400.0 * step).clamp(0.2, 1.0);
        while sim.time() < end {
            let t = sim.time();
            if sim.try_step(t, dt).is_err() {
                break;
            }
            largest = largest.max(sim.get("energy.kinetic")).max(sim.get("energy.strain"));
            let place = ["points.bead.x", "points.bead.y"].map(|name| sim.get(name));
            let open = sim.get("joints.bead.regime") == 5.0;
            if let (Some(regime), false) = (gone, text.contains("unilateral")) {
                assert!(regime == 5.0 && open, "seed {seed} comes back at {t} s");
                // Ballistic from row to row.
                let rise = place[1] - before[1] - before[2] * dt + 0.5 * G * dt * dt;
                assert!(rise.abs() < 1e-9, "seed {seed}: {rise} m");
            }
            gone = gone.or(open.then_some(5.0));
            before = [place[0], place[1], sim.get("points.bead.vy")];
        }
        left += u64::from(gone.is_some());
        let balance = sim.get("energy.balance").abs() / largest.max(1e-9);
        if balance > 1e-2 {
            off.push((seed, balance));
        }
    }
    println!("{left} of {beads} left, balance above 1e-2: {off:?}");
    assert!(3 * left > beads && off.is_empty(), "{left} left, {off:?}");
}
