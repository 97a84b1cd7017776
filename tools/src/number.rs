//! Numbers as tables, drawings and messages show them.

/// A number with six digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.5e}");
    }
    let digits = if size >= 1.0 {
        // The integer part has one digit more than its logarithm says.
        5 - size.log10().floor() as usize
    } else {
        6
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
