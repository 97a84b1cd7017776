//! Loads along members.

use super::{Checker, FINITE};
use crate::model::checked::{Checked, LineLoad};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::model::history::History;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// A load without a `point`: it acts along a member.
    pub(super) fn line_load(&mut self, model: &mut Checked, name: &Name, given: &file::Load) {
        let Some(carrier) = &given.member else {
            let message = format!(
                "{} needs a `point` (with fx, fy, moment) or a `member` (with qx, qy, normal, \
                 tangential)",
                name.path
            );
            self.report(&name.span, message);
            return;
        };
        let member = self.member(carrier);
        for scalar in [&given.fx, &given.fy, &given.moment].into_iter().flatten() {
            let message = format!(
                "{} acts at a point, and {} has none; allowed along a member: qx, qy, normal, \
                 tangential in N/m",
                scalar.path, name.path
            );
            self.report(&scalar.span, message);
        }
        let parts = components(given);
        if parts.iter().all(|part| part.is_none()) {
            let message = format!(
                "{} needs at least one of `qx`, `qy`, `normal`, `tangential`",
                name.path
            );
            self.report(&name.span, message);
        }
        let components = std::array::from_fn(|i| {
            let path = format!("{}.{}", name.path, LineLoad::KEYS[i]);
            self.number_or(parts[i], path, 0.0, Quantity::LineLoad, FINITE)
        });
        let length = if self.incomplete {
            1.0
        } else {
            model.length_of(member)
        };
        let between = match &given.between {
            None => [0.0, length],
            Some(ends) => {
                let [from, to] = [0, 1].map(|i| self.number(&ends[i], Quantity::Length, FINITE));
                let inside = 0.0 <= from && from < to && to <= length * (1.0 + 1e-12);
                if !inside && !self.incomplete {
                    let message = format!(
                        "{}.between is [{from}, {to}] m; allowed: from 0 to the length of member \
                         `{}`, {length} m, the second above the first",
                        name.path, carrier.value
                    );
                    self.report(&ends[0].span, message);
                }
                [from, to.min(length)]
            }
        };
        let variation = given.variation.as_ref().map_or([1.0; 2], |ends| {
            [0, 1].map(|i| self.number(&ends[i], Quantity::Dimensionless, FINITE))
        });
        let history = match &given.history {
            Some(history) => self.history(name, history),
            None => History::Constant,
        };
        model.line_loads.push(LineLoad {
            name: name.value.clone(),
            member,
            components,
            between,
            variation,
            history,
        });
    }

    /// Refuses what belongs to line loads only.
    pub(super) fn no_line_load(&mut self, name: &Name, given: &file::Load) {
        let ends = [&given.between, &given.variation];
        let ends = ends.into_iter().flatten().map(|ends| &ends[0]);
        let stray: Vec<&Scalar> = components(given)
            .into_iter()
            .flatten()
            .chain(ends)
            .collect();
        for scalar in stray {
            let path = scalar.path.trim_end_matches("[0]");
            let message = format!(
                "{path} belongs to a load along a member, and {} has a `point`; leave one of both \
                 out",
                name.path
            );
            self.report(&scalar.span, message);
        }
    }
}

/// In the order of [`LineLoad::KEYS`].
fn components(given: &file::Load) -> [Option<&Scalar>; 4] {
    [&given.qx, &given.qy, &given.normal, &given.tangential].map(Option::as_ref)
}
