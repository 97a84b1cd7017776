//! A rigid drawer that jams in its rails: forces that no step length makes larger.

use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// A drawer of 8 kg, 0.15 m long between rails 0.6 m apart, pulled beside its middle by up to 40 N.
fn drawer() -> String {
    Mechanism::new("drawer")
        .step(1e-3)
        .points("rear = [-0.6, 0.0], front = [1.5, 0.0], a = [0.0, -0.3], b = [0.15, -0.3]")
        .and("c = [0.15, 0.3], d = [0.0, 0.3], knob = [0.15, 0.29]")
        .body("drawer", "rigid = true, mass = 8.0, inertia = 0.347, points = ['knob']")
        .patch("drawer", [1, 1], "front: b, left: c, rear: d, right: a")
        .guide("rails", ["rear", "front"], "elements = 1")
        .contact("rails", "surface = ['drawer.right', 'drawer.left'], path = ['rails']")
        .and("width = 0.6, clearance = 1e-3, rigid = true, restitution = 0.0")
        .and("impact_friction = true, friction.coulomb = { coefficient = 0.3 }")
        .load("pull", "point = 'knob', fx = 40.0")
        .and("history.ramp = { duration = 1.0, smooth = false }")
        .outputs("contacts.rails.* contacts.rails[2].* contacts.rails[4].* energy.*")
        .text()
}

#[test]
fn a_rigid_drawer_that_jams_is_pressed_by_a_force_that_does_not_depend_on_the_step() {
    // Two corners, L = 0.15 m apart along the rails and 2 b = 0.6 m across, stick with f₁ and f₂: f₁ + f₂ = P,
    // N L = P e + b (f₁ − f₂), |f| ≤ μ N. Rigid bodies leave f₁ − f₂ open: the least N is where f₂ = μ N, and with f₁ = f₂ it is P e/L.
    let (pull, e, length, b, mu) = (40.0, 0.29, 0.15, 0.3, 0.3);
    let least = pull * (e + b) / (length + 2.0 * b * mu);
    let equal: f64 = pull * e / length;
    for step in [2e-4, 1e-3, 2e-3, 5e-3] {
        let mut sim = Simulation::with(&drawer(), &[("solver.step", step)]);
        sim.run(1.5, 5e-3, |_| {});
        let forces = [2, 4].map(|k| sim.get(&format!("contacts.rails[{k}].normal_force")));
        let balance = sim.get("energy.balance");
        println!("{step} s: {forces:?} N of {least:.2} to {equal:.2} N, balance {balance:e} J");
        for force in forces {
            // The drawer stands askew by its clearance, 3 mrad. What redundant friction has shared in the motion before stays.
            assert!(force > 0.99 * least && force < 1.15 * equal, "{force} N");
        }
        assert!(balance.abs() < 1e-4 * sim.get("energy.impact_loss"));
    }
}

/// A gate with two corners at its rails, pushed by a motion: P/(1 − 2 μ a/L) up to the offset at which it jams, and no force from there on.
#[test]
fn a_gate_that_jams_against_its_motion_stops_the_run() {
    let text = common::text("tests/models/sliding_gate");
    let mut slides = Simulation::with(&text, &[("parameters.offset", 0.4)]);
    slides.run(1.0, 5e-3, |_| {});
    let push = slides.get("motions.push.reaction");
    // It is tilted by its clearance, 0.01.
    assert!((push / 75.0 - 1.0).abs() < 0.01, "{push}");
    for offset in [1.21, 1.3] {
        let mut jams = Simulation::with(&text, &[("parameters.offset", offset)]);
        let fault = (0..100).find_map(|i| jams.try_step(5e-3 * f64::from(i), 5e-3).err());
        let fault = fault.expect("it jams");
        assert!(fault.contains("jams against `motions.push`"), "{fault}");
    }
}

