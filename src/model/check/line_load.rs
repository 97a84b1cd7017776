//! Loads along members and edges, and in sections of them.

use super::{Checker, drives};
use crate::checked::history::{Factors, History};
use crate::checked::{Carrier, Checked, Extent, LineLoad};
use crate::message::{figure, rounded};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;

impl file::Load {
    /// A load without a `point`: it acts on a member, an edge or a body.
    pub(super) fn along_line(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        if let Some(body) = &self.body {
            return self.through_body(check, model, name, body);
        }
        let (carrier, written) = match (&self.member, &self.edge) {
            (Some(member), _) => (check.member(member).map(Carrier::Member), member),
            (None, Some(edge)) => (check.edge(model, edge).map(Carrier::Edge), edge),
            (None, None) => return,
        };
        let in_section = self.at.is_some();
        let parts = components(self);
        let length = carrier.filter(|_| check.known.geometry);
        let length = length.map_or(f64::INFINITY, |carrier| model.length_under_load(carrier));
        let what = if self.edge.is_some() { "edge" } else { "member" };
        let known_length = match length.is_finite() {
            true => format!(", {} m", rounded(length, 6)),
            false => String::new(),
        };
        let extent = match &self.at {
            Some(at) => {
                let place = check.number(at);
                if check.are_known(std::slice::from_ref(at)) && place > length * (1.0 + 1e-12) {
                    let message = format!(
                        "{} is {} m; allowed: at most the length of {what} `{}`{known_length}",
                        at.path,
                        figure(place),
                        written.value,
                    );
                    check.report(at, message);
                }
                carrier.map(|carrier| Extent::At { carrier, place: place.min(length) })
            }
            None => {
                let between = match &self.between {
                    None => [0.0, length],
                    Some(ends) => {
                        let [from, to] = [0, 1].map(|i| check.number(&ends[i]));
                        let inside = 0.0 <= from && from < to && to <= length * (1.0 + 1e-12);
                        if !inside && check.are_known(ends) {
                            let message = format!(
                                "{}.between is [{}, {}] m; allowed: from 0 to the length of {what} \
                                 `{}`{known_length}, the second above the first",
                                name.path,
                                figure(from),
                                figure(to),
                                written.value,
                            );
                            check.report(&ends[0], message);
                        }
                        [from, to.min(length)]
                    }
                };
                let variation = self
                    .variation
                    .as_ref()
                    .map_or([1.0; 2], |ends| [0, 1].map(|i| check.number(&ends[i])));
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
        let history = drives::load_history(check, name, self.history.as_ref(), &scaled);
        let Some(extent) = extent else { return };
        add_line_load(check, model, name, extent, history, &parts);
    }
}

/// Adds a load whose components are `parts`, as far as they are given.
pub(super) fn add_line_load(
    check: &mut Checker<'_>, model: &mut Checked, name: &Name, extent: Extent, history: History,
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
            check.component(written, quantity, &mut load.factors, component);
    }
    model.line_loads.push(load);
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
