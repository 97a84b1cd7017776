//! What a [`Master`](crate::master::Master) drives: a model in this process, or an FMU through its C interface, which the command loads.
//!
//! The master knows only [`Slave`], so that both give the same numbers.

mod safe;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use coulisse::fmu::{Built, Status};
use coulisse::model::Model;
use coulisse::system::State;

pub use safe::InProcess;

use crate::description::Kind;

/// A co-simulation slave.
pub trait Slave {
    /// Sets variables of one type; Booleans are 0 or 1.
    ///
    /// # Errors
    /// What the slave says.
    fn set(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<()>;

    /// Reads variables of one type into `values`: one for each, and all elements of an array of FMI 3.0.
    ///
    /// # Errors
    /// What the slave says.
    fn get(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<()>;

    /// Sets the time frame and enters Initialization Mode.
    ///
    /// # Errors
    /// What the slave says.
    fn begin(&mut self, stop: f64) -> Result<()>;

    /// Leaves Initialization Mode.
    ///
    /// # Errors
    /// What the slave says.
    fn start(&mut self) -> Result<()>;

    /// One communication step.
    ///
    /// # Errors
    /// What the slave says.
    fn step(&mut self, time: f64, length: f64) -> Result<()>;

    /// Ends the simulation.
    ///
    /// # Errors
    /// What the slave says.
    fn terminate(&mut self) -> Result<()>;

    /// The time that the slave has reached.
    fn time(&self) -> f64;

    /// The mechanism inside and its state, where the slave shows them.
    fn mechanism(&self) -> Option<(&Arc<Built>, &State)> {
        None
    }

    /// The model inside, where the slave shows it.
    fn model(&self) -> Option<&Model> {
        None
    }

    /// The warnings since this was last asked.
    fn warnings(&mut self) -> Vec<String>;
}

/// What a slave has logged and nobody has read yet.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    messages: Rc<RefCell<Vec<(Status, String)>>>,
    warnings: Rc<RefCell<Vec<String>>>,
}

impl Journal {
    /// Keeps a message.
    pub fn add(&self, status: Status, text: String) {
        self.messages.borrow_mut().push((status, text));
    }

    /// The warnings since this was last asked.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// Turns the status of a call into a result. Warnings are kept; the messages of a refused call become its error.
    ///
    /// # Errors
    /// What the slave has logged of a refused call.
    pub fn answer(&self, call: &str, status: Status) -> Result<()> {
        let messages = self.messages.take();
        let refused = status >= Status::Discard;
        let (errors, others): (Vec<_>, Vec<_>) =
            messages.into_iter().partition(|(s, _)| refused && *s >= Status::Discard);
        let warnings = others.into_iter().filter(|(s, _)| *s >= Status::Warning);
        self.warnings.borrow_mut().extend(warnings.map(|(_, text)| text));
        if !refused {
            return Ok(());
        }
        let texts: Vec<String> = errors.into_iter().map(|(_, text)| text).collect();
        if texts.is_empty() {
            return Err(anyhow!("{call} answered {status:?} and logged no reason"));
        }
        Err(anyhow!(texts.join("\n")))
    }
}
