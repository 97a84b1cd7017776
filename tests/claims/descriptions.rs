//! The model description of each bundled model, kept in `modelDescription/`.
//!
//! `COULISSE_BLESS=1 cargo test --test claims descriptions` writes them again.

use std::path::Path;

use crate::common;
use crate::common::edit::Edit;
use crate::common::rig::{Rig, blueprint};
use coulisse::fmu::{Blueprint, Call, Instance, Kind, Role, Status, Variable};
use coulisse::model::Model;

#[test]
fn every_bundled_model_has_its_description_on_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("COULISSE_BLESS").is_some();
    let mut models = 0;
    for file in common::bundled_files() {
        models += 1;
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
        let now = blueprint.description(None).expect("memory takes all bytes");
        let name = file.with_extension("xml");
        let kept = root.join("modelDescription").join(name.file_name().expect("a file"));
        if bless {
            std::fs::write(&kept, &now).expect("modelDescription is writable");
        }
        let then = std::fs::read_to_string(&kept).unwrap_or_default();
        assert!(
            then == now,
            "{} is not what the library writes now; \
             run COULISSE_BLESS=1 cargo test --test claims descriptions and look at the difference",
            kept.display()
        );
    }
    assert!(models > 0, "resources/models holds no model");
}

#[test]
fn no_two_variables_of_a_model_have_one_name() {
    let everything = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/everything.toml");
    for file in common::bundled_files().into_iter().chain([everything]) {
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
        let names = blueprint.interface().variables().iter();
        let mut names: Vec<&str> = names.map(|v| v.name.as_str()).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{}", file.display());
    }
}

/// Values for all parameters of a model at once; for each whether the check refused it by itself,
/// whatever else is wrong with the model then.
fn refused(model: &Model, values: &[(&str, f64)]) -> Vec<bool> {
    // No more than so many faults are told at once.
    let parts = values.chunks(coulisse::model::fault::MOST / 2);
    let one = |part: &[(&str, f64)]| {
        let mut changed = model.clone();
        for (path, value) in part {
            changed = changed.with_value(path, *value).expect("a finite number");
        }
        let faults = changed.check().err().map(|faults| faults.to_string());
        let faults = faults.unwrap_or_default();
        let by_itself = |path: &str| {
            let found = faults.lines().filter_map(|line| {
                let rest = line.split_once(&format!(" {path} is "))?.1;
                // "1e51 N; allowed: …": what two numbers say of each other has more words.
                Some(rest.split_once("; allowed: ")?.0.split(' ').count() <= 2)
            });
            { found }.any(|own| own)
        };
        part.iter().map(|(path, _)| by_itself(path)).collect::<Vec<bool>>()
    };
    parts.flat_map(one).collect()
}

fn described_is_accepted(model: Model) -> usize {
    let blueprint = Blueprint::of(model.clone()).unwrap_or_else(|fault| panic!("{fault}"));
    let all = blueprint.interface().variables().iter();
    let ranges: Vec<(&str, [f64; 2])> = all
        .filter(|v| v.is_parameter())
        .map(|v| (v.name.as_str(), v.range.map(|bound| bound.expect("a bound"))))
        .collect();
    type Value = fn([f64; 2]) -> f64;
    let values: [Value; 11] = [
        |range| range[0],
        |range| range[1],
        |range| range[0].next_down(),
        |range| range[1].next_up(),
        |_| f64::from_bits(1),
        |_| -f64::from_bits(1),
        |_| 1e-60,
        |_| 1e51,
        |_| f64::MAX,
        |_| f64::MIN,
        |_| 0.0,
    ];
    for value in values {
        let set: Vec<(&str, f64)> = ranges.iter().map(|(path, r)| (*path, value(*r))).collect();
        for ((path, range), ((_, value), refused)) in
            (ranges.iter()).zip(set.iter().zip(refused(&model, &set)))
        {
            let described = (range[0]..=range[1]).contains(value);
            assert_eq!(refused, !described, "{path} = {value:e}, described {range:?}");
        }
    }
    ranges.len()
}

