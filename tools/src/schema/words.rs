//! What the document says of a key: its words, unit, default and range.

use coulisse::quantity::Quantity;
use serde_json::{Number, Value};

use super::document::{Row, Section, Table, in_code, plain};

/// What is said of a key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words {
    pub text: String,
    pub unit: String,
    /// As JSON, where it is a number or a word.
    pub default: Option<Value>,
    pub range: Range,
}

/// The numbers that are allowed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Range {
    pub whole: bool,
    pub least: Option<Bound>,
    pub most: Option<Bound>,
}

/// An end of a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub value: f64,
    /// Whether it is one of the numbers itself.
    pub included: bool,
}

/// What the document says of the key at `path`, as `["springs", "stop", "most"]`; `None` where it does
/// not name it.
pub fn of(sections: &[Section], path: &[&str]) -> Option<Words> {
    let (&key, above) = path.split_last()?;
    let Some((&top, inner)) = above.split_first() else {
        return of_section(sections, key)
            .or_else(|| within(&section(sections, "")?.tables, None, key));
    };
    // The innermost heading that is about a part of the path.
    let heading = (0..inner.len()).rev().find_map(|depth| {
        let own = section(sections, &format!(".{}", inner[depth]))?;
        Some((own, inner[depth + 1..].last()))
    });
    let (own, parent) = heading.or_else(|| Some((section(sections, top)?, inner.last())))?;
    let parent = parent.copied();
    let words = beginning_with(&own.paragraphs, key)
        .filter(|_| parent.is_none())
        .or_else(|| within(&own.tables, parent, key))
        .or_else(|| in_paragraph(own, above, key))
        .or_else(|| of_section(sections, &format!(".{key}")))
        // What is described elsewhere, as the curve of an edge with that of a member.
        .or_else(|| sections.iter().find_map(|other| within(&other.tables, parent, key)))
        .or_else(|| sections.iter().find_map(|other| beginning_with(&other.paragraphs, key)))?;
    // "as for `[initial]`" is what stands there.
    match words.text.strip_prefix("as for `[").and_then(|rest| rest.split_once(']')) {
        Some((other, _)) => of(sections, &[other, key]),
        None => Some(words),
    }
}

/// The paragraph that begins with a key.
fn beginning_with(paragraphs: &[String], key: &str) -> Option<Words> {
    let text = paragraphs.iter().find(|text| text.starts_with(&format!("`{key}`")))?;
    Some(of_text(plain(text), text, key))
}

fn section<'s>(sections: &'s [Section], about: &str) -> Option<&'s Section> {
    sections.iter().find(|section| section.about == about)
}

/// What tables say of a key inside of the key `parent`.
fn within(tables: &[Table], parent: Option<&str>, key: &str) -> Option<Words> {
    let rows = || tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let Some(parent) = parent else {
        let own = rows().find(|(_, row)| is_about(row, key));
        return own
            .map(|(table, row)| of_row(table, row, key))
            .or_else(|| of_its_keys(tables, key))
            .or_else(|| rows().find_map(|(table, row)| mention(table, row, key)));
    };
    // "as above" is what the row above says.
    let mut words = None;
    let mut of_parent = None;
    for table in tables {
        for row in &table.rows {
            if is_about(row, parent) {
                of_parent = of_parent.or_else(|| mention(table, row, key));
            }
            if !is_about(row, key) {
                continue;
            }
            let own = of_row(table, row, key);
            if !own.text.starts_with("as above") {
                words = Some(own);
            }
            if leads(table, parent) {
                return words;
            }
        }
    }
    // A key that its parent's row tells the unit or the range of, or that has no row.
    let own = |said: &Words| !said.unit.is_empty() || said.range != Range::default();
    of_parent.filter(|said| own(said) || words.is_none()).or(words)
}

