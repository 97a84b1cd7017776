//! Friction on steep surfaces: the force μ N acts along the surface, and the law sees the speed along it.

use std::f64::consts::FRAC_PI_6;

use super::G;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, orders, rigid_member, runge_kutta, sensitivity};

/// A block of 2 kg on a path along x whose surface is a straight slope of 30°, thrown along it with ds/dt = 2 m/s.
fn slope(step: f64, path: &str, joint: &str) -> String {
    let heights = format!("[0.0, {:?}]", 4.0 * FRAC_PI_6.tan());
    Mechanism::new("Slope")
        .step(step)
        .solver("position_tolerance = 1e-13")
        .points("a = [0.0, 0.0], b = [4.0, 0.0], block = [0.8, 0.0]")
        .add(path)
        .mass("block", 2.0)
        .gravity(-G)
        .start("block", "vx = 2.0")
        .slider("block", "block", "m", "")
        .and(format!("roughness.table = {{ stations = [0.0, 4.0], heights = {heights} }}"))
        .then(joint)
        .inputs("gravity.y")
        .outputs("points.block.* energy.* solver.*")
        .text()
}

fn rigid() -> String {
    rigid_member("m", ["a", "b"], 1)
}

/// A member so stiff that the block bends it by less than 1e-7 m; it shakes below the block at first, and where the force at the block changes its
/// sign, friction by its size brakes a little more.
fn elastic(elements: usize) -> String {
    let keys = format!("elements = {elements}, material = 'steel', section = 'square'");
    Mechanism::part()
        .steel()
        .rectangle("square", 0.4, 0.4)
        .member("m", ["a", "b"], keys)
        .clamp("a")
        .clamp("b")
        .text()
}

/// Forms of Coulomb friction with a constant coefficient.
fn laws(coefficient: f64) -> [String; 3] {
    let printed = "decay_velocity = 1.0, transition = \"siqueira_coda_2023\"";
    let both =
        format!("static_coefficient = {coefficient:?}, kinetic_coefficient = {coefficient:?}");
    [
        format!("friction.coulomb = {{ coefficient = {coefficient:?} }}"),
        format!("friction.stribeck = {{ {both}, decay_velocity = 1.0 }}"),
        format!("friction.stribeck = {{ {both}, {printed} }}"),
    ]
}

/// Way along the slope after a `time`, m, and the speed, m/s: up from v₀ with g (sin φ + μ cos φ), down again with g (sin φ − μ cos φ).
fn thrown(time: f64, coefficient: f64) -> [f64; 2] {
    let (sin, cos) = FRAC_PI_6.sin_cos();
    let speed = 2.0 / cos;
    let up = G * (sin + coefficient * cos);
    let down = G * (sin - coefficient * cos).max(0.0);
    let turns = speed / up;
    if time < turns {
        return [speed * time - 0.5 * up * time * time, speed - up * time];
    }
    let after = time - turns;
    [0.5 * speed * speed / up - 0.5 * down * after * after, -down * after]
}

#[test]
fn a_block_thrown_up_a_slope_comes_to_rest_or_slides_back_as_the_closed_form_says() {
    let cos = FRAC_PI_6.cos();
    let paths = [(rigid(), 1e-8), (elastic(2), 2e-3), (elastic(5), 2e-3)];
    for (path, tolerance) in paths {
        for (coefficient, step) in [(0.3, 4e-3), (0.3, 1e-3), (0.7, 4e-3), (0.7, 1e-3)] {
            for law in laws(coefficient) {
                let mut sim = Simulation::of(&slope(step, &path, &law));
                let begin = sim.get("joints.block.position");
                // The printed form does not stop at an instant, but in some steps.
                let printed = law.contains("siqueira");
                let tolerance = if printed { 2e-3 } else { tolerance };
                sim.run(0.6, 0.02, |sim| {
                    let [way, speed] = thrown(sim.time(), coefficient);
                    let seen = (sim.get("joints.block.position") - begin) / cos;
                    assert!((seen - way).abs() < tolerance, "{law} {step}: {seen} {way}");
                    let seen = sim.get("joints.block.velocity") / cos;
                    let allowed = if printed { 5e-2 } else { (1e2 * tolerance).min(5e-2) };
                    assert!((seen - speed).abs() < allowed, "{law} {step}: {seen} {speed}");
                });
            }
        }
    }
}

