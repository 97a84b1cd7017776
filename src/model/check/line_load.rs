//! Loads along members and edges.

use super::{Checker, FINITE};
use crate::message::{figure, rounded};
use crate::model::checked::{Carrier, Checked, LineLoad};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::model::history::History;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// A load without a `point`: it acts along a member or an edge.
    pub(super) fn line_load(&mut self, model: &mut Checked, name: &Name, given: &file::Load) {
        let (carrier, written) = match (&given.member, &given.edge) {
            (Some(member), None) => (self.member(member).map(Carrier::Member), member),
            (None, Some(edge)) => (self.edge(model, edge).map(Carrier::Edge), edge),
            (both, _) => {
                let message = match both {
                    Some(_) => format!("{} has both a `member` and an `edge`; give one", name.path),
                    None => format!(
                        "{} needs a `point` (with fx, fy, moment), or a `member` or an `edge` (with \
                         qx, qy, normal, tangential)",
                        name.path
                    ),
                };
                self.report_entry(name, message);
                return;
            }
        };
        let no_point = !self.is_unread(&format!("{}.point", name.path));
        let forces = [&given.fx, &given.fy, &given.moment].into_iter();
        for scalar in forces.flatten().filter(|_| no_point) {
            let message = format!(
                "{} acts at a point, and {} has none; allowed along a member or an edge: qx, qy, \
                 normal, tangential in N/m",
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
        let length = carrier.filter(|_| self.known.geometry);
        let length = length.map_or(f64::INFINITY, |carrier| model.length_of_carrier(carrier));
        let between = match &given.between {
            None => [0.0, length],
            Some(ends) => {
                let [from, to] = [0, 1].map(|i| self.number(&ends[i], Quantity::Length, FINITE));
                let inside = 0.0 <= from && from < to && to <= length * (1.0 + 1e-12);
                if !inside && self.are_known(ends) {
                    let message = format!(
                        "{}.between is [{}, {}] m; allowed: from 0 to the length of {} `{}`{}, \
                         the second above the first",
                        name.path,
                        figure(from),
                        figure(to),
                        if given.edge.is_some() {
                            "edge"
                        } else {
                            "member"
                        },
                        written.value,
                        match length.is_finite() {
                            true => format!(", {} m", rounded(length, 6)),
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
        let Some(carrier) = carrier else { return };
        model.line_loads.push(LineLoad {
            name: name.value.clone(),
            carrier,
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
        if let Some(edge) = &given.edge {
            let message = format!(
                "{}: {} has a `point`, too; give one of both",
                edge.path, name.path
            );
            self.report(edge, message);
        }
        for scalar in stray {
            let path = scalar.path.trim_end_matches("[0]");
            let message = format!(
                "{path} belongs to a load along a member or an edge, and {} has a `point`; leave one \
                 of both out",
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
