//! The reference of the model file as a list of tables: `docs/model-file.md` is where the words of every
//! key stand, for the page and for the schema.

/// The document.
const TEXT: &str = include_str!("../../../docs/model-file.md");

/// What stands under a heading, with all that is below it.
#[derive(Debug, Default)]
pub struct Section {
    /// The section of the file that it is about, `bodies` of `[bodies.NAME]`, or the key, `.record`; empty
    /// for the top level.
    pub about: String,
    pub tables: Vec<Table>,
    pub paragraphs: Vec<String>,
}

/// A table with what leads to it.
#[derive(Debug)]
pub struct Table {
    /// The paragraph before it.
    pub lead: String,
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug)]
pub struct Row {
    /// Words in code in its first cell.
    pub keys: Vec<String>,
    pub cells: Vec<String>,
}

/// All sections, in the order of the document.
pub fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut paragraph, mut lead, mut code) = (String::new(), String::new(), false);
    let mut lines = TEXT.lines().peekable();
    while let Some(line) = lines.next() {
        code ^= line.starts_with("```");
        if code || line.starts_with("```") {
            continue;
        }
        if let Some(about) = line.trim_start_matches('#').strip_prefix(' ')
            && line.starts_with('#')
        {
            // What has no name of the file in it goes with the section above.
            match about_of(about) {
                Some(about) => sections.push(Section { about, ..Section::default() }),
                None if line.starts_with("## ") => {
                    sections.push(Section { about: format!("# {about}"), ..Section::default() })
                }
                None => {}
            }
            (paragraph, lead) = (String::new(), String::new());
            continue;
        }
        let Some(section) = sections.last_mut() else {
            continue;
        };
        if line.starts_with('|') {
            let columns = cells(line);
            let lead = std::mem::take(&mut lead);
            // The line below the columns is only a line.
            lines.next();
            let mut rows = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                let cells = cells(line);
                let keys = cells.first().map_or(Vec::new(), |cell| in_code(cell));
                rows.push(Row { keys, cells });
            }
            section.tables.push(Table { lead, columns, rows });
        } else if line.is_empty() {
            if !paragraph.is_empty() {
                lead.clone_from(&paragraph);
                section.paragraphs.push(std::mem::take(&mut paragraph));
            }
        } else {
            let space = if paragraph.is_empty() { "" } else { " " };
            paragraph = format!("{paragraph}{space}{}", line.trim());
        }
    }
    if let Some(section) = sections.last_mut() {
        section.paragraphs.push(paragraph);
    }
    sections
}

/// `bodies` of "`[bodies.NAME]`", `.record` of "`record`", nothing of "Rigid bodies".
fn about_of(heading: &str) -> Option<String> {
    if heading == "Top level" {
        return Some(String::new());
    }
    let name = heading.strip_prefix('`')?.strip_suffix('`')?;
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(section) => Some(section.strip_suffix(".NAME").unwrap_or(section).to_owned()),
        None => Some(format!(".{name}")),
    }
}

/// The cells of a line of a table; a bar in a formula is written `&#124;`.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    let cells = inner.split('|').map(|cell| cell.trim());
    cells.map(|cell| cell.replace("&#124;", "|")).collect()
}

/// The words in code of a text, without the quotes of choices.
pub fn in_code(text: &str) -> Vec<String> {
    let parts = text.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// A text without marks of emphasis, and links as their words.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out += before;
        match after.split_once("](") {
            Some((words, target)) if !words.contains(']') => {
                out += words;
                rest = target.split_once(')').map_or("", |(_, rest)| rest);
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out += rest;
    out.replace("**", "").trim().to_owned()
}
