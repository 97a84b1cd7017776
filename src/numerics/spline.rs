//! Curves through given values.

/// Value, first and second derivative.
pub type Jet = [f64; 3];

/// A C² cubic spline; outside its range it goes on as a straight line.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    knots: Vec<f64>,
    values: Vec<f64>,
    /// Second derivatives at the knots.
    curvatures: Vec<f64>,
}

impl Spline {
    /// The natural spline, whose curvature vanishes at both ends, so that it is C² outside of its range, too. `knots` strictly
    /// increasing, same length as `values`, at least two; all finite. The checker guarantees it; `None` otherwise.
    pub fn natural(knots: Vec<f64>, values: Vec<f64>) -> Option<Spline> {
        Spline::through(knots, values, false)
    }

    /// The spline whose slope vanishes at both ends: outside of its range it keeps the first and the last value, and is C¹ there.
    /// `None` as above.
    pub fn level(knots: Vec<f64>, values: Vec<f64>) -> Option<Spline> {
        Spline::through(knots, values, true)
    }

    fn through(knots: Vec<f64>, values: Vec<f64>, level: bool) -> Option<Spline> {
        let n = knots.len();
        let rising = knots.windows(2).all(|w| w[0] < w[1]);
        let finite = knots.iter().chain(&values).all(|x| x.is_finite());
        if n < 2 || values.len() != n || !rising || !finite {
            return None;
        }
        // Thomas algorithm for the tridiagonal system of the curvatures, h₀ m₋ + 2 (h₀ + h₁) m + h₁ m₊ = 6 (slope₁ − slope₀); a
        // level end is a knot with the interval 0 and the slope 0 beyond it, a natural one has no row.
        let step = |i: usize| knots[i + 1] - knots[i];
        let slope = |i: usize| (values[i + 1] - values[i]) / step(i);
        let rows = if level { 0..n } else { 1..n - 1 };
        let mut curvatures = vec![0.0; n];
        let mut upper = vec![0.0; n];
        for i in rows.clone() {
            let [h0, before] = if i == 0 {
                [0.0; 2]
            } else {
                [step(i - 1), slope(i - 1)]
            };
            let [h1, after] = if i == n - 1 {
                [0.0; 2]
            } else {
                [step(i), slope(i)]
            };
            let last = i.checked_sub(1);
            let [upper_before, curvature] = last.map_or([0.0; 2], |k| [upper[k], curvatures[k]]);
            let pivot = 2.0 * (h0 + h1) - h0 * upper_before;
            upper[i] = h1 / pivot;
            curvatures[i] = (6.0 * (after - before) - h0 * curvature) / pivot;
        }
        for i in rows.rev().filter(|i| i + 1 < n) {
            curvatures[i] -= upper[i] * curvatures[i + 1];
        }
        Some(Spline {
            knots,
            values,
            curvatures,
        })
    }

    /// Places of the given values, rising.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Value and two derivatives at `x`.
    pub fn at(&self, x: f64) -> Jet {
        let last = self.knots.len() - 1;
        let i = self.knots.partition_point(|&knot| knot <= x).clamp(1, last) - 1;
        let h = self.knots[i + 1] - self.knots[i];
        let (y0, y1) = (self.values[i], self.values[i + 1]);
        let (m0, m1) = (self.curvatures[i], self.curvatures[i + 1]);
        let inside = x.clamp(self.knots[0], self.knots[last]);
        let (a, b) = (
            (self.knots[i + 1] - inside) / h,
            (inside - self.knots[i]) / h,
        );
        let value = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
        let slope = (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0;
        if inside == x {
            [value, slope, a * m0 + b * m1]
        } else {
            [value + slope * (x - inside), slope, 0.0]
        }
    }
}
