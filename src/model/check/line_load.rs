//! Loads along members and edges, and in sections of them.

use super::Checker;
use crate::checked::history::{Factors, History};
use crate::checked::{Carrier, Checked, Extent, LineLoad};
use crate::message::{figure, rounded};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// A load without a `point`: it acts on a member, an edge or a body.
    pub(super) fn line_load(&mut self, model: &mut Checked, name: &Name, given: &file::Load) {
        if let Some(body) = &given.body {
            return self.volume_load(model, name, body, given);
        }
        self.only_through(name, given);
        let (carrier, written) = match (&given.member, &given.edge) {
            (Some(member), None) => (self.member(member).map(Carrier::Member), member),
            (None, Some(edge)) => (self.edge(model, edge).map(Carrier::Edge), edge),
            (both, _) => {
                let message = match both {
                    Some(_) => format!("{} has both a `member` and an `edge`; give one", name.path),
                    None => format!(
                        "{} needs a `point` (with fx, fy, moment), or a `member` or an `edge` (with \
                         qx, qy, normal, tangential along it, or fx, fy, normal, tangential, moment in \
                         the section at `at`), or a `body` (with bx, by)",
                        name.path
                    ),
                };
                self.report_entry(name, message);
                return;
            }
        };
        let no_point = !self.is_unread(&format!("{}.point", name.path));
        let in_section = given.at.is_some();
        let allowed = match (in_section, &given.edge) {
            (false, _) => "qx, qy, normal, tangential in N/m",
            (true, None) => "fx, fy, normal, tangential in N, moment in N.m",
            (true, Some(_)) => "fx, fy, normal, tangential in N",
        };
        let [forces, moment, intensities] =
            [[&given.fx, &given.fy], [&given.moment, &None], [&given.qx, &given.qy]];
        let moment = moment.into_iter().filter(|_| !in_section || given.edge.is_some());
        let stray = match in_section {
            true => intensities,
            false => forces,
        };
        let mut strays = false;
        for scalar in stray.into_iter().chain(moment).flatten() {
            strays = true;
            if !no_point {
                continue;
            }
            let message = match in_section {
                true => format!(
                    "{}: {} acts in the section at `at`; allowed there: {allowed}",
                    scalar.path, name.path
                ),
                false => format!(
                    "{} acts at a point, and {} has none; allowed along a member or an edge: {allowed}, \
                     and in a section of it, `at` so many m from its beginning, fx, fy, moment",
                    scalar.path, name.path
                ),
            };
            self.report(scalar, message);
        }
        let parts = components(given);
        if parts.iter().all(|part| part.is_none()) && !strays {
            let message = format!("{} needs at least one of {allowed}", name.path);
            self.report_entry(name, message);
        }
        let length = carrier.filter(|_| self.known.geometry);
        let length = length.map_or(f64::INFINITY, |carrier| model.length_under_load(carrier));
        let what = if given.edge.is_some() { "edge" } else { "member" };
        let known_length = match length.is_finite() {
            true => format!(", {} m", rounded(length, 6)),
            false => String::new(),
        };
        let extent = match &given.at {
            Some(at) => {
                let place = self.number(at);
                if self.are_known(std::slice::from_ref(at)) && place > length * (1.0 + 1e-12) {
                    let message = format!(
                        "{} is {} m; allowed: at most the length of {what} `{}`{known_length}",
                        at.path,
                        figure(place),
                        written.value,
                    );
                    self.report(at, message);
                }
                self.only_along(name, given);
                carrier.map(|carrier| Extent::At { carrier, place: place.min(length) })
            }
            None => {
                let between = match &given.between {
                    None => [0.0, length],
                    Some(ends) => {
                        let [from, to] = [0, 1].map(|i| self.number(&ends[i]));
                        let inside = 0.0 <= from && from < to && to <= length * (1.0 + 1e-12);
                        if !inside && self.are_known(ends) {
                            let message = format!(
                                "{}.between is [{}, {}] m; allowed: from 0 to the length of {what} \
                                 `{}`{known_length}, the second above the first",
                                name.path,
                                figure(from),
                                figure(to),
                                written.value,
                            );
                            self.report(&ends[0], message);
                        }
                        [from, to.min(length)]
                    }
                };
                let variation = given
                    .variation
                    .as_ref()
                    .map_or([1.0; 2], |ends| [0, 1].map(|i| self.number(&ends[i])));
                carrier.map(|carrier| Extent::Along { carrier, between, variation })
            }
        };
        let scaled: Vec<_> = (parts.iter().enumerate())
            .map(|(i, part)| match (in_section, i) {
                (false, _) => (*part, Quantity::LineLoad),
                (true, 4) => (*part, Quantity::Moment),
                (true, _) => (*part, Quantity::Force),
            })
            .collect();
        let history = self.load_history(name, given.history.as_ref(), &scaled);
        let Some(extent) = extent else { return };
        self.add_line_load(model, name, extent, history, &parts);
    }

    /// Adds a load whose components are `parts`, as far as they are given.
    pub(super) fn add_line_load(
        &mut self, model: &mut Checked, name: &Name, extent: Extent, history: History,
        parts: &[Option<&Scalar>],
    ) {
        let mut load = LineLoad {
            name: name.value.clone(),
            extent,
            components: [0.0; 5],
            factors: Factors::from(history),
        };
        for (component, key) in load.keys().iter().enumerate() {
            let written = (parts[component], format!("{}.{key}", name.path));
            let quantity = load.quantity(component);
            load.components[component] =
                self.component(written, quantity, &mut load.factors, component);
        }
        model.line_loads.push(load);
    }

    /// Refuses what describes the part that is loaded, where that is one section.
    fn only_along(&mut self, name: &Name, given: &file::Load) {
        for (ends, key) in [(&given.between, "between"), (&given.variation, "variation")] {
            if let Some(ends) = ends {
                let message = format!(
                    "{path}.{key} belongs to a load along a member or an edge, and {path} acts in the section at \
                     `at`; leave one of both out",
                    path = name.path
                );
                self.report(&ends[0], message);
            }
        }
    }

    /// Refuses what belongs to line loads only.
    pub(super) fn no_line_load(&mut self, name: &Name, given: &file::Load) {
        self.only_through(name, given);
        if let Some(body) = &given.body {
            let message =
                format!("{}: {} has a `point`, too; give one of both", body.path, name.path);
            self.report(body, message);
        }
        let ends = [&given.between, &given.variation];
        let ends = ends.into_iter().flatten().map(|ends| &ends[0]);
        let stray = [&given.qx, &given.qy, &given.normal, &given.tangential, &given.at];
        let stray: Vec<&Scalar> = stray.into_iter().flatten().chain(ends).collect();
        if let Some(edge) = &given.edge {
            let message =
                format!("{}: {} has a `point`, too; give one of both", edge.path, name.path);
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

/// In the order of [`LineLoad::keys`].
fn components(given: &file::Load) -> [Option<&Scalar>; 5] {
    let [x, y] = match given.at {
        Some(_) => [&given.fx, &given.fy],
        None => [&given.qx, &given.qy],
    };
    let moment = given.moment.as_ref().filter(|_| given.at.is_some());
    let [x, y, normal, tangential] = [x, y, &given.normal, &given.tangential].map(Option::as_ref);
    [x, y, normal, tangential, moment]
}
