//! Equilibria of elements that no member has: crushed or turned over in a step that is too long.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check, runge_kutta, text};

/// A steel string of `thickness` between two hinges 2 m apart, with `force` (N) at its middle.
fn string(thickness: f64, force: f64, solver: &str) -> String {
    Mechanism::new("string")
        .solver(solver)
        .points("O = [0, 0], M = [1, 0], A = [2, 0]")
        .steel()
        .rectangle("strip", thickness, 0.02)
        .member("a", ["O", "M"], "elements = 2, material = 'steel', section = 'strip'")
        .member("b", ["M", "A"], "elements = 2, material = 'steel', section = 'strip'")
        .pin("O")
        .pin("A")
        .load("F", format!("point = 'M', fy = -{force}"))
        .and("history.ramp = { duration = 1, smooth = false }")
        .outputs("points.M.y supports.A.fx energy.*")
        .text()
}

/// Sag (m) and tension (N) of a strip between hinges 2 m apart under a force at its middle, by the
/// theory of second order: EI w⁗ = T w″ with T = EA ∫ ½ w′² dx over the half.
fn sag(thickness: f64, force: f64) -> [f64; 2] {
    let (area, young) = (0.02 * thickness, 210e9);
    let bending = young * area * thickness * thickness / 12.0;
    let at = |tension: f64| {
        let k = (tension / bending).sqrt();
        let slope = force / (2.0 * tension);
        let squares = 1.5 - 2.0 * k.tanh() / k + (2.0 * k).sinh() / (4.0 * k * k.cosh().powi(2))
            - 0.5 * (1.0 - 1.0 / k.cosh().powi(2));
        let stretched = young * area * 0.5 * slope * slope * squares;
        (stretched, slope * (1.0 - k.tanh() / k))
    };
    let (mut low, mut high) = (1.0, 1e6);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if at(middle).0 > middle {
            low = middle;
        } else {
            high = middle;
        }
    }
    [at(low).1, low]
}

#[test]
fn a_flat_string_finds_its_sag_from_any_load_step() {
    // Two elements are coarse beside the strip's stiff ends, ten are not.
    for (thickness, force, elements, tolerance) in [
        (0.005, 500.0, 2, 0.03),
        (0.005, 500.0, 10, 0.002),
        (0.003, 200.0, 2, 0.03),
        (0.003, 200.0, 10, 0.002),
    ] {
        let [depth, tension] = sag(thickness, force);
        for step in [0.1, 0.05, 0.02, 0.01] {
            let solver = format!("step = {step}\nanalysis = \"quasi_static\"");
            let model = string(thickness, force, &solver);
            let model = model.edit("elements = 2", &format!("elements = {elements}"));
            let mut sim = Simulation::of(&model);
            sim.run(1.0, 0.1, |_| {});
            let (y, pull) = (sim.get("points.M.y"), sim.get("supports.A.fx"));
            for (seen, exact) in [(-y, depth), (pull, tension)] {
                assert!(
                    (seen / exact - 1.0).abs() < tolerance,
                    "{elements} elements, step {step}: {seen} for {exact}"
                );
            }
        }
    }
}

#[test]
fn a_string_that_is_loaded_in_coarse_steps_gets_no_energy_from_nowhere() {
    let mut sim = Simulation::of(&string(0.005, 500.0, "step = 0.01"));
    let [depth, _] = sag(0.005, 500.0);
    sim.run(1.0, 0.01, |sim| {
        let (balance, y) = (sim.get("energy.balance"), sim.get("points.M.y"));
        // Of the 10 J that the force does.
        assert!(balance.abs() < 0.2, "{} s: {balance} J", sim.time());
        assert!(y <= 0.0 && y > -1.2 * depth, "{} s: {y} for {depth}", sim.time());
    });
}

#[test]
fn a_slider_crank_in_coarse_steps_is_not_turned_over() {
    let rate = 20.0 * std::f64::consts::PI;
    let model = text("tests/models/slider_crank")
        .edit("angle = 0.0", "rate = \"w\"")
        .edit("step = 1e-3", "step = 7e-3")
        .edit("\"motions.crank.angle\"", "\"motions.crank.rate\"");
    let mut sim = Simulation::of(&model);
    sim.run(1.001, 7e-3, |sim| {
        let (sin, cos) = (rate * sim.time()).sin_cos();
        let exact = 0.1 * cos + (0.09 - 0.01 * sin * sin).sqrt();
        let x = sim.get("points.P.x");
        assert!((x - exact).abs() < 1e-3, "{} s: {x} for {exact}", sim.time());
    });
}

