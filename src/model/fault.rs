//! What is wrong with a model, where, and what would be right.

use std::fmt;
use std::ops::Range;

use crate::message::{printable, shown};

/// What a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The file is no TOML, or cannot be read.
    Syntax,
    /// A key, a choice or a type that the format does not have, or a key that it asks for: what a JSON
    /// Schema can say.
    Structure,
    /// What is written does not go together, or is out of range.
    Content,
}

impl Kind {
    /// Its name, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Syntax => "syntax",
            Kind::Structure => "structure",
            Kind::Content => "content",
        }
    }
}

/// One fault of a model file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    pub file: String,
    /// Line and column of its first character, from 1; 0 where the fault belongs to no place.
    pub line: usize,
    pub column: usize,
    /// Line and column behind its last character.
    pub end_line: usize,
    pub end_column: usize,
    /// What was seen and, behind the first `; `, what is allowed and what to try.
    pub message: String,
    pub kind: Kind,
}

impl Fault {
    /// A fault at a byte range of `text`; one of the whole file where the range is `0..0`.
    pub fn at(file: &str, text: &str, span: &Range<usize>, message: String, kind: Kind) -> Fault {
        let mut fault = Fault::of_file(file, message, kind);
        if *span != (0..0) {
            [fault.line, fault.column] = line_and_column(text, span.start);
            [fault.end_line, fault.end_column] = line_and_column(text, span.end.max(span.start));
        }
        fault
    }

    /// A fault of a whole file.
    pub fn of_file(file: &str, message: String, kind: Kind) -> Fault {
        Fault {
            file: printable(file),
            line: 0,
            column: 0,
            end_line: 0,
            end_column: 0,
            message: shown(&message),
            kind,
        }
    }

    /// The reason, and the cure where the message has one.
    pub fn reason_and_cure(&self) -> (&str, Option<&str>) {
        match self.message.split_once("; ") {
            Some((reason, cure)) => (reason, Some(cure)),
            None => (&self.message, None),
        }
    }
}

/// Line and column of a byte of `text`, from 1.
fn line_and_column(text: &str, byte: usize) -> [usize; 2] {
    // An expression with escapes can point into the middle of a character.
    let mut boundaries = (0..=byte.min(text.len())).rev();
    let byte = boundaries.find(|&i| text.is_char_boundary(i));
    let before = &text[..byte.unwrap_or(0)];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    [before.matches('\n').count() + 1, before[line_start..].chars().count() + 1]
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
        }
    }
}

/// So many faults of one file are reported; who has more begins with these.
pub const MOST: usize = 50;

/// All faults of a model file, in the order of the file; no more than [`MOST`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults {
    pub list: Vec<Fault>,
    /// The text of the file, for who shows its lines; empty where it could not be read.
    pub text: String,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.list.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{fault}")?;
        }
        if self.list.len() >= MOST {
            write!(f, "\nonly the first {MOST} faults are shown")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
