//! Bundled models with random damage: whatever comes of one, it is words or finite numbers.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::life::{self, Life};

/// Damaged copies of each bundled model.
const COPIES: u64 = 600;
/// The test ends when this is used up.
const BUDGET: Duration = Duration::from_secs(20);

/// Values that are put in place of numbers.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "2",
    "0.5",
    "1e-308",
    "-1e-300",
    "1e308",
    "-1e308",
    "nan",
    "inf",
    "-inf",
    "99999999999999999999",
    "9223372036854775807",
    "\"1/0\"",
    "1e9",
];

/// The sequence of Knuth's MMIX: the same damage on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

#[test]
fn a_damaged_model_never_panics_and_never_gives_a_number_that_is_none() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/models");
    let began = Instant::now();
    let (mut lived, mut refused) = (0, 0);
    let models = super::models_in(&folder);
    // Round by round, so that a slow machine still sees every model.
    'rounds: for round in 0..COPIES {
        for (id, file) in models.iter().enumerate() {
            if began.elapsed() > BUDGET {
                break 'rounds;
            }
            let text = std::fs::read_to_string(file).expect("bundled");
            let mut chance = Chance(1 + round * 1000 + id as u64);
            let damaged = damage(&text, &mut chance);
            let what = || format!("{} damaged in round {round}", file.display());
            match life::of(|| life::parse(&damaged)) {
                Life::Panicked(panic) => panic!("{}: {panic}\n{damaged}", what()),
                Life::Refused(message) => {
                    refused += 1;
                    assert!(!message.trim().is_empty(), "{}", what());
                    assert!(!message.contains("of NaN"), "{}: {message}", what());
                }
                Life::Lived(outputs) => {
                    lived += 1;
                    for (path, value) in outputs {
                        assert!(value.is_finite(), "{}: {path} = {value}\n{damaged}", what());
                    }
                }
            }
        }
    }
    // Damage that is always fatal, or never, would test nothing.
    assert!(
        lived > 20 && refused > 20,
        "{lived} lived, {refused} were refused"
    );
}

fn damage(text: &str, chance: &mut Chance) -> String {
    match chance.below(10) {
        0 => text.chars().take(chance.below(text.len())).collect(),
        1 => {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + chance.below(4) {
                let at = chance.below(bytes.len());
                bytes[at] ^= 1 << chance.below(7);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        2 | 3 => lines(text, chance),
        _ => {
            let mut text = text.to_string();
            for _ in 0..1 + chance.below(2) {
                text = replace_number(&text, chance);
            }
            text
        }
    }
}

/// One line deleted, doubled, or put in place of another.
fn lines(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
    match chance.below(3) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(b, lines[a]),
        _ => lines.swap(a, b),
    }
    lines.join("\n")
}

fn replace_number(text: &str, chance: &mut Chance) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|&(i, c)| {
            let before = text[..i].chars().next_back();
            c.is_ascii_digit() && before.is_none_or(|b| !b.is_alphanumeric() && b != '.')
        })
        .filter(|&(i, _)| !text[..i].rsplit('\n').next().unwrap_or("").contains('#'))
        .map(|(i, _)| i)
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
        length += digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
    }
    let new = NUMBERS[chance.below(NUMBERS.len())];
    format!("{}{new}{}", &text[..start], &rest[length..])
}
