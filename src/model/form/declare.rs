//! Declarations of types of the file: [`keys!`](keys) for tables, [`choice!`](choice) for one of several, [`words!`](words) for
//! enumerations.

use serde::de::{self, DeserializeOwned, IntoDeserializer};

use super::Form;
use crate::checked::history::Interpolation;
use crate::joints::regime::Side;
use crate::joints::roughness::IsoClass;
use crate::laws::friction::Transition;
use crate::model::de::{DataFile, Group, Labels, Located, Number, OnOff};
use crate::nodes::Direction;
use crate::records::Baseline;

/// What stands in the file for a type.
pub trait Written {
    /// Whether a key of this type must be there.
    const REQUIRED: bool = true;

    fn form() -> Form;
}

impl<T: Written> Written for Option<T> {
    const REQUIRED: bool = false;

    fn form() -> Form {
        T::form()
    }
}

impl<T: Written> Written for Located<T> {
    fn form() -> Form {
        T::form()
    }
}

impl<T: Written> Written for Vec<T> {
    fn form() -> Form {
        Form::List(Box::new(T::form()))
    }
}

impl<T: Written, const N: usize> Written for [T; N] {
    fn form() -> Form {
        Form::Tuple(N, Box::new(T::form()))
    }
}

macro_rules! plain {
    ($($Type:ty: $form:ident,)*) => {
        $(impl Written for $Type {
            fn form() -> Form {
                Form::$form
            }
        })*
    };
}

plain! {
    Number: Number,
    bool: Truth,
    OnOff: Switch,
    String: Text,
    DataFile: Text,
    Group: Group,
    Labels: Labels,
}

/// Enumerations whose words the derived reader knows.
macro_rules! words {
    ($($Type:ty),* $(,)?) => {
        $(impl $crate::model::form::Written for $Type {
            fn form() -> $crate::model::form::Form {
                $crate::model::form::Form::Words($crate::model::form::words_of::<$Type>())
            }
        })*
    };
}
pub(in crate::model) use words;

words!(Direction, Side, IsoClass, Baseline, Interpolation, Transition);

/// The words of an enumeration: what its reader says are the right ones when it meets none.
pub(in crate::model) fn words_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let none: de::value::StrDeserializer<'_, Expected> = "".into_deserializer();
    T::deserialize(none).err().map_or(&[], |expected| expected.0)
}

/// Words that a reader would have taken.
#[derive(Debug)]
struct Expected(&'static [&'static str]);

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.join(", "))
    }
}

impl std::error::Error for Expected {}

impl de::Error for Expected {
    fn custom<T: std::fmt::Display>(_: T) -> Expected {
        Expected(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Expected {
        Expected(expected)
    }
}

/// A [`Key`]: its words, whether serde gives it a default, key, type, and further [`Facts`].
macro_rules! key {
    ([$($text:literal)+] [$($how:ident)?] $word:expr, $ty:ty, $required:expr, [$($facts:tt)*]) => {{
        #[allow(unused_imports)]
        use $crate::{model::{form::Acts, range::*}, quantity::{*, Quantity::*}};
        let by_serde: &[&str] = &[$(stringify!($how))?];
        $crate::model::form::Key {
            word: $word,
            required: $required && by_serde.is_empty(),
            form: <$ty as $crate::model::form::Written>::form(),
            facts: $crate::model::form::Facts::of(concat!($($text),+).trim_ascii()) $($facts)*,
        }
    }};
}
pub(in crate::model) use key;

/// A table of the file: its type, and for each key words, type and, in brackets, further [`Facts`]; behind the keys their
/// [relations](crate::model::form::relation).
macro_rules! keys {
    (
        $(#[$about:meta])*
        $Type:ident {
            $($(#[doc = $text:literal])+ $(#[serde($how:ident)])? $key:ident: $ty:ty $([$($facts:tt)*])?;)*
        }
        $($relation:expr;)*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, serde::Deserialize)]
        pub struct $Type {
            $($(#[doc = $text])+ $(#[serde($how)])? pub $key: $ty,)*
        }

        impl $crate::model::form::Written for $Type {
            fn form() -> $crate::model::form::Form {
                #[allow(unused_imports)]
                use $crate::model::form::relation::*;
                let keys = vec![
                    $($crate::model::form::key!(
                        [$($text)+] [$($how)?] stringify!($key), $ty,
                        <$ty as $crate::model::form::Written>::REQUIRED, [$(. $($facts)*)?]
                    ),)*
                ];
                $crate::model::form::Form::Table(keys, vec![$($relation,)*])
            }
        }
    };
}
pub(in crate::model) use keys;

/// A table of the file with exactly one of several keys, which hold keys of their own, `with` their relations, or a value.
macro_rules! choice {
    (
        $(#[$about:meta])*
        $Type:ident {
            $(
                $(#[doc = $what:literal])+ $Variant:ident $word:literal
                $({
                    $($(#[doc = $text:literal])+ $(#[serde($how:ident)])? $key:ident: $ty:ty $([$($facts:tt)*])?;)*
                } $(with { $($relation:expr;)* })?)?
                $(($own:ty))?
                $([$($of:tt)*])?;
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, serde::Deserialize)]
        pub enum $Type {
            $(
                $(#[doc = $what])+
                #[serde(rename = $word)]
                $Variant $({ $($(#[doc = $text])+ $(#[serde($how)])? $key: $ty,)* })? $(($own))?,
            )*
        }

        impl $crate::model::form::Written for $Type {
            fn form() -> $crate::model::form::Form {
                #[allow(unused_imports)]
                use $crate::model::form::{Form, Key, Written, relation::*};
                Form::Choice(vec![$({
                    $(let form = Form::Table(vec![
                        $($crate::model::form::key!(
                            [$($text)+] [$($how)?] stringify!($key), $ty,
                            <$ty as Written>::REQUIRED, [$(. $($facts)*)?]
                        ),)*
                    ], vec![$($($relation,)*)?]);)?
                    $(let form = <$own as Written>::form();)?
                    Key { form, ..$crate::model::form::key!([$($what)+] [] $word, bool, false, [$(. $($of)*)?]) }
                },)*])
            }
        }
    };
}
pub(in crate::model) use choice;
