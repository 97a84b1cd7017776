//! Nothing can be forgotten: what is new in the model file, an input or an output is missed by a test
//! wherever it is not treated.

use coulisse::laws::friction::LAWS;
use coulisse::model::Checked;
use coulisse::model::checked::{Input, Output};

use crate::common::keys;
use crate::common::{self, life};

const EVERYTHING: &str = include_str!("../models/everything.toml");

fn everything(edit: impl Fn(&str) -> String) -> Checked {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/everything");
    let model = life::parse_beside(&folder, &edit(EVERYTHING));
    let checked = model.and_then(|model| model.check());
    checked.unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn the_model_with_everything_has_every_key() {
    let words: Vec<&str> = EVERYTHING
        .lines()
        .flat_map(|line| {
            let code = line.split('#').next().unwrap_or("");
            code.split(|c: char| !c.is_alphanumeric() && c != '_')
        })
        .collect();
    let keys = keys::of_the_file().into_iter().filter(|key| !key.choice);
    // Every friction law has tests and samples of its own.
    let of_a_law = |word: &str| {
        let mut laws = LAWS.iter();
        laws.any(|law| law.name == word || law.keys.iter().any(|key| key.name == word))
    };
    let missing: Vec<String> = keys
        .map(|key| key.word)
        .filter(|word| !of_a_law(word))
        .filter(|word| !words.contains(&word.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in tests/models/everything.toml: {missing:?}");
}

#[test]
fn every_number_that_a_host_may_set_is_described_in_words_of_its_own() {
    let model = everything(str::to_string);
    assert!(model.parameters.len() > 100, "{}", model.parameters.len());
    for parameter in &model.parameters {
        let path: Vec<&str> = parameter.path.split('.').collect();
        let (last, rest) = path.split_last().expect("a path");
        let spelt = format!("{} ({})", last.replace('_', " "), rest.join(", "));
        let same = parameter.description.to_lowercase() == spelt.to_lowercase();
        assert!(!same, "{}: {}", parameter.path, parameter.description);
    }
}

#[test]
fn every_kind_of_input_can_be_asked_for_and_does_something() {
    let model = everything(str::to_string);
    let mut seen = [false; 8];
    for input in &model.inputs {
        // A new kind has no place here until it is in the model with everything.
        let kind = match input.input {
            Input::Load { .. } => 0,
            Input::LineLoad { .. } => 1,
            Input::MotionPosition { .. } => 2,
            Input::MotionRate { .. } => 3,
            Input::MotionAcceleration { .. } => 4,
            Input::Gravity { .. } => 5,
            Input::Spring { .. } => 6,
            Input::Bushing { .. } => 7,
        };
        seen[kind] = true;
    }
    assert_eq!(seen, [true; 8]);
    let run = |changed: Option<usize>| {
        let mut sim = common::Simulation::built(&model);
        if let Some(i) = changed {
            let input = &model.inputs[i];
            sim.set(&input.path, input.start + 0.01);
        }
        sim.step(1e-3);
        (sim.state.q, sim.state.reactions)
    };
    let before = run(None);
    for (i, input) in model.inputs.iter().enumerate() {
        assert!(run(Some(i)) != before, "{} does nothing", input.path);
    }
}

#[test]
fn every_kind_of_output_can_be_asked_for() {
    let quasi = |text: &str| {
        let dynamic = text.replace("\"dynamic\"", "\"quasi_static\"");
        dynamic
            .replace("release.time = 0.05\n", "")
            .replace("tolerance = 1e-3\n", "")
            .replace("bearing = \"ends\"", "bearing = \"layer\"")
            .replace("release.position = { joint = \"block\", at = 1.5 }\n", "")
    };
    let mut seen = [false; 48];
    for model in [everything(str::to_string), everything(quasi)] {
        for output in model.outputs.iter().chain(&model.calculated) {
            // A new kind has no place here until it is offered.
            let kind = match output.output {
                Output::SliderPosition(_) => 0,
                Output::SliderVelocity(_) => 1,
                Output::NormalForce(_) => 2,
                Output::FrictionForce(_) => 3,
                Output::MicroDisplacement(_) => 4,
                Output::Gap(_) => 5,
                Output::Sticking(_) => 6,
                Output::Moment(_) => 7,
                Output::EndForce { .. } => 8,
                Output::Regime(_) => 9,
                Output::FrictionPower(_) => 10,
                Output::DissipatedEnergy(_) => 11,
                Output::Transitions(_) => 12,
                Output::TransitionTime(_) => 13,
                Output::PointPosition { .. } => 14,
                Output::PointVelocity { .. } => 15,
                Output::PointAcceleration { .. } => 16,
                Output::Probe(_) => 17,
                Output::SupportReaction { .. } => 18,
                Output::MotionReaction(_) => 19,
                Output::MotionPosition(_) => 20,
                Output::Energy(_) => 21,
                Output::EquivalentDamping(_) => 22,
                Output::EquivalentStiffness(_) => 23,
                Output::Counter(_) => 24,
                Output::PointField { .. } => 25,
                Output::EdgePosition(_) => 26,
                Output::EdgeVelocity(_) => 27,
                Output::EdgeForce { .. } => 28,
                Output::PlacePosition { .. } => 29,
                Output::PlaceVelocity { .. } => 30,
                Output::PlaceAcceleration { .. } => 31,
                Output::Contact { .. } => 39,
                Output::PlaceField { .. } => 32,
                Output::PinForce { .. } => 33,
                Output::SliderForce { .. } => 34,
                Output::EdgeLength { .. } => 35,
                Output::EdgePressure { .. } => 36,
                Output::ContactLength(_) => 37,
                Output::LinePressure(_) => 38,
                Output::Spring { .. } => 40,
                Output::Section { .. } => 41,
                Output::Largest { .. } => 42,
                Output::MemberEnd { .. } => 43,
                Output::Mass { .. } => 44,
                Output::Coupling { .. } => 45,
                Output::Bushing { .. } => 46,
                Output::RigidContact { .. } => 47,
            };
            seen[kind] = true;
        }
    }
    assert_eq!(seen, [true; 48]);
}
