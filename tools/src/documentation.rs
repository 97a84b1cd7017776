//! The page `documentation/index.html` of an FMU.

use std::fmt::Write;

use quick_xml::escape::escape;

use crate::description::Description;

/// A page with the model's text and its tables of variables.
pub fn page(description: &Description) -> String {
    let name = escape(&description.model_name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n\
         <style>body{{font:16px sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}\
         table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;padding:.3em .6em;\
         text-align:left}}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p>{}</p>\n",
        escape(&description.text)
    );
    if let (Some(stop), Some(step)) = (description.stop_time, description.step_size) {
        let _ = writeln!(
            page,
            "<p>Default run: {stop} s in communication steps of {step} s.</p>"
        );
    }
    for (causality, title) in [
        ("parameter", "Parameters"),
        ("input", "Inputs"),
        ("output", "Outputs"),
    ] {
        let mut variables = description.with_causality(causality).peekable();
        if variables.peek().is_none() {
            continue;
        }
        let _ = writeln!(
            page,
            "<h2>{title}</h2>\n<table>\n<tr><th>Name</th><th>Unit</th><th>Start</th>\
             <th>Meaning</th></tr>"
        );
        for v in variables {
            let _ = writeln!(
                page,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&v.name),
                escape(&v.unit),
                escape(v.start.as_deref().unwrap_or("")),
                escape(&v.description)
            );
        }
        page.push_str("</table>\n");
    }
    let _ = writeln!(
        page,
        "<p>Made by {}. The model as written is <a href=\"../resources/model.toml\">\
         resources/model.toml</a>; the licences are in \
         <a href=\"licenses/\">licenses</a>.</p>\n</body>\n</html>",
        escape(&description.generation_tool)
    );
    page
}
