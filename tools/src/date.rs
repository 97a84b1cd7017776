//! The date that a packed FMU carries, where one is wanted.

use anyhow::{Context, Result, bail};
use jiff::Timestamp;

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
    let date: Result<Timestamp, _> = text.parse();
    // Other ways to write the same instant, and a second 60, come back in another form.
    date.is_ok_and(|date| text.len() == FORM.len() && date.to_string() == text)
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

/// Seconds since 1970 as a date; `None` after the year 9999.
fn civil(seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    Some(Timestamp::from_second(seconds).ok()?.to_string())
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
