//! The file of a linear model: TOML, numbers with all their digits.

use std::collections::HashSet;
use std::fmt::Write;

use serde::Deserialize;

use super::{About, Channel, STATE_SPACE_FILE, StateSpace, guid};
use crate::fmu::description::{number, printable};
use crate::fmu::report::Refusal;
use crate::linearization::{Linear, Matrix, Quantified};

/// What the file holds; matrices as lists of rows.
#[derive(Deserialize)]
struct Written {
    name: String,
    description: String,
    stop_time: f64,
    step: f64,
    states: Vec<String>,
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    c: Vec<Vec<f64>>,
    d: Vec<Vec<f64>>,
}

/// The text of a linear model.
pub(super) fn written(linear: &Linear, about: &About) -> String {
    let [stop, step] = about.experiment.map(number);
    let mut text = format!(
        "name = {}\ndescription = {}\nstop_time = {stop}\nstep = {step}\n",
        quoted(about.name),
        quoted(about.description)
    );
    let channels = |name: &str, list: &[Quantified]| {
        let mut lines = format!("{name} = [\n");
        for one in list {
            let (path, unit, value) = (fmi_name(&one.path), quoted(&one.unit), number(one.value));
            let _ = writeln!(
                lines,
                "  {{ name = {}, unit = {unit}, value = {value} }},",
                quoted(&path)
            );
        }
        lines + "]\n"
    };
    text += "states = [\n";
    for state in &linear.states {
        let unit = if state.unit.is_empty() { String::new() } else { format!(", {}", state.unit) };
        let _ = writeln!(text, "  {},", quoted(&format!("{}{unit}", state.path)));
    }
    text += "]\n";
    text += &channels("inputs", &linear.inputs);
    text += &channels("outputs", &linear.outputs);
    for (name, matrix) in [("a", &linear.a), ("b", &linear.b), ("c", &linear.c), ("d", &linear.d)] {
        let _ = writeln!(text, "{name} = [");
        for row in matrix.row_iter() {
            let row: Vec<String> = row.iter().map(|x| number(*x)).collect();
            let _ = writeln!(text, "  [{}],", row.join(", "));
        }
        text += "]\n";
    }
    text
}

/// `der2(x)` as FMI writes it.
fn fmi_name(path: &str) -> String {
    let order = path.strip_prefix("der").and_then(|rest| rest.split_once('('));
    match order {
        Some((order, inner)) if !order.is_empty() && order.bytes().all(|b| b.is_ascii_digit()) => {
            format!("der({},{order})", inner.trim_end_matches(')'))
        }
        _ => path.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}

impl StateSpace {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: String) -> Result<StateSpace, Refusal> {
        let fault = |what: String| Refusal::error(format!("{STATE_SPACE_FILE}: {what}"));
        let file: Written = toml::from_str(&text).map_err(|error| fault(error.to_string()))?;
        let [inputs, outputs, states] = [file.inputs.len(), file.outputs.len(), file.states.len()];
        let matrix = |name: &str, rows: &[Vec<f64>], size: [usize; 2]| {
            let fits = rows.len() == size[0] && rows.iter().all(|row| row.len() == size[1]);
            let finite = rows.iter().flatten().all(|x| x.is_finite());
            if !(fits && finite) {
                return Err(fault(format!(
                    "{name}; allowed: {} rows of {} finite numbers",
                    size[0], size[1]
                )));
            }
            Ok(Matrix::from_row_iterator(size[0], size[1], rows.iter().flatten().copied()))
        };
        let [stop, step] = [file.stop_time, file.step];
        if !(stop.is_finite() && step.is_finite() && stop > 0.0 && step > 0.0) {
            return Err(fault("stop_time or step; allowed: finite numbers above 0".into()));
        }
        let mut names = HashSet::new();
        for channel in file.inputs.iter().chain(&file.outputs) {
            if !names.insert(channel.name.as_str()) {
                return Err(fault(format!("two variables are called `{}`", channel.name)));
            }
            if !channel.value.is_finite() {
                return Err(fault(format!("`{}` has no finite value", channel.name)));
            }
        }
        Ok(StateSpace {
            a: matrix("a", &file.a, [states, states])?,
            b: matrix("b", &file.b, [states, inputs])?,
            c: matrix("c", &file.c, [outputs, states])?,
            d: matrix("d", &file.d, [outputs, inputs])?,
            name: file.name,
            description: file.description,
            experiment: [stop, step],
            inputs: file.inputs,
            outputs: file.outputs,
            states: file.states,
            guid: guid::<&str>(&text, []),
            text,
        })
    }
}
