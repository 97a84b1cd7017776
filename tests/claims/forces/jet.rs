//! Numbers with their first and second derivatives with respect to time, and moving frames of them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value, rate and acceleration.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jet(pub f64, pub f64, pub f64);

impl Jet {
    pub fn constant(value: f64) -> Jet {
        Jet(value, 0.0, 0.0)
    }

    /// `f` of this number, from the value and the first two derivatives of `f` here.
    fn chain(self, f: f64, slope: f64, bend: f64) -> Jet {
        Jet(f, slope * self.1, slope * self.2 + bend * self.1 * self.1)
    }

    pub fn sin_cos(self) -> (Jet, Jet) {
        let (s, c) = self.0.sin_cos();
        (self.chain(s, c, -s), self.chain(c, -s, -c))
    }

    pub fn sqrt(self) -> Jet {
        let root = self.0.sqrt();
        self.chain(root, 0.5 / root, -0.25 / (root * self.0))
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, b: Jet) -> Jet {
        Jet(self.0 + b.0, self.1 + b.1, self.2 + b.2)
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        self * -1.0
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, b: Jet) -> Jet {
        self + -b
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, b: Jet) -> Jet {
        let rate = self.1 * b.0 + self.0 * b.1;
        let bend = self.2 * b.0 + 2.0 * self.1 * b.1 + self.0 * b.2;
        Jet(self.0 * b.0, rate, bend)
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, b: f64) -> Jet {
        Jet(self.0 * b, self.1 * b, self.2 * b)
    }
}

impl Div for Jet {
    type Output = Jet;
    fn div(self, b: Jet) -> Jet {
        let inverse = 1.0 / b.0;
        self * b.chain(inverse, -inverse * inverse, 2.0 * inverse.powi(3))
    }
}

/// A place of a body and the direction of its axis as cosine and sine.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub origin: [Jet; 2],
    pub axis: [Jet; 2],
}

impl Frame {
    /// At `origin`, turned by `angle`.
    pub fn turned(origin: [Jet; 2], angle: Jet) -> Frame {
        let (s, c) = angle.sin_cos();
        Frame { origin, axis: [c, s] }
    }

    /// At `from`, with its axis towards `to`, which is `length` away.
    pub fn towards(from: [Jet; 2], to: [Jet; 2], length: f64) -> Frame {
        Frame { origin: from, axis: [0, 1].map(|i| (to[i] - from[i]) * (1.0 / length)) }
    }

    /// Where the place `at` of the body is.
    pub fn at(&self, [along, across]: [f64; 2]) -> [Jet; 2] {
        let [c, s] = self.axis;
        let [x, y] = self.origin;
        [x + c * along - s * across, y + s * along + c * across]
    }

    /// Angular acceleration.
    pub fn spin_up(&self) -> f64 {
        let [c, s] = self.axis;
        c.0 * s.2 - s.0 * c.2
    }
}

/// The common point of two circles to the left of the way from `a` to `b`.
pub fn meet(a: [Jet; 2], ra: f64, b: [Jet; 2], rb: f64) -> [Jet; 2] {
    let way = [b[0] - a[0], b[1] - a[1]];
    let square = way[0] * way[0] + way[1] * way[1];
    let along = (square + Jet::constant(ra * ra - rb * rb)) / (square * 2.0);
    let across = (Jet::constant(ra * ra) / square - along * along).sqrt();
    [a[0] + way[0] * along - way[1] * across, a[1] + way[1] * along + way[0] * across]
}
