//! Tables of a page.

use std::fmt::Write;

use coulisse::message::rounded;
use quick_xml::escape::escape;

/// A number for a reader: six digits at most, without trailing zeros.
pub fn figure(value: f64) -> String {
    rounded(value, 6)
}

/// One cell, already safe to stand in a page.
pub struct Cell(String);

impl Cell {
    /// Text in its own words.
    pub fn text(text: impl AsRef<str>) -> Cell {
        Cell(format!("<td>{}</td>", escape(text.as_ref())))
    }

    /// A name as one writes it.
    pub fn code(name: &str) -> Cell {
        Cell(format!("<td><code>{}</code></td>", escape(name)))
    }

    /// A number, or nothing.
    pub fn number(value: Option<f64>) -> Cell {
        let text = value.map_or(String::new(), figure);
        Cell(format!("<td class=\"number\">{text}</td>"))
    }

    pub fn value(value: f64) -> Cell {
        Cell::number(Some(value))
    }
}

/// A table with its heading.
pub struct Table {
    head: String,
    rows: String,
}

impl Table {
    pub fn new(columns: &[&str]) -> Table {
        let head = columns.iter().map(|c| format!("<th>{}</th>", escape(*c)));
        Table { head: head.collect(), rows: String::new() }
    }

    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        let cells = cells.map(|cell| cell.0).concat();
        // Writing to a string does not fail.
        let _ = writeln!(self.rows, "<tr>{cells}</tr>");
    }

    /// The table under a title, or nothing where it has no row.
    pub fn section(self, title: &str) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        format!("<h2>{title}</h2>\n<table>\n<tr>{}</tr>\n{}</table>\n", self.head, self.rows)
    }
}
