//! The documents point to places that exist: files, and the functions named beside them.

use std::path::Path;

/// A link of a Markdown text: what it shows and where it points.
#[derive(Debug, PartialEq)]
struct Link<'a> {
    shown: &'a str,
    target: &'a str,
}

/// All `[shown](target)` outside of fenced code and formulas.
fn links(text: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") || line.trim() == "$$" {
            fenced = !fenced;
        }
        let mut rest = if fenced { "" } else { line };
        while let Some(middle) = rest.find("](") {
            let (before, after) = (&rest[..middle], &rest[middle + 2..]);
            let Some(end) = after.find(')') else { break };
            if let Some(start) = before.rfind('[') {
                found.push(Link { shown: &before[start + 1..], target: &after[..end] });
            }
            rest = &after[end..];
        }
    }
    found
}

/// What is wrong with the links of a document in `folder`; links into the web are not looked at.
fn faults(folder: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for Link { shown, target } in links(text) {
        let file = target.split('#').next().unwrap_or_default();
        if file.is_empty() || target.contains("://") {
            continue;
        }
        let path = folder.join(file);
        if !path.exists() {
            faults.push(format!("{target} does not exist"));
            continue;
        }
        let name = shown.strip_prefix('`').and_then(|s| s.strip_suffix('`'));
        if let (Some(name), Some("rs")) = (name, path.extension().and_then(|e| e.to_str())) {
            let name = name.rsplit("::").next().unwrap_or(name);
            let source = std::fs::read_to_string(&path).expect("a source file is text");
            if !defines(&source, name) {
                faults.push(format!("{target} defines no `{name}`"));
            }
        }
    }
    faults
}

/// Whether a source file defines a function, type, constant or, through a macro, a test.
fn defines(source: &str, name: &str) -> bool {
    let named = |line: &str| {
        let words: Vec<&str> = line
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        let kinds = ["fn", "struct", "enum", "trait", "const", "type"];
        words == [name] || words.windows(2).any(|pair| kinds.contains(&pair[0]) && pair[1] == name)
    };
    source.lines().any(named)
}

#[test]
fn documents_point_to_files_and_functions_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = Vec::new();
    for folder in ["", "docs", "docs/model-file", "docs/theory"].map(|name| root.join(name)) {
        for entry in std::fs::read_dir(folder).expect("the documents") {
            documents.push(entry.expect("a document").path());
        }
    }
    documents.retain(|file| file.exists() && file.extension().is_some_and(|e| e == "md"));
    let mut all = Vec::new();
    for file in &documents {
        let text = std::fs::read_to_string(file).expect("a document is text");
        let folder = file.parent().expect("a document is in a folder");
        for fault in faults(folder, &text) {
            all.push(format!("{}: {fault}", file.display()));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn theory_names_code_and_tests_for_its_equations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/theory");
    let mut pages = 0;
    for entry in std::fs::read_dir(&folder).expect("the pages of the theory") {
        let page = entry.expect("a page").path();
        let text = std::fs::read_to_string(&page).expect("a page is text");
        pages += 1;
        // Of the chapters and their sections, those with equations each say where they are implemented.
        for section in text.split("\n## ").filter(|s| s.contains("$$")) {
            let title = section.lines().next().unwrap_or_default();
            let code = links(section).iter().any(|l| l.target.contains("../src/"));
            assert!(code, "{}: section `{title}` names no code", page.display());
        }
    }
    assert!(pages > 10, "{pages} pages of theory");
}

#[test]
fn a_link_into_nowhere_is_found() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let text = "See [`energy`](../src/elements/frame.rs), [`enthalpy`](../src/elements/frame.rs)\n\
                and [the plan](plan.md#later), but not [the web](https://example.org).\n\
                ```toml\nx = [a](b)\n```\n[`lib`](../src/elements/)";
    assert_eq!(
        faults(&docs, text),
        ["../src/elements/frame.rs defines no `enthalpy`", "plan.md#later does not exist"]
    );
}
