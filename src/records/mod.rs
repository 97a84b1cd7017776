//! Records of ground motion: reading them, correcting their baseline, integrating them.
//!
//! A file gives values at times; what they are, and in which unit, is stated by the file's header or
//! by the person who uses it, never guessed. [`GroundMotion`] makes displacement, velocity and acceleration
//! of it that are exact derivatives of each other.

mod baseline;
mod cosmos;
mod ground_motion;
mod knet;
mod peer;
mod plain;
mod smc;

pub use baseline::Baseline;
pub use ground_motion::GroundMotion;

use crate::columns::{Heading, Read, Unit, known, number};
use crate::message::{excerpt, figure};
use crate::quantity::Quantity;

/// Most samples of a record: a day at 100 per second.
pub const MAX_SAMPLES: usize = 8_640_000;

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Acceleration,
    Velocity,
    Displacement,
}

const KINDS: [Kind; 3] = [Kind::Acceleration, Kind::Velocity, Kind::Displacement];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Acceleration => "acceleration",
            Kind::Velocity => "velocity",
            Kind::Displacement => "displacement",
        }
    }

    pub fn quantity(self) -> Quantity {
        match self {
            Kind::Acceleration => Quantity::Acceleration,
            Kind::Velocity => Quantity::Velocity,
            Kind::Displacement => Quantity::Length,
        }
    }

    /// SI unit.
    pub fn unit(self) -> &'static str {
        self.quantity().unit()
    }

    /// What a unit measures.
    fn of(unit: &Unit) -> Option<Kind> {
        KINDS.into_iter().find(|kind| unit.measures(kind.quantity()))
    }
}

/// What the user of a file says of it; it wins over what the file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// Unit of the values.
    pub unit: Option<Unit>,
    /// Unit of the times.
    pub time_unit: Option<Unit>,
    /// Time from value to value (s) of a file without times.
    pub step: Option<f64>,
}

impl Given {
    /// The unit of values that is written as `text`.
    ///
    /// # Errors
    /// Which units are allowed.
    pub fn unit(text: &str) -> Result<Unit, String> {
        let unit = Unit::named(text).filter(|unit| Kind::of(unit).is_some());
        unit.ok_or_else(units)
    }

    /// The unit of times that is written as `text`.
    ///
    /// # Errors
    /// Which units are allowed.
    pub fn time_unit(text: &str) -> Result<Unit, String> {
        let unit = Unit::named(text).filter(|unit| unit.measures(Quantity::Time));
        unit.ok_or_else(|| known(Quantity::Time))
    }
}

/// Units of records, for messages.
fn units() -> String {
    KINDS.map(|kind| known(kind.quantity())).join(", ")
}

/// Values as they stand in a file.
struct Raw {
    format: &'static str,
    title: String,
    /// The unit that the file states.
    unit: Option<Unit>,
    /// The unit of the times; none where the file states none.
    time_unit: Option<Unit>,
    /// s.
    times: Vec<f64>,
    values: Vec<f64>,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What the file is, for people.
    pub format: &'static str,
    /// The first lines of its header that say where it comes from.
    pub title: String,
    /// The unit of the values in the file.
    pub unit: Unit,
    /// Whether the file states it, and not its user.
    pub stated: bool,
    /// The unit that the file states where its user gives another.
    pub instead_of: Option<Unit>,
    /// The unit of the times in the file; none where s was assumed.
    pub time_unit: Option<Unit>,
    /// The unit of times that the file states where its user gives another.
    pub time_instead_of: Option<Unit>,
    pub record: Record,
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
    /// Reads a record. The format follows from its text: PEER, K-NET, COSMOS or SMC (USGS), all else are columns of numbers; so does the
    /// ending of `name`, `.at2`, `.vt2`, `.dt2` or `.smc`.
    ///
    /// # Errors
    /// What is wrong with the text, with its line.
    pub fn read(name: &str, text: &str, given: &Given) -> Result<Series, String> {
        let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().next().unwrap_or("").to_uppercase();
        let accelerogram = first.contains("CORRECTED ACCELEROGRAM");
        let read = match ending.as_str() {
            _ if knet::is(text) => knet::read,
            _ if cosmos::is(text) => cosmos::read,
            "at2" | "vt2" | "dt2" => peer::read,
            _ if peer::is(text) => peer::read,
            "smc" => smc::read,
            _ if accelerogram && first.trim_start().starts_with(['1', '2']) => smc::read,
            _ if accelerogram => {
                return Err("is a CSMIP volume; write its accelerations into a file of their own, with `unit` and `step`".to_string());
            }
            _ => return Series::of(plain::read(text, given)?, given),
        };
        let needless = [("step", given.step.is_some()), ("time_unit", given.time_unit.is_some())];
        if let Some((key, _)) = needless.into_iter().find(|(_, is)| *is) {
            return Err(format!("states its time step itself; leave `{key}` out"));
        }
        Series::of(read(text, given)?, given)
    }

