//! The model file: types as written, resolution of names, collected faults.

mod check;
mod de;
pub mod fault;
mod file;
pub mod form;
mod range;
pub mod scalar;
mod source;
mod subject;
mod syntax;
#[cfg(test)]
mod tests;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use toml::de::DeTable;

pub(crate) use check::wrong_side;
pub use fault::{Fault, Faults};
pub use file::form as form_of_the_file;
pub use source::{LARGEST_DATA, LARGEST_MODEL, open as open_file, read as read_file};

pub use crate::checked::{self, Checked, history, statics};
use crate::message;
pub use crate::quantity;
use fault::Kind;
use form::Form;

/// Name of the model file in the `resources` folder of every FMU, whatever it was called before.
pub const MODEL_FILE: &str = "model.toml";

/// A model file as written, with the values that a host has put in place of the file's.
#[derive(Debug, Clone)]
pub struct Model {
    /// Name for the messages.
    file: String,
    text: String,
    /// Data files by the name that the model gives them.
    data: BTreeMap<String, Vec<u8>>,
    /// Numbers put in by a host, by dotted path.
    patches: BTreeMap<String, f64>,
    /// What is declared with the keys of the file; copies of the model share it.
    form: Arc<Form>,
    /// Dotted paths of all numbers of the file, once they were asked for; copies of the model share them.
    paths: Arc<OnceLock<BTreeSet<String>>>,
}

/// Endings of the files that a model names, and what they are.
const OTHERS: [(&str, &str); 4] =
    [("msh", "a mesh"), ("dxf", "a drawing"), ("csv", "a table"), ("at2", "a record")];

impl Model {
    /// Reads a model file and the data files that it names (relative to its folder).
    ///
    /// # Errors
    /// When a file cannot be read or the model is not TOML; other faults are left to
    /// [`Model::check`], so that they come all at once.
    pub fn load(path: &Path) -> Result<Model, Faults> {
        let shown =
            path.file_name().map_or(path.display().to_string(), |n| n.to_string_lossy().into());
        let fault = |why: String| {
            let message = format!("cannot be read: {why}");
            Faults {
                list: vec![Fault::of_file(&path.display().to_string(), message, Kind::Syntax)],
                text: String::new(),
            }
        };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let other = OTHERS.iter().find(|(own, _)| ending.as_deref() == Some(own));
        if let Some((own, what)) = other {
            let why = format!(
                "a file that ends in `.{own}` is {what}; name the model file (TOML) that uses it"
            );
            return Err(fault(why));
        }
        let bytes = source::read(path, LARGEST_MODEL).map_err(|e| fault(e.to_string()))?;
        let text = source::text(&bytes).map_err(fault)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Model::parse(text, &shown, &|name| source::read_inside(&folder, name, LARGEST_DATA))
    }

