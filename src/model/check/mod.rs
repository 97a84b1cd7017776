//! Resolves every name of a model file and checks every value; collects all faults.

pub(crate) use contact::wrong_side;
pub(crate) use joints::OFF_PATH;

mod contact;
mod curves;
mod damping;
mod drives;
mod equivalent;
mod friction;
mod ground;
mod initial;
mod interface;
mod joint_outputs;
mod joints;
mod line_load;
mod parameters;
mod release;
mod roughness;
mod statics;
mod structure;
mod table;
mod whole;
mod wording;

use std::collections::BTreeMap;
use std::ops::Range;

use super::checked::{Checked, Direction, PointId};
use super::de::{Name, Number, Reader, Scalar};
use super::fault::{Fault, did_you_mean, excerpt, listed};
use super::file::{self, Entry, File};
use super::quantity::{FINITE, LARGEST, Limit, NOT_NEGATIVE, POSITIVE, Quantity, SMALLEST};
use super::scalar;

/// A number of the file with its resolved value.
#[derive(Debug, Clone)]
pub struct KnownNumber {
    pub value: f64,
    pub quantity: Quantity,
    limit: Limit,
    /// Names of `[parameters]` in its expression.
    names: Vec<String>,
}

/// What a check leaves behind.
pub struct Outcome {
    pub faults: Vec<Fault>,
    pub checked: Option<Checked>,
    /// Every number of the file by its dotted path, defaults included.
    pub numbers: BTreeMap<String, KnownNumber>,
}

/// Letters of a name: files of this name with an ending have room on every disk.
const LONGEST: usize = 200;

/// Where an index is wanted but the entry is broken; nothing is built from it.
const BROKEN: usize = 0;

struct Checker<'a> {
    file: &'a File,
    reader: Reader<'a>,
    patches: &'a BTreeMap<String, f64>,
    data: &'a BTreeMap<String, String>,
    numbers: BTreeMap<String, KnownNumber>,
    /// Value of each entry of `[parameters]` by name.
    parameters: BTreeMap<String, f64>,
    /// Whether some entry could not be used: checks of the whole would mislead then.
    incomplete: bool,
}

/// Checks `file`; `faults` are those found while reading it.
pub fn check(
    source: (&str, &str),
    file: &File,
    faults: Vec<Fault>,
    patches: &BTreeMap<String, f64>,
    data: &BTreeMap<String, String>,
) -> Outcome {
    let mut checker = Checker {
        file,
        reader: Reader::new(source.0, source.1, patches),
        patches,
        data,
        numbers: BTreeMap::new(),
        parameters: BTreeMap::new(),
        incomplete: !faults.is_empty(),
    };
    let model = checker.model();
    let numbers = checker.numbers;
    let mut all = faults;
    all.extend(checker.reader.into_faults());
    all.sort();
    all.dedup();
    Outcome {
        checked: all.is_empty().then_some(model),
        faults: all,
        numbers,
    }
}

