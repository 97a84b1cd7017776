//! Rules for the structure of a model (FMI 2.0.5, section 2.2.8).

use std::collections::{BTreeSet, HashSet};

use coulisse::message::excerpt;

use super::finding::Findings;
use super::tree::Element;
use super::variables::Variable;

/// A list of unknowns, and which variables belong into it.
struct List<'a> {
    name: &'static str,
    /// Numbers of the variables, from 1.
    wanted: BTreeSet<usize>,
    /// What these are, in words.
    words: &'a str,
    knowns: &'a HashSet<usize>,
    known_words: &'a str,
}

/// Checks the three lists of unknowns.
pub fn check(root: &Element, variables: &[Variable<'_>], findings: &mut Findings) {
    let Some(structure) = root.child("ModelStructure") else {
        return;
    };
    let numbered = || (1..).zip(variables);
    let numbers = |chosen: &dyn Fn(&Variable<'_>) -> bool| -> BTreeSet<usize> {
        let chosen = numbered().filter(|(_, v)| chosen(v));
        chosen.map(|(index, _)| index).collect()
    };
    let outputs = numbers(&|v| v.causality == "output");
    // Derivatives that are listed, and the states that they belong to.
    let listed = || structure.inside("Derivatives", "Unknown").map(|u| u.index("index"));
    let exists = |index: &usize| (1..=variables.len()).contains(index);
    let derivatives: BTreeSet<usize> = listed().flatten().filter(exists).collect();
    let state = |i: &usize| variables[i - 1].typed.index("derivative").filter(exists);
    let states: BTreeSet<usize> = derivatives.iter().filter_map(state).collect();
    let is_state = |i: &usize| {
        let v = &variables[i - 1];
        v.typed.name == "Real" && v.variability == "continuous"
    };
    // A derivative or state that cannot be told is a finding; its followers are none.
    let known = listed().flatten().filter(exists).count() == listed().count()
        && derivatives.len() == states.len()
        && states.iter().all(is_state);
    let calculated = |v: &Variable<'_>| matches!(v.initial, Some("approx" | "calculated"));
    let initial: BTreeSet<usize> = numbered()
        .filter(|(index, v)| {
            let listed = derivatives.contains(index) || states.contains(index);
            let listed = listed || !known && v.typed.get("derivative").is_some();
            v.causality == "calculatedParameter"
                || calculated(v) && (v.causality == "output" || listed)
        })
        .map(|(index, _)| index)
        .collect();
    let inputs = numbers(&|v| matches!(v.causality, "input" | "independent"));
    let exact = numbers(&|v| v.initial == Some("exact"));
    let mut running: HashSet<usize> = inputs.union(&states).copied().collect();
    if !known {
        running.extend((1..=variables.len()).filter(is_state));
    }
    let starting: HashSet<usize> = inputs.union(&exact).copied().collect();
    let run_words = "inputs, continuous states and the independent variable";
    for list in [
        List {
            name: "Outputs",
            wanted: outputs,
            words: "variables with causality output",
            knowns: &running,
            known_words: run_words,
        },
        List {
            name: "Derivatives",
            wanted: numbers(&|v| v.typed.get("derivative").is_some())
                .intersection(&derivatives)
                .copied()
                .collect(),
            words: "variables with the attribute derivative",
            knowns: &running,
            known_words: run_words,
        },
        List {
            name: "InitialUnknowns",
            wanted: initial,
            words: "outputs, states and derivatives with initial calculated or approx, and \
                    calculated parameters",
            knowns: &starting,
            known_words: "inputs, variables with initial exact and the independent variable",
        },
    ] {
        list.check(structure, variables, findings);
    }
}

impl List<'_> {
    fn check(&self, structure: &Element, variables: &[Variable<'_>], findings: &mut Findings) {
        let name = |index: usize| variables.get(index - 1).map_or("?".to_owned(), Variable::shown);
        let mut seen = HashSet::new();
        let mut last = 0;
        for unknown in structure.inside(self.name, "Unknown") {
            let Some(index) = unknown.index("index") else {
                if unknown.get("index").is_some_and(|i| i.trim() == "0") {
                    let message = format!("{}: index=0; allowed: 1 or above", self.name);
                    findings.add(unknown.line, message);
                }
                continue;
            };
            let mut add = |message: String| {
                findings.add(unknown.line, format!("{}: {message}", self.name));
            };
            if index > variables.len() {
                add(format!(
                    "index={index}; allowed: 1 to {}, the variables there are",
                    variables.len()
                ));
                continue;
            }
            if !seen.insert(index) {
                add(format!("`{}` (index {index}) is listed twice", name(index)));
                continue;
            }
            if !self.wanted.contains(&index) {
                add(format!(
                    "`{}` (index {index}) does not belong here; allowed: {}",
                    name(index),
                    self.words
                ));
            } else if index < last && self.name != "Derivatives" {
                add(format!("index={index} behind {last}; allowed: in growing order"));
            }
            last = last.max(index);
            self.dependencies(unknown, variables, findings);
        }
        let line = structure.child(self.name).map_or(structure.line, |list| list.line);
        for missing in self.wanted.iter().filter(|index| !seen.contains(index)) {
            let message = format!(
                "{} lacks `{}` (index {missing}); it wants all {}",
                self.name,
                name(*missing),
                self.words
            );
            findings.add(line, message);
        }
    }

    fn dependencies(&self, unknown: &Element, variables: &[Variable<'_>], findings: &mut Findings) {
        let index = excerpt(unknown.get("index").unwrap_or("?"));
        let mut add = |message: String| {
            findings.add(unknown.line, format!("{}, index {index}: {message}", self.name));
        };
        let kinds = unknown.get("dependenciesKind").map(|k| k.split_whitespace().count());
        let Some(written) = unknown.get("dependencies") else {
            if kinds.is_some() {
                add("dependenciesKind without dependencies".to_owned());
            }
            return;
        };
        let list: Option<Vec<usize>> = written.split_whitespace().map(|w| w.parse().ok()).collect();
        let Some(list) = list else {
            return; // No numbers: the grammar has said so.
        };
        if let Some(kinds) = kinds.filter(|kinds| *kinds != list.len()) {
            add(format!(
                "{} dependencies and {kinds} entries in dependenciesKind; allowed: as many",
                list.len()
            ));
        }
        if let Some(pair) = list.windows(2).find(|pair| pair[0] >= pair[1]) {
            add(format!(
                "dependency {} behind {}; allowed: in growing order, each once",
                pair[1], pair[0]
            ));
        }
        for known in list {
            let what = match known.checked_sub(1).and_then(|i| variables.get(i)) {
                _ if self.knowns.contains(&known) || known == 0 => continue,
                Some(v) => format!("`{}`", v.shown()),
                None => "no variable".to_owned(),
            };
            add(format!("dependency {known} is {what}; allowed: {}", self.known_words));
        }
    }
}
