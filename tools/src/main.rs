//! The coulisse command: check, pack, run, describe and demo models; look at friction laws.

mod check;
mod columns;
mod converge;
mod date;
mod demo;
mod describe;
mod fit;
mod friction;
mod help;
mod interrupt;
mod libraries;
mod linear;
mod loaded;
mod mesh;
mod modes;
mod new;
mod pictures;
mod plot;
mod png;
mod profile;
mod record;
mod reference;
mod report;
mod run;
mod several;
mod signals;
mod simulate;
mod sliding;
mod ssp;
mod state;
mod statics;
mod statistics;
mod studio;
mod sweep;
mod trial;
mod unpacked;
mod verdict;
mod vtk;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Parser, Subcommand};
use coulisse::fmu::Blueprint;
use coulisse::model::{Model, scalar};

// What the studio has too. The modules of the command name it as they name each other.
use coulisse_tools::{
    animation, archive, bundled, component, convergence, description, drawing, equilibria,
    extremes, files, film, findings, ground, host, inventory, jamming, law, library, master,
    motion, number, numpy, page, print, results, rows, schema, shapes, svg, table, template, xlsx,
};
use interrupt::Interrupted;
use number::whole;
use report::To;

/// Planar mechanisms with flexible members, sliding joints and friction, as FMUs.
#[derive(Parser)]
#[command(
    name = "coulisse",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check a model file, or an FMU of any tool, and print every fault in it.
    Check {
        /// Model file (TOML) or FMU.
        subject: PathBuf,
        /// Check with another value of a number of the model file (parameters.span=12); may be repeated.
        #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
        set: Vec<(String, f64)>,
        /// How findings are printed.
        #[arg(long, value_enum, default_value_t = verdict::Format::Text)]
        format: verdict::Format,
        /// Run the experiments that an FMU brings along, and compare their results; one without any starts, takes a step and
        /// restores a saved state.
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
        /// The FMU; named like the model file, with the ending .fmu, in the current folder unless given.
        #[arg(short, long, value_name = "FMU")]
        output: Option<PathBuf>,
        /// Write another value of a number, also of one that is no parameter (members.beam.elements=16), into the packed model file;
        /// may be repeated.
        #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
        set: Vec<(String, f64)>,
        #[command(flatten)]
        libraries: libraries::Choice,
        /// Date of generation to write into the FMU, like 2024-02-29T12:00:00Z; that of
        /// SOURCE_DATE_EPOCH where it is set, or none.
        #[arg(long, value_name = "DATE")]
        date: Option<String>,
        /// Write the FMU within an SSP, a system of its own, for OMEdit and other tools that begin with
        /// systems: the ending is .ssp unless --output is given.
        #[arg(long)]
        ssp: bool,
        /// Add results of the default run, with which a host can check itself (FMI-LS-REF).
        #[arg(long)]
        reference: bool,
        #[command(flatten)]
        listed: Listed,
    },
    /// Simulate a model file or an FMU; with several, a list or seeds, run them all and make one table.
    Run(Box<simulate::Request>),
    /// Print the columns of a data file: names, units and ranges in SI units.
    Columns(columns::Request),
    /// Study how results converge with step size and mesh.
    Converge(converge::Request),
    /// Print the variables of a model file or an FMU, and what the mechanism consists of.
    Describe {
        /// Model file (TOML) or FMU.
        subject: PathBuf,
        /// Also print this many natural frequencies of the start, motions fixed, without friction.
        #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = whole)]
        modes: usize,
    },
    /// Fit numbers of a model to measured data, with confidence intervals (needs Python with SciPy).
    Fit(fit::Request),
    /// Print and draw a friction law: its force, its loop and its equivalent damping.
    Friction(friction::Request),
    /// Linearise a mechanism about a state: A, B, C, D, poles and steady gains.
    Linearize(linear::Request),
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
    /// Make a linear model with fewer states, and state its error over a band of frequencies.
    Reduce(linear::reduce::Request),
    /// Print the JSON Schema of the model file, with which editors complete and check it.
    Schema(schema::Request),
    /// Compute and draw the frequency response of outputs by inputs (Bode, Nyquist).
    Response(linear::response::Request),
    /// Compute how surfaces slide in their guides, and whether they jam.
    Sliding(sliding::Request),
    /// Follow static equilibria of the displaced structure (second order) through limit and bifurcation points, with their stability.
    Static(statics::Request),
    /// Open the studio in a browser: write a model, see it drawn and move, take its FMU (needs a studio that is built).
    Studio(studio::Request),
    /// Print the help on a command, on a section or key of the model file, or on a word of other programs.
    Help {
        /// A command as `run`, a section as `springs`, a key as `springs.stop` or `restitution`, a word as `revolute` or `base shear`.
        topic: Vec<String>,
    },
    /// Pack the bundled quick-return mechanism, co-simulate the FMU, show motion and curves.
    Demo {
        /// Folder for the FMU, the CSV file and the page.
        #[arg(long, value_name = "FOLDER", default_value = "target/demo")]
        out: PathBuf,
    },
}

