//! Numbers as tables, drawings and messages show them.

/// A number with six digits.
pub fn short(value: f64) -> String {
    coulisse::message::rounded(value, 6)
}
