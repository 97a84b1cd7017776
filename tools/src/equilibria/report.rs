//! A path of equilibria as a text, as CSV and as curves.

use anyhow::Result;
use coulisse::continuation::Station;
use coulisse::model::checked::{Checked, LineLoad, OutputVariable};
use coulisse::model::statics::{Scaled, StaticPath};

use super::{Equilibria, Row};
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot};
use crate::table::plain;

/// Lines of the table beside those of special points.
const LINES: usize = 24;

/// Outputs beside the factor in the table of the path.
const SHOWN: usize = 4;

/// Plots of a drawing.
const MAX_PLOTS: usize = 6;

impl Equilibria<'_> {
    /// Its special points, some of the others as a table, and all outputs at its end.
    pub fn report(&self) -> String {
        let (model, path, outputs, rows) = (self.model(), &self.path, &self.outputs, &self.rows);
        let shown: Vec<usize> = (0..outputs.len()).take(SHOWN).collect();
        let head = |name: &str, unit: &str| match unit {
            "" => name.to_owned(),
            unit => format!("{name}, {unit}"),
        };
        let mut header = vec!["point".to_owned(), head("factor", unit(model, path))];
        header.extend(shown.iter().map(|&i| head(&outputs[i].path, outputs[i].quantity.unit())));
        header.push("stable".into());
        let mut table = plain(header, 1..shown.len() + 2);
        let ordinary = rows.iter().filter(|row| row.station == Station::Along).count();
        let every = ordinary.div_ceil(LINES).max(1);
        let mut seen = 0;
        for (i, row) in rows.iter().enumerate() {
            if row.station == Station::Along {
                seen += 1;
                if seen % every != 0 && i + 1 != rows.len() {
                    continue;
                }
            }
            let mut cells = vec![name(row.station).to_owned(), short(row.factor)];
            cells.extend(shown.iter().map(|&i| short(row.values[i])));
            cells.push(match (row.station, row.unstable) {
                (Station::Limit | Station::Bifurcation { .. }, _) => String::new(),
                (_, 0) if row.overloaded => "only while locked".to_owned(),
                (_, 0) => "yes".to_owned(),
                (_, n) => format!("no, {n}"),
            });
            table.add_row(cells);
        }
        let special: Vec<String> = (rows.iter())
            .filter_map(|row| {
                let what = match row.station {
                    Station::Limit => "limit point".to_owned(),
                    Station::Bifurcation { motions: 1 } => "bifurcation point".to_owned(),
                    Station::Bifurcation { motions } => {
                        format!("bifurcation point of {motions} motions")
                    }
                    _ => return None,
                };
                let of = (shown.iter())
                    .map(|&i| format!(", {} {}", outputs[i].path, short(row.values[i])));
                Some(format!("{what} at {:.9}{}\n", row.factor, of.collect::<String>()))
            })
            .collect();
        let special = match special.is_empty() {
            true => "no limit or bifurcation point\n".to_owned(),
            false => special.concat(),
        };
        let follows = model.line_loads.iter().any(LineLoad::follows);
        let note = match follows {
            true => {
                "\n\nStable means here that nothing runs away. Loads that follow the structure can also make it flutter, \
             which no equilibrium shows: simulate it."
            }
            false => "",
        };
        let last = rows.last().filter(|_| outputs.len() > SHOWN);
        let last = last.map_or(String::new(), |row| at_the_end(outputs, row));
        format!(
            "{}: {} points over {}, equilibria of the displaced structure (second order)\n{special}\n{}{last}{note}",
            model.name,
            rows.len(),
            scaled(model, path),
            table.trim_fmt()
        )
    }

    /// All points as CSV.
    ///
    /// # Errors
    /// None that rows can have.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let (outputs, rows) = (&self.outputs, &self.rows);
        let names = outputs.iter().map(|o| o.path.as_str());
        let head = ["factor", "unstable_modes", "point"];
        let mut table = Rows::under(head.into_iter().chain(names))?;
        for row in rows {
            let first = [
                Cell::from(row.factor),
                Cell::from(row.unstable as usize),
                Cell::from(name(row.station)),
            ];
            table.add(first.into_iter().chain(row.values.iter().copied().map(Cell::from)))?;
        }
        table.bytes()
    }

    /// The factor over each output, or over the factor the outputs where it is a motion's.
    pub fn plots(&self) -> Vec<Plot> {
        let (model, path, outputs, rows) = (self.model(), &self.path, &self.outputs, &self.rows);
        let label = |name: &str, unit: &str| match unit {
            "" => name.to_owned(),
            unit => format!("{name}, {unit}"),
        };
        let driven = matches!(path.scaled.first(), Some(Scaled::Motion(_)));
        let factor = label(&scaled(model, path), unit(model, path));
        (outputs.iter().enumerate())
            .take(MAX_PLOTS)
            .map(|(i, output)| {
                let value = label(&output.path, output.quantity.unit());
                let at = |row: &Row| match driven {
                    true => (row.factor, row.values[i]),
                    false => (row.values[i], row.factor),
                };
                let (x, y) = if driven { (factor.clone(), value) } else { (value, factor.clone()) };
                let mut curves = pieces(rows, at);
                curves.extend(rows.iter().filter_map(|row| marker(row, at(row))));
                Plot { to_scale: false, title: y, x, y: String::new(), curves }
            })
            .collect()
    }
}

