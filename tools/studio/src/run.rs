//! A run of the model that is open, step by step.

use std::sync::Arc;

use anyhow::{Context, Result};
use coulisse::fmu::Blueprint;
use coulisse::laws::friction::Friction;
use coulisse::message::rounded;
use coulisse_tools::animation::{exaggerated, first_exaggeration};
use coulisse_tools::archive::{self, Standard};
use coulisse_tools::description::Description;
use coulisse_tools::findings::{Report, of_warnings};
use coulisse_tools::host::{InProcess, Slave};
use coulisse_tools::library::Library;
use coulisse_tools::master::{Given, Master, Task, Value, given, times, with_values};
use coulisse_tools::motion::Motion;
use coulisse_tools::page::{self, Data};
use serde::Serialize;

use crate::session::Subject;

/// Loops of friction before the curves over time.
const MOST_LOOPS: usize = 2;

/// A run, its first row recorded.
pub struct Run {
    blueprint: Arc<Blueprint>,
    description: Description,
    master: Master<Box<dyn Slave>>,
    times: [f64; 2],
    /// Values other than those of the text.
    set: Vec<Value>,
    /// Values that are set before each step.
    inputs: Given,
}

/// How far a run, or a study of runs, has come.
#[derive(Debug, Serialize)]
pub struct Progress {
    /// How much of it is done, of 1.
    pub share: f64,
    /// What it is at.
    pub words: String,
    /// Whether there is no further step.
    pub done: bool,
    /// When and why it ended early, if it did.
    pub failure: Option<String>,
    pub warnings: Vec<Report>,
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
        let set = subject.set.clone();
        Ok(Run { blueprint, description, master, times, set, inputs: Vec::new() })
    }

    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// Its model with the values that are set, for what is computed beside it.
    ///
    /// # Errors
    /// When the values make no model.
    pub fn with_values(&self) -> Result<Arc<Blueprint>> {
        if self.set.is_empty() {
            return Ok(Arc::clone(&self.blueprint));
        }
        let model = with_values(self.blueprint.model().clone(), &self.set)?;
        Ok(Arc::new(Blueprint::of(model)?))
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
        let data =
            Data::of(self.master.results(), &self.loops(), &self.panels(), self.master.film());
        let symbols = data.symbols().to_owned();
        (data, symbols)
    }

    /// Its page.
    ///
    /// # Errors
    /// None that a page can have.
    pub fn page(&self) -> Result<String> {
        let (name, text) = (&self.description.model_name, &self.blueprint.checked().description);
        let (loops, panels) = (self.loops(), self.panels());
        page::page(name, text, self.master.results(), &loops, &panels, self.master.film())
    }

    /// Its motion as GIF, deformations as large as its page draws them at first.
    ///
    /// # Errors
    /// When nothing was filmed.
    pub fn gif(&self) -> Result<Vec<u8>> {
        let film = self.master.film().context("no picture of this run")?;
        let positions = exaggerated(film, first_exaggeration(film));
        Motion::of(film, &positions, None).gif()
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

    /// Friction force over position of the first joints with friction that have both as outputs, x and y.
    fn loops(&self) -> Vec<[usize; 2]> {
        let results = self.master.results();
        let place = |joint: &str, of: &str| results.place(&format!("joints.{joint}.{of}"));
        let joints = self.blueprint.checked().sliders_of_joints();
        let joints = joints.filter(|(_, slider)| slider.friction != Friction::None);
        let joints = joints.map(|(_, slider)| slider.name.as_str());
        let both = joints
            .filter_map(|joint| Some([place(joint, "position")?, place(joint, "friction_force")?]));
        both.take(MOST_LOOPS).collect()
    }

    fn panels(&self) -> Vec<usize> {
        (0..self.master.results().columns.len()).collect()
    }

    fn progress(&mut self) -> Progress {
        let news = self.master.news();
        let at = format!("t = {} s", rounded(self.master.time(), 6));
        let failure = self.master.failure();
        Progress {
            share: (self.master.time() / self.times[0]).min(1.0),
            done: self.master.next().is_none(),
            failure: failure.map(|why| format!("The run ended early at {at}: {why:#}")),
            words: at,
            warnings: of_warnings(&news, self.blueprint.model()),
        }
    }
}
