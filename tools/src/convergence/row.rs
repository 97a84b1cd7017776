//! What an output changes from run to run.

use std::collections::BTreeMap;

use coulisse::message::rounded;

use crate::description::stands_for;
use crate::results::Results;

/// Changes below this share of an output's range are rounding.
const RANGE_ROUNDING: f64 = 1e-11;
/// An output whose range is below this share of the largest value of any output in the same unit counts as constant.
const STILL: f64 = 1e-5;
/// Rates that move nothing in the whole run by more than this share of the largest value in the unit of what they are rates of are rounding.
const RATE_ROUNDING: f64 = 1e-9;
/// Share of the instants at which a change may be larger than the one that counts: where something jumps, the jump falls between
/// other rows in another run, and the change there is that of the jump whatever the step is.
const JUMPS: f64 = 0.05;
/// Orders beyond which changes do not fall, or fall by accident.
const ORDERS: [f64; 2] = [0.5, 6.0];

/// An output in all runs, the coarsest first.
pub struct Row {
    pub name: String,
    pub unit: String,
    /// Largest less smallest value of the finest run; of an energy, of the energy with the largest range; of a time, the length of the run; of
    /// what is constant, its size.
    pub range: f64,
    /// Whether it is constant in time.
    pub is_constant: bool,
    /// Largest change from each run to the next but for the share [`JUMPS`] of the instants, by the range.
    pub changes: Vec<f64>,
    /// Largest change at any instant from each run to the next, by the range.
    pub peaks: Vec<f64>,
}

/// What counts of the outputs.
pub struct Counting<'a> {
    /// Whether the runs are quasi-static.
    pub is_static: bool,
    /// Time from which rows count, s.
    pub from: f64,
    /// Names of the outputs that count, as [`stands_for`] takes them; all where there is none.
    pub outputs: &'a [String],
}

impl Row {
    /// Those outputs that count, that all runs have and that move: numbers, not counters, and not of nodes of a mesh. In statics, where
    /// what is constant in time may be all there is, these are there, too, but no rates. Times of events are judged by the length of the run.
    pub fn all(runs: &[Results], counts: &Counting<'_>) -> Vec<Row> {
        let Counting { is_static, from, outputs } = *counts;
        let Some(finest) = runs.last() else {
            return Vec::new();
        };
        let ends = |index: usize| {
            let column = finest.since(index, from).map(|(_, value)| value);
            column.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
                [low.min(v), high.max(v)]
            })
        };
        let size = |index: usize| ends(index).iter().fold(0.0_f64, |size, v| size.max(v.abs()));
        let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
        for (index, column) in finest.columns.iter().enumerate() {
            let largest = sizes.entry(&column.unit).or_default();
            *largest = largest.max(size(index));
        }
        let largest = |unit: &str| sizes.get(unit).copied().unwrap_or(0.0);
        let duration = finest.times.last().copied().unwrap_or(0.0);
        let is_rounding = |index: usize| {
            rate_of(&finest.columns[index].unit).is_some_and(|(unit, order)| {
                // Angles are numbers around 1.
                let yardstick = if unit == "rad" { 1.0 } else { largest(unit) };
                is_static || size(index) * duration.powi(order) <= RATE_ROUNDING * yardstick
            })
        };
        let range = |index: usize| {
            let [low, high] = ends(index);
            let moves = high - low > STILL * largest(&finest.columns[index].unit);
            if moves && !is_rounding(index) { high - low } else { 0.0 }
        };
        let constant = |index: usize| {
            let counts = size(index) > STILL * largest(&finest.columns[index].unit);
            if is_static && counts && !is_rounding(index) { size(index) } else { 0.0 }
        };
        let is_energy = |name: &str| name.starts_with("energy.");
        let energies = (finest.columns.iter().enumerate()).filter(|(_, c)| is_energy(&c.name));
        let energies = energies.map(|(i, _)| range(i)).fold(0.0, f64::max);
        let mut rows = Vec::new();
        for (index, column) in finest.columns.iter().enumerate() {
            let is_constant = range(index) == 0.0;
            let own = match is_energy(&column.name) {
                _ if is_constant => constant(index),
                true => energies,
                false if column.unit == "s" => duration - from,
                false => range(index),
            };
            let counts =
                outputs.is_empty() || outputs.iter().any(|name| stands_for(name, &column.name));
            if !counts || !column.is_real || column.name.contains('[') || own == 0.0 {
                continue;
            }
            let places = runs.iter().map(|run| run.place(&column.name));
            let Some(places) = places.collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let each = runs.windows(2).zip(places.windows(2));
            let (changes, peaks): (Vec<f64>, Vec<f64>) = each
                .map(|(pair, places)| {
                    let [before, after] = [0, 1].map(|k| pair[k].since(places[k], from));
                    let differences = before.zip(after).map(|((_, a), (_, b))| (a - b).abs() / own);
                    let mut differences: Vec<f64> = differences.collect();
                    differences.sort_by(f64::total_cmp);
                    let most = differences.len().saturating_sub(1);
                    let counts = most - (JUMPS * most as f64) as usize;
                    let at = |k: usize| differences.get(k).copied().unwrap_or(0.0);
                    (at(counts), at(most))
                })
                .unzip();
            // What no refinement changes is where it was put.
            if is_constant && peaks.iter().all(|change| *change <= RANGE_ROUNDING) {
                continue;
            }
            rows.push(Row {
                name: column.name.clone(),
                unit: column.unit.clone(),
                range: own,
                is_constant,
                changes,
                peaks,
            });
        }
        rows
    }

    /// Its range as a table shows it.
    pub fn shown_range(&self) -> String {
        let range = rounded(self.range, 3);
        if self.is_constant { format!("at {range}") } else { range }
    }

    /// log₂ of the last change but one by the last; `None` where there are no two beyond rounding.
    pub fn order(&self) -> Option<f64> {
        let [.., before, last] = self.changes[..] else {
            return None;
        };
        (before > RANGE_ROUNDING && last > RANGE_ROUNDING).then(|| (before / last).log2())
    }

    /// About how much run `k` is off, as a share of the range: the changes from it on, and what the finest is off itself. Without an
    /// order that counts the finest is taken to be off by as much as it has changed.
    pub fn error(&self, k: usize) -> f64 {
        let last = self.changes.last().copied().unwrap_or(0.0);
        let order = self.order().unwrap_or(1.0).clamp(ORDERS[0], ORDERS[1]);
        let behind: f64 = self.changes.iter().skip(k).sum();
        behind + last / (2.0_f64.powf(order) - 1.0)
    }

    /// Largest change at any instant that lies between run `k` and the finest.
    pub fn peak(&self, k: usize) -> f64 {
        self.peaks.iter().skip(k).sum()
    }

    /// Whether run `k` is within `accuracy` of it but for single instants: at these it is off by more.
    pub fn jumps(&self, k: usize, accuracy: f64) -> bool {
        self.error(k) <= accuracy && self.peak(k) > accuracy
    }

    /// Whether it changes by more than `accuracy` at last, and the changes do not fall.
    pub fn is_restless(&self, accuracy: f64) -> bool {
        let last = self.changes.last().copied().unwrap_or(0.0);
        last > accuracy && self.order().is_some_and(|order| order < ORDERS[0])
    }
}

