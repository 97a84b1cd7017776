//! What a page has given: data files, libraries, and the model that is open.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::fmu::{Blueprint, Kind, Role, Variable};
use coulisse::model::{Faults, Model};
use coulisse_tools::bundled;
use coulisse_tools::drawing::has_diagrams;
use coulisse_tools::findings::{self, Report};
use coulisse_tools::library::Library;
use coulisse_tools::master::{Value, with_values};
use serde::{Deserialize, Serialize};

use crate::analysis::{self, Analysis, Sheet};
use crate::convergence::Convergence;
use crate::run::{Progress, Run};

/// A model as the page has it.
#[derive(Debug, Deserialize)]
pub struct Subject {
    /// Name of the model file, for messages.
    pub file: String,
    pub text: String,
    /// Numbers with other values than in the text.
    #[serde(default)]
    pub set: Vec<Value>,
    /// End of the run, s; the model's own where absent.
    pub stop: Option<f64>,
    /// Communication step, s; the model's own where absent.
    pub step: Option<f64>,
}

/// What there is to say of a model.
#[derive(Debug, Serialize)]
pub struct Opened {
    findings: Vec<Report>,
    /// Absent of a model with faults.
    about: Option<About>,
}

/// A model without faults.
#[derive(Debug, Serialize)]
struct About {
    name: String,
    description: String,
    /// End and communication step of the run, s.
    stop: f64,
    step: f64,
    numbers: Vec<Number>,
    /// Contacts of surfaces, which may jam.
    contacts: Vec<String>,
    /// Whether elastic members have diagrams of section forces.
    has_diagrams: bool,
}

/// A number that may be set: a parameter or an input.
#[derive(Debug, Serialize)]
struct Number {
    name: String,
    unit: &'static str,
    description: String,
    value: f64,
    /// Smallest and largest value, where there is one.
    range: [Option<f64>; 2],
    is_input: bool,
    is_truth: bool,
    is_whole: bool,
}

/// A bundled model.
#[derive(Debug, Serialize)]
pub struct Listed {
    name: &'static str,
    description: String,
}

/// What is kept between calls.
#[derive(Default)]
pub struct Session {
    /// Data files by the names that the model calls them.
    data: BTreeMap<String, Vec<u8>>,
    libraries: Vec<Library>,
    run: Option<Run>,
    study: Option<Convergence>,
    /// What was computed last beside the run.
    sheet: Sheet,
}

impl Session {
    pub fn new() -> Session {
        Session::default()
    }

    /// The bundled models.
    pub fn models() -> Result<Vec<Listed>> {
        let of = |name| {
            let checked = bundled::model(name)?.check()?;
            Ok(Listed { name, description: checked.description })
        };
        bundled::names().map(of).collect()
    }

    /// The text of a bundled model, whose data files take the place of those kept.
    pub fn take_bundled(&mut self, name: &str) -> Result<String> {
        let model = bundled::model(name)?;
        let files = model.data_files();
        self.data = files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
        Ok(model.text().to_owned())
    }

    pub fn keep(&mut self, name: String, bytes: Vec<u8>) {
        self.data.insert(name, bytes);
    }

    pub fn files(&self) -> Vec<&str> {
        self.data.keys().map(String::as_str).collect()
    }

    pub fn clear(&mut self) {
        self.data.clear();
    }

    /// Performs an analysis of the model that is open, with the values that are set: its page.
    pub fn analyse(&mut self, analysis: &Analysis) -> Result<&str> {
        let blueprint = self.run()?.with_values()?;
        self.sheet = Sheet::default();
        self.sheet = analysis.of(&blueprint)?;
        Ok(&self.sheet.page)
    }

    /// The page on what a data file holds.
    pub fn record(&mut self, name: &str) -> Result<&str> {
        let bytes = self.data.get(name).with_context(|| format!("no data file {name}"))?;
        self.sheet = analysis::record(name, bytes)?;
        Ok(&self.sheet.page)
    }

