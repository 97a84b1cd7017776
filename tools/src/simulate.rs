//! `coulisse run`: one run with its files, pages and pictures, or many of them in one table.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use coulisse::message::{figure, rounded};

use crate::extremes::unresolved;
use crate::run::{self, Outcome, Settings, Source, Steps};
use crate::signals::Signals;
use crate::{assignment, decimal, files, page, pictures, plot, print, results, sweep, vtk, whole};

/// What shows one run, and no list of them.
const OF_ONE_RUN: [&str; 13] = [
    "html",
    "over",
    "vtk",
    "frames",
    "svg",
    "png",
    "at",
    "gif",
    "mp4",
    "plot",
    "exaggerate",
    "follow",
    "width",
];

/// What `coulisse run` is asked for.
#[derive(clap::Args)]
pub struct Request {
    /// Model files (TOML) or FMUs.
    #[arg(required = true)]
    subjects: Vec<PathBuf>,
    /// Run once for each row: CSV whose first row names numbers as --set does.
    #[arg(long, value_name = "CSV", conflicts_with_all = OF_ONE_RUN)]
    list: Option<PathBuf>,
    /// Run with this many sets of random seeds, the first those of the file.
    #[arg(long, value_name = "N", conflicts_with_all = OF_ONE_RUN, allow_hyphen_values = true, value_parser = whole)]
    seeds: Option<usize>,
    /// Write statistics here, as CSV or as a workbook (.xlsx). Of one run: the smallest, the largest and the last value of each output,
    /// its peak-to-peak value, mean frequency, and mean and standard deviation over time. Of a study: mean, standard deviation and
    /// quantiles of these over its runs.
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Set a parameter or an input, or any number of a model file, to a number or an expression of numbers such as 300*2*pi/60; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// Derive every output by this parameter, input or number of the model file, row by row, into columns d(OUTPUT)/d(NAME); may be repeated.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["list", "seeds"])]
    sensitivity: Vec<String>,
    /// Inputs over time: CSV with a column `time` and one for each input, straight between rows;
    /// two rows of one time are a jump.
    #[arg(long, value_name = "CSV")]
    inputs: Option<PathBuf>,
    /// End of the simulation, s; the model's own unless given.
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = decimal)]
    stop: Option<f64>,
    /// Communication step, s; the model's own unless given.
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = decimal)]
    step: Option<f64>,
    /// Smallest and largest values, and statistics, are those from this time on, s: without a transient.
    #[arg(
        long,
        value_name = "T",
        default_value_t = 0.0,
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    from: f64,
    /// Show and write these outputs only, separated by commas, also those of a model file that its interface does not list; a name that
    /// ends in * stands for all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    outputs: Vec<String>,
    /// Write all outputs here: as arrays of numpy (.npz), as the trajectories of OpenModelica and
    /// Dymola (.mat), for pandas and data bases (.parquet), as a workbook (.xlsx), or as CSV.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write units behind the names in the headings of CSV: `points.A.x [m]`.
    #[arg(long, requires = "output")]
    units: bool,
    /// Write one self-contained page here: the mechanism in motion, and curves of all outputs
    /// that are linked to it. An FMU gives curves only.
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,
    /// Write the film of a model file into this folder for ParaView: NAME.pvd and a file for
    /// each frame.
    #[arg(long, value_name = "FOLDER")]
    vtk: Option<PathBuf>,
    /// Frames of page and film; default: at most 600.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    frames: Option<usize>,
    #[command(flatten)]
    pictures: pictures::Pictures,
    #[command(flatten)]
    plot: plot::Plots,
}

