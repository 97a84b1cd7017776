//! `coulisse reduce`: linear models with fewer states.

use std::f64::consts::TAU;
use std::path::PathBuf;

use anyhow::{Result, bail};
use coulisse::linearization::reduction::{self, Method, Reduced, Size};
use coulisse::message::figure;

use super::files::{Format, bytes};
use super::{Found, Wanted, poles, positive, state_of};
use crate::libraries::Choice;
use crate::number::short;
use crate::{files, print};

#[derive(clap::Args)]
pub struct Request {
    #[command(flatten)]
    wanted: Wanted,
    /// Lowest frequency of the band in which the response matters, Hz.
    #[arg(long, value_name = "F", value_parser = positive, allow_hyphen_values = true)]
    from: f64,
    /// Highest frequency of the band, Hz.
    #[arg(long, value_name = "F", value_parser = positive, allow_hyphen_values = true)]
    to: f64,
    /// How states are left out.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = How::Balanced)]
    method: How,
    /// Keep at most so many states.
    #[arg(long, value_name = "N", value_parser = crate::whole, conflicts_with = "error", allow_hyphen_values = true)]
    states: Option<usize>,
    /// Keep the fewest states whose response has no larger error than this in the band: a share, or percent such as 1%.
    #[arg(long, value_name = "E", value_parser = share, default_value = "1%", allow_hyphen_values = true)]
    error: f64,
    /// Add the steady response of what is left out to D. Outputs then follow inputs without delay.
    #[arg(long)]
    static_correction: bool,
    /// Write A, B, C, D with names, units and the error here: .npz, .mat or .json; or .fmu, an FMU of the linear model.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    libraries: Choice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum How {
    /// Balanced truncation: without what inputs hardly reach and outputs hardly see. States a bound at all frequencies.
    Balanced,
    /// Without modes that answer little in the band.
    Modal,
    /// Coordinates of inputs and outputs stay, with the slowest vibrations between them (Craig-Bampton).
    CraigBampton,
}

impl How {
    fn method(self) -> Method {
        match self {
            How::Balanced => Method::Balanced,
            How::Modal => Method::Modal,
            How::CraigBampton => Method::CraigBampton,
        }
    }

    fn words(self) -> &'static str {
        match self {
            How::Balanced => "balanced truncation",
            How::Modal => "modal truncation",
            How::CraigBampton => "Craig-Bampton reduction",
        }
    }
}

/// A share between 0 and 1, or percent.
///
/// # Errors
/// For anything else.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 0.01));
    match number.trim().parse::<f64>() {
        Ok(share) if share > 0.0 && unit * share <= 1.0 => Ok(unit * share),
        _ => Err("allowed: a share above 0 and up to 1, or percent such as 1%".to_owned()),
    }
}

/// Prints and writes the reduced model that `request` asks for.
///
/// # Errors
/// Where there is no linear or reduced model; when a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let Request { from, to, .. } = *request;
    if from >= to {
        bail!("--from {} is not below --to {}", figure(from), figure(to));
    }
    files::may_write(&request.output, &[&request.wanted.model])?;
    let format = request.output.as_deref().map(Format::of).transpose()?;
    let mut found = request.wanted.find()?;
    let wanted = reduction::Request {
        method: request.method.method(),
        size: request.states.map_or(Size::Error(request.error), Size::States),
        band: [from, to],
        static_correction: request.static_correction,
    };
    let whole = found.linear.states.len();
    let reduced = reduction::reduce(&found.linear, &wanted)
        .map_err(|fault| anyhow::anyhow!("{}: {fault}", request.wanted.model.display()))?;
    let text = text(&found, whole, request, &reduced);
    found.stated = stated(request, &reduced);
    found.linear = reduced.linear;
    if let (Some(file), Some(format)) = (&request.output, format) {
        files::write(file, &bytes(&found, format, None, &request.libraries)?)?;
    }
    print(&text)
}

/// The error with its conditions, as files name them.
fn stated(request: &Request, reduced: &Reduced) -> Vec<(&'static str, f64)> {
    let mut stated = vec![
        ("from", request.from),
        ("to", request.to),
        ("error", reduced.error),
        ("error_frequency", reduced.worst),
        ("frequencies", reduced.frequencies as f64),
    ];
    stated.extend(reduced.bound.map(|bound| ("bound", bound)));
    stated
}

fn text(found: &Found, whole: usize, request: &Request, reduced: &Reduced) -> String {
    let Found { name, place, .. } = found;
    let linear = &reduced.linear;
    let mut text = format!(
        "{name}: reduced linear model {place}: {} of {whole} states, {} inputs, {} outputs, by {}\n",
        linear.states.len(),
        linear.inputs.len(),
        linear.outputs.len(),
        request.method.words()
    );
    text += &format!(
        "largest error of the response from {} to {} Hz: {} %, at {} Hz (measured at {} frequencies)\n",
        figure(request.from),
        figure(request.to),
        short(100.0 * reduced.error),
        short(reduced.worst),
        reduced.frequencies
    );
    if let Some(bound) = reduced.bound {
        text += &format!(
            "at every frequency the error is below {} % of the largest response in the band (H-infinity bound)\n",
            short(100.0 * bound)
        );
    }
    let blurred = found.linear.least_resolved().map_or(0.0, |omega| omega / TAU);
    if request.from < blurred {
        text += &format!(
            "doubtful below {} Hz: it has a rigid-body mode, on which rounding of the stiffest parts acts as a weak spring\n",
            short(blurred)
        );
    }
    text += &state_of(linear);
    text + "\n" + &poles::table(linear)
}
