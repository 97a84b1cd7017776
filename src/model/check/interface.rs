//! The variables that a host sees, by dotted path.

use std::collections::{BTreeMap, BTreeSet};

use super::inputs::inputs;
use super::wording::reach_of;
use super::{Checker, KnownNumber};
use crate::checked::{Checked, Element, OutputVariable, Parameter, Reconstruction, Tunable};
use crate::message::excerpt;
use crate::message::{did_you_mean, listed, suggestion};
use crate::model::de::{Name, Scalar};
use crate::model::file::{DiscreteOutputs, Entry, JointKind, Probe, Section, Top};
use crate::quantity::{Limit, Quantity};
use crate::system::outputs;

/// The number of a friction law behind a path, if it is one.
pub(super) fn tunable(model: &Checked, path: &str) -> Option<Tunable> {
    let sliders = model.sliders.iter().enumerate();
    let sliders = sliders.map(|(j, s)| ("joints", &s.name, &s.friction, j..j + 1));
    // Each of its ends has the law of the joint, or one behind the nodes has.
    let edges = model.sliding_edges.iter().filter(|edge| edge.friction.is_none());
    let edges = edges.map(|edge| {
        let law = &model.sliders[edge.sliders.start].friction;
        ("joints", &edge.name, law, edge.sliders.clone())
    });
    let corners = model.rigid_contacts.iter().map(|contact| {
        let law = &model.sliders[contact.corners.start].friction;
        ("contacts", &contact.name, law, contact.corners.clone())
    });
    let contacts = model.contacts.iter().zip(model.sliders.len()..);
    let contacts = contacts.map(|(c, law)| ("contacts", &c.name, &c.friction, law..law + 1));
    let mut owners = sliders.chain(edges).chain(corners).chain(contacts);
    owners.find_map(|(section, owner, friction, laws)| {
        let own = format!("{section}.{owner}.friction.{}.", friction.name());
        let name = path.strip_prefix(&own)?;
        let numbers = friction.numbers();
        let number = numbers.iter().position(|(n, _)| n == name)?;
        Some(Tunable { laws, number })
    })
}

/// What a model shows that shows nothing else: FMI knows no description without a variable.
const ALWAYS: &str = "solver.steps";

