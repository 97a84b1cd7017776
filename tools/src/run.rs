//! Runs of model files and FMUs, as the command line asks for them.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::fmu::Blueprint;
use coulisse::message::figure;
use coulisse::model::{Model, open_file};
use coulisse::system::outputs;
use indicatif::{ProgressBar, ProgressStyle};

use crate::description::{Description, Variable, chosen};
use crate::film::{Moment, Wishes};
use crate::host::{InProcess, Slave};
use crate::loaded;
use crate::master::{self, Given, Master, Task};
use crate::report::{self, To};
use crate::signals::{Signal, Signals};
use crate::unpacked::Unpacked;
use crate::{bundled, interrupt};
pub use master::{Outcome, Steps, Value, with_values};

/// What a user may ask of a run.
#[derive(Debug, Default)]
pub struct Settings {
    /// `path=value` for parameters and inputs.
    pub set: Vec<Value>,
    /// Inputs over time.
    pub signals: Option<Signals>,
    /// End, s; the model's own where absent.
    pub stop: Option<f64>,
    /// Communication step, s; the model's own where absent.
    pub step: Option<f64>,
    /// Whether a film is wanted.
    pub film: bool,
    /// Frames of the film; of their usual number where absent.
    pub frames: Option<usize>,
    /// When the film has a frame for a picture.
    pub at: Option<Moment>,
    /// Time from which smallest and largest values count, s.
    pub from: f64,
    /// Outputs that are recorded, by names that may end in `*`; all of the description where there are none.
    pub outputs: Vec<String>,
    /// Numbers by which all outputs are derived, row by row.
    pub sensitivities: Vec<String>,
    /// Whether it is one of many runs, which show no progress and print no warnings: [`Subject::warnings`] has them.
    pub quiet: bool,
}

/// Where runs come from. A model file is read, checked and built once for all runs in which no more than its variables are set.
pub enum Source {
    Fmu(PathBuf),
    Model {
        /// As written: a step that the file leaves open is proposed for the numbers of each run.
        written: Model,
        blueprint: Arc<Blueprint>,
        description: Arc<Description>,
    },
}

impl Source {
    /// Reads a model file, which shows these `outputs`, too; an FMU, whose name ends in `.fmu`, is opened for each run.
    ///
    /// # Errors
    /// The faults of the model; a name of no output.
    pub fn open(path: &Path, outputs: &[String]) -> Result<Source> {
        if is_fmu(path) {
            return Ok(Source::Fmu(path.to_owned()));
        }
        let written = with_outputs(model(path)?, outputs)?;
        let blueprint = Blueprint::of(written.clone())?;
        blueprint.built()?;
        let description = Arc::new(Description::of(&blueprint));
        Ok(Source::Model { written, blueprint: Arc::new(blueprint), description })
    }

    /// What runs with these values: numbers of a model file that are neither parameters nor inputs are replaced, the others are left
    /// to be set.
    ///
    /// # Errors
    /// What is wrong with the FMU; where a name is no number of the model, or its value makes no model.
    pub fn subject(&self, values: Vec<Value>) -> Result<(Subject, Vec<Value>)> {
        let (written, blueprint, description) = match self {
            Source::Fmu(path) => {
                let subject = Subject::of_fmu(path)?;
                let unknown =
                    values.iter().find(|(name, _)| !subject.description.is_variable(name));
                if let Some((name, _)) = unknown {
                    subject.description.settable(name)?;
                }
                return Ok((subject, values));
            }
            Source::Model { written, blueprint, description } => (written, blueprint, description),
        };
        let is_variable = |(name, _): &Value| description.is_variable(name);
        let (own, others): (Vec<Value>, Vec<Value>) = values.into_iter().partition(is_variable);
        if others.is_empty() {
            return Ok((Subject::sharing(Arc::clone(description), Arc::clone(blueprint)), own));
        }
        let mut model = written.clone();
        for (name, value) in &others {
            model = model.with_value(name, *value).or_else(|fault| {
                let fault = format!("--set: {fault}");
                // What a host may set comes first, unless only another number is near, or a key of the file is meant.
                let key = name.contains('.') && !name.starts_with("parameters.");
                match description.settable(name).map(drop) {
                    Err(error) if error.to_string().contains("did you mean") => Err(error),
                    Err(error) if !fault.contains("did you mean") && !key => Err(error),
                    _ if !fault.contains("did you mean") => bail!(
                        "{fault}; `--set` changes numbers that are in the file or have a default: write it there first"
                    ),
                    _ => bail!("{fault}"),
                }
            })?;
        }
        // Built when it starts: with the fixed parameters among `own`, too.
        let blueprint = Blueprint::of(model).context("--set")?;
        Ok((Subject::sharing(Arc::new(Description::of(&blueprint)), Arc::new(blueprint)), own))
    }
}

