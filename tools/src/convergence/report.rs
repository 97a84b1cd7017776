//! A study of convergence as a text, as CSV and as curves.

use std::collections::BTreeMap;

use anyhow::Result;
use coulisse::message::{figure, listed, rounded};

use super::Study;
use super::row::Row;
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;

/// Digits of an error that looks like its limit.
const MOST_DIGITS: usize = 6;

/// Curves of a drawing.
const MAX_CURVES: usize = 6;

/// Changes, orders and errors of all studies of a model, and whether its outputs are within `accuracy` of their ranges.
pub fn text(studies: &[Study], accuracy: f64) -> String {
    let lines = studies.iter().map(|study| report(study, accuracy));
    lines.chain(verdict(studies, accuracy)).collect::<Vec<_>>().join("\n\n")
}

/// The changes over step and mesh as SVG, both axes logarithmic.
pub fn drawn(studies: &[Study]) -> String {
    let plots: Vec<Plot> = studies.iter().map(plot).collect();
    drawing(&plots)
}

/// The changes as CSV.
///
/// # Errors
/// None that rows can have.
pub fn csv(studies: &[Study]) -> Result<Vec<u8>> {
    let head = ["refined", "from", "to", "output", "unit", "range", "change", "largest"];
    let mut rows = Rows::under(head)?;
    for study in studies {
        for row in &study.rows {
            let changes = row.changes.iter().zip(&row.peaks);
            for (pair, (change, peak)) in study.sizes.windows(2).zip(changes) {
                let texts = [study.name, &pair[0], &pair[1], &row.name, &row.unit];
                let numbers = [row.range, *change, *peak];
                rows.add(texts.map(Cell::from).into_iter().chain(numbers.map(Cell::from)))?;
            }
        }
    }
    rows.bytes()
}

fn report(study: &Study, accuracy: f64) -> String {
    let what = study.name;
    let mut lines = study.notes.clone();
    if study.sizes.is_empty() {
        return lines.join("\n");
    }
    let mut head = vec!["output".to_string(), "range".to_string(), "unit".to_string()];
    head.extend(study.sizes.windows(2).map(|pair| format!("{} → {}", pair[0], pair[1])));
    head.extend(["order", "error of the file's", "jumps"].map(str::to_string));
    let columns = head.len();
    let mut table = plain(head, (1..columns).filter(|index| *index != 2));
    for row in &study.rows {
        let mut cells = vec![row.name.clone(), row.shown_range(), row.unit.clone()];
        cells.extend(row.changes.iter().map(|change| rounded(*change, 2)));
        cells.push(row.order().map_or("–".to_string(), |p| format!("{p:.1}")));
        cells.push(rounded(row.error(study.own), 2));
        cells.push(rounded(row.peak(study.own), 2));
        table.add_row(cells);
    }
    lines.push(format!(
        "{what}: changes from run to run, as fractions of the ranges, in 95 % of the time; \
         `jumps`: the largest change between the file's run and the finest at any time"
    ));
    lines.push(table.trim_fmt());
    if study.rows.iter().any(|row| row.is_constant) {
        lines.push("`at`: constant in time; the changes are fractions of this value".into());
    }
    if study.rows.is_empty() {
        lines.push(format!(
            "no output changes with the {what}, or none is named under `outputs` of the model's [interface]"
        ));
        return lines.join("\n");
    }
    let share = rounded(accuracy, 3);
    let good = |k: usize| study.rows.iter().all(|row| row.error(k) <= accuracy);
    match (0..study.sizes.len()).find(|&k| good(k)) {
        Some(k) => lines.push(format!(
            "the error of the {what} is below {share} of the range of every output with {}{}",
            study.shown(k),
            match k.cmp(&study.own) {
                std::cmp::Ordering::Less => ", coarser than the file's",
                std::cmp::Ordering::Equal => ", the file's own",
                std::cmp::Ordering::Greater => ", finer than the file's",
            }
        )),
        None => {
            let worst = study.rows.iter().map(|row| row.error(study.sizes.len() - 1));
            let worst = worst.fold(0.0, f64::max);
            lines.push(format!(
                "not even with {} the error is within {share}: about {} are left; more with --finer",
                study.shown(study.sizes.len() - 1),
                beside(worst, &share)
            ));
        }
    }
    let jumping = (study.rows.iter()).filter(|row| row.jumps(study.own, accuracy));
    let jumping: Vec<String> = jumping
        .map(|row| format!("{} (by {})", row.name, rounded(row.peak(study.own), 2)))
        .collect();
    if !jumping.is_empty() {
        lines.push(format!(
            "this error leaves out jumps: at up to one of 20 instants {} change by more than {share} of their ranges from the file's {what} \
             to the finest: an event falls between other instants, or a peak depends on the {what}",
            listed(jumping.iter().map(String::as_str))
        ));
    }
    let restless: Vec<&str> = (study.rows.iter())
        .filter(|row| row.is_restless(accuracy))
        .map(|row| row.name.as_str())
        .collect();
    if !restless.is_empty() {
        lines.push(format!(
            "not converging: {}; they change by more than {share}, and no less from run to run: look at them, an event may fall \
             otherwise, or the motion may depend on everything (chaos, lost stability)",
            restless.join(", ")
        ));
    }
    lines.join("\n")
}

