//! Rules for the structure of a model (FMI 2.0.5, section 2.2.8; FMI 3.0, section 2.4.8).

use std::collections::{BTreeSet, HashSet};

use coulisse::message::excerpt;

use super::finding::Findings;
use super::tree::Element;
use super::variables::{Variable, Variables};
use crate::archive::Standard;

/// Numbers of variables in FMI 2.0, value references in FMI 3.0.
type Keys = BTreeSet<u32>;

/// A list of unknowns, and which variables belong into it.
struct List<'a> {
    name: &'static str,
    wanted: Keys,
    /// What may be there besides.
    allowed: Keys,
    /// What both are, in words.
    words: &'a str,
    /// `None` where the standard does not limit them.
    knowns: Option<&'a Keys>,
    known_words: &'a str,
}

/// Checks the lists of unknowns.
pub fn check(root: &Element, variables: &Variables<'_>, findings: &mut Findings) {
    let Some(structure) = root.child("ModelStructure") else {
        return;
    };
    let chosen = |is: &dyn Fn(&Variable<'_>) -> bool| -> Keys {
        variables.numbered().filter(|(_, v)| is(v)).map(|(key, _)| key).collect()
    };
    let [outputs, derivatives, initial] = match variables.standard {
        Standard::Fmi2 => ["Outputs", "Derivatives", "InitialUnknowns"],
        Standard::Fmi3 => ["Output", "ContinuousStateDerivative", "InitialUnknown"],
    };
    // Derivatives that are listed, and the states that they belong to.
    let key_of = |e: &Element| e.reference(variables.key()).filter(|k| variables.get(*k).is_some());
    let listed: Vec<Option<u32>> =
        entries(structure, derivatives, variables.standard).map(key_of).collect();
    let rates: Keys = listed.iter().copied().flatten().collect();
    let state = |key: &u32| variables.get(*key)?.typed.reference("derivative");
    let states: Keys =
        rates.iter().filter_map(state).filter(|key| variables.get(*key).is_some()).collect();
    let is_state = |v: &Variable<'_>| v.is_real() && v.variability == "continuous";
    // A derivative or state that cannot be resolved is a finding; its followers are none.
    let resolved = listed.iter().all(Option::is_some)
        && rates.len() == states.len()
        && states.iter().all(|key| variables.get(*key).is_some_and(is_state));
    let calculated = |v: &Variable<'_>| matches!(v.initial, Some("approx" | "calculated"));
    let starting: Keys = { variables.numbered() }
        .filter(|(key, v)| {
            let listed = rates.contains(key) || states.contains(key);
            let listed = listed || !resolved && v.typed.get("derivative").is_some();
            v.causality == "calculatedParameter"
                || calculated(v) && !is_clocked(v) && (v.causality == "output" || listed)
        })
        .map(|(key, _)| key)
        .collect();
    let three = variables.standard == Standard::Fmi3;
    // In FMI 3.0 also parameters, states that change in jumps, and clocks.
    let known = |v: &Variable<'_>| match v.causality {
        "input" | "independent" => true,
        "parameter" | "structuralParameter" => three,
        _ => three && v.variability == "discrete",
    };
    let mut running: Keys = chosen(&known).union(&states).copied().collect();
    if !resolved {
        running.extend(chosen(&is_state));
    }
    let known = |v: &Variable<'_>| {
        matches!(v.causality, "input" | "independent")
            || v.initial == Some("exact")
            || v.kind() == "Clock"
    };
    let at_start = chosen(&known);
    let run_words = match variables.standard {
        Standard::Fmi2 => "inputs, continuous states and the independent variable",
        Standard::Fmi3 => "inputs, parameters, states, clocks and the independent variable",
    };
    let run = List {
        name: outputs,
        wanted: chosen(&|v| v.causality == "output"),
        allowed: Keys::new(),
        words: "variables with causality output",
        knowns: Some(&running),
        known_words: run_words,
    };
    let with_derivative = chosen(&|v| v.typed.get("derivative").is_some());
    let mut lists = vec![
        List {
            name: derivatives,
            wanted: with_derivative.intersection(&rates).copied().collect(),
            words: "variables with the attribute derivative",
            allowed: Keys::new(),
            ..run
        },
        List {
            name: initial,
            wanted: starting,
            allowed: chosen(&is_clocked),
            words: "outputs, states and derivatives with initial calculated or approx, and \
                    calculated parameters",
            knowns: Some(&at_start),
            known_words: "inputs, variables with initial exact and the independent variable",
        },
    ];
    if three {
        lists.push(List {
            name: "ClockedState",
            wanted: chosen(&|v| v.element.get("previous").is_some()),
            allowed: Keys::new(),
            words: "variables with the attribute previous",
            knowns: None,
            ..run
        });
        let indicates = |v: &Variable<'_>| is_state(v) && matches!(v.causality, "local" | "output");
        lists.push(List {
            name: "EventIndicator",
            wanted: Keys::new(),
            allowed: chosen(&indicates),
            words: "continuous local variables and outputs of type Float32 or Float64",
            knowns: None,
            ..run
        });
    }
    lists.insert(0, run);
    for list in lists {
        list.check(structure, variables, findings);
    }
    if resolved && three {
        of_states(variables, &states, findings);
    }
}

/// Whether a variable belongs to clocks.
fn is_clocked(v: &Variable<'_>) -> bool {
    v.element.get("clocks").is_some()
}

