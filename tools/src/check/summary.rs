//! What a description says of its FMU, as far as the rest of a check needs it.

use crate::archive::Standard;

/// What the rest of a check needs to know of a description.
#[derive(Debug)]
pub struct Summary {
    pub standard: Standard,
    pub guid: String,
    pub generation_tool: String,
    /// Name of the library and whether it is for Model Exchange and for Co-Simulation.
    pub libraries: Vec<Offer>,
}

/// One kind of FMU that a description offers.
#[derive(Debug)]
pub struct Offer {
    pub identifier: String,
    pub co_simulation: bool,
}
