//! How one coordinate follows another: a constant ratio or a smooth curve.

use crate::numerics::number::Number;
use crate::numerics::spline::{Jet, Spline};

/// f of Δx = f(Δx₁), with f(0) = 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Transmission {
    /// f = i Δx₁.
    Ratio(f64),
    /// A C² curve less what it has at 0; straight outside.
    Table { curve: Spline, at_zero: f64 },
}

impl Transmission {
    /// Along a curve.
    pub fn along(curve: Spline) -> Transmission {
        let [at_zero, ..] = curve.at(0.0);
        Transmission::Table { curve, at_zero }
    }

    /// f, f′ and f″ where the coordinate that it follows has moved by `x`.
    pub fn at<D: Number>(&self, x: D) -> Jet<D> {
        match self {
            Transmission::Ratio(ratio) => [x * *ratio, D::from(*ratio), D::zero()],
            Transmission::Table { curve, at_zero } => {
                let [value, slope, bend] = curve.at(x);
                [value - *at_zero, slope, bend]
            }
        }
    }

    /// Whether f′ changes.
    pub fn bends(&self) -> bool {
        matches!(self, Transmission::Table { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transmission_begins_at_nothing_and_its_slopes_are_those_of_differences() {
        let knots = vec![-1.0, 0.5, 1.0, 2.5];
        let curve = Spline::natural(knots, vec![3.0, 1.0, 4.0, -2.0]).expect("a spline");
        for law in [Transmission::Ratio(-0.4), Transmission::along(curve)] {
            assert!(law.at(0.0)[0].abs() < 1e-15);
            for i in -30..50 {
                let (x, d) = (f64::from(i) * 0.07 + 0.003, 1e-5);
                let [_, slope, bend] = law.at(x);
                let [low, high] = [law.at(x - d), law.at(x + d)];
                assert!(((high[0] - low[0]) / (2.0 * d) - slope).abs() < 1e-6);
                assert!(
                    ((high[1] - low[1]) / (2.0 * d) - bend).abs() < 1e-6
                        || (x - d..x + d).contains(&-1.0)
                );
            }
        }
    }
}
