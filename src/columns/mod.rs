//! Columns of numbers in text: tables of models, records, inputs over time, lists of runs.
//!
//! Blanks, tabs, commas or semicolons separate the columns; lines that begin with `#` are comments. One line of words may
//! name the columns and state their units, a second one may state units alone. Numbers have a decimal point; `1.5D-3` is 0.0015.

mod cells;
mod heading;
mod unit;

use std::collections::BTreeSet;
use std::fmt;

pub use cells::number;
pub use heading::{Heading, is_logarithm, of_logarithm};
pub use unit::{Unit, known};

use self::cells::{
    CLOSING, OPENING, SEPARATORS, Separator, about_commas, decimal_comma, has_decimal_commas,
    is_date, is_number, is_spoilt_number, lines, separator,
};
use crate::message::{excerpt, figure, rounded};
use crate::quantity::{FINITE, Quantity, SIZES};

/// What is wrong with a text, in which line; 0 where it belongs to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub line: usize,
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.what),
            line => write!(f, "line {line}: {}", self.what),
        }
    }
}

impl From<Wrong> for String {
    fn from(wrong: Wrong) -> String {
        wrong.to_string()
    }
}

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, Wrong> {
    let what = what.into();
    Err(Wrong { line, what })
}

/// Numbers line by line, with what stands above them.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// The headings, one for each column; none where the file has none.
    headings: Vec<String>,
    /// Line of the headings.
    heading: usize,
    /// A line of words that names no columns.
    pub title: String,
    numbers: Vec<f64>,
    /// Line of each row, and where its numbers end.
    rows: Vec<(usize, usize)>,
}

/// A column in SI units.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub values: Vec<f64>,
    pub read: Read,
}

/// How a column was understood, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// Its name, or its number from 1.
    pub name: String,
    pub quantity: Quantity,
    /// The unit in the file; none where SI was assumed.
    pub unit: Option<Unit>,
    /// The unit that the file states where its user gives another, which wins.
    pub instead_of: Option<Unit>,
    /// Smallest and largest value in SI units.
    pub range: [f64; 2],
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = self.range.map(|value| rounded(value, 4));
        let si = match self.quantity.unit() {
            "" => "without unit",
            unit => unit,
        };
        write!(f, "{} from {least} to {most} {si}", self.name)?;
        match &self.unit {
            Some(unit) if unit.name == si => Ok(()),
            Some(unit) => write!(f, " (in the file: {})", unit.name),
            None => write!(f, " (assumed: the file states no unit)"),
        }
    }
}

/// What may stand above the numbers.
const ABOVE: &str =
    "numbers, below one line of names and one of units; delete other lines or put `#` before them";

impl Columns {
    /// Reads a table: as many numbers in every line, and headings that differ.
    ///
    /// # Errors
    /// The first line that does not fit.
    pub fn read(text: &str) -> Result<Columns, Wrong> {
        let columns = Columns::scan(text)?;
        columns.even(columns.rows.len())?;
        Ok(columns)
    }

    /// Refuses the first of so many rows that has more or fewer numbers than the first of all.
    ///
    /// # Errors
    /// The line of that row.
    pub fn even(&self, rows: usize) -> Result<(), Wrong> {
        let width = self.width();
        let mut pairs = self.rows[..rows].windows(2);
        let Some([(above, begin), (line, end)]) = pairs.find(|two| two[1].1 - two[0].1 != width)
        else {
            return Ok(());
        };
        let (own, hint) = (end - begin, about_commas(end - begin, width));
        wrong(
            *line,
            format!("{own} numbers, and {width} in line {above}{hint}; give each row as many"),
        )
    }

    /// Reads numbers that need not stand in columns.
    ///
    /// # Errors
    /// The first line that is neither numbers nor a heading.
    pub fn scan(text: &str) -> Result<Columns, Wrong> {
        let mut out = Columns {
            headings: Vec::new(),
            heading: 0,
            title: String::new(),
            numbers: Vec::new(),
            rows: Vec::new(),
        };
        let lines = || lines(text).enumerate().map(|(i, line)| (i + 1, line));
        let is_content = |line: &str| {
            // Spreadsheets name their separator in the first line.
            let separator = line.len() == 5 && line.to_lowercase().starts_with("sep=");
            !line.is_empty() && !line.starts_with('#') && !separator
        };
        let content = || lines().filter(|(_, line)| is_content(line));
        let begins = |(_, line): &(usize, &str)| is_number(line.split(SEPARATORS).next());
        let Some((first, data)) = content().find(begins).or_else(|| content().next()) else {
            return Ok(out);
        };
        let separator = separator(data);
        // Where every line ends with a separator there is no column behind it.
        let end = separator.sign().filter(|sign| content().all(|(_, line)| line.ends_with(*sign)));
        let content =
            || content().map(|(i, line)| (i, end.map_or(line, |sign| line.trim_end_matches(sign))));
        let words = |line: &str| {
            let cells = separator.split(line);
            !(cells.iter()).any(|cell| is_number(Some(cell)) || is_spoilt_number(cell))
        };
        let mut above: Vec<(usize, &str)> = Vec::new();
        for (number, line) in content() {
            if out.rows.is_empty() && (number < first || above.is_empty()) && words(line) {
                above.push((number, line));
            } else {
                out.row(number, line, separator)?;
            }
        }
        let comments = lines().take_while(|(number, _)| *number < first);
        let comments: Vec<_> = comments.filter(|(_, line)| line.starts_with('#')).collect();
        out.head(&above, &comments, separator)?;
        Ok(out)
    }

