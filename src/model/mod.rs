//! The model file: types as written, resolution of names, collected faults.

pub mod checked;
pub mod fault;
pub mod history;
pub mod quantity;

use std::path::Path;

pub use checked::Checked;
pub use fault::{Fault, Faults};

/// A model file as written, with the values that a host has put in place of the file's.
#[derive(Debug, Clone)]
pub struct Model {}

impl Model {
    /// Reads a model file and the data files that it names (relative to its folder).
    ///
    /// # Errors
    /// Every fault of syntax, keys and types, with its place in the file.
    pub fn load(_path: &Path) -> Result<Model, Faults> {
        unreachable!("skeleton")
    }

    /// The same model with the number at the dotted `path` replaced.
    ///
    /// # Errors
    /// A fault if the path names no number of the file.
    pub fn with_value(self, _path: &str, _value: f64) -> Result<Model, Fault> {
        unreachable!("skeleton")
    }

    /// Resolves every name and checks every value.
    ///
    /// # Errors
    /// All faults at once.
    pub fn check(&self) -> Result<Checked, Faults> {
        unreachable!("skeleton")
    }

    /// The source text of the model file.
    pub fn text(&self) -> &str {
        unreachable!("skeleton")
    }

    /// The data files that the model names: relative name and content.
    pub fn data_files(&self) -> Vec<(String, String)> {
        unreachable!("skeleton")
    }
}
