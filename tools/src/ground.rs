//! A record of ground motion: what it holds, before and after its baseline is taken off, as a text and as curves.

use coulisse::records::{Baseline, GroundMotion, Kind, Series};

use crate::number::short;
use crate::svg::{Curve, Plot};
use crate::table::plain;

/// The most points of a drawn curve.
const MOST_POINTS: usize = 2000;

/// A record, as recorded and with its baseline taken off.
pub struct Ground {
    before: GroundMotion,
    after: Option<GroundMotion>,
    baseline: Baseline,
}

impl Ground {
    /// Of a record; `None` where the baseline is for records of another kind.
    pub fn of(series: &Series, baseline: Baseline) -> Option<Ground> {
        let corrected = series.record.clone().corrected(baseline)?;
        let after = (baseline != Baseline::None).then(|| GroundMotion::of(&corrected));
        Some(Ground { before: GroundMotion::of(&series.record), after, baseline })
    }

    /// Peaks and what is left at the end, under what the file states.
    pub fn text(&self, file: &str, series: &Series) -> String {
        let mut columns = vec![("as recorded".to_owned(), &self.before)];
        if let Some(after) = &self.after {
            columns.push((format!("baseline {}", self.baseline.name()), after));
        }
        format!("{file}: {}\n{}\n\n{}", series.format, summary(series), table(&columns))
    }

    /// Acceleration, velocity and displacement.
    pub fn plots(&self) -> [Plot; 3] {
        plots(&self.before, self.after.as_ref())
    }
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
