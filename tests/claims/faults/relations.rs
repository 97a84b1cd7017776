//! Every relation that is declared between keys is reported where it does not hold, at its place.

use coulisse::model::form::relation::{Kind, Part, Relation, Term};
use coulisse::model::form::{Form, Key};
use coulisse::model::{Fault, Model, form_of_the_file};

#[test]
fn every_declared_relation_is_reported_where_it_does_not_hold() {
    let mut seen = Vec::new();
    in_form(&form_of_the_file(), "", &|inner| inner, &mut seen);
    assert!(seen.len() > 80, "{} relations", seen.len());
    for kind in [
        Kind::ExactlyOne,
        Kind::AtMostOne,
        Kind::AtLeastOne,
        Kind::Together,
        Kind::Needs,
        Kind::Excludes,
        Kind::Below,
    ] {
        assert!(seen.contains(&kind), "no relation of the kind {kind:?}");
    }
}

/// Breaks every relation inside of `form` in each of its ways; `around` writes what the value at `path` is in.
fn in_form(form: &Form, path: &str, around: &dyn Fn(String) -> String, seen: &mut Vec<Kind>) {
    match form {
        Form::Table(keys, relations) => {
            for relation in relations {
                named_keys_are_declared(form, path, relation);
                for (parts, shown, at) in wrong(relation) {
                    let text = document(&around(table(keys, &parts, "", None)));
                    let faults = faults_of(&text);
                    let is_it = |fault: &&Fault| {
                        let line =
                            text.lines().nth(fault.line.saturating_sub(1)).unwrap_or_default();
                        let place: String =
                            line.chars().skip(fault.column.saturating_sub(1)).collect();
                        let word = at.and_then(|part| part.key.rsplit('.').next());
                        fault.message.starts_with(&format!("{path} has "))
                            && fault.reason_and_cure().1.is_some()
                            && shown.iter().all(|term| fault.message.contains(&term.quoted()))
                            && word.is_none_or(|word| place.starts_with(word))
                    };
                    assert!(
                        faults.iter().any(|fault| is_it(&fault)),
                        "{path}: {} is not missed in\n{text}\n{faults:?}",
                        relation.words()
                    );
                }
                seen.push(relation.kind);
            }
            for key in keys {
                let path =
                    if path.is_empty() { key.word.into() } else { format!("{path}.{}", key.word) };
                let inside = |inner| around(table(keys, &[], "", Some((key.word, inner))));
                in_form(&key.form, &path, &inside, seen);
            }
        }
        Form::Choice(keys) => {
            for key in keys {
                let inside = |inner| around(format!("{{ {} = {inner} }}", key.word));
                in_form(&key.form, &format!("{path}.{}", key.word), &inside, seen);
            }
        }
        Form::Entries(_, entry) => {
            let inside = |inner| around(format!("{{ one = {inner} }}"));
            in_form(entry, &format!("{path}.one"), &inside, seen);
        }
        Form::List(item) => {
            in_form(item, &format!("{path}[0]"), &|inner| around(format!("[{inner}]")), seen);
        }
        _ => {}
    }
}

/// Ways in which a relation does not hold: what is there, the terms that the message names, and where it stands.
fn wrong(relation: &Relation) -> Vec<(Vec<Part>, Vec<Term>, Option<Part>)> {
    let terms = &relation.terms;
    let parts = |terms: &[&Term]| terms.iter().flat_map(|term| term.0.clone()).collect();
    let [first, second] = [&terms[0], &terms[1]];
    let none = (Vec::new(), terms.clone(), None);
    let two = |other: &Term| (parts(&[first, other]), vec![first.clone(), other.clone()], None);
    match relation.kind {
        Kind::ExactlyOne => vec![none, two(second)],
        Kind::AtMostOne => terms[1..].iter().map(two).collect(),
        Kind::AtLeastOne => vec![none],
        Kind::Together => vec![(parts(&[first]), vec![first.clone()], Some(first.0[0]))],
        Kind::Needs => vec![(parts(&[first]), terms.clone(), Some(first.0[0]))],
        Kind::Excludes => {
            let with = |other: &Term| {
                let (parts, shown, _) = two(other);
                (parts, shown, Some(other.0[0]))
            };
            terms[1..].iter().map(with).collect()
        }
        // Both are 1.
        Kind::Below => vec![(parts(&[first, second]), terms.clone(), Some(second.0[0]))],
    }
}

fn named_keys_are_declared(form: &Form, path: &str, relation: &Relation) {
    for part in relation.terms.iter().flat_map(|term| &term.0) {
        let mut form = form.clone();
        for word in part.key.split('.') {
            let (Form::Table(keys, _) | Form::Choice(keys)) = form else {
                panic!("{path}: `{}` is inside of no table", part.key);
            };
            let key = keys.into_iter().find(|key| key.word == word);
            form = key.unwrap_or_else(|| panic!("{path} has no key `{}`", part.key)).form;
        }
        match (part.value, form) {
            (None, _) | (Some("true" | "false"), Form::Truth) => {}
            (Some(word), Form::Words(words)) => {
                assert!(words.contains(&word), "{path}: {}", part.text)
            }
            _ => panic!("{path}: `{}` has no such value", part.text),
        }
    }
}

/// A table with `parts`, which are given from within `prefix`, with the key that is `given`, and with what must be there.
fn table(keys: &[Key], parts: &[Part], prefix: &str, given: Option<(&str, String)>) -> String {
    let mut written = Vec::new();
    for key in keys {
        let own = format!("{prefix}{}", key.word);
        let inner = format!("{own}.");
        let part = parts.iter().find(|part| part.key == own);
        let value = match (&given, part.and_then(|part| part.value)) {
            (Some((word, value)), _) if *word == key.word => value.clone(),
            (_, Some(truth @ ("true" | "false"))) => truth.to_owned(),
            (_, Some(word)) => format!("\"{word}\""),
            _ if parts.iter().any(|part| part.key.starts_with(&inner)) => match &key.form {
                Form::Table(keys, _) => table(keys, parts, &inner, None),
                _ => continue,
            },
            _ if part.is_some() || key.required => value(&key.form),
            _ => continue,
        };
        written.push(format!("{} = {value}", key.word));
    }
    format!("{{ {} }}", written.join(", "))
}

/// Anything of this form.
fn value(form: &Form) -> String {
    match form {
        Form::Number => "1".into(),
        Form::Truth | Form::Switch => "true".into(),
        Form::Text | Form::Group | Form::Labels => "\"one\"".into(),
        Form::Words(words) => format!("\"{}\"", words[0]),
        Form::List(item) => format!("[{}]", value(item)),
        Form::Tuple(length, item) => format!("[{}]", vec![value(item); *length].join(", ")),
        Form::Table(keys, _) => table(keys, &[], "", None),
        Form::Choice(keys) => match keys.first() {
            Some(key) => format!("{{ {} = {} }}", key.word, value(&key.form)),
            None => "{}".into(),
        },
        Form::Entries(..) => "{}".into(),
    }
}

/// The inline table of the whole file as a file.
fn document(whole: &str) -> String {
    let inside = whole.trim_start_matches('{').trim_end().strip_suffix('}').unwrap_or(whole);
    inside.trim().replacen("name = \"one\", ", "name = \"one\"\n", 1) + "\n"
}

fn faults_of(text: &str) -> Vec<Fault> {
    let model = Model::parse(text, "model.toml", &|_| Ok("1 2\n2 3\n"));
    let faults = model.and_then(|model| model.check());
    faults.err().map_or(Vec::new(), |faults| faults.list)
}
