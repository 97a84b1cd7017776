//! What a call answers, and the messages that go to the host's log.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Faults;

/// Answer of every FMI call; the numbers are those of `fmi2Status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    /// Done, but something is perhaps not what was meant; the log says what.
    Warning = 1,
    /// The communication step could not be finished, or a question has no answer.
    Discard = 2,
    /// Refused or failed; the log says why.
    Error = 3,
    Fatal = 4,
    Pending = 5,
}

impl From<()> for Status {
    fn from((): ()) -> Status {
        Status::Ok
    }
}

/// What a message is about. A host switches each on or off, but errors are always sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Error,
    Warning,
    Discard,
    Events,
    Solver,
}

impl Category {
    /// All categories, as in `modelDescription/log_categories.xml`.
    pub const ALL: [Category; 5] =
        [Category::Error, Category::Warning, Category::Discard, Category::Events, Category::Solver];

    /// Name in the model description.
    pub fn name(self) -> &'static str {
        match self {
            Category::Error => "logStatusError",
            Category::Warning => "logStatusWarning",
            Category::Discard => "logStatusDiscard",
            Category::Events => "logEvents",
            Category::Solver => "logSolver",
        }
    }
}

/// A call that was not carried out, and why. Nothing has changed unless the message says so.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// [`Status::Error`] or [`Status::Discard`].
    pub status: Status,
    pub message: String,
    /// Where the model is to blame: what is wrong with it, with the place in its file.
    pub faults: Option<Box<Faults>>,
}

impl From<Faults> for Refusal {
    fn from(faults: Faults) -> Refusal {
        Refusal {
            faults: Some(Box::new(faults.clone())),
            ..Refusal::error(faults.to_string().trim_end())
        }
    }
}

impl Refusal {
    /// The call is wrong or has failed.
    pub fn error(message: impl Into<String>) -> Refusal {
        Refusal { status: Status::Error, message: message.into(), faults: None }
    }

    /// The call is right but cannot be answered.
    pub fn discard(message: impl Into<String>) -> Refusal {
        Refusal { status: Status::Discard, message: message.into(), faults: None }
    }
}

/// Where messages go: the logger of the host, or a list in a test.
pub trait Sink {
    /// Takes one message; it may span several lines.
    fn message(&self, status: Status, category: Category, text: &str);
}

/// The log of one instance: a sink and the categories that the host wants to see.
pub struct Log {
    sink: Box<dyn Sink>,
    wanted: [bool; Category::ALL.len()],
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("wanted", &self.wanted).finish()
    }
}

/// The name that the standard has for all categories.
const ALL: &str = "logAll";

impl Log {
    /// A log with all categories on or all off.
    pub fn new(sink: Box<dyn Sink>, on: bool) -> Log {
        Log { sink, wanted: [on; Category::ALL.len()] }
    }

    /// Whether messages of `category` reach the host; for those that cost something to write.
    pub fn wants(&self, category: Category) -> bool {
        self.wanted[category as usize]
    }

    /// Sends a message if its category is on. Errors and discarded steps are sent in any case:
    /// an engineer whose simulation stops must see why.
    pub fn send(&self, status: Status, category: Category, text: &str) {
        if status >= Status::Discard || self.wants(category) {
            self.sink.message(status, category, text);
        }
    }

    /// Sends the message of a refusal.
    pub fn refused(&self, call: &str, refusal: &Refusal) {
        let category = match refusal.status {
            Status::Discard => Category::Discard,
            _ => Category::Error,
        };
        self.send(refusal.status, category, &format!("{call}: {refusal}"));
    }

    /// Switches the named categories on and all others off, or the named ones off; all if none is
    /// named or one of the names is `logAll`.
    ///
    /// # Errors
    /// When a name is not a category of this model; nothing is switched then.
    pub fn switch(&mut self, on: bool, names: &[&str]) -> Result<(), Refusal> {
        if names.is_empty() || names.contains(&ALL) {
            self.wanted = [on; Category::ALL.len()];
            return Ok(());
        }
        // "Only" these, says the standard.
        let mut wanted = if on { [false; Category::ALL.len()] } else { self.wanted };
        for name in names {
            let category = Category::ALL.iter().find(|c| c.name() == *name);
            let Some(category) = category else {
                let allowed = Category::ALL.map(Category::name).join(", ");
                return Err(Refusal::error(format!(
                    "unknown log category `{name}`; allowed: {allowed}"
                )));
            };
            wanted[*category as usize] = on;
        }
        self.wanted = wanted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    struct List(Rc<RefCell<Vec<String>>>);

    impl Sink for List {
        fn message(&self, _: Status, category: Category, text: &str) {
            self.0.borrow_mut().push(format!("{} {text}", category.name()));
        }
    }

    #[test]
    fn a_silent_log_still_tells_why_a_simulation_stopped() {
        let lines = Rc::new(RefCell::new(Vec::new()));
        let log = Log::new(Box::new(List(Rc::clone(&lines))), false);
        log.send(Status::Ok, Category::Events, "started");
        log.refused("fmi2DoStep", &Refusal::discard("no convergence"));
        log.refused("fmi2DoStep", &Refusal::error("wrong"));
        assert_eq!(
            *lines.borrow(),
            ["logStatusDiscard fmi2DoStep: no convergence", "logStatusError fmi2DoStep: wrong"]
        );
    }

    #[test]
    fn an_unknown_category_switches_nothing() {
        let lines = Rc::new(RefCell::new(Vec::new()));
        let mut log = Log::new(Box::new(List(lines)), false);
        let refusal = log.switch(true, &["logEvents", "logEverything"]);
        assert!(refusal.is_err_and(|r| r.message.contains("`logEverything`")));
        assert!(!log.wants(Category::Events));
    }

    #[test]
    fn named_categories_are_the_only_ones() {
        let mut log = Log::new(Box::new(List(Rc::default())), true);
        assert!(log.switch(true, &["logEvents"]).is_ok());
        assert!(log.wants(Category::Events) && !log.wants(Category::Solver));
        assert!(log.switch(true, &["logAll"]).is_ok());
        assert!(log.wants(Category::Solver));
        assert!(log.switch(false, &["logSolver"]).is_ok());
        assert!(log.wants(Category::Events) && !log.wants(Category::Solver));
    }

    #[test]
    fn described_categories_are_the_known_ones() {
        let described = include_str!("../../modelDescription/log_categories.xml");
        assert_eq!(described.matches("<Category ").count(), Category::ALL.len());
        for category in Category::ALL {
            assert!(described.contains(&format!("name=\"{}\"", category.name())));
        }
    }
}
