//! An arc of a circle between two points.

use super::Place;
use crate::numerics::hypot::hypot;

/// The arc from `from` over the chord to `to` that turns by `angle`, rad, positive to the left.
///
/// Everything is counted from the chord and not from the centre, which moves to infinity as the angle
/// goes to 0: at the share t of the length L
///
/// ```text
/// x(t) = from + t L sinc(φt/2) (cos, sin)(α + φt/2),   L = chord/sinc(φ/2),   α = chord's angle − φ/2
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    from: [f64; 2],
    to: [f64; 2],
    angle: f64,
}

impl Arc {
    /// `angle` between −2π and 2π, both excluded.
    pub fn new(from: [f64; 2], to: [f64; 2], angle: f64) -> Arc {
        Arc { from, to, angle }
    }

    /// The angle of the arc that goes through a third point: twice the exterior angle there.
    pub fn angle_through(from: [f64; 2], to: [f64; 2], via: [f64; 2]) -> f64 {
        let a = [via[0] - from[0], via[1] - from[1]];
        let b = [to[0] - via[0], to[1] - via[1]];
        2.0 * (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])
    }

    /// The angle of the shorter arc with a radius, positive with the centre on the left; `None` where
    /// the chord is longer than the diameter.
    pub fn angle_of_radius(from: [f64; 2], to: [f64; 2], radius: f64) -> Option<f64> {
        let half = 0.5 * hypot(to[0] - from[0], to[1] - from[1]) / radius;
        // A half circle may be a rounding error too long.
        let half = if half.abs() <= 1.0 + 1e-12 { half.clamp(-1.0, 1.0) } else { half };
        (half.abs() <= 1.0).then(|| 2.0 * half.asin())
    }

    /// By how much it turns, rad.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// The arc on the other side of its chord.
    pub fn mirrored(&self) -> Arc {
        Arc::new(self.from, self.to, -self.angle)
    }

    pub fn reversed(&self) -> Arc {
        Arc::new(self.to, self.from, -self.angle)
    }

    fn chord(&self) -> [f64; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }

    pub fn length(&self) -> f64 {
        let [x, y] = self.chord();
        hypot(x, y) / sinc(0.5 * self.angle)
    }

    pub fn at(&self, share: f64) -> Place {
        let [x, y] = self.chord();
        let half = 0.5 * self.angle * share;
        let start = y.atan2(x) - 0.5 * self.angle;
        let position = if share == 1.0 {
            self.to
        } else {
            let reach = share * self.length() * sinc(half);
            let (sin, cos) = (start + half).sin_cos();
            [self.from[0] + reach * cos, self.from[1] + reach * sin]
        };
        Place { position, angle: start + 2.0 * half }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}
