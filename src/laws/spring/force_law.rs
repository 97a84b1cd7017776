//! A force that is written as an expression.

use std::sync::Arc;

use num_dual::Dual64;

use super::Answer;
use crate::numerics::expression::{Dependence, Expression};
use crate::numerics::gauss::Quadrature;
use crate::numerics::number::Number;

/// F(x, v) of the elongation x and the rate v. What it is at rest has a potential, the rest is a damper's:
///
/// ```text
/// F_e = F(x, 0),    F_d = F(x, v) − F(x, 0)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ForceLaw {
    force: Arc<Expression>,
    quadrature: Quadrature,
}

/// An elongation and a rate at which a law gives energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// m or rad.
    pub elongation: f64,
    /// m/s or rad/s.
    pub rate: f64,
    /// F_d, N or N·m.
    pub force: f64,
}

impl ForceLaw {
    /// What the variables of the expression are called, in their order.
    pub const VARIABLES: [&'static str; 2] = ["x", "v"];

    /// The law of an expression of these variables.
    pub fn of(force: Arc<Expression>) -> ForceLaw {
        ForceLaw { force, quadrature: Quadrature::new() }
    }

    /// The expression as it is written.
    pub fn text(&self) -> &str {
        &self.force.text
    }

    /// Whether it follows from the elongation.
    pub fn springs(&self) -> bool {
        self.force.dependence(0) != Dependence::Free
    }

    /// Whether it follows from the rate.
    pub fn damps(&self) -> bool {
        self.force.dependence(1) != Dependence::Free
    }

    /// F at the elongation `x` and the rate `v`, N or N·m.
    pub fn force<D: Number>(&self, x: D, v: D) -> D {
        self.force.evaluate(|i| [x, v][i])
    }

    /// Adds F_e, F_d and the derivatives of both to an answer.
    pub(super) fn add<D: Number>(&self, x: D, v: D, answer: &mut Answer<D>) {
        let (here, rate) = (x.re(), v.re());
        answer.elastic = self.force(x, D::zero());
        answer.damper += self.force(x, v) - answer.elastic;
        answer.by_measure += self.force(Dual64::new(here, 1.0), Dual64::from(rate)).eps;
        answer.by_rate += self.force(Dual64::from(here), Dual64::new(rate, 1.0)).eps;
    }

    /// ∫ F_e dx from 0 to `x`, J.
    pub(super) fn energy<D: Number>(&self, x: D) -> D {
        let at_rest = |x: f64| self.force(x, 0.0);
        let slope = self.force(Dual64::new(x.re(), 1.0), Dual64::from(0.0));
        let energy = self.quadrature.integral(&at_rest, 0.0, x.re());
        x.chain([energy, slope.re, slope.eps])
    }

    /// Where F_d drives, of elongations and rates up to these sizes: F_d v < 0.
    pub fn gain(&self, elongation: f64, rate: f64) -> Option<Gain> {
        let signs = [1.0, -1.0];
        let sizes =
            || (0..=SIZES).map(|k| 10_f64.powi(-k)).flat_map(|s| signs.map(|sign| sign * s));
        let all =
            sizes().chain([0.0]).flat_map(|x| sizes().map(move |v| (x * elongation, v * rate)));
        let gains = all.map(|(x, v)| {
            let force = self.force(x, v) - self.force(x, 0.0);
            // What is lost in the difference is no gain.
            let rounding = ROUNDING * self.force(x, 0.0).abs();
            let gives = force * v.signum() < -rounding;
            (gives, Gain { elongation: x, rate: v, force })
        });
        gains.into_iter().find_map(|(gives, gain)| gives.then_some(gain))
    }
}

/// Powers of ten over which elongations and rates are looked at.
const SIZES: i32 = 6;

/// Share of F_e up to which F_d is rounding.
const ROUNDING: f64 = 1e-14;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::expression::{Function, Operation};

    /// 3 x + 40 x³ + v (2 + x²) + tanh(v).
    fn law() -> ForceLaw {
        use Operation::{Add, Call, Multiply, Number, Raise, Variable};
        let operations = vec![
            Number(3.0),
            Variable(0),
            Multiply,
            Number(40.0),
            Variable(0),
            Number(3.0),
            Raise,
            Multiply,
            Add,
            Variable(1),
            Number(2.0),
            Variable(0),
            Number(2.0),
            Raise,
            Add,
            Multiply,
            Add,
            Variable(1),
            Call(Function::Tanh),
            Add,
        ];
        ForceLaw::of(Arc::new(Expression { text: String::new(), operations, kink: None }))
    }

    #[test]
    fn a_force_is_split_into_one_with_a_potential_and_one_of_a_damper() {
        for (x, v) in [(0.3, -0.7), (-0.2, 1.5), (0.0, 0.2), (-1e-3, 0.0)] {
            let mut answer = Answer::none(0.0);
            law().add(x, v, &mut answer);
            assert!((answer.elastic - (3.0 * x + 40.0 * x * x * x)).abs() < 1e-14);
            assert!((answer.damper - (v * (2.0 + x * x) + v.tanh())).abs() < 1e-14);
            let slope = 3.0 + 120.0 * x * x + 2.0 * v * x;
            assert!((answer.by_measure - slope).abs() < 1e-13);
            let by_rate = 2.0 + x * x + 1.0 - v.tanh() * v.tanh();
            assert!((answer.by_rate - by_rate).abs() < 1e-14);
            let energy = law().energy(Dual64::new(x, 1.0));
            assert!((energy.re - (1.5 * x * x + 10.0 * x.powi(4))).abs() < 1e-14, "{energy}");
            assert!((energy.eps - answer.elastic).abs() < 1e-14);
        }
        assert!(law().springs() && law().damps());
        assert_eq!(law().gain(1.0, 1.0), None);
    }
}
