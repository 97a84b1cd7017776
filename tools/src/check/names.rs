//! Names of variables (FMI 2.0.5, section 2.2.9) and of C functions.

/// What is wrong with a name under the naming convention `flat`.
pub fn flat(name: &str) -> Option<String> {
    let broken = name.is_empty() || name.contains(['\r', '\n', '\t']);
    broken.then(|| "an empty name or a line break in it".to_owned())
}

/// What is wrong with a name under the naming convention `structured`.
pub fn structured(name: &str) -> Option<String> {
    let bare = match name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        // `der(x,2)` is the second derivative.
        Some(inner) => match inner.rsplit_once(',') {
            Some((inner, order)) if is_number(order) => inner,
            _ => inner,
        },
        None => name,
    };
    let mut rest = bare;
    loop {
        let Some(after) = part(rest).and_then(indices) else {
            return Some(format!(
                "no structured name; allowed: parts of letters, digits and _, or in single quotes, \
                 joined by points, like `axle.wheel[2].v` or `der(x)`{}",
                unread(bare, rest)
            ));
        };
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return None,
            None => {
                return Some(format!("no structured name{}", unread(bare, after)));
            }
        }
    }
}

fn unread(whole: &str, rest: &str) -> String {
    let good = whole.len() - rest.len();
    match rest.chars().next() {
        Some(c) => {
            format!("; not understood from character {} on, `{}`", good + 1, c.escape_debug())
        }
        None => "; it ends too early".to_owned(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// What follows the first part of a name.
fn part(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('\'') {
        let mut escaped = false;
        for (at, c) in quoted.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\'' => return (at > 0).then(|| &quoted[at + 1..]),
                _ => {}
            }
        }
        return None;
    }
    let first = text.chars().next()?;
    if !first.is_ascii_alphabetic() && first != '_' {
        return None;
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    Some(&text[end.unwrap_or(text.len())..])
}

/// What follows the indices, if there are any: `[1,2]`.
fn indices(text: &str) -> Option<&str> {
    let Some(inner) = text.strip_prefix('[') else {
        return Some(text);
    };
    let (list, rest) = inner.split_once(']')?;
    list.split(',').all(|i| is_number(i.trim())).then_some(rest)
}

/// Whether a text can be the beginning of the name of a C function, and of a file.
pub fn is_identifier(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_standard_are_names() {
        for name in [
            "vehicle.engine.speed",
            "resistor12.u",
            "v_min",
            "robot.axis.'motor #234'.inertia",
            "der(pipe[3,4].T[14],2)",
            "der(x)",
            "'a\\'b'",
            "_x[1].y",
        ] {
            assert_eq!(structured(name), None, "{name}");
        }
    }

    #[test]
    fn other_texts_are_not() {
        for name in [
            "", "a..b", "1a", "a b", "a.", ".a", "a[]", "a[x]", "a[1", "der(x", "'a", "''", "a-b",
            "ä",
        ] {
            assert!(structured(name).is_some(), "{name}");
        }
    }
}
