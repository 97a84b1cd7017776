//! Units and types of a model description (FMI 2.0.5, sections 2.2.2 and 2.2.3; FMI 3.0, sections 2.4.3 and 2.4.4).

use std::collections::{HashMap, HashSet};

use coulisse::message::excerpt;

use super::finding::{Findings, hint};
use super::grammar::place;
use super::tree::Element;
use crate::archive::Standard;

/// Exponents of a base unit, and what the second adds.
const BASE: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// The units of a description by name.
#[derive(Debug)]
pub struct Units<'a>(HashMap<&'a str, &'a Element>);

impl<'a> Units<'a> {
    pub fn of(root: &'a Element) -> Units<'a> {
        Units(by_name(root.inside("UnitDefinitions", "Unit")))
    }

    /// Reports what is wrong with the unit and the display unit of an element; `inherited` is the unit
    /// where none is written, `owner` is what the element belongs to.
    pub fn check_use(
        &self, typed: &Element, inherited: Option<&str>, owner: (usize, &dyn Fn() -> String),
        findings: &mut Findings,
    ) {
        let (unit, display) = (typed.get("unit"), typed.get("displayUnit"));
        let (line, owner) = owner;
        if let Some(unit) = unit.filter(|unit| !self.0.contains_key(unit)) {
            findings.add_with(line, || {
                let (shown, hint) = (excerpt(unit), hint(unit, self.0.keys().copied()));
                format!("{}: unit `{shown}` is not in UnitDefinitions{hint}", owner())
            });
            return;
        }
        let Some(display) = display else { return };
        let shown = excerpt(display);
        let Some(unit) = unit.or(inherited) else {
            findings.add(line, format!("{}: displayUnit `{shown}` without a unit", owner()));
            return;
        };
        let Some(defined) = self.0.get(unit) else {
            return;
        };
        let mut defined = defined.named("DisplayUnit").filter_map(|c| c.get("name"));
        // A unit may be shown as itself.
        if display != unit && !defined.clone().any(|name| name == display) {
            let first: Vec<String> = defined.by_ref().take(20).map(excerpt).collect();
            let allowed = match (first.is_empty(), defined.next()) {
                (true, _) => "none".to_owned(),
                (_, None) => first.join(", "),
                _ => first.join(", ") + ", …",
            };
            findings.add(
                line,
                format!(
                    "{}: displayUnit `{shown}` is not one of unit `{}`; allowed: {allowed}",
                    owner(),
                    excerpt(unit)
                ),
            );
        }
    }

    /// Whether one unit is the other by s; `None` where one has no exponents.
    pub fn is_rate(&self, rate: &str, of: &str) -> Option<bool> {
        let exponents = |name: &str| -> Option<[f64; 8]> {
            let base = self.0.get(name)?.child("BaseUnit")?;
            Some(BASE.map(|key| base.number(key).unwrap_or(0.0)))
        };
        let (rate, mut of) = (exponents(rate)?, exponents(of)?);
        of[2] -= 1.0;
        // Angles count as numbers as often as not.
        Some(rate[..7] == of[..7])
    }
}

/// A type that variables may declare.
#[derive(Debug, Clone, Copy)]
pub struct Type<'a> {
    /// The kind of variables that have it.
    pub kind: &'a str,
    /// What it says of values.
    pub values: &'a Element,
}

/// The types of a description by name; `None` of one that is too broken to say what it is.
pub type Types<'a> = HashMap<&'a str, Option<Type<'a>>>;

/// Elements that describe a type each.
fn type_elements(root: &Element) -> &[Element] {
    root.child("TypeDefinitions").map_or(&[], |list| &list.children)
}

/// What the element of a type says of values: one of its own in FMI 2.0.
fn type_of(element: &Element, standard: Standard) -> Option<Type<'_>> {
    match standard {
        Standard::Fmi2 => {
            let values = element.children.first()?;
            Some(Type { kind: &values.name, values })
        }
        Standard::Fmi3 => Some(Type { kind: element.name.strip_suffix("Type")?, values: element }),
    }
}

pub fn types(root: &Element, standard: Standard) -> Types<'_> {
    let named = by_name(type_elements(root).iter());
    named.into_iter().map(|(name, element)| (name, type_of(element, standard))).collect()
}

/// The first of each name; a second one is a finding of its own.
fn by_name<'a>(elements: impl Iterator<Item = &'a Element>) -> HashMap<&'a str, &'a Element> {
    let mut found = HashMap::new();
    for element in elements {
        if let Some(name) = element.get("name") {
            found.entry(name).or_insert(element);
        }
    }
    found
}

/// Units, types and log categories in themselves, of a description with variables of these `names`.
pub fn check(
    root: &Element, standard: Standard, units: &Units<'_>, names: &HashSet<&str>,
    findings: &mut Findings,
) {
    for (list, item) in
        [("UnitDefinitions", "Unit"), ("LogCategories", "Category"), ("VendorAnnotations", "Tool")]
    {
        unique(root.inside(list, item), "name", list, findings);
    }
    unique(type_elements(root).iter(), "name", "TypeDefinitions", findings);
    let kinds = ["ModelExchange", "CoSimulation"];
    for kind in kinds.iter().filter_map(|name| root.child(name)) {
        unique(kind.inside("SourceFiles", "File"), "name", &place(kind), findings);
    }
    for unit in root.inside("UnitDefinitions", "Unit") {
        unique(unit.named("DisplayUnit"), "name", &place(unit), findings);
        for part in &unit.children {
            if part.number("factor") == Some(0.0) {
                let message = format!(
                    "{} of {}: factor=0; allowed: another number",
                    place(part),
                    place(unit)
                );
                findings.add(part.line, message);
            }
            if part.flag("inverse") && part.number("offset").is_some_and(|offset| offset != 0.0) {
                let message = format!(
                    "{} of {}: inverse with an offset; allowed: one of both",
                    place(part),
                    place(unit)
                );
                findings.add(part.line, message);
            }
        }
    }
    for described in type_elements(root) {
        let (Some(name), Some(of)) = (described.get("name"), type_of(described, standard)) else {
            continue;
        };
        let (line, kind) = (described.line, of.values);
        if names.contains(name) {
            let message =
                format!("{} has the name of a variable; allowed: another name", place(described));
            findings.add(line, message);
        }
        units.check_use(kind, None, (line, &|| place(described)), findings);
        if let Some(nominal) = kind.number("nominal").filter(|n| *n <= 0.0) {
            let message = format!("{}: nominal={nominal}; allowed: above 0", place(described));
            findings.add(line, message);
        }
        if let (Some(min), Some(max)) = (kind.number("min"), kind.number("max"))
            && min > max
        {
            findings.add(line, format!("{}: min={min} is above max={max}", place(described)));
        }
        if of.kind == "Enumeration" {
            for key in ["name", "value"] {
                unique(kind.named("Item"), key, &place(described), findings);
            }
        }
    }
}

/// Reports every element whose attribute stands in another one before.
pub fn unique<'a>(
    elements: impl Iterator<Item = &'a Element>, key: &str, list: &str, findings: &mut Findings,
) {
    let mut seen = HashSet::new();
    for element in elements {
        if let Some(value) = element.get(key)
            && !seen.insert(value.trim())
        {
            let (name, value) = (&element.name, excerpt(value));
            let message = format!("{list}: a second <{name}> with {key} `{value}`; allowed: one");
            findings.add(element.line, message);
        }
    }
}
