//! Random damage to a text: some of it as careless hands do it, some of it as no hand would.

/// The sequence of Knuth's MMIX: the same damage on every machine.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        chance.below(2);
        chance
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Values in place of numbers: none, extremes, huge counts, and what is no number.
const NUMBERS: [&str; 30] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "0.5",
    "1e-3",
    "100",
    "4096",
    "100000",
    "1e-50",
    "1e50",
    "-1e50",
    "1e-308",
    "-1e-300",
    "1e308",
    "-1e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "1e9",
    "1e15",
    "99999999999999999999",
    "9223372036854775807",
    "\"1/0\"",
    "\"-1e25\"",
    "true",
    "\"\"",
    "[]",
];

/// Characters that texts should not hold, or not there.
const STRANGE: [&str; 16] = [
    "\u{1b}[31m",
    "\u{0}",
    "\u{7}",
    "\\u001b[2J",
    "\\u0000",
    "\\n",
    "\u{202e}",
    "\u{feff}",
    "é",
    "日本",
    "𝔘",
    "\u{301}",
    "\"",
    "'",
    ".",
    "*",
];

/// `text` with one to three damages; `other` is a text to take pieces from.
pub fn damaged(text: &str, other: &str, chance: &mut Chance) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + chance.below(3) {
        text = match chance.below(16) {
            0 => text.chars().take(chance.below(text.len())).collect(),
            1 => bits(&text, chance),
            2 | 3 => lines(&text, other, chance),
            4 => sections(&text, other, chance),
            5 | 6 => tokens(&text, chance),
            7 => key(&text, chance),
            8 => strange(&text, chance),
            9 => list(&text, chance),
            _ => number(&text, chance),
        };
    }
    text
}

fn bits(text: &str, chance: &mut Chance) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..(1 + chance.below(4)).min(bytes.len()) {
        let at = chance.below(bytes.len());
        bytes[at] ^= 1 << chance.below(7);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One line deleted, doubled, put in place of another, or taken from elsewhere.
fn lines(text: &str, other: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return other.to_string();
    }
    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
    let foreign: Vec<&str> = other.lines().collect();
    match chance.below(4) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(b, lines[a]),
        2 if !foreign.is_empty() => lines.insert(b, foreign[chance.below(foreign.len())]),
        _ => lines.swap(a, b),
    }
    lines.join("\n")
}

/// One section dropped, doubled under its own or another name, or taken from elsewhere.
fn sections(text: &str, other: &str, chance: &mut Chance) -> String {
    let split = |text: &str| -> Vec<String> {
        let parts = text.split("\n[");
        let whole = |(i, part): (usize, &str)| match i {
            0 => part.to_string(),
            _ => format!("[{part}"),
        };
        parts.enumerate().map(whole).collect()
    };
    let mut parts = split(text);
    let foreign = split(other);
    let a = chance.below(parts.len());
    match chance.below(4) {
        0 => {
            parts.remove(a);
        }
        1 => {
            let again = parts[a].replacen(']', "_again]", 1);
            parts.push(again);
        }
        2 => parts.push(foreign[chance.below(foreign.len())].clone()),
        _ => {
            let b = chance.below(parts.len());
            parts.swap(a, b);
        }
    }
    parts.join("\n")
}

/// Places of the words, numbers included.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut begin = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (part(c), begin) {
            (true, None) => begin = Some(i),
            (false, Some(from)) => {
                found.push(from..i);
                begin = None;
            }
            _ => {}
        }
    }
    // What stands in comments changes nothing.
    let line = |at: usize| text[..at].rsplit('\n').next().unwrap_or("");
    found.retain(|range| !line(range.start).contains('#'));
    found
}

/// One word deleted, or put in place of another.
fn tokens(text: &str, chance: &mut Chance) -> String {
    let words = words(text);
    if words.is_empty() {
        return text.to_string();
    }
    let [a, b] = [0; 2].map(|_: usize| words[chance.below(words.len())].clone());
    let new = match chance.below(3) {
        0 => "",
        _ => &text[b],
    };
    format!("{}{new}{}", &text[..a.start], &text[a.end..])
}

/// A word with a slip of the pen, or one that goes on for long.
fn key(text: &str, chance: &mut Chance) -> String {
    let words = words(text);
    if words.is_empty() {
        return text.to_string();
    }
    let at = words[chance.below(words.len())].clone();
    let mut letters: Vec<char> = text[at.clone()].chars().collect();
    let i = chance.below(letters.len());
    match chance.below(5) {
        0 => {
            letters.remove(i);
        }
        1 => letters.insert(i, letters[i]),
        2 => letters.reverse(),
        3 => letters = letters.repeat(1 + chance.below(400)),
        _ => letters.push('_'),
    }
    let new: String = letters.into_iter().collect();
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

fn strange(text: &str, chance: &mut Chance) -> String {
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    if places.is_empty() {
        return text.to_string();
    }
    let at = places[chance.below(places.len())];
    format!("{}{}{}", &text[..at], chance.of(&STRANGE), &text[at..])
}

/// A list emptied, doubled, or made long.
fn list(text: &str, chance: &mut Chance) -> String {
    let begins: Vec<usize> = text.match_indices("= [").map(|(i, _)| i + 3).collect();
    if begins.is_empty() {
        return text.to_string();
    }
    let begin = begins[chance.below(begins.len())];
    let Some(length) = text[begin..].find(']') else {
        return text.to_string();
    };
    let inside = &text[begin..begin + length];
    let new = match chance.below(4) {
        0 => String::new(),
        1 => format!("{inside}, {inside}"),
        2 => format!("{inside}, ").repeat(1 + chance.below(300)),
        _ => format!("[{inside}]"),
    };
    format!("{}{new}{}", &text[..begin], &text[begin + length..])
}

/// A number replaced.
fn number(text: &str, chance: &mut Chance) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let starts: Vec<usize> = words(text)
        .into_iter()
        .filter(|range| text[range.start..].starts_with(|c: char| c.is_ascii_digit()))
        .filter(|range| !text[..range.start].ends_with('.'))
        .map(|range| range.start)
        .collect();
    if starts.is_empty() {
        return text.to_string();
    }
    let start = starts[chance.below(starts.len())];
    let rest = &text[start..];
    let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if let Some(exponent) = rest[length..].strip_prefix('e') {
        let digits = exponent.trim_start_matches('-');
        length += 1 + exponent.len() - digits.len();
        length += digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    }
    format!("{}{}{}", &text[..start], chance.of(&NUMBERS), &rest[length..])
}