/// A model that lists in its interface all of its outputs that these names stand for.
///
/// # Errors
/// The faults of the model; a name of no output.
pub fn with_outputs(model: Model, names: &[String]) -> Result<Model> {
    if names.is_empty() {
        return Ok(model);
    }
    let checked = model.check()?;
    let all = outputs::all(checked.complete());
    let all: Vec<&str> = all.iter().map(|output| output.path.as_str()).collect();
    let wanted = chosen("--outputs", "output", names, &all)?.into_iter().map(|k| all[k]);
    let is_listed = |path: &&str| checked.outputs.iter().any(|output| output.path == **path);
    let more: Vec<String> = wanted.filter(|path| !is_listed(path)).map(str::to_owned).collect();
    model.with_listed("outputs", &more).map_err(|fault| anyhow!("{fault}"))
}

/// A model file or an FMU that is ready to run.
pub struct Subject {
    pub description: Arc<Description>,
    slave: Box<dyn Slave>,
    /// The warnings of its run.
    pub warnings: Vec<String>,
    /// The files of an FMU, needed as long as it runs.
    _files: Option<Unpacked>,
}

impl Subject {
    /// Opens a model file, or an FMU where the name ends in `.fmu`.
    ///
    /// # Errors
    /// The faults of the model; what is wrong with the FMU.
    pub fn open(path: &Path) -> Result<Subject> {
        Ok(Source::open(path, &[])?.subject(Vec::new())?.0)
    }

    /// A model in this process.
    ///
    /// # Errors
    /// When the mechanism cannot be built.
    pub fn of(blueprint: Blueprint) -> Result<Subject> {
        blueprint.built()?;
        Ok(Subject::sharing(Arc::new(Description::of(&blueprint)), Arc::new(blueprint)))
    }

    fn of_fmu(path: &Path) -> Result<Subject> {
        let files = Unpacked::open(path)?;
        files.check_names().with_context(|| path.display().to_string())?;
        Ok(Subject {
            slave: loaded::of(&files)?.slave(),
            description: Arc::new(files.description.clone()),
            warnings: Vec::new(),
            _files: Some(files),
        })
    }

    fn sharing(description: Arc<Description>, blueprint: Arc<Blueprint>) -> Subject {
        let slave = Box::new(InProcess::new(blueprint));
        Subject { description, slave, warnings: Vec::new(), _files: None }
    }

