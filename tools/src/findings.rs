//! What is wrong with a model file, and what there is to ask about it, as programs read it.

use coulisse::fmu::Blueprint;
use coulisse::model::{Fault, Faults, Model};
use serde::Serialize;

use crate::warnings;

/// One finding, as programs read it.
#[derive(Debug, Serialize)]
pub struct Report {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// All faults of a model; of one without any, what there is to ask about it.
pub fn of_model(read: Result<Model, Faults>) -> Vec<Report> {
    let asked = read.and_then(Blueprint::of).and_then(|blueprint| of_blueprint(&blueprint));
    asked.unwrap_or_else(of_faults)
}

/// What there is to ask about a model that starts with the file's own values.
///
/// # Errors
/// The faults of a mechanism that cannot be built or started.
pub fn of_blueprint(blueprint: &Blueprint) -> Result<Vec<Report>, Faults> {
    Ok(of_warnings(&questions(blueprint)?, blueprint.model()))
}

/// Lines of warnings at their places in the model file.
pub fn of_warnings(lines: &[String], model: &Model) -> Vec<Report> {
    lines.iter().map(|line| report(model.fault(line), "warning")).collect()
}

/// Faults of a model file.
pub fn of_faults(faults: Faults) -> Vec<Report> {
    faults.list.into_iter().map(|fault| report(fault, "error")).collect()
}

fn report(fault: Fault, severity: &'static str) -> Report {
    Report {
        file: fault.file,
        line: fault.line,
        column: fault.column,
        end_line: fault.end_line,
        end_column: fault.end_column,
        severity,
        message: fault.message,
        kind: Some(fault.kind.word()),
    }
}

/// What there is to ask about a model that starts with the file's own values.
///
/// # Errors
/// The faults of a mechanism that cannot be built or started.
pub fn questions(blueprint: &Blueprint) -> Result<Vec<String>, Faults> {
    let inputs = &blueprint.checked().inputs;
    let inputs: Vec<f64> = inputs.iter().map(|input| input.start).collect();
    let built = blueprint.built()?;
    let start = coulisse::start::start(&built.system, &inputs);
    let start = start.map_err(|fault| {
        let model = blueprint.model();
        let mut faults = model.faults(&fault);
        // Why there is none may be a unit.
        let units = warnings::of_units(blueprint.checked());
        faults.list.extend(units.iter().map(|line| model.fault(line)));
        faults
    })?;
    Ok(warnings::of(&built.system, &start))
}
