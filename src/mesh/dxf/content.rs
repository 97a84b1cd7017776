//! The file as groups: version, unit and the entities of model space.

use cadkit_dxf::native::{Tokenizer, Value, encoding_for_codepage};

use super::fault::Shown;
use super::{DxfFault, Origin};
use crate::message::{excerpt, shown};

/// An entity with its groups.
#[derive(Debug)]
pub(super) struct Entity {
    pub kind: String,
    pub origin: Origin,
    pub layer: String,
    groups: Vec<(i32, Value)>,
}

#[derive(Debug, Default)]
pub(super) struct Content {
    /// `$INSUNITS`.
    unit: Option<i64>,
    /// Of model space; a polyline is followed by its vertices.
    pub entities: Vec<Entity>,
}

/// First and last group codes of what belongs to an entity itself, and not to programs that left notes with it.
const OWN: std::ops::Range<i32> = 0..1000;

/// Length units by their number: metres and symbol.
const UNITS: [(i64, f64, &str); 16] = [
    (1, 0.0254, "in"),
    (2, 0.3048, "ft"),
    (3, 1609.344, "mi"),
    (4, 1e-3, "mm"),
    (5, 1e-2, "cm"),
    (6, 1.0, "m"),
    (7, 1e3, "km"),
    (8, 2.54e-8, "µin"),
    (9, 2.54e-5, "mil"),
    (10, 0.9144, "yd"),
    (12, 1e-9, "nm"),
    (13, 1e-6, "µm"),
    (14, 0.1, "dm"),
    (15, 10.0, "dam"),
    (16, 100.0, "hm"),
    (21, 1200.0 / 3937.0, "ft (US survey)"),
];

/// What a group of the file stands in.
#[derive(PartialEq)]
enum Section {
    Header,
    Entities,
    Other,
}

impl Content {
    pub fn of(bytes: &[u8]) -> Result<Content, DxfFault> {
        refuse_others(bytes)?;
        let mut groups = Groups::new(bytes);
        let mut content = Content::default();
        let (mut section, mut variable) = (Section::Other, String::new());
        let mut ended = false;
        while let Some((code, value)) = groups.next()? {
            match (code, &value) {
                (0, Value::Str(kind)) if kind == "EOF" => {
                    ended = true;
                    break;
                }
                (0, Value::Str(kind)) if kind == "SECTION" => {
                    section = match groups.next()? {
                        Some((2, Value::Str(name))) if name.trim() == "HEADER" => Section::Header,
                        Some((2, Value::Str(name))) if name.trim() == "ENTITIES" => {
                            Section::Entities
                        }
                        _ => Section::Other,
                    };
                }
                (0, Value::Str(kind)) if kind == "ENDSEC" => section = Section::Other,
                (0, Value::Str(kind)) if section == Section::Entities => {
                    content.entities.push(Entity {
                        kind: kind.clone(),
                        origin: Origin { kind: excerpt(kind), place: groups.place() },
                        layer: "0".to_string(),
                        groups: Vec::new(),
                    })
                }
                (9, Value::Str(name)) if section == Section::Header => variable = name.clone(),
                (_, Value::Str(text)) if section == Section::Header => {
                    groups.header(&variable, text.trim())?
                }
                (70, Value::Int(unit)) if section == Section::Header && variable == "$INSUNITS" => {
                    content.unit = Some(*unit)
                }
                (code, _) if section == Section::Entities && OWN.contains(&code) => {
                    let Some(entity) = content.entities.last_mut() else {
                        continue;
                    };
                    if let (8, Value::Str(layer)) = (code, &value) {
                        entity.layer = layer.trim().to_string();
                    }
                    entity.groups.push((code, value));
                }
                _ => {}
            }
        }
        if !ended {
            let message = "the file ends without `EOF`; it is no whole DXF file";
            return Err(DxfFault::Format(message.to_string()));
        }
        // What is drawn on sheets is no part of the model.
        let on_sheet = |entity: &Entity| matches!(entity.int(67), Ok(Some(1)));
        content.entities.retain(|entity| !on_sheet(entity));
        Ok(content)
    }

    /// What a length of one in the drawing is.
    pub fn unit(&self, stated: Option<f64>) -> Result<Shown, DxfFault> {
        if let Some(scale) = stated {
            let unit = "in units of the drawing";
            return Ok(Shown { scale, unit });
        }
        let number = self.unit.unwrap_or(0);
        let known = UNITS.iter().find(|(own, ..)| *own == number);
        match known {
            Some(&(_, scale, unit)) => Ok(Shown { scale, unit }),
            None => Err(DxfFault::Unit(
                self.unit.map_or("not there".to_string(), |unit| unit.to_string()),
            )),
        }
    }

    /// All layers with something in model space.
    pub fn layers(&self) -> String {
        let mut layers: Vec<&str> =
            (self.entities.iter()).map(|entity| entity.layer.as_str()).collect();
        layers.sort_unstable();
        layers.dedup();
        let quoted: Vec<String> =
            (layers.iter()).map(|layer| format!("`{}`", shown(layer))).collect();
        match quoted.len() {
            0 => "none".to_string(),
            _ => quoted.join(", "),
        }
    }
}

impl Entity {
    pub fn fault(&self, message: &str) -> DxfFault {
        DxfFault::Entity(format!("{} {message}", self.origin.described(&self.layer)))
    }

    /// All numbers of a group code in their order.
    pub fn all(&self, code: i32) -> Result<Vec<f64>, DxfFault> {
        let own = self.groups.iter().filter(|(own, _)| *own == code);
        own.map(|(_, value)| self.real(code, value)).collect()
    }

