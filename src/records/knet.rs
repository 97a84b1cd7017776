//! Files of the Japanese networks K-NET and KiK-net.
//!
//! 17 lines of header with names in the first 18 columns; the values are whole numbers, several in a line, that a scale factor
//! (`2000(gal)/8388608`) makes accelerations in gal. They begin anywhere: their mean is no acceleration.
//! (National Research Institute for Earth Science and Disaster Resilience, *K-NET ASCII format*.)

use super::{Given, Raw, every, finite, numbers};
use crate::columns::Unit;
use crate::message::excerpt;

const HEADER: usize = 17;

/// Columns of the names.
const NAMES: usize = 18;

/// Whether a text is such a file.
pub fn is(text: &str) -> bool {
    text.starts_with("Origin Time")
        && text.lines().take(HEADER).any(|line| line.starts_with("Scale Factor"))
}

pub fn read(text: &str, _: &Given) -> Result<Raw, String> {
    let header: Vec<&str> = text.lines().take(HEADER).collect();
    let entry = |name: &str| {
        let line = header.iter().position(|line| line.starts_with(name));
        let value = line.and_then(|i| Some((i, header[i].get(NAMES..)?.trim())));
        value.ok_or_else(|| format!("has no line `{name}` in its header; is it a K-NET record?"))
    };
    let number = |(i, text): (usize, &str), value: Option<f64>| {
        let sound = value.filter(|value| *value > 0.0 && value.is_finite());
        sound.ok_or_else(|| format!("line {}: `{}` is no number above 0", i + 1, excerpt(text)))
    };
    let rate = entry("Sampling Freq")?;
    let rate = number(rate, finite(rate.1.trim_end_matches(['H', 'z'])))?;
    let scale = entry("Scale Factor")?;
    let parts = scale.1.split_once("(gal)/").and_then(|(a, b)| Some(finite(a)? / finite(b)?));
    let scale = number(scale, parts)?;
    let values = numbers(text.lines().enumerate().skip(HEADER))?;
    let of = |name| entry(name).map_or("", |(_, text)| text);
    Ok(Raw {
        format: "K-NET",
        title: format!("{} {} {}", of("Station Code"), of("Origin Time"), of("Dir.")),
        unit: Unit::named("gal"),
        time_unit: Unit::named("s"),
        times: every(1.0 / rate, values.len()),
        values: values.iter().map(|value| scale * value).collect(),
    })
}