    fn of(raw: Raw, given: &Given) -> Result<Series, String> {
        let raw = checked(raw)?;
        let unit = given.unit.as_ref().or(raw.unit.as_ref());
        let kind = unit.and_then(|unit| Some((unit.clone(), Kind::of(unit)?)));
        let Some((unit, kind)) = kind else {
            return Err(format!("does not state its unit; add `unit`, one of {}", units()));
        };
        let record = Record {
            kind,
            times: raw.times,
            values: raw.values.iter().map(|v| unit.factor * v).collect(),
        };
        let another = |stated: &Option<Unit>, given: &Option<Unit>| match (stated, given) {
            (Some(stated), Some(given)) if !stated.is_same(given) => Some(stated.clone()),
            _ => None,
        };
        Ok(Series {
            format: raw.format,
            title: raw.title,
            unit,
            stated: given.unit.is_none(),
            instead_of: another(&raw.unit, &given.unit),
            time_instead_of: another(&raw.time_unit, &given.time_unit),
            time_unit: given.time_unit.clone().or(raw.time_unit),
            record,
        })
    }

    /// How times and values were understood.
    pub fn reads(&self) -> [Read; 2] {
        let record = &self.record;
        let read = |name, quantity, unit: &Option<Unit>, values: &[f64]| {
            let unit = unit.clone();
            Read::of(Heading { name, unit }, 0, quantity, values)
        };
        let (times, values) = (&record.times, &record.values);
        let unit = Some(self.unit.clone());
        let values = read(record.kind.name(), record.kind.quantity(), &unit, values);
        let times = read("time", Quantity::Time, &self.time_unit, times);
        [
            Read { instead_of: self.time_instead_of.clone(), ..times },
            Read { instead_of: self.instead_of.clone(), ..values },
        ]
    }
}

/// Refuses what no record can be made of.
fn checked(raw: Raw) -> Result<Raw, String> {
    let Raw { times, values, .. } = &raw;
    if times.len() < 2 || times.len() > MAX_SAMPLES {
        return Err(format!(
            "has {} values; allowed: from 2 to {MAX_SAMPLES}, as numbers in columns or in a format of records",
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
            "contains the number {}; allowed: up to 1e15 in size",
            figure(largest)
        ));
    }
    Ok(raw)
}

/// Times of `count` samples at a constant step.
fn every(step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| i as f64 * step).collect()
}

/// The whole number that counts something.
fn count(value: f64) -> Option<usize> {
    let sound = value.fract() == 0.0 && (0.0..=1e9).contains(&value);
    sound.then_some(value as usize)
}

/// The finite number in a text.
fn finite(text: &str) -> Option<f64> {
    number(text).filter(|value| value.is_finite())
}

/// Numbers of lines, between blanks.
fn numbers<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<f64>, String> {
    let mut values = Vec::new();
    for (i, line) in lines {
        for word in line.split_whitespace() {
            values.push(finite(word).ok_or_else(|| {
                format!("line {}: `{}` is no finite number", i + 1, excerpt(word))
            })?);
        }
    }
    Ok(values)
}

/// Column number `column` of a line.
fn cell(line: &str, column: usize, width: usize) -> Option<&str> {
    let from = column * width;
    line.get(from..(from + width).min(line.len()))
}

/// Refuses a file that does not hold as many values as its header says.
fn complete(values: &[f64], announced: usize, more: &str) -> Result<(), String> {
    match values.len() == announced {
        true => Ok(()),
        false => Err(format!(
            "announces {announced} values{more} and contains {}; the file is cut short or its header wrong: take the whole file, or its numbers alone with `step` and `unit`",
            values.len()
        )),
    }
}
