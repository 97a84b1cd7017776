//! `coulisse record`: what a record of ground motion holds.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coulisse::columns::Unit;
use coulisse::records::{Baseline, Given, GroundMotion, Kind, Series};

use crate::number::short;
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;
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

/// The most points of a drawn curve.
const MOST_POINTS: usize = 2000;

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
    let record = &series.record;
    let baseline = request.baseline.baseline();
    let Some(corrected) = record.clone().corrected(baseline) else {
        bail!("{shown} is a {}; --baseline rest is for accelerations", record.kind.name());
    };
    let before = GroundMotion::of(record);
    let after = GroundMotion::of(&corrected);
    if let Some(file) = &request.svg {
        let with = (baseline != Baseline::None).then_some(&after);
        files::write(file, drawing(&plots(&before, with)).as_bytes())?;
    }
    let mut columns = vec![("as recorded".to_owned(), &before)];
    if baseline != Baseline::None {
        columns.push((format!("baseline {}", baseline.name()), &after));
    }
    print(&format!("{shown}: {}\n{}\n\n{}", series.format, summary(&series), table(&columns)))
}

fn summary(series: &Series) -> String {
    let (title, times) = (&series.title, &series.record.times);
    let steps = times.windows(2).map(|w| w[1] - w[0]);
    let (least, most) = steps.fold((f64::INFINITY, 0.0_f64), |(a, b), h| (a.min(h), b.max(h)));
    let step = if most - least <= 1e-6 * most {
        format!("every {} s", short(most))
    } else {
        format!("{} to {} s apart", short(least), short(most))
    };
    let heading = if title.is_empty() { String::new() } else { format!("{title}\n") };
    let times_in = match &series.time_unit {
        Some(unit) if unit.name == "s" => String::new(),
        Some(unit) => format!(" (in the file: {})", unit.name),
        None => " (assumed: the file states no unit of its times)".to_string(),
    };
    let why = match &series.instead_of {
        _ if series.stated => "as the file states".to_string(),
        None => "as specified".to_string(),
        Some(stated) => format!("as specified (the file states {})", stated.name),
    };
    format!(
        "{heading}{} in {}, {why}\n{} samples {step}, from {} to {} s{times_in}",
        series.record.kind.name(),
        series.unit.name,
        times.len(),
        short(times[0]),
        short(times[times.len() - 1])
    )
}

/// Peaks and what is left at the end.
fn table(columns: &[(String, &GroundMotion)]) -> String {
    let heads = columns.iter().map(|(name, _)| name.as_str());
    let mut table = plain(std::iter::once("").chain(heads), 1..=columns.len());
    let kinds = [Kind::Displacement, Kind::Velocity, Kind::Acceleration];
    for (i, kind) in kinds.into_iter().enumerate().rev() {
        let peaks = columns.iter().map(|(_, ground)| short(ground.peaks()[i]));
        let name = format!("peak {}, {}", kind.name(), kind.unit());
        table.add_row(std::iter::once(name).chain(peaks));
    }
    for (i, kind) in kinds.into_iter().enumerate().take(2).rev() {
        let left = columns.iter().map(|(_, ground)| short(ground.at(ground.span()[1])[i]));
        let name = format!("{} at the end, {}", kind.name(), kind.unit());
        table.add_row(std::iter::once(name).chain(left));
    }
    table.trim_fmt()
}

fn plots(before: &GroundMotion, after: Option<&GroundMotion>) -> [Plot; 3] {
    let [from, to] = before.span();
    let curve = |ground: &GroundMotion, label: &str, i: usize, dashed: bool| Curve {
        label: label.to_owned(),
        points: (0..=MOST_POINTS)
            .map(|k| from + (to - from) * k as f64 / MOST_POINTS as f64)
            .map(|t| (t, ground.at(t)[i]))
            .collect(),
        dashed,
    };
    [Kind::Acceleration, Kind::Velocity, Kind::Displacement].map(|kind| {
        let i = 2 - kind as usize;
        let mut curves = vec![curve(before, "as recorded", i, after.is_some())];
        if let Some(after) = after {
            curves.push(curve(after, "corrected", i, false));
        }
        Plot {
            to_scale: false,
            title: kind.name().to_owned(),
            x: "t, s".to_owned(),
            y: format!("{}, {}", &kind.name()[..1], kind.unit()),
            curves,
        }
    })
}
