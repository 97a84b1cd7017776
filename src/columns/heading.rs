//! The unit that a heading states: `time [ms]`, `F (kN)`, `displacement / mm`, `x, mm`, `force_kN`.

use super::cells::{CLOSING, OPENING, number};
use super::unit::Unit;
use crate::message::excerpt;

/// Words that say which component or channel a column is, not its unit.
const REMARKS: [&str; 30] = [
    "ns",
    "ew",
    "ud",
    "component",
    "comp",
    "channel",
    "direction",
    "dir",
    "north",
    "south",
    "east",
    "west",
    "up",
    "down",
    "horizontal",
    "vertical",
    "radial",
    "transverse",
    "longitudinal",
    "raw",
    "filtered",
    "corrected",
    "measured",
    "relative",
    "absolute",
    "x",
    "y",
    "z",
    "e",
    "t",
];

/// Ends of names that are units elsewhere: smallest values and inputs.
const ENDS_OF_NAMES: [&str; 2] = ["min", "in"];

/// Names that are units elsewhere: time, station, height.
const NAMES_AND_UNITS: [&str; 3] = ["t", "s", "h"];

/// Longest heading, bytes.
const LONGEST: usize = 1000;

/// What a heading says.
#[derive(Debug, PartialEq)]
pub struct Heading<'a> {
    pub name: &'a str,
    pub unit: Option<Unit>,
}

impl<'a> Heading<'a> {
    /// Name and unit of a heading whose unit has to pass `fits`; the text that stands in the place of a unit and is none.
    pub fn read(text: &'a str, fits: &dyn Fn(&Unit) -> bool) -> Result<Heading<'a>, &'a str> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(text);
        }
        let named = |name: &'a str, unit| Heading { name: name.trim_end_matches([' ', ':']), unit };
        let fitting = |written: &str| Unit::named(written).filter(|unit| fits(unit));
        let mut wrong = None;
        for (name, inside) in brackets(text) {
            match fitting(inside).or_else(|| beside_a_remark(inside).find_map(fitting)) {
                Some(unit) => return Ok(named(name, Some(unit))),
                None if is_remark(inside) => {}
                None => wrong = Some(inside),
            }
        }
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        // What is left in brackets are components.
        let whole = text;
        let text = match brackets(text).next() {
            Some((name, _)) if text.ends_with(CLOSING) => name.trim_end(),
            _ => text,
        };
        if let Some(unit) = fitting(text).filter(|_| text.len() > 1) {
            return Ok(named("", Some(unit)));
        }
        // An index is often one letter, and so is a unit: `x_m` may be the largest x.
        let last = |mark: char| {
            let (name, written) = text.rsplit_once(mark)?;
            let unit = fitting(written).filter(|_| is_unit(written))?;
            Some(named(name, Some(unit)))
        };
        if let Some(heading) = last('_').or_else(|| last('-')) {
            return Ok(heading);
        }
        let stated = text.rsplit_once(['=', ':']);
        if let Some((name, Some(unit))) = stated.map(|(name, written)| (name, fitting(written))) {
            return Ok(named(name, Some(unit)));
        }
        let marks = [" / ", ", ", "; ", " in ", "/", ","];
        let behind = marks.iter().find_map(|mark| text.split_once(mark));
        let Some((name, written)) = behind else {
            return Ok(last(' ').unwrap_or_else(|| named(whole, None)));
        };
        // `N/m` is a unit of something else, `t/s` the time in seconds.
        let other = Unit::named(text).is_some() && !NAMES_AND_UNITS.contains(&name);
        match fitting(written).filter(|_| !other) {
            Some(unit) => Ok(named(name, Some(unit))),
            None if other => Err(text),
            None if is_remark(written) => Ok(named(whole, None)),
            None => Err(written),
        }
    }
}

