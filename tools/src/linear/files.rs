//! Linear models as files.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use coulisse::fmu::StateSpace;
use coulisse::fmu::state_space::About;
use coulisse::linearization::{Linear, Quantified};
use serde_json::json;

use super::Found;
use super::mat::MatFile;
use crate::archive;
use crate::libraries::Choice;
use crate::numpy::Archive;

/// What a file is written in.
#[derive(Debug, Clone, Copy)]
pub enum Format {
    Numpy,
    Matlab,
    Json,
    Fmu,
}

impl Format {
    /// By the ending of the file.
    ///
    /// # Errors
    /// For other endings.
    pub fn of(file: &Path) -> Result<Format> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("npz") => Ok(Format::Numpy),
            Some("mat") => Ok(Format::Matlab),
            Some("json") => Ok(Format::Json),
            Some("fmu") => Ok(Format::Fmu),
            _ => bail!(
                "{}; allowed: a file whose name ends in .npz, .mat, .json or .fmu",
                file.display()
            ),
        }
    }
}

/// Names, units and values of states, inputs and outputs, by what the formats call them.
fn lists(linear: &Linear) -> [(&'static str, &[Quantified]); 3] {
    [("State", &linear.states), ("Input", &linear.inputs), ("Output", &linear.outputs)]
}

/// The bytes of the file; `sample` is the sampling time of a discrete system.
///
/// # Errors
/// When the archive is larger than one can be, or is an FMU of a discrete system.
pub fn bytes(
    found: &Found, format: Format, sample: Option<f64>, libraries: &Choice,
) -> Result<Vec<u8>> {
    let linear = &found.linear;
    let matrices = [("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)];
    // 0 is that of a continuous system, as in MATLAB's `ss`.
    let sample = sample.unwrap_or(0.0);
    match format {
        Format::Numpy => {
            let mut archive = Archive::default();
            for (name, matrix) in matrices {
                let rows = matrix.transpose();
                archive.numbers(name, &[matrix.nrows(), matrix.ncols()], rows.iter().copied())?;
            }
            for (what, list) in lists(linear) {
                let what = what.to_lowercase();
                let names: Vec<&str> = list.iter().map(|one| one.path.as_str()).collect();
                let units: Vec<&str> = list.iter().map(|one| one.unit.as_str()).collect();
                archive.texts(&format!("{what}_names"), &names)?;
                archive.texts(&format!("{what}_units"), &units)?;
                let values = list.iter().map(|one| one.value);
                archive.numbers(&format!("{what}_values"), &[list.len()], values)?;
            }
            archive.numbers("state_rates", &[linear.rates.len()], linear.rates.iter().copied())?;
            archive.numbers("dt", &[], std::iter::once(sample))?;
            let (joints, regimes): (Vec<&str>, Vec<&str>) =
                linear.regimes.iter().map(|(joint, regime)| (joint.as_str(), *regime)).unzip();
            archive.texts("joints", &joints)?;
            archive.texts("joint_regimes", &regimes)?;
            for (name, value) in &found.stated {
                archive.numbers(&format!("reduction_{name}"), &[], std::iter::once(*value))?;
            }
            archive.bytes()
        }
        Format::Matlab => {
            let mut file = MatFile::new();
            for (name, matrix) in matrices {
                file.numbers(name, [matrix.nrows(), matrix.ncols()], matrix.iter().copied());
            }
            file.numbers("Ts", [1, 1], std::iter::once(sample));
            for (what, list) in lists(linear) {
                file.texts(&format!("{what}Name"), list.iter().map(|one| one.path.as_str()));
                file.texts(&format!("{what}Unit"), list.iter().map(|one| one.unit.as_str()));
                let values = list.iter().map(|one| one.value);
                file.numbers(&format!("{what}Value"), [list.len(), 1], values);
            }
            for (name, value) in &found.stated {
                file.numbers(&format!("reduction_{name}"), [1, 1], std::iter::once(*value));
            }
            Ok(file.bytes())
        }
        Format::Fmu if sample > 0.0 => {
            bail!("--sample: an FMU holds a continuous model, and samples it exactly; leave it out")
        }
        Format::Fmu => {
            let about = About {
                name: &format!("{}_linear", found.name),
                description: &format!(
                    "Linear model of {} {}; inputs and outputs have the values of the whole",
                    found.name, found.place
                ),
                experiment: found.experiment,
            };
            let model = StateSpace::of(linear, &about).map_err(|refusal| anyhow!(refusal))?;
            archive::pack_linear(&model, libraries.fmi, &libraries.read()?.inside, None)
        }
        Format::Json => {
            let rows = |matrix: &coulisse::linearization::Matrix| -> Vec<Vec<f64>> {
                matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
            };
            let list = |of: &[Quantified]| -> Vec<_> {
                let one =
                    |x: &Quantified| json!({ "name": x.path, "unit": x.unit, "value": x.value });
                of.iter().map(one).collect()
            };
            let mut document = json!({
                "model": found.name,
                "about": found.place,
                "dt": sample,
                "states": list(&linear.states),
                "inputs": list(&linear.inputs),
                "outputs": list(&linear.outputs),
                "rates": linear.rates,
                "joints": linear.regimes.iter().map(|(joint, regime)| (joint.clone(), json!(regime))).collect::<serde_json::Map<_, _>>(),
                "A": rows(&linear.a),
                "B": rows(&linear.b),
                "C": rows(&linear.c),
                "D": rows(&linear.d),
            });
            if !found.stated.is_empty() {
                let stated =
                    found.stated.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
                document["reduction"] = stated.collect::<serde_json::Map<_, _>>().into();
            }
            Ok(serde_json::to_vec_pretty(&document)?)
        }
    }
}
