//! Expressions of numbers: `5*pi`, `2*mu`, `sqrt(2)/2`; where a key takes them, of variables such as the time, too: `sin(t)`.
//!
//! Grammar: sums of products of powers with unary minus, parentheses, the constants `pi` and `e`,
//! functions, `if(a < b, c, d)`, and names of `[parameters]`. `^` binds to the right and tighter than unary minus.

use std::f64::consts::{E, PI};

use crate::numerics::expression::{Comparison, DEEPEST_STACK, Expression, Function, Operation};

/// What is wrong with an expression, and the byte where.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionFault {
    pub offset: usize,
    pub message: String,
}

/// A number, or a function of variables.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    Number(f64),
    Function(Expression),
}

/// Deepest nesting of parentheses, signs and powers.
const DEEPEST: usize = 64;

/// The value of `text`, with names looked up by `lookup`.
///
/// # Errors
/// A syntax fault, an unknown name or what `lookup` says, with its place in the text. The value
/// may be infinite or NaN: the caller checks ranges.
pub fn evaluate(
    text: &str, lookup: &mut dyn FnMut(&str) -> Result<f64, String>,
) -> Result<f64, ExpressionFault> {
    match parse(text, &[], lookup)? {
        Meaning::Number(value) => Ok(value),
        // Nothing in it is not known.
        Meaning::Function(function) => Ok(function.value(0.0)),
    }
}

/// What `text` means as a function of the `variables`, whose numbers are their places in this list.
///
/// # Errors
/// As [`evaluate`].
pub fn parse(
    text: &str, variables: &[&str], lookup: &mut dyn FnMut(&str) -> Result<f64, String>,
) -> Result<Meaning, ExpressionFault> {
    let mut parser =
        Parser { text, at: 0, depth: 0, variables, operations: Vec::new(), kink: None, lookup };
    parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        let hint = match text[parser.at..].chars().next() {
            Some(',') => "; decimals are written with a point".into(),
            Some('<' | '>' | '=') => "; comparisons stand in `if(a < b, c, d)`".into(),
            _ => parser.behind_a_number(),
        };
        let fault = parser.fault("expected an operator or the end of the expression");
        return Err(fault.with(&hint));
    }
    if let [Operation::Number(value)] = parser.operations[..] {
        return Ok(Meaning::Number(value));
    }
    let mut height = 0;
    for operation in &parser.operations {
        height = height + 1 - operation.arguments();
        if height > DEEPEST_STACK {
            return Err(parser.fault("the expression is nested too deeply"));
        }
    }
    Ok(Meaning::Function(Expression {
        text: text.to_string(),
        operations: parser.operations,
        kink: parser.kink,
    }))
}

impl ExpressionFault {
    fn with(mut self, hint: &str) -> ExpressionFault {
        self.message += hint;
        self
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    variables: &'a [&'a str],
    operations: Vec<Operation>,
    kink: Option<(usize, &'static str)>,
    lookup: &'a mut dyn FnMut(&str) -> Result<f64, String>,
}

impl Parser<'_> {
    fn fault(&self, message: &str) -> ExpressionFault {
        let seen = self.text[self.at..].chars().next();
        let seen = seen.map_or("the end".to_string(), |c| format!("`{c}`"));
        ExpressionFault { offset: self.at, message: format!("{message}, found {seen}") }
    }

