//! The master: sets values, steps, records.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::fmu::Blueprint;
use coulisse::message::{figure, rounded};
use coulisse::model::{Model, open_file};
use indicatif::{ProgressBar, ProgressStyle};

use crate::archive::Unpacked;
use crate::description::{Description, Kind, Variable};
use crate::film::{Camera, Film, Moment, Wishes};
use crate::host::{InProcess, Slave, Unit};
use crate::report::{self, To};
use crate::results::Results;
use crate::sensitivity::Derivatives;
use crate::signals::{Signal, Signals};
use crate::{bundled, interrupt, warnings};

/// A number of the model by its dotted path.
pub type Value = (String, f64);

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
    /// Numbers by which all outputs are derived, row by row.
    pub sensitivities: Vec<String>,
    /// Whether it is one of many runs, which show no progress and print no warnings: [`Subject::warnings`] has them.
    pub quiet: bool,
}

/// The rows of a run, and why it ended early if it did.
#[derive(Debug)]
pub struct Outcome {
    pub results: Results,
    /// None of a slave that does not show its inside, or where none is wanted.
    pub film: Option<Film>,
    pub failure: Option<anyhow::Error>,
    /// Communication step, s.
    pub step: f64,
    pub steps: Steps,
}

/// Steps of the solver within a communication step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Steps {
    /// Those of a slave that does not show its inside.
    Unknown,
    /// The solver chooses them by its tolerance.
    Chosen,
    /// At most so long, s.
    Of(f64),
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
    /// Reads a model file; an FMU, whose name ends in `.fmu`, is opened for each run.
    ///
    /// # Errors
    /// The faults of the model.
    pub fn open(path: &Path) -> Result<Source> {
        if is_fmu(path) {
            return Ok(Source::Fmu(path.to_owned()));
        }
        let written = model(path)?;
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
                // What a host may set comes first, unless only another number is near.
                match description.settable(name).map(drop) {
                    Err(told) if told.to_string().contains("did you mean") => Err(told),
                    Err(told) if !fault.contains("did you mean") => Err(told),
                    _ => bail!("{fault}"),
                }
            })?;
        }
        // Built when it starts: with the fixed parameters among `own`, too.
        let blueprint = Blueprint::of(model).context("--set")?;
        Ok((Subject::sharing(Arc::new(Description::of(&blueprint)), Arc::new(blueprint)), own))
    }
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
        Ok(Source::open(path)?.subject(Vec::new())?.0)
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
            slave: Box::new(Unit::new(&files)?),
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
        let (stop, step) = self.times(settings)?;
        let outputs: Vec<&Variable> =
            self.description.with_causality("output").filter(|v| v.kind != Kind::Text).collect();
        let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        let wishes =
            Wishes { frames: settings.frames, still: settings.at.as_ref(), from: settings.from };
        let mut camera = Camera::new([stop, step], &names, &wishes)?;
        let mut values = Vec::new();
        for (name, value) in &settings.set {
            let variable = self.description.settable(name)?;
            check_type(variable, *value)?;
            values.push((variable.clone(), *value));
        }
        let signals = match &settings.signals {
            Some(signals) => signals.bind(&self.description)?,
            None => Vec::new(),
        };
        let mut warnings = Warnings { list: &mut self.warnings, are_shown: !settings.quiet };
        let signals_of_file = settings.signals.iter();
        warnings.add(signals_of_file.flat_map(|signals| signals.open_ends(stop, step)), None);
        let slave = &mut self.slave;
        let set = |slave: &mut Box<dyn Slave>, values: &[(Variable, f64)]| {
            let mut each = values.iter();
            each.try_for_each(|(v, value)| slave.set(v.kind, &[v.reference], &[*value]))
        };
        let start: Vec<_> = (signals.iter()).map(|(v, s)| (v.clone(), s.from(0.0))).collect();
        // What runs on a line or cubic is given where it goes, what is held where it stands.
        let over = |time: f64, next: f64| -> Vec<(Variable, f64)> {
            let value = |v: &Variable, s: &Signal<'_>| match v.set_ahead {
                true => s.until(next),
                false => s.from(time),
            };
            let signals = signals.iter();
            signals.map(|(v, s)| (v.clone(), value(v, s))).collect()
        };
        set(slave, &values)?;
        set(slave, &start)?;
        // Numbers in other units may be why it fails.
        let ask = |slave: &dyn Slave, warnings: &mut Warnings<'_>| {
            let model = slave.model();
            if let Some(checked) = model.and_then(|model| model.check().ok()) {
                warnings.add(warnings::of_units(&checked), model);
            }
        };
        let started = slave.begin(stop).and_then(|()| slave.start());
        warnings.hear(slave.as_mut());
        started.inspect_err(|_| ask(slave.as_ref(), &mut warnings))?;

        let of_start = match slave.mechanism() {
            Some((built, state)) => warnings::of_run(&built.system, state),
            None => Vec::new(),
        };
        let mut recorder = Recorder::of(&outputs);
        let mut derivatives = match &settings.sensitivities[..] {
            [] => None,
            names => Some(Derivatives::of(names, slave.as_ref(), &settings.set, &outputs)?),
        };
        let columns = Derivatives::columns(&settings.sensitivities, slave.model(), &outputs);
        recorder.results.columns.extend(columns);
        let off = slave.mechanism().map(|(built, _)| built.system.model().switched_off());
        recorder.results.off.extend(off.into_iter().flatten().map(str::to_owned));
        recorder.record(slave.as_mut(), 0.0, derivatives.as_ref())?;
        let mut look = |slave: &dyn Slave, row: usize, values: &[f64], time: f64, last: bool| {
            if settings.film {
                camera.look(slave, row, values, time, last);
            }
        };
        look(slave.as_ref(), 0, &recorder.row, 0.0, false);
        let bar = progress(stop, settings.quiet);
        let mut time = 0.0;
        let mut failure = None;
        let mut n = 0_usize;
        while time < stop && !close(time, stop) {
            n += 1;
            // Multiples of the step, not sums, as FMPy counts them too.
            let next = (n as f64 * step).min(stop);
            let result = interrupt::check()
                .map_err(anyhow::Error::from)
                .and_then(|()| set(slave, &over(time, next)))
                .inspect(|()| {
                    let of = derivatives.iter_mut();
                    of.for_each(|derivatives| derivatives.before(slave.as_ref(), time));
                })
                .and_then(|()| slave.step(time, next - time));
            warnings.hear(slave.as_mut());
            if let Err(error) = result {
                let reached = slave.time();
                if reached > time {
                    // The neighbours end where the run does.
                    let ended = derivatives.as_mut().map(|derivatives| derivatives.advance(next));
                    recorder.record(slave.as_mut(), reached, ended)?;
                    look(slave.as_ref(), n, &recorder.row, reached, true);
                }
                ask(slave.as_ref(), &mut warnings);
                failure = Some(error);
                break;
            }
            time = next;
            let reached = derivatives.as_mut().map(|derivatives| derivatives.advance(time));
            recorder.record(slave.as_mut(), time, reached)?;
            let last = time >= stop || close(time, stop);
            look(slave.as_ref(), n, &recorder.row, time, last);
            bar.set_position((time * 1e6) as u64);
        }
        bar.finish_and_clear();
        if let Some((built, state)) = slave.mechanism() {
            let when = format!("at t = {} s", rounded(state.time, 9));
            let patches = warnings::small_patches(&built.system, state, &when);
            warnings.add(of_start.into_iter().chain(patches), slave.model());
        }
        warnings.add(derivatives.iter().flat_map(Derivatives::warnings), None);
        let solver = slave.mechanism().map(|(built, _)| &built.system.model().solver);
        let steps = match solver.map(|solver| (solver.step, solver.tolerance)) {
            None => Steps::Unknown,
            Some((_, Some(_))) => Steps::Chosen,
            Some((solver, None)) => Steps::Of(solver),
        };
        if failure.is_none() {
            slave.terminate()?;
        }
        warnings.hear(slave.as_mut());
        Ok(Outcome { results: recorder.results, film: camera.film(), failure, step, steps })
    }

    fn times(&self, settings: &Settings) -> Result<(f64, f64)> {
        let stop = settings.stop.or(self.description.stop_time).unwrap_or(1.0);
        let step = settings.step.or(self.description.step_size).unwrap_or(stop / 500.0);
        for (option, value) in [("--stop", stop), ("--step", step)] {
            if !(value.is_finite() && value > 0.0) {
                let value = figure(value);
                bail!("{option} {value}; allowed: a finite number of seconds above 0");
            }
        }
        let from = settings.from;
        if !(0.0..stop).contains(&from) {
            bail!("--from {}; allowed: from 0 to before the end, {} s", figure(from), figure(stop));
        }
        if stop / step > 1e8 {
            bail!(
                "--stop {} with --step {} makes more than 1e8 rows; take a longer --step",
                figure(stop),
                figure(step)
            );
        }
        Ok((stop, step))
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

    /// Takes what the slave has warned of.
    fn hear(&mut self, slave: &mut dyn Slave) {
        let lines = slave.warnings();
        self.add(lines, slave.model());
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

/// The model with numbers replaced, as `--set` says it.
///
/// # Errors
/// Where a name is no number of the model.
pub fn with_values(mut model: Model, values: &[Value]) -> Result<Model> {
    for (name, value) in values {
        model = model.with_value(name, *value).map_err(|fault| anyhow!("--set: {fault}"))?;
    }
    Ok(model)
}

/// The unit of a number of a model file, or of a variable of an FMU; empty where it has none, `None` where it is not there.
pub fn unit_of(path: &Path, name: &str) -> Option<String> {
    let variable = |name: &str| {
        let files = Unpacked::open(path).ok()?;
        let variable = files.description.variables.iter().find(|v| v.name == name)?;
        Some(variable.unit.clone())
    };
    match is_fmu(path) {
        true => variable(name),
        false => model(path).ok()?.unit_of(name).map(str::to_owned),
    }
}

fn check_type(variable: &Variable, value: f64) -> Result<()> {
    let name = &variable.name;
    match variable.kind {
        Kind::Real if !value.is_finite() => {
            bail!("`{name}` set to {value}; allowed: finite numbers")
        }
        Kind::Boolean if value != 0.0 && value != 1.0 => {
            bail!("`{name}` set to {value}; allowed: 0 (false) and 1 (true)")
        }
        Kind::Integer if value != value.round() || value.abs() > f64::from(i32::MAX) => {
            bail!("`{name}` set to {value}; allowed: whole numbers")
        }
        Kind::Text => bail!("`{name}` is text; allowed: numbers only"),
        _ => Ok(()),
    }
}

/// Two times that differ by rounding only.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
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

/// Reads the outputs of a slave, type by type, into rows.
struct Recorder {
    results: Results,
    groups: Vec<(Kind, Vec<usize>, Vec<u32>)>,
    row: Vec<f64>,
}

impl Recorder {
    fn of(outputs: &[&Variable]) -> Recorder {
        let groups = [Kind::Real, Kind::Integer, Kind::Boolean].map(|kind| {
            let columns: Vec<usize> =
                (0..outputs.len()).filter(|&i| outputs[i].kind == kind).collect();
            let references = columns.iter().map(|&i| outputs[i].reference).collect();
            (kind, columns, references)
        });
        Recorder {
            results: Results::of(outputs),
            groups: groups.into_iter().filter(|g| !g.1.is_empty()).collect(),
            row: vec![0.0; outputs.len()],
        }
    }

    fn record(
        &mut self, slave: &mut dyn Slave, time: f64, derivatives: Option<&Derivatives<'_>>,
    ) -> Result<()> {
        for (kind, columns, references) in &self.groups {
            let mut values = vec![0.0; references.len()];
            slave
                .get(*kind, references, &mut values)
                .with_context(|| format!("at t = {} s", rounded(time, 10)))?;
            for (&column, value) in columns.iter().zip(values) {
                self.row[column] = value;
            }
        }
        match derivatives {
            None => self.results.push(time, &self.row),
            Some(derivatives) => {
                let row: Vec<f64> = self.row.iter().copied().chain(derivatives.row()).collect();
                self.results.push(time, &row);
            }
        }
        Ok(())
    }
}
