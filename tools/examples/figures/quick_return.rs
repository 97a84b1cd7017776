//! The quick return of frames beside that of plane solids, over the first cycle without friction: Figs. 7 and 8 of Siqueira & Coda (2022).

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use coulisse::solve::Stepper;
use coulisse::start::start;

use crate::svg::{Curve, Plot};

/// One turn of the crank, s.
const CYCLE: f64 = 0.4;

/// Time between two samples, s.
const SAMPLE: f64 = 1e-3;

/// What is drawn: output, title, axis, and by how much it is larger there.
const OUTPUTS: [(&str, &str, &str, f64); 2] = [
    ("probes.tip_deflection", "Deflection of the arm's tip", "mm", 1e3),
    ("points.N.vx", "Velocity of N", "m/s", 1.0),
];

/// The figure with its name.
///
/// # Errors
/// When a bundled model is wrong or a run does not come to its end.
pub fn figures() -> Result<Vec<(String, Vec<Plot>)>> {
    let frames = run("quick_return", |text| {
        let rubs = "static_coefficient = 0.35, kinetic_coefficient = 0.30";
        let free = "static_coefficient = 0.0, kinetic_coefficient = 0.0";
        text.replace(rubs, free).replace("\"points.N.x\",", "\"points.N.vx\",")
    })?;
    let solids = run("quick_return_solid", str::to_owned)?;
    let plot = |k: usize| {
        let (_, title, y, _) = OUTPUTS[k];
        let curve = |label: &str, all: &[[f64; 3]], dashed: bool| Curve {
            label: label.to_owned(),
            points: all.iter().map(|row| (row[0], row[k + 1])).collect(),
            dashed,
        };
        Plot {
            to_scale: false,
            title: title.to_owned(),
            x: "s".to_owned(),
            y: y.to_owned(),
            curves: vec![curve("plane solids", &solids, false), curve("frames", &frames, true)],
        }
    };
    Ok(vec![("cycle".to_owned(), vec![plot(0), plot(1)])])
}

/// Time and both outputs of a bundled model, sample by sample.
fn run(name: &str, edit: impl Fn(&str) -> String) -> Result<Vec<[f64; 3]>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/models");
    let file = folder.join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let data = |name: &str| std::fs::read(folder.join(name));
    let model = Model::parse(&edit(&text), name, &data).map_err(|faults| anyhow!("{faults}"))?;
    let blueprint = Blueprint::of(model)?;
    let built = blueprint.built()?;
    let system = &built.system;
    let mut outputs = Vec::new();
    for (path, _, _, factor) in OUTPUTS {
        let found = blueprint.checked().outputs.iter().find(|o| o.path == path);
        let output = found.with_context(|| format!("{name}: no output {path}"))?;
        outputs.push((output.output, factor));
    }
    let mut state = start(system, &built.inputs)?;
    let mut stepper = Stepper::new(system);
    let look = |state: &coulisse::system::State| {
        let of = |k: usize| outputs[k].1 * system.read(state, outputs[k].0);
        [state.time, of(0), of(1)]
    };
    let mut rows = vec![look(&state)];
    for i in 0..(CYCLE / SAMPLE).round() as u32 {
        stepper.advance(system, &mut state, f64::from(i) * SAMPLE, SAMPLE)?;
        rows.push(look(&state));
    }
    Ok(rows)
}
