//! `docs/model-file.md` tells the truth: its models run, and no key is left out.

use std::path::Path;

use crate::common::keys;
use crate::common::life::{self, Life};
use coulisse::laws::friction::LAWS;
use coulisse::model::form::Form;
use coulisse::model::form::relation::Relation;
use coulisse::model::{Checked, form_of_the_file};

const DOCUMENT: &str = include_str!("../../docs/model-file.md");

#[test]
fn every_complete_model_in_the_documents_passes_builds_and_starts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let mut complete = 0;
    for text in toml_blocks(DOCUMENT).chain(toml_blocks(&readme)) {
        if !text.contains("[solver]") {
            continue;
        }
        complete += 1;
        match life::of(|| life::parse(text)) {
            Life::Lived(outputs) => assert!(outputs.iter().all(|(_, value)| value.is_finite())),
            Life::Refused(what) | Life::Panicked(what) => panic!("{what}\n{text}"),
        }
    }
    assert!(complete > 0, "docs/model-file.md has no complete model");
}

#[test]
fn variables_of_the_example_are_those_that_the_document_names() {
    let model = example();
    let paths = |list: Vec<&str>| list.join(" ");
    let inputs = model.inputs.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(paths(inputs), "loads.pull.fx");
    let parameters: Vec<&str> = model.parameters.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(parameters.len(), 7, "{parameters:?}");
    assert!(parameters.contains(&"parameters.length"));
    assert!(parameters.contains(&"masses.block.mass"));
    let outputs: Vec<&str> = model.outputs.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(outputs.len(), 13 + 1 + 9, "{outputs:?}");
    assert!(outputs.contains(&"joints.block.sticking"));
}

#[test]
fn every_number_can_be_replaced_also_inside_a_list() {
    let text = toml_blocks(DOCUMENT).next().expect("an example");
    let with = |path: &str, value: f64| -> Checked {
        let model = life::parse(text).expect("the example is TOML");
        let model = model.with_value(path, value).expect("a number of the file");
        model.check().unwrap_or_else(|faults| panic!("{faults}"))
    };
    let point = |model: &Checked, name: &str| {
        let found = model.points.iter().find(|p| p.name == name);
        found.expect("a point").position
    };
    assert_eq!(point(&with("points.right[0]", 3.0), "right"), [3.0, 0.0]);
    assert_eq!(point(&with("parameters.length", 5.0), "wall"), [-5.0, 0.0]);
    assert_eq!(with("gravity.x", 1.5).gravity, [1.5, -9.81]);
}

#[test]
fn every_key_and_choice_of_the_file_is_in_the_document() {
    let mut words: Vec<String> = keys::of_the_file()
        .into_iter()
        .map(|key| key.word)
        // Classes A to H are one phrase.
        .filter(|word| word.len() > 1)
        .collect();
    assert!(words.len() > 150, "{words:?}");
    for law in LAWS {
        words.push(law.name.to_owned());
        words.extend(law.keys.iter().map(|key| key.name.to_owned()));
    }
    let missing: Vec<&String> = words
        .iter()
        .filter(|word| {
            let forms = [
                format!("`{word}`"),
                format!("`\"{word}\"`"),
                format!("[{word}"),
                format!("`{word}."),
                format!(".{word}`"),
            ];
            !forms.iter().any(|form| DOCUMENT.contains(form))
        })
        .collect();
    assert!(missing.is_empty(), "not in docs/model-file.md: {missing:?}");
}

fn example() -> Checked {
    let text = toml_blocks(DOCUMENT).next().expect("an example");
    let model = life::parse(text).expect("the example is TOML");
    model.check().unwrap_or_else(|faults| panic!("{faults}"))
}

fn toml_blocks(document: &str) -> impl Iterator<Item = &str> {
    let begins = document.split("```toml\n").skip(1);
    begins.filter_map(|rest| rest.split("```").next())
}

