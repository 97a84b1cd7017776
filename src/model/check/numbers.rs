//! Numbers of the file: what they measure and may be is declared with their keys, in [`crate::model::file`].

use super::{Checker, KnownNumber};
use crate::message::{excerpt, figure, in_degrees};
use crate::model::de::{Located, Number, Scalar};
use crate::model::form::Facts;
use crate::model::quantity::{FINITE, LARGEST, Limit, Quantity, SIZES, SMALLEST};
use crate::model::scalar;

impl Checker<'_> {
    /// What is declared with the key at `path`.
    pub(super) fn declared(&self, path: &str) -> Facts {
        self.keys.facts(path).copied().unwrap_or(Facts::of(""))
    }

    /// Value of a number; 1 where it has a fault.
    pub(super) fn number(&mut self, scalar: &Scalar) -> f64 {
        let facts = self.declared(&scalar.path);
        self.number_of(scalar, facts.quantity(), facts.limit)
    }

    /// Value of a number whose quantity follows from other keys; 1 where it has a fault.
    pub(super) fn number_in(&mut self, scalar: &Scalar, quantity: Quantity) -> f64 {
        let limit = self.declared(&scalar.path).limit;
        self.number_of(scalar, quantity, limit)
    }

    /// Value of a number that may be left out, for its declared default; `path` names it all the same.
    pub(super) fn usual(&mut self, scalar: Option<&Scalar>, path: String) -> f64 {
        let quantity = self.declared(&path).quantity();
        self.usual_in(scalar, path, quantity)
    }

    /// Likewise, of a number whose quantity follows from other keys.
    pub(super) fn usual_in(
        &mut self, scalar: Option<&Scalar>, path: String, quantity: Quantity,
    ) -> f64 {
        let facts = self.declared(&path);
        self.number_of_or(scalar, path, facts.usual(), quantity, facts.limit)
    }

    /// Value of a number that may be left out, for a default that follows from other keys.
    pub(super) fn number_or(&mut self, scalar: Option<&Scalar>, path: String, default: f64) -> f64 {
        let facts = self.declared(&path);
        self.number_of_or(scalar, path, default, facts.quantity(), facts.limit)
    }

    /// Value of a number that measures this, in this range; 1 where it has a fault.
    fn number_of(&mut self, scalar: &Scalar, quantity: Quantity, limit: Limit) -> f64 {
        let (mut names, mut is_name) = (Vec::new(), false);
        let value = match &scalar.value {
            Number::Unknown => return 1.0,
            Number::Literal(value) => *value,
            Number::Expression(text) => {
                let mut known = true;
                let mut look = |name: &str| {
                    is_name = name == text.trim();
                    names.push(name.to_string());
                    let value = self.value_of_parameter(name)?;
                    known &= value.is_some();
                    Ok(value.unwrap_or(1.0))
                };
                match scalar::evaluate(text, &mut look) {
                    Ok(_) if !known => {
                        self.invalidate(&scalar.path);
                        self.reader.doubt(&scalar.path);
                        return 1.0;
                    }
                    Ok(value) => value,
                    Err(fault) => {
                        self.expression_fault(scalar, text, &fault);
                        return 1.0;
                    }
                }
            }
        };
        let Some(value) = limit.admit(value) else {
            self.out_of_range(scalar, value, quantity, limit);
            return 1.0;
        };
        let known = KnownNumber { value, quantity, limit, names, is_name };
        self.numbers.insert(scalar.path.clone(), known);
        value
    }

    fn out_of_range(&mut self, scalar: &Scalar, value: f64, quantity: Quantity, limit: Limit) {
        let unit = quantity.unit();
        let space = if unit.is_empty() { "" } else { " " };
        let (written, hint) = match &scalar.value {
            Number::Literal(_) | Number::Unknown => (String::new(), ""),
            Number::Expression(text) if value.is_finite() => {
                (format!(" = \"{}\"", excerpt(text)), "")
            }
            Number::Expression(text) => (
                format!(" = \"{}\"", excerpt(text)),
                "; look for a division by zero or a root or logarithm of a negative number",
            ),
        };
        let allowed = match value.is_finite() {
            false => FINITE.text,
            true if has_sensible_size(value) => limit.text,
            true if limit.min > 0.0 => "a size from 1e-50 to 1e50",
            true => SIZES,
        };
        let degrees = limit.admit(value.to_radians()).is_some();
        let degrees = match (&scalar.value, quantity) {
            (Number::Literal(_), Quantity::Angle) if degrees => format!("; {}", in_degrees(value)),
            _ => String::new(),
        };
        let message = format!(
            "{}{written} is {}{space}{unit}; allowed: {allowed}{hint}{degrees}",
            scalar.path,
            figure(value)
        );
        self.report(scalar, message);
    }

    /// Value of a number that may be left out; `path` names it all the same.
    pub(super) fn number_of_or(
        &mut self, scalar: Option<&Scalar>, path: String, default: f64, quantity: Quantity,
        limit: Limit,
    ) -> f64 {
        match (scalar, self.patches.get(&path)) {
            (Some(scalar), _) => self.number_of(scalar, quantity, limit),
            (None, Some(&value)) => {
                let given = Scalar { value: Number::Literal(value), span: 0..0, path };
                self.number_of(&given, quantity, limit)
            }
            (None, None) => {
                let known = KnownNumber {
                    value: default,
                    quantity,
                    limit,
                    names: Vec::new(),
                    is_name: false,
                };
                self.numbers.insert(path, known);
                default
            }
        }
    }

    /// Value of a whole number that may be left out and, other than [counts](Self::count_or), may be an expression and be set;
    /// `path` names it all the same.
    pub(super) fn usual_whole(&mut self, scalar: Option<&Scalar>, path: String) -> f64 {
        let allowed = self.declared(&path).limit.text;
        let value = self.usual(scalar, path.clone());
        if value.fract() != 0.0 {
            let written = match scalar.map(|scalar| &scalar.value) {
                Some(Number::Expression(text)) => format!(" = \"{}\"", excerpt(text)),
                _ => String::new(),
            };
            let message = format!("{path}{written} is {}; allowed: {allowed}", figure(value));
            let at = Located::at(path, scalar.map_or(0..0, |s| s.span.clone()));
            self.report(&at, message);
        }
        value
    }

    /// A whole number that may be left out; `path` names it all the same.
    pub(super) fn count_or(
        &mut self, scalar: Option<&Scalar>, path: String, default: usize,
    ) -> usize {
        match (scalar, self.patches.get(&path)) {
            (Some(scalar), _) => self.count(scalar),
            (None, Some(&value)) => {
                let given = Scalar { value: Number::Literal(value), span: 0..0, path };
                self.count(&given)
            }
            (None, None) => {
                self.counts.insert(path, default);
                default
            }
        }
    }

    /// A whole number in its declared range; the smallest where it has a fault.
    pub(super) fn count(&mut self, scalar: &Scalar) -> usize {
        let [low, high] = self.declared(&scalar.path).count.unwrap_or([0, usize::MAX]);
        let value = match scalar.value {
            Number::Literal(value) => value,
            Number::Unknown => return low,
            Number::Expression(_) => {
                let path = &scalar.path;
                let message = format!("{path} must be a whole number, not an expression");
                self.report(scalar, message);
                return low;
            }
        };
        if value.fract() != 0.0 || value < low as f64 || value > high as f64 {
            self.report(
                scalar,
                format!(
                    "{} is {}; allowed: a whole number from {low} to {high}",
                    scalar.path,
                    figure(value)
                ),
            );
            return low;
        }
        self.counts.insert(scalar.path.clone(), value as usize);
        value as usize
    }
}

fn has_sensible_size(value: f64) -> bool {
    value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs())
}
