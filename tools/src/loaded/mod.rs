//! An FMU of any tool in its library, which the command loads.

mod fmi2;
mod fmi3;

use anyhow::Result;

use crate::archive::Standard;
use crate::host::Slave;
use crate::unpacked::Unpacked;

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
        Standard::Fmi2 => Box::new(fmi2::Unit::new(fmu)?),
        Standard::Fmi3 => Box::new(fmi3::Unit::new(fmu)?),
    })
}
