//! Expressions of variables: of the time, and of what a law follows from.

use std::sync::Arc;

use super::Checker;
use crate::model::de::{Number, Scalar};
use crate::model::scalar::{self, Meaning};
use crate::numerics::expression::{Dependence, Expression};

/// What to do about a load that names a position.
const OF_POSITION: &str = "; a load follows the time alone. A force that depends on a position or velocity is a [springs.NAME] with `force`, `stiffness` \
    or `table`, `damping` or `damper`; a `stop` acts one way only";

/// An expression as it was read.
pub(super) struct Parsed {
    pub meaning: Meaning,
    /// The names in it that are no variables.
    pub names: Vec<String>,
    /// Whether all of these have values.
    pub known: bool,
}

impl Checker<'_> {
    /// What the `text` of an entry means as a function of `variables`; `None` where it has a fault, which is then on record.
    pub(super) fn parsed(
        &mut self, scalar: &Scalar, text: &str, variables: &[&str],
    ) -> Option<Parsed> {
        let (mut names, mut known) = (Vec::new(), true);
        let mut look = |name: &str| {
            names.push(name.to_string());
            let value = self.value_of_name(name, variables)?;
            known &= value.is_some();
            Ok(value.unwrap_or(1.0))
        };
        match scalar::parse(text, variables, &mut look) {
            Ok(meaning) => Some(Parsed { meaning, names, known }),
            Err(mut fault) => {
                let misspelt = fault.message.contains("did you mean");
                let unknown = fault.message.starts_with("unknown name") && !misspelt;
                if unknown && scalar.path.starts_with("loads.") {
                    fault.message += OF_POSITION;
                }
                self.expression_fault(scalar, text, &fault);
                None
            }
        }
    }

    /// The function of `variables` that stands in an entry; `None` where it has a fault, which is then on record.
    pub(super) fn expression(
        &mut self, scalar: &Scalar, variables: &[&str],
    ) -> Option<Arc<Expression>> {
        let text = match &scalar.value {
            Number::Unknown => return None,
            Number::Literal(value) => return Some(Arc::new(Expression::constant(*value))),
            Number::Expression(text) => text,
        };
        let Parsed { meaning, known, .. } = self.parsed(scalar, text, variables)?;
        let function = match meaning {
            Meaning::Number(value) => {
                Expression { text: text.clone(), ..Expression::constant(value) }
            }
            Meaning::Function(function) => function,
        };
        if !known {
            self.invalidate(&scalar.path);
            self.reader.doubt(&scalar.path);
            return None;
        }
        let both = variables.iter().enumerate().find(|&(i, name)| {
            self.parameters.contains_key(*name) && function.dependence(i) != Dependence::Free
        });
        if let Some((_, name)) = both {
            let message = format!(
                "{}: `{name}` is a variable of the law and a name in [parameters]; give the parameter another name",
                scalar.path
            );
            return self.refuse(scalar, message);
        }
        Some(Arc::new(function))
    }
}
