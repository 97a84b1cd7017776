//! The curves of a page: outputs over time with no more rows than the eye can tell apart.

use serde::Serialize;

use crate::results::Results;

/// Most values of a curve. Of more rows, those with the least and the largest value of every few
/// are kept, so that no peak is lost.
const MAX_ROWS: usize = 4000;

/// Part of a curve's extent that one sees: a third of a pixel.
const SEEN: f64 = 1e-3;

/// Curves over the rows of a run.
#[derive(Debug, Serialize)]
pub struct Curves {
    /// Time from row to row, s.
    step: f64,
    /// Number and time of the last row, which may come earlier than a step after the one before.
    last_row: usize,
    last_time: f64,
    panels: Vec<Panel>,
}

#[derive(Debug, Serialize)]
struct Panel {
    name: String,
    unit: String,
    description: String,
    /// What it is drawn over, if not over the time.
    over: Option<Over>,
    /// Steps from each kept row to the next, from row 0; none where all rows are kept.
    steps: Option<Vec<usize>>,
    /// Seven digits.
    values: Vec<f32>,
}

/// The horizontal axis of a loop.
#[derive(Debug, Serialize)]
struct Over {
    name: String,
    unit: String,
    /// Seven digits, one for each value of the panel.
    values: Vec<f32>,
}

impl Curves {
    /// Of some columns of the results, behind `loops` of one column y over another one x.
    pub fn of(results: &Results, loops: &[[usize; 2]], columns: &[usize]) -> Curves {
        let times = &results.times;
        let loops = loops.iter().map(|[x, y]| Panel::over(results, *x, *y));
        let alone = columns.iter().map(|&c| Panel::of(results, c));
        Curves {
            step: times.get(1).copied().unwrap_or(0.0),
            last_row: times.len().saturating_sub(1),
            last_time: times.last().copied().unwrap_or(0.0),
            panels: loops.chain(alone).collect(),
        }
    }
}

impl Panel {
    /// An output over the time.
    fn of(results: &Results, index: usize) -> Panel {
        let all: Vec<f64> = results.column(index).collect();
        Panel::with(results, index, &all, &kept(&all))
    }

    /// An output over another one.
    fn over(results: &Results, x: usize, y: usize) -> Panel {
        let all: Vec<f64> = results.column(y).collect();
        let points: Vec<(f64, f64)> = results.column(x).zip(all.iter().copied()).collect();
        // The clock begins and ends with the run, wherever the curve does.
        let last = points.len().saturating_sub(1);
        let mut rows = vec![0, last];
        rows.extend(seen(&points));
        rows.sort_unstable();
        rows.dedup();
        let column = &results.columns[x];
        let over = Over {
            name: column.name.clone(),
            unit: column.unit.clone(),
            values: rows.iter().map(|&row| points[row].0 as f32).collect(),
        };
        Panel { over: Some(over), ..Panel::with(results, y, &all, &rows) }
    }

    /// Some `rows` of `all` values of a column.
    fn with(results: &Results, index: usize, all: &[f64], rows: &[usize]) -> Panel {
        let column = &results.columns[index];
        Panel {
            name: column.name.clone(),
            unit: column.unit.clone(),
            // Names in it are marked as Markdown marks them, which the page shows as it is.
            description: column.description.replace('`', ""),
            over: None,
            values: rows.iter().map(|&row| all[row] as f32).collect(),
            steps: (rows.len() < all.len())
                .then(|| rows.windows(2).map(|pair| pair[1] - pair[0]).collect()),
        }
    }
}

/// The rows of a curve whose points are numbers, but those that lie on the one before: nobody sees them apart.
pub fn seen(points: &[(f64, f64)]) -> Vec<usize> {
    let is_number = |row: &usize| points[*row].0.is_finite() && points[*row].1.is_finite();
    let rows: Vec<usize> = (0..points.len()).filter(is_number).collect();
    let of = |value: fn(&(f64, f64)) -> f64| {
        let values = rows.iter().map(|&row| value(&points[row]));
        let ends = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (ends.1 - ends.0) * SEEN
    };
    let (dx, dy) = (of(|p| p.0), of(|p| p.1));
    let mut kept: Vec<usize> = Vec::new();
    for &row in &rows {
        let point = points[row];
        let near = |last: &usize| {
            let last = points[*last];
            (point.0 - last.0).abs() <= dx && (point.1 - last.1).abs() <= dy
        };
        if !kept.last().is_some_and(near) {
            kept.push(row);
        }
    }
    kept.extend(rows.last().filter(|last| kept.last() != Some(last)));
    kept
}

/// Rows of a curve that are shown: the first, the last, and the extremes between.
fn kept(values: &[f64]) -> Vec<usize> {
    let count = values.len();
    if count <= MAX_ROWS {
        return (0..count).collect();
    }
    let parts = MAX_ROWS / 2;
    let mut rows = vec![0];
    for part in 0..parts {
        let range = part * count / parts..(part + 1) * count / parts;
        let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let low = range.clone().min_by(by_value);
        let high = range.max_by(by_value);
        rows.extend(low);
        rows.extend(high);
    }
    rows.push(count - 1);
    rows.sort_unstable();
    rows.dedup();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_its_ends_and_every_peak() {
        let count = 1_000_000;
        let mut values: Vec<f64> = (0..count).map(|i| (f64::from(i) * 1e-3).sin()).collect();
        (values[123_456], values[765_432]) = (9.0, -9.0);
        let rows = kept(&values);
        assert!(rows.len() <= MAX_ROWS + 2);
        assert!(rows.is_sorted());
        for row in [0, 123_456, 765_432, values.len() - 1] {
            assert!(rows.contains(&row), "{row}");
        }
    }

    #[test]
    fn a_short_curve_keeps_every_row() {
        assert_eq!(kept(&[1.0, 1.0, 1.0]), [0, 1, 2]);
    }
}