    /// Runs it from time 0 and records all outputs.
    ///
    /// # Errors
    /// When it cannot start. A run that fails later keeps its rows; see [`Outcome`].
    pub fn run(&mut self, settings: &Settings) -> Result<Outcome> {
        interrupt::watch();
        let [stop, step] = self.times(settings)?;
        let signals = match &settings.signals {
            Some(signals) => signals.bind(&self.description)?,
            None => Vec::new(),
        };
        let wishes =
            Wishes { frames: settings.frames, still: settings.at.as_ref(), from: settings.from };
        let task = Task {
            set: &settings.set,
            stop,
            step,
            film: settings.film,
            wishes,
            outputs: &settings.outputs,
            sensitivities: &settings.sensitivities,
        };
        let mut master = Master::new(self.slave.as_mut(), &self.description, &task)?;
        let mut warnings = Warnings { list: &mut self.warnings, are_shown: !settings.quiet };
        let signals_of_file = settings.signals.iter();
        warnings.add(signals_of_file.flat_map(|signals| signals.open_ends(stop, step)), None);
        let start = signals.iter().map(|(v, s)| (v.clone(), s.from(0.0))).collect();
        // What runs on a line or cubic is given where it goes, what is held where it stands.
        let over = |time: f64, next: f64| -> Given {
            let value = |v: &Variable, s: &Signal<'_>| match v.set_ahead {
                true => s.until(next),
                false => s.from(time),
            };
            signals.iter().map(|(v, s)| (v.clone(), value(v, s))).collect()
        };
        let started = master.start(&start);
        warnings.add(master.news(), master.model());
        started?;
        let bar = progress(stop, settings.quiet);
        while let Some(next) = master.next() {
            match interrupt::check() {
                Ok(()) => master.advance(&over(master.time(), next))?,
                Err(interrupted) => master.end(interrupted.into()),
            }
            warnings.add(master.news(), master.model());
            bar.set_position((master.time() * 1e6) as u64);
        }
        bar.finish_and_clear();
        let closed = master.close();
        warnings.add(master.news(), master.model());
        closed?;
        Ok(master.outcome())
    }

    fn times(&self, settings: &Settings) -> Result<[f64; 2]> {
        let [stop, step] = master::times(&self.description, [settings.stop, settings.step])?;
        let from = settings.from;
        if !(0.0..stop).contains(&from) {
            bail!("--from {}; allowed: from 0 to before the end, {} s", figure(from), figure(stop));
        }
        Ok([stop, step])
    }
}

/// The warnings of a run: all are kept, and those of a single run are shown at once.
struct Warnings<'a> {
    list: &'a mut Vec<String>,
    are_shown: bool,
}

impl Warnings<'_> {
    /// Takes warnings about a model, or about no file of one.
    fn add(&mut self, lines: impl IntoIterator<Item = String>, model: Option<&Model>) {
        for line in lines {
            if self.are_shown {
                match model {
                    Some(model) => eprintln!("{}", report::warning(&line, model, To::Stderr)),
                    None => eprintln!("warning: {line}"),
                }
            }
            self.list.push(line);
        }
    }
}

/// Whether a path names an FMU rather than a model file: by its ending, or by the first bytes of an archive under another name.
pub fn is_fmu(path: &Path) -> bool {
    let ends = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    ends("fmu") || (!ends("ssp") && !ends("toml") && begins_as_archive(path))
}

/// Whether a regular file begins as a zip archive does.
fn begins_as_archive(path: &Path) -> bool {
    let mut bytes = [0; 4];
    let read = open_file(path).and_then(|mut file| file.read_exact(&mut bytes));
    read.is_ok() && bytes == *b"PK\x03\x04"
}

/// Refuses what `coulisse pack --ssp` writes, which is neither a model file nor an FMU.
///
/// # Errors
/// For a file with the ending of a system.
pub fn not_a_system(path: &Path) -> Result<()> {
    let ending = path.extension();
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ssp")) {
        bail!(
            "{}: a system (SSP); allowed: a model file (TOML), or the FMU that lies in `resources` of the system",
            path.display()
        );
    }
    Ok(())
}

/// Reads, checks and builds a model file.
///
/// # Errors
/// The faults of the model.
pub fn load(path: &Path) -> Result<Blueprint> {
    Ok(Blueprint::of(model(path)?)?)
}

/// Reads a model file, or a bundled model by its name.
///
/// # Errors
/// When it cannot be read.
pub fn model(path: &Path) -> Result<Model> {
    not_a_system(path)?;
    Ok(bundled::read(path)?)
}

/// The unit of a number of a model file, or of a variable of an FMU; empty where it has none, `None` where it is not there.
pub fn unit_of(path: &Path, name: &str) -> Option<String> {
    let variable = |name: &str| {
        let files = Unpacked::open(path).ok()?;
        let variable = files.description.variables.iter().find(|v| v.name == name)?;
        Some(variable.unit.clone())
    };
    if is_fmu(path) { variable(name) } else { model(path).ok()?.unit_of(name).map(str::to_owned) }
}

fn progress(stop: f64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new((stop * 1e6) as u64);
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
