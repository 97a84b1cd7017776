//! A measured characteristic: a force against what it follows from.

use crate::numerics::monotone;
use crate::numerics::number::Number;

/// A C¹ curve through the points (x, F), x rising, that rises and falls only where they do, and goes on straight outside.
///
/// Piecewise cubics; the slope at an inner point is the weighted harmonic mean of the chords beside it, and zero where they differ
/// in sign (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300), that at an end is its chord.
#[derive(Debug, Clone, PartialEq)]
pub struct Characteristic {
    knots: Vec<Knot>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    x: f64,
    force: f64,
    slope: f64,
    /// ∫ F dx from the first point.
    energy: f64,
}

/// ∫ F dx from x = 0, F and dF/dx.
pub type Value<D = f64> = [D; 3];

impl Characteristic {
    /// Through points of which there are two or more.
    pub fn through(x: &[f64], force: &[f64]) -> Characteristic {
        let last = x.len() - 1;
        let chord = |i: usize| (force[i + 1] - force[i]) / (x[i + 1] - x[i]);
        let slope = |i: usize| {
            if i == 0 || i == last {
                return chord(i.min(last - 1));
            }
            let widths = [x[i] - x[i - 1], x[i + 1] - x[i]];
            monotone::between(widths, [chord(i - 1), chord(i)])
        };
        let mut knots: Vec<Knot> = Vec::with_capacity(x.len());
        for i in 0..=last {
            let mut knot = Knot { x: x[i], force: force[i], slope: slope(i), energy: 0.0 };
            if let Some(before) = knots.last() {
                knot.energy = before.energy + piece(before, &knot, 1.0)[0];
            }
            knots.push(knot);
        }
        Characteristic { knots }
    }

    /// Energy, force and slope at `x`.
    pub fn at<D: Number>(&self, x: D) -> Value<D> {
        let [energy, force, slope] = self.since_first(x);
        [energy - self.since_first(0.0)[0], force, slope]
    }

    fn since_first<D: Number>(&self, x: D) -> Value<D> {
        let above = self.knots.partition_point(|knot| knot.x <= x.re());
        match (above.checked_sub(1), self.knots.get(above)) {
            (Some(i), Some(next)) => {
                let knot = &self.knots[i];
                let [energy, force, slope] = piece(knot, next, (x - knot.x) / (next.x - knot.x));
                [energy + knot.energy, force, slope]
            }
            (before, next) => {
                let Some(end) = next.or(before.map(|i| &self.knots[i])) else {
                    return [D::zero(); 3];
                };
                let d = x - end.x;
                [
                    d * (d * 0.5 * end.slope + end.force) + end.energy,
                    d * end.slope + end.force,
                    D::from(end.slope),
                ]
            }
        }
    }
}

/// Hermite's cubic between two knots at the share t of the way, with its integral from the first.
fn piece<D: Number>(from: &Knot, to: &Knot, t: D) -> Value<D> {
    let h = to.x - from.x;
    let (m0, m1) = (from.slope * h, to.slope * h);
    let rise = to.force - from.force;
    let (b, c) = (3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise);
    let energy = t * (t * (t * (t * c / 4.0 + b / 3.0) + m0 / 2.0) + from.force);
    let force = t * (t * (t * c + b) + m0) + from.force;
    let slope = t * (t * 3.0 * c + 2.0 * b) + m0;
    [energy * h, force, slope / h]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_characteristic_meets_its_points_is_monotone_between_them_and_is_the_slope_of_its_energy() {
        let (x, force) = ([-0.3, -0.1, 0.02, 0.1, 0.4], [-50.0, -7.0, 1.0, 30.0, 31.0]);
        let curve = Characteristic::through(&x, &force);
        for (x, force) in x.iter().zip(&force) {
            assert!((curve.at(*x)[1] - force).abs() < 1e-12);
        }
        assert_eq!(curve.at(0.0)[0], 0.0);
        let mut before = f64::NEG_INFINITY;
        for i in -600..900 {
            let x = f64::from(i) * 1e-3 + 3e-4;
            let [_, force, slope] = curve.at(x);
            assert!(force >= before && slope >= 0.0, "{x}");
            before = force;
            let d = 1e-5;
            let [low, high] = [curve.at(x - d), curve.at(x + d)];
            let by_energy = (high[0] - low[0]) / (2.0 * d);
            assert!((by_energy - force).abs() < 1e-4, "{x}: {by_energy} {force}");
            let by_force = (high[1] - low[1]) / (2.0 * d);
            assert!((by_force - slope).abs() < 0.02 * (1.0 + slope), "{x}");
        }
        // Straight outside.
        assert!((curve.at(0.5)[2] - curve.at(0.9)[2]).abs() < 1e-12);
        assert!((curve.at(-0.5)[2] - 215.0).abs() < 1e-9);
    }
}
