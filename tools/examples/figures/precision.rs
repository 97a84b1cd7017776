//! Errors against CPU time beside another program, of the points that `benches/precision/run` has measured.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::svg::{Curve, Plot};

/// A run: the problem, the program, CPU time (s), errors of positions (m) and of forces (share of their range).
struct Point {
    problem: String,
    program: String,
    time: f64,
    errors: [f64; 2],
}

/// Smaller errors are those of rounding, which logarithms would spread over the picture.
const ROUNDING: f64 = 1e-10;

/// A figure for each problem of the table, its name first.
///
/// # Errors
/// When the table cannot be read.
pub fn figures(table: &Path) -> Result<Vec<(String, Vec<Plot>)>> {
    let points = read(table)?;
    let mut problems: Vec<&str> = points.iter().map(|p| p.problem.as_str()).collect();
    problems.dedup();
    let figure = |problem: &str| {
        let own: Vec<&Point> = points.iter().filter(|p| p.problem == problem).collect();
        let mut programs: Vec<&str> = own.iter().map(|p| p.program.as_str()).collect();
        programs.dedup();
        let curves = |kind: usize| {
            let curve = |program: &&str| Curve {
                label: (*program).to_owned(),
                points: (own.iter())
                    .filter(|p| p.program == *program)
                    .map(|p| (p.time.log10(), p.errors[kind].max(ROUNDING).log10()))
                    .collect(),
                dashed: false,
            };
            programs.iter().map(curve).collect()
        };
        let plot = |(kind, title, unit): (usize, &str, &str)| Plot {
            to_scale: false,
            title: title.to_owned(),
            x: "log₁₀ of CPU time in s".to_owned(),
            y: format!("log₁₀ of {unit}"),
            curves: curves(kind),
        };
        let kinds =
            [(0, "Largest error of positions", "m"), (1, "Largest error of forces", "their range")];
        (problem.to_owned(), kinds.map(plot).into())
    };
    Ok(problems.into_iter().map(figure).collect())
}

fn read(table: &Path) -> Result<Vec<Point>> {
    let text = std::fs::read_to_string(table).with_context(|| table.display().to_string())?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(';').collect();
        ensure!(cells.len() == 6, "six cells in {line:?}");
        let number = |cell: &str| cell.parse::<f64>().with_context(|| line.to_owned());
        Ok(Point {
            problem: cells[0].to_owned(),
            program: cells[1].to_owned(),
            time: number(cells[3])?,
            errors: [number(cells[4])?, number(cells[5])?],
        })
    };
    text.lines().skip(1).map(row).collect()
}
