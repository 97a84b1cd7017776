//! Two ways to drive one mechanism: a model in this process, or an FMU through its C interface.
//!
//! [`run`](crate::run) knows only [`Slave`], so that both give the same numbers.

mod c;
mod c3;
mod safe;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use coulisse::fmu::{Built, Status};
use coulisse::model::Model;
use coulisse::system::State;

pub use safe::InProcess;

use crate::archive::{Standard, Unpacked};
use crate::description::Kind;

/// A co-simulation slave.
pub trait Slave {
    /// Sets variables of one type; Booleans are 0 or 1.
    ///
    /// # Errors
    /// What the slave says.
    fn set(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<()>;

    /// Reads variables of one type into `values`.
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

/// An FMU in its library.
pub trait Foreign: Slave {
    /// Saves the state, lets `go_on` change it, and restores it.
    ///
    /// # Errors
    /// When the library has no such functions, refuses, or `go_on` fails.
    fn save_and_return(
        &mut self, go_on: &mut dyn FnMut(&mut dyn Slave) -> Result<()>,
    ) -> Result<()>;

    /// What every slave can.
    fn slave(self: Box<Self>) -> Box<dyn Slave>;
}

/// An instance of an unpacked FMU, by the functions of its standard.
///
/// # Errors
/// When the library cannot be loaded, lacks a function, or refuses.
pub fn of(fmu: &Unpacked) -> Result<Box<dyn Foreign>> {
    Ok(match fmu.description.standard {
        Standard::Fmi2 => Box::new(c::Unit::new(fmu)?),
        Standard::Fmi3 => Box::new(c3::Unit::new(fmu)?),
    })
}

/// What a slave has logged and nobody has read yet.
#[derive(Debug, Clone, Default)]
struct Journal {
    messages: Rc<RefCell<Vec<(Status, String)>>>,
    warnings: Rc<RefCell<Vec<String>>>,
}

impl Journal {
    fn add(&self, status: Status, text: String) {
        self.messages.borrow_mut().push((status, text));
    }

    /// Turns the status of a call into a result. Warnings are kept; the messages of a refused call become its error.
    fn answer(&self, call: &str, status: Status) -> Result<()> {
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
