//! The date that a packed FMU carries, where one is wanted.

use anyhow::{Context, Result, bail};

/// What the standard asks for.
const FORM: &str = "YYYY-MM-DDThh:mm:ssZ";

/// The date given, or that of `SOURCE_DATE_EPOCH` (seconds since 1970, as reproducible builds set
/// it), or none: the same model then gives the same bytes on every day.
///
/// # Errors
/// When one of them is no date.
pub fn of_generation(given: Option<&str>) -> Result<Option<String>> {
    if let Some(date) = given {
        if !is_date(date) {
            bail!("--date: `{date}`; allowed: {FORM}, like 2024-02-29T12:00:00Z");
        }
        return Ok(Some(date.to_owned()));
    }
    let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") else {
        return Ok(None);
    };
    let seconds: u64 = (epoch.parse())
        .with_context(|| format!("SOURCE_DATE_EPOCH: `{epoch}`; allowed: seconds since 1970"))?;
    match civil(seconds) {
        Some(date) => Ok(Some(date)),
        None => bail!("SOURCE_DATE_EPOCH: {seconds} is after the year 9999"),
    }
}

/// Whether a text is a date and time of the Gregorian calendar in UTC, as the standard writes it.
pub fn is_date(text: &str) -> bool {
    let form = text.len() == FORM.len()
        && text
            .bytes()
            .zip(FORM.bytes())
            .all(|(seen, wanted)| match wanted {
                b'-' | b':' | b'T' | b'Z' => seen == wanted,
                _ => seen.is_ascii_digit(),
            });
    if !form {
        return false;
    }
    let number = |at: usize, digits: usize| text[at..at + digits].parse::<u64>().unwrap_or(0);
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2));
    (1..=12).contains(&month)
        && (1..=days_of(year, month)).contains(&day)
        && number(11, 2) < 24
        && number(14, 2) < 60
        && number(17, 2) < 60
}

/// Whether a text is a date and time as XML writes it: with a fraction of a second or without, in UTC, at
/// an offset or in no time zone.
pub fn is_date_of_xml(text: &str) -> bool {
    let Some((seconds, rest)) = text.split_at_checked(FORM.len() - 1) else {
        return false;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let at = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(at);
    let fraction = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(digits);
    let zone = match zone.strip_prefix(['+', '-']) {
        Some(offset) => {
            let (hours, minutes) = offset.split_once(':').unwrap_or_default();
            let below = |text: &str, most: u8| {
                text.len() == 2 && digits(text) && text.parse::<u8>().is_ok_and(|n| n < most)
            };
            below(hours, 15) && below(minutes, 60)
        }
        None => matches!(zone, "" | "Z"),
    };
    is_date(&format!("{seconds}Z")) && fraction && zone
}

fn days_of(year: u64, month: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Seconds since 1970 as a date; `None` after the year 9999.
fn civil(seconds: u64) -> Option<String> {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut month) = (1970, 1);
    while days >= days_of(year, month) {
        days -= days_of(year, month);
        month += 1;
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
        if year > 9999 {
            return None;
        }
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    Some(format!(
        "{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z",
        days + 1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_the_dates_of_the_calendar() {
        // As `date -u -d @N` prints them.
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!(civil(seconds).as_deref(), Some(date));
            assert!(is_date(date));
        }
        assert_eq!(civil(u64::MAX), None);
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01 00:00:00Z",
            "2024-01-01T00:00:00",
            "",
        ] {
            assert!(!is_date(text), "{text}");
        }
        for text in [
            "2024-01-01T00:00:00",
            "2024-01-01T00:00:00+01:00",
            "2024-01-01T00:00:00.123Z",
            "2024-01-01T00:00:00.5-11:30",
        ] {
            assert!(!is_date(text) && is_date_of_xml(text), "{text}");
        }
        for text in [
            "2023-02-29T00:00:00",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+1:00",
            "2024-01-01T00:00:00ZZ",
            "2024-01-01",
            "2024-01-01T00:00:0ä",
        ] {
            assert!(!is_date_of_xml(text), "{text}");
        }
    }
}