impl Request {
    /// Runs one model, or all of a list.
    ///
    /// # Errors
    /// When a file or a value is not allowed, a model has faults, or a run ends early.
    pub fn perform(self) -> Result<()> {
        let read = self.subjects.iter().chain(&self.inputs).chain(&self.list);
        let read: Vec<&Path> = read.map(PathBuf::as_path).collect();
        self.pictures.check()?;
        let plotted = self.plot.file();
        let written = [&self.output, &self.html, &plotted, &self.statistics].into_iter().flatten();
        files::may_write(written.chain(self.pictures.files()), &read)?;
        let drawn = self.pictures.files().next().is_some();
        if let Some(statistics) = &self.statistics {
            sweep::may_be_written(statistics)?;
        }
        if let Some(output) = &self.output {
            results::Results::may_be_written(output)?;
        }
        let settings = Settings {
            set: self.set,
            signals: (self.inputs.as_deref()).map(Signals::read).transpose()?,
            stop: self.stop,
            step: self.step,
            film: self.html.is_some() || self.vtk.is_some() || drawn,
            frames: self.frames,
            at: self.pictures.at.clone(),
            from: self.from,
            outputs: self.outputs,
            sensitivities: self.sensitivity,
            quiet: false,
        };
        let shown = self.html.is_some() || self.vtk.is_some() || drawn || plotted.is_some();
        match (&self.subjects[..], &self.list, self.seeds) {
            ([subject], None, None) => {
                let views = Views {
                    rows: self.output.as_deref(),
                    units: self.units,
                    statistics: self.statistics.as_deref(),
                    html: self.html.as_deref(),
                    vtk: self.vtk.as_deref(),
                    pictures: &self.pictures,
                    plot: &self.plot,
                };
                simulate(subject, settings, &views)
            }
            _ if !settings.sensitivities.is_empty() => {
                bail!("--sensitivity is of one run; allowed: one model without a list or seeds")
            }
            _ if shown => {
                bail!("pages and pictures show one run; allowed: one model without a list or seeds")
            }
            _ => {
                let sweep = sweep::Sweep {
                    subjects: &self.subjects,
                    list: self.list.as_deref(),
                    seeds: self.seeds,
                    output: self.output.as_deref(),
                    units: self.units,
                    statistics: self.statistics.as_deref(),
                };
                sweep::perform(&sweep, &settings)
            }
        }
    }
}

/// What a run leaves behind.
pub struct Views<'a> {
    pub rows: Option<&'a Path>,
    /// Whether the headings of CSV have units.
    pub units: bool,
    /// Where the statistics of each output go.
    pub statistics: Option<&'a Path>,
    pub html: Option<&'a Path>,
    pub vtk: Option<&'a Path>,
    pub pictures: &'a pictures::Pictures,
    pub plot: &'a plot::Plots,
}

