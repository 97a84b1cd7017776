//! One self-contained page of curves.

use anyhow::Result;
use quick_xml::escape::escape;
use serde::Serialize;

use crate::results::Results;

/// Style and script are in the file; only title, text and data are filled in.
const TEMPLATE: &str = include_str!("page.html");

#[derive(Serialize)]
struct Panel<'a> {
    name: &'a str,
    unit: &'a str,
    description: &'a str,
    values: Vec<f64>,
}

/// A page with a panel for each of the columns `panels`.
///
/// # Errors
/// Never in practice: numbers have a text.
pub fn page(title: &str, text: &str, results: &Results, panels: &[usize]) -> Result<String> {
    let data: Vec<Panel> = panels
        .iter()
        .map(|&index| Panel {
            name: &results.columns[index].name,
            unit: &results.columns[index].unit,
            description: &results.columns[index].description,
            values: results.column(index).collect(),
        })
        .collect();
    // `</script>` in a description would end the script.
    let json = |text: String| text.replace('<', "\\u003c");
    Ok(TEMPLATE
        .replace("{{title}}", &escape(title))
        .replace("{{text}}", &escape(text))
        .replace("{{times}}", &json(serde_json::to_string(&results.times)?))
        .replace("{{panels}}", &json(serde_json::to_string(&data)?)))
}
