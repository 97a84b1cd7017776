//! A rational B-spline.

use super::parametric::{ByLength, Curve};

/// Pieces of a span between two knots.
const PARTS: usize = 4;

/// A smooth part of a rational B-spline (NURBS).
#[derive(Debug, Clone, PartialEq)]
pub struct Nurbs {
    degree: usize,
    knots: Vec<f64>,
    /// w x, w y, w of each control point.
    points: Vec<[f64; 3]>,
    /// The spans over which it is smooth, from the first to the last.
    spans: [usize; 2],
}

/// A smooth part of a NURBS by its arc length.
pub type NurbsCurve = ByLength<Nurbs>;

/// Why there is no such curve.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NurbsFault {
    #[error("degree {0}; allowed: 1 to 10")]
    Degree(usize),
    #[error(
        "{points} control points and {knots} knots for degree {degree}; allowed: as many knots as points and degree together, and one more"
    )]
    Count { degree: usize, points: usize, knots: usize },
    #[error(
        "knots that fall, or all of one value; allowed: rising ones, of which some may be equal"
    )]
    Knots,
    #[error("weight {0}; allowed: above 0")]
    Weight(f64),
}

impl Curve for Nurbs {
    /// By de Boor's algorithm, the derivative from its last step.
    fn at(&self, t: f64) -> [[f64; 2]; 2] {
        let p = self.degree;
        let [first, last] = self.spans;
        let span = self.knots.partition_point(|&knot| knot <= t);
        let span = span.saturating_sub(1).clamp(first, last);
        let mut points: Vec<[f64; 3]> = self.points[span - p..=span].to_vec();
        let mut slope = [0.0; 3];
        for level in 1..=p {
            for j in (level..=p).rev() {
                let low = self.knots[span - p + j];
                let width = self.knots[span + 1 + j - level] - low;
                let share = (t - low) / width;
                let (a, b) = (points[j - 1], points[j]);
                if level == p {
                    slope = [0, 1, 2].map(|i| p as f64 * (b[i] - a[i]) / width);
                }
                points[j] = [0, 1, 2].map(|i| (1.0 - share) * a[i] + share * b[i]);
            }
        }
        let [x, y, w] = points[p];
        let at = [x / w, y / w];
        [at, [0, 1].map(|i| (slope[i] - at[i] * slope[2]) / w)]
    }
}

impl Nurbs {
    /// The smooth parts of the curve in order; it is parted where as many knots as its degree are equal.
    ///
    /// # Errors
    /// Numbers that make no curve.
    pub fn parts(
        degree: usize, knots: &[f64], points: &[[f64; 2]], weights: &[f64],
    ) -> Result<Vec<NurbsCurve>, NurbsFault> {
        if !(1..=10).contains(&degree) {
            return Err(NurbsFault::Degree(degree));
        }
        if points.len() <= degree || knots.len() != points.len() + degree + 1 {
            return Err(NurbsFault::Count { degree, points: points.len(), knots: knots.len() });
        }
        let rising = knots.windows(2).all(|pair| pair[0] <= pair[1]);
        let inner = &knots[degree..=points.len()];
        // Spans of rounding have no length.
        let shortest = 1e-12 * (inner[inner.len() - 1] - inner[0]);
        if !(rising && shortest > 0.0) {
            return Err(NurbsFault::Knots);
        }
        let weight = |k: usize| weights.get(k).copied().unwrap_or(1.0);
        let homogeneous = |(k, point): (usize, &[f64; 2])| {
            let w = weight(k);
            [w * point[0], w * point[1], w]
        };
        if let Some(w) = (0..points.len()).map(weight).find(|w| w.is_nan() || *w <= 0.0) {
            return Err(NurbsFault::Weight(w));
        }
        let points: Vec<[f64; 3]> = points.iter().enumerate().map(homogeneous).collect();
        let spans: Vec<usize> =
            (degree..points.len()).filter(|&k| knots[k + 1] - knots[k] > shortest).collect();
        let joined = |pair: &[usize]| pair[1] - pair[0] < degree;
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, &span) in spans.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if joined(&spans[i - 1..=i]) => group.push(span),
                _ => groups.push(vec![span]),
            }
        }
        let part = |group: Vec<usize>| {
            let (first, last) = (group[0], group[group.len() - 1]);
            let mut parts: Vec<f64> = (group.iter())
                .flat_map(|&k| {
                    let width = knots[k + 1] - knots[k];
                    (0..PARTS).map(move |i| knots[k] + width * i as f64 / PARTS as f64)
                })
                .collect();
            parts.push(knots[last + 1]);
            let curve = Nurbs {
                degree,
                knots: knots[first - degree..=last + degree + 1].to_vec(),
                points: points[first - degree..=last].to_vec(),
                spans: [degree, last - first + degree],
            };
            ByLength::new(curve, parts)
        };
        Ok(groups.into_iter().map(part).collect())
    }
}
