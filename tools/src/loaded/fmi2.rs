//! The C interface of FMI 2.0 for co-simulation.

use std::ffi::{CStr, c_int};
use std::ptr;

use anyhow::{Result, bail};
use coulisse::abi::types::{
    Boolean, CO_SIMULATION, CallbackFunctions, Component, Environment, FmuType, Integer,
    LAST_SUCCESSFUL_TIME, Real, Size, StatusKind, Text, ValueReference,
};
use coulisse::fmu::Status;
use libloading::Library;

use super::{Calls, Plain, c_text, function, status_of};
use crate::description::Kind;
use crate::host::Journal;
use crate::unpacked::Unpacked;

type Instantiate = unsafe extern "C" fn(
    Text,
    FmuType,
    Text,
    Text,
    *const CallbackFunctions,
    Boolean,
    Boolean,
) -> Component;
type Setup = unsafe extern "C" fn(Component, Boolean, Real, Real, Boolean, Real) -> c_int;
type Get<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *mut T) -> c_int;
type Set<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *const T) -> c_int;
type DoStep = unsafe extern "C" fn(Component, Real, Real, Boolean) -> c_int;
type RealStatus = unsafe extern "C" fn(Component, StatusKind, *mut Real) -> c_int;

/// The functions that this host calls.
pub struct Functions {
    instantiate: Instantiate,
    setup: Setup,
    enter: Plain,
    get_real: Get<Real>,
    get_integer: Get<Integer>,
    get_boolean: Get<Boolean>,
    set_real: Set<Real>,
    set_integer: Set<Integer>,
    set_boolean: Set<Boolean>,
    do_step: DoStep,
    real_status: RealStatus,
    /// The FMU may use its callbacks until the instance is freed.
    callbacks: Option<Box<CallbackFunctions>>,
}

unsafe extern "C" {
    /// The logger of `logger.c`, which prints the arguments into the text and calls
    /// [`coulisse_host_message`].
    fn coulisse_host_logger(
        environment: Environment, instance: Text, status: c_int, category: Text, format: Text, ...
    );
}

/// Takes a message with its arguments printed.
///
/// # Safety
/// `environment` is NULL or the [`Journal`] that was handed over with the logger; `text` ends with a zero
/// byte.
#[unsafe(no_mangle)]
unsafe extern "C" fn coulisse_host_message(environment: Environment, status: c_int, text: Text) {
    if environment.is_null() {
        return;
    }
    // SAFETY: the caller's promise; the text lives through the call, the journal as long as the instance.
    let (journal, text) = unsafe { (&*environment.cast::<Journal>(), CStr::from_ptr(text)) };
    journal.add(status_of(status), text.to_string_lossy().into_owned());
}

impl Calls for Functions {
    const PREFIX: &str = "fmi2";
    const STATE: &str = "FMUstate";

    fn find(library: &Library) -> Result<Functions> {
        // SAFETY: the types are those of FMI 2.0, which modelDescription.xml promises.
        unsafe {
            Ok(Functions {
                instantiate: function(library, "fmi2Instantiate")?,
                setup: function(library, "fmi2SetupExperiment")?,
                enter: function(library, "fmi2EnterInitializationMode")?,
                get_real: function(library, "fmi2GetReal")?,
                get_integer: function(library, "fmi2GetInteger")?,
                get_boolean: function(library, "fmi2GetBoolean")?,
                set_real: function(library, "fmi2SetReal")?,
                set_integer: function(library, "fmi2SetInteger")?,
                set_boolean: function(library, "fmi2SetBoolean")?,
                do_step: function(library, "fmi2DoStep")?,
                real_status: function(library, "fmi2GetRealStatus")?,
                callbacks: None,
            })
        }
    }

