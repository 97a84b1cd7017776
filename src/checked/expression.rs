//! Expressions of the time t as a list of operations on a stack, with exact derivatives.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_dual::Dual2_64;

use crate::numerics::spline::Jet;

/// Most numbers on the stack at a time.
pub const DEEPEST_STACK: usize = 64;

/// f(t), a sum of products and functions of the time; what does not depend on t is a number already.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// As it is written.
    pub text: String,
    pub(crate) operations: Vec<Operation>,
    /// The byte and the name of the first function in it that has kinks or jumps.
    pub kink: Option<(usize, &'static str)>,
}

/// Takes its arguments from the stack and puts its result there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    Number(f64),
    Time,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Raise,
    Call(Function),
    /// The third number where the comparison of the first two holds, else the fourth.
    If(Comparison),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparison {
    Below,
    AtMost,
    Above,
    AtLeast,
}

macro_rules! functions {
    ($($name:ident $word:literal $arguments:literal $kinks:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Function { $($name,)* }

        impl Function {
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$($word,)*];

            pub fn named(name: &str) -> Option<Function> {
                match name {
                    $($word => Some(Function::$name),)*
                    _ => None,
                }
            }

            pub fn word(self) -> &'static str {
                match self { $(Function::$name => $word,)* }
            }

            pub fn arguments(self) -> usize {
                match self { $(Function::$name => $arguments,)* }
            }

            /// Whether its value or its slope may jump.
            pub fn has_kinks(self) -> bool {
                match self { $(Function::$name => $kinks,)* }
            }
        }
    };
}

functions! {
    Sqrt "sqrt" 1 false;
    Sin "sin" 1 false;
    Cos "cos" 1 false;
    Tan "tan" 1 false;
    Asin "asin" 1 false;
    Acos "acos" 1 false;
    Atan "atan" 1 false;
    Atan2 "atan2" 2 false;
    Exp "exp" 1 false;
    Log "log" 1 false;
    Abs "abs" 1 true;
    Min "min" 2 true;
    Max "max" 2 true;
    Hypot "hypot" 2 false;
    Mod "mod" 2 true;
    Deg "deg" 1 false;
    Step "step" 1 true;
    Ramp "ramp" 1 false;
    Window "window" 3 true;
}

/// A number, or one with its derivatives by t.
pub trait Value:
    Copy
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    fn re(self) -> f64;
    /// f of it, which is `f[0]` there and has the derivatives `f[1]` and `f[2]`.
    fn chain(self, f: Jet) -> Self;
}

impl Value for f64 {
    fn re(self) -> f64 {
        self
    }

    fn chain(self, f: Jet) -> f64 {
        f[0]
    }
}

impl Value for Dual2_64 {
    fn re(self) -> f64 {
        self.re
    }

    fn chain(self, [f, df, ddf]: Jet) -> Dual2_64 {
        let (v, a) = (self.v1, self.v2);
        Dual2_64::new(f, df * v, df * a + ddf * v * v)
    }
}

impl Expression {
    /// The same at all times.
    pub fn constant(value: f64) -> Expression {
        Expression {
            text: value.to_string(),
            operations: vec![Operation::Number(value)],
            kink: None,
        }
    }

    /// f(t).
    pub fn value(&self, t: f64) -> f64 {
        self.run(t)
    }

    /// f, ḟ and f̈ at t.
    pub fn at(&self, t: f64) -> Jet {
        let value = self.run(Dual2_64::new(t, 1.0, 0.0));
        [value.re, value.v1, value.v2]
    }

    fn run<N: Value>(&self, t: N) -> N {
        let mut stack = [N::from(0.0); DEEPEST_STACK];
        let mut top = 0;
        for operation in &self.operations {
            let first = top - operation.arguments();
            stack[first] = operation.apply(t, &stack[first..top]);
            top = first + 1;
        }
        stack[0]
    }
}

impl Operation {
    /// So many numbers it takes from the stack.
    pub fn arguments(self) -> usize {
        match self {
            Operation::Number(_) | Operation::Time => 0,
            Operation::Negate => 1,
            Operation::Call(function) => function.arguments(),
            Operation::If(_) => 4,
            _ => 2,
        }
    }

