//! What a description says of its FMU, as far as the rest of a check needs it.

use std::collections::HashMap;

use crate::archive::Standard;

/// What the rest of a check needs to know of a description.
#[derive(Debug)]
pub struct Summary {
    pub standard: Standard,
    /// Whether it has no fault; else what other files say of its variables may follow from one.
    pub sound: bool,
    /// `fmiVersion` as written.
    pub version: String,
    pub guid: String,
    pub generation_tool: String,
    /// Name of the library for each use.
    pub libraries: Vec<Offer>,
    /// Causality of each variable by its name, and by its other names.
    pub variables: HashMap<String, String>,
}

/// How an FMU may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    CoSimulation,
    ModelExchange,
    ScheduledExecution,
}

/// One use that a description offers.
#[derive(Debug)]
pub struct Offer {
    pub identifier: String,
    pub kind: Use,
}
