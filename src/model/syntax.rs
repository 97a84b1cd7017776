//! What to say of a text that is not TOML, once for each cause and where it is.
//!
//! A quotation mark or a bracket that is missing lets the TOML reader misunderstand all that follows. So the quotation
//! marks and brackets are counted here, and what the reader says of lines behind a missing one is left out.

use std::ops::Range;

use toml::de::Error;

use super::fault::{Fault, Kind, MOST};
use crate::message::excerpt;

/// A text or a bracket that is opened and never closed.
struct Unclosed {
    span: Range<usize>,
    message: String,
    /// From this byte on what the reader says may follow from it.
    believed: usize,
}

/// The faults of a text that is not TOML, one for each line at the most.
pub fn faults(file: &str, text: &str, errors: &[Error]) -> Vec<Fault> {
    let mut unclosed = unclosed(text);
    let breaks: Vec<usize> = text.match_indices('\n').map(|(i, _)| i).collect();
    let line_of = |byte: usize| breaks.partition_point(|&b| b < byte);
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut doubled_section = false;
    let ended = unclosed.iter().map(|u| u.believed).min();
    let span = |error: &Error| error.span().unwrap_or(text.len()..text.len());
    let mut errors: Vec<(Range<usize>, &Error)> = errors.iter().map(|e| (span(e), e)).collect();
    errors.sort_by_key(|(span, _)| span.start);
    for (span, error) in errors {
        let line = line_of(span.start);
        let reported = found.last().is_some_and(|(last, _)| line_of(last.start) == line);
        if found.len() >= MOST {
            break;
        }
        if reported || ended.is_some_and(|end| span.start >= end) {
            continue;
        }
        // A section that is there twice has all its keys twice.
        if error.message().starts_with("duplicate key") {
            let in_header = line_at(text, span.start).trim_start().starts_with('[');
            if doubled_section && !in_header {
                continue;
            }
            doubled_section = in_header;
        }
        let here = unclosed.iter_mut().find(|u| line_of(u.span.start) == line);
        match here {
            // The reader may see first where the text should have begun.
            Some(mark) if mark.message.contains("quotation mark") => {
                mark.span.start = mark.span.start.min(span.start);
            }
            Some(_) => {}
            None => found.push((span.clone(), message(error.message(), text, &span))),
        }
    }
    found.extend(unclosed.into_iter().map(|u| (u.span, u.message)));
    let fault = |(span, message): (Range<usize>, String)| {
        // Behind the end there is no line to show.
        let at = span.start.min(text.trim_end().len().saturating_sub(1));
        let at = at..span.end.max(at + 1);
        Fault::at(file, text, &at, message, Kind::Syntax)
    };
    let mut faults: Vec<Fault> = found.into_iter().map(fault).collect();
    faults.sort();
    faults.truncate(MOST);
    faults
}

/// The line around a byte.
fn line_at(text: &str, byte: usize) -> &str {
    let before = text.get(..byte).unwrap_or(text);
    let begin = before.rfind('\n').map_or(0, |i| i + 1);
    text[begin..].lines().next().unwrap_or("")
}

/// Texts and brackets that are not closed; those behind a bracket are not looked for.
fn unclosed(text: &str) -> Vec<Unclosed> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // `last` is the last byte of anything but blanks and comments.
    let (mut i, mut begins_line, mut last) = (0, true, b'\n');
    while i < bytes.len() {
        if begins_line && !open.is_empty() && begins_statement(text, i, &open, last) {
            break;
        }
        begins_line &= bytes[i].is_ascii_whitespace();
        if !bytes[i].is_ascii_whitespace() && bytes[i] != b'#' {
            last = bytes[i];
        }
        match bytes[i] {
            b'\n' => begins_line = true,
            b'#' => {
                i += text[i..].find('\n').unwrap_or(text.len() - i);
                continue;
            }
            b'[' | b'{' => open.push(i),
            b']' | b'}' => drop(open.pop()),
            mark @ (b'"' | b'\'') => match end_of_text(text, i, mark) {
                Ok(end) => {
                    i = end;
                    continue;
                }
                Err(end) => {
                    let several =
                        text[i..].starts_with(["\"\"\"", "'''"][usize::from(mark == b'\'')]);
                    let ends_all = several || !open.is_empty() || found.len() + 1 >= MOST;
                    found.push(not_closed(i..end, mark, several, ends_all));
                    if ends_all {
                        return found;
                    }
                    i = end;
                    continue;
                }
            },
            _ => {}
        }
        i += 1;
    }
    found.extend(open.first().map(|&first| {
        let (closing, what) = match bytes[first] {
            b'[' if line_at(text, first).trim_start().starts_with('[') => (']', "the heading"),
            b'[' => (']', "the list"),
            _ => ('}', "the table"),
        };
        Unclosed {
            span: first..first + 1,
            message: format!(
                "not TOML: {what} that begins here is never closed; write its `{closing}`"
            ),
            believed: first,
        }
    }));
    found
}

fn not_closed(span: Range<usize>, mark: u8, several: bool, ends_all: bool) -> Unclosed {
    let mark = char::from(mark);
    Unclosed {
        believed: if ends_all { span.end } else { usize::MAX },
        message: match several {
            true => format!(
                "not TOML: the text that begins here is never closed; write `{mark}{mark}{mark}` at its end"
            ),
            false => format!(
                "not TOML: a quotation mark is missing; write `{mark}` before and behind each text, in the same line"
            ),
        },
        span: if several { span.start..span.start + 3 } else { span },
    }
}

