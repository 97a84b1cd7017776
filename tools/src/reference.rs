//! Reference results inside an FMU, with which a host can check itself, in the places of the layered
//! standard FMI-LS-REF (Modelica Association, 1.0.0-beta.1).

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::fmu::Blueprint;
use coulisse::message::{excerpt, rounded};
use serde::{Deserialize, Serialize};

use crate::results::Results;
use crate::run::{Settings, Subject};
use crate::trial;
use crate::unpacked::Archive;

/// The folder of the layered standard.
const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref";
const MANIFEST: &str = "fmi-ls-manifest.xml";
const EXPERIMENTS: &str = "experiments.xml";
const RESULTS: &str = "default.csv";
/// Largest difference from the reference, relative to the largest size of the output: other C libraries
/// round sines differently, and 1e-8 of that is left after a run (docs/platforms.md).
const TOLERANCE: f64 = 1e-6;
/// Largest file that is read, bytes.
const LARGEST: u64 = 1 << 30;

const ABOUT: &str = "The default run with the values of the model file; tolerance is the largest \
    difference of an output relative to its largest size";

#[derive(Serialize, Deserialize)]
struct Experiments {
    #[serde(rename = "Experiment")]
    experiments: Vec<Experiment>,
}

#[derive(Serialize, Deserialize)]
struct Experiment {
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@description", default)]
    description: String,
    #[serde(rename = "@startTime", default)]
    start_time: f64,
    #[serde(rename = "@stopTime")]
    stop_time: Option<f64>,
    #[serde(rename = "@stepSize")]
    step_size: Option<f64>,
    #[serde(rename = "@tolerance")]
    tolerance: Option<f64>,
    #[serde(rename = "References")]
    references: Option<References>,
}

#[derive(Serialize, Deserialize)]
struct References {
    #[serde(rename = "@type", default = "csv")]
    kind: String,
    #[serde(rename = "@source")]
    source: String,
}

fn csv() -> String {
    "text/csv".to_owned()
}

/// Runs the default experiment of a model and gives the files that go into its FMU.
///
/// # Errors
/// When the run does not reach its end.
pub fn files(blueprint: Blueprint) -> Result<Vec<(String, Vec<u8>)>> {
    let experiment = blueprint.checked().experiment.clone();
    let outcome = Subject::of(blueprint)?.run(&Settings::default())?;
    if let Some(failure) = outcome.failure {
        return Err(failure).context("the default run, whose results were to be the reference");
    }
    let experiments = Experiments {
        experiments: vec![Experiment {
            name: "default".into(),
            description: ABOUT.into(),
            start_time: 0.0,
            stop_time: Some(experiment.stop_time),
            step_size: Some(experiment.communication_step),
            tolerance: Some(TOLERANCE),
            references: Some(References { kind: csv(), source: RESULTS.into() }),
        }],
    };
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let body = quick_xml::se::to_string_with_root("Experiments", &experiments)?;
    let manifest = format!(
        "{head}<fmiReferences xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\"\n    \
         fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\"\n    \
         fmi-ls:fmi-ls-version=\"1.0.0-beta.1\"\n    \
         fmi-ls:fmi-ls-description=\"Layered Standard providing information on related files \
         included in an FMU.\">\n  \
         <Related type=\"application/xml\" source=\"{EXPERIMENTS}\" role=\"experiment/smoke-test\" \
         description=\"The default run\"/>\n  \
         <Related type=\"text/csv\" source=\"{RESULTS}\" role=\"result\" \
         description=\"Outputs of the default run\"/>\n</fmiReferences>\n"
    );
    let files = [
        (MANIFEST, manifest.into_bytes()),
        (EXPERIMENTS, format!("{head}{body}\n").into_bytes()),
        (RESULTS, outcome.results.csv(false)?),
    ];
    let files = files.map(|(name, bytes)| (format!("{FOLDER}/{name}"), bytes));
    Ok(files.into())
}

/// Runs the experiments that an FMU brings along and compares the results; one that brings none has a [trial]. What there is to say.
///
/// # Errors
/// When a run fails, or an output is off by more than the tolerance.
pub fn check(path: &Path) -> Result<String> {
    let shown = path.display().to_string();
    let archive = Archive::open(path).with_context(|| shown.clone())?;
    let text = |name: &str| -> Result<Option<String>> {
        let bytes = archive.read(&format!("{FOLDER}/{name}"), LARGEST)?;
        bytes.map(|b| String::from_utf8(b).context("no UTF-8")).transpose()
    };
    let Some(xml) = text(EXPERIMENTS)? else {
        return trial::perform(path);
    };
    let experiments: Experiments =
        quick_xml::de::from_str(&xml).with_context(|| format!("{shown}: {EXPERIMENTS}"))?;
    let mut said = Vec::new();
    for experiment in &experiments.experiments {
        let Some(references) = &experiment.references else {
            continue;
        };
        let name = excerpt(&experiment.name);
        let context = || format!("{shown}: experiment `{name}`");
        let csv = text(&references.source).and_then(|text| {
            text.ok_or_else(|| anyhow!("there is no file {}", excerpt(&references.source)))
        });
        let settings = Settings {
            stop: experiment.stop_time,
            step: experiment.step_size,
            ..Settings::default()
        };
        let outcome = Subject::open(path)?.run(&settings).with_context(context)?;
        if let Some(failure) = outcome.failure {
            return Err(failure).with_context(context);
        }
        let tolerance = experiment.tolerance.unwrap_or(TOLERANCE);
        let compared = compare(&outcome.results, &csv.with_context(context)?, tolerance);
        said.push(format!("{}: {}", context(), compared.with_context(context)?));
    }
    Ok(said.join("\n"))
}

/// Holds rows against those of a CSV file.
fn compare(results: &Results, csv: &str, tolerance: f64) -> Result<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers()?.clone();
    let rows: Vec<Vec<f64>> = reader.deserialize().collect::<Result<_, _>>()?;
    if header.get(0) != Some("time") || rows.len() != results.times.len() {
        bail!("the reference has {} rows, the run {}", rows.len(), results.times.len());
    }
    let (mut worst, mut count) = (0.0_f64, 0);
    for (place, name) in header.iter().enumerate() {
        let own: Vec<f64> = match place {
            0 => results.times.clone(),
            _ => {
                let column = results.columns.iter().position(|c| c.name == name);
                let column = column.with_context(|| format!("no output `{}`", excerpt(name)))?;
                results.column(column).collect()
            }
        };
        let reference = || rows.iter().filter_map(|row| row.get(place));
        let size = reference().fold(0.0_f64, |size, value| size.max(value.abs()));
        let off = own.iter().zip(reference()).enumerate();
        let off = off.map(|(row, (own, reference))| (row, (own - reference).abs()));
        // What is no number is the worst.
        let off = off.max_by(|one, other| one.1.total_cmp(&other.1));
        let (row, most) = off.unwrap_or((0, 0.0));
        if most.is_nan() || most > tolerance * size {
            bail!(
                "`{}` is off by {} at t = {} s; allowed: {}",
                excerpt(name),
                rounded(most, 3),
                rounded(results.times[row], 10),
                rounded(tolerance * size, 3)
            );
        }
        count += 1;
        worst = worst.max(if size > 0.0 { most / size } else { 0.0 });
    }
    Ok(match worst {
        0.0 => format!("{} rows of {count} columns, to the last bit", rows.len()),
        worst => format!(
            "{} rows of {count} columns, to {} of the largest size (allowed: {})",
            rows.len(),
            rounded(worst, 3),
            rounded(tolerance, 3)
        ),
    })
}