    /// Reads a model from its text; `file` names it in messages, `data` gives the data files, text or bytes.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn parse<D: Into<Vec<u8>>>(
        text: &str, file: &str, data: &dyn Fn(&str) -> io::Result<D>,
    ) -> Result<Model, Faults> {
        if text.len() as u64 > LARGEST_MODEL {
            let message = source::too_large(LARGEST_MODEL);
            return Err(Faults {
                list: vec![Fault::of_file(file, message, Kind::Syntax)],
                text: String::new(),
            });
        }
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let mut model = Model {
            file: file.to_string(),
            text,
            data: BTreeMap::new(),
            patches: BTreeMap::new(),
            form: Arc::new(form_of_the_file()),
            paths: Arc::default(),
        };
        let (root, errors) = DeTable::parse_recoverable(&model.text);
        if !errors.is_empty() {
            // What follows from a text that is not TOML is nobody's fault.
            let list = syntax::faults(file, &model.text, &errors);
            drop(root);
            return Err(Faults { list, text: model.text });
        }
        let mut faults = Vec::new();
        let reader = de::Reader::new(&model.file, &model.text, &model.patches);
        file::File::read(&reader, &root);
        for (name, span) in reader.data_files() {
            let others = model.data.keys().map(String::as_str);
            let outcome = match source::data_name_fault(&name, others.chain([MODEL_FILE])) {
                Some(fault) => Err(fault),
                None => data(&name).map_err(|e| match e.kind() {
                    io::ErrorKind::NotFound => {
                        "there is no such file; its name is relative to the folder of the model"
                            .to_string()
                    }
                    _ => e.to_string(),
                }),
            };
            match outcome {
                Ok(content) => {
                    model.data.insert(name, content.into());
                }
                Err(error) => {
                    let name = message::excerpt(&name);
                    let message = format!("data file `{name}` cannot be read: {error}");
                    faults.push(Fault::at(file, &model.text, &span, message, Kind::Content));
                }
            }
        }
        if faults.is_empty() {
            return Ok(model);
        }
        faults.extend(model.outcome().faults);
        faults.sort();
        faults.truncate(fault::MOST);
        drop(root);
        Err(Faults { list: faults, text: model.text })
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Data files: name relative to the model file, and content.
    pub fn data_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.data.iter().map(|(n, c)| (n.as_str(), c.as_slice()))
    }

    /// The numbers of the file that count something (elements, orders, lines of a spectrum), by dotted path, defaults included.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        self.outcome().counts
    }

    /// The numbers of the file that measure something, by dotted path, defaults included.
    pub fn numbers(&self) -> BTreeMap<String, f64> {
        let numbers = self.outcome().numbers.into_iter();
        numbers.map(|(path, known)| (path, known.value)).collect()
    }

    /// The unit of the number at the dotted `path`, empty where it has none; `None` where the file has no such number.
    pub fn unit_of(&self, path: &str) -> Option<&'static str> {
        let check::Outcome { numbers, counts, checked, .. } = self.outcome();
        // Of what a host may set it is that of the description.
        let mut set = checked.iter().flat_map(|checked| &checked.parameters);
        let set = set.find(|parameter| parameter.path == path);
        let set = set.map(|parameter| parameter.quantity.unit());
        let measured = set.or(numbers.get(path).map(|known| known.quantity.unit()));
        measured.or(counts.contains_key(path).then_some(""))
    }

    /// The same model with the number at the dotted `path` replaced, as if it had been written in
    /// the file.
    ///
    /// # Errors
    /// If the path names no number of the file or the value is not finite. Whether the value is
    /// in range, and whole where it counts something, is for [`Model::check`].
    pub fn with_value(mut self, path: &str, value: f64) -> Result<Model, Fault> {
        if !value.is_finite() {
            let message = format!("`{path}` cannot be {value}; allowed: a finite number");
            return Err(Fault::of_file(&self.file, message, Kind::Content));
        }
        let known = self.paths.get_or_init(|| {
            let check::Outcome { numbers, counts, .. } = self.outcome();
            numbers.into_keys().chain(counts.into_keys()).collect()
        });
        if !known.contains(path) {
            let hint = message::did_you_mean(path, known.iter().map(String::as_str));
            let message = format!("`{path}` is no number of this model{hint}");
            return Err(Fault::of_file(&self.file, message, Kind::Content));
        }
        self.patches.insert(path.to_string(), value);
        Ok(self)
    }

    /// The same model with finite numbers replaced that are known to be numbers of the file.
    pub(crate) fn with_values<'a>(&self, values: impl Iterator<Item = (&'a str, f64)>) -> Model {
        let mut model = self.clone();
        (model.patches).extend(values.map(|(path, value)| (path.to_string(), value)));
        model
    }

    /// Resolves every name and checks every value.
    ///
    /// # Errors
    /// All faults at once, in the order of the file.
    pub fn check(&self) -> Result<Checked, Faults> {
        let outcome = self.outcome();
        outcome.checked.ok_or_else(|| Faults { list: outcome.faults, text: self.text.clone() })
    }

    fn outcome(&self) -> check::Outcome {
        // Syntax faults were refused by `parse`.
        let (root, _) = DeTable::parse_recoverable(&self.text);
        let reader = de::Reader::new(&self.file, &self.text, &self.patches);
        let written = file::File::read(&reader, &root);
        let mut all =
            check::check((&root, &written), &self.form, reader, &self.patches, &self.data, None);
        if all.off.is_empty() {
            return all;
        }
        let reader = de::Reader::new(&self.file, &self.text, &self.patches);
        let on = file::File::read(&reader, &root).without(&all.off);
        let complete = check::Complete { off: std::mem::take(&mut all.off), model: all.checked };
        let mut on = check::check(
            (&root, &on),
            &self.form,
            reader,
            &self.patches,
            &self.data,
            Some(complete),
        );
        let others = all.faults.into_iter().filter(|fault| !on.faults.contains(fault));
        let others: Vec<Fault> = others.collect();
        on.faults.extend(others);
        on.faults.sort();
        on.faults.truncate(fault::MOST);
        // What is switched off has numbers, too.
        check::Outcome {
            checked: on.checked.filter(|_| on.faults.is_empty()),
            numbers: all.numbers,
            counts: all.counts,
            ..on
        }
    }
}
