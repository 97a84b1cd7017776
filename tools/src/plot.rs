//! Outputs of a run over the time or over each other, as SVG.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use coulisse::message::{did_you_mean, excerpt};

use crate::files;
use crate::results::Results;
use crate::svg::{Curve, Plot, drawing};

/// The name of the time among outputs.
const TIME: &str = "time";

/// Part of a curve's extent that one sees: a third of a pixel.
const SEEN: f64 = 1e-3;

/// Curves that are wanted of a run.
#[derive(Debug, Default, clap::Args)]
pub struct Plots {
    /// Draw outputs Y over the output X, or over `time`: --plot loop.svg joints.foot.displacement
    /// joints.foot.fx shows a hysteresis loop. Outputs of one unit share a plot.
    #[arg(long, num_args = 3.., value_names = ["SVG", "X", "Y"])]
    plot: Vec<String>,
}

impl Plots {
    /// The file that it names.
    pub fn file(&self) -> Option<PathBuf> {
        self.plot.first().map(PathBuf::from)
    }

    /// Refuses outputs that a run does not have, before it runs.
    ///
    /// # Errors
    /// For a file of another format; for each name that none of the `outputs` has.
    pub fn check<'a>(&self, outputs: impl Iterator<Item = &'a str> + Clone) -> Result<()> {
        let Some((file, names)) = self.plot.split_first() else {
            return Ok(());
        };
        if !Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("svg")) {
            bail!("--plot {file}; allowed: a file whose name ends in .svg, then the outputs");
        }
        let known = |name: &&String| *name == TIME || outputs.clone().any(|own| own == *name);
        match names.iter().find(|name| !known(name)) {
            Some(name) => {
                let hint = did_you_mean(name, outputs.clone());
                bail!(
                    "--plot: `{}` is no output of this model{hint}; `coulisse describe` lists them",
                    excerpt(name)
                )
            }
            None => Ok(()),
        }
    }

    /// Draws the curves of a run, under this `title`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn draw(&self, results: &Results, title: &str) -> Result<()> {
        let [file, x, names @ ..] = &self.plot[..] else {
            return Ok(());
        };
        let mut plots: Vec<(String, Plot)> = Vec::new();
        for name in names {
            let points = values(results, x).into_iter().zip(values(results, name));
            let curve =
                Curve { label: name.clone(), points: thinned(points.collect()), dashed: false };
            let unit = unit(results, name);
            match plots.iter_mut().find(|(own, _)| *own == unit) {
                Some((_, plot)) => plot.curves.push(curve),
                None => {
                    let plot = Plot {
                        title: if plots.is_empty() { title.to_owned() } else { String::new() },
                        x: with_unit(x, &self::unit(results, x)),
                        y: unit.clone(),
                        curves: vec![curve],
                    };
                    plots.push((unit, plot));
                }
            }
        }
        let plots: Vec<Plot> = plots.into_iter().map(|(_, plot)| plot).collect();
        files::write(Path::new(file), drawing(&plots).as_bytes())
    }
}

/// The points of a curve that are numbers, but those that lie on the one before: nobody sees them apart.
fn thinned(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.retain(|(x, y)| x.is_finite() && y.is_finite());
    let of = |value: fn(&(f64, f64)) -> f64| {
        let values = points.iter().map(value);
        let ends = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (ends.1 - ends.0) * SEEN
    };
    let (dx, dy) = (of(|p| p.0), of(|p| p.1));
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for point in &points {
        let near =
            |last: &(f64, f64)| (point.0 - last.0).abs() <= dx && (point.1 - last.1).abs() <= dy;
        if !kept.last().is_some_and(near) {
            kept.push(*point);
        }
    }
    kept.extend(points.last().filter(|last| kept.last() != Some(last)).copied());
    kept
}

fn values(results: &Results, name: &str) -> Vec<f64> {
    match results.place(name) {
        Some(column) => results.column(column).collect(),
        None => results.times.clone(),
    }
}

fn unit(results: &Results, name: &str) -> String {
    match results.place(name) {
        Some(column) => results.columns[column].unit.clone(),
        None => "s".to_owned(),
    }
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") }
}
