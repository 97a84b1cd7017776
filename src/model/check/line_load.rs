//! Loads along members.

use super::{Checker, FINITE};
use crate::message::figure;
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
            self.report_entry(name, message);
            return;
        };
        let member = self.member(carrier);
        let no_point = !self.is_unread(&format!("{}.point", name.path));
        let forces = [&given.fx, &given.fy, &given.moment].into_iter();
        for scalar in forces.flatten().filter(|_| no_point) {
            let message = format!(
                "{} acts at a point, and {} has none; allowed along a member: qx, qy, normal, \
                 tangential in N/m",
                scalar.path, name.path
            );
            self.report(scalar, message);
        }
        let parts = components(given);
        if parts.iter().all(|part| part.is_none()) {
            let message = format!(
                "{} needs at least one of `qx`, `qy`, `normal`, `tangential`",
                name.path
            );
            self.report_entry(name, message);
        }
        let components = std::array::from_fn(|i| {
            let path = format!("{}.{}", name.path, LineLoad::KEYS[i]);
            self.number_or(parts[i], path, 0.0, Quantity::LineLoad, FINITE)
        });
        let length = member.filter(|_| self.known.geometry);
        let length = length.map_or(f64::INFINITY, |member| model.length_of(member));
        let between = match &given.between {
            None => [0.0, length],
            Some(ends) => {
                let [from, to] = [0, 1].map(|i| self.number(&ends[i], Quantity::Length, FINITE));
                let inside = 0.0 <= from && from < to && to <= length * (1.0 + 1e-12);
                if !inside && self.are_known(ends) {
                    let message = format!(
                        "{}.between is [{}, {}] m; allowed: from 0 to the length of member `{}`{}, \
                         the second above the first",
                        name.path,
                        figure(from),
                        figure(to),
                        carrier.value,
                        match length.is_finite() {
                            true => format!(", {} m", figure(length)),
                            false => String::new(),
                        }
                    );
                    self.report(&ends[0], message);
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
        let Some(member) = member else { return };
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
            self.report(scalar, message);
        }
    }
}

/// In the order of [`LineLoad::KEYS`].
fn components(given: &file::Load) -> [Option<&Scalar>; 4] {
    [&given.qx, &given.qy, &given.normal, &given.tangential].map(Option::as_ref)
}
