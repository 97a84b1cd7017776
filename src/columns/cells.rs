//! Lines of text cut into cells, and numbers in these.

use super::unit::Unit;
use super::{Wrong, wrong};
use crate::message::excerpt;

/// Most words of headings between blanks.
const MAX_WORDS: usize = 1000;

/// Brackets around units.
pub const OPENING: [char; 4] = ['(', '[', '{', '<'];
pub const CLOSING: [char; 4] = [')', ']', '}', '>'];

/// What stands between two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Separator {
    Semicolon,
    Tab,
    Comma,
    Blank,
}

pub const SEPARATORS: [char; 4] = [';', '\t', ',', ' '];

/// What separates the columns of a line of numbers.
pub fn separator(line: &str) -> Separator {
    let has = |c: char| line.contains(c);
    match () {
        () if has(';') => Separator::Semicolon,
        () if has('\t') => Separator::Tab,
        () if has(',') => Separator::Comma,
        () => Separator::Blank,
    }
}

impl Separator {
    /// Its sign; none of blanks.
    pub fn sign(self) -> Option<char> {
        match self {
            Separator::Blank => None,
            Separator::Semicolon => Some(';'),
            Separator::Tab => Some('\t'),
            Separator::Comma => Some(','),
        }
    }

    /// The cells of a line; a separator between quotation marks is none.
    pub fn split(self, line: &str) -> Vec<&str> {
        let Some(sign) = self.sign() else {
            return line.split_whitespace().collect();
        };
        let mut quoted = false;
        let cells = line.split(move |c| {
            quoted ^= c == '"';
            c == sign && !quoted
        });
        cells.map(|cell| cell.trim().trim_matches('"').trim()).collect()
    }

    /// The headings of a line, above `width` columns. Between blanks, wide ones separate where narrow ones do not, and a unit in
    /// brackets belongs to the name before it.
    pub fn headings(self, line: &str, width: usize) -> Vec<String> {
        let owned = |cells: Vec<&str>| cells.into_iter().map(String::from).collect::<Vec<_>>();
        if self != Separator::Blank {
            return owned(self.split(line));
        }
        let wide = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        let wide = owned(wide.collect());
        if wide.len() == width {
            return wide;
        }
        let mut cells: Vec<String> = Vec::new();
        // Brackets that nobody closes make one cell of all that follows.
        for word in line.split_whitespace().take(MAX_WORDS) {
            let open = |cell: &String| {
                cell.matches(OPENING).count() > cell.matches(CLOSING).count()
                    || cell.ends_with(" /")
            };
            match cells.last_mut() {
                Some(last) if word.starts_with(OPENING) || word == "/" || open(last) => {
                    *last += " ";
                    *last += word;
                }
                _ => cells.push(word.to_string()),
            }
        }
        match cells.iter().filter(|cell| !cell.ends_with(',')).count() == cells.len() {
            true => cells,
            false => owned(Separator::Comma.split(line)),
        }
    }
}

/// The lines of a text without their ends, whatever these are, without blanks around them and without a byte order mark.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    // Macintosh before 2001.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).map(str::trim)
}

/// The number in `text`, also in the way Fortran writes it (`1.5D-03`).
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let plain = text.replacen(['D', 'd'], "E", 1);
        let sound = plain.ends_with(|c: char| c.is_ascii_digit());
        plain.parse().ok().filter(|_| sound)
    })
}

/// Whether something is a number, be it with a decimal comma.
pub fn is_number(cell: Option<&str>) -> bool {
    let digits = |cell: &str| cell.bytes().any(|b| b.is_ascii_digit());
    cell.map(|cell| cell.trim_matches('"')).is_some_and(|cell| {
        number(&cell.replace(',', ".")).is_some_and(|v| v.is_finite() || digits(cell))
            || matches!(cell.to_lowercase().trim_start_matches(['-', '+']), "nan" | "inf")
    })
}

/// Whether something begins as a number does and has nothing but a unit behind it: `10 mm`, `0.1+02`.
pub fn is_spoilt_number(cell: &str) -> bool {
    let marks = |c: char| c.is_ascii_digit() || ['+', '-', '.', ','].contains(&c);
    let rest = cell.trim_start_matches(marks);
    let number = &cell[..cell.len() - rest.len()];
    let digits = number.bytes().any(|b| b.is_ascii_digit());
    digits && (rest.is_empty() || Unit::named(rest).is_some())
}

/// Whether something is a date or a time of day: `2020-01-31 08:15:00.5`, `31.01.2020`, `8:15`.
pub fn is_date(cell: &str) -> bool {
    let marks = |c: char| matches!(c, ':' | '-' | '/' | '.');
    let numbers = cell.split(|c: char| marks(c) || c == ' ' || c == 'T');
    let all = { numbers }.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    all && (cell.contains(':') || cell.matches(marks).count() == 2)
}

/// Whether the commas of a line are decimal ones: `0,5 1,25`, or `0,05` with a zero that no number begins with.
pub fn has_decimal_commas(line: &str, cells: &[&str]) -> bool {
    let zero = |cell: &&str| {
        let digits = cell.trim_start_matches(['-', '+']);
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let mut words = line.split_whitespace();
    let between = |word: &str| {
        let (a, b) = word.split_once(',').unwrap_or_default();
        let digit = |c: char| c.is_ascii_digit();
        a.ends_with(digit) && b.starts_with(digit) && !b.contains(',')
    };
    cells.iter().any(zero) || line.contains([' ', '\t']) && words.all(between)
}

/// What to say where there are twice as many numbers as there should be.
pub fn about_commas(a: usize, b: usize) -> &'static str {
    if a == 2 * b || b == 2 * a { "; if commas are decimal ones, write decimal points" } else { "" }
}

pub fn decimal_comma<T>(line: usize, text: &str) -> Result<T, Wrong> {
    let shown = excerpt(text);
    wrong(line, format!("`{shown}` has a decimal comma; allowed: numbers with a decimal point"))
}