fn main() -> ExitCode {
    let command = Cli::try_parse().unwrap_or_else(|error| with_hints(error).exit());
    match perform(command.task) {
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

/// An error of the command line with the advice that fits: what the words of other programs are here, and nothing on `--`, behind which no
/// command has options.
fn with_hints(mut error: clap::Error) -> clap::Error {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => {
            let meanings = help::meanings(word);
            suggest(&mut error, meanings.into_iter().map(Into::into).collect());
        }
        (ErrorKind::UnknownArgument, _) => {
            let mut hints = match error.remove(ContextKind::Suggested) {
                Some(ContextValue::StyledStrs(hints)) => hints,
                _ => Vec::new(),
            };
            hints.retain(|hint| !hint.to_string().contains("as a value"));
            if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) {
                let word = option.trim_start_matches('-').split('=').next().unwrap_or_default();
                hints.extend(help::meanings(word).into_iter().map(Into::into));
            }
            suggest(&mut error, hints);
        }
        _ => {}
    }
    error
}

/// Adds `hints` to an error of the command line; none where there are none.
fn suggest(error: &mut clap::Error, hints: Vec<clap::builder::StyledStr>) {
    use clap::error::{ContextKind, ContextValue};
    if !hints.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(hints));
    }
}

fn perform(task: Task) -> Result<()> {
    match task {
        Task::Help { topic } => {
            let topic = topic.join(" ");
            help::perform(Some(topic.as_str()).filter(|topic| !topic.is_empty()))
        }
        Task::Check { subject, set, format, run, watch, html } => {
            files::may_write(&html, &[&subject])?;
            if !set.is_empty() && run::is_fmu(&subject) {
                bail!("{}: an FMU; --set takes a model file", subject.display());
            }
            if watch {
                return watch::perform(&subject, &set, format, html.as_deref());
            }
            if run && !run::is_fmu(&subject) {
                bail!("{}: a model file; --run takes an FMU", subject.display());
            }
            verdict::perform(&subject, &set, format, run)
        }
        Task::Pack { model, output, set, libraries, date, ssp, reference, listed } => {
            let wishes = Wishes { set, ssp, reference, listed };
            pack(&model, output, &libraries, date.as_deref(), &wishes)
        }
        Task::Run(request) => request.perform(),
        Task::Columns(request) => columns::perform(&request),
        Task::Converge(request) => converge::perform(&request),
        Task::Describe { subject, modes } => print(&describe::text(&subject, modes)?),
        Task::Fit(request) => fit::perform(&request),
        Task::Friction(request) => friction::perform(&request),
        Task::Linearize(request) => linear::perform(&request),
        Task::Mesh(request) => mesh::perform(&request),
        Task::Modes(request) => modes::perform(&request),
        Task::New(request) => new::perform(&request),
        Task::Profile(request) => profile::perform(&request),
        Task::Reduce(request) => linear::reduce::perform(&request),
        Task::Response(request) => linear::response::perform(&request),
        Task::Schema(request) => schema::perform(&request),
        Task::Sliding(request) => sliding::perform(&request),
        Task::Static(request) => statics::perform(&request),
        Task::Studio(request) => studio::perform(&request),
        Task::Record(request) => record::perform(&request),
        Task::Demo { out } => demo::run(&out),
    }
}

