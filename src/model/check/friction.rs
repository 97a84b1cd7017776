//! Friction laws: every number of a law in range, and all of them together.

use super::Checker;
use crate::laws::friction::{Friction, Need, Place};
use crate::model::de::Name;
use crate::model::file::{self, Given};

impl Checker<'_> {
    /// The law of joint `name` in plain numbers.
    pub(super) fn friction(&mut self, name: &Name, given: &file::Friction) -> Friction {
        let path = format!("{}.friction.{}", name.path, given.name());
        let given = self.with_data(name, &path, given);
        let mut spans = Vec::new();
        let law = given.map(&mut |place, number| {
            let own = format!("{path}.{place}");
            if let Given::Written(scalar) = number {
                spans.push((own.clone(), scalar.span.clone()));
            }
            self.number_of_law(own, place, number)
        });
        if let Some(wrong) = law.contradiction() {
            let own = format!("{path}.{}", wrong.place);
            // A list is blamed where its first number stands.
            let found = spans.iter().find(|(p, _)| p.starts_with(&own));
            let span = found.map_or(&name.span, |(_, span)| span);
            self.report(span, format!("{own} {}", wrong.text));
        }
        law
    }

    fn number_of_law(&mut self, path: String, place: Place, number: &Given) -> f64 {
        let (quantity, limit) = (place.key.quantity, place.key.limit);
        match (number, place.key.need) {
            (Given::Written(scalar), _) => self.number(scalar, quantity, limit),
            (Given::LeftOut, Need::Default(default)) => {
                self.number_or(None, path, default, quantity, limit)
            }
            // The reader has missed it already.
            (Given::LeftOut, _) => 1.0,
            (Given::Measured(value, file), _) => {
                if !(limit.holds)(*value) {
                    let message = format!(
                        "{}: `{}` has the number {value} for `{place}`; allowed: {}",
                        file.path, file.value, limit.text
                    );
                    self.report(&file.span, message);
                }
                *value
            }
        }
    }

    /// A table law with the points of its data file in place.
    fn with_data(&mut self, name: &Name, path: &str, given: &file::Friction) -> file::Friction {
        let mut given = given.clone();
        let file::Friction::Table(table) = &mut given else {
            return given;
        };
        let lists = !table.velocities.is_empty() || !table.coefficients.is_empty();
        match (&table.file, lists) {
            (Some(file), false) => {
                if let Some((velocities, coefficients)) = self.columns(file) {
                    let measured = |x: &f64| Given::Measured(*x, file.clone());
                    let columns =
                        [&velocities, &coefficients].map(|c| c.iter().map(measured).collect());
                    [table.velocities, table.coefficients] = columns;
                }
            }
            (None, true) => {}
            _ => {
                let message =
                    format!("{path} needs either `velocities` and `coefficients` or `file`");
                self.report(&name.span, message);
            }
        }
        given
    }
}
