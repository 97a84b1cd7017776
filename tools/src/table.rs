//! Tables with a title, once for a terminal and once for a page.

use std::fmt::Write;

use comfy_table::{CellAlignment, Row, presets};
use quick_xml::escape::escape;

use crate::number::short;

/// What stands in one cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Empty,
    /// In its own words.
    Text(String),
    /// A name as the model file writes it.
    Name(String),
    /// In the unit that its column names.
    Number(f64),
}

impl Cell {
    pub fn name(name: impl Into<String>) -> Cell {
        Cell::Name(name.into())
    }

    fn plain(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) | Cell::Name(text) => text.clone(),
            Cell::Number(value) => short(*value),
        }
    }

    fn html(&self) -> String {
        let text = self.plain();
        let text = escape(text.as_str());
        match self {
            Cell::Empty | Cell::Text(_) => format!("<td>{text}</td>"),
            Cell::Name(_) => format!("<td><code>{text}</code></td>"),
            Cell::Number(_) => format!("<td class=\"number\">{text}</td>"),
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        if text.is_empty() { Cell::Empty } else { Cell::Text(text) }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        Cell::from(text.clone())
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Number(value)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Number(count as f64)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// A table; a column without anything in it is left out.
#[derive(Debug, Clone)]
pub struct Table {
    pub title: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new<const N: usize>(
        title: &'static str, columns: [&'static str; N], rows: impl IntoIterator<Item = [Cell; N]>,
    ) -> Table {
        let rows = rows.into_iter().map(Vec::from);
        Table { title, columns: columns.to_vec(), rows: rows.collect() }
    }

    /// The columns that some row has something in.
    fn filled(&self) -> Vec<usize> {
        let filled = |&c: &usize| self.rows.iter().any(|row| row[c] != Cell::Empty);
        (0..self.columns.len()).filter(filled).collect()
    }

    /// For a terminal: the title in capital letters and a line for each row; nothing of a table without rows.
    pub fn text(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let filled = self.filled();
        let mut table = plain(filled.iter().map(|&c| self.columns[c]), []);
        for row in &self.rows {
            table.add_row(filled.iter().map(|&c| row[c].plain()));
        }
        format!("\n{}\n{}\n", self.title.to_uppercase(), table.trim_fmt())
    }

    /// For a page: heading and table; nothing of a table without rows.
    pub fn html(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let filled = self.filled();
        let head: String =
            filled.iter().map(|&c| format!("<th>{}</th>", escape(self.columns[c]))).collect();
        let mut rows = String::new();
        for row in &self.rows {
            let cells: String = filled.iter().map(|&c| row[c].html()).collect();
            // Writing to a string does not fail.
            let _ = writeln!(rows, "<tr>{cells}</tr>");
        }
        format!("<h2>{}</h2>\n<table>\n<tr>{head}</tr>\n{rows}</table>\n", self.title)
    }
}

/// A table without lines for a terminal; these columns are aligned to the right.
pub fn plain(header: impl Into<Row>, right: impl IntoIterator<Item = usize>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(header);
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
