//! The coulisse command: check, pack, run, describe and demo models; look at friction laws.

mod animation;
mod archive;
mod check;
mod columns;
mod converge;
mod date;
mod demo;
mod describe;
mod description;
mod documentation;
mod drawing;
mod files;
mod film;
mod friction;
mod host;
mod interrupt;
mod inventory;
mod library;
mod mesh;
mod modes;
mod new;
mod number;
mod outline;
mod page;
mod pictures;
mod plot;
mod profile;
mod record;
mod reference;
mod report;
mod results;
mod rows;
mod run;
mod schema;
mod several;
mod signals;
mod sliding;
mod ssp;
mod statics;
mod svg;
mod sweep;
mod table;
mod template;
mod verdict;
mod vtk;
mod warnings;
mod watch;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use coulisse::message::rounded;

use interrupt::Interrupted;
use library::{Libraries, Wanted};
use report::To;
use run::{Settings, Subject};
use signals::Signals;

/// Planar mechanisms with flexible members, sliding joints and friction, as FMUs.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

/// What shows one run, and no list of them.
const OF_ONE_RUN: [&str; 12] = [
    "html",
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

#[derive(Subcommand)]
enum Task {
    /// Check a model file, or an FMU of any tool, and print every fault in it.
    Check {
        /// Model file (TOML) or FMU.
        subject: PathBuf,
        /// How findings are printed.
        #[arg(long, value_enum, default_value_t = verdict::Format::Text)]
        format: verdict::Format,
        /// Run the experiments that an FMU brings along, and compare their results.
        #[arg(long, conflicts_with = "watch")]
        run: bool,
        /// Check again at every save of the file or its data files, until Ctrl-C.
        #[arg(long)]
        watch: bool,
        /// With --watch: run the model whenever it has no fault, and write the page of the run here.
        #[arg(long, value_name = "HTML", requires = "watch")]
        html: Option<PathBuf>,
    },
    /// Make an FMU of a model file.
    Pack {
        /// Model file (TOML).
        model: PathBuf,
        /// The FMU; NAME.fmu in the current folder unless given.
        #[arg(short, long, value_name = "FMU")]
        output: Option<PathBuf>,
        /// Library to put in, instead of that of this build and those known to it; once for each
        /// platform.
        #[arg(long, value_name = "FILE")]
        library: Vec<PathBuf>,
        /// Put in the library of this build alone, whatever glibc it wants: for machines like that which
        /// built this command.
        #[arg(long, conflicts_with = "library")]
        native: bool,
        /// Date of generation to write into the FMU, like 2024-02-29T12:00:00Z; that of
        /// SOURCE_DATE_EPOCH where it is set, or none.
        #[arg(long, value_name = "DATE")]
        date: Option<String>,
        /// Write the FMU within an SSP, a system of its own, for OMEdit and other tools that begin with
        /// systems: NAME.ssp in the current folder unless --output is given.
        #[arg(long)]
        ssp: bool,
        /// Put results of the default run in, with which a host can check itself (FMI-LS-REF).
        #[arg(long)]
        reference: bool,
    },
    /// Simulate a model file or an FMU; with several, a list or seeds, run them all and make one table.
    Run {
        /// Model files (TOML) or FMUs.
        #[arg(required = true)]
        subjects: Vec<PathBuf>,
        /// Run once for each row: CSV whose first row names numbers as --set does.
        #[arg(long, value_name = "CSV", conflicts_with_all = OF_ONE_RUN)]
        list: Option<PathBuf>,
        /// Run with this many seeds of everything random, those of the file and others.
        #[arg(long, value_name = "N", conflicts_with_all = OF_ONE_RUN, allow_negative_numbers = true, value_parser = whole)]
        seeds: Option<usize>,
        /// Give a parameter, an input or, of a model file, any other number this value; may be repeated.
        #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
        set: Vec<(String, f64)>,
        /// Inputs over time: CSV with a column `time` and one for each input, straight between rows;
        /// two rows of one time are a jump.
        #[arg(long, value_name = "CSV")]
        inputs: Option<PathBuf>,
        /// End of the simulation, s; the model's own unless given.
        #[arg(long, value_name = "T", allow_negative_numbers = true)]
        stop: Option<f64>,
        /// Communication step, s; the model's own unless given.
        #[arg(long, value_name = "H", allow_negative_numbers = true)]
        step: Option<f64>,
        /// Write all outputs here: as arrays of numpy (.npz), as the trajectories of OpenModelica and
        /// Dymola (.mat), for pandas and data bases (.parquet), or as CSV.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Write one self-contained page here: the mechanism in motion, and curves of all outputs
        /// that are linked to it. An FMU gives curves only.
        #[arg(long, value_name = "HTML")]
        html: Option<PathBuf>,
        /// Write the film of a model file into this folder for ParaView: NAME.pvd and a file for
        /// each frame.
        #[arg(long, value_name = "FOLDER")]
        vtk: Option<PathBuf>,
        /// Frames of page and film; default: at most 600.
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole)]
        frames: Option<usize>,
        #[command(flatten)]
        pictures: pictures::Pictures,
        #[command(flatten)]
        plot: plot::Plots,
    },
    /// Study how results converge with step size and mesh.
    Converge(converge::Request),
    /// Print the variables of a model file or an FMU, and what the mechanism consists of.
    Describe {
        /// Model file (TOML) or FMU.
        subject: PathBuf,
        /// Also print this many natural frequencies of the start, motions fixed, without friction.
        #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole)]
        modes: usize,
    },
    /// Print and draw a friction law: its force, its loop and its equivalent damping.
    Friction(friction::Request),
    /// Print sizes, quality and masses of the triangles of bodies; draw and write them.
    Mesh(mesh::Request),
    /// Print, draw and animate natural frequencies and shapes.
    Modes(modes::Request),
    /// Write a commented model to begin with, and the schema for the editor.
    New(new::Request),
    /// Print and draw the rough surface of a joint's path, and its spectrum against the target.
    Profile(profile::Request),
    /// Print and draw a record of ground motion: units, peaks, drift, before and after its baseline.
    Record(record::Request),
    /// Print the JSON Schema of the model file, with which editors complete and check it.
    Schema(schema::Request),
    /// Compute how surfaces slide in their guides, and whether they jam.
    Sliding(sliding::Request),
    /// Follow static equilibria through limit and bifurcation points, with their stability.
    Static(statics::Request),
    /// Pack the bundled quick-return mechanism, co-simulate the FMU, show motion and curves.
    Demo {
        /// Folder for the FMU, the CSV file and the page.
        #[arg(long, value_name = "FOLDER", default_value = "target/demo")]
        out: PathBuf,
    },
}

