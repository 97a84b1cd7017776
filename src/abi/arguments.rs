//! Arguments that functions of both standards have: arrays of references and values, continuous states, saved states.
//!
//! # Safety
//! The promises of [`super::fmi2`]: a pointer is NULL or valid for what the standard says.

use super::boundary::{Place, text, values};
use super::states;
use super::types::{Byte, FmuState, Integer, Real, Size, Text, ValueReference};
use crate::fmu::{Kind, Refusal, Unit};

/// Room for values of `n` continuous states.
///
/// # Safety
/// The promises of this module.
pub(super) unsafe fn room(value: *mut Real, n: Size) -> Result<Place<Real>, Refusal> {
    // SAFETY: the promises of this module.
    unsafe { Place::new("the array for the states", value, n) }
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn set_states(
    instance: &mut Unit, value: *const Real, n: Size,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let given = unsafe { values("the array of states", value, n) }?;
    instance.set_states(n, |k| given[k])
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn get<T>(
    instance: &mut Unit, kind: Kind, references: *const ValueReference, n: Size, place: *mut T,
    convert: impl Fn(f64) -> T,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the values", place, n) }?;
    instance.get(kind, references, |i, x| place.put(i, convert(x)))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn set<T: Copy>(
    instance: &mut Unit, kind: Kind, references: *const ValueReference, n: Size, given: *const T,
    convert: impl Fn(T) -> f64,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    // SAFETY: the promises of this module.
    let given = unsafe { values("the array of values", given, n) }?;
    instance.set(kind, references, |i| convert(given[i]))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn directional(
    instance: &mut Unit, (unknown, n_unknown): (*const ValueReference, Size),
    (known, n_known): (*const ValueReference, Size), seed: *const Real, change: *mut Real,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let unknown = unsafe { values("the array of unknowns", unknown, n_unknown) }?;
    // SAFETY: the promises of this module.
    let known = unsafe { values("the array of knowns", known, n_known) }?;
    // SAFETY: the promises of this module.
    let seed = unsafe { values("the array of the knowns' changes", seed, n_known) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the changes", change, n_unknown) }?;
    instance.directional_derivative(unknown, known, |i| seed[i], |i, x| place.put(i, x))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn output_derivatives(
    instance: &mut Unit, references: *const ValueReference, n: Size, order: *const Integer,
    place: *mut Real,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    // SAFETY: the promises of this module.
    let order = unsafe { values("the array of orders", order, n) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the values", place, n) }?;
    instance.output_derivatives(references, |i| order[i], |i, x| place.put(i, x))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn names<'a>(n: Size, categories: *const Text) -> Result<Vec<&'a str>, Refusal> {
    // SAFETY: the promises of this module.
    let pointers = unsafe { values("the array of categories", categories, n) }?;
    // SAFETY: the promises of this module.
    let names = pointers.iter().map(|&name| unsafe { text(name) });
    names
        .map(|name| name.ok_or_else(|| Refusal::error("a category is NULL or not UTF-8")))
        .collect()
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn save(instance: &Unit, state: *mut FmuState) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the state", state, 1) }?;
    // SAFETY: just found usable; the standard has the host put NULL or a state there.
    let old = unsafe { *state };
    if old.is_null() {
        place.put(0, states::keep(instance.save()));
        return Ok(());
    }
    states::replace(old, instance.save())
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn free_state(state: *mut FmuState) -> Result<(), Refusal> {
    if state.is_null() {
        return Ok(());
    }
    // A host that passes the state itself, not its variable's address, means that state.
    if states::is_live(state.cast()) {
        return states::forget(state.cast());
    }
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the state", state, 1) }?;
    // SAFETY: just found usable; the host's variable holds NULL or a state.
    let old = unsafe { *state };
    if !old.is_null() {
        states::forget(old)?;
        place.put(0, std::ptr::null_mut());
    }
    Ok(())
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn serialized_size(state: FmuState, size: *mut Size) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the size", size, 1) }?;
    place.put(0, states::find(state)?.to_bytes()?.len());
    Ok(())
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn serialize(
    state: FmuState, bytes: *mut Byte, size: Size,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the bytes", bytes, size) }?;
    let written = states::find(state)?.to_bytes()?;
    if size < written.len() {
        return Err(Refusal::error(format!(
            "the array for the bytes has room for {size}; \
             allowed: at least {}, the result of fmi2SerializedFMUstateSize",
            written.len()
        )));
    }
    for (index, byte) in written.into_iter().enumerate() {
        place.put(index, byte as Byte);
    }
    Ok(())
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn deserialize(
    instance: &Unit, bytes: *const Byte, size: Size, state: *mut FmuState,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module; a byte has one representation, with and without sign.
    let bytes = unsafe { values::<u8>("the array of bytes", bytes.cast(), size) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the state", state, 1) }?;
    place.put(0, states::keep(instance.read_snapshot(bytes)?));
    Ok(())
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn adjoint(
    instance: &mut Unit, (unknown, n_unknown): (*const ValueReference, Size),
    (known, n_known): (*const ValueReference, Size), seed: *const Real, change: *mut Real,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let unknown = unsafe { values("the array of unknowns", unknown, n_unknown) }?;
    // SAFETY: the promises of this module.
    let known = unsafe { values("the array of knowns", known, n_known) }?;
    // SAFETY: the promises of this module.
    let seed = unsafe { values("the array of the unknowns' weights", seed, n_unknown) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the changes", change, n_known) }?;
    instance.adjoint_derivative(unknown, known, |i| seed[i], |i, x| place.put(i, x))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn place<T>(what: &str, pointer: *mut T) -> Result<Place<T>, Refusal> {
    // SAFETY: the promises of this module.
    unsafe { Place::new(what, pointer, 1) }
}

/// Does something with the variables that references of FMI 3.0 stand for, for whose values there is an array of `m`.
///
/// # Safety
/// The promises of this module.
pub(super) unsafe fn elements(
    instance: &mut Unit, (references, n): (*const ValueReference, Size), m: Size,
    action: impl FnOnce(&mut Unit, &[u32]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    instance.with_elements(references, |i, elements| {
        if elements.len() == m {
            return action(i, elements);
        }
        Err(Refusal::error(format!(
            "{n} value references and an array for {m} values; allowed: one for {}, a value for each scalar and each element of an array",
            elements.len()
        )))
    })
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn get_elements<T>(
    instance: &mut Unit, kind: Kind, references: (*const ValueReference, Size),
    (place, m): (*mut T, Size), convert: impl Fn(f64) -> T,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the values", place, m) }?;
    // SAFETY: the promises of this module.
    unsafe {
        elements(instance, references, m, |i, elements| {
            i.get(kind, elements, |k, x| place.put(k, convert(x)))
        })
    }
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn output_derivatives_of_elements(
    instance: &mut Unit, (references, n): (*const ValueReference, Size), order: *const Integer,
    (place, m): (*mut Real, Size),
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let (given, order) = unsafe {
        (
            values("the array of value references", references, n)?,
            values("the array of orders", order, n)?,
        )
    };
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the values", place, m) }?;
    // All elements of an array have its order.
    let mut orders = Vec::with_capacity(m);
    for (reference, order) in given.iter().zip(order) {
        instance.with_elements(&[*reference], |_, elements| {
            orders.extend(elements.iter().map(|_| *order));
            Ok(())
        })?;
    }
    // SAFETY: the promises of this module.
    unsafe {
        elements(instance, (references, n), m, |i, elements| {
            i.output_derivatives(elements, |k| orders[k], |k, x| place.put(k, x))
        })
    }
}

/// Scalars have one value for each reference.
pub(super) fn same(references: Size, values: Size) -> Result<(), Refusal> {
    if references == values {
        return Ok(());
    }
    Err(Refusal::error(format!(
        "{references} value references and {values} values; allowed: one value for each, as none of what can be set is an array"
    )))
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn none(
    instance: &mut Unit, references: *const ValueReference, n: Size,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    instance.get(Kind::Other, references, |_, _| {})
}

/// # Safety
/// The promises of this module.
pub(super) unsafe fn get_texts(
    instance: &mut Unit, references: *const ValueReference, n: Size, place: *mut Text,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the array for the values", place, n) }?;
    let texts = instance.texts(references)?.iter().enumerate();
    texts.for_each(|(k, text)| place.put(k, text.as_ptr()));
    Ok(())
}
