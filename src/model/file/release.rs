//! When an imposed motion ends, as written.

use serde::Deserialize;

use crate::model::de::{Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    Time(Scalar),
    Position { joint: Name, at: Scalar },
}