fn main() -> ExitCode {
    match perform(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", report::error(&error, To::Stderr));
            match error.downcast_ref::<Interrupted>() {
                Some(interrupted) => interrupted.status().into(),
                None => ExitCode::FAILURE,
            }
        }
    }
}

fn perform(task: Task) -> Result<()> {
    match task {
        Task::Check { subject, format, run, watch, html } => {
            files::may_write(&html, &[&subject])?;
            if watch {
                return watch::perform(&subject, format, html.as_deref());
            }
            if run && !run::is_fmu(&subject) {
                bail!("{}: a model file; --run takes an FMU", subject.display());
            }
            verdict::perform(&subject, format, run)
        }
        Task::Pack { model, output, library, native, date, ssp, reference } => {
            let libraries = match native {
                true => Wanted::Native,
                false if library.is_empty() => Wanted::Portable,
                false => Wanted::Files(library),
            };
            let wishes = Wishes { ssp, reference };
            pack(&model, output, &libraries, date.as_deref(), &wishes)
        }
        Task::Run {
            subjects,
            list,
            seeds,
            set,
            inputs,
            stop,
            step,
            output,
            html,
            vtk,
            frames,
            pictures,
            plot,
        } => {
            let read = subjects.iter().chain(&inputs).chain(&list);
            let read: Vec<&Path> = read.map(PathBuf::as_path).collect();
            pictures.check()?;
            let plotted = plot.file();
            let written = [&output, &html, &plotted].into_iter().flatten();
            files::may_write(written.chain(pictures.files()), &read)?;
            let drawn = pictures.files().next().is_some();
            if let Some(output) = &output {
                results::Results::may_be_written(output)?;
            }
            let settings = Settings {
                set,
                signals: (inputs.as_deref()).map(Signals::read).transpose()?,
                stop,
                step,
                film: html.is_some() || vtk.is_some() || drawn,
                frames,
                at: pictures.at,
                quiet: false,
            };
            let files = Files {
                rows: output.as_deref(),
                html: html.as_deref(),
                vtk: vtk.as_deref(),
                pictures: &pictures,
                plot: &plot,
            };
            match (&subjects[..], &list, seeds) {
                ([subject], None, None) => simulate(subject, settings, &files),
                _ if html.is_some() || vtk.is_some() || drawn || plotted.is_some() => {
                    bail!(
                        "pages and pictures show one run; allowed: one model without a list or seeds"
                    )
                }
                _ => {
                    let sweep = sweep::Sweep {
                        subjects: &subjects,
                        list: list.as_deref(),
                        seeds,
                        output: output.as_deref(),
                    };
                    sweep::perform(&sweep, &settings)
                }
            }
        }
        Task::Converge(request) => converge::perform(&request),
        Task::Describe { subject, modes } => print(&describe::text(&subject, modes)?),
        Task::Friction(request) => friction::perform(&request),
        Task::Mesh(request) => mesh::perform(&request),
        Task::Modes(request) => modes::perform(&request),
        Task::New(request) => new::perform(&request),
        Task::Profile(request) => profile::perform(&request),
        Task::Schema(request) => schema::perform(&request),
        Task::Sliding(request) => sliding::perform(&request),
        Task::Static(request) => statics::perform(&request),
        Task::Record(request) => record::perform(&request),
        Task::Demo { out } => demo::run(&out),
    }
}

