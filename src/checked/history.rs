//! Prescribed functions of time: factors of loads, laws and ends of imposed motions.

use std::f64::consts::TAU;
use std::sync::Arc;

use serde::Deserialize;

use crate::numerics::expression::Expression;
use crate::records::GroundMotion;

pub use crate::numerics::spline::{Jet, Spline};

/// A dimensionless factor f(t) of a load.
#[derive(Debug, Clone, PartialEq)]
pub enum History {
    /// f = 1.
    Constant,
    /// From 0 to 1 between `start` and `start + duration`, with zero slope and curvature at both
    /// ends: 10τ³ − 15τ⁴ + 6τ⁵; `smooth = false`: the straight line τ.
    Ramp { start: f64, duration: f64, smooth: bool },
    /// sin(2π f t + φ), f in Hz, φ in rad.
    Sine { frequency: f64, phase: f64 },
    /// A piecewise polynomial through given values, and how it runs between them.
    Table(Spline, Interpolation),
    /// A function of t as written.
    Expression(Arc<Expression>),
}

/// How the N components of a load change with time.
#[derive(Debug, Clone, PartialEq)]
pub struct Factors<const N: usize> {
    /// The factor of all.
    pub history: History,
    /// Those that are functions of t themselves; their size as a number is 1.
    pub own: [Option<Arc<Expression>>; N],
}

impl<const N: usize> From<History> for Factors<N> {
    fn from(history: History) -> Factors<N> {
        Factors { history, own: [const { None }; N] }
    }
}

impl<const N: usize> Factors<N> {
    /// Factor of a component at time `t`.
    pub fn at(&self, component: usize, t: f64) -> f64 {
        let own = self.own[component].as_ref().map_or(1.0, |f| f.value(t));
        own * self.history.at(t)[0]
    }

    /// Whether a component stays as it is.
    pub fn is_constant(&self, component: usize) -> bool {
        self.history == History::Constant && self.own[component].is_none()
    }

    /// Whether all do.
    pub fn are_constant(&self) -> bool {
        (0..N).all(|component| self.is_constant(component))
    }

    /// The components that are functions of t.
    pub fn functions(&self) -> impl Iterator<Item = &Arc<Expression>> {
        self.own.iter().flatten()
    }
}

/// How a table runs from value to value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Straight.
    Linear,
    /// Each value until the next.
    Step,
    /// C¹ cubics that rise and fall only where the values do.
    Monotone,
    /// A C² cubic, which may leave the range of the values.
    Smooth,
}

impl Interpolation {
    /// Its word in the model file.
    pub fn word(self) -> &'static str {
        match self {
            Interpolation::Linear => "linear",
            Interpolation::Step => "step",
            Interpolation::Monotone => "monotone",
            Interpolation::Smooth => "smooth",
        }
    }

    /// The curve through `values` at `times`, which `level` ends leave without a slope; `None` where they are no table.
    pub fn through(self, times: Vec<f64>, values: Vec<f64>, level: bool) -> Option<Spline> {
        match (self, level) {
            (Interpolation::Linear, _) => Spline::linear(times, &values, level),
            (Interpolation::Step, _) => Spline::step(times, &values),
            (Interpolation::Monotone, _) => Spline::monotone(times, &values, level),
            (Interpolation::Smooth, false) => Spline::natural(times, values),
            (Interpolation::Smooth, true) => Spline::level(times, values),
        }
    }
}

/// Displacement or rotation g(t) of an imposed motion, from the initial configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionLaw {
    /// g is constant; it can be an FMU input.
    Position(f64),
    /// g = rate · t; the rate can be an FMU input, g is then its integral.
    Rate(f64),
    /// g̈ is constant; it can be an FMU input, g and ġ are then its integrals from rest at zero.
    Acceleration(f64),
    /// g = value · f(t).
    Scaled { value: f64, history: History },
    /// g = scale · d(t − start) of a record.
    Record { ground: Arc<GroundMotion>, scale: f64, start: f64 },
}

/// When an imposed motion ends; what it drove is then free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Release {
    /// At this time, s (> 0).
    Time(f64),
    /// Where the sliding coordinate of a slider passes `at` (m) for the first time.
    Position { slider: usize, at: f64 },
}

