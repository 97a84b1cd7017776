//! A run of the model that is open, step by step.

use std::sync::Arc;

use anyhow::Result;
use coulisse::fmu::Blueprint;
use coulisse::modes::{Loads, Sliding};
use coulisse::start::start;
use coulisse::system::System;
use coulisse_tools::archive::{self, Standard};
use coulisse_tools::description::Description;
use coulisse_tools::findings::{Report, of_warnings};
use coulisse_tools::host::{InProcess, Slave};
use coulisse_tools::library::Library;
use coulisse_tools::master::{Given, Master, Task, Value, given, times};
use coulisse_tools::page::{self, Data};
use coulisse_tools::shapes::{self, Found, Shapes};
use serde::Serialize;

use crate::session::Subject;

/// A run, its first row recorded.
pub struct Run {
    blueprint: Arc<Blueprint>,
    description: Description,
    master: Master<Box<dyn Slave>>,
    times: [f64; 2],
    /// Values that are set before each step.
    inputs: Given,
}

/// How far a run has come.
#[derive(Debug, Serialize)]
pub struct Progress {
    /// s.
    time: f64,
    /// Whether there is no further step.
    done: bool,
    /// Why it ended early, if it did.
    failure: Option<String>,
    warnings: Vec<Report>,
}

impl Run {
    /// Starts a model at t = 0 with the values that the subject sets.
    ///
    /// # Errors
    /// When a value cannot be set, or the mechanism does not start with it.
    pub fn new(blueprint: Arc<Blueprint>, subject: &Subject) -> Result<Run> {
        let description = Description::of(&blueprint);
        let times = times(&description, [subject.stop, subject.step])?;
        let [stop, step] = times;
        let slave: Box<dyn Slave> = Box::new(InProcess::new(Arc::clone(&blueprint)));
        let task = Task { set: &subject.set, stop, step, film: true, ..Task::default() };
        let mut master = Master::new(slave, &description, &task)?;
        master.start(&Vec::new())?;
        Ok(Run { blueprint, description, master, times, inputs: Vec::new() })
    }

    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// End and communication step, s.
    pub fn times(&self) -> [f64; 2] {
        self.times
    }

    /// So many steps, or as many as there are, with inputs that have the values of `set` from now on.
    ///
    /// # Errors
    /// When a value cannot be set.
    pub fn advance(&mut self, steps: usize, set: &[Value]) -> Result<Progress> {
        for (variable, value) in given(&self.description, set)? {
            match self.inputs.iter_mut().find(|(other, _)| other.reference == variable.reference) {
                Some(known) => known.1 = value,
                None => self.inputs.push((variable, value)),
            }
        }
        for _ in 0..steps {
            if self.master.next().is_none() {
                break;
            }
            self.master.advance(&self.inputs)?;
        }
        Ok(self.progress())
    }

    /// Ends the run where it is: what there is to warn of.
    ///
    /// # Errors
    /// When the model does not end.
    pub fn close(&mut self) -> Result<Progress> {
        self.master.close()?;
        Ok(self.progress())
    }

    /// The numbers of its page as far as it has come, and the symbols of the mechanism.
    pub fn data(&self) -> (Data, String) {
        let data = Data::of(self.master.results(), &[], &self.panels(), self.master.film());
        let symbols = data.symbols().to_owned();
        (data, symbols)
    }

    /// Its page.
    ///
    /// # Errors
    /// None that a page can have.
    pub fn page(&self) -> Result<String> {
        let (name, text) = (&self.description.model_name, &self.blueprint.checked().description);
        page::page(name, text, self.master.results(), &[], &self.panels(), self.master.film())
    }

    /// The page on which the `count` lowest modes about the start move.
    ///
    /// # Errors
    /// When the mechanism does not start or has no modes.
    pub fn modes(&self, count: usize) -> Result<String> {
        let (model, checked) = (self.blueprint.model(), self.blueprint.checked());
        let system = System::build(checked).map_err(|fault| model.faults(&fault))?;
        let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
        let state = start(&system, &inputs).map_err(|fault| model.faults(&fault))?;
        let loads = Loads::at_start(checked);
        let found = Found::about(system, state, "at the start", count, Sliding::Free, loads);
        let found = found.map_err(|fault| model.faults(&fault))?;
        shapes::page(&found, &Shapes::of(&found))
    }

    /// Its rows as CSV, with units.
    ///
    /// # Errors
    /// None that rows can have.
    pub fn rows(&self) -> Result<Vec<u8>> {
        self.master.results().csv(true)
    }

    /// An FMU of its model, as the text has it.
    ///
    /// # Errors
    /// When it cannot be packed; not in practice.
    pub fn pack(&self, libraries: &[Library], date: Option<&str>) -> Result<Vec<u8>> {
        archive::pack(&self.blueprint, Standard::Fmi2, libraries, date, &[])
    }

    fn panels(&self) -> Vec<usize> {
        (0..self.master.results().columns.len()).collect()
    }

    fn progress(&mut self) -> Progress {
        let news = self.master.news();
        Progress {
            time: self.master.time(),
            done: self.master.next().is_none(),
            failure: self.master.failure().map(|failure| format!("{failure:#}")),
            warnings: of_warnings(&news, self.blueprint.model()),
        }
    }
}