/// What is said of a key by the rows of the keys inside of it, as `release.time`.
fn of_its_keys(tables: &[Table], key: &str) -> Option<Words> {
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let begin = format!("{key}.");
    let texts = rows.filter_map(|(table, row)| {
        let inner = row.keys.iter().find_map(|k| k.strip_prefix(&begin))?;
        Some(format!("`{inner}`: {}", text_of(table, row)))
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| Words { text: texts.join("\n\n"), ..Words::default() })
}

/// Whether a row is that of a key.
fn is_about(row: &Row, key: &str) -> bool {
    row.keys.iter().any(|k| k == key || k.rsplit('.').next() == Some(key))
}

/// Whether a table is about what stands inside of the key `parent`.
fn leads(table: &Table, parent: &str) -> bool {
    let one = parent.strip_suffix('s').unwrap_or(parent);
    in_code(&table.lead).iter().any(|word| word == parent)
        || (table.columns.first())
            .is_some_and(|c| c.starts_with("key of") && c.ends_with(&format!(" {one}")))
}

/// What a paragraph says, best one that names what the key is in as well.
fn in_paragraph(section: &Section, above: &[&str], key: &str) -> Option<Words> {
    let whole = above.join(".");
    let (named, headed) = (format!("`{key}`"), format!("`[{whole}.{key}"));
    let names = |text: &&String| text.contains(&named) || text.contains(&headed);
    let texts = || section.paragraphs.iter().filter(names);
    let text = texts().find(|text| text.contains(&whole)).or_else(|| texts().next())?;
    Some(of_text(plain(text), text, key))
}

/// What the document says at the beginning of the section of this name.
fn of_section(sections: &[Section], about: &str) -> Option<Words> {
    let text = plain(section(sections, about)?.paragraphs.first()?);
    Some(Words { text, ..Words::default() })
}

fn of_row(table: &Table, row: &Row, key: &str) -> Words {
    let cell = |name: &str| {
        let column = table.columns.iter().position(|c| c == name);
        column.and_then(|c| row.cells.get(c)).cloned().unwrap_or_default()
    };
    let text = text_of(table, row);
    let default = cell("default");
    let unit = cell("unit");
    // Units of several keys, one for each.
    let units: Vec<&str> = unit.split(", ").collect();
    let own = row.keys.iter().position(|k| k == key);
    let unit = match own.and_then(|own| units.get(own)) {
        Some(unit) if units.len() == row.keys.len() => (*unit).to_owned(),
        _ => unit,
    };
    Words {
        range: range(&text),
        unit: if unit == "–" { String::new() } else { unit },
        default: literal(default.trim_matches('`')),
        text,
    }
}

/// What a row says in all cells but those of keys, units and defaults.
fn text_of(table: &Table, row: &Row) -> String {
    let cells = row.cells.iter().zip(&table.columns).skip(1);
    let said = cells.filter(|(cell, column)| {
        !cell.is_empty() && !["unit", "default"].contains(&column.as_str())
    });
    let said: Vec<String> = said.map(|(cell, _)| plain(cell)).collect();
    said.join("; ")
}

/// What a row says of a key that it names behind its own.
fn mention(table: &Table, row: &Row, key: &str) -> Option<Words> {
    let (quoted, given) = (format!("`{key}`"), format!("{key} = "));
    let named = |cell: &&String| cell.contains(&quoted) || cell.contains(&given);
    let cell = row.cells.iter().skip(1).find(named)?;
    Some(of_text(text_of(table, row), cell, key))
}

/// A text about several keys; what stands in brackets behind one of them is its own.
fn of_text(text: String, cell: &str, key: &str) -> Words {
    let behind = cell.split_once(&format!("`{key}`")).map_or("", |(_, behind)| behind);
    let bracket = behind.split_once('(').filter(|(between, _)| {
        let other = between.split('`').step_by(2).collect::<String>();
        // Symbols, and other keys that share the bracket.
        !other.contains(['.', ';', ':', ')']) && other.len() < 24
    });
    let own = bracket.and_then(|(_, rest)| rest.split_once(')')).map_or("", |(own, _)| own);
    let unit = unit_at(own);
    let rest = match unit {
        "" => own,
        _ => own.split_once([',', ';']).map_or("", |(_, rest)| rest),
    };
    let default = own.split_once("default ").map(|(_, value)| value);
    let default =
        default.map(|value| value.split([',', ';', ':']).next().unwrap_or("").trim_matches('`'));
    Words {
        text,
        unit: unit.to_owned(),
        default: default.and_then(|value| literal(value.trim())),
        range: range(rest),
    }
}

/// The unit with which a text in brackets begins, as "m" or "m or rad".
fn unit_at(text: &str) -> &str {
    let first = text.split([',', ';']).next().unwrap_or_default();
    let is_unit = |word: &str| {
        let plain = word.replace('²', "2").replace('³', "3").replace('⁴', "4");
        let plain = plain.replace('⁶', "6").replace('·', ".");
        let mut units = Quantity::ALL.iter().map(|quantity| quantity.unit());
        plain == "cycle/m" || (!plain.is_empty() && units.any(|unit| unit == plain))
    };
    let words: Vec<&str> = first.split(' ').collect();
    match words[..] {
        [one, "or", other] if is_unit(one) && is_unit(other) => first,
        [one, ..] if is_unit(one) => one,
        _ => "",
    }
}

/// A number, a truth or a word as JSON.
fn literal(text: &str) -> Option<Value> {
    match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(word) => Some(Value::from(word)),
        None => match text {
            "true" => Some(Value::from(true)),
            "false" => Some(Value::from(false)),
            number => Number::from_f64(number.parse().ok()?).map(Value::Number),
        },
    }
}

/// The range that a text tells in one of its parts: "above 0", "0 or above", "whole, 1 to 4".
fn range(text: &str) -> Range {
    let mut range = Range::default();
    let text = text.replace(". ", "; ");
    let clauses = text.split([',', ';', ':', '(', ')']).map(str::trim);
    for clause in clauses {
        range.whole |= clause == "whole";
        if range.least.is_none()
            && range.most.is_none()
            && let Some((least, most)) = bounds(clause)
        {
            (range.least, range.most) = (least, most);
        }
    }
    range
}

fn bounds(clause: &str) -> Option<(Option<Bound>, Option<Bound>)> {
    let bound = |text: &str, included| {
        let value = text.trim().replace('−', "-").parse().ok()?;
        Some(Bound { value, included })
    };
    let clause = clause.strip_prefix("from ").unwrap_or(clause);
    if let Some(least) = clause.strip_suffix(" or above") {
        return Some((Some(bound(least, true)?), None));
    }
    let open = clause.starts_with("above ");
    let clause = clause.strip_prefix("above ").unwrap_or(clause);
    match clause.split_once(" to ") {
        Some((least, most)) => {
            let below = most.starts_with("below ");
            let most = most.strip_prefix("below ").unwrap_or(most);
            Some((Some(bound(least, !open)?), Some(bound(most, !below)?)))
        }
        None if open => Some((Some(bound(clause, false)?), None)),
        None => None,
    }
}
