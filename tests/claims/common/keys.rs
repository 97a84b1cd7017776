//! The keys and choices of the model file, as the reader's types tell them.

use coulisse::model::form::Form;
use coulisse::model::form_of_the_file;

/// A word of the model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub word: String,
    /// Whether it is one of several values of a key, not a key itself.
    pub choice: bool,
}

/// Every word that the reader takes.
pub fn of_the_file() -> Vec<Key> {
    let mut keys = Vec::new();
    collect(&form_of_the_file(), &mut keys);
    keys
}

fn collect(form: &Form, keys: &mut Vec<Key>) {
    let mut add = |word: &str, choice| {
        let word = word.to_owned();
        let key = Key { word, choice };
        if !keys.contains(&key) {
            keys.push(key);
        }
    };
    match form {
        Form::Number | Form::Truth | Form::Switch => {}
        Form::Text | Form::Group | Form::Labels => {}
        Form::Words(words) => words.iter().for_each(|word| add(word, true)),
        Form::List(inner) | Form::Tuple(_, inner) | Form::Entries(_, inner) => collect(inner, keys),
        Form::Table(inner, _) | Form::Choice(inner) => {
            for key in inner {
                add(key.word, false);
            }
            for key in inner {
                collect(&key.form, keys);
            }
        }
    }
}
