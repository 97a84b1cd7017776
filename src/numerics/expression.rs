//! Expressions of named variables as a list of operations on a stack, with exact derivatives.

use num_dual::Dual2_64;

use super::number::Value;
use super::spline::Jet;
use crate::numerics::hypot::hypot;

/// Most numbers on the stack at a time.
pub const DEEPEST_STACK: usize = 64;

/// f of one or more variables, such as the time; what depends on none of them is a number already.
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
    /// The variable with this number in the list that the parser was given.
    Variable(usize),
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
    Sinh "sinh" 1 false;
    Cosh "cosh" 1 false;
    Tanh "tanh" 1 false;
    Sign "sign" 1 true;
    Mod "mod" 2 true;
    Deg "deg" 1 false;
    Step "step" 1 true;
    Ramp "ramp" 1 false;
    Window "window" 3 true;
}

/// How an expression follows from one of its variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// It does not.
    Free,
    /// As a straight line, whatever the other variables are.
    Affine,
    Other,
}

impl Expression {
    /// The same whatever its variables are.
    pub fn constant(value: f64) -> Expression {
        Expression {
            text: value.to_string(),
            operations: vec![Operation::Number(value)],
            kink: None,
        }
    }

    /// f(t) of a function of one variable.
    pub fn value(&self, t: f64) -> f64 {
        self.evaluate(|_| t)
    }

    /// f, ḟ and f̈ at t.
    pub fn at(&self, t: f64) -> Jet {
        let value = self.evaluate(|_| Dual2_64::new(t, 1.0, 0.0));
        [value.re, value.v1, value.v2]
    }

    /// f where variable i has the value `variable(i)`, with the derivatives that this carries.
    pub fn evaluate<N: Value>(&self, variable: impl Fn(usize) -> N) -> N {
        let mut stack = [N::from(0.0); DEEPEST_STACK];
        let mut top = 0;
        for operation in &self.operations {
            let first = top - operation.arguments();
            stack[first] = match *operation {
                Operation::Variable(i) => variable(i),
                _ => operation.apply(&stack[first..top]),
            };
            top = first + 1;
        }
        stack[0]
    }

    /// How it follows from variable `i`, as far as its form shows.
    pub fn dependence(&self, i: usize) -> Dependence {
        let mut stack: Vec<Dependence> = Vec::new();
        for operation in &self.operations {
            let parts = stack.split_off(stack.len() - operation.arguments());
            stack.push(operation.dependence(i, &parts));
        }
        stack.pop().unwrap_or(Dependence::Free)
    }
}

impl Operation {
    /// So many numbers it takes from the stack.
    pub fn arguments(self) -> usize {
        match self {
            Operation::Number(_) | Operation::Variable(_) => 0,
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

    /// How its result follows from variable `i`, where its arguments do as `parts` say.
    fn dependence(self, i: usize, parts: &[Dependence]) -> Dependence {
        let most = parts.iter().copied().max().unwrap_or(Dependence::Free);
        let straight = match self {
            Operation::Variable(own) if own == i => return Dependence::Affine,
            Operation::Negate | Operation::Add | Operation::Subtract => true,
            Operation::Multiply => parts.contains(&Dependence::Free),
            Operation::Divide => parts[1] == Dependence::Free,
            Operation::If(_) => parts[..2] == [Dependence::Free; 2],
            _ => most == Dependence::Free,
        };
        if straight { most } else { Dependence::Other }
    }

    /// Its result for the arguments `x`; of a variable, which has none, 0.
    pub fn apply<N: Value>(self, x: &[N]) -> N {
        match self {
            Operation::Number(value) => N::from(value),
            Operation::Variable(_) => N::from(0.0),
            Operation::Negate => -x[0],
            Operation::Add => x[0] + x[1],
            Operation::Subtract => x[0] - x[1],
            Operation::Multiply => x[0] * x[1],
            Operation::Divide => x[0] / x[1],
            Operation::Raise => raise(x[0], x[1]),
            Operation::Call(function) => function.of(x),
            Operation::If(comparison) => {
                let (a, b) = (x[0].plain(), x[1].plain());
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
    let (re, power) = (x.plain(), n.plain());
    // The derivatives by x, with a factor 0 where there are none.
    let part = |factor: f64, power: f64| match factor {
        0.0 => 0.0,
        _ => factor * re.powf(power),
    };
    let by_x = [re.powf(power), part(power, power - 1.0), part(power * (power - 1.0), power - 2.0)];
    if re > 0.0 && !n.is_constant() {
        // xⁿ = exp(n ln x), whose value is that of the power.
        let exponent = n * Function::Log.of(&[x]);
        return exponent.chain([by_x[0]; 3]);
    }
    x.chain(by_x)
}

impl Function {
    fn of<N: Value>(self, x: &[N]) -> N {
        let re = x[0].plain();
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
                let angle = re.atan2(x[1].plain());
                // The derivatives are those of the arc tangent of the quotient that is not above 1.
                let turned = re.abs() > x[1].plain().abs();
                let (quotient, sign) = match turned {
                    false => (x[0] / x[1], 1.0),
                    true => (x[1] / x[0], -1.0),
                };
                let q = quotient.plain();
                let slope = sign / (1.0 + q * q);
                quotient.chain([angle, slope, -2.0 * sign * q * slope * slope])
            }
            Function::Exp => x[0].chain([re.exp(); 3]),
            Function::Log => x[0].chain([re.ln(), 1.0 / re, -1.0 / (re * re)]),
            Function::Abs => x[0].chain([re.abs(), re.signum(), 0.0]),
            Function::Min => pick(re.min(x[1].plain()), x),
            Function::Max => pick(re.max(x[1].plain()), x),
            Function::Hypot => {
                let length = hypot(re, x[1].plain());
                let square = x[0] * x[0] + x[1] * x[1];
                square.chain([length, 0.5 / length, -0.25 / length.powi(3)])
            }
            Function::Sinh => x[0].chain([re.sinh(), re.cosh(), re.sinh()]),
            Function::Cosh => x[0].chain([re.cosh(), re.sinh(), re.cosh()]),
            Function::Tanh => {
                let tanh = re.tanh();
                let slope = 1.0 - tanh * tanh;
                x[0].chain([tanh, slope, -2.0 * tanh * slope])
            }
            Function::Sign => N::from(if re == 0.0 { 0.0 } else { re.signum() }),
            Function::Mod => x[0] - x[1] * N::from((re / x[1].plain()).floor()),
            Function::Deg => x[0].chain([re.to_radians(), 1.0_f64.to_radians(), 0.0]),
            Function::Step => N::from(f64::from(u8::from(re >= 0.0))),
            Function::Ramp if re <= 0.0 => N::from(0.0),
            Function::Ramp if re >= 1.0 => N::from(1.0),
            Function::Ramp => x[0].chain([
                re * re * re * (10.0 + re * (-15.0 + 6.0 * re)),
                30.0 * re * re * (1.0 - re) * (1.0 - re),
                60.0 * re * (1.0 - re) * (1.0 - 2.0 * re),
            ]),
            Function::Window => {
                N::from(f64::from(u8::from((x[1].plain()..x[2].plain()).contains(&re))))
            }
        }
    }
}

/// The one of two numbers that has this value.
fn pick<N: Value>(value: f64, x: &[N]) -> N {
    if x[0].plain() == value { x[0] } else { x[1] }
}
