//! The C interface of FMI 3.0 for co-simulation, without events.

use std::ffi::{CStr, c_int};
use std::ptr;

use anyhow::{Context, Result, bail};
use coulisse::abi::types::{
    Bool, Component, Environment, Integer, IntermediateUpdate, LogMessage, Real, Size, Text,
    ValueReference,
};
use libloading::Library;

use super::{Calls, Plain, c_text, function, status_of};
use crate::description::Kind;
use crate::host::Journal;
use crate::unpacked::Unpacked;

type Instantiate = unsafe extern "C" fn(
    Text,
    Text,
    Text,
    Bool,
    Bool,
    Bool,
    Bool,
    *const ValueReference,
    Size,
    Environment,
    Option<LogMessage>,
    Option<IntermediateUpdate>,
) -> Component;
type Enter = unsafe extern "C" fn(Component, Bool, Real, Real, Bool, Real) -> c_int;
type Get<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *mut T, Size) -> c_int;
type Set<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *const T, Size) -> c_int;
type DoStep = unsafe extern "C" fn(
    Component,
    Real,
    Real,
    Bool,
    *mut Bool,
    *mut Bool,
    *mut Bool,
    *mut Real,
) -> c_int;

/// The functions for structural parameters.
#[derive(Clone, Copy)]
struct Structure {
    enter: Plain,
    get: Get<u64>,
    set: Set<u64>,
    exit: Plain,
}

/// The functions that this host calls.
pub struct Functions {
    instantiate: Instantiate,
    enter: Enter,
    get_real: Get<Real>,
    get_integer: Get<Integer>,
    get_long: Get<i64>,
    get_boolean: Get<Bool>,
    set_real: Set<Real>,
    set_integer: Set<Integer>,
    set_long: Set<i64>,
    set_boolean: Set<Bool>,
    /// What sets structural parameters, which only FMUs with one need.
    structure: Option<Structure>,
    do_step: DoStep,
}

/// Takes a message.
///
/// # Safety
/// `environment` is the [`Journal`] that was handed over with this function, and `text` NULL or ends with a zero byte.
unsafe extern "C" fn log(environment: Environment, status: c_int, _category: Text, text: Text) {
    if environment.is_null() || text.is_null() {
        return;
    }
    // SAFETY: the caller's promise; the text lives through the call, the journal as long as the instance.
    let (journal, text) = unsafe { (&*environment.cast::<Journal>(), CStr::from_ptr(text)) };
    journal.add(status_of(status), text.to_string_lossy().into_owned());
}

/// Numbers as another type has them.
fn converted<T>(values: &[f64], convert: impl Fn(f64) -> T) -> Vec<T> {
    values.iter().map(|value| convert(*value)).collect()
}

/// Finds the functions for structural parameters.
fn structure(library: &Library) -> Result<Structure> {
    // SAFETY: the types are those of FMI 3.0, which modelDescription.xml promises.
    unsafe {
        Ok(Structure {
            enter: function(library, "fmi3EnterConfigurationMode")?,
            get: function(library, "fmi3GetUInt64")?,
            set: function(library, "fmi3SetUInt64")?,
            exit: function(library, "fmi3ExitConfigurationMode")?,
        })
    }
}

impl Functions {
    fn structure(&self) -> Result<Structure> {
        self.structure.context("the library of the FMU has no functions for structural parameters")
    }

    /// Reads values of a type into `values`.
    ///
    /// # Safety
    /// The component lives.
    unsafe fn read<T: Copy>(
        c: Component, get: Get<T>, references: &[u32], zero: T, values: &mut [f64],
        convert: impl Fn(T) -> f64,
    ) -> c_int {
        let (n, m) = (references.len(), values.len());
        let mut places = vec![zero; m];
        // SAFETY: the caller's promise, and the arrays have the lengths that are passed.
        let code = unsafe { get(c, references.as_ptr(), n, places.as_mut_ptr(), m) };
        for (value, place) in values.iter_mut().zip(places) {
            *value = convert(place);
        }
        code
    }
}

impl Calls for Functions {
    const PREFIX: &str = "fmi3";
    const STATE: &str = "FMUState";

