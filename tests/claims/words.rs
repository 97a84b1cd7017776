//! Private words that the field has other words for do not come back.

use std::fs;
use std::path::{Path, PathBuf};

/// What was written, and what is written instead.
const WORDS: [(&str, &str); 45] = [
    ("play", "clearance"),
    ("lining", "contact layer; of a member along an edge: edge beam"),
    ("linings", "contact layers"),
    ("rubs", "slides with friction"),
    ("rub", "slide with friction"),
    ("rubbed", "slid with friction"),
    ("rubbing", "with friction"),
    ("as drawn", "in the initial configuration"),
    ("lets go", "ends, releases, breaks away"),
    ("let go", "ended, released, broke away"),
    ("in vain", "without success"),
    ("vain", "without success"),
    ("astray", "lost"),
    ("leap", "jump"),
    ("leaps", "jumps"),
    ("hair", "slightly"),
    ("moves freely", "has a rigid-body mode"),
    ("unsettle", "invalidate"),
    ("as told", "as reported, as specified"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("is drawn beside", "is initially beside"),
    ("are drawn beside", "are initially beside"),
    ("comes to balance", "reaches equilibrium"),
    ("dip", "grazing contact"),
    ("dips", "grazes"),
    ("gave way", "yielded, deformed, separated"),
    ("holds twice", "is a redundant constraint"),
    ("pace", "rate"),
    ("sight", "step log"),
    ("spot", "position"),
    ("pressed in by", "penetrates by"),
    ("bears on", "is in contact with, is supported by"),
    ("bear on", "are in contact with, are supported by"),
    ("gives way", "yields, deforms, separates"),
    ("give way", "yield, deform, separate"),
    ("nothing says", "undetermined, not specified"),
    ("askew", "not perpendicular, at an angle"),
    ("friction holds", "friction locks; sticks"),
    ("run on with", "extrapolate to first order"),
    ("out of balance", "not in equilibrium"),
    ("leans", "is regularised"),
    ("unsettles", "invalidates"),
    ("standing still", "at rest"),
    ("struck", "met, hit"),
];

/// Where they may not be.
const PLACES: [&str; 11] = [
    "src",
    "tools/src",
    "docs",
    "resources/models",
    "examples",
    "modelDescription",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
];

/// Pages of pictures play a film, and the reader of models knows what others call a clearance.
const PLAYS: [&str; 2] = ["docs/pictures.md", "src/message.rs"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        let ends = path.extension().and_then(|end| end.to_str());
        if ends.is_some_and(|end| ["rs", "md", "toml", "xml", "py", "ipynb"].contains(&end)) {
            found.push(path.to_path_buf());
        }
    } else if let Ok(entries) = fs::read_dir(path) {
        entries.flatten().for_each(|entry| files(&entry.path(), found));
    }
}

/// Places of a word or of several in a line, bounded by what is no letter.
fn has(line: &str, words: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let mut places = line.match_indices(words);
    places.any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + words.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

#[test]
fn private_words_do_not_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    PLACES.iter().for_each(|place| files(&root.join(place), &mut all));
    assert!(all.len() > 300, "{} files", all.len());
    let mut found = Vec::new();
    for path in &all {
        let short = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let text = fs::read_to_string(path).unwrap_or_default().to_lowercase();
        for (number, line) in text.lines().enumerate() {
            // Pictures in notebooks are letters, too.
            if line.trim_start().starts_with("\"image/") {
                continue;
            }
            let spoken = line.replace(['_', '\n'], " ");
            for (word, instead) in WORDS {
                let film = word == "play" && PLAYS.contains(&short.as_str());
                if !film && has(&spoken, word) {
                    found.push(format!("{short}:{}: `{word}`; write: {instead}", number + 1));
                }
            }
        }
    }
    println!("{} private words in {} files", found.len(), all.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