    /// What to say of letters behind a number: a unit, or a factor.
    fn behind_a_number(&mut self) -> String {
        let text = self.text;
        let rest = &text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        if word.starts_with("deg") || rest.starts_with('°') {
            "; angles are in rad, and 30 degrees are `deg(30)`".into()
        } else if !word.starts_with(char::is_alphabetic) {
            String::new()
        } else if (self.lookup)(word).is_ok() {
            format!("; products are written with a sign, `2*{word}`")
        } else {
            "; numbers are in SI units, and units are not written".into()
        }
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Adds an operation that begins at byte `offset`; of numbers alone it is their result.
    fn push(&mut self, operation: Operation, offset: usize) {
        let first = self.operations.len() - operation.arguments();
        let numbers = self.operations[first..].iter().map(|o| match o {
            Operation::Number(value) => Some(*value),
            _ => None,
        });
        let numbers: Option<Vec<f64>> = numbers.collect();
        match numbers.filter(|_| !matches!(operation, Operation::Variable(_))) {
            Some(numbers) => {
                let value = operation.apply(&numbers);
                self.operations.truncate(first);
                self.operations.push(Operation::Number(value));
            }
            None => {
                let kink = operation.kink().map(|word| (offset, word));
                self.kink = self.kink.or(kink);
                self.operations.push(operation);
            }
        }
    }

    fn sum(&mut self) -> Result<(), ExpressionFault> {
        self.product()?;
        loop {
            let operation = if self.take('+') {
                Operation::Add
            } else if self.take('-') {
                Operation::Subtract
            } else {
                return Ok(());
            };
            self.product()?;
            self.push(operation, self.at);
        }
    }

    fn product(&mut self) -> Result<(), ExpressionFault> {
        self.signed()?;
        loop {
            let operation = if self.take('*') {
                Operation::Multiply
            } else if self.take('/') {
                Operation::Divide
            } else {
                return Ok(());
            };
            self.signed()?;
            self.push(operation, self.at);
        }
    }

    fn signed(&mut self) -> Result<(), ExpressionFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault("the expression is nested too deeply"));
        }
        if self.take('-') {
            self.signed()?;
            self.push(Operation::Negate, self.at);
        } else if self.take('+') {
            self.signed()?;
        } else {
            self.power()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), ExpressionFault> {
        self.atom()?;
        if self.take('^') {
            self.signed()?;
            self.push(Operation::Raise, self.at);
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ExpressionFault> {
        if self.take('(') {
            self.sum()?;
            return self.closed();
        }
        self.space();
        let rest = &self.text[self.at..];
        match rest.chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            other => {
                let twice = other == Some('*') && self.text[..self.at].ends_with('*');
                let hint = if twice { "; a power is written `^`" } else { "" };
                let fault = self.fault("expected a number, a name or `(`");
                Err(fault.with(hint))
            }
        }
    }

    fn closed(&mut self) -> Result<(), ExpressionFault> {
        match self.take(')') {
            true => Ok(()),
            false => Err(self.fault("expected `)`").with(&self.behind_a_number())),
        }
    }

    fn number(&mut self) -> Result<(), ExpressionFault> {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        while end < bytes.len() && (bytes[end].is_ascii_digit() || bytes[end] == b'.') {
            end += 1;
        }
        if end < bytes.len() && (bytes[end] == b'e' || bytes[end] == b'E') {
            let mut tail = end + 1;
            if tail < bytes.len() && (bytes[tail] == b'+' || bytes[tail] == b'-') {
                tail += 1;
            }
            if tail < bytes.len() && bytes[tail].is_ascii_digit() {
                while tail < bytes.len() && bytes[tail].is_ascii_digit() {
                    tail += 1;
                }
                end = tail;
            }
        }
        let value = self.text[self.at..end].parse().map_err(|_| self.fault("malformed number"))?;
        self.at = end;
        self.operations.push(Operation::Number(value));
        Ok(())
    }

    fn name(&mut self) -> Result<(), ExpressionFault> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        if self.take('(') {
            return self.call(name, start);
        }
        if let Some(variable) = self.variables.iter().position(|own| *own == name) {
            self.push(Operation::Variable(variable), start);
            return Ok(());
        }
        let value = match name {
            "pi" => PI,
            "e" => E,
            _ => (self.lookup)(name).map_err(|message| ExpressionFault {
                offset: start,
                message: if name == "if" || Function::named(name).is_some() {
                    format!(
                        "`{name}` is a function; its argument stands in parentheses, `{name}(…)`, \
                         angles in rad, `deg(30)` is 30°"
                    )
                } else {
                    message
                },
            })?,
        };
        self.operations.push(Operation::Number(value));
        Ok(())
    }

    /// The arguments of the function `name` at byte `start`, behind `(`.
    fn call(&mut self, name: &str, start: usize) -> Result<(), ExpressionFault> {
        let fault = |message| ExpressionFault { offset: start, message };
        let function = Function::named(name);
        if name != "if" && function.is_none() {
            let known = || Function::NAMES.iter().copied().chain(["if"]);
            return Err(fault(format!(
                "unknown function `{name}`; allowed: {}{}",
                known().collect::<Vec<_>>().join(", "),
                crate::message::did_you_mean(name, known())
            )));
        }
        self.sum()?;
        let operation = match function {
            Some(function) => Operation::Call(function),
            None => Operation::If(self.comparison()?),
        };
        let mut given = if function.is_none() { 2 } else { 1 };
        while self.take(',') {
            self.sum()?;
            given += 1;
        }
        self.closed()?;
        let takes = operation.arguments();
        if given != takes {
            let count = ["no", "one argument", "two arguments", "three arguments"];
            let form = match function {
                Some(_) => count[takes].to_string(),
                None => "a comparison and two arguments, `if(a < b, c, d)`".to_string(),
            };
            return Err(fault(format!("`{name}` takes {form}")));
        }
        self.push(operation, start);
        Ok(())
    }

    /// A comparison and what it compares the first number with.
    fn comparison(&mut self) -> Result<Comparison, ExpressionFault> {
        let below = self.take('<');
        if !below && !self.take('>') {
            return Err(self.fault("expected a comparison, `<`, `<=`, `>` or `>=`"));
        }
        let comparison = match (below, self.take('=')) {
            (true, false) => Comparison::Below,
            (true, true) => Comparison::AtMost,
            (false, false) => Comparison::Above,
            (false, true) => Comparison::AtLeast,
        };
        self.sum()?;
        Ok(comparison)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, ExpressionFault> {
        evaluate(text, &mut |name| match name {
            "mu" => Ok(0.3),
            _ => Err(format!("unknown name `{name}`")),
        })
    }

    #[test]
    fn expressions_have_the_usual_precedence() {
        for (text, expected) in [
            ("5*pi", 5.0 * PI),
            ("1 + 2*3 - 4/8", 6.5),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("(1+2)*-3", -9.0),
            ("sqrt(2)/2", 2.0_f64.sqrt() / 2.0),
            ("atan2(1, 2)", 1.0_f64.atan2(2.0)),
            ("1e-3*2E2", 0.2),
            ("2*mu", 0.6),
            ("deg(180)", PI),
            ("e", E),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn faults_say_where() {
        for (text, offset) in [
            ("", 0),
            ("1 +", 3),
            ("2 ** 3", 3),
            ("(1", 2),
            ("nu*2", 0),
            ("2*sine(1)", 2),
            ("1 2", 2),
            ("1.2.3", 0),
            ("sin(1, 2)", 0),
        ] {
            let fault = value(text).expect_err(text);
            assert_eq!(fault.offset, offset, "{text}: {}", fault.message);
        }
        assert!(value(&"(".repeat(10_000)).is_err());
        assert!(value(&"-".repeat(10_000)).is_err());
    }

    #[test]
    fn derivatives_by_t_are_those_of_differences() {
        for text in [
            "sin(3*t)*cos(t)/exp(t/2)",
            "t^3 - (t - 1)^2 + t^-1",
            "(1 + t)^t + 2^t",
            "sqrt(t) + log(1 + t^2) + tan(t/2)",
            "asin(t/2) + acos(t/3) + atan(2*t)",
            "atan2(t, 0.7) + atan2(0.3, t) + hypot(t, 2) + deg(t^2)",
            "ramp(t/1.3)*abs(t - 3) + min(t, 5)*max(t^2, -1)",
            "if(t > 0.9, t^2, sin(t)) + mod(t^2, 0.5)",
            "sinh(t) - cosh(2*t)*tanh(3*t) + sign(t - 2)*t",
        ] {
            let Ok(Meaning::Function(f)) = parse(text, &["t"], &mut |n| Err(n.to_string())) else {
                panic!("{text}");
            };
            let e = 1e-4;
            for t in [0.31, 0.77, 1.21] {
                let [value, rate, bend] = f.at(t);
                let [l, m, r] = [t - e, t, t + e].map(|t| f.value(t));
                assert!((value - m).abs() < 1e-14 * (1.0 + m.abs()), "{text}");
                assert!((rate - (r - l) / (2.0 * e)).abs() < 1e-5, "{text} at {t}");
                assert!((bend - (r - 2.0 * m + l) / (e * e)).abs() < 1e-4, "{text} at {t}");
            }
        }
    }
}
