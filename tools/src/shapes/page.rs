//! One self-contained page on which the shapes move.

use crate::template::fill;
use anyhow::Result;
use quick_xml::escape::escape;
use serde::Serialize;

use super::{Found, Shapes, name};

/// Style and script are in the file; only title, text and data are filled in.
const TEMPLATE: &str = include_str!("page.html");

#[derive(Serialize)]
struct Data<'a> {
    modes: Vec<String>,
    shapes: &'a Shapes,
}

/// The page of what was found.
///
/// # Errors
/// Never in practice: numbers have a text.
pub fn page(found: &Found, shapes: &Shapes) -> Result<String> {
    let data = Data { modes: found.modes.list.iter().map(name).collect(), shapes };
    let title = format!("{}: modes {}", found.system.model().name, found.place);
    // `</script>` in a name would end the script.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let values = [("title", &*escape(&title)), ("data", &data)];
    Ok(fill(TEMPLATE, &values))
}