impl<'a> Heading<'a> {
    /// Name and unit of a heading that begins with the name of a variable; `is_variable` knows these names.
    ///
    /// # Errors
    /// The text that stands in the place of a unit and is none.
    pub fn of_variable(
        text: &'a str, is_variable: impl Fn(&str) -> bool,
    ) -> Result<Heading<'a>, &'a str> {
        let read = Heading::read(text, &|_| true);
        let plain = matches!(&read, Ok(heading) if heading.unit.is_none());
        if !plain && is_variable(text) { Ok(Heading { name: text, unit: None }) } else { read }
    }
}

/// Whether a heading speaks of a logarithm: `log10 Force (N)`, `log(F) [N]`, `ln v (m/s)`, `20*log10(a)`, `level [dB]`.
pub fn is_logarithm(text: &str) -> bool {
    let parts = std::iter::once(text).chain(brackets(text).map(|(_, inside)| inside));
    let is_function = |part: &str| {
        let part = part.trim_start_matches(|c: char| !c.is_alphabetic());
        let letters = part.find(|c: char| !c.is_alphabetic());
        let (word, behind) = part.split_at(letters.unwrap_or(part.len()));
        let bases = ["10", "2", "₁₀", "₂"];
        let based = bases.iter().any(|base| behind.starts_with(base));
        match word.to_lowercase().as_str() {
            "log" => based || !behind.starts_with(|c: char| c == '.' || c.is_numeric()),
            "ln" | "lg" => !behind.starts_with(|c: char| c == '.' || c.is_numeric()),
            _ => false,
        }
    };
    // Names of variables have points.
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '.');
    { parts }.any(is_function) || words.any(|word| matches!(word, "dB" | "decibel" | "decibels"))
}

/// What to say of such a heading.
pub fn of_logarithm(text: &str, known: &str) -> String {
    let text = excerpt(text);
    format!(
        "heading `{text}`: the column contains a logarithm; convert it to numbers in {known}, or rename it if it is none"
    )
}

/// Whether a comment that may be a heading states a unit, and no amount of it: `# time / ms`, not `# steps of 5 ms`.
pub fn states_its_unit(text: &str) -> bool {
    let amounts = text.split_whitespace().any(|word| number(word).is_some());
    let read = Heading::read(text, &|_| true);
    !amounts && read.is_ok_and(|heading| heading.unit.is_some())
}

/// Whether a word alone is a unit, and hardly anything else.
pub fn is_unit(word: &str) -> bool {
    word.chars().count() > 1 && !ENDS_OF_NAMES.contains(&word) && Unit::named(word).is_some()
}

/// What stands before and in pairs of brackets, the last one first, but for numbers of elements, as in `points.a[0]`, and factors of units.
fn brackets(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let opening = text.rmatch_indices(OPENING);
    opening.filter_map(|(at, _)| {
        let (name, inside) = (&text[..at], &text[at + 1..]);
        let mut depth = 1;
        let end = inside.find(|c| {
            depth += i32::from(OPENING.contains(&c)) - i32::from(CLOSING.contains(&c));
            depth == 0
        })?;
        let inside = &inside[..end];
        let index = !name.ends_with(' ') && inside.bytes().all(|b| b.is_ascii_digit());
        // `kN/(m/s)`
        let factor = name.trim_end().ends_with(['/', '*', '·', '.']);
        (!index && !factor).then_some((name, inside.trim()))
    })
}

/// Whether a text in the place of a unit speaks of a component alone: `NS component`, `x-direction`.
fn is_remark(text: &str) -> bool {
    let about = |word: &str| REMARKS.contains(&word.to_lowercase().as_str());
    let long = |word: &str| word.len() > 1;
    matches!(text.to_lowercase().as_str(), "n-s" | "e-w" | "u-d")
        || text.split([' ', '-', ',', '_']).any(about)
            && !(beside_a_remark(text)).any(|word| long(word) && Unit::named(word).is_some())
}

/// The words of a text that speaks of a component, but for those that do so.
fn beside_a_remark(text: &str) -> impl Iterator<Item = &str> {
    let about = |word: &&str| REMARKS.contains(&word.to_lowercase().as_str());
    let speaks = text.split([' ', ',']).any(|word| about(&word));
    let words = text.split([' ', ',']).filter(move |word| !about(word));
    words.filter(move |_| speaks)
}