#[test]
fn forces_and_energies_on_a_slope_are_those_of_the_closed_form() {
    let (sin, cos) = FRAC_PI_6.sin_cos();
    let [weight, coefficient] = [2.0 * G, 0.7];
    {
        for step in [4e-3, 1e-3] {
            let mut sim = Simulation::of(&slope(step, &rigid(), &laws(coefficient)[0]));
            let look = |sim: &Simulation, friction: f64, way: f64| {
                let is = |output: &str, exact: f64| {
                    let seen = sim.get(output);
                    assert!((seen - exact).abs() < 2e-5 * weight, "{output}: {seen} {exact}");
                };
                is("joints.block.normal_force", weight * cos);
                is("joints.block.friction_force", friction);
                let speed = sim.get("joints.block.velocity") / cos;
                is("joints.block.friction_power", friction * speed);
                is("joints.block.dissipated_energy", coefficient * weight * cos * way);
                is("energy.friction_work", coefficient * weight * cos * way);
            };
            sim.run(0.12, 0.04, |_| ());
            let [way, _] = thrown(sim.time(), coefficient);
            look(&sim, coefficient * weight * cos, way);
            sim.run(0.6, 0.04, |_| ());
            assert_eq!(sim.get("joints.block.regime"), 1.0, "it sticks");
            let [way, speed] = thrown(sim.time(), coefficient);
            assert_eq!(speed, 0.0);
            // It would slide back: friction acts towards growing s.
            look(&sim, -weight * sin, way);
            assert!(sim.get("energy.balance").abs() < 1e-5);
        }
    }
}

#[test]
fn a_block_stays_on_a_slope_up_to_the_angle_of_friction_and_not_beyond() {
    let limit = FRAC_PI_6.tan();
    for step in [1e-2, 1e-3] {
        for (share, sticks) in [(1.0 + 1e-6, true), (1.0 - 1e-6, false)] {
            let law = &laws(limit * share)[0];
            let text = slope(step, &rigid(), law).edit("vx = 2.0", "vx = 0.0");
            let mut sim = Simulation::of(&text);
            sim.run(0.05, step, |_| ());
            assert_eq!(sim.get("joints.block.regime") == 1.0, sticks, "{share}");
        }
    }
}

/// On waves a block stays where their slope is below μ.
#[test]
fn a_block_stays_on_waves_where_their_slope_is_below_the_coefficient() {
    let (amplitude, number) = (0.25, std::f64::consts::TAU / 3.0);
    for place in [0.3_f64, 0.7, 1.0, 2.2, 2.9] {
        for share in [0.999, 1.001] {
            let table = slope(1e-3, &rigid(), "").edit("vx = 2.0", "vx = 0.0");
            let begin = table.find("roughness.table").expect("a table");
            let waves = format!(
                "{}roughness.cosine = {{ amplitude = {amplitude}, wavelength = 3.0 }}\n",
                &table[..begin]
            );
            let end = table[begin..].find('\n').expect("a line") + begin + 1;
            let waves = (waves + &table[end..])
                .edit("block = [0.8, 0.0]", &format!("block = [{place:?}, 0.0]"));
            // Where the start puts it.
            let s = Simulation::of(&waves).get("joints.block.position");
            let slope = (amplitude * number * (number * s).sin()).abs();
            let law = format!("friction.coulomb = {{ coefficient = {:?} }}\n", slope * share);
            let key = "roughness.cosine";
            let mut sim = Simulation::of(&waves.edit(key, &format!("{law}{key}")));
            sim.run(0.02, 1e-3, |_| ());
            let sticks = sim.get("joints.block.regime") == 1.0;
            assert_eq!(sticks, share > 1.0, "{place} {slope} {share}");
        }
    }
}

/// Waves of 0.2 m over 2 m, slopes up to 32°.
const WAVES: [f64; 2] = [0.2, std::f64::consts::PI];

/// A bead of 1 kg on them, thrown with ds/dt = 2 m/s.
fn wavy(step: f64, path: &str, law: &str) -> String {
    Mechanism::new("Waves")
        .step(step)
        .solver("position_tolerance = 1e-13")
        .points("a = [0.0, 0.0], b = [4.0, 0.0], bead = [0.1, 0.0]")
        .add(path)
        .mass("bead", 1.0)
        .gravity(-G)
        .start("bead", "vx = 2.0")
        .slider("bead", "bead", "m", "")
        .and("roughness.cosine = { amplitude = 0.2, wavelength = 2.0, phase = 0.4 }")
        .and(law)
        .inputs("gravity.y")
        .outputs("points.bead.* energy.*")
        .text()
}

