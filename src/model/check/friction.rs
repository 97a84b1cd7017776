//! Friction laws: every number of a law in range, and all of them together.

use super::Checker;
use crate::laws::friction::{self, Data, Formula, Friction, Named, Need, Place};
use crate::message::{figure, listed};
use crate::model::de::{DataFile, Located, Name};
use crate::model::file::{self, Given};
use crate::model::quantity::Quantity;

impl file::Friction {
    /// The law of joint `name` in plain numbers.
    pub(super) fn check(&self, check: &mut Checker<'_>, name: &Name) -> Friction {
        let path = format!("{}.friction.{}", name.path, self.name());
        let mut filled = self.clone();
        let complete = match filled.data() {
            Some(data) => fill(check, data),
            None => true,
        };
        let complete = compile(check, &mut filled) && complete;
        let (mut spans, mut values) = (Vec::new(), Vec::new());
        for (key, formula) in filled.formulas() {
            if let Some(Given::Written(scalar)) = &formula.written {
                spans.push((format!("{path}.{key}"), scalar.span.clone()));
            }
        }
        let law = filled.map(&mut |place, number| {
            let own = format!("{path}.{place}");
            match number {
                Given::Written(scalar) => spans.push((own.clone(), scalar.span.clone())),
                Given::Measured(_, file) => spans.push((own.clone(), file.span.clone())),
                Given::LeftOut => {}
            }
            let value = number_of_law(check, own, place, number);
            let known = !matches!(number, Given::Written(scalar) if !check.are_known([scalar]));
            values.push((value, known));
            value
        });
        // What does not go together only for the value that stands for a fault is no contradiction.
        let mut values = values.into_iter();
        let other = filled.map(&mut |_, _| match values.next() {
            Some((value, true)) => value,
            _ => 0.37,
        });
        let wrong =
            law.contradiction().filter(|wrong| other.contradiction().as_ref() == Some(wrong));
        if let Some(wrong) = wrong.filter(|_| complete) {
            let own = format!("{path}.{}", wrong.place);
            // A list is blamed where its first number stands.
            let found = spans.iter().find(|(p, _)| p.starts_with(&own));
            let at = Located::at(own.clone(), found.map_or(&name.span, |(_, span)| span).clone());
            check.report(&at, format!("{own} {}", wrong.text));
        }
        law.settled()
    }
}

/// Makes functions of the expressions of a law; whether all could be made.
fn compile(check: &mut Checker<'_>, law: &mut file::Friction) -> bool {
    match law {
        Friction::Expression(law) => {
            let variables = variables(check, &friction::VARIABLES, &law.numbers);
            function(check, &mut law.coefficient, &variables)
        }
        Friction::ExpressionWithMemory(law) => {
            let of_state = variables(check, &friction::STATE_VARIABLES, &law.numbers);
            let of_force = variables(check, &friction::FORCE_VARIABLES, &law.numbers);
            let state = function(check, &mut law.state, &of_state);
            function(check, &mut law.force, &of_force) && state
        }
        _ => true,
    }
}

/// The variables of an expression, and the names of the numbers that stand beside it.
fn variables(check: &mut Checker<'_>, own: &[&'static str], numbers: &Named<Given>) -> Vec<String> {
    for (name, number) in &numbers.0 {
        let Given::Written(scalar) = number else {
            continue;
        };
        let first = name.chars().next();
        let sound = first.is_some_and(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let taken = own.contains(&&**name) || ["pi", "e"].contains(&&**name);
        if !sound || taken {
            let why = if taken { "has a meaning in the expression" } else { "is no name" };
            let message = format!(
                "{}: `{name}` {why}; allowed: a name that begins with a letter and goes on with letters, digits and `_`, and is none of {}",
                scalar.path,
                listed(own.iter().copied().chain(["pi", "e"]))
            );
            check.report(scalar, message);
        }
    }
    own.iter().map(|name| (*name).to_owned()).chain(numbers.names().map(str::to_owned)).collect()
}

/// Makes a function of an expression; whether it could.
fn function(check: &mut Checker<'_>, formula: &mut Formula<Given>, variables: &[String]) -> bool {
    let Some(Given::Written(scalar)) = &formula.written else {
        return false;
    };
    let variables: Vec<&str> = variables.iter().map(String::as_str).collect();
    formula.function = check.expression(scalar, &variables);
    formula.function.is_some()
}

fn number_of_law(check: &mut Checker<'_>, path: String, place: Place<'_>, number: &Given) -> f64 {
    let limit = place.key.limit;
    match (number, place.key.need) {
        (Given::Written(scalar), _) => check.number(scalar),
        (Given::LeftOut, Need::Default(_)) => check.usual(None, path),
        // The reader has missed it already.
        (Given::LeftOut, _) => 1.0,
        (Given::Measured(value, file), _) => {
            let admitted = limit.admit(*value);
            if admitted.is_none() {
                let message = format!(
                    "{}: `{}` has the number {} for `{place}`; allowed: {}",
                    file.path,
                    file.value,
                    figure(*value),
                    limit.text
                );
                check.report(file, message);
            }
            admitted.unwrap_or(1.0)
        }
    }
}

/// Fills the lists of a law from its data file, if it names one; whether there are points.
fn fill(check: &mut Checker<'_>, data: Data<'_, Given>) -> bool {
    let [(_, x), (_, y)] = data.lists;
    let lists = !x.is_empty() || !y.is_empty();
    match data.file {
        Some(DataFile(file)) if !lists => {
            let quantities: [&[Quantity]; 2] = [&[Quantity::Velocity], &[Quantity::Dimensionless]];
            let Some([speeds, coefficients]) =
                check.columns(file, "speed and coefficient", quantities)
            else {
                return false;
            };
            let measured = |column: Vec<f64>| {
                let numbers = column.into_iter();
                numbers.map(|value| Given::Measured(value, file.clone())).collect()
            };
            (*x, *y) = (measured(speeds), measured(coefficients));
            true
        }
        None if lists => true,
        // One of both is missed among the relations of the keys.
        _ => false,
    }
}
