//! Every fault at once: none hides another that has nothing to do with it.

use std::path::Path;

use coulisse::model::Model;

use crate::common::{life, tier};

const EVERYTHING: &str = include_str!("../../models/everything.toml");

/// Faults of the model with everything: what is written, what instead, and what must be said.
fn faults() -> Vec<[String; 3]> {
    let lines = include_str!("pairs.txt").lines().filter(|line| !line.starts_with('#'));
    let fault = |line: &str| {
        let (old, rest) = line.split_once(" => ").expect(line);
        let (new, said) = rest.split_once(" :: ").expect(line);
        [old, new, said].map(|part| part.replace("\\n", "\n"))
    };
    lines.map(fault).collect()
}

fn said(text: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/everything.toml");
    let model = life::parse_beside(&file, text);
    let checked = model.and_then(|model| model.check());
    checked.err().map_or(String::new(), |faults| faults.to_string())
}

fn with(text: &str, [old, new, _]: &[String; 3]) -> Option<String> {
    text.contains(old.as_str()).then(|| text.replacen(old, new, 1))
}

/// Slow: every pair of faults is a model of its own.
#[test]
fn two_faults_that_have_nothing_to_do_with_each_other_are_both_told() {
    assert_eq!(said(EVERYTHING), "");
    let (faults, mut hidden) = (faults(), Vec::new());
    for (i, a) in faults.iter().enumerate() {
        let one = with(EVERYTHING, a).unwrap_or_else(|| panic!("{a:?} is not in the model"));
        let alone = said(&one);
        if !alone.contains(&a[2]) || alone.lines().count() != 1 {
            hidden.push(format!("{a:?} alone: {alone}"));
        }
        for b in tier::cases(&faults[i + 1..], 12) {
            // Two changes of one place are no two faults.
            let Some(both) = with(&one, b) else { continue };
            let told = said(&both);
            if !told.contains(&a[2]) || !told.contains(&b[2]) || told.lines().count() != 2 {
                hidden.push(format!("{a:?} and {b:?}: {told}"));
            }
        }
    }
    assert!(hidden.is_empty(), "{} of them:\n{}", hidden.len(), hidden.join("\n"));
}

#[test]
fn every_wrong_model_keeps_its_faults_beside_those_of_entries_that_nothing_uses() {
    const OTHERS: &str = "\n[materials.nobodys]\nyoung_modulus = -1.0\nshear_modulus = 1.0\n\
                          density = 1.0\n[sections.nobodys]\ncircle = { diameter = -2.0 }\n";
    let mut hidden = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    for file in super::models_in(&folder) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let faults = |text: &str| -> Vec<String> {
            let model: Result<Model, _> = life::parse_beside(&file, text);
            let faults = model.and_then(|model| model.check()).err();
            let faults = faults.map_or(Vec::new(), |faults| faults.list);
            faults.into_iter().map(|fault| fault.message).collect()
        };
        let alone = faults(&text);
        // What is no TOML has no entries; what is only found when it is built has no faults here.
        if alone.is_empty() || alone.iter().any(|message| message.starts_with("not TOML")) {
            continue;
        }
        let told = faults(&(text + OTHERS));
        // Lists of names have the new ones, too.
        let words = |message: &String| message.split(';').next().map(str::to_string);
        let told_words: Vec<_> = told.iter().map(words).collect();
        let kept = alone.iter().all(|message| told_words.contains(&words(message)));
        let both = ["materials.nobodys.young_modulus is", "sections.nobodys.circle.diameter is"];
        let both = both.iter().all(|new| told.iter().any(|message| message.starts_with(new)));
        if !kept || !both {
            hidden.push(format!("{}: {alone:?} became {told:?}", file.display()));
        }
    }
    assert!(hidden.is_empty(), "{} of them:\n{}", hidden.len(), hidden.join("\n"));
}
