//! The master: sets values, steps, records.

use std::collections::HashMap;
use std::ops::DerefMut;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::message::{figure, rounded};
use coulisse::model::Model;

use crate::description::{Description, Element, Kind, Variable, chosen};
use crate::film::{Camera, Film, Wishes};
use crate::host::Slave;
use crate::results::Results;
use crate::sensitivity::Derivatives;
use crate::warnings;

/// A number of the model by its dotted path.
pub type Value = (String, f64);

/// Variables with the values that they get.
pub type Given = Vec<(Variable, f64)>;

/// What a run is to do.
#[derive(Debug, Default)]
pub struct Task<'a> {
    /// `path=value` for parameters and inputs.
    pub set: &'a [Value],
    /// End, s.
    pub stop: f64,
    /// Communication step, s.
    pub step: f64,
    /// Whether a film is wanted, and which.
    pub film: bool,
    pub wishes: Wishes<'a>,
    /// Outputs that are recorded, by names that may end in `*`; all where there are none.
    pub outputs: &'a [String],
    /// Numbers by which all outputs are derived, row by row.
    pub sensitivities: &'a [String],
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

/// A run from time 0 in communication steps: [`new`](Master::new), [`start`](Master::start), [`advance`](Master::advance) while there is a
/// [`next`](Master::next) time, [`outcome`](Master::outcome).
pub struct Master<S> {
    slave: S,
    stop: f64,
    step: f64,
    /// Reached, s.
    time: f64,
    /// Steps that are behind it.
    count: usize,
    set: Given,
    recorder: Recorder,
    camera: Camera,
    is_filmed: bool,
    /// Numbers by which all outputs are derived, and from the start on the derivatives.
    sensitivities: Vec<String>,
    derivatives: Option<Derivatives>,
    /// What there was to warn of at the start.
    of_start: Vec<String>,
    news: Vec<String>,
    failure: Option<anyhow::Error>,
}

impl<S: DerefMut<Target = dyn Slave>> Master<S> {
    /// A run of a slave before its initialization.
    ///
    /// # Errors
    /// Where a name is none of a variable that can be set, its value is of another type, or the film cannot be taken.
    pub fn new(slave: S, description: &Description, task: &Task<'_>) -> Result<Master<S>> {
        let outputs: Vec<&Variable> =
            description.with_causality("output").filter(|v| v.kind.is_number()).collect();
        let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        let recorded = chosen("--outputs", "output", task.outputs, &names)?;
        let outputs: Vec<&Variable> = recorded.into_iter().map(|k| outputs[k]).collect();
        let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        Ok(Master {
            slave,
            stop: task.stop,
            step: task.step,
            time: 0.0,
            count: 0,
            set: given(description, task.set)?,
            recorder: Recorder::of(&outputs),
            sensitivities: task.sensitivities.to_vec(),
            derivatives: None,
            camera: Camera::new([task.stop, task.step], &names, &task.wishes)?,
            is_filmed: task.film,
            of_start: Vec::new(),
            news: Vec::new(),
            failure: None,
        })
    }

    /// Initializes the slave, its `inputs` included, and records the first row.
    ///
    /// # Errors
    /// When it cannot start; [`news`](Master::news) may say why.
    pub fn start(&mut self, inputs: &Given) -> Result<()> {
        set(&mut *self.slave, &self.set)?;
        set(&mut *self.slave, inputs)?;
        let started = self.slave.begin(self.stop).and_then(|()| self.slave.start());
        self.hear();
        started.inspect_err(|_| self.ask())?;
        if let Some((built, state)) = self.slave.mechanism() {
            self.of_start = warnings::of_run(&built.system, state);
            let off = built.system.model().switched_off();
            self.recorder.results.off.extend(off.map(str::to_owned));
        }
        if !self.sensitivities.is_empty() {
            let derivatives = Derivatives::of(
                &self.sensitivities,
                &*self.slave,
                &self.set,
                &self.recorder.results.columns,
            )?;
            self.recorder.results.columns.extend(derivatives.columns());
            self.derivatives = Some(derivatives);
        }
        self.record(0.0)?;
        self.look(0.0, false);
        Ok(())
    }

