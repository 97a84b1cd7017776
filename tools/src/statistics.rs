//! Statistics over the runs of a study.

/// The quantiles that a table shows, with their headings.
pub const QUANTILES: [(f64, &str); 7] = [
    (0.0, "minimum"),
    (0.05, "5 %"),
    (0.25, "25 %"),
    (0.5, "median"),
    (0.75, "75 %"),
    (0.95, "95 %"),
    (1.0, "maximum"),
];

/// What there is to say of some numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    pub count: usize,
    pub mean: f64,
    /// Of the sample, with n − 1; 0 of one number.
    pub deviation: f64,
    /// In the order of [`QUANTILES`].
    pub quantiles: [f64; 7],
}

impl Statistics {
    /// Of those of the `numbers` that are finite; `None` where none is.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Statistics> {
        let mut sorted: Vec<f64> =
            numbers.into_iter().filter(|number| number.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted.is_empty() {
            return None;
        }
        let count = sorted.len();
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = if count > 1 { (squares / (count as f64 - 1.0)).sqrt() } else { 0.0 };
        let quantiles = QUANTILES.map(|(share, _)| quantile(&sorted, share));
        Some(Statistics { count, mean, deviation, quantiles })
    }
}

/// On straight lines between the numbers, the smallest at 0 and the largest at 1 (type 7 of Hyndman & Fan, the usual one of numpy and pandas).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    /// numpy: `quantile([1, 2, 4, 8, 16], [0, .05, .25, .5, .75, .95, 1])`, `std(ddof=1)`.
    #[test]
    fn statistics_are_those_of_numpy() {
        let found = Statistics::of([8.0, 1.0, f64::NAN, 16.0, 2.0, 4.0]).expect("numbers");
        assert_eq!((found.count, found.mean), (5, 6.2));
        assert!((found.deviation - 6.099_180_272_790_763).abs() < 1e-12);
        let known = [1.0, 1.2, 2.0, 4.0, 8.0, 14.4, 16.0];
        for (found, known) in found.quantiles.iter().zip(known) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
        assert_eq!(Statistics::of([f64::NAN]), None);
        assert_eq!(Statistics::of([3.0]).map(|one| (one.mean, one.deviation)), Some((3.0, 0.0)));
    }
}