    /// Begins a study of convergence, or goes on with it.
    pub fn converge(&mut self, steps: usize) -> Result<Progress> {
        if self.study.is_none() {
            let run = self.run()?;
            let (blueprint, [stop, _]) = (run.with_values()?, run.times());
            self.study = Some(Convergence::of(blueprint, stop)?);
        }
        let study = self.study.as_mut().context("no study")?;
        study.advance(steps).inspect_err(|_| self.study = None)
    }

    /// The page of the study that has come to its end, whose runs are forgotten.
    pub fn converged(&mut self, accuracy: f64) -> Result<&str> {
        let study = self.study.take().context("no study of convergence")?;
        self.sheet = study.sheet(accuracy)?;
        Ok(&self.sheet.page)
    }

    /// The numbers of what was computed last beside the run, as CSV.
    pub fn table(&self) -> Result<Vec<u8>> {
        self.sheet.rows.clone().context("what is shown has no table")
    }

    /// Checks a model; starts it at t = 0 where it has no fault.
    pub fn open(&mut self, subject: &Subject) -> Result<Opened> {
        (self.run, self.study) = (None, None);
        let sound = self.parse(subject).and_then(Blueprint::of).and_then(|blueprint| {
            let asked = findings::of_blueprint(&blueprint)?;
            Ok((blueprint, asked))
        });
        let (blueprint, findings) = match sound {
            Ok(sound) => sound,
            Err(faults) => {
                return Ok(Opened { findings: findings::of_faults(faults), about: None });
            }
        };
        let run = Run::new(Arc::new(blueprint), subject)?;
        let about = about(run.blueprint(), run.times());
        self.run = Some(run);
        Ok(Opened { findings, about: Some(about) })
    }

    /// The text of a model with numbers replaced, as `coulisse pack --set` writes it.
    pub fn written(&self, subject: &Subject) -> Result<String> {
        let model = self.parse(subject)?;
        let model = with_values(model, &subject.set)?.written();
        model.map(|model| model.text().to_owned()).map_err(|fault| anyhow!("{fault}"))
    }

    /// The model that is open.
    pub fn run(&mut self) -> Result<&mut Run> {
        self.run.as_mut().context("no model without faults is open")
    }

    /// Keeps a library, in place of another one for its platform: what it is for.
    pub fn add_library(&mut self, bytes: &[u8]) -> Result<String> {
        let library = Library::of(bytes.to_vec())?;
        if !library.is_of_these_sources() {
            bail!(
                "the library for {} is of other sources than this page; build the studio again",
                library.platform
            );
        }
        let label = library.label();
        self.libraries.retain(|other| other.platform != library.platform);
        self.libraries.push(library);
        Ok(label)
    }

    /// An FMU of the model that is open.
    pub fn pack(&mut self, date: Option<&str>) -> Result<Vec<u8>> {
        let run = self.run.as_ref().context("no model without faults is open")?;
        run.pack(&self.libraries, date)
    }

    fn parse(&self, subject: &Subject) -> Result<Model, Faults> {
        Model::parse(&subject.text, &subject.file, &|name| {
            self.data.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
        })
    }
}

fn about(blueprint: &Blueprint, [stop, step]: [f64; 2]) -> About {
    let model = blueprint.checked();
    let numbers = blueprint.interface().variables().iter().filter_map(number);
    About {
        name: model.name.clone(),
        description: model.description.clone(),
        stop,
        step,
        numbers: numbers.collect(),
        contacts: model.contacts.iter().map(|contact| contact.name.clone()).collect(),
        has_diagrams: has_diagrams(model).is_ok(),
    }
}

fn number(variable: &Variable) -> Option<Number> {
    let is_input = matches!(variable.role, Role::Input(_));
    let value = variable.start.filter(|_| is_input || variable.is_parameter())?;
    Some(Number {
        name: variable.name.clone(),
        unit: if variable.has_unit() { variable.quantity.unit() } else { "" },
        description: variable.description.clone(),
        value,
        range: variable.range,
        is_input,
        is_truth: variable.kind.called() == Kind::Boolean,
        is_whole: variable.kind.called() == Kind::Integer,
    })
}
