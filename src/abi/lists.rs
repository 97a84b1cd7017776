//! What an interface with lists asks beside the functions of C, as that of a component of WebAssembly (FMI-LS-WASM).
//!
//! # Safety
//! As for [`super::fmi2`]: an instance is NULL or came from a function that makes one and was not freed.

use super::arguments::same;
use super::boundary::enter;
use super::types::Component;
use crate::fmu::{Call, Status};

pub use super::logger::c_text;

/// Number of values that the variables behind value references have together, an array one for each element: in C a host knows it from
/// the model description and passes it along.
///
/// # Errors
/// The status of `call`, for which it asks, where that is not legal or a reference is inside an array; the reason is in the log.
///
/// # Safety
/// The promises of this module.
pub unsafe fn number_of_values(
    c: Component, call: Call, references: &[u32],
) -> Result<usize, Status> {
    let mut number = 0;
    // SAFETY: the promises of this module.
    let status = unsafe {
        enter(c, call, |i| {
            i.with_elements(references, |_, elements| {
                number = elements.len();
                Ok(())
            })
        })
    };
    match status {
        Status::Ok => Ok(number),
        refused => Err(refused),
    }
}

/// Sets time derivatives of inputs for the next step, of the orders given. FMI 3.0 has no function for it, FMI-LS-WASM does.
///
/// # Safety
/// The promises of this module.
pub unsafe fn set_input_derivatives(
    c: Component, references: &[u32], orders: &[i32], values: &[f64],
) -> Status {
    // SAFETY: the promises of this module.
    unsafe {
        enter(c, Call::SetRealInputDerivatives, |i| {
            same(references.len(), values.len())?;
            i.set_input_derivatives(references, |k| orders[k], |k| values[k])
        })
    }
}
