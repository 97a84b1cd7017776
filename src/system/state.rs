//! The only memory of a simulation.

/// Time, positions, velocities, accelerations, multipliers, sliding coordinates, inputs, books.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time of this state, s.
    pub time: f64,
    /// Values of the inputs, in the order of [`crate::model::Checked::inputs`].
    pub inputs: Vec<f64>,
}
