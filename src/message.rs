//! Names, texts and numbers as messages show them: short, in one line, in the form that a person
//! would write, and without anything that a terminal would obey.

/// Longest piece of a text of the file that a message shows, characters.
const LONGEST: usize = 60;

/// A text of the file, shortened to one line for a message.
pub fn excerpt(text: &str) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or("").trim_end();
    let short: String = line.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    printable(&short) + dots
}

/// A message with its control characters escaped and its endless words cut: names come from a file
/// that anybody may have written.
pub fn shown(message: &str) -> String {
    let mut cut = String::with_capacity(message.len());
    for (i, word) in message.split(' ').enumerate() {
        if i > 0 {
            cut.push(' ');
        }
        match word.char_indices().nth(2 * LONGEST) {
            // The end tells which of many names it is.
            Some(_) => {
                let end = word.char_indices().rev().nth(LONGEST / 2).map_or(0, |(i, _)| i);
                let begin = word.chars().take(LONGEST);
                cut.extend(begin.chain(['…']).chain(word[end..].chars()));
            }
            None => cut += word,
        }
    }
    printable(&cut)
}

/// The text with what is no visible character written as an escape, like `\u{1b}`.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns_text(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character changes the direction of the text behind it, or cannot be seen.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A number for a message with all its digits, with a power of ten where it is very large or small.
pub fn figure(value: f64) -> String {
    if value != 0.0 && value.is_finite() && !(1e-4..1e7).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        // −0 is 0 for whoever reads it.
        format!("{}", value + 0.0)
    }
}

/// A computed number for a message, rounded to so many significant digits.
pub fn rounded(value: f64, digits: usize) -> String {
    let rounded = format!("{value:.*e}", digits.saturating_sub(1)).parse();
    figure(rounded.unwrap_or(value))
}

/// What to write in place of an angle `value` (rad) that may be in degrees.
pub fn in_degrees(value: f64) -> String {
    format!("if that is in degrees, write \"deg({})\"", figure(value))
}

/// Longer words get no suggestion: comparing takes time that grows with the square.
const LONGEST_COMPARED: usize = 200;

/// Words that textbooks and other programs have for keys of the model file.
const OTHER_WORDS: [(&str, &str); 45] = [
    ("E", "young_modulus"),
    ("youngs_modulus", "young_modulus"),
    ("elastic_modulus", "young_modulus"),
    ("G", "shear_modulus"),
    ("nu", "poisson_ratio"),
    ("rho", "density"),
    ("A", "area"),
    ("I", "second_moment"),
    ("h", "height"),
    ("b", "width"),
    ("d", "diameter"),
    ("t", "times"),
    ("t", "thickness"),
    ("f", "values"),
    ("f", "frequency"),
    ("mu", "coefficient"),
    ("mu_s", "static_coefficient"),
    ("mu_k", "kinetic_coefficient"),
    ("kinetic_coefficient", "coefficient"),
    ("damping_ratio", "ratios"),
    ("zeta", "ratios"),
    ("xi", "ratios"),
    ("k", "stiffness"),
    ("c", "damping"),
    ("m", "mass"),
    ("J", "rotary_inertia"),
    ("u", "displacement"),
    ("v", "velocity"),
    ("a", "acceleration"),
    ("omega", "rate"),
    ("dt", "step"),
    ("end_time", "stop_time"),
    ("play", "clearance"),
    ("cylinder", "cylindrical"),
    ("rpm", "rate"),
    ("speed", "rate"),
    ("revolute", "hinge"),
    ("revolute", "pin"),
    ("translational", "prismatic"),
    ("torque", "moment"),
    ("torque", "reaction"),
    ("force", "reaction"),
    ("reaction", "force"),
    ("angle", "rotation"),
    ("rotation", "angle"),
];

