//! Relations between the keys of a table, as they are declared with the keys: see [`relation`](crate::model::form::relation).

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Checker;
use crate::message::figure;
use crate::model::de::{Located, in_file_order, is_among, join};
use crate::model::form::relation::{Kind, Part, Relation, Term, quoted};
use crate::model::form::{Form, Key};
use crate::model::quantity::Quantity;

/// Two numbers of a table of which the first must be below the second.
pub(super) struct Ordered {
    /// Of the table.
    path: String,
    keys: [&'static str; 2],
    /// Where the second is written.
    span: Range<usize>,
}

impl Checker<'_> {
    /// Reports every relation of a table in `root` that does not hold; those of numbers wait for [`Checker::orders`].
    pub(super) fn relations(&mut self, root: &Spanned<DeTable<'_>>) {
        let Form::Table(keys, _) = self.keys else {
            return;
        };
        let mut found = Found::default();
        in_table(root.get_ref(), keys, "", &mut found);
        self.ordered = found.ordered;
        for Broken { path, span, message, is_missing } in found.broken {
            // What is missed may be what could not be read.
            if is_missing && is_among(&self.unread, &path) {
                self.reader.doubt(&path);
            } else {
                self.reader.report_of(&path, &span, message);
            }
            self.invalidate(&path);
        }
    }

    /// Reports numbers that are not in the order that is declared, once all numbers are known.
    pub(super) fn orders(&mut self) {
        for Ordered { path, keys: [low, high], span } in std::mem::take(&mut self.ordered) {
            let known = [low, high].map(|key| self.numbers.get(&join(&path, key)));
            let [Some(least), Some(most)] = known else { continue };
            if least.value < most.value {
                continue;
            }
            let [least, most] = [least, most].map(|n| with_unit(n.value, n.quantity));
            let message = format!(
                "{path} has `{low}` = {least} and `{high}` = {most}; allowed: `{low}` below `{high}`"
            );
            self.report(&Located::at(join(&path, high), span), message);
        }
    }
}

/// "0.3 m".
fn with_unit(value: f64, quantity: Quantity) -> String {
    format!("{} {}", figure(value), quantity.unit()).trim_end().to_owned()
}

/// What the relations of a file's tables come to.
#[derive(Default)]
struct Found {
    broken: Vec<Broken>,
    /// Those of numbers, whose values are not known yet.
    ordered: Vec<Ordered>,
}

/// A relation that does not hold.
struct Broken {
    /// Of the table.
    path: String,
    span: Range<usize>,
    message: String,
    /// Whether something is missing.
    is_missing: bool,
}

/// Looks at the values of a table.
fn in_table(table: &DeTable<'_>, keys: &[Key], path: &str, found: &mut Found) {
    for (key, value) in in_file_order(table) {
        if let Some(own) = keys.iter().find(|own| own.word == key.get_ref()) {
            let path = join(path, key.get_ref());
            in_value(value.get_ref(), &own.form, &path, &key.span(), found);
        }
    }
}

/// Looks at the value at `path`, whose name or itself is at `span`.
fn in_value(value: &DeValue<'_>, form: &Form, path: &str, span: &Range<usize>, found: &mut Found) {
    match (form, value) {
        (Form::Table(keys, relations), DeValue::Table(table)) => {
            in_table(table, keys, path, found);
            for relation in relations.iter().filter(|relation| relation.kind == Kind::Below) {
                let places = [0, 1].map(|i| place(&relation.terms[i], table));
                let keys = [0, 1].map(|i| relation.terms[i].0[0].key);
                if let [Some(_), Some(span)] = places {
                    found.ordered.push(Ordered { path: path.to_owned(), keys, span });
                }
            }
            let faults = relations.iter().filter_map(|relation| fault(relation, table));
            found.broken.extend(faults.map(|Seen { text, place, is_missing }| Broken {
                path: path.to_owned(),
                span: place.unwrap_or(span.clone()),
                message: format!("{path} has {text}"),
                is_missing,
            }));
        }
        (Form::Choice(keys), DeValue::Table(table)) => in_table(table, keys, path, found),
        (Form::Entries(_, entry), DeValue::Table(table)) => {
            for (name, value) in in_file_order(table) {
                in_value(value.get_ref(), entry, &join(path, name.get_ref()), &name.span(), found);
            }
        }
        (Form::List(item) | Form::Tuple(_, item), DeValue::Array(list)) => {
            for (k, value) in list.iter().enumerate() {
                in_value(value.get_ref(), item, &format!("{path}[{k}]"), &value.span(), found);
            }
        }
        _ => {}
    }
}

/// What a table has and should have instead, where a relation does not hold.
struct Seen {
    text: String,
    /// The place of what is too much, or of what something is missing for.
    place: Option<Range<usize>>,
    is_missing: bool,
}

