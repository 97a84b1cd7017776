//! A curve through points that rises and falls only where they do.

use num_dual::Dual64;

use super::number::{Contradiction, Value};
use crate::message::figure;

/// Piecewise cubics through the points (x, y), x rising: C¹, monotone between any two points, and
/// constant outside.
///
/// The slope at an inner point is the weighted harmonic mean of the chords beside it, and zero
/// where they differ in sign (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300, a slope
/// in the monotone region of Fritsch & Carlson 1980). At the ends the curve runs into the constants
/// without a corner; only from x = 0, where there is nothing to the left, it starts along its chord.
#[derive(Debug, Clone, Copy)]
pub struct Curve<'a, N> {
    pub x: &'a [N],
    pub y: &'a [N],
}

impl<N: Value> Curve<'_, N> {
    /// y at `x`, 0 without points; there are as many x as y.
    pub fn at(&self, x: Dual64) -> Dual64 {
        let Some(last) = self.x.len().checked_sub(1) else {
            return Dual64::from_re(0.0);
        };
        let above = self.x.partition_point(|knot| knot.dual().re <= x.re);
        if above == 0 {
            return self.y[0].dual();
        }
        if above > last {
            return self.y[last].dual();
        }
        let i = above - 1;
        let (x0, y0, y1) = (self.x[i].dual(), self.y[i].dual(), self.y[i + 1].dual());
        let h = self.x[i + 1].dual() - x0;
        let t = (x - x0) / h;
        let (m0, m1) = (self.slope(i) * h, self.slope(i + 1) * h);
        let rise = y1 - y0;
        // Hermite's cubic.
        y0 + t * (m0 + t * (rise * 3.0 - m0 * 2.0 - m1 + t * (m0 + m1 - rise * 2.0)))
    }

    fn chord(&self, i: usize) -> (Dual64, Dual64) {
        let h = self.x[i + 1].dual() - self.x[i].dual();
        (h, (self.y[i + 1].dual() - self.y[i].dual()) / h)
    }

    fn slope(&self, i: usize) -> Dual64 {
        let last = self.x.len() - 1;
        if i == last || i == 0 {
            let begins = i == 0 && self.x[0].dual().re == 0.0;
            return if begins { self.chord(0).1 } else { Dual64::from_re(0.0) };
        }
        let ((before, left), (after, right)) = (self.chord(i - 1), self.chord(i));
        if left.re * right.re <= 0.0 {
            return Dual64::from_re(0.0);
        }
        let (a, b) = (after * 2.0 + before, after + before * 2.0);
        (a + b) / (a / left + b / right)
    }
}

/// What keeps two lists, each with its key, from being a curve of at least `least` points.
pub fn contradiction<N: Value>(
    (x_key, x): (&str, &[N]), (y_key, y): (&str, &[N]), least: usize,
) -> Option<Contradiction> {
    if x.len() != y.len() {
        return Some(Contradiction {
            place: y_key.to_owned(),
            text: format!(
                "has {} entries and `{x_key}` has {}; allowed: as many",
                y.len(),
                x.len()
            ),
        });
    }
    if x.len() < least {
        return Some(Contradiction {
            place: x_key.to_owned(),
            text: format!("has {} entries; allowed: {least} or more", x.len()),
        });
    }
    let falls = x.windows(2).position(|w| w[0].dual().re >= w[1].dual().re)?;
    Some(Contradiction {
        place: format!("{x_key}[{}]", falls + 1),
        text: format!(
            "is {}, after {}; allowed: rising numbers",
            figure(x[falls + 1].dual().re),
            figure(x[falls].dual().re)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_meets_its_points_and_turns_only_at_them() {
        let x = [0.0, 0.02, 0.1, 0.15, 0.7, 2.0];
        let y = [0.4, 0.31, 0.30, 0.33, 0.33, 0.2];
        let curve = Curve { x: &x, y: &y };
        let at = |x: f64| curve.at(Dual64::new(x, 1.0));
        for (x, y) in x.iter().zip(&y) {
            assert!((at(*x).re - y).abs() < 1e-15);
        }
        for (i, w) in x.windows(2).enumerate() {
            let sign = y[i + 1] - y[i];
            for k in 0..=100 {
                let inside = w[0] + (w[1] - w[0]) * f64::from(k) / 100.0;
                assert!(at(inside).eps * sign >= -1e-15, "{inside}");
                assert!(sign != 0.0 || at(inside).eps == 0.0, "{inside}");
            }
            // C¹.
            let (left, right) = (at(w[1] - 1e-9).eps, at(w[1] + 1e-9).eps);
            assert!((left - right).abs() < 1e-6, "{left} {right}");
        }
        assert_eq!(at(3.0), Dual64::new(0.2, 0.0));
        // The best known property of the harmonic mean: it lies nearer to the smaller chord.
        let (x, y) = ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 4.0, 9.0]);
        let slope = Curve { x: &x, y: &y }.at(Dual64::new(1.0, 1.0)).eps;
        assert!((slope - 1.5).abs() < 1e-15, "2/(1/1 + 1/3)");
    }
}
