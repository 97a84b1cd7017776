//! An instance, and how arguments in lists become those of functions of C.
//!
//! Every call below is safe for the same reasons: the handle is live, as it came from the library and is freed with the instance; and
//! pointers and lengths are those of lists that outlive the call.

use std::ffi::CString;

use coulisse::abi::fmi3::{
    fmi3DeserializeFMUState, fmi3FreeFMUState, fmi3FreeInstance, fmi3GetFMUState,
    fmi3SerializeFMUState, fmi3SerializedFMUStateSize, fmi3SetFMUState,
};
use coulisse::abi::lists::{c_text, number_of_values};
use coulisse::abi::types::{Component, Environment, FmuState, Text};
use coulisse::fmu::{Call, Status as Answer};

use crate::fmi::fmi3::callbacks::log_message;
use crate::fmi::fmi3::types::Status;

/// An instance of either use.
pub struct Instance {
    pub handle: Component,
    /// What log messages begin with; the library has its address.
    _name: CString,
}

/// A function that reads values of variables.
type Getter<T> = unsafe extern "C" fn(Component, *const u32, usize, *mut T, usize) -> Answer;
/// A function that sets them.
type Setter<T> = unsafe extern "C" fn(Component, *const u32, usize, *const T, usize) -> Answer;
/// A function that reads a vector of the continuous states.
type Vector = unsafe extern "C" fn(Component, *mut f64, usize) -> Answer;

/// The status of a call.
pub fn status(answer: Answer) -> Status {
    match answer {
        Answer::Ok => Status::Ok,
        Answer::Warning => Status::Warning,
        Answer::Discard => Status::Discard,
        Answer::Error | Answer::Pending => Status::Error,
        Answer::Fatal => Status::Fatal,
    }
}

/// What a call gives, unless it was refused.
pub fn given<T>(value: T, answer: Answer) -> Result<T, Status> {
    match status(answer) {
        Status::Ok | Status::Warning => Ok(value),
        refused => Err(refused),
    }
}

/// Reports to the host why the component ends: a panic cannot be caught in it.
fn tell_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let text = format!(
            "a defect of coulisse, not of the model: {panic}; please report it with the model file"
        );
        log_message("coulisse", Status::Fatal, "logStatusError", &text);
    }));
}

impl Instance {
    /// What `make` makes of name, token, path and environment.
    pub fn made(
        name: &str, token: &str, path: &str,
        make: impl FnOnce(Text, Text, Text, Environment) -> Component,
    ) -> Option<Instance> {
        tell_of_panics();
        let [name, token, path] = [name, token, path].map(c_text);
        let environment = name.as_ptr().cast_mut().cast();
        let handle = make(name.as_ptr(), token.as_ptr(), path.as_ptr(), environment);
        (!handle.is_null()).then_some(Instance { handle, _name: name })
    }

    /// Number of values of variables, asked for by a call.
    pub fn number(&self, call: Call, references: &[u32]) -> Result<usize, Status> {
        // SAFETY: that of this module.
        unsafe { number_of_values(self.handle, call, references) }.map_err(status)
    }

    /// Reads values of variables.
    pub fn get<T: Clone + Default>(
        &self, call: Call, references: &[u32], function: Getter<T>,
    ) -> Result<Vec<T>, Status> {
        let mut values = vec![T::default(); self.number(call, references)?];
        // SAFETY: that of this module.
        let answer = unsafe {
            let place = values.as_mut_ptr();
            function(self.handle, references.as_ptr(), references.len(), place, values.len())
        };
        given(values, answer)
    }

    /// Sets values of variables.
    pub fn set<T>(&self, references: &[u32], values: &[T], function: Setter<T>) -> Status {
        let (n, m) = (references.len(), values.len());
        // SAFETY: that of this module.
        status(unsafe { function(self.handle, references.as_ptr(), n, values.as_ptr(), m) })
    }

    /// Reads a vector of continuous states.
    pub fn vector(&self, length: usize, function: Vector) -> Result<Vec<f64>, Status> {
        let mut values = vec![0.0; length];
        // SAFETY: that of this module.
        let answer = unsafe { function(self.handle, values.as_mut_ptr(), length) };
        given(values, answer)
    }

    /// The bytes of the state.
    pub fn save(&self) -> Result<Vec<u8>, Status> {
        let mut state: FmuState = std::ptr::null_mut();
        // SAFETY: that of this module.
        given((), unsafe { fmi3GetFMUState(self.handle, &raw mut state) })?;
        let mut size = 0;
        // SAFETY: that of this module.
        let answer = unsafe { fmi3SerializedFMUStateSize(self.handle, state, &raw mut size) };
        let bytes = given(size, answer).and_then(|size| {
            let mut bytes = vec![0_u8; size];
            // SAFETY: that of this module; a byte has one representation, with and without sign.
            let answer = unsafe {
                fmi3SerializeFMUState(self.handle, state, bytes.as_mut_ptr().cast(), size)
            };
            given(bytes, answer)
        });
        // SAFETY: that of this module.
        given((), unsafe { fmi3FreeFMUState(self.handle, &raw mut state) })?;
        bytes
    }

    /// Takes over the state of these bytes.
    pub fn restore(&self, bytes: &[u8]) -> Status {
        let mut state: FmuState = std::ptr::null_mut();
        // SAFETY: that of this module, and as above.
        let answers = unsafe {
            let read = fmi3DeserializeFMUState(
                self.handle,
                bytes.as_ptr().cast(),
                bytes.len(),
                &raw mut state,
            );
            if read != Answer::Ok {
                return status(read);
            }
            [fmi3SetFMUState(self.handle, state), fmi3FreeFMUState(self.handle, &raw mut state)]
        };
        status(answers.into_iter().find(|answer| *answer != Answer::Ok).unwrap_or(Answer::Ok))
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: that of this module.
        unsafe { fmi3FreeInstance(self.handle) }
    }
}
