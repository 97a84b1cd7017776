//! What may stand in the model file and what is said of it: keys with their forms, words, quantities, ranges, defaults, names of
//! parameters and what of the start follows from them.
//!
//! `keys!` and `choice!` declare a type of the file and all of this in one place. The reader takes its keys from
//! there, the checker the names and the reach of parameters, the command the JSON Schema, and the tables of `docs/model-file.md` are
//! held against it.

mod declare;
pub mod relation;

pub use declare::Written;
pub(super) use declare::{choice, key, keys, words, words_of};

use crate::quantity::{FINITE, Limit, Quantity};
use relation::Relation;

/// What may stand in a place of the model file.
#[derive(Debug, Clone)]
pub enum Form {
    /// A number, or an expression in quotes.
    Number,
    /// `true` or `false`.
    Truth,
    /// `true`, `false`, or an expression that is 1 or 0.
    Switch,
    /// A name or a text in quotes.
    Text,
    /// A name in quotes, or a list of names.
    Group,
    /// A name in quotes or a whole number, or a list of these.
    Labels,
    /// One of these words, in quotes.
    Words(&'static [&'static str]),
    /// As many as one likes.
    List(Box<Form>),
    /// So many numbers, or other things that are alike.
    Tuple(usize, Box<Form>),
    /// A table with these keys, and how they go together.
    Table(Vec<Key>, Vec<Relation>),
    /// A table with exactly one of these keys.
    Choice(Vec<Key>),
    /// A table of entries whose names the user chooses; with what one of them is called, as "spring".
    Entries(&'static str, Box<Form>),
}

impl Form {
    /// What is said of the key at the dotted `path`.
    pub fn facts(&self, path: &str) -> Option<&Facts> {
        let (mut form, mut facts) = (self, None);
        for word in path.split('.') {
            form = match form.item() {
                Form::Table(keys, _) | Form::Choice(keys) => {
                    let word = word.split('[').next();
                    let key = keys.iter().find(|key| Some(key.word) == word)?;
                    facts = Some(&key.facts);
                    &key.form
                }
                Form::Entries(_, entry) => entry,
                _ => return None,
            };
        }
        facts
    }

    /// What stands in lists of it, or it itself.
    pub fn item(&self) -> &Form {
        match self {
            Form::List(item) | Form::Tuple(_, item) => item.item(),
            own => own,
        }
    }
}

/// A key of a table.
#[derive(Debug, Clone)]
pub struct Key {
    pub word: &'static str,
    /// Whether the reader misses it where it is not there.
    pub required: bool,
    pub form: Form,
    pub facts: Facts,
}

/// What is said of a key.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// What it is for, as Markdown, without unit, default and range.
    pub text: &'static str,
    /// What its numbers measure: one for all of them, or one after the other, of a table or of translation and rotation.
    pub quantities: &'static [Quantity],
    /// The numbers that are allowed.
    pub limit: Limit,
    /// The whole numbers that are allowed, of one that cannot be an expression.
    pub count: Option<[usize; 2]>,
    /// What stands for it where it is left out: a number, a word, or what it follows from.
    pub default: &'static str,
    /// Names of its numbers as parameters, by their place in a list if there are several: see [`Found::name`].
    pub names: &'static [&'static str],
    /// What the numbers inside of it belong to, likewise.
    pub owner: &'static str,
    /// What follows from its numbers and those inside of it; `None` for what does from those around it.
    pub acts: Option<Acts>,
}

impl Facts {
    /// Words alone.
    pub const fn of(text: &'static str) -> Facts {
        Facts {
            text,
            quantities: &[],
            limit: FINITE,
            count: None,
            default: "",
            names: &[],
            owner: "",
            acts: None,
        }
    }

    /// With numbers that measure this, in this range.
    pub const fn number(self, quantities: &'static [Quantity], limit: Limit) -> Facts {
        Facts { quantities, limit, ..self }
    }

    /// With whole numbers.
    pub const fn count(self, low: usize, high: usize) -> Facts {
        Facts { count: Some([low, high]), ..self }
    }