/// s, ds/dt and the work of friction of that bead after 0.75 s, where the law answers T to u and N. With u = |Y′| ṡ, the angle φ of the surface
/// and its curvature κ,
///
/// ```text
/// u̇ = −g sin φ − T/m,   N = m (g cos φ + κ u²),   Ẇ = T u
/// ```
fn reference(begin: f64, law: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    let [a, k] = WAVES;
    runge_kutta([begin, 2.0, 0.0], 0.0, TIME, 40_000, |_, y| {
        let (sin, cos) = (k * y[0] - 0.4).sin_cos();
        let [slope, bend] = [-a * k * sin, -a * k * k * cos];
        let stretch = (1.0 + slope * slope).sqrt();
        let speed = stretch * y[1];
        let pressed = (G / stretch + bend / stretch.powi(3) * speed * speed).abs();
        let friction = law(speed, pressed);
        let along = -G * slope / stretch - friction;
        // u̇ = |Y′| s̈ + |Y′|′ ṡ².
        let bent = slope * bend / stretch * y[1] * y[1];
        [y[1], (along - bent) / stretch, friction * speed]
    })
}

/// Until when the bead slides, s.
const TIME: f64 = 0.75;

/// Largest errors of position, velocity and work of friction by steps: of `order` on a rigid path. On an elastic one the bead shakes the member
/// in periods that no step resolves, and its friction with it.
fn follows(
    law: &str, steps: [f64; 3], [order, largest]: [f64; 2], exact: impl Fn(f64) -> [f64; 3],
) {
    for (path, shakes) in [(rigid(), false), (elastic(3).replace("0.4", "0.8"), true)] {
        let seen = steps.map(|step| {
            let mut sim = Simulation::of(&wavy(step, &path, law));
            let exact = exact(sim.get("joints.bead.position"));
            sim.run(TIME, TIME, |_| ());
            assert!(sim.get("joints.bead.position") > 1.2, "over half a wave");
            let outputs = ["joints.bead.position", "joints.bead.velocity", "energy.friction_work"];
            let errors = outputs.iter().zip(exact).map(|(output, exact)| sim.get(output) - exact);
            errors.fold(0.0_f64, |worst, error| worst.max(error.abs()))
        });
        println!("{law} {seen:?}, orders {:.2?}", orders(&seen));
        assert!(shakes || orders(&seen).iter().all(|p| *p > order), "{law}");
        assert!(seen[2] < if shakes { 1e-2 } else { largest }, "{law} {seen:?}");
    }
}

#[test]
fn a_bead_on_steep_waves_follows_an_equation_of_its_own_under_laws_of_velocity() {
    const STEPS: [f64; 3] = [4e-3, 2e-3, 1e-3];
    follows("friction.coulomb = { coefficient = 0.2 }", STEPS, [1.8, 3e-5], |begin| {
        reference(begin, |_, n| 0.2 * n)
    });
    let both = "static_coefficient = 0.3, kinetic_coefficient = 0.15";
    let decays = "decay_velocity = 1.5, decay_exponent = 2.0, viscous_coefficient = 0.2";
    let coefficient = |v: f64| 0.15 + 0.15 * (-(v / 1.5).powi(2)).exp();
    let law = format!("friction.stribeck = {{ {both}, {decays} }}");
    follows(&law, STEPS, [1.8, 3e-5], |begin| {
        reference(begin, |v, n| coefficient(v) * n + 0.2 * v)
    });
}

/// First order: a law with memory takes the normal force of the end of a step. Bristles so stiff act as Coulomb friction.
#[test]
fn stiff_bristles_on_steep_waves_brake_as_coulomb_friction() {
    let both = "static_coefficient = 0.2, kinetic_coefficient = 0.2, decay_velocity = 1.0";
    for law in [
        "spring_friction = { stiffness = 1e6, coefficient = 0.2 }".to_string(),
        "dahl = { stiffness = 1e6, coefficient = 0.2 }".to_string(),
        "bristle_lcp = { stiffness = 1e6, coefficient = 0.2 }".to_string(),
        format!("lugre = {{ stiffness = 1e6, {both} }}"),
    ] {
        follows(&format!("friction.{law}"), [2e-3, 1e-3, 5e-4], [0.8, 2e-3], |begin| {
            reference(begin, |_, n| 0.2 * n)
        });
    }
}

