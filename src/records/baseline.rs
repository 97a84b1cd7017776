//! Baseline correction: what instruments add to a record and an integration would blow up.

use serde::Deserialize;

use super::{GroundMotion, Kind, Record};
use crate::numerics::legendre;

/// What is taken away from a record before it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Baseline {
    /// Nothing.
    #[default]
    None,
    /// The mean of the record.
    Mean,
    /// The straight line of the least squares.
    Linear,
    /// The parabola of the least squares.
    Quadratic,
    /// From an acceleration, the straight line with which velocity and displacement end at zero.
    Rest,
}

impl Baseline {
    pub fn name(self) -> &'static str {
        match self {
            Baseline::None => "none",
            Baseline::Mean => "mean",
            Baseline::Linear => "linear",
            Baseline::Quadratic => "quadratic",
            Baseline::Rest => "rest",
        }
    }
}

impl Record {
    /// The record less its baseline; `None` where [`Baseline::Rest`] meets no acceleration.
    pub fn corrected(mut self, baseline: Baseline) -> Option<Record> {
        let degree = match baseline {
            Baseline::None => return Some(self),
            Baseline::Mean => 0,
            Baseline::Linear => 1,
            Baseline::Quadratic => 2,
            Baseline::Rest => {
                return (self.kind == Kind::Acceleration).then(|| self.coming_to_rest());
            }
        };
        let fit: Vec<f64> = (0..=degree).map(|k| self.share(k)).collect();
        let place = self.unit_interval();
        for (t, value) in self.times.iter().zip(&mut self.values) {
            let x = place(*t);
            *value -= (fit.iter().enumerate()).map(|(k, c)| c * legendre::value(k, x)).sum::<f64>();
        }
        Some(self)
    }

    /// Takes c₀ + c₁ t from an acceleration so that v(T) = d(T) = 0: with V and D those of the record,
    /// V = c₀ T + c₁ T²/2 and D = c₀ T²/2 + c₁ T³/6.
    fn coming_to_rest(mut self) -> Record {
        let begin = self.times[0];
        let end = self.times[self.times.len() - 1];
        let span = end - begin;
        let [d, v, _] = GroundMotion::of(&self).at(end);
        let slope = 12.0 * (0.5 * v * span - d) / span.powi(3);
        let offset = v / span - 0.5 * slope * span;
        for (t, value) in self.times.iter().zip(&mut self.values) {
            *value -= offset + slope * (t - begin);
        }
        self
    }

    /// Coefficient of the Legendre polynomial P_k in the record's least-squares polynomial,
    /// (2k + 1)/2 ∫ y P_k dx on the record's time mapped to [−1, 1], y straight between samples.
    fn share(&self, k: usize) -> f64 {
        let place = self.unit_interval();
        let root = 1.0 / 3.0_f64.sqrt();
        let mut sum = 0.0;
        for (t, y) in self.times.windows(2).zip(self.values.windows(2)) {
            let (a, b) = (place(t[0]), place(t[1]));
            // Two Gauss points are exact: y P_k is at most cubic.
            for at in [-root, root] {
                let (left, right) = (0.5 * (1.0 - at), 0.5 * (1.0 + at));
                let value = left * y[0] + right * y[1];
                sum += 0.5 * (b - a) * value * legendre::value(k, left * a + right * b);
            }
        }
        0.5 * (2 * k + 1) as f64 * sum
    }

    fn unit_interval(&self) -> impl Fn(f64) -> f64 + use<> {
        let (begin, end) = (self.times[0], self.times[self.times.len() - 1]);
        move |t| (2.0 * t - begin - end) / (end - begin)
    }
}