/// Resolves `[interface]`; a path that ends in `.*` stands for all below it.
pub(super) fn interface(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    let given = file.interface.clone().unwrap_or_default();
    for list in [&given.inputs, &given.parameters, &given.outputs] {
        // Patterns may overlap; the same name twice is a slip of the pen.
        let mut seen = BTreeSet::new();
        for name in list.iter().filter(|name| !seen.insert(&name.value)) {
            twice(check, name, &name.value);
        }
    }
    let possible_inputs = inputs(check, model);
    let known = Known::of(possible_inputs.iter().map(|input| &input.path));
    let mut there = BTreeSet::new();
    for name in &given.inputs {
        if check.follows_time(&name.value) {
            let message = format!(
                "{}: `{}` is a function of the time, and no input; a number there, with the function as \
                 `history.expression`, can be one",
                name.path, name.value
            );
            check.report_entry(name, message);
            continue;
        }
        for i in matching(check, name, "input", &known) {
            let input = &possible_inputs[i];
            if there.insert(input.path.clone()) {
                model.inputs.push(input.clone());
            }
        }
    }
    reconstructions(check, model);
    let mut numbers: Vec<(String, KnownNumber)> =
        check.numbers.iter().map(|(path, known)| (path.clone(), known.clone())).collect();
    numbers.extend(numbers_of_elements(check));
    let names = Top::ALL.iter().flat_map(|&top| file.entries_of(top));
    let places = names.map(|name| (name.path.as_str(), name.span.start)).collect();
    numbers.sort_by_cached_key(|(path, _)| (place_of(&places, path), path.clone()));
    // Named parameters are there to be changed; what follows from others changes with them.
    let mut chosen: Vec<usize> = (0..numbers.len())
        .filter(|&i| numbers[i].0.starts_with("parameters."))
        .filter(|&i| numbers[i].1.names.is_empty())
        .collect();
    let known = Known::of(numbers.iter().map(|(path, _)| path));
    let mut is_chosen = vec![false; numbers.len()];
    chosen.iter().for_each(|&i| is_chosen[i] = true);
    for name in &given.parameters {
        for i in matching(check, name, "parameter", &known) {
            // They change the plan: who wants all numbers below a path does not mean them.
            if name.value.ends_with(".*") && is_number_of_elements(&numbers[i].0) {
                continue;
            }
            let follows = &numbers[i].1.names;
            if !follows.is_empty() {
                if !name.value.ends_with(".*") {
                    let from = follows.iter().filter(|n| check.parameters.contains_key(*n));
                    let from = from.map(|n| format!("parameters.{n}"));
                    let from: Vec<String> = from.collect();
                    let message = format!(
                        "{}: `{}` is an expression and changes with what it is made of; \
                         allowed: {}",
                        name.path,
                        numbers[i].0,
                        listed(from.iter().map(String::as_str))
                    );
                    check.report_entry(name, message);
                }
            } else if there.contains(&numbers[i].0) {
                let message = format!(
                    "{}: `{}` is an input already; allowed: one of both",
                    name.path, numbers[i].0
                );
                check.report_entry(name, message);
            } else if !std::mem::replace(&mut is_chosen[i], true) {
                chosen.push(i);
            }
        }
    }
    let uses = check.uses();
    let entries = check.file.parameters.iter();
    let entries: BTreeMap<&str, &Entry<Scalar>> =
        entries.map(|e| (e.name.value.as_str(), e)).rev().collect();
    for i in chosen {
        let (path, known) = &numbers[i];
        let description = check.describe(model, path, &entries);
        let stated_unit = check.stated_unit(path, &entries);
        let structural = is_number_of_elements(path);
        let quantity = match structural {
            true => known.quantity,
            false => check.measures(path, &uses, stated_unit.as_deref()),
        };
        model.parameters.push(Parameter {
            path: path.clone(),
            value: known.value,
            quantity,
            range: [known.limit.min, known.limit.max],
            reach: reach_of(&uses, check.keys, model, path),
            structural,
            description,
            stated_unit,
            tunable: tunable(model, path),
        });
    }
    if let Some(stations) = &given.stations {
        model.stations = check.count(stations);
    }
    model.calculated = outputs::calculated(model);
    let possible = outputs::all(model);
    model.outputs =
        possible.iter().filter(|o| outputs::is_shown(model, o.output)).cloned().collect();
    let known = Known::of(possible.iter().map(|output| &output.path));
    let mut there: BTreeSet<String> = model.outputs.iter().map(|o| o.path.clone()).collect();
    for name in &given.outputs {
        if given.stations.is_none()
            && known.matching(&name.value).is_empty()
            && needs_stations(model, &name.value)
        {
            let message = format!(
                "{}: `{}` is an array of positions along it, and the model states no number of them; give `interface.stations`, as 11",
                name.path, name.value
            );
            check.report_entry(name, message);
            continue;
        }
        for i in matching(check, name, "output", &known) {
            let output = &possible[i];
            if there.insert(output.path.clone()) {
                model.outputs.push(output.clone());
            }
        }
    }
    arrays(check, model, (&possible, &known));
    match given.discrete_outputs {
        DiscreteOutputs::Typed => {}
        DiscreteOutputs::Real => model.discrete_as_real = true,
        DiscreteOutputs::None => (model.outputs).retain(|output| !output.quantity.is_discrete()),
    }
    let empty = model.outputs.is_empty() && model.calculated.is_empty();
    if empty && model.parameters.is_empty() && model.inputs.is_empty() {
        model.outputs = possible;
        model.outputs.retain(|output| output.path == ALWAYS);
    }
}

