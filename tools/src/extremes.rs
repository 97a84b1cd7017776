//! Smallest and largest values of an output in a run, when they occur, and how an output oscillates.

use std::collections::BTreeMap;

use crate::results::Results;

/// Share of the range by which an output may change from an extreme to the rows beside it. A sine then has at least seven rows a
/// period, and its peak is at most 2.5 % of the range above the largest row.
const RESOLVED: f64 = 0.2;
/// An output whose range is below this share of the largest value of any output in the same unit is rounding.
const ROUNDING: f64 = 1e-9;
/// Half of the band about the middle of the range that an oscillation has to cross as a whole, as a share of the range.
const BAND: f64 = 0.1;

/// Smallest, largest and last value of an output at the communication points from a time on; NaN where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremes {
    pub smallest: f64,
    /// When it first occurs, s.
    pub smallest_at: f64,
    pub largest: f64,
    /// When it first occurs, s.
    pub largest_at: f64,
    pub last: f64,
}

impl Extremes {
    /// Those of the column `index` from the time `from` (s) on.
    pub fn of(results: &Results, index: usize, from: f64) -> Extremes {
        let none = f64::NAN;
        let mut found = Extremes {
            smallest: none,
            smallest_at: none,
            largest: none,
            largest_at: none,
            last: none,
        };
        for (time, value) in results.since(index, from) {
            if value < found.smallest || found.smallest.is_nan() {
                (found.smallest, found.smallest_at) = (value, time);
            }
            if value > found.largest || found.largest.is_nan() {
                (found.largest, found.largest_at) = (value, time);
            }
            found.last = value;
        }
        found
    }

    pub fn peak_to_peak(&self) -> f64 {
        self.largest - self.smallest
    }
}

/// Mean frequency, Hz, with which the column `index` goes up through the middle of its range from the time `from` (s) on; NaN where it
/// does so less than twice.
pub fn mean_frequency(results: &Results, index: usize, from: f64) -> f64 {
    let found = Extremes::of(results, index, from);
    let middle = 0.5 * (found.smallest + found.largest);
    let band = BAND * found.peak_to_peak();
    // When it last went through the middle, whether it has been below the band since then, and the instants that count.
    let (mut before, mut armed): (Option<(f64, f64)>, bool) = (None, false);
    let (mut crossing, mut ends, mut count) = (f64::NAN, [f64::NAN; 2], 0_usize);
    for (time, value) in results.since(index, from) {
        if let Some((earlier, below)) =
            before.filter(|(_, below)| *below <= middle && value > middle)
        {
            crossing = earlier + (time - earlier) * (middle - below) / (value - below);
        }
        armed |= value < middle - band;
        if armed && value > middle + band {
            armed = false;
            ends = [if count == 0 { crossing } else { ends[0] }, crossing];
            count += 1;
        }
        before = Some((time, value));
    }
    (count.saturating_sub(1)) as f64 / (ends[1] - ends[0])
}

/// Names of the outputs that change much between an extreme and the rows beside it, from the time `from` (s) on: a shorter communication
/// step may find more.
pub fn unresolved(results: &Results, from: f64) -> Vec<&str> {
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for (index, column) in results.columns.iter().enumerate() {
        let size = sizes.entry(&column.unit).or_default();
        *size = results.since(index, from).fold(*size, |size, (_, value)| size.max(value.abs()));
    }
    let columns = results.columns.iter().enumerate();
    let coarse = columns.filter(|(index, column)| {
        let values: Vec<f64> = results.since(*index, from).map(|(_, value)| value).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let allowed = RESOLVED * (high - low);
        let is_coarse = |extreme: f64| {
            let peak = values.windows(3).find(|rows| rows[1] == extreme);
            peak.is_some_and(|rows| rows.iter().any(|value| (value - extreme).abs() > allowed))
        };
        let rounding = ROUNDING * sizes.get(column.unit.as_str()).copied().unwrap_or(0.0);
        column.is_real && high - low > rounding && (is_coarse(low) || is_coarse(high))
    });
    coarse.map(|(_, column)| column.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::results::Column;

    /// y over the time in steps of 1/`rows` s until 10 s.
    fn rows(rows: usize, y: impl Fn(f64) -> f64) -> Results {
        let column = Column {
            name: "y".into(),
            unit: "m".into(),
            description: String::new(),
            is_real: true,
        };
        let mut results = Results::default();
        results.columns.push(column);
        for k in 0..=10 * rows {
            let time = k as f64 / rows as f64;
            results.push(time, &[y(time)]);
        }
        results
    }

    #[test]
    fn a_vibration_has_its_extremes_and_its_frequency_behind_the_transient() {
        let results = rows(100, |t| if t < 2.0 { 9.0 } else { 1.0 - 0.5 * (TAU * 1.25 * t).cos() });
        let found = Extremes::of(&results, 0, 2.0);
        // Its minima are at multiples of 0.8 s.
        assert_eq!((found.smallest, found.smallest_at), (0.5, 2.4));
        assert!((found.largest_at - 2.0).abs() < 1e-9 && (found.largest - 1.5).abs() < 1e-12);
        assert!((mean_frequency(&results, 0, 2.0) - 1.25).abs() < 1e-3);
        assert_eq!(Extremes::of(&results, 0, 0.0).largest, 9.0);
        assert!(Extremes::of(&results, 0, 11.0).largest.is_nan());
    }

    #[test]
    fn noise_about_the_middle_is_no_oscillation() {
        let results = rows(100, |t| t + 0.3 * (TAU * 20.0 * t).sin());
        assert!(mean_frequency(&results, 0, 0.0).is_nan());
    }

    #[test]
    fn a_vibration_of_five_rows_a_period_is_not_resolved_and_one_of_twenty_is() {
        assert_eq!(unresolved(&rows(5, |t| (TAU * t).sin()), 0.0), ["y"]);
        assert!(unresolved(&rows(20, |t| (TAU * t).sin()), 0.0).is_empty());
        // What only grows has its extremes at its ends.
        assert!(unresolved(&rows(1, |t| t.exp()), 0.0).is_empty());
    }
}
