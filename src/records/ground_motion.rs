//! Displacement, velocity and acceleration of a record, exact derivatives of each other.

use super::{Kind, Record};
use crate::numerics::spline::{Jet, Spline};

/// The ground's displacement with its derivatives, from whatever was recorded.
///
/// - Acceleration: straight between samples; velocity is then a parabola and displacement a cubic in
///   every interval (Nigam & Jennings 1969), from rest at zero.
/// - Velocity: a natural C² spline; displacement is its integral, a quartic, from zero.
/// - Displacement: a natural C² spline.
///
/// Before its first sample the ground rests where that leaves it; after the last one it goes on with
/// the velocity reached, so that a drift is seen and not hidden.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundMotion {
    times: Vec<f64>,
    shape: Shape,
    /// Displacement at the samples, m.
    displacement: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// Acceleration and velocity at the samples.
    Acceleration(Vec<f64>, Vec<f64>),
    Velocity(Spline),
    Displacement(Spline),
    /// Nothing moves.
    Rest,
}

impl GroundMotion {
    /// The ground motion of a record.
    pub fn of(record: &Record) -> GroundMotion {
        let (times, values) = (record.times.clone(), record.values.clone());
        let spline = || Spline::natural(times.clone(), values.clone());
        let mut displacement = vec![0.0; times.len()];
        let shape = match record.kind {
            Kind::Acceleration => {
                let mut velocity = vec![0.0; times.len()];
                for i in 1..times.len() {
                    let h = times[i] - times[i - 1];
                    let [d, v, _] = ahead(
                        h,
                        [displacement[i - 1], velocity[i - 1], values[i - 1]],
                        (values[i] - values[i - 1]) / h,
                    );
                    (displacement[i], velocity[i]) = (d, v);
                }
                Shape::Acceleration(values, velocity)
            }
            Kind::Velocity => match spline() {
                Some(spline) => {
                    for i in 1..times.len() {
                        displacement[i] =
                            displacement[i - 1] + integral(&spline, times[i - 1], times[i]);
                    }
                    Shape::Velocity(spline)
                }
                None => Shape::Rest,
            },
            Kind::Displacement => {
                displacement.copy_from_slice(&values);
                spline().map_or(Shape::Rest, Shape::Displacement)
            }
        };
        GroundMotion { times, shape, displacement }
    }

    /// First and last time of the record, s.
    pub fn span(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Shortest time between two samples, s.
    pub fn interval(&self) -> f64 {
        let between = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        between.fold(f64::INFINITY, f64::min)
    }

    /// Displacement, velocity and acceleration at time `t`.
    pub fn at(&self, t: f64) -> Jet {
        let last = self.times.len() - 1;
        if t < self.times[0] {
            return [self.displacement[0], 0.0, 0.0];
        }
        if t > self.times[last] {
            let [d, v, _] = self.at(self.times[last]);
            return [d + v * (t - self.times[last]), v, 0.0];
        }
        let i = self.times.partition_point(|&time| time <= t).clamp(1, last) - 1;
        let tau = t - self.times[i];
        match &self.shape {
            Shape::Acceleration(a, v) => {
                let slope = (a[i + 1] - a[i]) / (self.times[i + 1] - self.times[i]);
                ahead(tau, [self.displacement[i], v[i], a[i]], slope)
            }
            Shape::Velocity(spline) => {
                let [v, a, _] = spline.at(t);
                let moved = integral(spline, self.times[i], t);
                [self.displacement[i] + moved, v, a]
            }
            Shape::Displacement(spline) => spline.at(t),
            Shape::Rest => [0.0; 3],
        }
    }

    /// Largest size of displacement, velocity and acceleration at the samples.
    pub fn peaks(&self) -> Jet {
        self.times.iter().fold([0.0; 3], |most: Jet, &t| {
            let jet = self.at(t);
            std::array::from_fn(|i| most[i].max(jet[i].abs()))
        })
    }
}

/// Displacement, velocity and acceleration a time `h` after `[d, v, a]` under a constant slope of a.
fn ahead(h: f64, [d, v, a]: Jet, slope: f64) -> Jet {
    [d + h * (v + h * (a / 2.0 + h * slope / 6.0)), v + h * (a + h * slope / 2.0), a + h * slope]
}

/// ∫ of a spline between two places within one of its intervals: two Gauss points are exact for cubics.
fn integral(spline: &Spline, from: f64, to: f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let offset = half / 3.0_f64.sqrt();
    half * (spline.at(middle - offset)[0] + spline.at(middle + offset)[0])
}