/// Runs a model and writes what is wanted of the run.
///
/// # Errors
/// When it cannot begin, or ends early; its rows up to there are kept.
pub fn simulate(path: &Path, mut settings: Settings, views: &Views) -> Result<()> {
    let Views { rows: written, units, statistics, html, vtk, pictures, plot } = *views;
    if run::is_fmu(path) && (vtk.is_some() || pictures.files().next().is_some()) {
        bail!(
            "{}: an FMU does not show its inside; pictures and --vtk take a model file (TOML)",
            path.display()
        );
    }
    if let Some(folder) = vtk {
        files::may_write_folder(folder, &vtk::ENDINGS)?;
    }
    if pictures.asks_of_model() {
        pictures.check_model(run::load(path)?.checked())?;
    }
    let (mut subject, set) = Source::open(path, &settings.outputs)?.subject(settings.set)?;
    settings.set = set;
    let from = settings.from;
    let outputs = subject.description.with_causality("output").map(|v| v.name.as_str());
    plot.check(outputs)?;
    let begin = Instant::now();
    let outcome = subject.run(&settings)?;
    let taken = begin.elapsed().as_secs_f64();
    let results = &outcome.results;
    if let Some(path) = written {
        results.write(path, units)?;
    }
    if let Some(path) = statistics {
        sweep::write_statistics(results, from, path, units)?;
    }
    if let Some(html) = html {
        let panels: Vec<usize> = (0..results.columns.len()).collect();
        let name = &subject.description.model_name;
        let (text, loops) = (&subject.description.text, plot.loops(results));
        let page = page::page(name, text, results, &loops, &panels, outcome.film.as_ref())?;
        files::write(html, page.as_bytes())?;
    }
    if let (Some(folder), Some(film)) = (vtk, &outcome.film) {
        vtk::write(folder, &subject.description.model_identifier, film)?;
    }
    plot.draw(results, &subject.description.model_name)?;
    let mut drawn = String::new();
    if let Some(film) = &outcome.film {
        drawn = pictures.draw(film, &subject.description.model_name)?;
    }
    let (rows, columns) = (results.times.len(), results.columns.len());
    let shown = match written {
        Some(file) if columns == 0 => {
            format!("{}: {rows} rows, {}", file.display(), results::NO_OUTPUTS)
        }
        Some(file) => {
            let written = format!("{}: {rows} rows, {columns} outputs", file.display());
            format!("{written}\n{}", results.summary(from))
        }
        None => results.summary(from),
    };
    let shown = shown + &extremes(&outcome, from);
    let end = results.times.last().copied().unwrap_or(0.0);
    let [end, taken, factor] = [rounded(end, 9), rounded(taken, 2), rounded(end / taken, 2)];
    print(&format!("{shown}\n{drawn}{end} s simulated in {taken} s: {factor} times real time"))?;
    match outcome.failure {
        None => Ok(()),
        Some(error) => Err(error).with_context(|| {
            let last = results.times.last().copied().unwrap_or(0.0);
            let last = rounded(last, 10);
            match written {
                Some(file) => format!(
                    "the run ended early; the rows up to t = {last} s are kept in {}",
                    file.display()
                ),
                None => {
                    format!("the run ended early; the table above is of the time up to {last} s")
                }
            }
        }),
    }
}

/// So many outputs are named whose peaks may be larger than shown.
const MOST_PEAKS: usize = 3;
/// A communication step so many times shorter shows seven rows a period what had five.
const FINER: f64 = 5.0;

/// At which points the extremes of a run are taken, and which of them a shorter communication step may change.
fn extremes(outcome: &Outcome, from: f64) -> String {
    let (results, step) = (&outcome.results, outcome.step);
    if results.columns.is_empty() {
        return String::new();
    }
    let points = results.times.iter().filter(|time| **time >= from).count();
    let since = match from {
        0.0 => String::new(),
        from => format!(" from t = {} s on", figure(from)),
    };
    let steps = match outcome.steps {
        Steps::Unknown => String::new(),
        Steps::Chosen => "; the solver chooses its steps".to_owned(),
        Steps::Of(solver) if solver >= step => String::new(),
        Steps::Of(solver) => format!("; solver steps are {} s", rounded(solver, 3)),
    };
    let mut text = format!(
        "\nextremes at {points} communication points of {} s{since}{steps}",
        rounded(step, 6)
    );
    let (coarse, shorter) = match outcome.steps {
        Steps::Of(solver) if solver >= step => return text,
        Steps::Of(solver) => (unresolved(results, from), (step / FINER).max(solver)),
        Steps::Unknown | Steps::Chosen => (unresolved(results, from), step / FINER),
    };
    let shown = coarse.iter().take(MOST_PEAKS);
    let mut shown: Vec<String> =
        shown.map(|(name, at)| format!("`{name}` near t = {} s", rounded(*at, 6))).collect();
    if coarse.len() > MOST_PEAKS {
        shown.push(format!("{} others", coarse.len() - MOST_PEAKS));
    }
    if !shown.is_empty() {
        text += &format!(
            "\npeaks may lie between these points: {}; run with --step {} to see them",
            shown.join(", "),
            rounded(shorter, 3)
        );
    }
    text
}