/// Adds the arrays of the file, whose elements are some of the `possible` outputs.
fn arrays(
    check: &mut Checker<'_>, model: &mut Checked,
    (possible, known): (&[OutputVariable], &Known<'_>),
) {
    let file = check.file;
    for (array, names) in file.arrays.iter().filter_map(|e| Some((&e.name, e.value.as_ref()?))) {
        let mut elements: Vec<&OutputVariable> = Vec::new();
        for name in names {
            for i in matching(check, name, "output", known) {
                let (one, first) = (&possible[i], *elements.first().unwrap_or(&&possible[i]));
                if one.quantity != first.quantity {
                    let message = format!(
                        "{}: `{}` has the type {:?}, and `{}` before it {:?}; allowed: outputs of one type in an array",
                        name.path, one.path, one.quantity, first.path, first.quantity
                    );
                    check.report_entry(name, message);
                    return;
                }
                elements.push(one);
            }
        }
        if names.is_empty() {
            let message =
                format!("{}: the array is empty; allowed: one output or more", array.path);
            check.report_entry(array, message);
        }
        let paths = elements.iter().map(|one| one.path.as_str());
        let (of, text) = (elements.len(), format!("{}: {}", array.value, listed(paths)));
        let variables = elements.iter().enumerate().map(|(at, one)| OutputVariable {
            path: format!("{}[{}]", array.path, at + 1),
            element: Some(Element { at, of, array: text.clone() }),
            ..(*one).clone()
        });
        model.outputs.extend(variables);
    }
}

/// The numbers of elements of members, as numbers that a host may set.
fn numbers_of_elements(check: &Checker<'_>) -> Vec<(String, KnownNumber)> {
    let counts = check.counts.iter().filter(|(path, _)| is_number_of_elements(path));
    let known = counts.map(|(path, &count)| {
        let [low, high] = check.declared(path).count.unwrap_or([1, usize::MAX]);
        let limit = Limit { min: low as f64, max: high as f64, text: "a whole number" };
        let (value, quantity) = (count as f64, Quantity::Count);
        (path.clone(), KnownNumber { value, quantity, limit, names: Vec::new(), is_name: false })
    });
    known.collect()
}

/// Whether a path is that of the number of elements of a member.
fn is_number_of_elements(path: &str) -> bool {
    path.starts_with("members.") && path.ends_with(".elements")
}

/// How the inputs run between communication points.
fn reconstructions(check: &mut Checker<'_>, model: &mut Checked) {
    let given = check.file.interface.clone().unwrap_or_default();
    let paths: Vec<String> = model.inputs.iter().map(|i| i.path.clone()).collect();
    let known = Known::of(paths.iter());
    let mut chosen = vec![false; paths.len()];
    for (names, reconstruction) in [
        (&given.hold, Reconstruction::Hold),
        (&given.linear, Reconstruction::Linear),
        (&given.cubic, Reconstruction::Cubic),
    ] {
        for name in names {
            for i in matching(check, name, "input", &known) {
                let input = &model.inputs[i];
                let jumps = model.jumps_if_held(input.input);
                let input = &mut model.inputs[i];
                if std::mem::replace(&mut chosen[i], true) {
                    twice(check, name, &paths[i]);
                } else if let (Some(what), Reconstruction::Hold) = (jumps, reconstruction) {
                    let message = format!(
                        "{}: `{}` is {what}, which would jump at every communication \
                         point; allowed: `linear` (the default) or `cubic`",
                        name.path, paths[i]
                    );
                    check.report_entry(name, message);
                } else {
                    input.reconstruction = reconstruction;
                }
            }
        }
    }
}

fn twice(check: &mut Checker<'_>, name: &Name, path: &str) {
    let message = format!("{}: `{path}` is listed twice", name.path);
    check.report_entry(name, message);
}

fn matching(check: &mut Checker<'_>, name: &Name, what: &str, known: &Known) -> Vec<usize> {
    let wanted = name.value.as_str();
    let mut found = known.matching(wanted);
    if found.is_empty() && what == "output" {
        found = known.elements_of(wanted);
    }
    let unread = check.is_unread(&name.path);
    if found.is_empty() && !unread && !check.may_be_missing(wanted) {
        let hint = match did_you_mean(wanted, known.paths()) {
            _ if what == "output" && is_of_layer(check, wanted) => {
                "; that is of a contact layer, and the contact is rigid: its corners touch at points: these have a force, \
                 but no pressure, length or stored energy"
                    .to_string()
            }
            _ if what == "output" && let Some(point) = angle_of_hinge(check, wanted) => format!(
                "; a member's rotation at a hinge is that of a probe, probes.NAME.rotation = {{ point = \"{point}\", member = \"MEMBER\" }}, and \
                 the hinge's angle is the difference of two"
            ),
            _ if what == "output" && let Some(section) = section_without_height(check, wanted) => {
                format!(
                    "; section `{section}` is given by its moments, so that no outermost fibre is known: give \
                     sections.{section}.properties its `height`, twice I/W"
                )
            }
            hint if hint.is_empty() && known.section_like(wanted).is_some() => {
                let section = known.section_like(wanted).unwrap_or_default();
                let rest = wanted.split_once('.').map_or("", |(_, rest)| rest);
                format!("; did you mean `{section}.{}`?", excerpt(rest))
            }
            _ if wanted == "*" => {
                "; a `*` stands for all below a path, like `points.tip.*`".to_string()
            }
            hint if hint.is_empty() && what == "input" => {
                format!("; there are: {}", listed(known.paths()))
            }
            hint if hint.is_empty() => {
                // The same thing with another last word, or the same last word of something else.
                let below = wanted.rsplit_once('.').map(|(of, _)| format!("{of}."));
                let of_same = |k: &&str| below.as_ref().is_some_and(|of| k.starts_with(of));
                let ending = format!(".{wanted}");
                let there: Vec<&str> = known.paths.iter().copied().filter(of_same).collect();
                let longer = known.paths.iter().find(|k| k.ends_with(&ending));
                match longer {
                    Some(meant) => format!("; did you mean `{meant}`?"),
                    None if there.is_empty() => "; `coulisse describe` lists them".to_string(),
                    None => format!("; there are: {}", listed(there.into_iter())),
                }
            }
            hint => hint,
        };
        let message =
            format!("{}: `{}` is no {what} of this model{hint}", name.path, excerpt(wanted));
        check.reader.report(&name.span, message);
    }
    found
}

/// Paths that may be named, with their places in a list.
struct Known<'a> {
    paths: Vec<&'a str>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Known<'a> {
    fn of(paths: impl Iterator<Item = &'a String>) -> Known<'a> {
        let paths: Vec<&str> = paths.map(String::as_str).collect();
        let places = paths.iter().enumerate().map(|(i, path)| (*path, i));
        Known { places: places.collect(), paths }
    }

    fn paths(&self) -> impl Iterator<Item = &'a str> {
        self.paths.iter().copied()
    }

    /// The first word that a path with another first word was probably meant to have, as `probes` for `probe.*`.
    fn section_like(&self, wanted: &str) -> Option<&'a str> {
        let (first, _) = wanted.split_once('.')?;
        let sections = self.paths.iter().filter_map(|path| Some(path.split_once('.')?.0));
        let sections: BTreeSet<&str> = sections.collect();
        suggestion(first, sections.iter().copied()).filter(|meant| *meant != first)
    }

    /// Places of the elements of the array `wanted`, in the order of the list.
    fn elements_of(&self, wanted: &str) -> Vec<usize> {
        let behind = self
            .places
            .range(wanted..)
            .map_while(|(path, i)| Some((path.strip_prefix(wanted)?, *i)));
        let mut found: Vec<usize> =
            behind.filter(|(rest, _)| is_element(rest)).map(|(_, i)| i).collect();
        found.sort_unstable();
        found
    }

    /// Places of the path `wanted`, or of all below one that ends in `.*`, in the order of the list.
    fn matching(&self, wanted: &str) -> Vec<usize> {
        let Some(prefix) = wanted.strip_suffix('*').filter(|p| p.ends_with('.')) else {
            return self.places.get(wanted).copied().into_iter().collect();
        };
        let below = self.places.range(prefix..);
        let below = below.map(|(path, i)| (path.strip_prefix(prefix), *i));
        let below = below.map_while(|(rest, i)| Some((rest?, i)));
        let below = below.filter(|(rest, _)| !is_of_node(prefix, rest));
        let mut found: Vec<usize> = below.map(|(_, i)| i).collect();
        found.sort_unstable();
        found
    }
}

