//! Files of the PEER ground motion databases (`.AT2`, `.VT2`, `.DT2`).
//!
//! Four lines of header, then the values, several in a line. The third line states the unit
//! (`ACCELERATION TIME SERIES IN UNITS OF G`, in older files with filters behind it: `G. FILTER POINTS: …`), the fourth states the number of values and the step, in the
//! present way (`NPTS=   4000, DT=   .0050 SEC`) or the former (`4000    0.0050    NPTS, DT`).

use super::{Given, KINDS, Kind, Raw, complete, count, every, finite, numbers};
use crate::columns::Unit;
use crate::message::excerpt;
use crate::quantity::Quantity;

/// Lines in which the header must end.
const LONGEST_HEADER: usize = 10;

/// Whether a text is such a file, whatever its name.
pub fn is(text: &str) -> bool {
    let mut lines = text.lines().take(LONGEST_HEADER).map(str::to_uppercase);
    lines.any(|line| line.contains("NPTS") && line.contains("DT"))
}

pub fn read(text: &str, given: &Given) -> Result<Raw, String> {
    let mut unit = None;
    let mut title = String::new();
    let mut header = None;
    let mut lines = text.lines().enumerate();
    for (i, line) in lines.by_ref().take(LONGEST_HEADER) {
        let upper = line.to_uppercase();
        if let Some(at) = upper.find("UNITS OF") {
            let word = upper[at + "UNITS OF".len()..].trim();
            let word = word.split([',', ' ', ';', '(']).next().unwrap_or("");
            unit = Given::unit(word).ok();
            if unit.is_none() && given.unit.is_none() {
                return Err(format!(
                    "line {}: unit `{}` is not known; allowed: {}",
                    i + 1,
                    excerpt(word),
                    super::units()
                ));
            }
            // What the user states wins, also where the header contradicts itself.
            let named = |kind: &Kind| upper[..at].contains(&kind.name().to_uppercase());
            let mut said = KINDS.into_iter().filter(named).peekable();
            let measured = unit.as_ref().and_then(Kind::of);
            if let (Some(&first), Some(measured), None) = (said.peek(), measured, &given.unit)
                && said.all(|kind| kind != measured)
            {
                return Err(format!(
                    "line {}: a {} in {}, a unit of {}; one of them is wrong: add `unit`, the unit of the numbers, which decides what they are: {}",
                    i + 1,
                    first.name(),
                    excerpt(word),
                    measured.name(),
                    super::units()
                ));
            }
        } else if upper.contains("NPTS") {
            header = Some(counts(&upper).ok_or_else(|| {
                format!(
                    "line {} is `{}`; expected NPTS=  count, DT=  step SEC",
                    i + 1,
                    excerpt(line)
                )
            })?);
            break;
        } else if i == 1 {
            title = line.trim().to_string();
        }
    }
    let Some((count, step)) = header else {
        return Err(format!(
            "has no line with NPTS and DT among its first {LONGEST_HEADER}, as a PEER record has; if it contains columns of numbers, give it another ending, as .txt"
        ));
    };
    let values = numbers(lines)?;
    complete(&values, count, "")?;
    Ok(Raw {
        format: "PEER",
        title,
        unit,
        time_unit: Unit::named("s"),
        times: every(step, count),
        values,
    })
}

/// NPTS and DT (s, above 0) of a header line in capitals.
fn counts(line: &str) -> Option<(usize, f64)> {
    let after = |key: &str| {
        let rest = &line[line.find(key)? + key.len()..];
        let rest = rest.trim_start_matches([' ', '=']);
        rest.split([' ', ',', '\t']).next().and_then(finite)
    };
    let words: Vec<&str> = line.split([' ', ',', '\t']).collect();
    let mut leading = words.iter().filter(|w| !w.is_empty()).map(|w| finite(w));
    let (count, step) = match (after("NPTS"), after("DT")) {
        (Some(count), Some(step)) => (count, step),
        _ => (leading.next()??, leading.next()??),
    };
    // `DT=  .0050 SEC`; the former way ends with the names.
    let unit = (line.find("DT").and_then(|at| line[at..].split_whitespace().last()))
        .and_then(|word| Unit::named(word.trim_end_matches(',')))
        .filter(|unit| unit.measures(Quantity::Time));
    let step = step * unit.map_or(1.0, |unit| unit.factor);
    Some((self::count(count)?, step)).filter(|(_, step)| *step > 0.0)
}