/// What errors of step and mesh come to together, where both are known.
fn verdict(studies: &[Study], accuracy: f64) -> Option<String> {
    let mut errors: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for study in studies {
        for row in &study.rows {
            let error = row.error(study.own);
            errors.entry(&row.name).or_default().push((study.name, error));
        }
    }
    let sum = |parts: &[(&str, f64)]| parts.iter().map(|(_, error)| error).sum::<f64>();
    let worst = errors.iter().max_by(|a, b| sum(a.1).total_cmp(&sum(b.1)));
    let (name, parts) = worst.filter(|_| studies.len() > 1)?;
    if sum(parts) <= accuracy && !studies.iter().any(|study| study.is_blind) {
        let rows =
            || studies.iter().flat_map(|study| study.rows.iter().map(move |row| (study, row)));
        let jumps = rows().any(|(study, row)| row.jumps(study.own, accuracy));
        return Some(format!(
            "all outputs of the file as it is are within {} of their ranges{}",
            rounded(accuracy, 3),
            if jumps { ", but for the jumps" } else { "" }
        ));
    }
    let each = parts.iter();
    let each = each.map(|(study, error)| format!("{study} {}", rounded(*error, 2)));
    Some(format!(
        "of the file as it is, `{name}` is off most, by about {} of its range ({})",
        rounded(sum(parts), 2),
        each.collect::<Vec<_>>().join(", ")
    ))
}

/// log₁₀ of the changes of the outputs that change most over log₂ of the step or mesh.
fn plot(study: &Study) -> Plot {
    let mut rows: Vec<&Row> = study.rows.iter().collect();
    rows.sort_by(|a, b| b.error(study.own).total_cmp(&a.error(study.own)));
    let curve = |row: &&Row| Curve {
        label: row.name.clone(),
        points: (study.exponents.iter().zip(&row.changes))
            .filter(|(_, change)| **change > 0.0)
            .map(|(x, change)| (*x, change.log10()))
            .collect(),
        dashed: false,
    };
    Plot {
        to_scale: false,
        title: format!("Change by halving the {}", study.name),
        x: format!("log2 of the {} by the file's", study.name),
        y: "log10 change".to_string(),
        curves: rows.iter().take(MAX_CURVES).map(curve).collect(),
    }
}

/// A number with two digits, or with as many more as it takes to differ from one that is `shown`.
fn beside(value: f64, shown: &str) -> String {
    let mut texts = (2..=MOST_DIGITS).map(|digits| rounded(value, digits));
    texts.find(|text| text != shown).unwrap_or_else(|| figure(value))
}