fn name(station: Station) -> &'static str {
    match station {
        Station::Start => "start",
        Station::Along => "",
        Station::Limit => "limit",
        Station::Bifurcation { .. } => "bifurcation",
        Station::Branch => "branch",
    }
}

/// All outputs at the last point.
fn at_the_end(outputs: &[OutputVariable], row: &Row) -> String {
    let mut table = plain(["output", "unit", "at the end"], [2]);
    for (output, value) in outputs.iter().zip(&row.values) {
        table.add_row([output.path.clone(), output.quantity.unit().to_owned(), short(*value)]);
    }
    format!("\n\n{}", table.trim_fmt())
}

fn scaled(model: &Checked, path: &StaticPath) -> String {
    let names: Vec<String> = (path.scaled.iter())
        .map(|scaled| match *scaled {
            Scaled::Load(id) => format!("loads.{}", model.loads[id].name),
            Scaled::LineLoad(id) => format!("loads.{}", model.line_loads[id].name),
            Scaled::Gravity => "gravity".to_owned(),
            Scaled::Motion(id) => format!("motions.{}", model.motions[id].name),
        })
        .collect();
    names.join(", ")
}

/// Unit of the factor.
fn unit(model: &Checked, path: &StaticPath) -> &'static str {
    use coulisse::model::checked::Direction;
    match path.scaled.first() {
        Some(Scaled::Motion(m)) if model.motions[*m].direction == Direction::Rotation => "rad",
        Some(Scaled::Motion(_)) => "m",
        _ => "",
    }
}

/// The path cut where its stability changes.
fn pieces(rows: &[Row], at: impl Fn(&Row) -> (f64, f64)) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows {
        let (dashed, point) = (row.unstable > 0, at(row));
        let fresh =
            curves.last().is_none_or(|c| c.dashed != dashed) || row.station == Station::Branch;
        if fresh {
            let joint = match (curves.last(), row.station) {
                (Some(curve), _) => curve.points.last().copied(),
                (None, _) => None,
            };
            curves.push(Curve {
                label: String::new(),
                points: joint.into_iter().collect(),
                dashed,
            });
        }
        if let Some(curve) = curves.last_mut() {
            curve.points.push(point);
        }
    }
    curves
}

/// The name of a special point, as a curve of one point.
fn marker(row: &Row, point: (f64, f64)) -> Option<Curve> {
    let label = match row.station {
        Station::Limit | Station::Bifurcation { .. } => {
            format!("{} at {}", name(row.station), short(point.1))
        }
        _ => return None,
    };
    Some(Curve { label, points: vec![point], dashed: false })
}
