//! Numbers with derivatives.

use num_dual::{Dual2_64, Dual64, DualNum};

/// A number that carries as many derivatives as it likes.
pub trait Number: DualNum<Primitive = f64> + Copy {
    /// √(x² + y²).
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
}

impl Number for f64 {
    fn hypot(self, other: f64) -> f64 {
        f64::hypot(self, other)
    }
}

impl Number for Dual64 {}

impl Number for Dual2_64 {}