/// Tables of keys stand between two comments, `<!-- keys: springs.* -->` and `<!-- end of keys -->`. The first names the place that they
/// are about, after `only` the keys, unless all, and after `with` those whose own keys follow them.
#[test]
fn tables_of_keys_are_those_that_are_declared() {
    let mut blocks = DOCUMENT.split(BEGIN);
    let mut text = blocks.next().unwrap_or_default().to_owned();
    for block in blocks {
        let (about, rest) = block.split_once(" -->\n").expect("a comment ends");
        let (_, after) = rest.split_once(END).expect("a table ends");
        text += &format!("{BEGIN}{about} -->\n{}\n{END}{after}", table(about));
    }
    if std::env::var_os("COULISSE_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/model-file.md");
        std::fs::write(path, &text).expect("the document");
    } else if let Some((own, declared)) =
        DOCUMENT.lines().zip(text.lines()).find(|(own, declared)| own != declared)
    {
        panic!("docs/model-file.md has\n{own}\ninstead of\n{declared}\nCOULISSE_BLESS=1 writes it");
    }
}

const BEGIN: &str = "<!-- keys: ";
const END: &str = "<!-- end of keys -->";

/// Key, unit, default, range and text of each row.
type Row = [String; 5];

fn table(about: &str) -> String {
    let (about, inner) = about.split_once(" with ").unwrap_or((about, ""));
    let (path, only) = about.split_once(" only ").unwrap_or((about, ""));
    let mut form = form_of_the_file();
    for word in path.split('.').filter(|word| *word != "-") {
        form = match form.item() {
            Form::Entries(_, entry) => (**entry).clone(),
            Form::Table(keys, _) | Form::Choice(keys) => {
                keys.iter().find(|key| key.word == word).expect("a key").form.clone()
            }
            _ => panic!("{path} has no keys"),
        };
    }
    let mut rows = Vec::new();
    add_rows(
        &form,
        "",
        &|key| only.is_empty() || only.split(' ').any(|word| word == key),
        inner,
        &mut rows,
    );
    let titles = ["key", "unit", "default", "allowed", "meaning"];
    let shown: Vec<usize> = (0..5).filter(|&i| rows.iter().any(|row| !row[i].is_empty())).collect();
    let line = |cells: &[&str]| {
        let cells: Vec<&str> = shown.iter().map(|&i| cells[i]).collect();
        format!("| {} |", cells.join(" | ").replace("  ", " "))
    };
    let mut lines = vec![line(&titles), line(&["---"; 5])];
    lines.extend(rows.iter().map(|row| line(&row.each_ref().map(String::as_str))));
    let relations = relations(&form, only, inner);
    if !relations.is_empty() {
        lines.push("\nOf these keys:\n".to_owned());
        lines.extend(relations.iter().map(|words| format!("- {words}")));
    }
    lines.join("\n")
}

/// Relations between the keys of a table of which the first term is shown, and of the tables whose own keys follow.
fn relations(form: &Form, only: &str, inner: &str) -> Vec<String> {
    let Form::Table(keys, relations) = form.item() else {
        return Vec::new();
    };
    let shown = |word: &str| only.is_empty() || only.split(' ').any(|own| own == word);
    let of_key = |key: &str| shown(key.split('.').next().unwrap_or_default());
    let own = relations.iter().filter(|relation| of_key(relation.terms[0].0[0].key));
    let own = own.map(Relation::words);
    let inside = keys.iter().filter(|key| inner.split(' ').any(|own| own == key.word));
    let inside = inside.flat_map(|key| {
        let relations = self::relations(&key.form, "", "").into_iter();
        relations.map(|words| format!("in `{}` {words}", key.word))
    });
    own.chain(inside).collect()
}

fn add_rows(
    form: &Form, before: &str, shows: &dyn Fn(&str) -> bool, inner: &str, rows: &mut Vec<Row>,
) {
    let (Form::Table(keys, _) | Form::Choice(keys)) = form.item() else {
        return;
    };
    for key in keys.iter().filter(|key| shows(key.word)) {
        let word = format!("{before}{}", key.word);
        let shown = if key.required { format!("**`{word}`**") } else { format!("`{word}`") };
        let facts = &key.facts;
        let is_value = match key.form {
            Form::Words(words) => words.contains(&facts.default),
            _ => matches!(facts.default, "true" | "false"),
        };
        let default = match (&key.form, is_value) {
            (Form::Words(_), true) => format!("`\"{}\"`", facts.default),
            (_, true) => format!("`{}`", facts.default),
            _ => facts.default.to_owned(),
        };
        let text = facts.text.replace('|', "&#124;");
        rows.push([shown, facts.unit(), default, facts.allowed(), text]);
        if inner.split(' ').any(|own| own == key.word) {
            add_rows(&key.form, &format!("{word}."), &|_| true, "", rows);
        }
    }
}
