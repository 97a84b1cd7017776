//! Numbers as tables, drawings and messages show them, and as the command line gives them.

/// A number with six digits.
pub fn short(value: f64) -> String {
    coulisse::message::rounded(value, 6)
}

/// A whole number of the command line.
///
/// # Errors
/// For every other text.
pub fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no whole number from 0 on"))
}