    /// See [`Facts::default`](Facts).
    pub const fn default(self, default: &'static str) -> Facts {
        Facts { default, ..self }
    }

    /// See [`Facts::names`](Facts).
    pub const fn named(self, names: &'static [&'static str]) -> Facts {
        Facts { names, ..self }
    }

    /// See [`Facts::owner`](Facts).
    pub const fn within(self, owner: &'static str) -> Facts {
        Facts { owner, ..self }
    }

    /// See [`Facts::acts`](Facts).
    pub const fn acts(self, acts: Acts) -> Facts {
        Facts { acts: Some(acts), ..self }
    }

    /// What its number measures, where that does not follow from other keys.
    pub fn quantity(&self) -> Quantity {
        self.quantities.first().copied().unwrap_or(Quantity::Dimensionless)
    }

    /// Its default, where that is a number.
    pub fn usual(&self) -> f64 {
        let usual = self.default.parse();
        debug_assert!(usual.is_ok(), "`{}` is no number", self.default);
        usual.unwrap_or_default()
    }

    /// Units of its numbers, each once, as "N/m, N·m/rad".
    pub fn unit(&self) -> String {
        let mut units: Vec<String> = Vec::new();
        for quantity in self.quantities {
            let unit = quantity.unit().replace('.', "·");
            let unit = unit.replace('2', "²").replace('3', "³").replace('4', "⁴").replace('6', "⁶");
            if !unit.is_empty() && !units.contains(&unit) {
                units.push(unit);
            }
        }
        units.join(", ")
    }

    /// The numbers that are allowed, in words; empty where all are.
    pub fn allowed(&self) -> String {
        match self.count {
            Some([low, high]) => format!("a whole number from {low} to {high}"),
            None if self.limit.text == FINITE.text => String::new(),
            None => self.limit.text.into(),
        }
    }
}

/// What of the start may follow from a number. The start finds positions without loads and friction, see
/// [`crate::start::start()`]; those of an equilibrium with the loads, and with friction where sliders with friction are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acts {
    OnPositions,
    OnVelocities,
    OnForces,
    /// On forces, and on positions of an equilibrium.
    AsLoad,
    /// On forces, and on positions of an equilibrium with friction.
    AsFriction,
    /// After the start.
    Later,
}

/// A number of a model file with what is said of its key.
pub struct Found<'p> {
    pub facts: Facts,
    pub acts: Acts,
    key: &'p str,
    /// Name of the entry that it is in.
    entry: &'p str,
    /// What it belongs to, as "edge 2 of body lug".
    owner: String,
    /// Its places in lists, "1,0", empty outside of them.
    places: &'p str,
}

