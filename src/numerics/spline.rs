//! Curves through given values.

use super::monotone::slopes;
use super::number::Number;

/// Value, first and second derivative.
pub type Jet<D = f64> = [D; 3];

/// A piecewise polynomial through given values, of degree 0 to 3; outside its range it goes on as a straight line.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    knots: Vec<f64>,
    /// Coefficients of the powers of x − x₀, where x₀ is the knot before: first the line before the first knot (from that knot), then the
    /// polynomial behind each knot.
    pieces: Vec<[f64; 4]>,
}

impl Spline {
    /// The natural spline, whose curvature vanishes at both ends, so that it is C² outside of its range, too. `knots` strictly
    /// increasing, same length as `values`, at least two; all finite. The checker guarantees it; `None` otherwise.
    pub fn natural(knots: Vec<f64>, values: Vec<f64>) -> Option<Spline> {
        Spline::smooth(knots, values, false)
    }

    /// The spline whose slope vanishes at both ends: outside of its range it keeps the first and the last value, and is C¹ there.
    /// `None` as above.
    pub fn level(knots: Vec<f64>, values: Vec<f64>) -> Option<Spline> {
        Spline::smooth(knots, values, true)
    }

    /// Each value from its knot on, the first one also before it. `None` as above.
    pub fn step(knots: Vec<f64>, values: &[f64]) -> Option<Spline> {
        is_table(&knots, values).then(|| {
            let all = [values[0]].into_iter().chain(values.iter().copied());
            let pieces = all.map(|value| [value, 0.0, 0.0, 0.0]).collect();
            Spline { knots, pieces }
        })
    }