/// Behind the end of the text that begins with `mark` at `start`; where it has none, the end of its line, or of all.
fn end_of_text(text: &str, start: usize, mark: u8) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let three = [mark; 3];
    let several = bytes[start..].starts_with(&three);
    let mut i = start + if several { 3 } else { 1 };
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if mark == b'"' => i += 1,
            b'\n' if !several => return Err(i),
            _ if several && bytes[i..].starts_with(&three) => {
                i += 3;
                // Up to two more belong to the text.
                while bytes.get(i) == Some(&mark) {
                    i += 1;
                }
                return Ok(i);
            }
            byte if !several && byte == mark => return Ok(i + 1),
            _ => {}
        }
        i += 1;
    }
    Err(bytes.len())
}

/// Whether a line that stands within brackets would rather begin something new: `key = …` in a list or without a comma
/// before it, or `[section]`.
fn begins_statement(text: &str, line: usize, open: &[usize], last: u8) -> bool {
    let rest = text[line..].lines().next().unwrap_or("");
    let code = rest.split('#').next().unwrap_or("").trim();
    let inside = code.trim_matches(['[', ']']);
    let heading = code.starts_with('[')
        && code.ends_with(']')
        && inside.starts_with(|c: char| c.is_ascii_alphabetic())
        && inside.chars().all(is_of_key)
        && !["true", "false", "inf", "nan"].contains(&inside);
    let assigns = (code.split_once('=')).is_some_and(|(key, _)| {
        let key = key.trim();
        !key.is_empty() && key.chars().all(is_of_key)
    });
    let in_list = open.last().is_some_and(|&o| text.as_bytes()[o] == b'[');
    let goes_on = [b',', b'{'].contains(&last);
    heading || assigns && (in_list || !goes_on)
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'')
}

/// What the TOML reader found at `span`, in the words of someone who writes models.
fn message(found: &str, text: &str, span: &Range<usize>) -> String {
    let found = found.replace('\n', ", ");
    let seen = excerpt(text.get(span.clone()).unwrap_or(""));
    let before = text.get(..span.start).unwrap_or("");
    let rest = text.get(span.start..).unwrap_or("");
    let line = line_at(text, span.start).trim();
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let after_comma = rest.strip_prefix(',').unwrap_or(rest);
    let decimals = before.trim_end_matches(',');
    if found.starts_with("duplicate key") {
        let cure = if line.starts_with("[[") {
            "entries have names, as in [supports.left]"
        } else if line.starts_with('[') && line.contains('.') {
            "write all its keys below one heading, or give it another name"
        } else if line.starts_with('[') {
            "write all its keys below one heading"
        } else {
            "give it once"
        };
        return format!("not TOML: `{seen}` is there twice; {cure}");
    }
    if (rest.starts_with(',') || before.ends_with(','))
        && digit(after_comma.chars().next())
        && digit(decimals.chars().next_back())
    {
        return "not TOML: a comma inside a number; decimals are written with a point".to_string();
    }
    if found.starts_with("string values must be quoted") {
        return if seen.is_empty() {
            "not TOML: a value is missing; write one behind the `=`".to_string()
        } else {
            format!(
                "not TOML: `{seen}` is no value; numbers are written like 0.1 or 1e-3, texts and \
                 expressions stand in quotes, entries of a list are separated by commas"
            )
        };
    }
    if found.starts_with("key with no value") {
        let key = line.split([' ', ':', '=', ']', '#']).next().unwrap_or("");
        if key.is_empty() || !key.chars().all(is_of_key) {
            return "not TOML: neither a key with its value nor a heading; write key = value, [section], or a # before comments".to_string();
        }
        let key = excerpt(key);
        return match line.ends_with(']') {
            true => format!(
                "not TOML: the key `{key}` has no value; a heading begins with a bracket: [{key}]"
            ),
            false => format!("not TOML: the key `{key}` has no value; write {key} = and a value"),
        };
    }
    if found.starts_with("unexpected key or value, expected newline") {
        return "not TOML: more follows behind the value; write each key in a line of its own, a list as [a, b], a table as { key = value }".to_string();
    }
    if found.starts_with("invalid boolean") {
        return "not TOML: this is no true or false; these are written in small letters"
            .to_string();
    }
    if found.starts_with("invalid mantissa") || found.starts_with("invalid fraction") {
        return "not TOML: a number lacks digits before or behind its point; write 0.5 or 2.0"
            .to_string();
    }
    if found.starts_with("unexpected leading zero") {
        return "not TOML: a number begins with 0; leave the leading zeros out".to_string();
    }
    if found.starts_with("invalid float")
        || found.starts_with("invalid integer")
        || found.starts_with("invalid decimal")
    {
        let value = line.split_once('=').map_or(line, |(_, value)| value.trim());
        return match value.strip_suffix(';') {
            Some(value) => {
                format!("not TOML: a value does not end with `;`; write {}", excerpt(value))
            }
            None => format!(
                "not TOML: `{}` is no number; write it like 0.1 or 1e-3, without a unit",
                excerpt(value)
            ),
        };
    }
    if found.starts_with("missing comma between") {
        return "not TOML: a comma is missing before this; separate the entries of lists and tables by commas".to_string();
    }
    if found.starts_with("invalid unquoted key") {
        return "not TOML: a key has a character that it cannot have; allowed: letters, digits, `_` and `-`, key = value in each line".to_string();
    }
    format!("not TOML: {found}")
}
