//! Numbers with derivatives.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_dual::{Dual2_64, Dual64, DualNum, HyperDual64};

use super::hypot::hypot;

/// A number that carries as many derivatives as it likes.
pub trait Number: DualNum<Primitive = f64> + Copy + Value {
    /// √(x² + y²).
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
}

impl Number for f64 {
    fn hypot(self, other: f64) -> f64 {
        hypot(self, other)
    }
}

impl Number for Dual64 {}

impl Number for Dual2_64 {}

/// A number, or one with its derivatives.
pub trait Value:
    Copy
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The number alone.
    fn plain(self) -> f64;
    /// Whether its derivatives are all 0.
    fn is_constant(self) -> bool;
    /// f of it, which is `f[0]` there and has the derivatives `f[1]` and `f[2]`.
    fn chain(self, f: [f64; 3]) -> Self;
}

impl Value for f64 {
    fn plain(self) -> f64 {
        self
    }

    fn is_constant(self) -> bool {
        true
    }

    fn chain(self, f: [f64; 3]) -> f64 {
        f[0]
    }
}

impl Value for Dual64 {
    fn plain(self) -> f64 {
        self.re
    }

    fn is_constant(self) -> bool {
        self.eps == 0.0
    }

    fn chain(self, [f, df, _]: [f64; 3]) -> Dual64 {
        Dual64::new(f, df * self.eps)
    }
}

impl Value for HyperDual64 {
    fn plain(self) -> f64 {
        self.re
    }

    fn is_constant(self) -> bool {
        [self.eps1, self.eps2, self.eps1eps2] == [0.0; 3]
    }

    fn chain(self, [f, df, ddf]: [f64; 3]) -> HyperDual64 {
        let (a, b) = (self.eps1, self.eps2);
        HyperDual64::new(f, df * a, df * b, df * self.eps1eps2 + ddf * a * b)
    }
}

impl Value for Dual2_64 {
    fn plain(self) -> f64 {
        self.re
    }

    fn is_constant(self) -> bool {
        [self.v1, self.v2] == [0.0; 2]
    }

    fn chain(self, [f, df, ddf]: [f64; 3]) -> Dual2_64 {
        let (v, a) = (self.v1, self.v2);
        Dual2_64::new(f, df * v, df * a + ddf * v * v)
    }
}
