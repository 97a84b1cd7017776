//! What the time integration makes is an error: steps are divided for it, and motions do their own work.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;

/// A bead on a straight path, pushed by 20 N and pressed by a force that swings, under a law with memory.
fn bead() -> String {
    Mechanism::new("bead")
        .step(1e-2)
        .points("a = [-5.0, 0.0], b = [5.0, 0.0], p = [0.0, 0.0]")
        .guide("rail", ["a", "b"], "elements = 1")
        .mass("p", 1.0)
        .slider("j", "p", "rail", "")
        .and("friction.spring_friction = { stiffness = 4e3, coefficient = 0.5 }")
        .load("swing", "point = 'p', fy = -100.0, history.sine = { frequency = 7.0 }")
        .load("press", "point = 'p', fy = -120.0")
        .load("push", "point = 'p', fx = 20.0")
        .start("p", "vx = 1.0")
        .outputs("energy.*")
        .text()
}

/// A mass that a damper stops within a tenth of a step.
fn damper() -> String {
    Mechanism::new("damper")
        .step(1e-2)
        .solver("spectral_radius = 0.95")
        .points("g = [0.0, 0.0], p = [1.0, 0.0]")
        .mass("p", 1.0)
        .roller("p")
        .spring("s", "ground = 'g', to = 'p', damping = 1e3")
        .start("p", "vx = 1.0")
        .outputs("energy.*")
        .text()
}

/// A mass that bounces at its stop once in every step, and a bar that has nothing to do with it.
fn bounces() -> String {
    Mechanism::new("bounces")
        .step(2e-4)
        .solver("spectral_radius = 0.3")
        .points("left = [-2.0, 0.0], right = [0.0, 0.0], buffer = [-3.6e-5, 0.0]")
        .and("from = [0.0, 1.0], to = [1.2, 1.0]")
        .material("alloy", 70e9, 0.33, 2700.0)
        .rectangle("bar", 0.036, 0.036)
        .member("bar", ["from", "to"], "elements = 2, material = 'alloy', section = 'bar'")
        .pin("from")
        .pin("to")
        .guide("rail", ["left", "right"], "elements = 1")
        .mass("buffer", 0.2)
        .load("push", "point = 'buffer', fx = 4000.0")
        .joint("j", "cylindrical.slider = 'buffer', cylindrical.path = ['rail']")
        .and("cylindrical.ends = 'stop', cylindrical.restitution = 1.0")
        .load("pull", "member = 'bar', at = 0.5, fx = 1.0")
        .start("buffer", "vx = 1.6")
        .outputs("energy.*")
        .text()
}

/// The most that the time integration has made in `steps` of length `h` (s), as a share of the energy (J) that is there; and whether the
/// run got to their end.
fn made(text: &str, h: f64, steps: u32, there: f64) -> (f64, bool) {
    let mut sim = Simulation::of(text);
    let mut most = 0.0_f64;
    for _ in 0..steps {
        let time = sim.time();
        if sim.try_step(time, h).is_err() {
            return (most, false);
        }
        most = most.max(-sim.get("energy.numerical_dissipation") / there);
    }
    (most, true)
}

#[test]
fn energy_that_the_time_integration_makes_falls_with_the_step() {
    // The bead's friction takes 13 J; the mass has 0.5 J; the one that bounces 0.26 J.
    for (name, text, h, steps, there) in [
        ("bead", &bead(), 1e-2, 200, 13.0),
        ("damper", &damper(), 1e-2, 10, 0.5),
        ("bounces", &bounces(), 2e-4, 500, 0.26),
    ] {
        let fine = text.edit(
            &format!("step = {}", if h == 1e-2 { "0.01" } else { "2e-4" }),
            &format!("step = {:?}", h / 32.0),
        );
        let [(coarse, ended), (fine, _)] = [text, &fine].map(|text| made(text, h, steps, there));
        println!(
            "{name}: {coarse:.1e} of the energy is made, {fine:.1e} in steps of {:e} s",
            h / 32.0
        );
        assert!(ended && fine < 2e-2, "{name}: {fine:e}");
    }
}

#[test]
fn a_motion_whose_velocity_jumps_does_the_work_of_the_kinetic_energy() {
    let mut sim = Mechanism::new("cart")
        .step(1e-3)
        .points("cart = [0.0, 0.0], other = [1.0, 0.0]")
        .mass("other", 1.0)
        .roller("other")
        .mass("cart", 2.0)
        .roller("cart")
        .motion("cart", "point = 'cart', direction = 'x', amplitude = 0.2")
        .and("history.ramp = { start = 0.0105, duration = 0.5, smooth = false }")
        .outputs("energy.*")
        .simulation();
    for _ in 0..20 {
        sim.step(1e-3);
    }
    // ½ m v² with 0.4 m/s.
    for (name, exact) in
        [("kinetic", 0.16), ("input_work", 0.16), ("numerical_dissipation", 0.0), ("balance", 0.0)]
    {
        let seen = sim.get(&format!("energy.{name}"));
        assert!((seen - exact).abs() < 1e-14, "{name}: {seen:e}");
    }
}