impl<'p> Found<'p> {
    /// The number at the dotted `path`.
    pub fn at(file: &Form, path: &'p str) -> Option<Found<'p>> {
        let mut found = Found {
            facts: Facts::of(""),
            acts: Acts::OnPositions,
            key: "",
            entry: "",
            owner: String::new(),
            places: "",
        };
        let mut form = file;
        for word in path.split('.') {
            let (word, places) =
                word.strip_suffix(']').and_then(|w| w.split_once('[')).unwrap_or((word, ""));
            found.places = places;
            form = match form.item() {
                Form::Table(keys, _) | Form::Choice(keys) => {
                    let key = keys.iter().find(|key| key.word == word)?;
                    (found.facts, found.key) = (key.facts, word);
                    found.acts = key.facts.acts.unwrap_or(found.acts);
                    if !key.facts.owner.is_empty() {
                        found.owner = found.filled(key.facts.owner);
                    }
                    &key.form
                }
                Form::Entries(what, entry) => {
                    let within = match found.owner.as_str() {
                        "" => String::new(),
                        owner => format!(" of {owner}"),
                    };
                    (found.entry, found.owner) = (word, format!("{what} {word}{within}"));
                    entry
                }
                _ => return None,
            };
        }
        Some(found)
    }

    /// "Stiffness of spring strut". In the names of keys `{}` is what the number belongs to, which otherwise follows behind "of";
    /// `{entry}` the name of the entry; `{row}` and `{axis}` the first and the last place in a list, `{number}` the first one counted from
    /// 1; `{text}` the key's own words.
    pub fn name(&self) -> String {
        let last = self.places.rsplit(',').next().and_then(|k| k.parse().ok()).unwrap_or(0);
        let names = self.facts.names;
        match names.get(last).or(names.first()) {
            Some(own) if own.contains("{}") || own.contains("{entry}") || self.owner.is_empty() => {
                self.filled(own)
            }
            Some(own) => format!("{} of {}", self.filled(own), self.owner),
            None if self.owner.is_empty() => readable(self.key),
            None => format!("{} of {}", readable(self.key), self.owner),
        }
    }

    fn filled(&self, text: &str) -> String {
        let (row, axis) = match self.places.rsplit_once(',') {
            Some((row, axis)) => (row, axis),
            None => (self.places, self.places),
        };
        let numbers = self.places.split(',').filter_map(|k| k.parse::<usize>().ok());
        let numbers: Vec<String> = numbers.map(|k| (k + 1).to_string()).collect();
        text.replace("{}", &self.owner)
            .replace("{entry}", self.entry)
            .replace("{row}", row)
            .replace("{axis}", if axis == "0" { "x" } else { "y" })
            .replace("{number}", &numbers.join("."))
            .replace("{text}", self.facts.text)
    }
}

/// "Rotary inertia" of `rotary_inertia`.
fn readable(key: &str) -> String {
    let text = key.replace('_', " ");
    let mut letters = text.chars();
    let first: Option<String> = letters.next().map(|first| first.to_uppercase().collect());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::super::de::{Name, Scalar};
    use super::*;
    use crate::nodes::Direction;

    keys! {
        /// A wheel.
        #[allow(dead_code)]
        Wheel {
            /// its axle
            point: Name;
            /// of its rim
            radius: Option<Scalar> [number(&[Length], POSITIVE)];
            /// whether it drives
            #[serde(default)]
            driven: bool [default("false")];
            /// from the hub
            #[serde(default)]
            spokes: Vec<[Scalar; 2]> [named(&["{axis} of spoke {row} of {}"]).acts(Acts::Later)];
            /// on its rim
            tyre: Tyre [within("tyre of wheel {entry}")];
        }
    }

    choice! {
        /// A tyre.
        #[allow(dead_code)]
        Tyre {
            /// of air
            Air "air" {
                /// inside
                pressure: Scalar;
            };
            /// of rubber, this thick
            Solid "solid" (Scalar);
        }
    }

    #[test]
    fn a_type_tells_its_keys_and_what_must_be_there() {
        let Form::Table(keys, _) = Wheel::form() else { panic!("a table") };
        let reported: Vec<(&str, bool)> = keys.iter().map(|key| (key.word, key.required)).collect();
        let expected = [
            ("point", true),
            ("radius", false),
            ("driven", false),
            ("spokes", false),
            ("tyre", true),
        ];
        assert_eq!(reported, expected);
        assert_eq!(keys[1].facts.unit(), "m");
        assert_eq!(words_of::<Direction>(), ["x", "y", "rotation"]);
    }

    #[test]
    fn a_number_is_named_by_its_key_and_what_it_belongs_to() {
        let wheels = Form::Entries("wheel", Box::new(Wheel::form()));
        let name = |path: &str| Found::at(&wheels, path).map(|found| found.name());
        assert_eq!(name("front.radius").as_deref(), Some("Radius of wheel front"));
        assert_eq!(name("front.spokes[2,0]").as_deref(), Some("x of spoke 2 of wheel front"));
        assert_eq!(
            name("front.tyre.air.pressure").as_deref(),
            Some("Pressure of tyre of wheel front")
        );
        assert_eq!(name("front.rim"), None);
        assert!(
            Found::at(&wheels, "front.spokes[0,1]").is_some_and(|found| found.acts == Acts::Later)
        );
    }
}
