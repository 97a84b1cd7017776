//! An FMU of any tool through its C interface, FMI 3.0, without events.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use anyhow::{Result, bail};
use coulisse::abi::types::{
    Bool, Component, Environment, FmuState, Integer, IntermediateUpdate, LogMessage, Real, Size,
    Text, ValueReference,
};
use coulisse::fmu::Status;
use libloading::Library;

use super::Foreign;
use super::fmi2::{c_text, function, not_loaded, status_of};
use crate::description::Kind;
use crate::host::{Journal, Slave};
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
type Free = unsafe extern "C" fn(Component);
type Plain = unsafe extern "C" fn(Component) -> c_int;
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
type State = unsafe extern "C" fn(Component, *mut FmuState) -> c_int;
type SetState = unsafe extern "C" fn(Component, FmuState) -> c_int;

/// The functions that this host calls.
struct Functions {
    free: Free,
    enter: Enter,
    exit: Plain,
    terminate: Plain,
    get_real: Get<Real>,
    get_integer: Get<Integer>,
    get_long: Get<i64>,
    get_boolean: Get<Bool>,
    set_real: Set<Real>,
    set_integer: Set<Integer>,
    set_long: Set<i64>,
    set_boolean: Set<Bool>,
    do_step: DoStep,
}

/// One instance of an unpacked FMU.
pub struct Unit {
    component: Component,
    functions: Functions,
    journal: Journal,
    time: f64,
    /// The FMU may log until the instance is freed.
    _environment: Box<Journal>,
    /// Unloaded after the instance is gone.
    library: Library,
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

impl Unit {
    /// Loads the library and makes an instance.
    ///
    /// # Errors
    /// When the library cannot be loaded, lacks a function, or refuses.
    pub fn new(fmu: &Unpacked) -> Result<Unit> {
        let path = fmu.library()?;
        // SAFETY: loading a library runs its initialisers; the user asked to run this FMU.
        let library = unsafe { Library::new(&path) };
        let library = library.map_err(|error| not_loaded(&path, error))?;
        // SAFETY: the types are those of FMI 3.0, which modelDescription.xml promises.
        let (instantiate, functions) = unsafe {
            let instantiate: Instantiate = function(&library, "fmi3InstantiateCoSimulation")?;
            let functions = Functions {
                free: function(&library, "fmi3FreeInstance")?,
                enter: function(&library, "fmi3EnterInitializationMode")?,
                exit: function(&library, "fmi3ExitInitializationMode")?,
                terminate: function(&library, "fmi3Terminate")?,
                get_real: function(&library, "fmi3GetFloat64")?,
                get_integer: function(&library, "fmi3GetInt32")?,
                get_long: function(&library, "fmi3GetInt64")?,
                get_boolean: function(&library, "fmi3GetBoolean")?,
                set_real: function(&library, "fmi3SetFloat64")?,
                set_integer: function(&library, "fmi3SetInt32")?,
                set_long: function(&library, "fmi3SetInt64")?,
                set_boolean: function(&library, "fmi3SetBoolean")?,
                do_step: function(&library, "fmi3DoStep")?,
            };
            (instantiate, functions)
        };
        let journal = Journal::default();
        let environment = Box::new(journal.clone());
        let name = c_text(&fmu.description.model_name)?;
        let token = c_text(&fmu.description.guid)?;
        let path = c_text(&fmu.resource_path())?;
        // SAFETY: all pointers outlive the call, the environment the instance.
        let component = unsafe {
            instantiate(
                name.as_ptr(),
                token.as_ptr(),
                path.as_ptr(),
                0,
                0,
                0,
                0,
                ptr::null(),
                0,
                ptr::from_ref::<Journal>(&environment).cast_mut().cast(),
                Some(log),
                None,
            )
        };
        if component.is_null() {
            journal.answer("fmi3InstantiateCoSimulation", Status::Error)?;
        }
        Ok(Unit { component, functions, journal, time: 0.0, _environment: environment, library })
    }

