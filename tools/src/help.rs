//! `coulisse help`: commands, and sections and keys of the model file, from their declarations.

use anyhow::{Result, bail};
use clap::{Command, CommandFactory};
use comfy_table::ContentArrangement;
use coulisse::message::{did_you_mean, excerpt};
use coulisse::model::form::relation::Relation;
use coulisse::model::form::{Form, Key};
use coulisse::model::form_of_the_file;

use crate::schema::{self, shown_default};
use crate::table;
use crate::{Cli, bundled, print};

/// What other programs and textbooks call it, and where it is here.
const GLOSSARY: &str = include_str!("../../docs/glossary.md");
/// More such words, in rows of the same form.
const WORDS: &str = include_str!("help/words.md");

/// Width of the tables, in letters.
const WIDTH: u16 = 110;

/// Prints the help on a command, or on a section or key of the model file; without a topic what there is.
///
/// # Errors
/// When there is nothing of this name.
pub fn perform(topic: Option<&str>) -> Result<()> {
    let mut cli = Cli::command().bin_name("coulisse");
    cli.build();
    let form = form_of_the_file();
    let Some(topic) = topic else {
        let sections = keys_of(&form).iter().map(|key| key.word);
        let sections: Vec<&str> = sections.collect();
        return print(&format!(
            "{}\nTopics: the commands, and sections and keys of the model file, as in\n  coulisse help springs\n  coulisse help \
             joints.friction.coulomb\n  coulisse help restitution\n\nSections: {}",
            cli.render_help(),
            sections.join(", ")
        ));
    };
    let command = cli.find_subcommand_mut(topic).map(|own| own.render_help().to_string());
    let words: Vec<&str> = topic.split('.').collect();
    let place = find(&form, &words, None).map(|place| place.text(topic));
    match (command, place) {
        (Some(command), Some(place)) => {
            return print(&format!("{command}\nIn the model file: {place}"));
        }
        (Some(text), None) | (None, Some(text)) => return print(&text),
        (None, None) => {}
    }
    let mut all = Vec::new();
    collect(&form, "", &mut all);
    let same = all.iter().filter(|(path, _)| path.rsplit('.').next() == Some(topic));
    let same: Vec<&(String, &Key)> = same.collect();
    // What has the same text and keys in several sections is printed once, with the keys.
    let is_one = same
        .iter()
        .all(|(_, key)| key.facts.text == same[0].1.facts.text && !keys_of(&key.form).is_empty());
    let (shown, others) = same.split_at(usize::from(is_one).min(same.len()));
    let mut lines: Vec<String> = Vec::new();
    for (path, key) in shown {
        lines.push(Place { key: Some(key), form: &key.form }.text(path));
        let others: Vec<&str> = others.iter().map(|(path, _)| path.as_str()).collect();
        if !others.is_empty() {
            lines.push(format!("\nThe same: {}\n", others.join(", ")));
        }
    }
    if shown.is_empty() {
        lines.extend(
            others.iter().map(|(path, key)| format!("{path}: {}\n", plain(key.facts.text))),
        );
    }
    if lines.is_empty() {
        lines.extend(section_of_one(&form, topic));
    }
    lines.extend(bundled_model(topic)?);
    let same = lines;
    let words = glossary(topic);
    if same.is_empty() && words.is_empty() {
        let known = cli.get_subcommands().map(Command::get_name);
        let models: Vec<&str> = bundled::names().collect();
        let terms = rows().flat_map(|(terms, _)| terms.split(", "));
        let known = known.chain(all.iter().map(|(_, key)| key.word)).chain(models).chain(terms);
        bail!(
            "{}: no command, no section or key of the model file and no word of the glossary{}; `coulisse help` lists them",
            excerpt(topic),
            did_you_mean(topic, known)
        );
    }
    print(&(same.concat() + &words))
}

/// The section whose entries are each of this kind: `springs` for `spring`.
fn section_of_one(form: &Form, topic: &str) -> Option<String> {
    let mut plurals = ["s", "es"].into_iter().map(|ending| format!("{topic}{ending}"));
    plurals.find_map(|plural| find(form, &[&plural], None).map(|place| place.text(&plural)))
}

/// What a bundled model of this name shows.
fn bundled_model(topic: &str) -> Result<Option<String>> {
    let Some(name) = bundled::names().find(|name| *name == topic) else {
        return Ok(None);
    };
    let description = bundled::model(name)?.check()?.description;
    Ok(Some(format!(
        "bundled model {name}: {description}\n`coulisse run {name}` runs it, `coulisse new NAME --from {name}` copies it\n"
    )))
}

