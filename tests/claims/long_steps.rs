//! Steps that cannot be taken: the message names the cause, and a step that does where it is too long.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};
use coulisse::solve::Stepper;
use coulisse::start::start;
use coulisse::system::System;

/// What is said where the start or the first step of the solver fails with a step of `h`.
fn said(text: &str, h: f64) -> Result<(), String> {
    let checked = common::check(text, &[("solver.step", h)])?;
    let system = System::build(&checked).map_err(|fault| fault.to_string())?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|i| i.start).collect();
    let mut state = start(&system, &inputs).map_err(|fault| fault.to_string())?;
    Stepper::new(&system).advance(&system, &mut state, 0.0, h).map_err(|fault| fault.to_string())
}

/// The step that a message proposes, s.
fn proposed(message: &str) -> f64 {
    let (_, length) = message.split_once("up to about ").expect(message);
    let (length, _) = length.split_once(" s").expect(message);
    length.parse().expect(message)
}

#[test]
fn a_step_that_is_far_too_long_is_named_with_one_that_can_be_taken() {
    let mut named = 0;
    for model in [
        "beam_moving_load",
        "cantilever_rollup",
        "doubly_bent_beams",
        "incline",
        "incline_prismatic",
        "isolated_building_frame",
        "moving_mass_on_bridge",
        "quick_return",
        "rabinowicz",
        "tensile_buckling",
        "vehicle_on_bridge",
    ] {
        let text = common::bundled(model);
        for h in [1e5, 1e8] {
            let Err(message) = said(&text, h) else {
                continue;
            };
            assert!(message.contains("far too long"), "{model}, {h}: {message}");
            let length = proposed(&message);
            assert!(length < 0.1 * h, "{model}, {h}: {message}");
            let outcome = said(&text, length);
            assert!(outcome.is_ok(), "{model}: {message}, then {outcome:?}");
            named += 1;
        }
    }
    assert!(named >= 12, "only {named} steps are too long");
}

/// A pendulum of steel, drawn level, that nothing but its inertia holds.
fn pendulum() -> String {
    Mechanism::new("pendulum")
        .step(1e-3)
        .points("pivot = [0.0, 0.0], tip = [1.0, 0.0]")
        .steel()
        .rectangle("bar", 0.02, 0.01)
        .pin("pivot")
        .member("bar", ["pivot", "tip"], "elements = 4, material = 'steel', section = 'bar'")
        .text()
}

#[test]
fn inertia_that_rounding_hides_does_not_make_a_mechanism_loose() {
    // (K/M)^½ of the elements is some 1e5 rad/s: beyond 1e8/1e5 s nothing is left of M/h² in K.
    let message = said(&pendulum(), 1e8).expect_err("a step is taken");
    assert!(
        message.contains("`solver.step` is 1e8 s, far too long") && message.contains("inertia"),
        "{message}"
    );
    assert_eq!(said(&pendulum(), proposed(&message)), Ok(()));
}

/// Slow: the bundled buildings and solids are started one after the other.
#[test]
fn forces_gaps_and_moves_that_are_left_are_told_apart() {
    // The building in long steps, which may not be halved.
    let text =
        common::bundled("isolated_building_frame").edit("[solver]", "[solver]\nmax_halvings = 0");
    let messages = (1..40).filter_map(|k| {
        let h = 0.05 * f64::from(k);
        let mut building = Simulation::with(&text, &[("solver.step", h)]);
        (0..30).find_map(|i| building.try_step(f64::from(i) * h, h).err())
    });
    let messages: Vec<String> = messages.map(|fault| fault.to_string()).collect();
    let all = |message: &&String| {
        message.contains(" is off its path by ") && message.contains(" N (allowed")
    };
    let message = messages.iter().find(all).unwrap_or_else(|| panic!("{messages:#?}"));
    for part in [
        " s from t = ",
        "the forces on ",
        " are not in equilibrium by ",
        " N (allowed: ",
        "joints.foot_",
        " is off its path by ",
        "the last iteration moves the rotation of ",
        " rad (allowed: 1e-10 rad)",
        "allow `solver.max_halvings`",
    ] {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
    assert!(!message.contains("far too long"), "{message}");
}

#[test]
fn long_names_are_cut_in_the_message_of_a_step() {
    let name = "m".repeat(200);
    let text = common::text("tests/abi/leaves_its_path")
        .edit("[joints.mass]", &format!("[joints.{name}]"));
    let mut mass = Simulation::of(&text);
    let message = mass.try_step(0.0, 1.0).expect_err("it stays on its path");
    assert!(message.starts_with("t = 0.452 s: joints.mmm"), "{message}");
    assert!(message.contains("m…m"), "{message}");
}

#[test]
fn where_hardly_any_mass_resists_no_step_is_proposed() {
    // A rod without mass that is pushed along a beam and a rail.
    let text = &Mechanism::new("light")
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [0.2, 0.0], d = [0.6, 0.42], e = [0.0, 0.3]")
        .and("f = [1.0, 0.5]")
        .material("steel", 2e11, 0.3, 0.0)
        .material("rubber", 6e7, 0.3, 2000.0)
        .section("round", "circle.diameter = 0.01")
        .member("lower", ["a", "b"], "elements = 2, material = 'rubber', section = 'round'")
        .guide("upper", ["e", "f"], "elements = 1")
        .support("lower", "point = 'a', fix = ['x', 'y', 'rotation']")
        .member("rod", ["c", "d"], "elements = 1, rotary_inertia = false, material = 'steel'")
        .and("section = 'round'")
        .slider("c", "c", "lower", "ends = 'stop'")
        .slider("d", "d", "upper", "ends = 'stop'")
        .and("friction.coulomb.coefficient = 0.2")
        .load("push", "point = 'c', fx = -10.0")
        .gravity(-9.81)
        .outputs("points.c.x")
        .text();
    let message = said(text, 1e-4).expect_err("nothing resists");
    println!("{message}");
    assert!(
        message.contains("hardly any mass resists") && !message.contains("up to about"),
        "{message}"
    );
}