    fn find(library: &Library) -> Result<Functions> {
        // SAFETY: the types are those of FMI 3.0, which modelDescription.xml promises.
        unsafe {
            Ok(Functions {
                instantiate: function(library, "fmi3InstantiateCoSimulation")?,
                enter: function(library, "fmi3EnterInitializationMode")?,
                get_real: function(library, "fmi3GetFloat64")?,
                get_integer: function(library, "fmi3GetInt32")?,
                get_long: function(library, "fmi3GetInt64")?,
                get_boolean: function(library, "fmi3GetBoolean")?,
                set_real: function(library, "fmi3SetFloat64")?,
                set_integer: function(library, "fmi3SetInt32")?,
                set_long: function(library, "fmi3SetInt64")?,
                set_boolean: function(library, "fmi3SetBoolean")?,
                structure: structure(library).ok(),
                do_step: function(library, "fmi3DoStep")?,
            })
        }
    }

    fn instantiate(
        &mut self, fmu: &Unpacked, environment: Environment,
    ) -> Result<(&'static str, Component)> {
        let name = c_text(&fmu.description.model_name)?;
        let token = c_text(&fmu.description.guid)?;
        let path = c_text(&fmu.resource_path())?;
        let (name, token, path) = (name.as_ptr(), token.as_ptr(), path.as_ptr());
        let (none, log) = (ptr::null(), Some(log as LogMessage));
        // SAFETY: all pointers outlive the call, the environment the instance.
        let component = unsafe {
            (self.instantiate)(name, token, path, 0, 0, 0, 0, none, 0, environment, log, None)
        };
        Ok(("fmi3InstantiateCoSimulation", component))
    }

    fn set(&self, c: Component, kind: Kind, references: &[u32], values: &[f64]) -> Result<c_int> {
        let (refs, n) = (references.as_ptr(), references.len());
        // SAFETY: the component lives, and the arrays have the length that is passed.
        Ok(unsafe {
            match kind {
                Kind::Real => (self.set_real)(c, refs, n, values.as_ptr(), n),
                Kind::Integer => {
                    let whole = converted(values, |v| v as Integer);
                    (self.set_integer)(c, refs, n, whole.as_ptr(), n)
                }
                Kind::Long => {
                    let whole = converted(values, |v| v as i64);
                    (self.set_long)(c, refs, n, whole.as_ptr(), n)
                }
                Kind::Boolean => {
                    let truths = converted(values, |v| Bool::from(v != 0.0));
                    (self.set_boolean)(c, refs, n, truths.as_ptr(), n)
                }
                Kind::Size => {
                    let structure = self.structure()?;
                    let sizes = converted(values, |v| v as u64);
                    match (structure.enter)(c) {
                        0 | 1 => match (structure.set)(c, refs, n, sizes.as_ptr(), n) {
                            0 | 1 => (structure.exit)(c),
                            code => code,
                        },
                        code => code,
                    }
                }
                Kind::Text | Kind::Other => bail!("variables that are no numbers cannot be set"),
            }
        })
    }

    fn get(
        &self, c: Component, kind: Kind, references: &[u32], values: &mut [f64],
    ) -> Result<c_int> {
        // SAFETY: the component lives.
        Ok(unsafe {
            match kind {
                Kind::Real => Functions::read(c, self.get_real, references, 0.0, values, |x| x),
                Kind::Integer => {
                    Functions::read(c, self.get_integer, references, 0, values, f64::from)
                }
                Kind::Long => {
                    Functions::read(c, self.get_long, references, 0, values, |x| x as f64)
                }
                Kind::Boolean => {
                    Functions::read(c, self.get_boolean, references, 0, values, f64::from)
                }
                Kind::Size => {
                    let get = self.structure()?.get;
                    Functions::read(c, get, references, 0, values, |x| x as f64)
                }
                Kind::Text | Kind::Other => bail!("variables that are no numbers are not read"),
            }
        })
    }

    fn begin(&self, c: Component, stop: f64) -> (&'static str, c_int) {
        // SAFETY: the component lives.
        ("fmi3EnterInitializationMode", unsafe { (self.enter)(c, 0, 0.0, 0.0, 1, stop) })
    }

    fn step(&self, c: Component, time: f64, length: f64) -> (c_int, f64) {
        let mut flags: [Bool; 3] = [0; 3];
        let mut reached = time;
        let [event, terminate, early] = &mut flags;
        // SAFETY: the component and all places live.
        let code = unsafe {
            (self.do_step)(c, time, length, 1, event, terminate, early, &raw mut reached)
        };
        (code, reached)
    }
}