    fn row(&mut self, number: usize, line: &str, separator: Separator) -> Result<(), Wrong> {
        let line = line.split_once('#').map_or(line, |(line, _)| line.trim_end());
        let cells = separator.split(line);
        if separator == Separator::Comma && has_decimal_commas(line, &cells) {
            return decimal_comma(number, line);
        }
        for (i, cell) in cells.iter().enumerate() {
            match self::number(cell) {
                Some(value) if value.is_finite() => self.numbers.push(value),
                Some(_) => {
                    return wrong(
                        number,
                        format!(
                            "`{}` is not finite; give a number or leave the row out",
                            excerpt(cell)
                        ),
                    );
                }
                None if cell.is_empty() => {
                    return wrong(
                        number,
                        format!("no value in column {}; give one or leave the row out", i + 1),
                    );
                }
                None if cell.contains(',')
                    && (is_number(Some(cell)) || !cell.contains(char::is_alphabetic)) =>
                {
                    return decimal_comma(number, cell);
                }
                None if is_date(cell) => {
                    let cell = excerpt(cell);
                    return wrong(
                        number,
                        format!("`{cell}` is a date or a time of day; give seconds from the start"),
                    );
                }
                None if self.rows.is_empty() && cells.len() > 1 => {
                    return wrong(number, format!("`{}`; allowed: {ABOVE}", excerpt(cell)));
                }
                None => {
                    let between = match cells.len() {
                        1 => ", separated by blanks, commas, semicolons or tabs",
                        _ => "",
                    };
                    let allowed = "allowed: finite numbers with a decimal point";
                    return wrong(number, format!("`{}`; {allowed}{between}", excerpt(cell)));
                }
            }
        }
        self.rows.push((number, self.numbers.len()));
        Ok(())
    }

    /// Takes the headings from the lines above the numbers.
    fn head(
        &mut self, above: &[(usize, &str)], comments: &[(usize, &str)], separator: Separator,
    ) -> Result<(), Wrong> {
        let width = self.width();
        let cells = |line: &str| separator.headings(line, width);
        match *above {
            [] => {
                // numpy.savetxt and others put `#` before the names of columns.
                let named = |&(line, text): &(usize, &str)| {
                    let names = cells(text.trim_start_matches(['#', ' ']));
                    let last = comments.last().is_some_and(|(last, _)| *last == line);
                    let states = last && text.contains(OPENING)
                        || names.iter().all(|name| heading::states_its_unit(name));
                    (names.len() == width && states).then_some((names, line))
                };
                if let Some(found) = comments.iter().rev().find_map(named) {
                    (self.headings, self.heading) = found;
                }
            }
            [(line, text)] => {
                let names = cells(text);
                if names.len() == width || self.rows.is_empty() {
                    (self.headings, self.heading) = (names, line);
                } else if names.len() > 1 && separator != Separator::Blank
                    || text.contains(OPENING)
                    || text.split_whitespace().any(heading::is_unit)
                    || text.split_whitespace().any(|word| is_logarithm(word) && word != "log")
                {
                    let (count, hint) = (names.len(), about_commas(names.len(), width));
                    let what = format!(
                        "{count} headings above {width} columns of numbers{hint}; `#` begins a comment"
                    );
                    return wrong(line, what);
                } else {
                    self.title = text.to_string();
                }
            }
            [(line, names), (_, units)] => {
                let (names, units) = (cells(names), cells(units));
                let brackets = |c: char| OPENING.contains(&c) || CLOSING.contains(&c);
                let inside = |cell: &str| cell.trim_matches(brackets).trim().to_string();
                let is_unit = |cell: &String| {
                    let inside = inside(cell);
                    inside.is_empty() || inside != *cell || Unit::named(&inside).is_some()
                };
                if names.len() != width || units.len() != width || !units.iter().all(is_unit) {
                    return self.too_many(above);
                }
                let both = names.iter().zip(&units).map(|(name, unit)| match inside(unit) {
                    unit if unit.is_empty() => name.clone(),
                    unit => format!("{name} [{unit}]"),
                });
                (self.headings, self.heading) = (both.collect(), line);
            }
            _ => return self.too_many(above),
        }
        let mut names = BTreeSet::new();
        match (self.headings.iter()).find(|name| !name.is_empty() && !names.insert(*name)) {
            Some(name) => {
                let what = format!(
                    "the column `{}` is there twice; leave one out or rename it",
                    excerpt(name)
                );
                wrong(self.heading, what)
            }
            None => Ok(()),
        }
    }

