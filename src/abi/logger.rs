//! The logger of a host, in the form of its standard.

use std::ffi::{CString, c_int};

use super::types::{Environment, LogMessage, Logger};
use crate::fmu::{Category, Sink, Status, in_fmi3};

/// The host's logger with what it wants to be told every time.
#[derive(Debug, Clone)]
pub(super) struct HostLogger {
    pub function: Function,
    pub environment: Environment,
    /// The instance's.
    pub name: CString,
}

/// What a host calls a logger.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    /// Of FMI 2.0: it prints a format.
    Prints(Option<Logger>),
    /// Of FMI 3.0: it takes a text.
    Takes(Option<LogMessage>),
}

impl HostLogger {
    pub(super) fn say(&self, status: Status, category: Category, text: &str) {
        let category = c_text(category.name());
        match self.function {
            Function::Prints(Some(function)) => {
                let text = c_text(&format_of(text));
                // SAFETY: the function and its environment came together from the host, which keeps both
                // alive as long as the instance; all texts end with a zero byte and outlive the call. The
                // text is the format, without placeholders: `format_of` doubles percent signs.
                unsafe {
                    function(
                        self.environment,
                        self.name.as_ptr(),
                        status as c_int,
                        category.as_ptr(),
                        text.as_ptr(),
                    );
                }
            }
            Function::Takes(Some(function)) => {
                let text = c_text(&cut(in_fmi3(text).into_owned()));
                // SAFETY: as above; this logger prints nothing into the text.
                unsafe {
                    function(self.environment, status as c_int, category.as_ptr(), text.as_ptr());
                }
            }
            Function::Prints(None) | Function::Takes(None) => {}
        }
    }
}

impl Sink for HostLogger {
    fn message(&self, status: Status, category: Category, text: &str) {
        self.say(status, category, text);
    }
}

/// Longest message, in bytes: there are loggers that print into a buffer of fixed size.
const LONGEST: usize = 4000;

fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text.push_str(" … (cut; `coulisse check` prints all)");
    }
    text
}

/// A message as FMI 2.0 wants it: `#` stands for the name of a variable, `##` for itself. It is a format of `printf`, where `%%` is a percent
/// sign; loggers that take no further arguments show it, too.
fn format_of(text: &str) -> String {
    cut(text.replace('#', "##")).replace('%', "%%")
}

/// The text up to its first zero byte, if it has one.
pub fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
