//! The model description of each bundled model, kept in `modelDescription/`.
//!
//! `COULISSE_BLESS=1 cargo test --test claims descriptions` writes them again.

use std::path::Path;

use coulisse::fmu::Blueprint;
use coulisse::model::Model;

#[test]
fn every_bundled_model_has_its_description_on_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("COULISSE_BLESS").is_some();
    let mut models = 0;
    for entry in std::fs::read_dir(root.join("resources/models")).expect("bundled models") {
        let file = entry.expect("bundled models").path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        models += 1;
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
        let now = blueprint.description(None).expect("memory takes all bytes");
        let name = file.with_extension("xml");
        let kept = root
            .join("modelDescription")
            .join(name.file_name().expect("a file"));
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
fn the_range_that_is_described_is_the_range_that_is_accepted() {
    let text = r#"
name = "ranges"
[solver]
step = 1e-3
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
s = [0.5, 0.0]
[materials.m]
young_modulus = 1e9
poisson_ratio = 0.3
density = 1000.0
[sections.r]
properties = { area = 1e-4, second_moment = 1e-9 }
[members.m]
from = "a"
to = "b"
elements = 2
material = "m"
section = "r"
[masses.s]
point = "s"
mass = 1.0
[supports.a]
point = "a"
fix = ["x", "y", "rotation"]
[joints.s]
cylindrical = { slider = "s", path = ["m"] }
friction.stribeck = { static_coefficient = 0.0, kinetic_coefficient = 0.0, decay_velocity = 0.1 }
[interface]
parameters = ["materials.m.*", "sections.r.*", "masses.s.*", "joints.s.*", "solver.*", "experiment.*"]
"#;
    let none = |name: &str| Err(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "ranges.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let blueprint = Blueprint::of(model.clone()).unwrap_or_else(|fault| panic!("{fault}"));
    let refusal = |path: &str, value: f64| {
        let changed = model
            .clone()
            .with_value(path, value)
            .expect("a finite number");
        changed.check().err().map(|faults| faults.to_string())
    };
    let mut bounds = 0;
    for v in blueprint
        .interface()
        .variables()
        .iter()
        .filter(|v| v.is_parameter())
    {
        for (bound, outward) in v.range.into_iter().zip([-1.0, 1.0]) {
            // What no bound is written for is accepted to both sides.
            let inside = bound.unwrap_or(outward * 1e30);
            let own = |text: &String| text.contains(&format!("{} is ", v.name));
            let refused = refusal(&v.name, inside).filter(own);
            // Sections and tubes have relations between two numbers besides.
            let relation = refused.as_ref().is_some_and(|text| text.contains("I²/A"));
            assert!(refused.is_none() || relation, "{refused:?}");
            if let Some(bound) = bound {
                bounds += 1;
                let step = if bound == 0.0 {
                    1e-40
                } else {
                    bound.abs() * 1e-3
                };
                let outside = refusal(&v.name, bound + outward * step);
                assert!(outside.is_some_and(|text| own(&text)), "{} {bound}", v.name);
            }
        }
    }
    assert!(bounds > 20, "{bounds}");
}

#[test]
fn a_named_parameter_is_described_by_its_comment() {
    let text = "name = \"c\"\n[solver]\nstep = 1e-3\n[parameters]\nspan = 2.0   # free span, m\n\
        half = \"span/2\"\nodd = \"2*3\" # a \\\"quote\\\" <&>\nkmh = 3.6 # km/h\n[points]\na = [0.0, 0.0]\n[masses.a]\npoint = \"a\"\nmass = 1.0\n";
    let none = |name: &str| Err(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "c.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
    let descriptions: Vec<&str> = (blueprint.interface().variables().iter())
        .filter(|v| v.is_parameter())
        .map(|v| v.description.as_str())
        .collect();
    assert_eq!(
        descriptions,
        [
            "Free span, m",
            "A \\\"quote\\\" <&>",
            "Value `kmh` of the model's expressions, km/h"
        ]
    );
}
