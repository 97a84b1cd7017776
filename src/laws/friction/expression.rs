//! A coefficient that the model writes as an expression.

use std::sync::Arc;

use num_dual::Dual64;

use super::law::{Follows, Law, Surroundings, law};
use super::number::{Contradiction, Formula, Named, Value};
use super::{Rest, SPEEDS, Transition};
use crate::message::figure;
use crate::numerics::expression::{Dependence, Expression as Program, Function, Operation};
use crate::quantity::SMALLEST;

law! {
    /// Your own coefficient μ(|v|, F_N, s, t), as an expression.
    ///
    /// It holds at rest with its value just above v = 0; where that is 0, it creeps. Below 0 it counts as 0.
    Expression {
        choices {
            /// how it passes through rest
            transition: Transition;
        }
        formulas {
            /// μ as an expression in quotes of the speed `v` = \|v\| (m/s), the normal force `N` (N), the position on the path `x` (m), the
            /// time `t` (s), the `numbers` and names of [parameters](parameters.md)
            coefficient;
        }
        named {
            /// numbers for the expression, each under a name: `{ mu_s = 0.6, mu_d = 0.4 }`
            numbers;
        }
        found {
            /// Whether it is 0 at rest.
            creeps: bool;
        }
    }
}

/// What the variables of the expression are called, in their order; the names of the numbers follow.
pub const VARIABLES: [&str; 4] = ["v", "N", "x", "t"];

/// Speed below which the slope by it is that at this speed, m/s: a power below 1 has an infinite slope at rest, and Newton's method
/// needs a finite one.
const SLOWEST: f64 = 1e-12;

/// Normal force below which a law by expressions is that under this force, N: what divides by it is then finite in the air.
const LEAST_FORCE: f64 = 1e-9;

/// A normal force that expressions may divide by.
pub(super) fn divisible(normal_force: Dual64) -> Dual64 {
    Dual64::new(normal_force.re.max(LEAST_FORCE), normal_force.eps)
}

impl Expression {
    /// The law that holds at rest where it has friction there, and creeps otherwise.
    pub(super) fn settled(self) -> Expression {
        let at_rest = |at| self.at_least(f64::MIN_POSITIVE, Dual64::from_re(0.0), &at).re;
        let creeps = self.follows().places().all(|at| at_rest(at) < SMALLEST);
        Expression { creeps, ..self }
    }
}

impl<N: Value> Expression<N> {
    fn at_least(&self, least: f64, speed: Dual64, at: &Surroundings) -> Dual64 {
        let Some(function) = &self.coefficient.function else {
            return Dual64::from_re(0.0);
        };
        let speed = Dual64::new(speed.re.max(least), speed.eps);
        let own = [speed, divisible(at.normal_force), at.position, Dual64::from_re(at.time)];
        let number = |i: usize| self.numbers.0[i - own.len()].1.dual();
        function.evaluate(|i| own.get(i).copied().unwrap_or_else(|| number(i)))
    }
}

impl<N: Value> Law for Expression<N> {
    fn coefficient(&self, speed: Dual64, at: &Surroundings) -> Dual64 {
        // At rest it is the limit from above.
        let value = self.at_least(f64::MIN_POSITIVE, speed, at);
        match speed.re < SLOWEST && speed.eps != 0.0 {
            true => Dual64::new(value.re, self.at_least(SLOWEST, speed, at).eps),
            false => value,
        }
    }

    fn follows(&self) -> Follows {
        let follows = |i: usize| {
            let function = self.coefficient.function.as_ref();
            function.is_some_and(|function| function.dependence(i) != Dependence::Free)
        };
        Follows { normal_force: follows(1), position: follows(2), time: follows(3) }
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let forces = Follows { position: false, time: false, ..self.follows() };
        let all = forces.places().flat_map(|at| SPEEDS.map(|speed| (speed, at)));
        let values =
            all.map(|(speed, at)| (speed, at, self.coefficient(Dual64::new(speed, 1.0), &at)));
        let wrong = |value: Dual64| !value.re.is_finite() || !value.eps.is_finite();
        let (speed, at, value) = values.into_iter().find(|&(_, _, value)| wrong(value))?;
        self.coefficient.function.as_ref()?;
        Some(Contradiction {
            place: "coefficient".to_owned(),
            text: format!(
                "is {} with the slope {} at v = {} m/s, N = {} N, x = 0 and t = 0; allowed: finite numbers; look for a division by zero or \
                 a root or logarithm of a negative number",
                figure(value.re),
                figure(value.eps),
                figure(speed),
                figure(at.normal_force.re)
            ),
        })
    }

    fn rest(&self) -> Rest {
        if self.creeps { Rest::Creeps } else { Rest::Holds(self.transition) }
    }
}

impl Expression {
    /// μ_d + (μ_s − μ_d) exp(−(v/0.05)²) alone, times (1 + x/2)(1 + t)(N/100)^(−1/3), and μ_d tanh(v/0.01).
    pub(super) fn samples() -> Vec<Expression> {
        use Operation::{Add, Call, Divide, Multiply, Negate, Number, Raise, Subtract, Variable};
        let [v, n, x, t, own, kinetic] = [0, 1, 2, 3, 4, 5].map(Variable);
        let decay = [v, Number(0.05), Divide, Number(2.0), Raise, Negate, Call(Function::Exp)];
        let mut stribeck = vec![kinetic, own, kinetic, Subtract];
        stribeck.extend(decay);
        stribeck.extend([Multiply, Add]);
        let mut around = stribeck.clone();
        around.extend([Number(1.0), x, Number(2.0), Divide, Add, Multiply]);
        around.extend([Number(1.0), t, Add, Multiply]);
        around.extend([n, Number(100.0), Divide, Number(-1.0 / 3.0), Raise, Multiply]);
        let creeping = vec![kinetic, v, Number(0.01), Divide, Call(Function::Tanh), Multiply];
        let law = |text: &str, operations: Vec<Operation>| Expression {
            coefficient: Formula {
                written: None,
                function: Some(Arc::new(Program { text: text.to_owned(), operations, kink: None })),
            },
            numbers: Named(vec![("mu_s".into(), 0.6), ("mu_d".into(), 0.5)]),
            ..Expression::blank()
        };
        let text = "mu_d + (mu_s - mu_d)*exp(-(v/0.05)^2)";
        let text_around = format!("({text})*(1 + x/2)*(1 + t)*(N/100)^(-1/3)");
        vec![
            law(text, stribeck),
            Expression { viscous_coefficient: 3.0, ..law(&text_around, around) },
            law("mu_d*tanh(v/0.01)", creeping).settled(),
        ]
    }
}
