//! Expressions of numbers: `5*pi`, `2*mu`, `sqrt(2)/2`.
//!
//! Grammar: sums of products of powers with unary minus, parentheses, the constants `pi` and `e`,
//! functions, and names of `[parameters]`. `^` binds to the right and tighter than unary minus.

use std::f64::consts::{E, PI};

/// What is wrong with an expression, and the byte where.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionFault {
    pub offset: usize,
    pub message: String,
}

/// Names of the functions that an expression may use.
pub const FUNCTIONS: [&str; 15] = [
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "abs", "min",
    "max", "hypot", "deg",
];

/// Deepest nesting of parentheses, signs and powers.
const DEEPEST: usize = 64;

/// The value of `text`, with names looked up by `lookup`.
///
/// # Errors
/// A syntax fault, an unknown name or what `lookup` says, with its place in the text. The value
/// may be infinite or NaN: the caller checks ranges.
pub fn evaluate(
    text: &str,
    lookup: &mut dyn FnMut(&str) -> Result<f64, String>,
) -> Result<f64, ExpressionFault> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        lookup,
    };
    let value = parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        let hint = match text[parser.at..].chars().next() {
            Some(',') => "; decimals are written with a point",
            Some(c) if c.is_alphabetic() => "; numbers are in SI units and stand without them",
            _ => "",
        };
        let fault = parser.fault("expected an operator or the end of the expression");
        return Err(fault.with(hint));
    }
    Ok(value)
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
    lookup: &'a mut dyn FnMut(&str) -> Result<f64, String>,
}

impl Parser<'_> {
    fn fault(&self, message: &str) -> ExpressionFault {
        let seen = self.text[self.at..].chars().next();
        let seen = seen.map_or("the end".to_string(), |c| format!("`{c}`"));
        ExpressionFault {
            offset: self.at,
            message: format!("{message}, found {seen}"),
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

    fn sum(&mut self) -> Result<f64, ExpressionFault> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, ExpressionFault> {
        let mut value = self.signed()?;
        loop {
            if self.take('*') {
                value *= self.signed()?;
            } else if self.take('/') {
                value /= self.signed()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, ExpressionFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault("the expression is nested too deeply"));
        }
        let value = if self.take('-') {
            -self.signed()?
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, ExpressionFault> {
        let base = self.atom()?;
        if self.take('^') {
            Ok(base.powf(self.signed()?))
        } else {
            Ok(base)
        }
    }

    fn atom(&mut self) -> Result<f64, ExpressionFault> {
        if self.take('(') {
            let value = self.sum()?;
            return if self.take(')') {
                Ok(value)
            } else {
                Err(self.fault("expected `)`"))
            };
        }
        self.space();
        let rest = &self.text[self.at..];
        match rest.chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            other => {
                let twice = other == Some('*') && self.text[..self.at].ends_with('*');
                let hint = if twice {
                    "; a power is written `^`"
                } else {
                    ""
                };
                let fault = self.fault("expected a number, a name or `(`");
                Err(fault.with(hint))
            }
        }
    }

    fn number(&mut self) -> Result<f64, ExpressionFault> {
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
        let value = self.text[self.at..end]
            .parse()
            .map_err(|_| self.fault("malformed number"))?;
        self.at = end;
        Ok(value)
    }

    fn name(&mut self) -> Result<f64, ExpressionFault> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        if self.take('(') {
            let first = self.sum()?;
            let second = if self.take(',') {
                Some(self.sum()?)
            } else {
                None
            };
            if !self.take(')') {
                return Err(self.fault("expected `)`"));
            }
            return apply(name, first, second).map_err(|message| ExpressionFault {
                offset: start,
                message,
            });
        }
        match name {
            "pi" => Ok(PI),
            "e" => Ok(E),
            _ => (self.lookup)(name).map_err(|message| ExpressionFault {
                offset: start,
                message: if FUNCTIONS.contains(&name) {
                    format!(
                        "`{name}` is a function; its argument stands in parentheses, `{name}(…)`, \
                         angles in rad, `deg(30)` is 30°"
                    )
                } else {
                    message
                },
            }),
        }
    }
}

fn apply(name: &str, x: f64, second: Option<f64>) -> Result<f64, String> {
    let one = |value: f64| match second {
        None => Ok(value),
        Some(_) => Err(format!("`{name}` takes one argument")),
    };
    let two = |f: fn(f64, f64) -> f64| match second {
        Some(y) => Ok(f(x, y)),
        None => Err(format!("`{name}` takes two arguments")),
    };
    match name {
        "sqrt" => one(x.sqrt()),
        "sin" => one(x.sin()),
        "cos" => one(x.cos()),
        "tan" => one(x.tan()),
        "asin" => one(x.asin()),
        "acos" => one(x.acos()),
        "atan" => one(x.atan()),
        "exp" => one(x.exp()),
        "log" => one(x.ln()),
        "abs" => one(x.abs()),
        "deg" => one(x.to_radians()),
        "atan2" => two(f64::atan2),
        "min" => two(f64::min),
        "max" => two(f64::max),
        "hypot" => two(f64::hypot),
        _ => Err(format!(
            "unknown function `{name}`; allowed: {}{}",
            FUNCTIONS.join(", "),
            super::fault::did_you_mean(name, FUNCTIONS.into_iter())
        )),
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
}
