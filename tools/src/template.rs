//! Texts with gaps.

use quick_xml::escape::escape;

/// The template with each `{{NAME}}` filled in; what looks like a gap in a value stays as it is.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let gap = part.split_once("}}");
        let value = gap.and_then(|(name, _)| values.iter().find(|(n, _)| *n == name));
        debug_assert!(value.is_some(), "nothing for the gap {part}");
        text += value.map_or("", |(_, value)| value);
        text += gap.map_or(part, |(_, rest)| rest);
    }
    text
}

/// A self-contained page of a drawing, as SVG, and of words below it.
pub fn sheet(title: &str, drawing: &str, words: &str) -> String {
    let values = [("name", &*escape(title)), ("drawing", drawing), ("words", &*escape(words))];
    fill(include_str!("sheet.html"), &values)
}