/// A press: a crank of 50 mm drives a slider with friction against 5 kN through an elastic rod of 60 mm.
fn press() -> String {
    Mechanism::new("press")
        .step(5e-4)
        .entry("parameters", "mu = 0.5")
        .points("O = [0.0, 0.0], A = [0.0, 0.05], B = ['sqrt(0.06^2 - 0.05^2)', 0.0]")
        .and("low = [0.0, 0.0], high = [0.2, 0.0]")
        .steel()
        .rectangle("rod", 0.02, 0.02)
        .member("crank", ["O", "A"], "rigid = true, mass = 1.0, inertia = 1e-3")
        .member("rod", ["A", "B"], "elements = 2, material = 'steel', section = 'rod'")
        .guide("guide", ["low", "high"], "rigid = true")
        .mass("B", 5.0)
        .pin("O")
        .joint("A", "hinge = { point = 'A' }")
        .slider("B", "B", "guide", "")
        .and("friction.coulomb = { coefficient = 'mu' }")
        .load("press", "point = 'B', fx = -5000.0")
        .motion("motor", "point = 'O', direction = 'rotation', rate = '2*pi'")
        .entry("damping.rod", "stiffness_coefficient = 1e-5")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .outputs("joints.B.sticking")
        .text()
}

/// The rod pushes the slider at up to asin(50/60) to its path: from μ = 1/tan of this on, 0.663, no force moves it.
#[test]
fn a_joint_that_sticks_while_a_motion_goes_on_is_said_to_jam() {
    let run = |mu: f64| {
        let mut press = Simulation::with(&press(), &[("parameters.mu", mu)]);
        (0..130).find_map(|i| press.try_step(5e-3 * f64::from(i), 5e-3).err())
    };
    assert_eq!(run(0.5), None);
    let fault = run(0.8).expect("it jams");
    println!("{fault}");
    for words in ["joints.B sticks (friction force", "while motions.motor goes on", "run --list"] {
        assert!(fault.contains(words), "{fault}");
    }
}

/// A uniform rod of 1 kg and 1 m, twice as steep as 1:1, whose lower end slides on a floor with 1 m/s away from where it leans.
fn painleve(mu: f64) -> String {
    let [cos, sin] = [1.0 / 5.0_f64.sqrt(), 2.0 / 5.0_f64.sqrt()];
    Mechanism::new("Painleve")
        .step(1e-3)
        .points(format!("tip = [0.0, 0.0], top = [{cos:?}, {sin:?}]"))
        .and("left = [-5.0, 0.0], right = [5.0, 0.0]")
        .member(
            "rod",
            ["tip", "top"],
            format!("rigid = true, mass = 1.0, inertia = {:?}", 1.0 / 12.0),
        )
        .guide("floor", ["left", "right"], "elements = 1, order = 1")
        .gravity(-9.81)
        .joint("tip", "cylindrical = { slider = 'tip', path = ['floor'], contact = 'unilateral' }")
        .and(format!("friction.coulomb = {{ coefficient = {mu:?} }}"))
        .start("tip", "vx = -1.0")
        .start("top", "vx = -1.0")
        .outputs("points.* joints.* energy.*")
        .text()
}

/// From μ = 4/3 on the end of the rod presses more than its friction can bear (Painlevé 1895; Génot and Brogliato 1999): an impulse stops it.
#[test]
fn the_rod_of_painleve_jams_at_the_start_from_its_coefficient_on() {
    let (g, l) = (9.81, 0.5);
    let [cos, sin] = [1.0 / 5.0_f64.sqrt(), 2.0 / 5.0_f64.sqrt()];
    for mu in [0.3, 1.2, 1.3, 1.4, 1.7, 3.0] {
        let sim = Simulation::of(&painleve(mu));
        let [vx, top, normal, lost] =
            ["points.tip.vx", "points.top.vx", "joints.tip.normal_force", "energy.impact_loss"]
                .map(|name| sim.get(name));
        println!("{mu}: {vx} {top} {normal} {lost}");
        // m of the end across the floor per force, and with friction.
        let exact = if mu < 4.0 / 3.0 {
            [-1.0, -1.0, g / (1.0 + 3.0 * cos * (cos - mu * sin)), 0.0]
        } else {
            // The end stands; the angular momentum about it stays.
            let rate = 3.0 * sin / (4.0 * l);
            let turns = -0.75 * g * cos / l;
            let normal = g + l * (turns * cos - rate * rate * sin);
            [0.0, -2.0 * l * sin * rate, normal, 0.5 - 0.5 / 3.0 * rate * rate]
        };
        for (found, exact) in [vx, top, normal, lost].into_iter().zip(exact) {
            assert!((found - exact).abs() < 1e-9 * (1.0 + exact.abs()), "{mu}: {found} {exact}");
        }
        let mut next = sim;
        next.run(0.02, 1e-3, |_| ());
        assert!(next.get("energy.balance").abs() < 1e-9, "{}", next.get("energy.balance"));
    }
}
