//! `coulisse fit`: hands a request over to the Python module, whose least squares are those of SciPy.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
use coulisse::message::excerpt;
use serde::Serialize;

use crate::{assignment, decimal, files};

/// What the Python module reads from its standard input.
#[derive(clap::Args, Serialize)]
#[command(arg_required_else_help = true)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    /// Files of columns with measurements. A column decides what they are: `time` (s) a run, `frequency` (Hz) a frequency response (`gain`,
    /// `phase` in rad or with a unit such as [deg], `real`, `imaginary`, or a table of `coulisse response`), `velocity` (m/s) a friction
    /// `force` (N) over the velocity; with --along a loop without times.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// A number of the model file to fit, its start and its range: parameters.mu=0.2:0:1. What is left out is the file's number, and no
    /// bound. With :log at the end its logarithm is fitted. May be repeated.
    #[arg(short, long, required = true, value_name = "NAME[=START[:LOW:HIGH][:log]]", value_parser = unknown)]
    parameter: Vec<Unknown>,
    /// Another value of a number of the model file that is not fitted; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// The variable of the model that a column holds; may be repeated. Columns with names of outputs and inputs need none.
    #[arg(long, value_name = "COLUMN=NAME", value_parser = renaming)]
    column: Vec<(String, String)>,
    /// Standard deviation of the noise of an output, in its SI unit, where it is known; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    deviation: Vec<(String, f64)>,
    /// How residuals count: all but the first lessen the weight of outliers.
    #[arg(long, value_name = "LOSS", default_value = "linear", value_parser = ["linear", "soft_l1", "huber", "cauchy", "arctan"])]
    loss: String,
    /// Also fit by how much the clock of each run is late, between these, s.
    #[arg(long, value_name = "LOW:HIGH", value_parser = range, allow_hyphen_values = true)]
    shift: Option<[f64; 2]>,
    /// The input that a loop without times runs along, at --speed.
    #[arg(long, value_name = "INPUT", requires = "speed")]
    along: Option<String>,
    /// How fast, in the unit of the input per second.
    #[arg(long, value_name = "V", requires = "along")]
    speed: Option<f64>,
    /// The joint whose friction force over the velocity was measured.
    #[arg(long, value_name = "JOINT")]
    joint: Option<String>,
    /// The normal force of that, N.
    #[arg(long, value_name = "F", requires = "joint")]
    normal_force: Option<f64>,
    /// The input of a frequency response about the static equilibrium.
    #[arg(long, value_name = "NAME", requires = "response")]
    input: Option<String>,
    /// The output of that.
    #[arg(long, value_name = "NAME", requires = "input")]
    response: Option<String>,
    /// Write the model file with the fitted numbers here, their uncertainty as comments.
    #[arg(short, long, value_name = "TOML")]
    output: Option<PathBuf>,
    /// Write measured and fitted values with their residuals here as CSV.
    #[arg(long, value_name = "CSV")]
    residuals: Option<PathBuf>,
    /// Draw data, fit and residuals here; the ending says the format (needs Matplotlib).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// A number that is fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Unknown {
    name: String,
    start: Option<f64>,
    bounds: Option<[f64; 2]>,
    log: bool,
}

/// Names the Python that fits, instead of one beside the command or on the path.
const VARIABLE: &str = "COULISSE_PYTHON";
/// The exit status by which the program below says that a package is missing.
const MISSING: i32 = 86;
const PROGRAM: &str = "\
import importlib.util, sys
missing = [name for name in ('coulisse', 'scipy') if importlib.util.find_spec(name) is None]
if missing:
    sys.exit(86)
from coulisse._fit_command import main
sys.exit(main(sys.stdin.buffer.read()))
";

/// Fits by the first Python that has what is needed.
///
/// # Errors
/// Where there is none; what the fit refuses is printed by it.
pub fn perform(request: &Request) -> Result<()> {
    let read: Vec<_> = request.data.iter().chain([&request.model]).map(PathBuf::as_path).collect();
    let written = [&request.output, &request.residuals, &request.plot];
    files::may_make(written.into_iter().flatten(), &read)?;
    files::may_write(written[1..].iter().copied().flatten(), &read)?;
    let text = serde_json::to_string(request)?;
    for python in pythons() {
        match run(&python, &text) {
            Ok(status) if status.code() == Some(MISSING) => {}
            Ok(status) => std::process::exit(status.code().unwrap_or(1)),
            Err(_) => {}
        }
    }
    let tried: Vec<_> = pythons().iter().map(|path| path.display().to_string()).collect();
    bail!(
        "fit needs Python with the packages `coulisse` and `scipy`, and none of {} has both; install the wheel and `pip install \
         scipy`, or name a Python in the environment variable {VARIABLE}",
        tried.join(", ")
    )
}

/// Where Python may be: what the variable names, or beside the command, where the wheel puts it, or on the path.
fn pythons() -> Vec<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return vec![named.into()];
    }
    let names = ["python3", "python"].map(|name| format!("{name}{}", env::consts::EXE_SUFFIX));
    let own = env::current_exe().unwrap_or_default();
    // Of a virtual environment of Windows, Python is one folder above the scripts.
    let folders = own.ancestors().skip(1).take(if cfg!(windows) { 2 } else { 1 });
    let beside = folders.flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
    beside.filter(|path| path.is_file()).chain(names.iter().map(PathBuf::from)).collect()
}

/// Runs the program in one Python with the request as its input, and this command for what it asks of the model.
fn run(python: &PathBuf, request: &str) -> Result<ExitStatus> {
    let own = env::current_exe()?;
    let mut call = Command::new(python);
    call.args(["-c", PROGRAM]).env("COULISSE", own).stdin(Stdio::piped());
    let mut child = call.spawn()?;
    let input = child.stdin.take().context("no standard input")?;
    // One that misses packages does not read.
    let _ = { input }.write_all(request.as_bytes());
    Ok(child.wait()?)
}

/// NAME[=START[:LOW:HIGH][:log]]
fn unknown(text: &str) -> Result<Unknown, String> {
    let (name, rest) = text.split_once('=').unwrap_or((text, ""));
    let (rest, log) = match rest.strip_suffix(":log") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (start, bounds) = match rest.split_once(':') {
        Some((start, bounds)) => (start, Some(range(bounds)?)),
        None => (rest, None),
    };
    let start = if start.is_empty() { None } else { Some(decimal(start)?) };
    Ok(Unknown { name: name.trim().to_owned(), start, bounds, log })
}

/// LOW:HIGH
fn range(text: &str) -> Result<[f64; 2], String> {
    let (low, high) = text
        .split_once(':')
        .ok_or_else(|| format!("`{}`; allowed: two numbers, LOW:HIGH", excerpt(text)))?;
    let (low, high) = (decimal(low)?, decimal(high)?);
    if low < high { Ok([low, high]) } else { Err(format!("{low} is not below {high}")) }
}

/// The name of a column and that of a variable of the model.
///
/// # Errors
/// For a text without `=`.
pub fn renaming(text: &str) -> Result<(String, String), String> {
    let (column, name) = text
        .rsplit_once('=')
        .ok_or_else(|| format!("`{}`; allowed: COLUMN=NAME", excerpt(text)))?;
    Ok((column.trim().to_owned(), name.trim().to_owned()))
}