/// Prints to the terminal or a pipe. A reader that has seen enough, as `head`, is no failure.
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot print the result")
        }
        _ => Ok(()),
    }
}

/// What goes beyond a plain FMU.
struct Wishes {
    ssp: bool,
    reference: bool,
}

fn pack(
    path: &Path, output: Option<PathBuf>, libraries: &Wanted, date: Option<&str>, wishes: &Wishes,
) -> Result<()> {
    if run::is_fmu(path) {
        bail!("{}: an FMU; allowed: a model file (TOML)", path.display());
    }
    files::may_write(&output, &[path])?;
    let blueprint = run::load(path)?;
    let libraries = Libraries::of(libraries)?;
    let date = date::of_generation(date)?;
    let name = &blueprint.checked().name;
    let extra = match wishes.reference {
        true => reference::files(run::load(path)?)?,
        false => Vec::new(),
    };
    let mut bytes = archive::pack(&blueprint, &libraries.inside, date.as_deref(), &extra)?;
    if wishes.ssp {
        let description = blueprint.description(date.as_deref())?;
        bytes = ssp::pack(name, &bytes, &description)?;
    }
    let ending = if wishes.ssp { "ssp" } else { "fmu" };
    let output = output.unwrap_or_else(|| PathBuf::from(format!("{name}.{ending}")));
    files::write(&output, &bytes)?;
    let size = bytes.len().div_ceil(1000);
    print(&format!("{}: {size} kB, for {}", output.display(), libraries.told()))
}

/// What a run leaves behind.
struct Files<'a> {
    rows: Option<&'a Path>,
    html: Option<&'a Path>,
    vtk: Option<&'a Path>,
    pictures: &'a pictures::Pictures,
    plot: &'a plot::Plots,
}

fn simulate(path: &Path, mut settings: Settings, files: &Files) -> Result<()> {
    let Files { rows: written, html, vtk, pictures, plot } = *files;
    if run::is_fmu(path) && (vtk.is_some() || pictures.files().next().is_some()) {
        bail!(
            "{}: an FMU does not show its inside; pictures and --vtk take a model file (TOML)",
            path.display()
        );
    }
    if let Some(folder) = vtk {
        files::may_write_folder(folder, &vtk::ENDINGS)?;
    }
    if pictures.follows() {
        pictures.followed(run::load(path)?.checked())?;
    }
    let (mut subject, set) = Subject::open_with(path, settings.set)?;
    settings.set = set;
    let outputs = subject.description.with_causality("output").map(|v| v.name.as_str());
    plot.check(outputs)?;
    let begin = std::time::Instant::now();
    let outcome = subject.run(&settings)?;
    let taken = begin.elapsed().as_secs_f64();
    let results = &outcome.results;
    if let Some(path) = written {
        results.write(path)?;
    }
    if let Some(html) = html {
        let panels: Vec<usize> = (0..results.columns.len()).collect();
        let name = &subject.description.model_name;
        let page =
            page::page(name, &subject.description.text, results, &panels, outcome.film.as_ref())?;
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
        Some(file) => {
            let outputs = match columns {
                0 => results::NO_OUTPUTS.to_owned(),
                _ => format!("{columns} outputs"),
            };
            format!("{}: {rows} rows, {outputs}", file.display())
        }
        None => results.summary(),
    };
    let end = results.times.last().copied().unwrap_or(0.0);
    let [end, taken, factor] = [rounded(end, 9), rounded(taken, 2), rounded(end / taken, 2)];
    print(&format!("{shown}\n{drawn}{end} s in {taken} s of computing: {factor} times real time"))?;
    match outcome.failure {
        None => Ok(()),
        Some(error) => Err(error).with_context(|| {
            let last = results.times.last().copied().unwrap_or(0.0);
            let last = rounded(last, 10);
            format!("the run ended early; the rows up to t = {last} s are kept")
        }),
    }
}

/// A whole number of the command line.
fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no whole number from 0 on"))
}

fn assignment(text: &str) -> Result<(String, f64), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("`{text}`; allowed: NAME=VALUE"))?;
    let value = match value.trim() {
        "true" => 1.0,
        "false" => 0.0,
        number => number.parse().map_err(|_| format!("`{number}` is not a number"))?,
    };
    Ok((name.trim().to_owned(), value))
}