/// Where `relation` does not hold in `table`, what was seen.
fn fault(relation: &Relation, table: &DeTable<'_>) -> Option<Seen> {
    let terms = &relation.terms;
    let (there, missing): (Vec<&Term>, Vec<&Term>) =
        terms.iter().partition(|term| is_begun(term, table));
    let all = || quoted(terms, ", ");
    let seen = |terms: &[&Term]| -> Vec<Term> {
        terms.iter().map(|term| what_is_there(term, table)).collect()
    };
    let both = || quoted(&seen(&there), " and ");
    let (first, first_is_there) = (|| terms[0].quoted(), is_begun(&terms[0], table));
    let how_many = match relation.kind {
        Kind::AtMostOne => "at most one",
        Kind::AtLeastOne => "at least one",
        _ => "exactly one",
    };
    let is_complete = |term: &Term| half_of(term, table).is_none() && is_begun(term, table);
    let too_much = |text: String, terms: &[&Term]| {
        let places = terms.iter().filter_map(|term| place(term, table));
        Seen { text, place: places.max_by_key(|place| place.start), is_missing: false }
    };
    let too_little = |text: String| {
        let place = there.first().and_then(|term| place(term, table));
        Seen { text, place: place.filter(|_| relation.kind != Kind::AtLeastOne), is_missing: true }
    };
    let mut fault = match relation.kind {
        Kind::ExactlyOne | Kind::AtMostOne if there.len() > 1 => {
            too_much(format!("{}; give {how_many} of {}", both(), all()), &there)
        }
        Kind::ExactlyOne | Kind::AtLeastOne if !terms.iter().any(is_complete) => {
            match (relation.kind, there.first().and_then(|term| half_of(term, table))) {
                (Kind::ExactlyOne, Some((has, lacks))) => {
                    too_little(format!("`{has}` but no `{lacks}`; give both or neither"))
                }
                _ => too_little(format!("none of {}; give {how_many} of them", all())),
            }
        }
        Kind::Together if !there.is_empty() && !missing.is_empty() => {
            let lacks = quoted(missing, " and no ");
            too_little(format!("{} but no {lacks}; give both or neither", both()))
        }
        Kind::Needs if first_is_there && !terms[1..].iter().any(is_complete) => {
            let (first, others) = (first(), quoted(&terms[1..], " or "));
            let add = if terms.len() == 2 { "add it" } else { "add one of them" };
            too_little(format!("{first}, which needs {others}; {add}, or leave {first} out"))
        }
        Kind::Excludes if first_is_there && there.len() > 1 => {
            let seen = seen(&there[1..]);
            let others = quoted(&seen, " and ");
            let outer = format!("{}.", terms[0].0[0].key);
            let is_within = seen.iter().all(|term| term.0[0].key.starts_with(&outer));
            let remedy = if is_within { "leave it out" } else { "leave one or the other out" };
            let text = format!("{others}, which {} excludes; {remedy}", first());
            too_much(text, &there[1..])
        }
        _ => return None,
    };
    if !relation.reason.is_empty() {
        fault.text += &format!(": {}", relation.reason);
    }
    Some(fault)
}

/// A part that is there and one that is not, of a term of several.
fn half_of(term: &Term, table: &DeTable<'_>) -> Option<(&'static str, &'static str)> {
    let is_there = |part: &&Part| find(part, table).is_some();
    let has = term.0.iter().find(is_there)?;
    let lacks = term.0.iter().find(|part| !is_there(part))?;
    Some((has.text, lacks.text))
}

/// The parts of a term that are there.
fn what_is_there(term: &Term, table: &DeTable<'_>) -> Term {
    let parts = term.0.iter().filter(|part| find(part, table).is_some());
    Term(parts.copied().collect())
}

fn is_begun(term: &Term, table: &DeTable<'_>) -> bool {
    place(term, table).is_some()
}

/// Where a term is written; `None` where nothing of it is.
fn place(term: &Term, table: &DeTable<'_>) -> Option<Range<usize>> {
    term.0.iter().find_map(|part| find(part, table))
}

/// The place of a key, where it is there and has the right value.
fn find(part: &Part, table: &DeTable<'_>) -> Option<Range<usize>> {
    let (inner, key) = part.key.rsplit_once('.').unwrap_or(("", part.key));
    let table = inner
        .split('.')
        .filter(|word| !word.is_empty())
        .try_fold(table, |table, word| table.get(word)?.get_ref().as_table())?;
    let (key, value) = table.iter().find(|(own, _)| own.get_ref() == key)?;
    let is_right = match (part.value, value.get_ref()) {
        (None, _) => true,
        (Some(right), DeValue::String(word)) => word == right,
        (Some(right), DeValue::Boolean(truth)) => right == truth.to_string(),
        _ => false,
    };
    is_right.then(|| key.span())
}