impl Checker<'_> {
    fn model(&mut self) -> Checked {
        self.named_parameters();
        let mut model = Checked::empty();
        self.header(&mut model);
        self.structure(&mut model);
        self.joints(&mut model);
        self.damping(&mut model);
        self.drives(&mut model);
        if !self.incomplete && self.reader.is_clean() {
            self.whole(&model);
        }
        // Variables refer to points and members: none can be listed when some are broken.
        if !self.incomplete && self.reader.is_clean() {
            self.interface(&mut model);
            self.statics(&mut model);
        }
        model
    }

    fn report(&mut self, span: &Range<usize>, message: String) {
        self.incomplete = true;
        self.reader.report(span, message);
    }

    /// Value of a number; 1 where it has a fault.
    fn number(&mut self, scalar: &Scalar, quantity: Quantity, limit: Limit) -> f64 {
        let mut names = Vec::new();
        let value = match &scalar.value {
            Number::Literal(value) => *value,
            Number::Expression(text) => {
                let mut look = |name: &str| {
                    names.push(name.to_string());
                    self.value_of_parameter(name)
                };
                match scalar::evaluate(text, &mut look) {
                    Ok(value) => value,
                    Err(fault) => {
                        self.expression_fault(scalar, text, &fault);
                        return 1.0;
                    }
                }
            }
        };
        let Some(value) = limit.admit(value) else {
            self.out_of_range(scalar, value, quantity, limit);
            return 1.0;
        };
        let known = KnownNumber {
            value,
            quantity,
            limit,
            names,
        };
        self.numbers.insert(scalar.path.clone(), known);
        value
    }

    fn out_of_range(&mut self, scalar: &Scalar, value: f64, quantity: Quantity, limit: Limit) {
        let unit = quantity.unit();
        let space = if unit.is_empty() { "" } else { " " };
        let (written, hint) = match &scalar.value {
            Number::Literal(_) => (String::new(), ""),
            Number::Expression(text) if value.is_finite() => {
                (format!(" = \"{}\"", excerpt(text)), "")
            }
            Number::Expression(text) => (
                format!(" = \"{}\"", excerpt(text)),
                "; look for a division by zero or a root or logarithm of a negative number",
            ),
        };
        let allowed = match value.is_finite() {
            false => FINITE.text,
            true if has_sensible_size(value) => limit.text,
            true if limit.min > 0.0 => "a size from 1e-50 to 1e50",
            true => "0 or a size from 1e-50 to 1e50",
        };
        let message = format!(
            "{}{written} is {}{space}{unit}; allowed: {allowed}{hint}",
            scalar.path,
            figure(value)
        );
        self.report(&scalar.span, message);
    }

    /// Value of a number that may be left out; `path` names it all the same.
    fn number_or(
        &mut self,
        scalar: Option<&Scalar>,
        path: String,
        default: f64,
        quantity: Quantity,
        limit: Limit,
    ) -> f64 {
        match (scalar, self.patches.get(&path)) {
            (Some(scalar), _) => self.number(scalar, quantity, limit),
            (None, Some(&value)) => {
                let given = Scalar {
                    value: Number::Literal(value),
                    span: 0..0,
                    path,
                };
                self.number(&given, quantity, limit)
            }
            (None, None) => {
                let known = KnownNumber {
                    value: default,
                    quantity,
                    limit,
                    names: Vec::new(),
                };
                self.numbers.insert(path, known);
                default
            }
        }
    }

    /// A whole number within bounds; the lower bound where it has a fault.
    fn count(&mut self, scalar: Option<&Scalar>, default: usize, low: usize, high: usize) -> usize {
        let Some(scalar) = scalar else {
            return default;
        };
        let Some(value) = scalar.literal() else {
            let path = &scalar.path;
            let message = format!("{path} must be a whole number, not an expression");
            self.report(&scalar.span, message);
            return low;
        };
        if value.fract() != 0.0 || value < low as f64 || value > high as f64 {
            self.report(
                &scalar.span,
                format!(
                    "{} is {}; allowed: a whole number from {low} to {high}",
                    scalar.path,
                    figure(value)
                ),
            );
            return low;
        }
        value as usize
    }

    /// A name made of letters, digits and underscores, as FMI variables and files want it.
    fn identifier(&mut self, name: &Name, what: &str) {
        let good = name
            .value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.value.starts_with(|c: char| c.is_ascii_alphabetic());
        if !good {
            self.report(
                &name.span,
                format!(
                    "the {what} name `{}` is not allowed: a letter, then letters, digits and `_`",
                    excerpt(&name.value)
                ),
            );
        } else if name.value.len() > LONGEST {
            let (shown, seen) = (excerpt(&name.value), name.value.len());
            self.report(
                &name.span,
                format!("the {what} name `{shown}` has {seen} letters; allowed: at most {LONGEST}"),
            );
        }
    }

    fn find<T>(&mut self, name: &Name, section: &str, entries: &[Entry<T>]) -> Option<usize> {
        let found = entries.iter().position(|e| e.name.value == name.value);
        // What a broken section holds is not known.
        if found.is_none() && !self.file.unreadable.contains(section) {
            let known = || entries.iter().map(|e| e.name.value.as_str());
            let file = self.file;
            let hint = if file.points.iter().any(|e| e.name.value == name.value) {
                format!("; `{}` is a point", name.value)
            } else if file.members.iter().any(|e| e.name.value == name.value) {
                format!("; `{}` is a member", name.value)
            } else {
                did_you_mean(&name.value, known())
            };
            self.report(
                &name.span,
                format!(
                    "{} names `{}`, which is not in [{section}]; there are: {}{hint}",
                    name.path,
                    excerpt(&name.value),
                    listed(known()),
                ),
            );
        }
        found
    }

    fn point(&mut self, name: &Name) -> PointId {
        let file = self.file;
        self.find(name, "points", &file.points).unwrap_or(BROKEN)
    }

    fn member(&mut self, name: &Name) -> usize {
        let file = self.file;
        self.find(name, "members", &file.members).unwrap_or(BROKEN)
    }

    fn optional_member(&mut self, name: Option<&Name>) -> Option<usize> {
        name.map(|n| self.member(n))
    }

    /// Checks that a rotation at `point` is one only: that of `member`'s end, or the point's.
    fn one_rotation(
        &mut self,
        model: &Checked,
        point: PointId,
        member: Option<usize>,
        span: &Range<usize>,
        path: &str,
    ) {
        if self.incomplete {
            return;
        }
        let name = &model.points[point].name;
        let ending = model.members_at(point);
        let names = |ids: &[usize]| listed(ids.iter().map(|&m| model.members[m].name.as_str()));
        match member {
            Some(m) if !ending.contains(&m) => self.report(
                span,
                format!(
                    "{path}: member `{}` does not end at point `{name}`; members that do: {}",
                    model.members[m].name,
                    names(&ending)
                ),
            ),
            None if model.rotations_at(point) == 0 => self.report(
                span,
                format!("{path}: point `{name}` has no rotation, no member ends there"),
            ),
            None if model.rotations_at(point) > 1 => self.report(
                span,
                format!(
                    "{path}: several members turn on their own at point `{name}`; say which with \
                     `member`: {}",
                    names(&ending)
                ),
            ),
            _ => {}
        }
    }
}

fn has_sensible_size(value: f64) -> bool {
    value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs())
}

/// A number for a message, short where it is very large or small.
fn figure(value: f64) -> String {
    if value != 0.0 && value.is_finite() && !(1e-4..1e7).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

fn direction(written: file::Direction) -> Direction {
    match written {
        file::Direction::X => Direction::X,
        file::Direction::Y => Direction::Y,
        file::Direction::Rotation => Direction::Rotation,
    }
}