    /// A row of where the slave is.
    fn record(&mut self, time: f64) -> Result<()> {
        let derivatives = self.derivatives.as_ref().map(Derivatives::row);
        self.recorder.record(&mut *self.slave, time, derivatives.into_iter().flatten())
    }

    /// End of the next step, s; none at the end of the run, or behind a failure.
    pub fn next(&self) -> Option<f64> {
        let goes_on = self.failure.is_none() && self.time < self.stop && !self.is_last(self.time);
        // Multiples of the step, not sums, as FMPy counts them too.
        goes_on.then(|| ((self.count + 1) as f64 * self.step).min(self.stop))
    }

    /// One communication step with these `inputs`, where there is a next one. A run that fails keeps its rows; see [`Outcome`].
    ///
    /// # Errors
    /// When outputs cannot be read.
    pub fn advance(&mut self, inputs: &Given) -> Result<()> {
        let Some(next) = self.next() else {
            return Ok(());
        };
        self.count += 1;
        let time = self.time;
        let given = set(&mut *self.slave, inputs);
        if let Some(derivatives) = &mut self.derivatives {
            derivatives.before(&*self.slave, time);
        }
        let result = given.and_then(|()| self.slave.step(time, next - time));
        self.hear();
        match result {
            Ok(()) => {
                self.time = next;
                self.derive(next);
                self.record(next)?;
                self.look(next, self.is_last(next));
            }
            Err(error) => {
                let reached = self.slave.time();
                if reached > time {
                    // The derivatives end where the run does.
                    self.derive(next);
                    self.record(reached)?;
                    self.look(reached, true);
                }
                self.ask();
                self.failure = Some(error);
            }
        }
        Ok(())
    }

    fn derive(&mut self, next: f64) {
        if let Some(derivatives) = &mut self.derivatives {
            derivatives.advance(next);
        }
    }

    /// Ends the run before its end, for this reason.
    pub fn end(&mut self, reason: anyhow::Error) {
        self.failure = Some(reason);
    }

    /// What there is to warn of since this was last asked.
    pub fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }

    /// Reached, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The model inside the slave, where it shows it.
    pub fn model(&self) -> Option<&Model> {
        self.slave.model()
    }

    /// The rows so far.
    pub fn results(&self) -> &Results {
        &self.recorder.results
    }

    /// The film so far.
    pub fn film(&self) -> Option<&Film> {
        self.camera.so_far()
    }

    /// Why the run ended early, if it did.
    pub fn failure(&self) -> Option<&anyhow::Error> {
        self.failure.as_ref()
    }

    /// Warns of what the whole run has shown, and ends the slave.
    ///
    /// # Errors
    /// When it does not end.
    pub fn close(&mut self) -> Result<()> {
        if let Some((built, state)) = self.slave.mechanism() {
            let when = format!("at t = {} s", rounded(state.time, 9));
            let patches = warnings::small_patches(&built.system, state, &when);
            self.news.append(&mut self.of_start);
            self.news.extend(patches);
        }
        self.news.extend(self.derivatives.iter().flat_map(Derivatives::warnings));
        if self.failure.is_none() {
            self.slave.terminate()?;
        }
        self.hear();
        Ok(())
    }

    /// What is left of the run.
    pub fn outcome(self) -> Outcome {
        let solver = self.slave.mechanism().map(|(built, _)| &built.system.model().solver);
        let steps = match solver.map(|solver| (solver.step, solver.tolerance)) {
            None => Steps::Unknown,
            Some((_, Some(_))) => Steps::Chosen,
            Some((solver, None)) => Steps::Of(solver),
        };
        let Master { recorder, camera, failure, step, .. } = self;
        Outcome { results: recorder.results, film: camera.film(), failure, step, steps }
    }

    fn is_last(&self, time: f64) -> bool {
        time >= self.stop || close(time, self.stop)
    }

    fn look(&mut self, time: f64, last: bool) {
        if self.is_filmed {
            self.camera.look(&*self.slave, self.count, &self.recorder.row, time, last);
        }
    }

    /// Takes what the slave has warned of.
    fn hear(&mut self) {
        self.news.extend(self.slave.warnings());
    }

    /// Numbers in other units may be why it fails.
    fn ask(&mut self) {
        let checked = self.slave.model().and_then(|model| model.check().ok());
        self.news.extend(checked.iter().flat_map(warnings::of_units));
    }
}

