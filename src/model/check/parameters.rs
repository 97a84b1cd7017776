//! Named parameters and the expressions that use them.

use super::Checker;
use crate::message::{did_you_mean, listed};
use crate::model::de::{Number, Scalar};
use crate::model::file::Entry;
use crate::model::scalar::{self, ExpressionFault};

impl<'a> Checker<'a> {
    /// Evaluates `[parameters]`, each after those that it needs. The ones that wait stand in a
    /// list, not on the call stack: a file cannot make it overflow.
    pub(super) fn named_parameters(&mut self) {
        let file = self.file;
        for entry in &file.parameters {
            self.identifier(&entry.name, "parameter");
            if matches!(entry.name.value.as_str(), "pi" | "e") {
                let message = format!(
                    "{}: in expressions `{}` is the constant; choose another name",
                    entry.name.path, entry.name.value
                );
                self.report_entry(&entry.name, message);
            }
            let mut waiting = vec![entry];
            while let Some(&last) = waiting.last() {
                let needed = self.needed(last);
                let first = needed.and_then(|n| {
                    let same = |w: &&Entry<Scalar>| w.name.value == n.name.value;
                    waiting.iter().position(same)
                });
                match (needed, first) {
                    (Some(needed), None) => waiting.push(needed),
                    (Some(needed), Some(first)) => {
                        self.cycle(&waiting[first..], needed);
                        waiting.pop();
                    }
                    (None, _) => {
                        self.evaluate_parameter(last);
                        waiting.pop();
                    }
                }
            }
        }
    }

    fn evaluate_parameter(&mut self, entry: &Entry<Scalar>) {
        let name = &entry.name.value;
        if self.parameters.contains_key(name) {
            return;
        }
        let value = entry.value.as_ref().and_then(|scalar| {
            let value = self.number(scalar);
            self.are_known([scalar]).then_some(value)
        });
        self.parameters.insert(name.clone(), value);
    }

    /// Parameters that need each other in turn.
    fn cycle(&mut self, entries: &[&Entry<Scalar>], again: &Entry<Scalar>) {
        let Some(last) = entries.last() else { return };
        let names = entries.iter().chain([&again]);
        let chain: Vec<&str> = names.map(|e| e.name.value.as_str()).collect();
        let message = format!(
            "{} depends on itself: {}; give one of them a number",
            last.name.path,
            chain.join(" → ")
        );
        self.report_entry(&last.name, message);
        self.parameters.insert(last.name.value.clone(), None);
    }

    /// The first parameter without a value yet in the expression of one without a value.
    fn needed(&self, entry: &Entry<Scalar>) -> Option<&'a Entry<Scalar>> {
        let Number::Expression(text) = &entry.value.as_ref()?.value else {
            return None;
        };
        if self.parameters.contains_key(&entry.name.value) {
            return None;
        }
        let file = self.file;
        let mut needed = None;
        let mut look = |name: &str| {
            if let Some(value) = self.parameters.get(name) {
                return Ok(value.unwrap_or(1.0));
            }
            if needed.is_none() {
                needed = file.parameters.iter().find(|e| e.name.value == name);
            }
            Ok(1.0)
        };
        // Its faults are reported when it is evaluated.
        let _ = scalar::evaluate(text, &mut look);
        needed
    }

    /// Value of a parameter for an expression; `None` where it has a fault, which is on record.
    pub(super) fn value_of_parameter(&self, name: &str) -> Result<Option<f64>, String> {
        self.value_of_name(name, &[])
    }

    /// Likewise, for an expression that has these `variables`, too.
    pub(super) fn value_of_name(
        &self, name: &str, variables: &[&str],
    ) -> Result<Option<f64>, String> {
        if let Some(value) = self.parameters.get(name) {
            return Ok(*value);
        }
        let known = || self.file.parameters.iter().map(|e| e.name.value.as_str());
        let names = if self.file.parameters.is_empty() {
            "; the model has no [parameters]".to_string()
        } else {
            format!(" and the parameters {}", listed(known()))
        };
        if name == "t" && variables.is_empty() {
            return Err(
                "`t`, the time, is allowed in the components of loads, in `displacement` and `angle` of motions and in \
                 `history.expression`; here stands a number that does not change with time"
                    .to_string(),
            );
        }
        let hint = did_you_mean(name, variables.iter().copied().chain(known()));
        let own = |name: &&str| match *name {
            "t" => "the time `t`, ".to_owned(),
            name => format!("`{name}`, "),
        };
        let own: String = variables.iter().map(own).collect();
        Err(format!("unknown name `{name}`; allowed: {own}`pi`, `e`{names}{hint}"))
    }

    /// Reports a fault inside an expression at its place, where that can be told.
    pub(super) fn expression_fault(
        &mut self, scalar: &Scalar, text: &str, fault: &ExpressionFault,
    ) {
        let written = self.reader.text.get(scalar.span.clone()).unwrap_or("");
        // With escapes or line breaks the offset in the text is not that in the file.
        let quote = written.find(text).filter(|&quote| quote <= 3);
        let at = scalar.span.start + quote.map_or(0, |quote| quote + fault.offset);
        let message = format!("{}: {}", scalar.path, fault.message);
        self.invalidate(&scalar.path);
        self.reader.report_of(&scalar.path, &(at..at), message);
    }
}
