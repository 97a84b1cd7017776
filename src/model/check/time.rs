//! Numbers that may be functions of the time.

use std::sync::Arc;

use super::expression::Parsed;
use super::{Checker, FINITE, KnownNumber};
use crate::checked::history::Factors;
use crate::message::{excerpt, figure};
use crate::model::de::{Number, Scalar};
use crate::model::quantity::Quantity;
use crate::model::scalar::{ExpressionFault, Meaning};
use crate::numerics::expression::Expression;

/// Instants of the experiment at which a function of the time is looked at.
const INSTANTS: u32 = 1000;

/// The name of the time, unless a parameter has it.
const TIME: &str = "t";

impl Checker<'_> {
    /// The function of the time that a number is, where it is one: then it is on record under its path, as others are. `smooth`: its two
    /// derivatives matter, too.
    pub(super) fn function(
        &mut self, scalar: &Scalar, quantity: Quantity, smooth: bool,
    ) -> Option<Arc<Expression>> {
        let Number::Expression(text) = &scalar.value else {
            return None;
        };
        let variables: &[&str] = if self.parameters.contains_key(TIME) { &[] } else { &[TIME] };
        let Some(Parsed { meaning, mut names, known }) = self.parsed(scalar, text, variables)
        else {
            return Some(Arc::new(Expression::constant(1.0)));
        };
        let Meaning::Function(function) = meaning else {
            return None;
        };
        if !known {
            self.invalidate(&scalar.path);
            self.reader.doubt(&scalar.path);
        } else if let (true, Some((offset, word))) = (smooth, function.kink) {
            let message = format!(
                "`{word}` may have a kink or a jump, which a motion cannot follow: its velocity or itself would jump; allowed: functions \
                 without them. `ramp(x)` goes smoothly from 0 to 1 as x does"
            );
            self.expression_fault(scalar, text, &ExpressionFault { offset, message });
        } else {
            self.is_finite(scalar, &function, quantity, smooth);
            names.push(TIME.to_string());
            let value = function.value(0.0);
            let known = KnownNumber { value, quantity, limit: FINITE, names, is_name: false };
            self.numbers.insert(scalar.path.clone(), known);
        }
        Some(Arc::new(function))
    }

    /// Whether a number of the file is a function of the time.
    pub(super) fn follows_time(&self, path: &str) -> bool {
        let named = |known: &KnownNumber| known.names.iter().any(|name| name == TIME);
        !self.parameters.contains_key(TIME) && self.numbers.get(path).is_some_and(named)
    }

    fn is_finite(
        &mut self, scalar: &Scalar, function: &Expression, quantity: Quantity, smooth: bool,
    ) {
        let stop = self.numbers.get("experiment.stop_time");
        let stop = stop.map_or(0.0, |number| number.value);
        let mut instants = (0..=INSTANTS).map(|i| stop * f64::from(i) / f64::from(INSTANTS));
        let seen = instants.find_map(|t| {
            let jet = if smooth { function.at(t) } else { [function.value(t), 0.0, 0.0] };
            let order = jet.iter().position(|x| !x.is_finite())?;
            let what = ["", "its rate of change is ", "its acceleration is "][order];
            Some(format!("{what}{} at t = {} s", figure(jet[order]), figure(t)))
        });
        if let Some(seen) = seen {
            let message = format!(
                "{} = \"{}\" in {}: {seen}; allowed: finite numbers from t = 0 to the end of the experiment, {} s; look for a division by zero \
                 or a root or logarithm of a negative number",
                scalar.path,
                excerpt(&function.text),
                quantity.unit(),
                figure(stop)
            );
            self.report(scalar, message);
        }
    }

    /// Gives `component` of a load the number or function of the time that is written for it; returns the number.
    pub(super) fn component<const N: usize>(
        &mut self, (scalar, path): (Option<&Scalar>, String), quantity: Quantity,
        factors: &mut Factors<N>, component: usize,
    ) -> f64 {
        factors.own[component] = scalar.and_then(|s| self.function(s, quantity, false));
        match factors.own[component] {
            Some(_) => 1.0,
            None => self.usual_in(scalar, path, quantity),
        }
    }
}