/// What a unit is a rate of, and how often it is divided by time.
fn rate_of(unit: &str) -> Option<(&'static str, i32)> {
    match unit {
        "m/s" => Some(("m", 1)),
        "m/s2" => Some(("m", 2)),
        "rad/s" => Some(("rad", 1)),
        "rad/s2" => Some(("rad", 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(changes: &[f64]) -> Row {
        Row {
            name: "y".into(),
            unit: "m".into(),
            range: 1.0,
            is_constant: false,
            changes: changes.to_vec(),
            peaks: changes.to_vec(),
        }
    }

    #[test]
    fn errors_of_a_known_order_are_found() {
        for order in [1.0, 2.0, 3.0] {
            // y_k = y + c 2^(−k p): changes c 2^(−k p) (1 − 2^(−p)), errors c 2^(−k p).
            let error = |k: i32| 0.3 * 2.0_f64.powf(-order * f64::from(k));
            let changes: Vec<f64> = (0..4).map(|k| error(k) - error(k + 1)).collect();
            let row = row(&changes);
            assert!((row.order().expect("an order") - order).abs() < 1e-12);
            for k in 0..5 {
                assert!((row.error(k) - error(k as i32)).abs() < 1e-12, "{order} {k}");
            }
            assert!(!row.is_restless(1e-3));
        }
    }

    #[test]
    fn a_change_at_single_instants_is_a_jump_and_no_error() {
        let jump = Row { peaks: vec![0.5, 0.6], ..row(&[2e-3, 5e-4]) };
        assert!(jump.jumps(0, 0.01));
        assert!(!row(&[2e-3, 5e-4]).jumps(0, 0.01));
        assert!(!Row { peaks: vec![0.5, 0.6], ..row(&[0.2, 0.1]) }.jumps(0, 0.01));
    }

    #[test]
    fn what_does_not_fall_is_reported_and_what_is_rounding_is_not() {
        assert!(row(&[0.1, 0.12]).is_restless(0.01));
        assert!(!row(&[1e-3, 1.2e-3]).is_restless(0.01));
        assert_eq!(row(&[1e-13, 3e-13]).order(), None);
    }
}
