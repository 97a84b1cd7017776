//! Rough paths that turn and bend: the height is a lever on their sections.

use super::G;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, orders, sensitivity};

/// A rod that is turned about O at 2 rad/s, a bead on it at a constant height.
fn turned(height: f64, start: &str) -> String {
    Mechanism::new("Turned")
        .step(2.5e-4)
        .solver("spectral_radius = 0.8, position_tolerance = 1e-13")
        .points("O = [0.0, 0.0], A = [4.0, 0.0], bead = [0.5, 0.0]")
        .material("stiff", 1e12, 0.3, 1e-3)
        .rectangle("bar", 0.1, 0.1)
        .beam("rod", ["O", "A"], [2, 2], "stiff bar")
        .pin("O")
        .motion("turn", "point = 'O', direction = 'rotation', rate = 2.0")
        .mass("bead", 3.0)
        .slider("bead", "bead", "rod", format!("start = '{start}'"))
        .and("roughness.table.stations = [0.0, 4.0]")
        .and(format!("roughness.table.heights = [{height}, {height}]"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("bead", format!("vx = '-2*({height})*{}'", if start == "O" { 1 } else { -1 }))
        .outputs("points.bead.* energy.* motions.*")
        .text()
}

#[test]
fn the_surface_turns_with_the_section_and_its_height_is_a_lever() {
    // In the turning frame s̈ = ω² s whatever the height H to the left of the rod; the force across
    // is m (2 ω ṡ − ω² H), and with it the moment on the rod.
    for (height, start, side) in [(0.2, "O", 1.0), (-0.1, "O", 1.0), (0.2, "A", -1.0)] {
        let mut sim = Simulation::of(&turned(height, start));
        sim.run(0.6, 0.6, |_| ());
        let (omega, time) = (2.0, sim.time());
        let out = 0.5 * (omega * time).cosh();
        let speed = 0.5 * omega * (omega * time).sinh();
        let s = sim.get("joints.bead.position");
        let from_center = if start == "O" { s } else { 4.0 - s };
        assert!((from_center - out).abs() < 1e-5, "{from_center} {out}");
        let lift = side * height;
        let (sin, cos) = (omega * time).sin_cos();
        let [x, y] = [cos * out - sin * lift, sin * out + cos * lift];
        assert!((sim.get("points.bead.x") - x).abs() < 1e-5);
        assert!((sim.get("points.bead.y") - y).abs() < 1e-5);
        let across = 3.0 * (2.0 * omega * speed - omega * omega * lift);
        assert!((sim.get("joints.bead.normal_force") - across).abs() < 1e-3 * across);
        let moment = sim.get("motions.turn.reaction");
        assert!((moment - across * out).abs() < 1e-3 * across * out, "{moment}");
    }
}

/// A soft cantilever whose rough top a slider rides on with friction, pressed and pushed.
fn cantilever(analysis: &str, friction: &str, start: &str) -> String {
    Mechanism::new("Cantilever")
        .step(1e-3)
        .solver(format!("analysis = '{analysis}', position_tolerance = 1e-11"))
        .points("a = [0.0, 0.0], b = [1.0, 0.0], P = [0.4, 0.0]")
        .material("soft", 2e7, 0.3, 1000.0)
        .rectangle("strip", 0.05, 0.05)
        .member("m", ["a", "b"], "elements = 3, material = 'soft', section = 'strip'")
        .clamp("a")
        .mass("P", 2.0)
        .load("P", "point = 'P', fx = 8.0, fy = -10.0")
        .joint(
            "P",
            format!(
                "cylindrical = {{ slider = 'P', path = ['m'], ends = 'stop', \
                 start = '{start}' }}"
            ),
        )
        .and("roughness.harmonics.amplitudes = [0.02, 0.005]")
        .and("roughness.harmonics.wavelengths = [0.7, 0.23]")
        .and("roughness.harmonics.phases = [0.4, 1.0]")
        .then(friction)
        .inputs("loads.P.fx loads.P.fy")
        .outputs("supports.* points.P.* energy.*")
        .text()
}

#[test]
fn energy_is_kept_to_second_order_where_the_path_bends_under_the_slider() {
    let errors = [2e-3, 1e-3, 5e-4].map(|h| {
        let text = cantilever("dynamic", "", "b").edit("elements = 3", "elements = 1").edit(
            "step = 1e-3\nanalysis = \"dynamic\"\nposition_tolerance = 1e-11",
            &format!("step = {h}\nanalysis = \"dynamic\"\nposition_tolerance = 1e-13"),
        );
        let mut sim = Simulation::of(&text);
        let mut worst = 0.0_f64;
        sim.run(0.24, 0.01, |sim| {
            assert!(sim.get("energy.balance").abs() < 1e-12);
            worst = worst.max(sim.get("energy.numerical_dissipation").abs());
        });
        worst
    });
    println!("{errors:?} J, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.8));
    // Of 1 J that the load gives.
    assert!(errors[2] < 1e-5);
}

#[test]
fn the_clamp_takes_the_moment_of_the_contact_with_the_height_as_lever() {
    for start in ["a", "b"] {
        let held = "[motions.P]\npoint = \"P\"\ndirection = \"x\"\ndisplacement = 0.0";
        let mut sim = Simulation::of(&cantilever("quasi_static", held, start));
        for n in 1..=20 {
            sim.set("loads.P.fy", -10.0 - f64::from(n));
            sim.step(1e-2);
        }
        // The slider presses along the normal of the surface, at the height of the surface.
        let (x, y) = (sim.get("points.P.x"), sim.get("points.P.y"));
        let [fx, fy, moment] = ["fx", "fy", "moment"].map(|c| sim.get(&format!("supports.a.{c}")));
        assert!(fx.abs() > 1.0 && (fy - 30.0).abs() < 1e-9, "{fx} {fy}");
        let about = x * fy - y * fx;
        assert!((moment - about).abs() < 1e-9 * moment.abs(), "{moment} {about}");
    }
}

#[test]
fn derivatives_of_a_step_on_a_rough_path_are_those_of_central_differences() {
    let text = cantilever(
        "dynamic",
        "friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.5 }",
        "a",
    );
    let mut sim = Simulation::of(&text);
    for _ in 0..60 {
        sim.step(2e-3);
    }
    assert!(sim.get("joints.P.velocity").abs() > 0.1, "it slides");
    let knowns = [("loads.P.fx", 0.4), ("loads.P.fy", 0.4)];
    let sure = sensitivity::check(&sim, &text, 4e-3, &knowns, 1e-6);
    println!("{sure} derivatives sure");
    assert!(sure > 30, "{sure}");
}

/// A seesaw with a bead of 1 kg in a trough a = 0.5 m below its hinge.
fn seesaw() -> String {
    Mechanism::new("Seesaw")
        .step(1e-3)
        .points("l = [-1.0, 0.0], O = [0.0, 0.0], r = [1.0, 0.0], bead = [0.0, 0.0]")
        .material("stiff", 1e10, 0.3, 1e-3)
        .rectangle("bar", 0.1, 0.1)
        .beam("left", ["O", "l"], [1, 2], "stiff bar")
        .beam("right", ["O", "r"], [1, 2], "stiff bar")
        .pin("O")
        .wheel("O", 1.0, 0.7)
        .mass("bead", 1.0)
        .gravity(-9.81)
        .slider("bead", "bead", "left right", "start = 'l'")
        .and("roughness.cosine = { amplitude = 0.5, wavelength = 'pi/2', phase = '4 + pi' }")
        .text()
}

#[test]
fn a_bead_in_the_trough_of_a_seesaw_has_the_frequencies_of_two_coupled_pendulums() {
    // With u along the rod and its angle φ, h = −a + κ u²/2:
    // T = ½ J φ̇² + ½ m (u̇ + a φ̇)²,  V = m g (u φ + ½ κ u² + ½ a φ²).
    let sim = Simulation::of(&seesaw());
    assert!((sim.get("joints.bead.position") - 1.0).abs() < 1e-9);
    let (a, j) = (0.5, 0.7);
    let kappa = 16.0 * a;
    // det (K − ω² M) = A ω⁴ − B ω² + C with m = 1.
    let big = j + a * a - a * a;
    let middle = G * (kappa * (j + a * a) + a - 2.0 * a);
    let small = G * G * (kappa * a - 1.0);
    let root = (middle * middle - 4.0 * big * small).sqrt();
    let exact = [-1.0, 1.0].map(|sign| ((middle + sign * root) / (2.0 * big)).sqrt());
    let seen = sim.frequencies(2);
    println!("{seen:?} {exact:?}");
    for (seen, exact) in seen.into_iter().zip(exact) {
        assert!((seen / exact - 1.0).abs() < 1e-3, "{seen} {exact}");
    }
}
