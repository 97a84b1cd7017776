//! The reference of the model file, `docs/model-file.md` and the pages in `docs/model-file`: its models run, and no key is left out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::keys;
use crate::common::life::{self, Life};
use coulisse::laws::friction::LAWS;
use coulisse::model::form::Form;
use coulisse::model::form::relation::Relation;
use coulisse::model::{Checked, form_of_the_file};

/// The page with the complete example.
const FIRST: &str = "docs/model-file.md";

/// A page: its path from the root of the project, and its text.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: &str) -> Page {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = fs::read_to_string(file).expect("a page is text");
        Page { path: PathBuf::from(path), text }
    }

    /// Whether a heading has this anchor.
    fn has(&self, anchor: &str) -> bool {
        self.text.lines().any(|line| line.starts_with('#') && anchor_of(line) == anchor)
    }
}

/// All pages of the reference, the first one first.
fn pages() -> Vec<Page> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/model-file");
    let files = fs::read_dir(folder).expect("the pages").map(|entry| entry.expect("a page"));
    let mut names: Vec<String> =
        files.map(|file| file.file_name().into_string().expect("a name")).collect();
    names.sort();
    let others = names.iter().map(|name| Page::read(&format!("docs/model-file/{name}")));
    [Page::read(FIRST)].into_iter().chain(others).collect()
}

/// The anchor that a heading of Markdown gets.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
}

#[test]
fn every_complete_model_in_the_documents_passes_builds_and_starts() {
    let mut all = pages();
    all.push(Page::read("docs/first-model.md"));
    let mut complete = 0;
    for text in all.iter().flat_map(|page| toml_blocks(&page.text)) {
        if !text.starts_with("name = ") {
            continue;
        }
        complete += 1;
        match life::of(|| life::parse(text)) {
            Life::Lived(outputs) => assert!(outputs.iter().all(|(_, value)| value.is_finite())),
            Life::Refused(what) | Life::Panicked(what) => panic!("{what}\n{text}"),
        }
    }
    assert!(complete > 1, "no complete model in {FIRST} or docs/first-model.md");
}

#[test]
fn every_page_of_keys_has_an_example_of_known_keys() {
    for page in &pages()[1..] {
        let mut examples = 0;
        for text in toml_blocks(&page.text) {
            examples += 1;
            let model = life::parse(&format!("name = \"example\"\n{text}"));
            let faults = model.and_then(|model| model.check().map(drop)).err();
            let faults = faults.map(|faults| faults.to_string()).unwrap_or_default();
            assert!(!faults.contains("unknown"), "{}:\n{text}\n{faults}", page.path.display());
        }
        let has_keys = page.text.contains(BEGIN);
        assert!(!has_keys || examples > 0, "{} has no example", page.path.display());
    }
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
    let page = Page::read(FIRST);
    let text = toml_blocks(&page.text).next().expect("an example");
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
    let document: String = pages().into_iter().map(|page| page.text).collect();
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
            !forms.iter().any(|form| document.contains(form))
        })
        .collect();
    assert!(missing.is_empty(), "not in {FIRST} and its pages: {missing:?}");
}

fn example() -> Checked {
    let page = Page::read(FIRST);
    let text = toml_blocks(&page.text).next().expect("an example");
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
    let all = pages();
    let mut tables = 0;
    for page in &all {
        let mut blocks = page.text.split(BEGIN);
        let mut text = blocks.next().unwrap_or_default().to_owned();
        for block in blocks {
            let (about, rest) = block.split_once(" -->\n").expect("a comment ends");
            let (_, after) = rest.split_once(END).expect("a table ends");
            let table = links_from(page, &all, &table(about));
            text += &format!("{BEGIN}{about} -->\n{table}\n{END}{after}");
            tables += 1;
        }
        let path = page.path.display();
        if std::env::var_os("COULISSE_BLESS").is_some() {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&page.path);
            fs::write(file, &text).expect("the page");
        } else if let Some((own, declared)) =
            page.text.lines().zip(text.lines()).find(|(own, declared)| own != declared)
        {
            panic!("{path} has\n{own}\ninstead of\n{declared}\nCOULISSE_BLESS=1 writes it");
        }
    }
    assert!(tables > 40, "{tables} tables");
}

/// A declared text as `page` shows it. Declarations link to headings of the reference as `#heading`, whatever page they are on,
/// and to other pages of the documentation by their names in `docs`.
fn links_from(page: &Page, all: &[Page], text: &str) -> String {
    let mut parts = text.split("](");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, after) = part.split_once(')').expect("a link ends");
        linked += &format!("]({}){after}", target_from(page, all, target));
    }
    linked
}

fn target_from(page: &Page, all: &[Page], target: &str) -> String {
    let inside = page.path != Path::new(FIRST);
    let Some(anchor) = target.strip_prefix('#') else {
        return if inside { format!("../{target}") } else { target.to_owned() };
    };
    if page.has(anchor) {
        return target.to_owned();
    }
    let found = all.iter().find(|other| other.has(anchor));
    let other = found.unwrap_or_else(|| panic!("no heading of the reference is #{anchor}"));
    let name = other.path.file_name().and_then(|name| name.to_str()).expect("a name");
    let folder = match (inside, other.path == Path::new(FIRST)) {
        (true, true) => "../",
        (false, false) => "model-file/",
        _ => "",
    };
    // The first heading is the page itself.
    let is_title = other.text.lines().next().is_some_and(|line| anchor_of(line) == anchor);
    if is_title { format!("{folder}{name}") } else { format!("{folder}{name}#{anchor}") }
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
