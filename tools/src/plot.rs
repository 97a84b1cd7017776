//! Outputs of a run over the time or over each other, as SVG, as PNG and in its page.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use coulisse::message::{did_you_mean, excerpt};

use crate::page::seen;
use crate::png;
use crate::results::Results;
use crate::svg::{Curve, Plot, drawing};

/// The name of the time among outputs.
const TIME: &str = "time";

/// Curves that are wanted of a run.
#[derive(Debug, Default, clap::Args)]
pub struct Plots {
    /// Begin the page of --html with outputs Y over the output X: --over joints.foot.displacement
    /// joints.foot.fx shows a hysteresis loop and where in it the mechanism is.
    #[arg(long, num_args = 2.., value_names = ["X", "Y"], requires = "html")]
    over: Vec<String>,
    /// Draw outputs Y over the output X, or over `time`: --plot loop.svg joints.foot.displacement
    /// joints.foot.fx shows a hysteresis loop, --plot trace.svg points.A.x points.A.y the trace of a point, to scale. Outputs of one
    /// unit share a plot. The name of the file ends in .svg or .png.
    #[arg(long, num_args = 3.., value_names = ["FILE", "X", "Y"])]
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
        let has = |name: &str| outputs.clone().any(|own| own == name);
        if let Some((file, names)) = self.plot.split_first() {
            if !png::is_named(Path::new(file)) {
                bail!(
                    "--plot {file}; allowed: a file whose name ends in .svg or .png, then the outputs"
                );
            }
            if let Some(name) = names.iter().find(|name| *name != TIME && !has(name)) {
                return unknown("--plot", name, outputs.clone());
            }
        }
        match self.over.iter().find(|name| !has(name)) {
            Some(name) => unknown("--over", name, outputs.clone()),
            None => Ok(()),
        }
    }

    /// The columns of outputs over each other that begin a page, x and y.
    pub fn loops(&self, results: &Results) -> Vec<[usize; 2]> {
        let mut columns = self.over.iter().filter_map(|name| results.place(name));
        let Some(x) = columns.next() else {
            return Vec::new();
        };
        columns.map(|y| [x, y]).collect()
    }

    /// Draws the curves of a run, under this `title`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn draw(&self, results: &Results, title: &str) -> Result<()> {
        let [file, x, names @ ..] = &self.plot[..] else {
            return Ok(());
        };
        let to_scale = [x].into_iter().chain(names).all(|name| is_position(name));
        let mut plots: Vec<(String, Plot)> = Vec::new();
        for name in names {
            let points: Vec<_> =
                values(results, x).into_iter().zip(values(results, name)).collect();
            let seen = seen(&points).into_iter().map(|row| points[row]);
            let curve = Curve { label: name.clone(), points: seen.collect(), dashed: false };
            let unit = unit(results, name);
            match plots.iter_mut().find(|(own, _)| *own == unit) {
                Some((_, plot)) => plot.curves.push(curve),
                None => {
                    let plot = Plot {
                        to_scale,
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
        png::write_drawing(Path::new(file), &drawing(&plots))
    }
}

/// Whether an output is a position of a point.
fn is_position(name: &str) -> bool {
    name.starts_with("points.") && (name.ends_with(".x") || name.ends_with(".y"))
}

/// Refuses a name that is that of no output.
fn unknown<'a>(option: &str, name: &str, outputs: impl Iterator<Item = &'a str>) -> Result<()> {
    let hint = did_you_mean(name, outputs);
    bail!(
        "{option}: `{}` is no output of this model{hint}; `coulisse describe` lists them",
        excerpt(name)
    )
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