impl History {
    /// f, ḟ and f̈ at time `t`.
    pub fn at(&self, t: f64) -> Jet {
        match self {
            History::Constant => [1.0, 0.0, 0.0],
            History::Ramp { start, duration, smooth } => {
                let x = (t - start) / duration;
                if x <= 0.0 {
                    [0.0; 3]
                } else if x >= 1.0 {
                    [1.0, 0.0, 0.0]
                } else if *smooth {
                    [
                        x * x * x * (10.0 + x * (-15.0 + 6.0 * x)),
                        30.0 * x * x * (1.0 - x) * (1.0 - x) / duration,
                        60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (duration * duration),
                    ]
                } else {
                    [x, 1.0 / duration, 0.0]
                }
            }
            History::Sine { frequency, phase } => {
                let w = TAU * frequency;
                let (sin, cos) = (w * t + phase).sin_cos();
                [sin, w * cos, -w * w * sin]
            }
            History::Table(spline, _) => spline.at(t),
            History::Expression(function) => function.at(t),
        }
    }
}

/// A corner of a factor of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// s.
    pub time: f64,
    /// By how much the slope changes, relative to the largest factor, 1/s.
    pub bend: f64,
    /// Time to the nearer of its neighbours, s.
    pub apart: f64,
}

impl History {
    /// Corners of straight ramps and of linear tables.
    pub fn corners(&self) -> Vec<Corner> {
        let (times, largest) = match self {
            History::Ramp { start, duration, smooth: false } => {
                (vec![*start, start + duration], 1.0)
            }
            History::Table(table, Interpolation::Linear) => {
                let [least, most] = table.range();
                (table.knots().to_vec(), least.abs().max(most.abs()))
            }
            _ => return Vec::new(),
        };
        let slope = |t: f64| self.at(t)[1];
        let apart =
            |i: usize, j: usize| times.get(j).map_or(f64::INFINITY, |t| (t - times[i]).abs());
        let corner = |(i, &time): (usize, &f64)| Corner {
            time,
            bend: (slope(time.next_up()) - slope(time.next_down())).abs() / largest,
            apart: apart(i, i + 1).min(apart(i, i.wrapping_sub(1))),
        };
        // A table of zeros has none.
        times.iter().enumerate().map(corner).filter(|corner| corner.bend > 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spline_meets_its_knots_and_its_derivatives_are_those_of_its_values() {
        let times: Vec<f64> = (0..9).map(|i| 0.1 * f64::from(i * i)).collect();
        let values: Vec<f64> = times.iter().map(|t| (1.3 * t).sin()).collect();
        let spline = Spline::natural(times.clone(), values.clone()).expect("valid knots");
        for (t, y) in times.iter().zip(&values) {
            assert!((spline.at(*t)[0] - y).abs() < 1e-14);
        }
        let e = 1e-5;
        for t in [-0.5, 0.04, 0.77, 3.3, 6.3, 7.0] {
            let [_, slope, curvature] = spline.at(t);
            let (l, m, r) = (spline.at(t - e)[0], spline.at(t)[0], spline.at(t + e)[0]);
            assert!((slope - (r - l) / (2.0 * e)).abs() < 1e-8);
            assert!((curvature - (r - 2.0 * m + l) / (e * e)).abs() < 1e-4);
        }
    }

    #[test]
    fn a_level_spline_keeps_its_last_value_and_has_no_slope_at_its_ends() {
        let (times, values) = (vec![0.0, 0.5, 0.6, 2.0], vec![1.0, -2.0, 0.0, 3.0]);
        let spline = Spline::level(times.clone(), values.clone()).expect("valid knots");
        for (t, y) in times.iter().zip(&values) {
            assert!((spline.at(*t)[0] - y).abs() < 1e-14);
        }
        for (t, y) in [(-1.0, 1.0), (0.0, 1.0), (2.0, 3.0), (7.0, 3.0)] {
            let [value, slope, _] = spline.at(t);
            assert!((value - y).abs() < 1e-13 && slope.abs() < 1e-13, "{t} {value} {slope}");
        }
        // Slope and curvature are continuous at the knots between.
        for t in [0.5, 0.6] {
            let [before, after] = [-1e-9, 1e-9].map(|e| spline.at(t + e));
            assert!((before[1] - after[1]).abs() < 1e-5 && (before[2] - after[2]).abs() < 1e-4);
        }
        // Between two values alone it is the cubic 3x² − 2x³.
        let two = Spline::level(vec![0.0, 2.0], vec![0.0, 1.0]).expect("valid knots");
        assert!((two.at(0.5)[0] - (3.0 / 16.0 - 2.0 / 64.0)).abs() < 1e-15);
    }

    #[test]
    fn a_monotone_curve_is_pchip() {
        // SciPy 1.15, PchipInterpolator: value and two derivatives.
        let (times, values) = ([0.0, 0.5, 0.6, 2.0, 2.5, 4.0], [1.0, -2.0, 0.0, 3.0, 3.0, 2.5]);
        let curve = Spline::monotone(times.to_vec(), &values, false).expect("valid knots");
        for (t, right) in [
            (0.1, [-0.464, -11.52, 57.6]),
            (0.55, [-1.063084112149531, 28.73831775700936, 50.467289719625114]),
            (1.3, [2.383177570093458, 1.9526034712950593, -3.604806408544727]),
            (2.2, [3.0, 0.0, 0.0]),
            (3.0, [2.935185185185185, -0.25, -0.4444444444444444]),
            (3.9, [2.5571851851851854, -0.56, -0.24444444444444435]),
        ] {
            for (value, right) in curve.at(t).into_iter().zip(right) {
                assert!((value - right).abs() < 1e-12, "{t}: {:?}", curve.at(t));
            }
        }
        assert_eq!(curve.overshoot(), None);
    }

    #[test]
    fn a_smooth_curve_through_a_switch_is_found_to_leave_its_values() {
        let (times, values) = ([0.0, 1.0, 1.01, 3.0, 3.01, 4.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
        let curve = Spline::natural(times.to_vec(), values.to_vec()).expect("valid knots");
        let sampled = (0..40_000).map(|i| curve.at(1e-4 * f64::from(i))[0]);
        let largest = sampled.fold(0.0, f64::max);
        let [t, y] = curve.overshoot().expect("it swings beyond");
        assert!((y - largest).abs() < 1e-3 && (y - curve.at(t)[0]).abs() < 1e-12, "{y} {largest}");
        assert!(y > 50.0);
    }

    #[test]
    fn corners_are_where_straight_pieces_meet() {
        let ramp = History::Ramp { start: 0.5, duration: 2.0, smooth: false };
        let at = |time: f64, bend: f64, apart: f64| Corner { time, bend, apart };
        assert_eq!(ramp.corners(), [at(0.5, 0.5, 2.0), at(2.5, 0.5, 2.0)]);
        let (times, values) = (vec![0.0, 1.0, 1.5, 3.0], [0.0, 2.0, 2.0, -4.0]);
        let table = |level: bool| {
            let spline = Spline::linear(times.clone(), &values, level).expect("valid knots");
            History::Table(spline, Interpolation::Linear).corners()
        };
        let inner = [at(1.0, 0.5, 0.5), at(1.5, 1.0, 0.5)];
        assert_eq!(table(false), inner);
        assert_eq!(table(true)[1..3], inner);
        assert_eq!(table(true).len(), 4);
        assert!(History::Sine { frequency: 1.0, phase: 0.0 }.corners().is_empty());
    }

    #[test]
    fn smooth_ramp_derivatives_are_those_of_its_values() {
        let ramp = History::Ramp { start: 0.5, duration: 2.0, smooth: true };
        let e = 1e-4;
        for t in [0.2, 0.9, 1.5, 2.3, 2.8] {
            let [f, df, ddf] = ramp.at(t);
            let (l, r) = (ramp.at(t - e)[0], ramp.at(t + e)[0]);
            assert!((df - (r - l) / (2.0 * e)).abs() < 1e-7);
            assert!((ddf - (r - 2.0 * f + l) / (e * e)).abs() < 1e-6);
        }
    }
}
