//! Plain numbers, and numbers that carry their derivative along a change of what they follow from.

use num_dual::{Dual64, DualNum};

/// A number with a derivative or without one.
pub trait Differentiable: DualNum<Primitive = f64> + Copy {
    /// A number with a known `value`. Where derivatives are carried, `change` finds its own from those of the numbers that it follows from.
    fn known(value: f64, change: impl FnOnce(fn(Self) -> f64) -> f64) -> Self;

    /// The number where it is not below 0, else 0.
    fn not_negative(self) -> Self {
        if self.re() < 0.0 { Self::zero() } else { self }
    }
}

impl Differentiable for f64 {
    fn known(value: f64, _: impl FnOnce(fn(f64) -> f64) -> f64) -> f64 {
        value
    }
}

impl Differentiable for Dual64 {
    fn known(value: f64, change: impl FnOnce(fn(Dual64) -> f64) -> f64) -> Dual64 {
        Dual64::new(value, change(|number| number.eps))
    }
}
