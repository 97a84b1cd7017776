//! Numbers, words and sections of a file one after the other, and where they stand.

use std::fmt;

use super::GmshFault;
use crate::message::excerpt;

/// Where something stands in a file: its line in text, its first byte in binary, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Line(usize),
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    LittleEndian,
    BigEndian,
}

type Result<T> = std::result::Result<T, GmshFault>;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    pub form: Form,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        let (at, form) = (0, Form::Text);
        Cursor { bytes, at, form }
    }

    /// Where what comes next begins, for [`fault_at`](Cursor::fault_at).
    pub fn mark(&self) -> usize {
        match self.form {
            Form::Text => self.next(),
            Form::LittleEndian | Form::BigEndian => self.at,
        }
    }

    /// A fault of what comes next.
    pub fn fault(&self, message: String) -> GmshFault {
        self.fault_at(self.mark(), message)
    }

    pub fn fault_at(&self, mark: usize, message: String) -> GmshFault {
        let place = match self.form {
            // Counted only here: lines are many.
            Form::Text => {
                let before = self.bytes[..mark].iter();
                Place::Line(1 + before.filter(|&&b| b == b'\n').count())
            }
            Form::LittleEndian | Form::BigEndian => Place::Byte(mark + 1),
        };
        GmshFault::Format { place, message }
    }

    /// The beginning of the next word.
    fn next(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace());
        self.at + blank.count()
    }

    /// The next word and where it ends.
    fn peek(&self) -> (&'a [u8], usize) {
        let begin = self.next();
        let word = self.bytes[begin..].iter();
        let end = begin + word.take_while(|b| !b.is_ascii_whitespace()).count();
        (&self.bytes[begin..end], end)
    }

    fn seen(word: &[u8]) -> String {
        match word {
            [] => "the file ends too early".to_string(),
            _ => {
                format!("saw `{}`", excerpt(&String::from_utf8_lossy(&word[..word.len().min(80)])))
            }
        }
    }

    /// Reads on behind a word.
    pub fn expect(&mut self, expected: &str) -> Result<()> {
        let (word, end) = self.peek();
        if word != expected.as_bytes() {
            return Err(self.fault(format!("{}; expected: `{expected}`", Self::seen(word))));
        }
        self.at = end;
        Ok(())
    }

    /// A number in text.
    fn parse<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T> {
        let (word, end) = self.peek();
        let value = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let Some(value) = value else {
            return Err(self.fault(format!("{}; expected: {expected}", Self::seen(word))));
        };
        self.at = end;
        Ok(value)
    }

    /// The next bytes of a binary file.
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes.get(self.at..self.at.saturating_add(N));
        let Some(Ok(mut bytes)) = bytes.map(<[u8; N]>::try_from) else {
            return Err(
                self.fault(format!("the file ends too early; expected: a number of {N} bytes"))
            );
        };
        if self.form == Form::BigEndian {
            bytes.reverse();
        }
        self.at += N;
        Ok(bytes)
    }

    /// A signed whole number, of 4 bytes in binary.
    pub fn int(&mut self) -> Result<i32> {
        match self.form {
            Form::Text => self.parse("a whole number"),
            _ => self.take().map(i32::from_le_bytes),
        }
    }

    /// A count or a tag of version 4, of 8 bytes in binary.
    pub fn size(&mut self) -> Result<u64> {
        match self.form {
            Form::Text => self.parse("a whole number from 0"),
            _ => self.take().map(u64::from_le_bytes),
        }
    }

    /// A count or a tag of version 2, of 4 bytes in binary.
    pub fn short_size(&mut self) -> Result<u64> {
        let mark = self.mark();
        let value = self.int()?;
        value.try_into().map_err(|_| {
            self.fault_at(mark, format!("saw {value}; expected: a whole number from 0"))
        })
    }

    /// A count that is written as text in binary files too.
    pub fn text_size(&mut self) -> Result<u64> {
        let value = self.parse("a whole number from 0")?;
        self.end_of_line();
        Ok(value)
    }

    /// A finite number.
    pub fn number(&mut self) -> Result<f64> {
        let mark = self.mark();
        let value: f64 = match self.form {
            Form::Text => self.parse("a number")?,
            _ => self.take().map(f64::from_le_bytes)?,
        };
        if !value.is_finite() {
            return Err(self.fault_at(mark, format!("saw {value}; expected: a finite number")));
        }
        Ok(value)
    }

    /// Passes the blanks up to the end of the line and that end; binary numbers begin right behind it.
    pub fn end_of_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
        let end = self.at + blank.count();
        self.at = match self.bytes.get(end) {
            Some(b'\n') => end + 1,
            _ => end,
        };
    }

    /// What stands between the next two quotes of this line.
    pub fn quoted(&mut self) -> Result<String> {
        let rest = &self.bytes[self.at..];
        let line = rest.split(|&b| b == b'\n').next().unwrap_or(rest);
        let ends: Vec<usize> = (0..line.len()).filter(|&i| line[i] == b'"').collect();
        // A name may hold quotes itself.
        let (&[begin, ..], &[.., end]) = (&ends[..], &ends[..]) else {
            return Err(self.fault("no name; expected: a name in quotes".to_string()));
        };
        let name = std::str::from_utf8(line.get(begin + 1..end).unwrap_or_default());
        let Ok(name) = name else {
            return Err(
                self.fault("a name that is no UTF-8; expected: a name in quotes".to_string())
            );
        };
        self.at += end + 1;
        Ok(name.to_string())
    }

    /// The byte order, from the number 1 that binary files hold.
    pub fn find_byte_order(&mut self) -> Result<()> {
        self.end_of_line();
        self.form = Form::LittleEndian;
        let mark = self.mark();
        match self.take::<4>()? {
            [1, 0, 0, 0] => {}
            [0, 0, 0, 1] => self.form = Form::BigEndian,
            other => {
                let message =
                    format!("saw the bytes {other:?}; expected: the number 1 in either byte order");
                return Err(self.fault_at(mark, message));
            }
        }
        Ok(())
    }

    /// The next section: where it begins and its name without `$`; `None` at the end of the file.
    pub fn section(&mut self) -> Result<Option<(usize, String)>> {
        let mark = self.mark();
        let (word, end) = self.peek();
        if word.is_empty() {
            return Ok(None);
        }
        let name = word.strip_prefix(b"$").and_then(|name| std::str::from_utf8(name).ok());
        let Some(name) = name else {
            return Err(
                self.fault(format!("{}; expected: the beginning of a section", Self::seen(word)))
            );
        };
        self.at = end;
        self.end_of_line();
        Ok(Some((mark, name.to_string())))
    }

    /// Passes a section that is of no use here.
    pub fn skip(&mut self, section: &str) -> Result<()> {
        let end = format!("$End{section}");
        let rest = &self.bytes[self.at..];
        match rest.windows(end.len()).position(|window| window == end.as_bytes()) {
            Some(at) => {
                self.at += at + end.len();
                Ok(())
            }
            None => Err(self.fault(format!(
                "section `${section}` does not end; expected: `{}`",
                excerpt(&end)
            ))),
        }
    }
}
