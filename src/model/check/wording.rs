//! What the numbers of the model file are, in the words of an engineer, and what they act on.

use std::collections::{BTreeMap, BTreeSet};

use super::Checker;
use crate::checked::{Checked, Extent, LineLoad, Reach};
use crate::model::de::{Name, Scalar};
use crate::model::file::Entry;
use crate::model::form::{Acts, Form, Found};
use crate::model::quantity::Quantity;
use crate::model::statics::FixedSliders;

impl Checker<'_> {
    /// Description of the number at `path`: for an entry of `[parameters]`, the comment behind it.
    pub(super) fn describe(
        &self, model: &Checked, path: &str, entries: &BTreeMap<&str, &Entry<Scalar>>,
    ) -> String {
        let Some(name) = path.strip_prefix("parameters.") else {
            return meaning(self.keys, model, path).unwrap_or_default();
        };
        match self.comment(path, entries) {
            Some(comment) if is_unit(comment) => {
                format!("Value `{name}` of the model's expressions, {comment}")
            }
            Some(comment) => capitalized(comment),
            _ => format!("Value `{name}` of the model's expressions"),
        }
    }

    /// The comment behind an entry of `[parameters]`.
    fn comment(&self, path: &str, entries: &BTreeMap<&str, &Entry<Scalar>>) -> Option<&str> {
        let scalar = entries.get(path.strip_prefix("parameters.")?)?.value.as_ref()?;
        let line = self.reader.text.get(scalar.span.end..)?.lines().next()?;
        let comment = line.trim_start().strip_prefix('#')?.trim();
        Some(comment).filter(|comment| !comment.is_empty())
    }

    /// The unit with which the comment behind an entry of `[parameters]` begins or ends, as in `m, of the beam` and `of the beam, m`.
    pub(super) fn stated_unit(
        &self, path: &str, entries: &BTreeMap<&str, &Entry<Scalar>>,
    ) -> Option<String> {
        let comment = self.comment(path, entries)?;
        let ends = [comment.split([',', ':', ';']).next(), comment.rsplit(',').next()];
        let mut ends = ends.into_iter().flatten().map(str::trim);
        ends.find(|unit| !unit.is_empty() && is_unit(unit)).map(plain)
    }

    /// What the number at `path` measures. An entry of `[parameters]` measures what all numbers do that use it, where each is
    /// nothing but this parameter; where an expression uses it or they differ, what the `stated` unit says.
    pub(super) fn measures(&self, path: &str, uses: &Uses, stated: Option<&str>) -> Quantity {
        let stated = Quantity::ALL.into_iter().find(|quantity| Some(quantity.unit()) == stated);
        let otherwise = stated.unwrap_or(self.numbers[path].quantity);
        let mut found = None;
        let (mut waiting, mut seen) = (vec![path], BTreeSet::new());
        while let Some(path) = waiting.pop() {
            let name = path.strip_prefix("parameters.").filter(|_| seen.insert(path));
            for &other in name.and_then(|name| uses.get(name)).into_iter().flatten() {
                let number = &self.numbers[other];
                if number.is_name && other.starts_with("parameters.") {
                    waiting.push(other);
                    continue;
                }
                let quantity = *found.get_or_insert(number.quantity);
                // In an expression it may be a factor, or anything that others make a quantity of.
                if !number.is_name || quantity != number.quantity || quantity.is_discrete() {
                    return otherwise;
                }
            }
        }
        found.unwrap_or(otherwise)
    }

    /// The numbers whose expressions use each entry of `[parameters]`.
    pub(super) fn uses(&self) -> Uses<'_> {
        let mut uses = Uses::new();
        for (path, number) in &self.numbers {
            for name in &number.names {
                uses.entry(name).or_default().push(path);
            }
        }
        uses
    }
}

/// Paths of numbers by the name of a parameter in their expressions.
pub(super) type Uses<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// What of the start may follow from the number at `path`; for an entry of `[parameters]`,
/// from all numbers whose expressions use it.
pub(super) fn reach_of(uses: &Uses, form: &Form, model: &Checked, path: &str) -> Reach {
    let mut earliest = Reach::Nowhere;
    let (mut waiting, mut seen) = (vec![path], BTreeSet::new());
    while let Some(path) = waiting.pop() {
        if !seen.insert(path) {
            continue;
        }
        match path.strip_prefix("parameters.") {
            Some(name) => waiting.extend(uses.get(name).into_iter().flatten()),
            // What is no key of the file may reach everything.
            None => {
                let acts = Found::at(form, path).map_or(Acts::OnPositions, |found| found.acts);
                earliest = earliest.min(reach(acts, model.start.equilibrium));
            }
        }
    }
    earliest
}