/// What holds for continuous states and no other variable.
fn of_states(variables: &Variables<'_>, states: &Keys, findings: &mut Findings) {
    for (key, v) in variables.numbered() {
        let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
        match states.contains(&key) {
            true if !matches!(v.causality, "local" | "output") => {
                add(format!(
                    "a continuous state with causality {}; allowed: local, output",
                    v.causality
                ));
            }
            false if v.element.get("reinit").is_some() => {
                add("reinit; allowed: of continuous states only".to_owned());
            }
            _ => {}
        }
    }
}

/// Entries of a list, which is an element in FMI 2.0.
fn entries<'a>(
    structure: &'a Element, list: &'static str, standard: Standard,
) -> Box<dyn Iterator<Item = &'a Element> + 'a> {
    match standard {
        Standard::Fmi2 => Box::new(structure.inside(list, "Unknown")),
        Standard::Fmi3 => Box::new(structure.named(list)),
    }
}

impl List<'_> {
    fn check(&self, structure: &Element, variables: &Variables<'_>, findings: &mut Findings) {
        let name = |key: u32| variables.get(key).map_or("?".to_owned(), Variable::shown);
        let (key_name, in_order) = (variables.key(), variables.standard == Standard::Fmi2);
        let mut seen = HashSet::new();
        let mut last = 0;
        for unknown in entries(structure, self.name, variables.standard) {
            let Some(key) = unknown.reference(key_name) else {
                continue;
            };
            let mut add = |message: String| {
                findings.add(unknown.line, format!("{}: {message}", self.name));
            };
            let Some(variable) = variables.get(key) else {
                let allowed = match (in_order, key) {
                    (true, 0) => "1 or above".to_owned(),
                    (true, _) => format!("{}, the variables there are", variables.keys()),
                    (false, _) => variables.keys(),
                };
                add(format!("{key_name}={key}; allowed: {allowed}"));
                continue;
            };
            if !seen.insert(key) {
                add(format!("`{}` ({key_name} {key}) is listed twice", name(key)));
                continue;
            }
            if !self.wanted.contains(&key) && !self.allowed.contains(&key) {
                add(format!(
                    "`{}` ({key_name} {key}) does not belong here; allowed: {}",
                    name(key),
                    self.words
                ));
            } else if in_order && key < last && self.name != "Derivatives" {
                add(format!("index={key} behind {last}; allowed: in growing order"));
            }
            last = last.max(key);
            self.dependencies(unknown, variable, variables, findings);
        }
        let line = structure.child(self.name).map_or(structure.line, |list| list.line);
        for missing in self.wanted.iter().filter(|key| !seen.contains(key)) {
            let message = format!(
                "{} lacks `{}` ({key_name} {missing}); it wants all {}",
                self.name,
                name(*missing),
                self.words
            );
            findings.add(line, message);
        }
    }

    fn dependencies(
        &self, unknown: &Element, variable: &Variable<'_>, variables: &Variables<'_>,
        findings: &mut Findings,
    ) {
        let (key_name, in_order) = (variables.key(), variables.standard == Standard::Fmi2);
        let key = excerpt(unknown.get(key_name).unwrap_or("?"));
        let mut add = |message: String| {
            findings.add(unknown.line, format!("{}, {key_name} {key}: {message}", self.name));
        };
        let kinds: Option<Vec<&str>> =
            unknown.get("dependenciesKind").map(|k| k.split_whitespace().collect());
        if unknown.get("dependencies").is_none() {
            if kinds.is_some() {
                add("dependenciesKind without dependencies".to_owned());
            }
            return;
        }
        let Some(list) = unknown.references("dependencies") else {
            return; // No numbers: the grammar has said so.
        };
        if let Some(kinds) = kinds.as_ref().filter(|kinds| kinds.len() != list.len()) {
            add(format!(
                "{} dependencies and {} entries in dependenciesKind; allowed: as many",
                list.len(),
                kinds.len()
            ));
        }
        if let Some(pair) = list.windows(2).find(|pair| in_order && pair[0] >= pair[1]) {
            add(format!(
                "dependency {} behind {}; allowed: in growing order, each once",
                pair[1], pair[0]
            ));
        }
        let mut seen = HashSet::new();
        for known in list {
            if !seen.insert(known) && !in_order {
                add(format!("dependency {known} is there twice; allowed: once"));
                continue;
            }
            let what = match variables.get(known) {
                _ if in_order && known == 0 => continue,
                Some(_) if self.knowns.is_none_or(|knowns| knowns.contains(&known)) => continue,
                Some(v) => format!("`{}`", v.shown()),
                None => "no variable".to_owned(),
            };
            add(format!("dependency {known} is {what}; allowed: {}", self.known_words));
        }
        let factor = kinds.iter().flatten().find(|kind| **kind != "dependent");
        if let (Some(kind), false, false) = (factor, in_order, variable.is_real()) {
            let message = format!(
                "dependenciesKind {} of a variable of type {}; allowed: dependent, others for Float32 and \
                 Float64 only",
                excerpt(kind),
                excerpt(variable.kind())
            );
            // Reference FMUs of the standard themselves have it.
            let place = format!("{}, {key_name} {key}", self.name);
            findings.warn(unknown.line, format!("{place}: {message}"));
        }
    }
}
