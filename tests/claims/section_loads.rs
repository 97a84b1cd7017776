//! Loads in one section of a member or an edge: forces that keep their direction, forces that follow, moments.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};

/// A bar of 2 m along x; I = 6.667e-9 m⁴, EI = 1333.3 N·m².
fn bar() -> String {
    Mechanism::new("bar")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0], b = [2.0, 0.0]")
        .material("steel", 2e11, 0.3, 7850.0)
        .rectangle("bar", 0.02, 0.01)
        .beam("bar", ["a", "b"], [4, 3], "steel bar")
        .clamp("a")
        .load("push", "point = 'b', fx = 20.0, fy = -30.0, moment = 5.0")
        .outputs("points.b.* supports.* energy.* members.*")
        .text()
}

const E_I: f64 = 2e11 * 0.01 * 0.02 * 0.02 * 0.02 / 12.0;

#[test]
fn a_load_in_the_last_section_is_that_of_the_point_there() {
    let run = |text: &str| {
        let mut sim = Simulation::of(text);
        sim.step(0.1);
        ["points.b.x", "points.b.y", "points.b.rotation", "supports.a.moment"]
            .map(|path| sim.get(path))
    };
    let at_point = run(&bar());
    let in_section = run(&bar().edit("point = \"b\"\nfx", "member = \"bar\"\nat = 2.0\nfx"));
    for (a, b) in at_point.iter().zip(in_section) {
        assert!((a - b).abs() < 1e-12 * a.abs().max(1.0), "{a} {b}");
    }
    assert!(at_point[1] < -0.04);
}

#[test]
fn a_moment_in_a_section_turns_the_ends_as_the_theory_of_beams_says() {
    // On two supports, M at a = 0.7 m of L = 2 m: reactions ∓ M/L; rotation at the left −M (6 a L − 3 a² − 2 L²)/(6 L EI), the
    // section between two nodes.
    let text = bar()
        .edit(
            "fix = [\"x\", \"y\", \"rotation\"]",
            "fix = [\"x\", \"y\"]\n[supports.b]\npoint = \"b\"\nfix = [\"y\"]",
        )
        .edit(
            "point = \"b\"\nfx = 20.0\nfy = -30.0\nmoment = 5.0",
            "member = \"bar\"\nat = 0.7\nmoment = 1.0",
        )
        .edit("\"points.b.*\"", "\"points.a.rotation\"");
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    for (end, sign) in [("from", 1.0), ("to", -1.0)] {
        let seen = sim.get(&format!("members.bar.{end}.fy"));
        println!("reaction {seen}");
        assert!((seen - 0.5 * sign).abs() < 1e-7, "{end} {seen}");
    }
    let (a, l) = (0.7_f64, 2.0);
    let exact = -(6.0 * a * l - 3.0 * a * a - 2.0 * l * l) / (6.0 * l * E_I);
    let seen = sim.get("points.a.rotation");
    println!("rotation {seen:.6e} instead of {exact:.6e}");
    assert!((seen - exact).abs() < 1e-3 * exact.abs(), "{seen} {exact}");
}

#[test]
fn a_load_is_carried_wherever_its_section_is() {
    // At nodes, between and at both ends, whatever the lengths of the elements are when they are added up.
    for elements in [1, 2, 3, 6, 7, 12, 23, 49] {
        for (k, parts) in (0..=elements).map(|k| (k, elements)).chain([(1, 3), (5, 7), (10, 11)]) {
            let at = 2.0 * f64::from(k) / f64::from(parts);
            let text = bar().edit("elements = 4", &format!("elements = {elements}")).edit(
                "point = \"b\"\nfx = 20.0\nfy = -30.0\nmoment = 5.0",
                &format!("member = \"bar\"\nat = {at:?}\nfx = 0.2\nfy = -0.3\nmoment = 0.1"),
            );
            let mut sim = Simulation::of(&text);
            sim.step(0.1);
            let [x, y, moment] =
                ["fx", "fy", "moment"].map(|key| sim.get(&format!("supports.a.{key}")));
            assert!((x + 0.2).abs() < 1e-6 && (y - 0.3).abs() < 1e-6, "{elements} {at}: {x} {y}");
            assert!((moment - (0.3 * at - 0.1)).abs() < 1e-4, "{elements} {at}: {moment}");
        }
    }
}

/// A stiff rod on a hinge at the origin without gravity; a force at 1.5 m that stays normal to it.
fn propelled(step: f64) -> String {
    bar().edit("analysis = \"quasi_static\"\n", "")
        .edit("step = 0.1", &format!("step = {step}"))
        .edit("fix = [\"x\", \"y\", \"rotation\"]", "fix = [\"x\", \"y\"]")
        .edit("height = 0.02, width = 0.01", "height = 0.2, width = 0.1")
        .edit("point = \"b\"\nfx = 20.0\nfy = -30.0\nmoment = 5.0", "member = \"bar\"\nat = 1.5\nnormal = 40.0\nmoment = 3.0\nhistory.ramp = { duration = 0.05 }")
}

#[test]
fn a_force_that_follows_drives_a_rod_around() {
    // I ω̇ = 1.5 · 40 + 3 N·m after the ramp, whose smooth course is symmetric: ω = M (t − 0.025)/I.
    // Sections have no inertia against rotation unless they are asked to.
    let inertia = 7850.0 * 0.02 * 2.0_f64.powi(3) / 3.0;
    let mut errors = Vec::new();
    for step in [4e-3, 2e-3] {
        let mut sim = Simulation::of(&propelled(step));
        sim.run(4.0, 0.02, |_| {});
        let (seen, exact) = (sim.get("points.b.rotation_rate"), 63.0 * 3.975 / inertia);
        println!(
            "step {step}: {seen} rad/s instead of {exact}, balance {:.3e} J",
            sim.get("energy.balance")
        );
        assert!((seen - exact).abs() < 2e-4 * exact, "{seen} {exact}");
        assert!(sim.get("points.b.rotation") > 1.0, "it has turned");
        let work = sim.get("energy.input_work");
        assert!((work - 63.0 * sim.get("points.b.rotation")).abs() < 1e-2 * work);
        errors.push(sim.lost().abs() / work);
    }
    assert!(errors[1] < 1e-5 && errors[1] < 0.5 * errors[0] + 1e-9, "{errors:?}");
}

#[test]
fn derivatives_by_loads_in_sections_are_those_of_differences() {
    let text = sharp(
        &propelled(1e-3)
            .edit("outputs = [", "inputs = [\"loads.push.*\"]\noutputs = [\"points.a.*\", "),
        1e-13,
    );
    let knowns =
        ["fx", "fy", "normal", "tangential", "moment"].map(|key| format!("loads.push.{key}"));
    let knowns: Vec<(&str, f64)> = knowns.iter().map(|path| (path.as_str(), 2.0)).collect();
    check_run(&text, 0.2, &knowns, 1e-5, 40);
}