/// The rows of the glossary: terms between commas, and what is here.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = GLOSSARY.lines().chain(WORDS.lines());
    lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
}

/// A term as it is compared: in small letters, its words in the singular with blanks between them.
fn bare(term: &str) -> String {
    let term = term.to_lowercase().replace(['-', '_', ',', '(', ')'], " ");
    let singular = |word: &str| match word.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') => one.to_owned(),
        _ => word.to_owned(),
    };
    term.split_whitespace().map(singular).collect::<Vec<_>>().join(" ")
}

/// The lines of the glossary with a term that has these words.
fn glossary(topic: &str) -> String {
    let topic = format!(" {} ", bare(topic));
    let rows = rows().filter(|(term, _)| format!(" {} ", bare(term)).contains(&topic));
    rows.map(|(term, here)| format!("{term}: {}\n", plain(here))).collect()
}

/// What is here for a term of other programs.
pub fn meanings(term: &str) -> Vec<String> {
    let term = bare(term);
    let is = |terms: &str| terms.split([',', '(', ')']).any(|own| bare(own) == term);
    rows().filter(|(terms, _)| is(terms)).map(|(_, here)| plain(here)).collect()
}

/// A text on one line, without marks of Markdown.
fn plain(text: &str) -> String {
    schema::plain(text).split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A place of the model file, with the key that leads there.
struct Place<'a> {
    key: Option<&'a Key>,
    form: &'a Form,
}

fn keys_of(form: &Form) -> &[Key] {
    match form.item() {
        Form::Table(keys, _) | Form::Choice(keys) => keys,
        Form::Entries(_, entry) => keys_of(entry),
        _ => &[],
    }
}

fn relations_of(form: &Form) -> &[Relation] {
    match form.item() {
        Form::Table(_, relations) => relations,
        Form::Entries(_, entry) => relations_of(entry),
        _ => &[],
    }
}

/// The place at a path. Names of entries may stand in it, as in `springs.strut.stop`, or be left out.
fn find<'a>(form: &'a Form, words: &[&str], key: Option<&'a Key>) -> Option<Place<'a>> {
    let Some((word, rest)) = words.split_first() else {
        return Some(Place { key, form });
    };
    let inside = keys_of(form).iter().find(|key| key.word == *word);
    let inside = inside.and_then(|key| find(&key.form, rest, Some(key)));
    match form.item() {
        Form::Entries(_, entry) => inside.or_else(|| find(entry, rest, key)),
        _ => inside,
    }
}

/// All keys with their paths.
fn collect<'a>(form: &'a Form, path: &str, all: &mut Vec<(String, &'a Key)>) {
    for key in keys_of(form) {
        let path =
            if path.is_empty() { key.word.to_owned() } else { format!("{path}.{}", key.word) };
        collect(&key.form, &path, all);
        all.push((path, key));
    }
}

impl Place<'_> {
    fn text(&self, path: &str) -> String {
        let mut text = format!("{path}\n");
        if let Some(key) = self.key {
            let facts = &key.facts;
            text += &format!("\n{}\n", plain(facts.text));
            for (what, value) in [
                ("Unit", facts.unit()),
                ("Default", shown_default(key)),
                ("Allowed", facts.allowed()),
            ] {
                if !value.is_empty() {
                    text += &format!("{what}: {value}\n");
                }
            }
        }
        if let Form::Words(words) = self.form.item() {
            text += &format!("Words: \"{}\"\n", words.join("\", \""));
        }
        let keys = keys_of(self.form);
        if keys.is_empty() {
            return text;
        }
        text += match self.form.item() {
            Form::Choice(_) => "\nExactly one of these:\n\n",
            _ => "\nKeys (* must be given):\n\n",
        };
        let mut rows = table::plain(["key", "unit", "default", "meaning"], []);
        rows.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
        for key in keys {
            let facts = &key.facts;
            let mark = if key.required { "*" } else { "" };
            let within = match keys_of(&key.form).is_empty() {
                true => String::new(),
                false => format!(" → coulisse help {path}.{}", key.word),
            };
            let allowed = Some(facts.allowed()).filter(|allowed| !allowed.is_empty());
            let allowed = allowed.map_or(String::new(), |allowed| format!("; {allowed}"));
            rows.add_row([
                format!("{}{mark}", key.word),
                facts.unit(),
                shown_default(key),
                format!("{}{allowed}{within}", plain(facts.text)),
            ]);
        }
        text += &format!("{}\n", rows.trim_fmt());
        let relations = relations_of(self.form);
        if !relations.is_empty() {
            text += "\nOf these keys:\n";
        }
        text + &relations
            .iter()
            .map(|relation| format!("- {}\n", relation.words()))
            .collect::<String>()
    }
}