    /// Straight lines from value to value; outside, the first and the last line or, where they are `level`, the end values. `None` as above.
    pub fn linear(knots: Vec<f64>, values: &[f64], level: bool) -> Option<Spline> {
        is_table(&knots, values).then(|| {
            let last = knots.len() - 1;
            let chord = |i: usize| (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]);
            let outside = |i: usize| if level { 0.0 } else { chord(i) };
            let mut pieces = vec![[values[0], outside(0), 0.0, 0.0]];
            pieces.extend((0..last).map(|i| [values[i], chord(i), 0.0, 0.0]));
            pieces.push([values[last], outside(last - 1), 0.0, 0.0]);
            Spline { knots, pieces }
        })
    }

    /// The C¹ cubics that rise and fall only where the values do (PCHIP, [`slopes`]); `level` ends have no slope. `None` as above.
    pub fn monotone(knots: Vec<f64>, values: &[f64], level: bool) -> Option<Spline> {
        is_table(&knots, values).then(|| {
            let mut slopes = slopes(&knots, values);
            let last = knots.len() - 1;
            if level {
                (slopes[0], slopes[last]) = (0.0, 0.0);
            }
            let mut pieces = vec![[values[0], slopes[0], 0.0, 0.0]];
            pieces.extend((0..last).map(|i| {
                let h = knots[i + 1] - knots[i];
                let (chord, m0, m1) = ((values[i + 1] - values[i]) / h, slopes[i], slopes[i + 1]);
                let square = (3.0 * chord - 2.0 * m0 - m1) / h;
                [values[i], m0, square, (m0 + m1 - 2.0 * chord) / (h * h)]
            }));
            pieces.push([values[last], slopes[last], 0.0, 0.0]);
            Spline { knots, pieces }
        })
    }

    fn smooth(knots: Vec<f64>, values: Vec<f64>, level: bool) -> Option<Spline> {
        if !is_table(&knots, &values) {
            return None;
        }
        let n = knots.len();
        // Thomas algorithm for the tridiagonal system of the curvatures, h₀ m₋ + 2 (h₀ + h₁) m + h₁ m₊ = 6 (slope₁ − slope₀); a
        // level end is a knot with the interval 0 and the slope 0 beyond it, a natural one has no row.
        let step = |i: usize| knots[i + 1] - knots[i];
        let slope = |i: usize| (values[i + 1] - values[i]) / step(i);
        let rows = if level { 0..n } else { 1..n - 1 };
        let mut curvatures = vec![0.0; n];
        let mut upper = vec![0.0; n];
        for i in rows.clone() {
            let [h0, before] = if i == 0 { [0.0; 2] } else { [step(i - 1), slope(i - 1)] };
            let [h1, after] = if i == n - 1 { [0.0; 2] } else { [step(i), slope(i)] };
            let last = i.checked_sub(1);
            let [upper_before, curvature] = last.map_or([0.0; 2], |k| [upper[k], curvatures[k]]);
            let pivot = 2.0 * (h0 + h1) - h0 * upper_before;
            upper[i] = h1 / pivot;
            curvatures[i] = (6.0 * (after - before) - h0 * curvature) / pivot;
        }
        for i in rows.rev().filter(|i| i + 1 < n) {
            curvatures[i] -= upper[i] * curvatures[i + 1];
        }
        let begins =
            |i: usize| slope(i) - step(i) * (2.0 * curvatures[i] + curvatures[i + 1]) / 6.0;
        let ends = slope(n - 2) + step(n - 2) * (curvatures[n - 2] + 2.0 * curvatures[n - 1]) / 6.0;
        let outside = |slope: f64| if level { 0.0 } else { slope };
        let mut pieces = vec![[values[0], outside(begins(0)), 0.0, 0.0]];
        pieces.extend((0..n - 1).map(|i| {
            let cube = (curvatures[i + 1] - curvatures[i]) / (6.0 * step(i));
            [values[i], begins(i), 0.5 * curvatures[i], cube]
        }));
        pieces.push([values[n - 1], outside(ends), 0.0, 0.0]);
        Some(Spline { knots, pieces })
    }

    /// Places of the given values, rising.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The given values.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.pieces[1..].iter().map(|piece| piece[0])
    }

    /// Value and two derivatives at `x`; at a knot, those behind it.
    pub fn at<D: Number>(&self, x: D) -> Jet<D> {
        let behind = self.knots.partition_point(|&knot| knot <= x.re());
        let x = x - self.knots[behind.saturating_sub(1)];
        let [a, b, c, d] = self.pieces[behind];
        [x * (x * (x * d + c) + b) + a, x * (x * 3.0 * d + 2.0 * c) + b, x * (6.0 * d) + 2.0 * c]
    }

    /// Where between the knots, and at which value, the curve is farthest outside of the range of the given values; `None` where it stays inside.
    pub fn overshoot(&self) -> Option<[f64; 2]> {
        let [least, largest] = self.range();
        let outside = |y: f64| (y - largest).max(least - y);
        let between = self.knots.windows(2).zip(&self.pieces[1..]);
        let turns = between.flat_map(|(ends, &[_, b, c, d])| {
            // Zeros of the slope b + 2 c x + 3 d x², free of cancellation.
            let q = -(c + (c * c - 3.0 * b * d).sqrt().copysign(c));
            let inside = [q / (3.0 * d), b / q].map(|x| ends[0] + x);
            inside.into_iter().filter(|x| (ends[0]..ends[1]).contains(x))
        });
        let turns = turns.map(|x| [x, self.at(x)[0]]);
        turns
            .filter(|[_, y]| outside(*y) > 0.0)
            .max_by(|a, b| outside(a[1]).total_cmp(&outside(b[1])))
    }

    /// Least and largest of the given values.
    pub fn range(&self) -> [f64; 2] {
        let all = [f64::INFINITY, f64::NEG_INFINITY];
        self.values().fold(all, |[a, b], y| [a.min(y), b.max(y)])
    }
}

/// Whether two columns are a table: as many values as knots, two or more, knots rising, all finite.
fn is_table(knots: &[f64], values: &[f64]) -> bool {
    let rising = knots.windows(2).all(|w| w[0] < w[1]);
    let finite = knots.iter().chain(values).all(|x| x.is_finite());
    knots.len() >= 2 && values.len() == knots.len() && rising && finite
}
