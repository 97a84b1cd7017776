//! An FMU of any tool in its library, which the command loads and calls through the C interface of its standard.
#![allow(unsafe_code)]

mod fmi2;
mod fmi3;

use std::ffi::{CString, c_int};
use std::path::Path;
use std::ptr;

use anyhow::{Context, Error, Result};
use coulisse::abi::types::{Component, Environment, FmuState};
use coulisse::fmu::Status;
use libloading::Library;

use crate::archive::Standard;
use crate::description::Kind;
use crate::host::{Journal, Slave};
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
        Standard::Fmi2 => Box::new(Unit::<fmi2::Functions>::new(fmu)?),
        Standard::Fmi3 => Box::new(Unit::<fmi3::Functions>::new(fmu)?),
    })
}

/// What is called otherwise in each standard. Codes are those that the library answers.
trait Calls: Sized {
    /// What names of functions begin with.
    const PREFIX: &str;
    /// The state of an FMU as its functions name it.
    const STATE: &str;

    /// Finds the functions.
    fn find(library: &Library) -> Result<Self>;

    /// Makes an instance, NULL where the library refuses, which logs to `environment`; with the name of the function.
    fn instantiate(
        &mut self, fmu: &Unpacked, environment: Environment,
    ) -> Result<(&'static str, Component)>;

    /// As [`Slave::set`].
    fn set(&self, c: Component, kind: Kind, references: &[u32], values: &[f64]) -> Result<c_int>;

    /// As [`Slave::get`].
    fn get(
        &self, c: Component, kind: Kind, references: &[u32], values: &mut [f64],
    ) -> Result<c_int>;

    /// Enters Initialization Mode with this end, s; the name of the last function.
    fn begin(&self, c: Component, stop: f64) -> (&'static str, c_int);

    /// A communication step (s), and the time that was reached where it is discarded.
    fn step(&self, c: Component, time: f64, length: f64) -> (c_int, f64);
}

type Plain = unsafe extern "C" fn(Component) -> c_int;
type Free = unsafe extern "C" fn(Component);
type State = unsafe extern "C" fn(Component, *mut FmuState) -> c_int;
type SetState = unsafe extern "C" fn(Component, FmuState) -> c_int;

/// One instance of an unpacked FMU.
struct Unit<C: Calls> {
    component: Component,
    free: Free,
    exit: Plain,
    terminate: Plain,
    calls: C,
    journal: Journal,
    time: f64,
    /// The FMU may log until the instance is freed.
    _environment: Box<Journal>,
    /// Unloaded after the instance is gone.
    library: Library,
}

impl<C: Calls> Unit<C> {
    /// Loads the library and makes an instance.
    fn new(fmu: &Unpacked) -> Result<Unit<C>> {
        let path = fmu.library()?;
        // SAFETY: loading a library runs its initialisers; the user asked to run this FMU.
        let library = unsafe { Library::new(&path) };
        let library = library.map_err(|error| not_loaded(&path, error))?;
        let mut calls = C::find(&library)?;
        let name = |name: &str| format!("{}{name}", C::PREFIX);
        // SAFETY: the types are those of the standard, which modelDescription.xml promises.
        let (free, exit, terminate) = unsafe {
            let free: Free = function(&library, &name("FreeInstance"))?;
            let exit: Plain = function(&library, &name("ExitInitializationMode"))?;
            let terminate: Plain = function(&library, &name("Terminate"))?;
            (free, exit, terminate)
        };
        let journal = Journal::default();
        let environment = Box::new(journal.clone());
        let pointer = ptr::from_ref::<Journal>(&environment).cast_mut().cast();
        let (maker, component) = calls.instantiate(fmu, pointer)?;
        if component.is_null() {
            journal.answer(maker, Status::Error)?;
        }
        Ok(Unit {
            component,
            free,
            exit,
            terminate,
            calls,
            journal,
            time: 0.0,
            _environment: environment,
            library,
        })
    }

    fn answer(&self, call: &str, code: c_int) -> Result<()> {
        self.journal.answer(call, status_of(code))
    }

    fn name(&self, function: &str) -> String {
        format!("{}{function}", C::PREFIX)
    }
}

impl<C: Calls> Drop for Unit<C> {
    fn drop(&mut self) {
        // SAFETY: the component came from this library and is not used afterwards.
        unsafe { (self.free)(self.component) }
    }
}

impl<C: Calls> Slave for Unit<C> {
    fn set(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<()> {
        let code = self.calls.set(self.component, kind, references, values)?;
        self.answer("setting a variable", code)
    }

    fn get(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<()> {
        let code = self.calls.get(self.component, kind, references, values)?;
        self.answer("reading the variables", code)
    }

    fn begin(&mut self, stop: f64) -> Result<()> {
        let (call, code) = self.calls.begin(self.component, stop);
        self.answer(call, code)
    }

    fn start(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.exit)(self.component) };
        self.answer(&self.name("ExitInitializationMode"), code)
    }

    fn step(&mut self, time: f64, length: f64) -> Result<()> {
        let (code, reached) = self.calls.step(self.component, time, length);
        self.time = if status_of(code) == Status::Discard { reached } else { time + length };
        self.answer(&self.name("DoStep"), code)
    }

    fn terminate(&mut self) -> Result<()> {
        // SAFETY: the component lives.
        let code = unsafe { (self.terminate)(self.component) };
        self.answer(&self.name("Terminate"), code)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn warnings(&mut self) -> Vec<String> {
        self.journal.warnings()
    }
}

impl<C: Calls + 'static> Foreign for Unit<C> {
    fn save_and_return(
        &mut self, go_on: &mut dyn FnMut(&mut dyn Slave) -> Result<()>,
    ) -> Result<()> {
        let [get, set, free] =
            ["Get", "Set", "Free"].map(|verb| self.name(&format!("{verb}{}", C::STATE)));
        // SAFETY: the types are those of the standard, which modelDescription.xml promises.
        let (save, restore, forget) = unsafe {
            let save: State = function(&self.library, &get)?;
            let restore: SetState = function(&self.library, &set)?;
            let forget: State = function(&self.library, &free)?;
            (save, restore, forget)
        };
        let mut state: FmuState = ptr::null_mut();
        // SAFETY: the component lives, and a state that is NULL is made.
        let code = unsafe { save(self.component, &raw mut state) };
        self.answer(&get, code)?;
        let gone = go_on(self);
        // SAFETY: the component and its state live.
        let code = unsafe { restore(self.component, state) };
        let restored = self.answer(&set, code);
        // SAFETY: the component and its state live, and the state is not used afterwards.
        let code = unsafe { forget(self.component, &raw mut state) };
        gone.and(restored).and(self.answer(&free, code))
    }

    fn slave(self: Box<Self>) -> Box<dyn Slave> {
        self
    }
}

fn status_of(code: c_int) -> Status {
    match code {
        0 => Status::Ok,
        1 => Status::Warning,
        2 => Status::Discard,
        4 => Status::Fatal,
        // Pending is not allowed for a slave without asynchronous steps.
        _ => Status::Error,
    }
}

/// Looks a function up.
///
/// # Safety
/// `F` must be the type of the function of that name.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F> {
    // SAFETY: the caller promises the type.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    let symbol = symbol.with_context(|| format!("the library of the FMU has no {name}"))?;
    Ok(*symbol)
}

/// Why a library cannot be loaded.
fn not_loaded(path: &Path, error: libloading::Error) -> Error {
    let error = Error::from(error);
    let reason = format!("{error:#}");
    // Names of Python's own functions, which only its processes have.
    let hint = match reason.contains("symbol: Py") || reason.contains("symbol: _Py") {
        true => "; it has to run in a Python process, as in FMPy",
        false => "",
    };
    error.context(format!("{}: cannot be loaded{hint}", path.display()))
}

fn c_text(text: &str) -> Result<CString> {
    CString::new(text).with_context(|| format!("`{text}` contains a zero byte"))
}
