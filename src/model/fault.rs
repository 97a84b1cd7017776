//! What is wrong with a model, where, and what would be right.

use std::fmt;

/// One fault of a model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub message: String,
}

/// All faults of a model file, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{}", fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