/// Names for the interface of the FMU, beside those of the file.
#[derive(clap::Args)]
struct Listed {
    /// Offer this number of the model file as a parameter, too; may be repeated.
    #[arg(long, value_name = "NAME")]
    add_parameter: Vec<String>,
    /// Offer this quantity as an output, too; may be repeated.
    #[arg(long, value_name = "NAME")]
    add_output: Vec<String>,
}

impl Listed {
    /// The model with these names in its `[interface]`.
    fn added(&self, model: &Model) -> Result<Model> {
        let model = model.with_listed("parameters", &self.add_parameter);
        let model = model.and_then(|model| model.with_listed("outputs", &self.add_output));
        model.map_err(|fault| anyhow!("{fault}"))
    }
}

/// What goes beyond a plain FMU.
struct Wishes {
    listed: Listed,
    /// Numbers of the model file with their values.
    set: Vec<(String, f64)>,
    ssp: bool,
    reference: bool,
}

fn pack(
    path: &Path, output: Option<PathBuf>, libraries: &libraries::Choice, date: Option<&str>,
    wishes: &Wishes,
) -> Result<()> {
    if run::is_fmu(path) {
        bail!("{}: an FMU; allowed: a model file (TOML)", path.display());
    }
    files::may_write(&output, &[path])?;
    let model = run::with_values(run::model(path)?, &wishes.set)?;
    let model = model.written().map_err(|fault| anyhow!("--set: {fault}"))?;
    let model = wishes.listed.added(&model)?;
    let blueprint = Blueprint::of(model.clone())?;
    let (standard, libraries) = (libraries.fmi, libraries.read()?);
    let date = date::of_generation(date)?;
    let extra = match wishes.reference {
        true => reference::files(Blueprint::of(model)?)?,
        false => Vec::new(),
    };
    let mut bytes =
        archive::pack(&blueprint, standard, &libraries.inside, date.as_deref(), &extra)?;
    if wishes.ssp {
        let description = archive::description(&blueprint, standard, date.as_deref())?;
        bytes = ssp::pack(&blueprint.checked().name, &bytes, &description)?;
    }
    let ending = if wishes.ssp { "ssp" } else { "fmu" };
    let file = Path::new(path.file_name().unwrap_or_default());
    let output = output.unwrap_or_else(|| file.with_extension(ending));
    files::write(&output, &bytes)?;
    let size = bytes.len().div_ceil(1000);
    print(&format!("{}: {size} kB, for {}", output.display(), libraries.words()))
}

/// A number of the command line.
fn decimal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| match text.replacen(',', ".", 1) {
        point if text.contains(',') && point.parse::<f64>().is_ok() => {
            format!("`{text}` is not a number; write {point}")
        }
        _ => format!("`{text}` is not a number"),
    })
}

/// An expression of numbers in place of a number, which has this `fault`.
fn expression(text: &str, fault: String) -> Result<f64, String> {
    let mut unknown = |name: &str| Err(format!("`{name}` is no number and no function"));
    match scalar::evaluate(text, &mut unknown) {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => Err(format!("`{text}` is {value}; allowed: finite numbers")),
        // The fault of a number with a comma has its cure already.
        Err(_) if text.contains(',') => Err(fault),
        Err(why) => Err(format!("{fault}: {}", why.message)),
    }
}

fn assignment(text: &str) -> Result<(String, f64), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("`{text}`; allowed: NAME=VALUE"))?;
    let value = match value.trim() {
        "true" => 1.0,
        "false" => 0.0,
        number => decimal(number).or_else(|fault| expression(number, fault))?,
    };
    Ok((name.trim().to_owned(), value))
}