    pub fn real_or(&self, code: i32, default: f64) -> Result<f64, DxfFault> {
        let own = self.groups.iter().find(|(own, _)| *own == code);
        own.map_or(Ok(default), |(_, value)| self.real(code, value))
    }

    /// A number without which there is no such entity.
    pub fn needed(&self, code: i32) -> Result<f64, DxfFault> {
        match self.groups.iter().find(|(own, _)| *own == code) {
            Some((_, value)) => self.real(code, value),
            None => Err(self.fault(&format!("has no group {code}"))),
        }
    }

    pub fn int(&self, code: i32) -> Result<Option<i64>, DxfFault> {
        match self.groups.iter().find(|(own, _)| *own == code) {
            None => Ok(None),
            Some((_, Value::Int(number))) => Ok(Some(*number)),
            Some(_) => Err(self.fault(&format!("has no whole number in group {code}"))),
        }
    }

    /// The groups one after the other, with their numbers.
    pub fn numbers(&self) -> impl Iterator<Item = Result<(i32, f64), DxfFault>> + '_ {
        let reals = self.groups.iter().filter(|(code, _)| (10..60).contains(code));
        reals.map(|(code, value)| Ok((*code, self.real(*code, value)?)))
    }

    fn real(&self, code: i32, value: &Value) -> Result<f64, DxfFault> {
        match value {
            Value::Float(number) => Ok(*number),
            Value::Int(number) => Ok(*number as f64),
            _ => Err(self.fault(&format!("has no number in group {code}"))),
        }
    }
}

/// The groups of a file with their places.
struct Groups<'a> {
    bytes: &'a [u8],
    tokenizer: Tokenizer<'a>,
    /// Where the last group begins.
    begin: usize,
    /// A place up to which lines are counted, and its line.
    counted: [usize; 2],
    /// Whether texts are UTF-8 by the version.
    unicode: bool,
}

impl<'a> Groups<'a> {
    fn new(bytes: &'a [u8]) -> Groups<'a> {
        Groups {
            bytes,
            tokenizer: Tokenizer::new(bytes),
            begin: 0,
            counted: [0, 1],
            unicode: false,
        }
    }

    fn next(&mut self) -> Result<Option<(i32, Value)>, DxfFault> {
        self.begin = self.end();
        let pair = match self.tokenizer.next_pair() {
            Ok(Some(pair)) => pair,
            Ok(None) => return Ok(None),
            Err(error) => return Err(self.fault(&excerpt(&error.to_string()))),
        };
        // The tokenizer takes what is not finite for 0.
        if pair.value == Value::Float(0.0) && !self.is_finite() {
            return Err(self.fault("a number that is not finite"));
        }
        Ok(Some((pair.code, pair.value)))
    }

    fn end(&self) -> usize {
        (self.tokenizer.offset() as usize).min(self.bytes.len())
    }

    fn fault(&mut self, message: &str) -> DxfFault {
        let place = self.place();
        DxfFault::Format(format!("{place}: no DXF from here on: {message}"))
    }

    /// Line or byte of the last group.
    fn place(&mut self) -> String {
        if self.tokenizer.is_binary() {
            return format!("byte {}", self.begin);
        }
        let [from, line] = self.counted;
        let passed = &self.bytes[from..self.begin];
        let line = line + passed.iter().filter(|&&byte| byte == b'\n').count();
        self.counted = [self.begin, line];
        format!("line {line}")
    }

    /// Whether the number before the present place is finite.
    fn is_finite(&self) -> bool {
        let before = &self.bytes[..self.end()];
        if self.tokenizer.is_binary() {
            return before.last_chunk().is_some_and(|last| f64::from_le_bytes(*last).is_finite());
        }
        let before = before.trim_ascii_end();
        let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
        let text = str::from_utf8(before[begin..].trim_ascii()).unwrap_or_default();
        text.parse().is_ok_and(f64::is_finite)
    }

    /// A text of the header: the version and the code page decide how names are read.
    fn header(&mut self, variable: &str, text: &str) -> Result<(), DxfFault> {
        match variable {
            "$ACADVER" => {
                let number = text.strip_prefix("AC").and_then(|n| n.parse::<u32>().ok());
                if number.is_none_or(|number| number < 1006) {
                    return Err(DxfFault::Format(format!(
                        "version `{}` of DXF; allowed: R10 (AC1006) or newer; save the drawing again",
                        excerpt(text)
                    )));
                }
                self.unicode = number.is_some_and(|number| number >= 1021);
                self.encode(if self.unicode { "UTF-8" } else { "" });
            }
            "$DWGCODEPAGE" if !self.unicode => self.encode(text),
            _ => {}
        }
        Ok(())
    }
}

impl Groups<'_> {
    fn encode(&mut self, page: &str) {
        if let Some(encoding) = encoding_for_codepage(page) {
            self.tokenizer.set_encoding(encoding);
        }
    }
}

/// Says of some files that are no DXF what they are.
fn refuse_others(bytes: &[u8]) -> Result<(), DxfFault> {
    let message = if bytes.starts_with(b"AC10") {
        "this is a DWG file; save the drawing as DXF"
    } else if bytes.starts_with(b"AutoCAD DXB") {
        "this is a DXB file; save the drawing as DXF"
    } else if cadkit_dxf::native::sniff(bytes) {
        return Ok(());
    } else {
        "this is no DXF file, which begins with `0` and `SECTION`"
    };
    Err(DxfFault::Format(message.to_string()))
}