/// Slow: every parameter of every bundled model is set to its bounds.
#[test]
fn the_range_that_is_described_is_the_range_that_is_accepted_to_the_last_bit() {
    let mut parameters = 0;
    for file in common::bundled_files() {
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        parameters += described_is_accepted(model);
    }
    let text = common::bundled("quick_return");
    let everything = r#"parameters = ["materials.*", "sections.*", "masses.*", "joints.*", "solver.*", "experiment.*"]"#;
    let line = text.lines().find(|line| line.starts_with("parameters = "));
    let text = text.edit(line.expect("its parameters"), everything);
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(&text, "model.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    parameters += described_is_accepted(model);
    assert!(parameters > 80, "{parameters}");
}

#[test]
fn an_input_takes_every_number_that_a_model_may_have() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["rabinowicz", "quick_return"] {
        let file = root.join(format!("resources/models/{name}.toml"));
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let (mut rig, _) = Rig::started(&blueprint(model.text()), &[]);
        let inputs = |v: &Variable| matches!(v.role, Role::Input(_));
        let variables = rig.0.blueprint().interface().variables().to_vec();
        for v in variables.iter().filter(|v| inputs(v)) {
            assert_eq!(v.range, [None; 2]);
            let mut set = |value: f64| {
                let set = |i: &mut Instance| i.set(Kind::Real, &[v.reference], |_| value);
                rig.0.perform(Call::SetReal, set)
            };
            for value in [1e50, -1e50, f64::from_bits(1), 0.0] {
                assert_eq!(set(value), Status::Ok, "{}", v.name);
            }
            for value in [f64::MAX, f64::MIN, 1.1e50] {
                assert_eq!(set(value), Status::Error, "{}", v.name);
            }
        }
    }
}

#[test]
fn a_named_parameter_is_described_by_its_comment() {
    let text = "name = \"c\"\n[solver]\nstep = 1e-3\n[parameters]\nspan = 2.0   # free span, m\n\
        half = \"span/2\"\nodd = \"2*3\" # a \\\"quote\\\" <&>\nkmh = 3.6 # km/h\n[points]\na = [0.0, 0.0]\n[masses.a]\npoint = \"a\"\nmass = 1.0\n";
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "c.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
    let descriptions: Vec<&str> = (blueprint.interface().variables().iter())
        .filter(|v| v.is_parameter())
        .map(|v| v.description.as_str())
        .collect();
    assert_eq!(
        descriptions,
        ["Free span, m", "A \\\"quote\\\" <&>", "Value `kmh` of the model's expressions, km/h"]
    );
}

#[test]
fn a_named_parameter_has_the_unit_of_the_numbers_that_it_is() {
    let text = r#"
name = "c"
[solver]
step = 1e-3
[parameters]
span = 2.0
heavy = 3.0     # kg
both = 1.0      # N
same = "heavy"
g = 9.81        # m/s²
v = 1.0         # speed of the load, m/s
two = 2.0
factor = 3.0    # kN/mm
[points]
a = [0.0, 0.0]
b = ["span", 0.0]
c = ["2*two", 0.0]
[masses.c]
point = "c"
mass = "two"
[springs.bc]
from = "b"
to = "c"
stiffness = "1e6*factor"
damping = "factor"
[masses.a]
point = "a"
mass = "heavy"
[masses.b]
point = "b"
mass = "same"
[springs.ab]
from = "a"
to = "b"
stiffness = "both"
free_length = " span "
[loads.b]
point = "b"
fx = "both"
[gravity]
y = "-g*v/v"
"#;
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "c.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
    let variables = blueprint.interface().variables();
    let of = |name: &str| {
        let found = variables.iter().find(|v| v.name == format!("parameters.{name}"));
        let found = found.unwrap_or_else(|| panic!("{name}"));
        found.quantity.unit()
    };
    // Loads and stiffnesses are different things, so that the comment counts.
    let stated = [("span", "m"), ("heavy", "kg"), ("both", "N"), ("g", "m/s2"), ("v", "m/s")];
    // What stands in expressions, too, may be a number of anything.
    for (name, unit) in stated.into_iter().chain([("two", ""), ("factor", "")]) {
        assert_eq!(of(name), unit, "{name}");
    }
}

/// For hosts that ask `fmi2GetReal` for every output.
#[test]
fn discrete_outputs_are_left_out_or_are_reals_on_request() {
    let text = std::fs::read_to_string("resources/models/incline.toml").expect("a model");
    let kinds = |choice: &str| {
        let keys = format!("[interface]\ndiscrete_outputs = \"{choice}\"");
        let text = text.replacen("[interface]", &keys, 1);
        let model = coulisse::model::Model::parse(&text, "m.toml", &|_: &str| Ok(Vec::new()));
        let blueprint = coulisse::fmu::Blueprint::of(model.expect("a text")).expect("a model");
        let outputs = blueprint.interface().variables().iter();
        let outputs = outputs.filter(|v| v.role.causality() == "output");
        let list: Vec<(String, &str, &str)> =
            outputs.map(|v| (v.name.clone(), v.kind.name(), v.variability.name())).collect();
        list
    };
    let regime = "joints.block.regime".to_string();
    let typed = kinds("typed");
    assert!(typed.contains(&(regime.clone(), "Enumeration", "discrete")));
    let (real, none) = (kinds("real"), kinds("none"));
    assert!(real.contains(&(regime.clone(), "Real", "discrete")) && real.len() == typed.len());
    assert!(none.len() < typed.len() && none.iter().all(|(name, ..)| *name != regime));
    assert!(real.iter().chain(&none).all(|(_, kind, _)| *kind == "Real"));
}
