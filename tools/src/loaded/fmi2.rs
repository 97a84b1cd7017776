//! An FMU of any tool through its C interface, FMI 2.0.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr;

use anyhow::{Context, Error, Result, bail};
use coulisse::abi::types::{
    Boolean, CO_SIMULATION, CallbackFunctions, Component, Environment, FmuState, FmuType, Integer,
    LAST_SUCCESSFUL_TIME, Real, Size, StatusKind, Text, ValueReference,
};
use coulisse::fmu::Status;
use libloading::Library;

use super::Foreign;
use crate::description::Kind;
use crate::host::{Journal, Slave};
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
type Free = unsafe extern "C" fn(Component);
type Plain = unsafe extern "C" fn(Component) -> c_int;
type Setup = unsafe extern "C" fn(Component, Boolean, Real, Real, Boolean, Real) -> c_int;
type Get<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *mut T) -> c_int;
type Set<T> = unsafe extern "C" fn(Component, *const ValueReference, Size, *const T) -> c_int;
type DoStep = unsafe extern "C" fn(Component, Real, Real, Boolean) -> c_int;
type State = unsafe extern "C" fn(Component, *mut FmuState) -> c_int;
type SetState = unsafe extern "C" fn(Component, FmuState) -> c_int;
type RealStatus = unsafe extern "C" fn(Component, StatusKind, *mut Real) -> c_int;

/// The functions that this host calls.
struct Functions {
    free: Free,
    setup: Setup,
    enter: Plain,
    exit: Plain,
    terminate: Plain,
    get_real: Get<Real>,
    get_integer: Get<Integer>,
    get_boolean: Get<Boolean>,
    set_real: Set<Real>,
    set_integer: Set<Integer>,
    set_boolean: Set<Boolean>,
    do_step: DoStep,
    real_status: RealStatus,
}

/// One instance of an unpacked FMU.
pub struct Unit {
    component: Component,
    functions: Functions,
    journal: Journal,
    time: f64,
    /// The FMU may use its callbacks until the instance is freed.
    _callbacks: Box<CallbackFunctions>,
    _environment: Box<Journal>,
    /// Unloaded after the instance is gone.
    library: Library,
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

pub(super) fn status_of(code: c_int) -> Status {
    match code {
        0 => Status::Ok,
        1 => Status::Warning,
        2 => Status::Discard,
        4 => Status::Fatal,
        // Pending is not allowed for a slave without asynchronous steps.
        _ => Status::Error,
    }
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
        // SAFETY: the types are those of FMI 2.0, which modelDescription.xml promises.
        let (instantiate, functions) = unsafe {
            let instantiate: Instantiate = function(&library, "fmi2Instantiate")?;
            let functions = Functions {
                free: function(&library, "fmi2FreeInstance")?,
                setup: function(&library, "fmi2SetupExperiment")?,
                enter: function(&library, "fmi2EnterInitializationMode")?,
                exit: function(&library, "fmi2ExitInitializationMode")?,
                terminate: function(&library, "fmi2Terminate")?,
                get_real: function(&library, "fmi2GetReal")?,
                get_integer: function(&library, "fmi2GetInteger")?,
                get_boolean: function(&library, "fmi2GetBoolean")?,
                set_real: function(&library, "fmi2SetReal")?,
                set_integer: function(&library, "fmi2SetInteger")?,
                set_boolean: function(&library, "fmi2SetBoolean")?,
                do_step: function(&library, "fmi2DoStep")?,
                real_status: function(&library, "fmi2GetRealStatus")?,
            };
            (instantiate, functions)
        };
        let journal = Journal::default();
        let environment = Box::new(journal.clone());
        let callbacks = Box::new(CallbackFunctions {
            logger: Some(coulisse_host_logger),
            allocate_memory: Some(libc::calloc),
            free_memory: Some(libc::free),
            step_finished: None,
            environment: ptr::from_ref::<Journal>(&environment).cast_mut().cast(),
        });
        let name = c_text(&fmu.description.model_name)?;
        let guid = c_text(&fmu.description.guid)?;
        let location = c_text(&fmu.resource_location()?)?;
        // SAFETY: all pointers outlive the call, callbacks and environment the instance.
        let component = unsafe {
            instantiate(
                name.as_ptr(),
                CO_SIMULATION,
                guid.as_ptr(),
                location.as_ptr(),
                &raw const *callbacks,
                0,
                0,
            )
        };
        if component.is_null() {
            journal.answer("fmi2Instantiate", Status::Error)?;
        }
        Ok(Unit {
            component,
            functions,
            journal,
            time: 0.0,
            _callbacks: callbacks,
            _environment: environment,
            library,
        })
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
        let whole: Vec<c_int> = values.iter().map(|v| *v as c_int).collect();
        let refs = references.as_ptr();
        // SAFETY: the component lives, and the arrays have the length that is passed.
        let code = unsafe {
            match kind {
                Kind::Real => (f.set_real)(c, refs, n, values.as_ptr()),
                Kind::Integer | Kind::Long => (f.set_integer)(c, refs, n, whole.as_ptr()),
                Kind::Boolean => (f.set_boolean)(c, refs, n, whole.as_ptr()),
                Kind::Text | Kind::Other => bail!("text variables cannot be set"),
            }
        };
        self.answer("setting a variable", code)
    }