/// Under gravity along y and a load along x the derivatives of all outputs.
#[test]
fn derivatives_on_steep_waves_are_those_of_central_differences() {
    let both = "static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 1.5";
    for law in [
        format!("friction.stribeck = {{ {both}, viscous_coefficient = 0.2 }}"),
        format!("friction.stribeck = {{ {both}, transition = 'siqueira_coda_2023' }}"),
        format!("friction.lugre = {{ {both}, stiffness = 2e3, damping = 1.0 }}"),
    ] {
        let soft = elastic(2).replace("0.4", "0.04");
        let text = wavy(1e-3, &soft, &law);
        let mut sim = Simulation::of(&text);
        sim.run(0.1, 2e-3, |_| ());
        let sure = sensitivity::check(&sim, &text, 4e-3, &[("gravity.y", 0.1)], 1e-5);
        println!("{sure} derivatives sure");
        assert!(sure > 10, "{law}: {sure}");
    }
}

/// A ball that meets a slope of 30° loses the velocity across it, and by friction μ times that along it.
#[test]
fn an_impact_on_a_slope_has_the_friction_of_its_impulse() {
    let (sin, cos) = FRAC_PI_6.sin_cos();
    for coefficient in [0.1, 0.4, 0.8] {
        let law = format!("friction.coulomb = {{ coefficient = {coefficient:?} }}");
        let text = slope(1e-3, &rigid(), &law)
            .edit("block = [0.8, 0.0]", "block = [2.0, 2.0]")
            .edit("vx = 2.0", "vy = -3.0")
            .edit(
                "path = [\"m\"]",
                "path = [\"m\"], contact = \"unilateral\", impact_friction = true",
            );
        let mut sim = Simulation::of(&text);
        let (fall, height) = (|t: f64| 3.0 * t + 0.5 * G * t * t, 2.0 - 2.0 * FRAC_PI_6.tan());
        let met = (-3.0 + (9.0 + 2.0 * G * height).sqrt()) / G;
        assert!((fall(met) - height).abs() < 1e-12);
        let end = (met / 1e-3).ceil() * 1e-3;
        sim.run(end, 1e-3, |_| ());
        let speed = 3.0 + G * met;
        let after = -(speed * (sin - coefficient * cos)).max(0.0);
        let slides = G * (sin - coefficient * cos) * (end - met);
        let exact = if after == 0.0 { 0.0 } else { after - slides };
        let seen = sim.get("joints.block.velocity") / cos;
        assert!((seen - exact).abs() < 1e-6, "{coefficient}: {seen} {exact}");
    }
}

/// Turned by a moment M, a prismatic block bears on both ends with F_N = 2 |M′|/L, M′ = M − μ (h/2) N, N = m g cos φ.
#[test]
fn both_ends_of_a_guide_on_a_slope_press_as_the_closed_form_says() {
    let (sin, cos) = FRAC_PI_6.sin_cos();
    let (length, height, coefficient, moment) = (0.3, 0.1, 0.2, 6.0);
    let text = slope(1e-3, &rigid(), &laws(coefficient)[0])
        .edit("cylindrical = {", "prismatic = { length = 0.3, height = 0.1,")
        .edit("[masses.block]\n", "[masses.block]\nrotary_inertia = 0.1\n")
        + "[loads.turn]\npoint = \"block\"\nmoment = MOMENT\n";
    for sign in [1.0, -1.0] {
        let mut sim = Simulation::of(&text.replace("MOMENT", &format!("{:?}", sign * moment)));
        sim.run(0.1, 0.01, |_| ());
        let seen = sim.get("joints.block.normal_force");
        // Friction at the sole is h/2 off the axis; the block presses to the right.
        let own = sign * moment - 0.5 * height * coefficient * 2.0 * G * cos;
        let pressed = 2.0 / length * own.abs();
        assert!((seen / pressed - 1.0).abs() < 1e-7, "{sign}: {seen} {pressed}");
        let braked = 2.0 / cos - (G * sin + coefficient * pressed / 2.0) * 0.1;
        let speed = sim.get("joints.block.velocity") / cos;
        assert!((speed - braked).abs() < 1e-7, "{sign}: {speed} {braked}");
    }
}
