//! Contacts that can open.

use serde::Deserialize;

use crate::model::form::words;

/// Whether a slider may leave its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Contact {
    #[default]
    Bilateral,
    Unilateral,
}

words!(Contact);
