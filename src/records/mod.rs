//! Records of ground motion: reading them, correcting their baseline, integrating them.
//!
//! A file gives values at times; what they are, and in which unit, is stated by the file's header or
//! by the person who uses it, never guessed. [`Course`] makes displacement, velocity and acceleration
//! of it that are exact derivatives of each other.

mod baseline;
mod columns;
mod course;
mod peer;
mod smc;
mod unit;

pub use baseline::Baseline;
pub use course::Course;
pub use unit::{Kind, Unit};

use crate::message::figure;

/// Most samples of a record: a day at 100 per second.
pub const MOST_SAMPLES: usize = 8_640_000;

/// A file as it was read: values in the file's own unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What the file is, for people.
    pub format: &'static str,
    /// The first lines of its header that say where it comes from.
    pub title: String,
    /// The unit that the file states.
    pub unit: Option<Unit>,
    /// s, rising.
    pub times: Vec<f64>,
    pub values: Vec<f64>,
}

/// Acceleration, velocity or displacement over time, in SI units.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub kind: Kind,
    /// s, rising; at least two.
    pub times: Vec<f64>,
    /// m/s², m/s or m.
    pub values: Vec<f64>,
}

impl Series {
    /// Reads a record; the ending of `name` tells the format: `.at2`, `.vt2`, `.dt2` (PEER), `.smc`
    /// (USGS), all else columns of numbers. `step` (s) is that of a file with one column.
    ///
    /// # Errors
    /// What is wrong with the text, with its line.
    pub fn read(name: &str, text: &str, step: Option<f64>) -> Result<Series, String> {
        let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        let series = match ending.as_str() {
            "at2" | "vt2" | "dt2" => peer::read(text),
            "smc" => smc::read(text),
            _ => return checked(columns::read(text, step)?),
        };
        if step.is_some() {
            return Err("states its time step itself; leave `step` out".to_string());
        }
        checked(series?)
    }

    /// The record in SI units, where `told` is the unit that its user states.
    ///
    /// # Errors
    /// When nobody states a unit, or file and user state different ones.
    pub fn in_unit(&self, told: Option<Unit>) -> Result<Record, String> {
        let unit = match (self.unit, told) {
            (Some(stated), Some(told)) if stated != told => {
                return Err(format!(
                    "states its unit as {}, and `unit` says {}; allowed: the same, or no `unit`",
                    stated.name, told.name
                ));
            }
            (Some(unit), _) | (None, Some(unit)) => unit,
            (None, None) => {
                return Err(format!(
                    "does not state its unit; add `unit`, one of {}",
                    Unit::names()
                ));
            }
        };
        Ok(Record {
            kind: unit.kind,
            times: self.times.clone(),
            values: self.values.iter().map(|v| unit.factor * v).collect(),
        })
    }
}

/// Refuses what no record can be made of.
fn checked(series: Series) -> Result<Series, String> {
    let Series { times, values, .. } = &series;
    if times.len() < 2 || times.len() > MOST_SAMPLES {
        return Err(format!(
            "has {} values; allowed: from 2 to {MOST_SAMPLES}",
            times.len()
        ));
    }
    if let Some(i) = times.windows(2).position(|w| w[0] >= w[1]) {
        return Err(format!(
            "has time {} s after {} s in row {}; allowed: each later than the one before",
            times[i + 1],
            times[i],
            i + 2
        ));
    }
    // Displacements are sums of products of these.
    let largest = (times.iter().chain(values)).fold(0.0_f64, |a, b| a.max(b.abs()));
    if !(largest <= 1e15 && values.iter().all(|v| v.is_finite())) {
        return Err(format!(
            "holds the number {}; allowed: up to 1e15 in size",
            figure(largest)
        ));
    }
    Ok(series)
}

/// Times of `count` samples at a constant step.
fn every(step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| i as f64 * step).collect()
}

/// The number in `text`, also in the way Fortran writes it (`1.5D-03`).
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let value: f64 = match text.parse() {
        Ok(value) => value,
        Err(_) => text.replace(['D', 'd'], "E").parse().ok()?,
    };
    value.is_finite().then_some(value)
}
