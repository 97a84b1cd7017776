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

/// Mean and standard deviation of the column `index` over the time from `from` (s) on, straight between the rows: μ = ∫ y dt/T and
/// σ² = ∫ (y − μ)² dt/T; NaN where there are less than two rows.
pub fn over_time(results: &Results, index: usize, from: f64) -> [f64; 2] {
    let rows: Vec<(f64, f64)> = results.since(index, from).collect();
    let mean_of = |value: &dyn Fn(f64, f64) -> f64| {
        let [mut area, mut length] = [0.0; 2];
        for two in rows.windows(2) {
            let [(t0, y0), (t1, y1)] = [two[0], two[1]];
            area += (t1 - t0) * value(y0, y1);
            length += t1 - t0;
        }
        area / length
    };
    let mean = mean_of(&|a, b| 0.5 * (a + b));
    let square = mean_of(&|a, b| {
        let [a, b] = [a - mean, b - mean];
        (a * a + a * b + b * b) / 3.0
    });
    [mean, square.sqrt()]
}

/// The outputs that change much between an extreme and the rows beside it, from the time `from` (s) on, and when that extreme is: a
/// shorter communication step may find more.
pub fn unresolved(results: &Results, from: f64) -> Vec<(&str, f64)> {
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for (index, column) in results.columns.iter().enumerate() {
        let size = sizes.entry(&column.unit).or_default();
        *size = results.since(index, from).fold(*size, |size, (_, value)| size.max(value.abs()));
    }
    let columns = results.columns.iter().enumerate().filter(|(_, column)| column.is_real);
    let coarse = columns.filter_map(|(index, column)| {
        let rows: Vec<(f64, f64)> = results.since(index, from).collect();
        let low = rows.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
        let high = rows.iter().map(|row| row.1).fold(f64::NEG_INFINITY, f64::max);
        let allowed = RESOLVED * (high - low);
        let coarse_at = |extreme: f64| {
            let peak = rows.windows(3).find(|rows| rows[1].1 == extreme)?;
            let far = peak.iter().any(|(_, value)| (value - extreme).abs() > allowed);
            far.then_some(peak[1].0)
        };
        let rounding = ROUNDING * sizes.get(column.unit.as_str()).copied().unwrap_or(0.0);
        let at = coarse_at(high).or_else(|| coarse_at(low)).filter(|_| high - low > rounding)?;
        Some((column.name.as_str(), at))
    });
    coarse.collect()
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
    fn a_sine_has_the_mean_and_the_deviation_of_its_formula() {
        let results = rows(1000, |t| if t < 2.0 { 9.0 } else { 1.0 - 0.5 * (TAU * t).cos() });
        let [mean, deviation] = over_time(&results, 0, 2.0);
        assert!((mean - 1.0).abs() < 1e-12);
        // Straight lines between its rows lose (ω h)²/6 of its square.
        assert!((deviation / (0.5 / 2.0_f64.sqrt()) - 1.0).abs() < 1e-5, "{deviation}");
        // A straight line is exact: √(1/12) of its range.
        let [mean, deviation] = over_time(&rows(1, |t| 2.0 * t), 0, 0.0);
        assert!((mean - 10.0).abs() < 1e-12 && (deviation - 20.0 / 12.0_f64.sqrt()).abs() < 1e-12);
        assert!(over_time(&results, 0, 10.0)[0].is_nan());
    }

    #[test]
    fn noise_about_the_middle_is_no_oscillation() {
        let results = rows(100, |t| t + 0.3 * (TAU * 20.0 * t).sin());
        assert!(mean_frequency(&results, 0, 0.0).is_nan());
    }

    #[test]
    fn a_vibration_of_five_rows_a_period_is_not_resolved_and_one_of_twenty_is() {
        let sine = rows(5, |t| (TAU * t).sin());
        let found = unresolved(&sine, 0.0);
        assert!(found.len() == 1 && found[0].0 == "y", "{found:?}");
        // One of its maxima, which differ by rounding.
        assert!((found[0].1.fract() - 0.2).abs() < 1e-9, "{found:?}");
        assert!(unresolved(&rows(20, |t| (TAU * t).sin()), 0.0).is_empty());
        // What only grows has its extremes at its ends.
        assert!(unresolved(&rows(1, |t| t.exp()), 0.0).is_empty());
    }
}
