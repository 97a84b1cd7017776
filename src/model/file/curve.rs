//! The curve of a member, as written.

use serde::Deserialize;

use crate::model::de::Scalar;

/// An arc from the member's `from` to its `to`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arc {
    Through([Scalar; 2]),
    Angle(Scalar),
    Radius(Scalar),
}