/// A unit as FMI writes it.
fn plain(unit: &str) -> String {
    let letters = unit.chars().map(|c| match c {
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '·' => '.',
        other => other,
    });
    letters.collect()
}

/// Whether a comment is nothing but a unit: it is then no description.
fn is_unit(comment: &str) -> bool {
    let plain = plain(comment);
    Quantity::ALL.iter().any(|quantity| quantity.unit() == plain)
        || ["mm", "cm", "km", "deg", "kN", "MPa", "GPa", "km/h", "%", "1", "", "°"]
            .contains(&plain.as_str())
}

/// What of a start follows from a number; `equilibrium`: the start is one, with these sliders held.
fn reach(acts: Acts, equilibrium: Option<FixedSliders>) -> Reach {
    match acts {
        Acts::OnPositions => Reach::Positions,
        Acts::OnVelocities => Reach::Velocities,
        Acts::AsLoad if equilibrium.is_some() => Reach::Positions,
        Acts::AsFriction if equilibrium == Some(FixedSliders::Friction) => Reach::Positions,
        Acts::OnForces | Acts::AsLoad | Acts::AsFriction => Reach::Forces,
        Acts::Later => Reach::Nowhere,
    }
}

/// "Density of material steel", from what is declared with the key; of loads, masses and springs with what they act on.
pub(super) fn meaning(file: &Form, model: &Checked, path: &str) -> Option<String> {
    let name = Found::at(file, path)?.name();
    Some(match path.split('.').collect::<Vec<_>>()[..] {
        ["loads", load, key] => component_of(model, load, key).unwrap_or(name),
        ["masses", mass, _] => name + &at_point(model, mass),
        ["springs", spring, ..] => name + &between_points(model, spring),
        _ => name,
    })
}

/// A component of a load, in the words of what it acts on; `None` for its other numbers.
fn component_of(model: &Checked, load: &str, key: &str) -> Option<String> {
    if let Some(load) = model.loads.iter().find(|l| l.name == load) {
        return Some(component(key, &model.points[load.point].name));
    }
    let load = model.line_loads.iter().find(|l| l.name == load)?;
    let component = load.keys().iter().position(|own| *own == key)?;
    Some(line_load(load, component, model))
}

/// A component of a load, as a parameter or an input.
fn component(key: &str, point: &str) -> String {
    let what = match key {
        "fx" => "Force along x",
        "fy" => "Force along y",
        _ => "Moment",
    };
    format!("{what} on point {point}")
}

/// A component of a load on a member or an edge, as a parameter or an input.
fn line_load(load: &LineLoad, component: usize, model: &Checked) -> String {
    let what = ["along x", "along y", "normal to the deformed axis", "along the deformed axis"];
    let carrier = match load.extent {
        Extent::Along { carrier, .. } | Extent::At { carrier, .. } => carrier.name(model),
        Extent::Through { body, .. } => model.bodies[body].quoted(),
    };
    match (load.extent, what.get(component)) {
        (Extent::Through { .. }, Some(what)) => format!("Load {what} per volume of {carrier}"),
        (Extent::Along { .. }, Some(what)) => format!("Load {what} per length of {carrier}"),
        (_, Some(what)) => format!("Load {what} at a section of {carrier}"),
        (_, None) => format!("Moment at a section of {carrier}"),
    }
}

fn at_point(model: &Checked, mass: &str) -> String {
    let found = model.masses.iter().find(|m| m.name == mass);
    found.map_or(String::new(), |m| format!(" at point {}", model.points[m.point].name))
}

fn between_points(model: &Checked, spring: &str) -> String {
    let found = model.springs.iter().find(|s| s.name == spring);
    found.map_or(String::new(), |s| format!(", {}", model.name_of_ends(&s.between)))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A name of the file, for what is one of the header's texts.
pub(super) fn text(name: Option<&Name>) -> Option<String> {
    let text = name?.value.trim();
    (!text.is_empty()).then(|| text.to_string())
}
