//! A record of ground motion, as written.

use serde::Deserialize;

use crate::model::de::{DataFile, Name, Scalar};
use crate::records::Baseline;

#[derive(Debug, Clone, Deserialize)]
pub struct Record {
    pub file: DataFile,
    /// Unit of the values, whatever the file states.
    pub unit: Option<Name>,
    /// Unit of the times, likewise.
    pub time_unit: Option<Name>,
    /// Time from value to value, of a file with one column.
    pub step: Option<Scalar>,
    pub scale: Option<Scalar>,
    /// When the record begins.
    pub start: Option<Scalar>,
    #[serde(default)]
    pub baseline: Baseline,
}