    fn get(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<()> {
        let (c, f, n) = (self.component, &self.functions, references.len());
        let mut whole = vec![0; if kind == Kind::Real { 0 } else { n }];
        let refs = references.as_ptr();
        // SAFETY: the component lives, and the arrays have the length that is passed.
        let code = unsafe {
            match kind {
                Kind::Real => (f.get_real)(c, refs, n, values.as_mut_ptr()),
                Kind::Integer | Kind::Long => (f.get_integer)(c, refs, n, whole.as_mut_ptr()),
                Kind::Boolean => (f.get_boolean)(c, refs, n, whole.as_mut_ptr()),
                Kind::Text | Kind::Other => bail!("text variables are not read"),
            }
        };
        for (value, number) in values.iter_mut().zip(whole) {
            *value = f64::from(number);
        }
        self.answer("reading the variables", code)
    }

    fn begin(&mut self, stop: f64) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.setup)(self.component, 0, 0.0, 0.0, 1, stop) };
        self.answer("fmi2SetupExperiment", code)?;
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.enter)(self.component) };
        self.answer("fmi2EnterInitializationMode", code)
    }

    fn start(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.exit)(self.component) };
        self.answer("fmi2ExitInitializationMode", code)
    }

    fn step(&mut self, time: f64, length: f64) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.do_step)(self.component, time, length, 1) };
        let mut reached = time + length;
        if status_of(code) == Status::Discard {
            // SAFETY: the component lives, and `reached` is one number.
            let answered = unsafe {
                let status = self.functions.real_status;
                status(self.component, LAST_SUCCESSFUL_TIME, &raw mut reached)
            };
            if answered != 0 {
                reached = time;
            }
        }
        self.time = reached;
        self.answer("fmi2DoStep", code)
    }

    fn terminate(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.functions.terminate)(self.component) };
        self.answer("fmi2Terminate", code)
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
        // SAFETY: the types are those of FMI 2.0, which modelDescription.xml promises.
        let (save, restore, free) = unsafe {
            let save: State = function(&self.library, "fmi2GetFMUstate")?;
            let restore: SetState = function(&self.library, "fmi2SetFMUstate")?;
            let free: State = function(&self.library, "fmi2FreeFMUstate")?;
            (save, restore, free)
        };
        let mut state: FmuState = ptr::null_mut();
        // SAFETY: the component lives, and a state that is NULL is made.
        let code = unsafe { save(self.component, &raw mut state) };
        self.answer("fmi2GetFMUstate", code)?;
        let gone = go_on(self);
        // SAFETY: the component and its state live.
        let code = unsafe { restore(self.component, state) };
        let restored = self.answer("fmi2SetFMUstate", code);
        // SAFETY: the component and its state live, and the state is not used afterwards.
        let code = unsafe { free(self.component, &raw mut state) };
        gone.and(restored).and(self.answer("fmi2FreeFMUstate", code))
    }

    fn slave(self: Box<Unit>) -> Box<dyn Slave> {
        self
    }
}

/// Looks a function up.
///
/// # Safety
/// `F` must be the type of the function of that name.
pub(super) unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F> {
    // SAFETY: the caller promises the type.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    let symbol = symbol.with_context(|| format!("the library of the FMU has no {name}"))?;
    Ok(*symbol)
}

/// Why a library cannot be loaded.
pub(super) fn not_loaded(path: &Path, error: libloading::Error) -> Error {
    let error = Error::from(error);
    let reason = format!("{error:#}");
    // Names of Python's own functions, which only its processes have.
    let hint = match reason.contains("symbol: Py") || reason.contains("symbol: _Py") {
        true => "; it has to run in a Python process, as in FMPy",
        false => "",
    };
    error.context(format!("{}: cannot be loaded{hint}", path.display()))
}

pub(super) fn c_text(text: &str) -> Result<CString> {
    CString::new(text).with_context(|| format!("`{text}` contains a zero byte"))
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