#[test]
fn a_member_that_is_crushed_for_good_is_named() {
    // Softer than its load: EA = 40 N under 500 N.
    let soft = string(0.005, 500.0, "step = 0.1\nanalysis = \"quasi_static\"");
    let soft =
        soft.edit("young_modulus = 2.1e11", "young_modulus = 4e5").edit("fy = -500", "fx = -500");
    let mut sim = Simulation::of(&soft);
    let fault = (0..10).find_map(|i| sim.try_step(0.1 * f64::from(i), 0.1).err());
    let fault = fault.expect("refused");
    assert!(fault.contains("of member `a` is crushed"), "{fault}");
    assert!(fault.contains("stiffer member"), "{fault}");
    check(&soft, &[]).expect("nothing wrong with the file itself");
}

/// Deflection of the tip of an inextensible cantilever of length 1 under α = F L²/(E I).
fn elastica(alpha: f64) -> f64 {
    let shoot = |start: f64| {
        runge_kutta([0.0, start, 0.0], 0.0, 1.0, 400, |_, y| {
            [y[1], -alpha * y[0].cos(), y[0].sin()]
        })
    };
    let (mut low, mut high) = (0.0, alpha);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    shoot(low)[2]
}

#[test]
fn a_cantilever_bears_at_the_start_what_bends_it_far() {
    for force in [100.0, 1000.0, 10_000.0] {
        let model =
            string(0.02, force, "step = 0.1\nanalysis = \"quasi_static\"\nmax_halvings = 0");
        let (model, _) = model.split_once("[members.b]").expect("a second member");
        let model = model.edit("elements = 2", "elements = 10")
            + &format!(
                "[supports.O]\npoint = \"O\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
                 [supports.A]\npoint = \"A\"\nfix = [\"x\", \"y\"]\n\
                 [loads.F]\npoint = \"M\"\nfy = -{force}\n\
                 [interface]\noutputs = [\"points.M.y\"]\n"
            );
        let sim = Simulation::of(&model);
        let exact = elastica(force / (210e9 * 0.02 * 0.02_f64.powi(3) / 12.0));
        let y = sim.get("points.M.y");
        // Shear and stretch, (h/L)² for short.
        assert!((y / -exact - 1.0).abs() < 2e-3, "{force} N: {y} for {exact}");
    }
}

#[test]
fn a_body_that_is_pressed_beyond_what_its_law_bears_is_named() {
    let mut sim = Mechanism::new("pressed")
        .step(0.01)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [1.0, 0.5], d = [0.0, 0.5]")
        .material("unit", 1.0, 0.0, 1.0)
        .body("plate", "material = 'unit', thickness = 1.0, state = 'plane_stress', order = 2")
        .patch("plate", [2, 1], "bottom: a, right: b, top: c, left: d")
        .support("wall", "edge = 'plate.left', fix = ['x', 'y']")
        .support("top", "edge = 'plate.right', fix = ['y']")
        .motion("press", "edge = 'plate.right', direction = 'x', displacement = 0.0")
        .inputs("motions.press.displacement")
        .outputs("motions.press.reaction")
        .simulation();
    let mut pressed = |to: f64| {
        sim.set("motions.press.displacement", -to);
        let time = sim.time();
        let done = sim.try_step(time, 0.1);
        (done, sim.get("motions.press.reaction"))
    };
    for to in [0.1, 0.2, 0.3, 0.35, 0.4, 0.42] {
        let (done, reaction) = pressed(to);
        done.unwrap_or_else(|fault| panic!("{to}: {fault}"));
        // ½ E A λ (λ² − 1).
        let stretch = 1.0 - to;
        let known = 0.25 * stretch * (stretch * stretch - 1.0);
        assert!((reaction - known).abs() < 1e-9, "{to}: {reaction} {known}");
    }
    // 1 − 1/√3 = 0.4226.
    let fault = pressed(0.43).0.expect_err("crushed");
    assert!(
        fault.contains("of body `plate` is compressed beyond the range of its material law"),
        "{fault}"
    );
}