/// End and communication step of a run, s, with the description's own where none is asked for.
///
/// # Errors
/// For times that make no run.
pub fn times(description: &Description, [stop, step]: [Option<f64>; 2]) -> Result<[f64; 2]> {
    let stop = stop.or(description.stop_time).unwrap_or(1.0);
    let step = step.or(description.step_size).unwrap_or(stop / 500.0);
    for (option, value) in [("--stop", stop), ("--step", step)] {
        if !(value.is_finite() && value > 0.0) {
            let value = figure(value);
            bail!("{option} {value}; allowed: a finite number of seconds above 0");
        }
    }
    if stop / step > 1e8 {
        bail!(
            "--stop {} with --step {} makes more than 1e8 rows; take a longer --step",
            figure(stop),
            figure(step)
        );
    }
    Ok([stop, step])
}

/// The variables of names with their values.
///
/// # Errors
/// Where a name is none of a variable that can be set, or its value is of another type.
pub fn given(description: &Description, values: &[Value]) -> Result<Given> {
    let of = |(name, value): &Value| {
        let variable = description.settable(name)?;
        check_type(variable, *value)?;
        Ok((variable.clone(), *value))
    };
    values.iter().map(of).collect()
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

fn set(slave: &mut dyn Slave, values: &Given) -> Result<()> {
    let mut each = values.iter();
    each.try_for_each(|(v, value)| slave.set(v.kind, &[v.reference], &[*value]))
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
        Kind::Integer | Kind::Long | Kind::Size
            if value != value.round() || value.abs() > f64::from(i32::MAX) =>
        {
            bail!("`{name}` set to {value}; allowed: whole numbers")
        }
        Kind::Text | Kind::Other => bail!("`{name}` is no single number; allowed: numbers only"),
        _ => Ok(()),
    }
}

/// Two times that differ by rounding only.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Reads the outputs of a slave, type by type, into rows.
struct Recorder {
    results: Results,
    groups: Vec<Group>,
    row: Vec<f64>,
}

/// Outputs of one type.
struct Group {
    kind: Kind,
    /// Value references of scalars and of whole arrays.
    references: Vec<u32>,
    /// Numbers that are read of these.
    values: Vec<f64>,
    /// The column of each output, with its place among the numbers.
    columns: Vec<(usize, usize)>,
}

impl Group {
    fn of(kind: Kind, outputs: &[&Variable]) -> Group {
        let (mut references, mut columns, mut count) = (Vec::new(), Vec::new(), 0);
        let mut arrays = HashMap::new();
        for (column, output) in outputs.iter().enumerate().filter(|(_, output)| output.kind == kind)
        {
            let Element { at, of } = output.element.unwrap_or(Element { at: 0, of: 1 });
            let mut first = || {
                references.push(output.reference);
                count += of;
                count - of
            };
            let first = match output.element {
                None => first(),
                Some(_) => *arrays.entry(output.reference).or_insert_with(first),
            };
            columns.push((column, first + at));
        }
        Group { kind, references, values: vec![0.0; count], columns }
    }
}

impl Recorder {
    fn of(outputs: &[&Variable]) -> Recorder {
        let kinds = [Kind::Real, Kind::Integer, Kind::Long, Kind::Boolean];
        let groups = kinds.map(|kind| Group::of(kind, outputs));
        Recorder {
            results: Results::of(outputs),
            groups: groups.into_iter().filter(|group| !group.columns.is_empty()).collect(),
            row: vec![0.0; outputs.len()],
        }
    }

    fn record(
        &mut self, slave: &mut dyn Slave, time: f64, more: impl Iterator<Item = f64>,
    ) -> Result<()> {
        for Group { kind, references, values, columns } in &mut self.groups {
            slave
                .get(*kind, references, values)
                .with_context(|| format!("at t = {} s", rounded(time, 10)))?;
            for &(column, place) in columns.iter() {
                self.row[column] = values[place];
            }
        }
        let row: Vec<f64> = self.row.iter().copied().chain(more).collect();
        self.results.push(time, &row);
        Ok(())
    }
}
