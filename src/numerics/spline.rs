//! Curves through given values.

/// Value, first and second derivative.
pub type Jet = [f64; 3];

/// A natural C² cubic spline; outside its range it goes on as a straight line.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    knots: Vec<f64>,
    values: Vec<f64>,
    /// Second derivatives at the knots.
    curvatures: Vec<f64>,
}

impl Spline {
    /// `knots` strictly increasing, same length as `values`, at least two; all finite. The
    /// checker guarantees it; `None` otherwise.
    pub fn natural(knots: Vec<f64>, values: Vec<f64>) -> Option<Spline> {
        let n = knots.len();
        let rising = knots.windows(2).all(|w| w[0] < w[1]);
        let finite = knots.iter().chain(&values).all(|x| x.is_finite());
        if n < 2 || values.len() != n || !rising || !finite {
            return None;
        }
        // Thomas algorithm for the tridiagonal system of the interior curvatures.
        let mut curvatures = vec![0.0; n];
        let mut upper = vec![0.0; n];
        for i in 1..n - 1 {
            let (h0, h1) = (knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
            let slope = (values[i + 1] - values[i]) / h1 - (values[i] - values[i - 1]) / h0;
            let pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
            upper[i] = h1 / pivot;
            curvatures[i] = (6.0 * slope - h0 * curvatures[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
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