/// The candidate that `word` was probably meant to be: another word for it, as `points.bob.rotation` for `points.bob.angle`, the only one that
/// has something in front of it, as `parameters.P` for `P`, one with nearly the same letters, at least one of which it shares, or the only one
/// of which it is the first or the last part, as `static` of `static_coefficient`.
pub fn suggestion<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    if letters > LONGEST_COMPARED {
        return None;
    }
    let candidates: Vec<&str> = candidates.collect();
    let (before, last) = word.rsplit_once('.').unwrap_or(("", word));
    let others = OTHER_WORDS.iter().filter(|(other, _)| *other == last);
    let of_key = |candidate: &&&str, key: &str| match candidate.rsplit_once('.') {
        Some((path, own)) => path == before && own == key,
        None => before.is_empty() && **candidate == key,
    };
    let mut meant = others.filter_map(|(_, key)| candidates.iter().find(|c| of_key(c, key)));
    if let Some(key) = meant.next() {
        return Some(key);
    }
    let longer = |c: &&&str| c.strip_suffix(word).is_some_and(|before| before.ends_with('.'));
    let mut longer = candidates.iter().filter(longer);
    if let (Some(only), None) = (longer.next(), longer.next()) {
        return Some(only);
    }
    let near = candidates
        .iter()
        .copied()
        .filter(|c| c.len() <= LONGEST_COMPARED)
        .map(|c| (strsim::damerau_levenshtein(word, c), c))
        .filter(|(distance, c)| {
            let shorter = letters.min(c.chars().count());
            *distance <= 1 + shorter / 4 && *distance < shorter
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c);
    let begins = |c: &str| c.strip_prefix(word).is_some_and(|rest| rest.starts_with('_'));
    let ends = |c: &str| c.strip_suffix(word).is_some_and(|rest| rest.ends_with('_'));
    let mut of_part = candidates.iter().copied().filter(|c| begins(c) || ends(c));
    let of_part = of_part.next().filter(|_| of_part.next().is_none());
    near.or(of_part).or_else(|| of_last_word(word, &candidates))
}

/// The path whose last word has nearly the same letters as a `word` without a path, at least two of which it shares, as `parameters.mus` for `mu`.
fn of_last_word<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let last = |path: &&'a str| Some((path.rsplit_once('.')?.1, *path));
    let paths = candidates.iter().filter(|_| !word.contains('.')).filter_map(last);
    let near = paths.filter_map(|(last, path)| {
        let shorter = word.chars().count().min(last.chars().count());
        let distance = strsim::damerau_levenshtein(word, last);
        (distance <= 1 + shorter / 4 && distance + 1 < shorter.max(3)).then_some((distance, path))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, path)| path)
}

/// "; did you mean `x`?" where there is a good candidate.
pub fn did_you_mean<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    suggestion(word, candidates).map_or(String::new(), |c| format!("; did you mean `{c}`?"))
}

/// `a`, `b`, `c` — or a word when there is nothing.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|n| format!("`{n}`")).collect();
    match names.len() {
        0 => "none".to_string(),
        n if n > 12 => format!("{}, … ({n} in all)", names[..12].join(", ")),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_a_person_would_write_them() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1e-6, "1e-6"),
            (0.001, "0.001"),
            (-2.5, "-2.5"),
            (100000.0, "100000"),
            (2.1e11, "2.1e11"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(figure(value), text);
        }
        assert_eq!(rounded(0.0, 4), "0");
        assert_eq!(rounded(1.23456e-5, 4), "1.235e-5");
        assert_eq!(rounded(1.0 / 3.0, 3), "0.333");
        assert_eq!(rounded(99.9999, 4), "100");
        assert_eq!(rounded(f64::NAN, 4), "NaN");
    }

    #[test]
    fn a_word_of_a_key_is_the_key_where_it_is_the_only_one() {
        let keys = ["static_coefficient", "kinetic_coefficient", "decay_velocity"];
        for (word, meant) in [("static", Some(keys[0])), ("velocity", Some(keys[2]))] {
            assert_eq!(suggestion(word, keys.into_iter()), meant, "{word}");
        }
        assert_eq!(suggestion("coefficient", keys.into_iter()), None);
    }

    #[test]
    fn a_word_without_a_path_is_the_last_word_of_one() {
        let paths = ["parameters.rpm", "parameters.mus", "parameters.muk", "motions.drive.rate"];
        for (word, meant) in [("mu", Some(paths[1])), ("rat", Some(paths[3])), ("k", None)] {
            assert_eq!(suggestion(word, paths.into_iter()), meant, "{word}");
        }
        assert_eq!(suggestion("loads.mu", paths.into_iter()), None);
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        assert_eq!(shown("a\u{1b}[2Jb\n\u{202e}"), "a\\u{1b}[2Jb\\n\\u{202e}");
        assert_eq!(excerpt(" x\u{7}y \nz"), "x\\u{7}y…");
        assert_eq!(shown("größer als 3 µm"), "größer als 3 µm");
    }

    #[test]
    fn endless_names_are_cut_in_their_middle() {
        let name = format!("points.{}.x is no output", "long".repeat(1000));
        let short = shown(&name);
        assert!(short.chars().count() < 130, "{short}");
        assert!(short.starts_with("points.long") && short.ends_with("long.x is no output"));
    }
}
