//! Sums and differences of which nothing but rounding may be left.

/// A sum and the size of its terms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    pub value: f64,
    size: f64,
}

impl Sum {
    pub fn add(&mut self, term: f64) {
        self.value += term;
        self.size += term.abs();
    }

    /// The sum in other units.
    pub fn by(&self, factor: f64) -> Sum {
        Sum { value: factor * self.value, size: factor * self.size }
    }

    /// The larger value of two, with the larger size.
    pub fn larger(self, other: Sum) -> Sum {
        Sum { value: self.value.abs().max(other.value.abs()), size: self.size.max(other.size) }
    }

    /// Whether it is more than rounding.
    pub fn counts(&self) -> bool {
        self.beyond(1e-9) != 0.0
    }

    /// The value, or zero where it is below this share of its terms.
    pub fn beyond(&self, share: f64) -> f64 {
        match self.value.abs() > share * self.size {
            true => self.value,
            false => 0.0,
        }
    }
}

/// `a` − `b`, or zero where what is left is rounding.
#[inline(always)]
pub fn difference(a: f64, b: f64) -> f64 {
    let left = a - b;
    if left.abs() <= CANCELLATION * a.abs().max(b.abs()) { 0.0 } else { left }
}

/// What is left of a difference below this share of its terms is rounding: a motion that neither
/// K nor the border holds shows as an exact zero.
const CANCELLATION: f64 = 1e-11;
