//! Friction laws, as written.

use serde::{Deserialize, Deserializer};

use crate::laws::friction::{self, LAWS, Listed, Need, Transition};
use crate::model::de::{DataFile, Name, Scalar};
use crate::model::form::relation::Relation;
use crate::model::form::{Facts, Form, Key, Written};

/// A friction law as written; the laws themselves know their keys.
pub type Friction = friction::Friction<Given>;

/// A number of a friction law.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Given {
    /// Left out, for the law's default.
    #[default]
    LeftOut,
    Written(Scalar),
    /// From the data file of this name.
    Measured(f64, Name),
}

impl friction::Number for Given {
    type Text = Option<DataFile>;
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Given, D::Error> {
        Scalar::deserialize(deserializer).map(Given::Written)
    }
}

impl Written for Friction {
    fn form() -> Form {
        let laws = LAWS.iter().map(|law| {
            let numbers = law.keys.iter().map(|key| number(key));
            let others = law.others.iter().map(|&word| other(word));
            let formulas = law.formulas.iter().map(|&(word, text)| Key {
                word,
                required: true,
                form: Form::Text,
                facts: Facts::of(text.trim_ascii()),
            });
            Key {
                word: law.name,
                required: false,
                form: Form::Table(formulas.chain(numbers).chain(others).collect(), relations(law)),
                facts: Facts::of(law.about.trim_ascii()),
            }
        });
        Form::Choice(laws.collect())
    }
}

/// The first two lists are the columns of a data file, or stand in the model instead.
fn relations(law: &Listed) -> Vec<Relation> {
    let lists = law.keys.iter().filter(|key| matches!(key.need, Need::OptionalList));
    let lists: Vec<&'static str> = lists.map(|key| key.name).take(2).collect();
    if law.others.contains(&"file") { vec![Relation::either(&lists, "file")] } else { Vec::new() }
}

/// What a law says of one of its numbers.
fn number(key: &'static friction::Key) -> Key {
    let (form, names): (_, &[&str]) = match key.need {
        Need::Named => (Form::Entries("number", Box::new(Form::Number)), &["Friction law, {}"]),
        Need::List | Need::OptionalList => {
            (Form::List(Box::new(Form::Number)), &["Friction of {}, row {row} of {text}"])
        }
        _ => (Form::Number, &["Friction of {}, {text}"]),
    };
    Key {
        word: key.name,
        required: matches!(key.need, Need::Required | Need::List),
        form,
        facts: Facts {
            quantities: std::slice::from_ref(&key.quantity),
            limit: key.limit,
            default: key.default,
            ..Facts::of(key.meaning.trim_ascii()).named(names)
        },
    }
}

/// What laws have besides numbers.
fn other(word: &'static str) -> Key {
    let (form, text, default) = match word {
        "file" => {
            (Form::Text, "instead of the lists: a [file](#columns-of-numbers) of two columns", "")
        }
        _ => (
            Transition::form(),
            "how the law passes through rest: `\"set_valued\"` sticks exactly and finds the instants at which sticking begins and ends inside the step; `\"siqueira_coda_2023\"` is the form printed in that paper, to compare with it",
            "set_valued",
        ),
    };
    Key { word, required: false, form, facts: Facts::of(text).default(default) }
}