    fn instantiate(
        &mut self, fmu: &Unpacked, environment: Environment,
    ) -> Result<(&'static str, Component)> {
        let callbacks = self.callbacks.insert(Box::new(CallbackFunctions {
            logger: Some(coulisse_host_logger),
            allocate_memory: Some(libc::calloc),
            free_memory: Some(libc::free),
            step_finished: None,
            environment,
        }));
        let name = c_text(&fmu.description.model_name)?;
        let guid = c_text(&fmu.description.guid)?;
        let location = c_text(&fmu.resource_location()?)?;
        let (name, guid, location) = (name.as_ptr(), guid.as_ptr(), location.as_ptr());
        let callbacks = ptr::from_ref::<CallbackFunctions>(callbacks);
        // SAFETY: all pointers outlive the call, callbacks and environment the instance.
        let component =
            unsafe { (self.instantiate)(name, CO_SIMULATION, guid, location, callbacks, 0, 0) };
        Ok(("fmi2Instantiate", component))
    }

    fn set(&self, c: Component, kind: Kind, references: &[u32], values: &[f64]) -> Result<c_int> {
        let (refs, n) = (references.as_ptr(), references.len());
        let whole: Vec<c_int> = values.iter().map(|v| *v as c_int).collect();
        // SAFETY: the component lives, and the arrays have the length that is passed.
        Ok(unsafe {
            match kind {
                Kind::Real => (self.set_real)(c, refs, n, values.as_ptr()),
                Kind::Integer | Kind::Long => (self.set_integer)(c, refs, n, whole.as_ptr()),
                Kind::Boolean => (self.set_boolean)(c, refs, n, whole.as_ptr()),
                Kind::Text | Kind::Size | Kind::Other => bail!("text variables cannot be set"),
            }
        })
    }

    fn get(
        &self, c: Component, kind: Kind, references: &[u32], values: &mut [f64],
    ) -> Result<c_int> {
        let (refs, n) = (references.as_ptr(), references.len());
        let mut whole = vec![0; if kind == Kind::Real { 0 } else { n }];
        // SAFETY: the component lives, and the arrays have the length that is passed.
        let code = unsafe {
            match kind {
                Kind::Real => (self.get_real)(c, refs, n, values.as_mut_ptr()),
                Kind::Integer | Kind::Long => (self.get_integer)(c, refs, n, whole.as_mut_ptr()),
                Kind::Boolean => (self.get_boolean)(c, refs, n, whole.as_mut_ptr()),
                Kind::Text | Kind::Size | Kind::Other => bail!("text variables are not read"),
            }
        };
        for (value, number) in values.iter_mut().zip(whole) {
            *value = f64::from(number);
        }
        Ok(code)
    }

    fn begin(&self, c: Component, stop: f64) -> (&'static str, c_int) {
        // SAFETY: the component lives.
        let code = unsafe { (self.setup)(c, 0, 0.0, 0.0, 1, stop) };
        if status_of(code) >= Status::Discard {
            return ("fmi2SetupExperiment", code);
        }
        // SAFETY: the component lives.
        ("fmi2EnterInitializationMode", unsafe { (self.enter)(c) })
    }

    fn step(&self, c: Component, time: f64, length: f64) -> (c_int, f64) {
        // SAFETY: the component lives.
        let code = unsafe { (self.do_step)(c, time, length, 1) };
        let mut reached = time;
        if status_of(code) == Status::Discard {
            // SAFETY: the component lives, and `reached` is one number.
            let answered = unsafe { (self.real_status)(c, LAST_SUCCESSFUL_TIME, &raw mut reached) };
            if answered != 0 {
                reached = time;
            }
        }
        (code, reached)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_with_its_arguments_printed() {
        let journal = Journal::default();
        let environment: Environment = ptr::from_ref(&journal).cast_mut().cast();
        let (name, category) = (c"unit".as_ptr(), c"logStatusError".as_ptr());
        // SAFETY: the journal outlives the calls, and the arguments are those of the format.
        unsafe {
            let format = c"%s: %d of %d at %.2f s".as_ptr();
            let (what, time) = (c"steps".as_ptr(), 0.25_f64);
            coulisse_host_logger(environment, name, 3, category, format, what, 3, 7, time);
            coulisse_host_logger(environment, name, 3, category, c"100 %%".as_ptr());
            coulisse_host_logger(ptr::null_mut(), name, 3, category, c"to nobody".as_ptr());
        }
        let refused = journal.answer("fmi2DoStep", Status::Error).unwrap_err().to_string();
        assert!(
            refused.contains("steps: 3 of 7 at 0.25 s") && refused.contains("100 %"),
            "{refused}"
        );
    }
}