/// Whether `wanted` would be an output, had the model [stations](Checked::stations).
fn needs_stations(model: &Checked, wanted: &str) -> bool {
    let mut with = model.clone();
    with.stations = 2;
    let wanted = wanted.split('[').next().unwrap_or_default();
    let paths = outputs::all(&with);
    paths.iter().any(|o| o.element.is_some() && o.path.split('[').next() == Some(wanted))
}

/// Whether a path is an output of contacts that one of a rigid surface has not.
fn is_of_layer(check: &Checker<'_>, path: &str) -> bool {
    let path = path.strip_prefix("contacts.").unwrap_or_default();
    let (name, key) = path.split_once('.').unwrap_or_default();
    let mut contacts = check.file.contacts.iter();
    let rigid = contacts.any(|entry| {
        entry.name.value == name && entry.value.as_ref().is_some_and(|contact| contact.rigid)
    });
    rigid && ["line_pressure", "pressure", "contact_length", "stored_energy"].contains(&key)
}

/// The point of a hinge whose angle `path` would be.
fn angle_of_hinge<'a>(check: &Checker<'a>, path: &str) -> Option<&'a str> {
    let (name, key) = path.strip_prefix("joints.")?.split_once('.')?;
    let entry = check.file.joints.iter().find(|entry| entry.name.value == name)?;
    match entry.value.as_ref()?.kinds.as_slice() {
        [JointKind::Hinge(hinge)] if ["angle", "rotation"].contains(&key) => {
            Some(hinge.point.value.as_str())
        }
        _ => None,
    }
}

