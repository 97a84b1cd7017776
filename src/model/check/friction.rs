//! Friction laws: every number of a law in range, and all of them together.

use super::Checker;
use crate::laws::friction::{Data, Friction, Need, Place};
use crate::message::figure;
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
        let (mut spans, mut values) = (Vec::new(), Vec::new());
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
        law
    }
}

fn number_of_law(check: &mut Checker<'_>, path: String, place: Place, number: &Given) -> f64 {
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
