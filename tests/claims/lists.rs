//! Nothing can be forgotten: what is new in the model file, an input or an output is missed by a test
//! wherever it is not treated.

use std::collections::BTreeSet;

use coulisse::laws::friction::LAWS;
use coulisse::model::Checked;
use coulisse::model::checked::{Input, Output, Subject};
use coulisse::system::outputs::{
    Field, Largest, OfBushing, OfContact, OfCoupling, OfDriver, OfEdge, OfEdgeNode, OfEnergy,
    OfEquivalent, OfHinge, OfLayerStation, OfMass, OfMemberEnd, OfMotion, OfPin, OfPoint, OfProbe,
    OfRigidContact, OfSection, OfSlider, OfSolver, OfSpring, OfStation, OfSupport,
};

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

/// Slow: a step of the model with everything for each of its inputs.
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
            Input::SwitchedOff => continue,
        };
        seen[kind] = true;
    }
    assert_eq!(seen, [true; 8]);
    let mut sim = common::Simulation::built(&model);
    let start = sim.state.clone();
    let mut run = |changed: Option<usize>| {
        sim.state = start.clone();
        if let Some(i) = changed {
            let input = &model.inputs[i];
            sim.set(&input.path, input.start + 0.01);
        }
        sim.step(1e-3);
        (sim.state.q.clone(), sim.state.reactions.clone())
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
    let mut seen: Vec<Output> = Vec::new();
    for model in [everything(str::to_string), everything(quasi)] {
        let named = model.outputs.iter().chain(&model.calculated);
        seen.extend(named.map(|output| output.output));
    }
    let count = |is_of: fn(Subject) -> bool| {
        let items = seen.iter().filter(|output| is_of(output.of)).map(|output| output.item);
        items.collect::<BTreeSet<usize>>().len()
    };
    macro_rules! all_of {
        ($($Subject:ident: $Of:ident),*) => {
            $(assert_eq!(count(|of| matches!(of, Subject::$Subject { .. })), $Of::ALL.len(), stringify!($Subject));)*
        };
    }
    all_of!(
        Slider: OfSlider, Equivalent: OfEquivalent, Edge: OfEdge, EdgeNode: OfEdgeNode, Hinge: OfHinge, Pin: OfPin,
        Contact: OfContact, RigidContact: OfRigidContact, Spring: OfSpring, Bushing: OfBushing,
        Coupling: OfCoupling, Driver: OfDriver, Point: OfPoint, PointField: Field, PlaceField: Field,
        Probe: OfProbe, Section: OfSection, Largest: Largest,
        Station: OfStation, LayerStation: OfLayerStation, MemberEnd: OfMemberEnd, Mass: OfMass,
        Support: OfSupport, Motion: OfMotion, Energy: OfEnergy, Solver: OfSolver
    );
    // Places of bodies do not turn.
    assert_eq!(count(|of| matches!(of, Subject::Place(_))), OfPoint::ALL.len() - 2);
}
