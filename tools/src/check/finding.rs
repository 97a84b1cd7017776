//! What a check has found.

use std::fmt;

/// One fault of an FMU.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// File inside the FMU; empty for the archive itself.
    pub file: String,
    /// Line in that file, or 0.
    pub line: usize,
    /// What was seen and what is allowed.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.message)
    }
}

/// The findings in one file.
#[derive(Debug)]
pub struct Findings {
    file: String,
    list: Vec<Finding>,
}

impl Findings {
    pub fn of(file: &str) -> Findings {
        Findings {
            file: file.to_owned(),
            list: Vec::new(),
        }
    }

    pub fn add(&mut self, line: usize, message: String) {
        let finding = Finding {
            file: self.file.clone(),
            line,
            message,
        };
        if !self.list.contains(&finding) {
            self.list.push(finding);
        }
    }

    /// In the order of the file.
    pub fn sorted(mut self) -> Vec<Finding> {
        self.list.sort();
        self.list
    }
}

/// The known word that was probably meant.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .map(|k| (strsim::jaro_winkler(&word, &k.to_lowercase()), k))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, meant)| meant)
}

/// The end of a message about a word that is not known.
pub fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"))
}

/// Both at once.
pub fn hint<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    did_you_mean(nearest(word, known))
}

/// A piece of foreign text, short enough for a message.
pub fn excerpt(text: &str) -> String {
    let shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().count() > 60 {
        shown + "…"
    } else {
        shown
    }
}