    fn too_many(&self, above: &[(usize, &str)]) -> Result<(), Wrong> {
        let (line, text) = above[1];
        wrong(line, format!("`{}`; allowed: {ABOVE}", excerpt(text)))
    }

    /// Number of columns: numbers in the first row.
    pub fn width(&self) -> usize {
        self.rows.first().map_or(0, |(_, end)| *end)
    }

    /// Lines of the rows.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.rows.iter().map(|(line, _)| *line)
    }

    /// Headings as they are written.
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// Line of the headings.
    pub fn heading_line(&self) -> usize {
        self.heading
    }

    /// All numbers, row by row.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The numbers of a column of a table.
    pub fn values(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        let width = self.width().max(1);
        self.numbers.iter().skip(column).step_by(width).copied()
    }

    /// Name and unit of a column that measures one of `quantities`; `stated` is the unit that its user states, which always wins.
    ///
    /// # Errors
    /// A heading whose unit is not known, or measures something else, and one of a logarithm.
    pub fn stated(
        &self, column: usize, quantities: &[Quantity], stated: Option<&Unit>,
    ) -> Result<Heading<'_>, Wrong> {
        let text = self.headings.get(column).map_or("", String::as_str);
        let fits = |unit: &Unit| quantities.iter().any(|q| unit.measures(*q));
        let known = || {
            let mut known: Vec<String> = quantities.iter().map(|q| known(*q)).collect();
            known.dedup();
            known.join(", ")
        };
        if is_logarithm(text) {
            return wrong(self.heading, of_logarithm(text, &known()));
        }
        match (Heading::read(text, &fits), stated) {
            (heading, Some(stated)) => Ok(Heading {
                name: heading.map_or(text, |heading| heading.name),
                unit: Some(stated.clone()),
            }),
            (Ok(heading), None) => Ok(heading),
            (Err(written), None) => {
                let why = match Unit::named(written) {
                    Some(_) => "measures something else",
                    None => "is not known",
                };
                let (text, written) = (excerpt(text), excerpt(written));
                wrong(
                    self.heading,
                    format!("heading `{text}`: unit `{written}` {why}; allowed: {}", known()),
                )
            }
        }
    }

    /// A column of a table in SI units, as its heading says: it measures one of `quantities`, the first where no unit is stated.
    ///
    /// # Errors
    /// As [`Columns::stated`], and a value beyond what numbers of a model may be.
    pub fn column(&self, column: usize, quantities: &[Quantity]) -> Result<Column, Wrong> {
        let heading = self.stated(column, quantities, None)?;
        let factor = heading.unit.as_ref().map_or(1.0, |unit| unit.factor);
        let admitted = self.values(column).zip(self.lines()).map(|(value, line)| {
            FINITE.admit(factor * value).ok_or_else(|| {
                let what = format!("`{}`; allowed: {SIZES}", figure(value));
                Wrong { line, what }
            })
        });
        let values = admitted.collect::<Result<Vec<f64>, Wrong>>()?;
        let measured = |q: &&Quantity| heading.unit.as_ref().is_none_or(|unit| unit.measures(**q));
        let quantity = quantities.iter().find(measured).copied().unwrap_or(Quantity::Dimensionless);
        let read = Read::of(heading, column, quantity, &values);
        Ok(Column { values, read })
    }
}

impl Read {
    /// How a column was understood.
    pub fn of(heading: Heading<'_>, column: usize, quantity: Quantity, values: &[f64]) -> Read {
        let name = match heading.name {
            "" => format!("column {}", column + 1),
            name => format!("`{}`", excerpt(name)),
        };
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        Read {
            name,
            quantity,
            unit: heading.unit,
            instead_of: None,
            range: (values.iter()).fold(none, |[a, b], v| [a.min(*v), b.max(*v)]),
        }
    }
}