/// The section of a member whose stress `path` would be, had the section a height.
fn section_without_height<'a>(check: &Checker<'a>, path: &str) -> Option<&'a str> {
    let file = check.file;
    let member = match path.strip_prefix("members.") {
        Some(rest) => rest.strip_suffix(".largest_stress")?,
        None => {
            let probe = path.strip_prefix("probes.")?.strip_suffix(".stress")?;
            let mut probes = file.probes.iter().filter(|entry| entry.name.value == probe);
            match probes.next()?.value.as_ref()? {
                Probe::Section { member, .. } => member.value.as_str(),
                _ => return None,
            }
        }
    };
    let member = file.members.iter().find(|entry| entry.name.value == member)?;
    let named = member.value.as_ref()?.section.as_ref()?.value.as_str();
    let section = file.sections.iter().find(|entry| entry.name.value == named)?;
    let Section::Properties { height: None, .. } = section.value.as_ref()? else {
        return None;
    };
    Some(named)
}

/// Whether `rest`, behind the path of an array, is the number of one of its elements in brackets.
fn is_element(rest: &str) -> bool {
    let number = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Whether `rest` leads from the path of a point, `prefix`, to a node of the body of that name.
fn is_of_node(prefix: &str, rest: &str) -> bool {
    let point = prefix.strip_prefix("points.");
    point.is_some_and(|point| !point.is_empty()) && rest.contains('[')
}

/// Where the entry stands in the file that the number at `path` belongs to; what has no entry of its
/// own comes last.
fn place_of(places: &BTreeMap<&str, usize>, path: &str) -> usize {
    let mut ends = path.match_indices(['.', '[']).map(|(i, _)| i);
    let _section = ends.next();
    let entry = &path[..ends.next().unwrap_or(path.len())];
    places.get(entry).copied().unwrap_or(usize::MAX)
}
