//! The Rabinowicz test under every law, in one figure: what choosing a law changes.

use anyhow::{Result, anyhow};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use coulisse::solve::Stepper;
use coulisse::start::start;

use crate::svg::{Curve, Plot};

const MODEL: &str = include_str!("../../../../resources/models/rabinowicz.toml");

/// The law of the model file, which the others take the place of.
const OWN: &str =
    "stribeck = { static_coefficient = 0.6, kinetic_coefficient = 0.5, decay_velocity = 0.05 }";

/// The numbers of that law as parameters.
const PARAMETERS: &str = "parameters = [\"joints.block.friction.stribeck.*\"]";

/// Shown are three periods from shortly before the first slip, in samples of 0.1 s.
const BEGIN: f64 = 20.0;
const END: f64 = 62.0;
const SAMPLE: f64 = 0.1;

/// A curve's name and its law as the model file has it.
type Named = (&'static str, &'static str);

/// All of them hold with 0.6 and slide with 0.5 or nearly so, as far as they can tell the two apart.
const HOLD: &[Named] = &[
    ("stribeck", OWN),
    (
        "stribeck, siqueira_coda_2023",
        "stribeck = { static_coefficient = 0.6, kinetic_coefficient = 0.5, decay_velocity = 0.05, \
         transition = \"siqueira_coda_2023\" }",
    ),
    ("coulomb", "coulomb = { coefficient = 0.5, static_coefficient = 0.6 }"),
    (
        "table",
        "table = { velocities = [0.0, 0.02, 0.05, 0.1, 0.2], \
         coefficients = [0.6, 0.567, 0.537, 0.514, 0.502] }",
    ),
];

const CREEP: &[Named] = &[
    (
        "modified_coulomb",
        "modified_coulomb = { coefficient = 0.5, static_coefficient = 0.6, \
         threshold_velocity = 0.02 }",
    ),
    (
        "power_series",
        "power_series = { coefficient = 0.6, threshold_velocity = 0.02, \
         coefficients = [-0.1, 0.05] }",
    ),
    (
        "arctangent",
        "arctangent = { coefficient = 0.6, threshold_velocity = 0.02, change = -0.1, \
         reference_velocity = 0.05 }",
    ),
    (
        "exponential",
        "exponential = { coefficient = 0.6, threshold_velocity = 0.02, change = -0.16667, \
         decay_velocity = 0.05 }",
    ),
    (
        "piecewise_linear",
        "piecewise_linear = { slopes = [30.0, -31.0, 1.0], velocities = [0.0, 0.02, 0.12] }",
    ),
];

/// In contacts a thousand times as stiff as the spring.
const REMEMBER: &[Named] = &[
    ("spring_friction", "spring_friction = { stiffness = 1e4, coefficient = 0.5 }"),
    ("dahl", "dahl = { stiffness = 1e4, coefficient = 0.5 }"),
    (
        "lugre",
        "lugre = { stiffness = 1e4, damping = 500.0, static_coefficient = 0.6, \
         kinetic_coefficient = 0.5, decay_velocity = 0.05 }",
    ),
    (
        "elasto_plastic",
        "elasto_plastic = { stiffness = 1e4, damping = 500.0, static_coefficient = 0.6, \
         kinetic_coefficient = 0.5, decay_velocity = 0.05 }",
    ),
    (
        "bristle",
        "bristle = { stiffness = 1e4, damping = 500.0, static_coefficient = 0.6, \
         kinetic_coefficient = 0.5, decay_velocity = 0.05, dwell_time = 2.0 }",
    ),
    ("bristle_lcp", "bristle_lcp = { stiffness = 1e4, coefficient = 0.5 }"),
];

/// The figure's plots: laws that hold, that creep, that remember.
///
/// # Errors
/// When a law of the list is refused or its run does not come to its end.
pub fn plots() -> Result<Vec<Plot>> {
    let groups =
        [("laws that hold", HOLD), ("laws that creep", CREEP), ("laws that remember", REMEMBER)];
    let plot = |(title, laws): (&str, &[Named])| {
        let curves: Result<Vec<Curve>> = laws.iter().map(|law| curve(*law)).collect();
        Ok(Plot {
            to_scale: false,
            title: format!("Rabinowicz test, {title}"),
            x: "t, s".to_owned(),
            y: "x, m".to_owned(),
            curves: curves?,
        })
    };
    groups.into_iter().map(plot).collect()
}

fn curve((label, law): Named) -> Result<Curve> {
    let text = MODEL.replace(OWN, law).replace(PARAMETERS, "");
    let no_data =
        |name: &str| Err::<String, _>(std::io::Error::other(format!("{name}: not bundled")));
    let model = Model::parse(&text, "rabinowicz.toml", &no_data)
        .map_err(|faults| anyhow!("{label}: {faults}"))?;
    let blueprint = Blueprint::of(model)?;
    let built = blueprint.built()?;
    let output = (blueprint.checked().outputs.iter())
        .find(|o| o.path == "points.block.x")
        .map(|o| o.output)
        .ok_or_else(|| anyhow!("no output points.block.x"))?;
    let mut state = start(&built.system, &built.inputs)?;
    let mut stepper = Stepper::new(&built.system);
    let mut points = Vec::new();
    let samples = (END / SAMPLE).round() as u32;
    for i in 0..samples {
        let time = f64::from(i) * SAMPLE;
        stepper.advance(&built.system, &mut state, time, SAMPLE)?;
        if time >= BEGIN {
            points.push((time + SAMPLE, built.system.read(&state, output)));
        }
    }
    Ok(Curve { label: label.to_owned(), points, dashed: label.ends_with("siqueira_coda_2023") })
}