    /// The word of what may have kinks or jumps.
    pub fn kink(self) -> Option<&'static str> {
        match self {
            Operation::Call(function) => function.has_kinks().then_some(function.word()),
            Operation::If(_) => Some("if"),
            _ => None,
        }
    }

    pub fn apply<N: Value>(self, t: N, x: &[N]) -> N {
        match self {
            Operation::Number(value) => N::from(value),
            Operation::Time => t,
            Operation::Negate => -x[0],
            Operation::Add => x[0] + x[1],
            Operation::Subtract => x[0] - x[1],
            Operation::Multiply => x[0] * x[1],
            Operation::Divide => x[0] / x[1],
            Operation::Raise => raise(x[0], x[1]),
            Operation::Call(function) => function.of(x),
            Operation::If(comparison) => {
                let (a, b) = (x[0].re(), x[1].re());
                let holds = match comparison {
                    Comparison::Below => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Above => a > b,
                    Comparison::AtLeast => a >= b,
                };
                if holds { x[2] } else { x[3] }
            }
        }
    }
}

/// x to the power n.
fn raise<N: Value>(x: N, n: N) -> N {
    let (re, power) = (x.re(), n.re());
    // The derivatives by x, with a factor 0 where there are none.
    let part = |factor: f64, power: f64| match factor {
        0.0 => 0.0,
        _ => factor * re.powf(power),
    };
    let by_x = [re.powf(power), part(power, power - 1.0), part(power * (power - 1.0), power - 2.0)];
    if re > 0.0 {
        // xⁿ = exp(n ln x), whose value is that of the power.
        let exponent = n * Function::Log.of(&[x]);
        return exponent.chain([by_x[0]; 3]);
    }
    x.chain(by_x)
}

impl Function {
    fn of<N: Value>(self, x: &[N]) -> N {
        let re = x[0].re();
        let (sin, cos) = re.sin_cos();
        match self {
            Function::Sqrt => {
                let root = re.sqrt();
                x[0].chain([root, 0.5 / root, -0.25 / (re * root)])
            }
            Function::Sin => x[0].chain([re.sin(), cos, -sin]),
            Function::Cos => x[0].chain([re.cos(), -sin, -cos]),
            Function::Tan => {
                let tan = re.tan();
                let slope = 1.0 + tan * tan;
                x[0].chain([tan, slope, 2.0 * tan * slope])
            }
            Function::Asin => {
                let slope = (1.0 - re * re).sqrt().recip();
                x[0].chain([re.asin(), slope, re * slope.powi(3)])
            }
            Function::Acos => {
                let slope = (1.0 - re * re).sqrt().recip();
                x[0].chain([re.acos(), -slope, -re * slope.powi(3)])
            }
            Function::Atan => {
                let slope = 1.0 / (1.0 + re * re);
                x[0].chain([re.atan(), slope, -2.0 * re * slope * slope])
            }
            Function::Atan2 => {
                let angle = re.atan2(x[1].re());
                // The derivatives are those of the arc tangent of the quotient that is not above 1.
                let turned = re.abs() > x[1].re().abs();
                let (quotient, sign) = match turned {
                    false => (x[0] / x[1], 1.0),
                    true => (x[1] / x[0], -1.0),
                };
                let q = quotient.re();
                let slope = sign / (1.0 + q * q);
                quotient.chain([angle, slope, -2.0 * sign * q * slope * slope])
            }
            Function::Exp => x[0].chain([re.exp(); 3]),
            Function::Log => x[0].chain([re.ln(), 1.0 / re, -1.0 / (re * re)]),
            Function::Abs => x[0].chain([re.abs(), re.signum(), 0.0]),
            Function::Min => pick(re.min(x[1].re()), x),
            Function::Max => pick(re.max(x[1].re()), x),
            Function::Hypot => {
                let length = re.hypot(x[1].re());
                let square = x[0] * x[0] + x[1] * x[1];
                square.chain([length, 0.5 / length, -0.25 / length.powi(3)])
            }
            Function::Mod => x[0] - x[1] * N::from((re / x[1].re()).floor()),
            Function::Deg => x[0].chain([re.to_radians(), 1.0_f64.to_radians(), 0.0]),
            Function::Step => N::from(f64::from(u8::from(re >= 0.0))),
            Function::Ramp if re <= 0.0 => N::from(0.0),
            Function::Ramp if re >= 1.0 => N::from(1.0),
            Function::Ramp => x[0].chain([
                re * re * re * (10.0 + re * (-15.0 + 6.0 * re)),
                30.0 * re * re * (1.0 - re) * (1.0 - re),
                60.0 * re * (1.0 - re) * (1.0 - 2.0 * re),
            ]),
            Function::Window => N::from(f64::from(u8::from((x[1].re()..x[2].re()).contains(&re)))),
        }
    }
}

/// The one of two numbers that has this value.
fn pick<N: Value>(value: f64, x: &[N]) -> N {
    if x[0].re() == value { x[0] } else { x[1] }
}