    fn answer(&self, call: &str, code: c_int) -> Result<()> {
        self.journal.answer(call, status_of(code))
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the component came from this library and is not used afterwards.
        unsafe { (self.functions.free)(self.component) }
    }
}

impl Slave for Unit {
    fn set(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<()> {
        let (c, f, n) = (self.component, &self.functions, references.len());
        let refs = references.as_ptr();
        // SAFETY: the component lives, and the arrays have the length that is passed.
        let code = unsafe {
            match kind {
                Kind::Real => (f.set_real)(c, refs, n, values.as_ptr(), n),
                Kind::Integer => {
                    let whole: Vec<Integer> = values.iter().map(|v| *v as Integer).collect();
                    (f.set_integer)(c, refs, n, whole.as_ptr(), n)
                }
                Kind::Long => {
                    let whole: Vec<i64> = values.iter().map(|v| *v as i64).collect();
                    (f.set_long)(c, refs, n, whole.as_ptr(), n)
                }
                Kind::Boolean => {
                    let truths: Vec<Bool> = values.iter().map(|v| Bool::from(*v != 0.0)).collect();
                    (f.set_boolean)(c, refs, n, truths.as_ptr(), n)
                }
                Kind::Text | Kind::Other => bail!("variables that are no numbers cannot be set"),
            }
        };
        self.answer("setting a variable", code)
    }

    fn get(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<()> {
        let (c, f, n) = (self.component, &self.functions, references.len());
        let refs = references.as_ptr();
        let mut whole: Vec<Integer> = vec![0; n];
        let mut long: Vec<i64> = vec![0; n];
        let mut truths: Vec<Bool> = vec![0; n];
        // SAFETY: the component lives, and the arrays have the length that is passed.
        let code = unsafe {
            match kind {
                Kind::Real => (f.get_real)(c, refs, n, values.as_mut_ptr(), n),
                Kind::Integer => (f.get_integer)(c, refs, n, whole.as_mut_ptr(), n),
                Kind::Long => (f.get_long)(c, refs, n, long.as_mut_ptr(), n),
                Kind::Boolean => (f.get_boolean)(c, refs, n, truths.as_mut_ptr(), n),
                Kind::Text | Kind::Other => bail!("variables that are no numbers are not read"),
            }
        };
        for (k, value) in values.iter_mut().enumerate() {
            *value = match kind {
                Kind::Integer => f64::from(whole[k]),
                Kind::Long => long[k] as f64,
                Kind::Boolean => f64::from(truths[k]),
                _ => *value,
            };
        }
        self.answer("reading the variables", code)
    }

    fn begin(&mut self, stop: f64) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.enter)(self.component, 0, 0.0, 0.0, 1, stop) };
        self.answer("fmi3EnterInitializationMode", code)
    }

    fn start(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.exit)(self.component) };
        self.answer("fmi3ExitInitializationMode", code)
    }

    fn step(&mut self, time: f64, length: f64) -> Result<()> {
        let mut flags: [Bool; 3] = [0; 3];
        let mut reached = time;
        let [event, terminate, early] = &mut flags;
        // SAFETY: the component and all places live.
        let code = unsafe {
            (self.functions.do_step)(
                self.component,
                time,
                length,
                1,
                event,
                terminate,
                early,
                &raw mut reached,
            )
        };
        self.time = if status_of(code) <= Status::Warning { time + length } else { reached };
        self.answer("fmi3DoStep", code)
    }

    fn terminate(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.terminate)(self.component) };
        self.answer("fmi3Terminate", code)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn warnings(&mut self) -> Vec<String> {
        self.journal.warnings()
    }
}

impl Foreign for Unit {
    fn save_and_return(
        &mut self, go_on: &mut dyn FnMut(&mut dyn Slave) -> Result<()>,
    ) -> Result<()> {
        // SAFETY: the types are those of FMI 3.0, which modelDescription.xml promises.
        let (save, restore, free) = unsafe {
            let save: State = function(&self.library, "fmi3GetFMUState")?;
            let restore: SetState = function(&self.library, "fmi3SetFMUState")?;
            let free: State = function(&self.library, "fmi3FreeFMUState")?;
            (save, restore, free)
        };
        let mut state: FmuState = ptr::null_mut();
        // SAFETY: the component lives, and a state that is NULL is made.
        let code = unsafe { save(self.component, &raw mut state) };
        self.answer("fmi3GetFMUState", code)?;
        let gone = go_on(self);
        // SAFETY: the component and its state live.
        let code = unsafe { restore(self.component, state) };
        let restored = self.answer("fmi3SetFMUState", code);
        // SAFETY: the component and its state live, and the state is not used afterwards.
        let code = unsafe { free(self.component, &raw mut state) };
        gone.and(restored).and(self.answer("fmi3FreeFMUState", code))
    }

    fn slave(self: Box<Unit>) -> Box<dyn Slave> {
        self
    }
}