/// A heavy rail is shaken along itself below a bead of a millionth of its mass. Where friction of the bead turns over, steps are those of implicit Euler.
#[test]
fn a_drive_does_the_work_of_a_heavy_rail_whatever_friction_does_on_it() {
    let mut sim = Mechanism::new("shaken")
        .step(2.5e-3)
        .points("a = [-5.0, 0.0], b = [5.0, 0.0], p = [0.0, 0.0]")
        .guide("rail", ["a", "b"], "elements = 1")
        .mass("a", 50.0)
        .mass("p", 1e-5)
        .motion("shake", "supports = ['rail'], direction = 'x', amplitude = 0.05")
        .and("history.sine = { frequency = 3.0 }")
        .slider("j", "p", "rail", "")
        .and("friction.stribeck.static_coefficient = 0.6")
        .and("friction.stribeck.kinetic_coefficient = 0.3, friction.stribeck.decay_velocity = 0.1")
        .and("friction.stribeck.decay_exponent = 1.0, friction.stribeck.viscous_coefficient = 0.0")
        .gravity(-9.81)
        .outputs("energy.*")
        .simulation();
    let rate = 6.0 * std::f64::consts::PI;
    let mut worst = 0.0_f64;
    for _ in 0..800 {
        sim.step(2.5e-3);
        let v = 0.05 * rate * (rate * sim.time()).cos();
        // The motion begins with its velocity.
        let exact = 25.0 * (v * v - 0.0025 * rate * rate);
        worst = worst.max((sim.get("energy.input_work") - exact).abs());
    }
    println!("{worst:.1e} J of 22 J, of which the bead's friction takes 7e-5 J");
    assert!(worst < 2e-4, "{worst:e}");
}

/// Members have masses that couple what a motion drives with what moves beside it. The drive's work is that of its force on its way, whichever way
/// it is found.
#[test]
fn the_work_of_a_motion_on_a_member_is_that_of_its_reaction() {
    let member = |elements: usize, order: usize, motion: &str, density: f64| {
        Mechanism::new("pushed")
            .step(1e-4)
            .points("a = [0.0, 0.0], b = [1.0, 0.3]")
            .wheel("a", 1.0, 0.1)
            .material("soft", 1e7, 0.3, density)
            .rectangle("bar", 0.05, 0.02)
            .beam("bar", ["a", "b"], [elements, order], "soft bar")
            .motion("b", format!("point = 'b', {motion}"))
            .outputs("energy.* motions.*")
            .text()
    };
    let mut most = 0.0_f64;
    let motions = [
        "direction = \"x\"\nvelocity = 0.05",
        "direction = \"y\"\nvelocity = -0.3",
        "direction = \"rotation\"\nrate = 0.5",
        "direction = \"x\"\namplitude = 0.01\nhistory.sine = { frequency = 5.0 }",
        "direction = \"y\"\namplitude = 0.02\nhistory.sine = { frequency = 3.0 }",
        "direction = \"rotation\"\namplitude = 0.05\nhistory.sine = { frequency = 4.0 }",
    ];
    for motion in motions {
        for (elements, order) in [(1, 1), (2, 3), (5, 2), (1, 4)] {
            for density in [10.0, 7850.0] {
                let mut sim = Simulation::of(&member(elements, order, motion, density));
                let now = |sim: &Simulation| {
                    ["position", "reaction"].map(|of| sim.get(&format!("motions.b.{of}")))
                };
                let (mut work, mut traffic, mut before) = (0.0, 0.0_f64, now(&sim));
                for _ in 0..400 {
                    sim.step(1e-4);
                    let after = now(&sim);
                    let part = 0.5 * (before[1] + after[1]) * (after[0] - before[0]);
                    (work, traffic, before) = (work + part, traffic + part.abs(), after);
                }
                let [input, made, balance] = ["input_work", "numerical_dissipation", "balance"]
                    .map(|of| sim.get(&format!("energy.{of}")));
                let stored = sim.get("energy.kinetic") + sim.get("energy.strain");
                let there = traffic.max(stored);
                let off = (input - work).abs() / there;
                most = most.max(off);
                assert!(
                    off < 2e-3 && made > -2e-4 * there && balance.abs() < 1e-3 * there,
                    "{motion}, {elements} of order {order}, {density} kg/m³: {input:e} J, {work:e} J by its force; {made:e} J taken, {balance:e} J \
                     open, of {there:e} J"
                );
            }
        }
    }
    println!("works differ by {most:.1e} of the energy of the motion at most");
}
