//! A model from its file to the end of its first communication step.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use coulisse::model::{Faults, Model};
use coulisse::solve::Stepper;
use coulisse::start::start;
use coulisse::system::System;

/// How far a model came.
#[derive(Debug)]
pub enum Life {
    /// Its outputs by path after the step.
    Lived(Vec<(String, f64)>),
    /// Every word that was said about it.
    Refused(String),
    Panicked(String),
}

/// Reads, checks, builds and starts a model and takes one communication step, but no more than
/// [`LONGEST`] substeps.
pub fn of(read: impl FnOnce() -> Result<Model, Faults>) -> Life {
    lived(read, LONGEST)
}

/// The same with no more than three substeps, and none at all of a large model.
pub fn short(read: impl FnOnce() -> Result<Model, Faults>) -> Life {
    lived(read, 3.0)
}

fn lived(read: impl FnOnce() -> Result<Model, Faults>, substeps: f64) -> Life {
    let life = silently(|| -> Result<Vec<(String, f64)>, String> {
        let (model, checked) = read()
            .and_then(|model| {
                let checked = model.check()?;
                Ok((model, checked))
            })
            .map_err(|faults| faults.to_string())?;
        let placed = |fault: &dyn std::fmt::Display| model.fault(&fault).to_string();
        let of_members = checked.members.iter().map(|m| m.elements * m.order);
        let of_bodies = checked.bodies.iter().map(|body| body.mesh.nodes.len());
        let nodes: usize = of_members.chain(of_bodies).sum();
        if substeps < LONGEST && nodes > LARGE {
            return Ok(Vec::new());
        }
        let system = System::build(&checked).map_err(|fault| placed(&fault))?;
        let inputs: Vec<f64> = checked.inputs.iter().map(|i| i.start).collect();
        let mut state = start(&system, &inputs).map_err(|fault| placed(&fault))?;
        let length = checked.experiment.communication_step.min(substeps * checked.solver.step);
        Stepper::new(&system)
            .advance(&system, &mut state, 0.0, length)
            .map_err(|fault| placed(&fault))?;
        Ok(checked
            .outputs
            .iter()
            .map(|o| (o.path.clone(), system.read(&state, o.output)))
            .collect())
    });
    match life {
        Ok(Ok(outputs)) => Life::Lived(outputs),
        Ok(Err(message)) => Life::Refused(message),
        Err(what) => Life::Panicked(what),
    }
}

/// Substeps of one life, at the most.
const LONGEST: f64 = 2000.0;

/// Nodes of a model that is too large to be started many times.
const LARGE: usize = 1000;

/// A model from its text, without data files.
pub fn parse(text: &str) -> Result<Model, Faults> {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    Model::parse(text, "model.toml", &none)
}

/// A model from a text in place of that of `file`, with the data files beside it.
pub fn parse_beside(file: &Path, text: &str) -> Result<Model, Faults> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    Model::parse(text, "model.toml", &read)
}

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; a panic becomes an error and prints nothing, while those of other threads do.
pub fn silently<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                loud(info);
            }
        }));
    });
    SILENT.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    SILENT.set(false);
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap_or_else(|| "without words".to_string())
    })
}
