//! `coulisse record`: what a record of ground motion holds.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coulisse::columns::Unit;
use coulisse::records::{Baseline, Given, Series};

use crate::ground::Ground;
use crate::svg::drawing;
use crate::{files, print};

#[derive(Args)]
pub struct Request {
    /// Record: PEER (.AT2, .VT2, .DT2), K-NET, COSMOS, USGS (.smc), or columns of numbers.
    file: PathBuf,
    /// Unit of the values, whatever the file states: g, cm/s2, m/s, cm, …
    #[arg(long, value_name = "UNIT")]
    unit: Option<String>,
    /// Unit of the times of a file with columns, whatever it states: s, ms, min, …
    #[arg(long, value_name = "UNIT")]
    time_unit: Option<String>,
    /// Time from value to value of a file with one column, s.
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    step: Option<f64>,
    /// Baseline to subtract from the record before it is integrated.
    #[arg(long, value_name = "NAME", default_value = "none")]
    baseline: Choice,
    /// Draw acceleration, velocity and displacement here.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
}

/// [`Baseline`] on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    None,
    Mean,
    Linear,
    Quadratic,
    Rest,
}

impl Choice {
    fn baseline(self) -> Baseline {
        match self {
            Choice::None => Baseline::None,
            Choice::Mean => Baseline::Mean,
            Choice::Linear => Baseline::Linear,
            Choice::Quadratic => Baseline::Quadratic,
            Choice::Rest => Baseline::Rest,
        }
    }
}

/// Prints and draws what `request` asks for.
///
/// # Errors
/// When the record cannot be read or understood, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let shown = request.file.display();
    files::may_write(&request.svg, &[&request.file])?;
    if let Some(step) = request.step
        && !(step.is_finite() && step > 0.0)
    {
        bail!("--step is {step}; allowed: a finite number above 0");
    }
    let unit = |option: &str, given: &Option<String>, read: fn(&str) -> Result<Unit, String>| {
        let given = given.as_ref().map(|name| {
            read(name).map_err(|allowed| anyhow!("{option} is `{name}`; allowed: {allowed}"))
        });
        given.transpose()
    };
    let given = Given {
        unit: unit("--unit", &request.unit, Given::unit)?,
        time_unit: unit("--time-unit", &request.time_unit, Given::time_unit)?,
        step: request.step,
    };
    let text = files::read_text(&request.file)?;
    let name = request.file.to_string_lossy();
    let series = Series::read(&name, &text, &given).map_err(|wrong| {
        let options = [("`unit`", "--unit"), ("`time_unit`", "--time-unit"), ("`step`", "--step")];
        let wrong = options.iter().fold(wrong, |text, (key, option)| text.replace(key, option));
        anyhow!("{shown} {wrong}")
    })?;
    let Some(ground) = Ground::of(&series, request.baseline.baseline()) else {
        let kind = series.record.kind.name();
        bail!("{shown} is a {kind}; --baseline rest is for accelerations");
    };
    if let Some(file) = &request.svg {
        files::write(file, drawing(&ground.plots()).as_bytes())?;
    }
    print(&ground.text(&name, &series))
}
