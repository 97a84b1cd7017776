//! What a check has found.

use std::collections::HashMap;
use std::fmt;
use std::panic::Location;

/// Findings of one kind that are listed; a fault of the tool that wrote a description is in every
/// variable.
const MAX_FINDINGS_OF_A_KIND: usize = 100;
/// Letters of words that are compared.
const LONGEST: usize = 240;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Against the standard.
    Error,
    /// Against the letter of the standard, where hosts agree to look away, or in the way of one
    /// system.
    Warning,
}

/// One fault of an FMU.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// File inside the FMU; empty for the archive itself.
    pub file: String,
    /// Line in that file, or 0.
    pub line: usize,
    /// What was seen and what is allowed.
    pub message: String,
    pub severity: Severity,
    /// Further findings of its kind, which are not listed.
    pub more: usize,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        f.write_str(&self.message)?;
        if self.more > 0 {
            write!(f, " (and {} more of this kind)", self.more)?;
        }
        Ok(())
    }
}

/// The findings in one file.
#[derive(Debug)]
pub struct Findings {
    file: String,
    list: Vec<Finding>,
    /// Places in the list by kind, which is the line of code that reports them.
    kinds: HashMap<&'static Location<'static>, Vec<usize>>,
}

impl Findings {
    pub fn of(file: &str) -> Findings {
        Findings { file: file.to_owned(), list: Vec::new(), kinds: HashMap::new() }
    }

    /// An error.
    #[track_caller]
    pub fn add(&mut self, line: usize, message: String) {
        self.insert(Severity::Error, line, || message);
    }

    /// An error whose message costs something; it is made only where it is listed.
    #[track_caller]
    pub fn add_with(&mut self, line: usize, message: impl FnOnce() -> String) {
        self.insert(Severity::Error, line, message);
    }

    #[track_caller]
    pub fn warn(&mut self, line: usize, message: String) {
        self.insert(Severity::Warning, line, || message);
    }

    #[track_caller]
    fn insert(&mut self, severity: Severity, line: usize, message: impl FnOnce() -> String) {
        let kind = self.kinds.entry(Location::caller()).or_default();
        if kind.len() == MAX_FINDINGS_OF_A_KIND {
            self.list[kind[MAX_FINDINGS_OF_A_KIND - 1]].more += 1;
            return;
        }
        let finding =
            Finding { file: self.file.clone(), line, message: message(), severity, more: 0 };
        if !self.list.contains(&finding) {
            kind.push(self.list.len());
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
    // To compare two long words takes the product of their lengths.
    let short = |word: &str| word.len() <= LONGEST;
    let lower = Some(word).filter(|word| short(word))?.to_lowercase();
    known
        .filter(|k| short(k))
        .map(|k| (strsim::jaro_winkler(&lower, &k.to_lowercase()), k))
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
