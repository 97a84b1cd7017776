//! Steps of models whose files give none.

use crate::common::mechanism::Mechanism;
use crate::common::{bundled, bundled_files, data};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use coulisse::solve::Stepper;
use coulisse::start::start;

/// The step of a model without one, and why.
fn proposed(text: &str) -> (f64, String) {
    let model = Model::parse(text, "model.toml", &data).unwrap_or_else(|faults| panic!("{faults}"));
    let blueprint = Blueprint::of(model).unwrap_or_else(|faults| panic!("{faults}"));
    let proposal = blueprint.proposal().expect("a proposal");
    assert_eq!(blueprint.checked().solver.step, proposal.step);
    let mut parameters = blueprint.checked().parameters.iter();
    // Where the interface shows it.
    if let Some(shown) = parameters.find(|parameter| parameter.path == "solver.step") {
        assert_eq!(shown.value, proposal.step);
    }
    (proposal.step, proposal.reason.clone())
}

/// A mass of 1 kg on a spring of `stiffness` N/m, moved or loaded by `more`.
fn oscillator(stiffness: f64, more: &str) -> String {
    Mechanism::new("oscillator")
        .points("wall = [0.0, 0.0], body = [1.0, 0.0]")
        .mass("body", 1.0)
        .roller("body")
        .spring("spring", format!("ground = 'wall', to = 'body', stiffness = {stiffness:?}"))
        .entry("experiment", "stop_time = 10.0, communication_step = 0.01")
        .add(more)
        .text()
}

#[test]
fn what_is_slowest_to_follow_decides() {
    let k = |period: f64| (std::f64::consts::TAU / period).powi(2);
    let ramp = r#"history.ramp = { duration = 0.03 }"#;
    for (text, step, why) in [
        // A fortieth of 0.3 s is 7.5 ms.
        (oscillator(k(0.3), ""), 5e-3, "vibration of 3.33 Hz"),
        (oscillator(k(3.0), ""), 1e-2, "communication step"),
        // Faster than the communication step: not looked at.
        (oscillator(k(0.003), ""), 1e-2, "communication step"),
        (
            oscillator(k(3.0), &format!("loads.f = {{ point = \"body\", fx = 1.0, {ramp} }}")),
            5e-4,
            "ramp of loads.f",
        ),
        (
            oscillator(
                k(3.0),
                "loads.f = { point = \"body\", fx = 1.0, history.sine = { frequency = 9.0 } }",
            ),
            2e-3,
            "period of loads.f",
        ),
        (oscillator(k(3.0), "initial.points.body.vx = 2.0"), 1e-3, "2 m/s crosses"),
        (oscillator(k(0.3), "solver.analysis = \"quasi_static\""), 1e-2, "communication step"),
        (
            oscillator(k(3.0), "").replace("stop_time = 10.0", "stop_time = 0.5"),
            2e-3,
            "200 steps in a run",
        ),
    ] {
        let (found, reason) = proposed(&text);
        assert!(
            found == step && reason.contains(why),
            "{found} s, for {reason}; not {step} s, {why}\n{text}"
        );
    }
}

#[test]
fn a_step_that_is_given_is_taken() {
    let text = oscillator(10.0, "solver.step = 0.003");
    let model = Model::parse(&text, "model.toml", &data).expect("it is TOML");
    let blueprint = Blueprint::of(model.clone()).expect("it is sound");
    assert!(blueprint.proposal().is_none() && blueprint.checked().solver.step == 0.003);
    // By a caller, too.
    let without = Model::parse(&oscillator(10.0, ""), "model.toml", &data).expect("it is TOML");
    let set = without.with_value("solver.step", 0.007).expect("a number of the model");
    let blueprint = Blueprint::of(set).expect("it is sound");
    assert!(blueprint.proposal().is_none() && blueprint.checked().solver.step == 0.007);
}

/// A bundled model without its step.
fn without_step(text: &str) -> String {
    let mut inside = false;
    let kept = text.lines().filter(|line| {
        if line.starts_with('[') {
            inside = line.starts_with("[solver]");
        }
        !(inside && line.starts_with("step"))
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Slow: every bundled model is started.
#[test]
fn bundled_models_without_their_step_take_another_and_step() {
    // Their starts take minutes, or their meshes tens of seconds.
    const LARGE: [&str; 3] = ["isolated_building", "quick_return_solid", "doubly_bent_beams_solid"];
    let mut told = 0;
    for file in bundled_files() {
        let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if LARGE.contains(&name) {
            continue;
        }
        let text = bundled(name);
        let model = Model::parse(&text, "model.toml", &data).expect("it is TOML");
        let own = model.check().expect("it is sound");
        let (step, reason) = proposed(&without_step(&text));
        println!("{name}: {step} s for {reason}; the file has {} s", own.solver.step);
        assert!(step <= own.experiment.communication_step);
        let checked =
            model.with_value("solver.step", step).expect("a number").check().expect("it is sound");
        let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
        let system = coulisse::system::System::build(&checked).expect("it was built before");
        let mut state = start(&system, &inputs).expect("it starts");
        let every = checked.experiment.communication_step;
        let mut stepper = Stepper::new(&system);
        for i in 0..5 {
            let t = f64::from(i) * every;
            stepper
                .advance(&system, &mut state, t, every)
                .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        }
        told += 1;
    }
    assert!(told > 20);
}
