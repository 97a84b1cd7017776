//! The library of an FMU as a component of WebAssembly, by the interfaces in `wit` (FMI-LS-WASM, a draft of the Modelica Association).
//!
//! Each function passes its arguments to that of the same name in C (`coulisse::abi::fmi3`) and gives back what that answers: nothing of
//! the standard is implemented twice. What a host passes as a callback in C, the component imports. The model comes from the folder
//! `resources` of the FMU, which the host opens for the component and names as the resource path.
#![cfg(target_os = "wasi")]
// Functions of C take pointers.
#![allow(unsafe_code)]

mod calls;
mod instance;

use std::ffi::{CStr, c_int};

use coulisse::abi::fmi3::{
    fmi3GetVersion, fmi3InstantiateCoSimulation, fmi3InstantiateModelExchange,
};
use coulisse::abi::types::{Bool, Environment, Real, Text};

use exports::fmi::fmi3::co_simulation::{self, CoSimulationInstance};
use exports::fmi::fmi3::common;
use exports::fmi::fmi3::model_exchange::{self, ModelExchangeInstance};
use fmi::fmi3::callbacks::log_message;
use fmi::fmi3::intermediate_update_callbacks::intermediate_update;
use fmi::fmi3::types::Status;
use instance::Instance;

wit_bindgen::generate!({ path: "wit", world: "fmu" });

struct Fmu;

export!(Fmu);

impl common::Guest for Fmu {
    fn get_version() -> String {
        // SAFETY: a constant text.
        unsafe { words(fmi3GetVersion()) }
    }
}

impl model_exchange::Guest for Fmu {
    type ModelExchangeInstance = Instance;
}

impl co_simulation::Guest for Fmu {
    type CoSimulationInstance = Instance;
}

/// An instance for Model Exchange; none with the reason in the host's log.
fn of_model_exchange(
    name: &str, token: &str, path: &str, visible: bool, logging: bool,
) -> Option<ModelExchangeInstance> {
    let made = Instance::made(name, token, path, |name, token, path, environment| {
        // SAFETY: all texts live until this returns, the environment as long as the instance.
        unsafe {
            fmi3InstantiateModelExchange(
                name,
                token,
                path,
                visible.into(),
                logging.into(),
                environment,
                Some(log),
            )
        }
    });
    made.map(ModelExchangeInstance::new)
}

/// How a host takes part in communication steps.
struct Part {
    event_mode: bool,
    /// It is called back behind each step of the solver then.
    early_return: bool,
    required: Vec<u32>,
}

/// An instance for co-simulation; none with the reason in the host's log.
fn of_co_simulation(
    name: &str, token: &str, path: &str, visible: bool, logging: bool, part: &Part,
) -> Option<CoSimulationInstance> {
    let made = Instance::made(name, token, path, |name, token, path, environment| {
        // SAFETY: as above.
        unsafe {
            fmi3InstantiateCoSimulation(
                name,
                token,
                path,
                visible.into(),
                logging.into(),
                part.event_mode.into(),
                part.early_return.into(),
                part.required.as_ptr(),
                part.required.len(),
                environment,
                Some(log),
                // A host that allows no early return need not have this function.
                part.early_return.then_some(update),
            )
        }
    });
    made.map(CoSimulationInstance::new)
}

/// A text of the library.
///
/// # Safety
/// It ends with a zero byte.
unsafe fn words(text: Text) -> String {
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Passes a message on; the environment is the instance's name.
///
/// # Safety
/// All texts end with a zero byte.
unsafe extern "C" fn log(environment: Environment, status: c_int, category: Text, text: Text) {
    // SAFETY: the caller's promise.
    let [name, category, text] =
        unsafe { [words(environment.cast()), words(category), words(text)] };
    let status = match status {
        0 => Status::Ok,
        1 => Status::Warning,
        2 => Status::Discard,
        4 => Status::Fatal,
        _ => Status::Error,
    };
    log_message(&name, status, &category, &text);
}

/// Calls the host back behind a step of the solver. It cannot call the component meanwhile: no component can be entered again.
///
/// # Safety
/// Both places may be written.
unsafe extern "C" fn update(
    _: Environment, time: Real, settable: bool, gettable: bool, finished: bool, may_return: bool,
    wanted: *mut Bool, at: *mut Real,
) {
    let (early, end) = intermediate_update(time, settable, gettable, finished, may_return);
    // SAFETY: the caller's promise.
    unsafe {
        wanted.write(early.into());
        at.write(end);
    }
}
