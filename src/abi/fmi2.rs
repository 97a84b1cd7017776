//! The exported functions of FMI 2.0, in the order of `fmi2Functions.h`.
//!
//! # Safety
//! All of them trust the host where C leaves no choice: a pointer is NULL or valid for what the
//! standard says, and a component is NULL or came from [`fmi2Instantiate`] and was not freed. NULL
//! is always answered with an error.

// The names are the standard's, and its promises are those above for every function.
#![allow(non_snake_case, clippy::missing_safety_doc)]

use std::ffi::{CStr, c_int};

use super::boundary::{Place, enter, free, instantiate, refuse, text, values};
use super::states;
use super::types::{
    Boolean, Byte, CallbackFunctions, Component, DO_STEP_STATUS, EventInfo, FmuState, FmuType,
    Integer, LAST_SUCCESSFUL_TIME, Real, Size, StatusKind, TERMINATED, Text, ValueReference,
};
use crate::fmu::{Call, Kind, Refusal, Status, Unit};

const TYPES_PLATFORM: &CStr = c"default";
const VERSION: &CStr = c"2.0";

/// A function that only passes the door: name, call, further arguments, action.
macro_rules! through_the_door {
    ($($(#[$doc:meta])* $name:ident($call:ident $(, $arg:ident: $type:ty)*) = $action:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: Component $(, $arg: $type)*) -> Status {
            // SAFETY: the promises of this module.
            unsafe { enter(c, Call::$call, $action) }
        }
    )*};
}

/// A function that this FMU does not offer.
macro_rules! refused {
    ($($name:ident($call:ident $(, $type:ty)*);)*) => {$(
        /// Refused with an error that names the capability.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: Component $(, _: $type)*) -> Status {
            // SAFETY: the promises of this module.
            unsafe { refuse(c, Call::$call) }
        }
    )*};
}

/// The platform of the argument types: "default".
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> Text {
    TYPES_PLATFORM.as_ptr()
}

/// The version of the standard: "2.0".
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> Text {
    VERSION.as_ptr()
}

/// A new instance, or NULL with the reason in the host's log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: Text, fmu_type: FmuType, guid: Text, resource_location: Text,
    functions: *const CallbackFunctions, _visible: Boolean, logging_on: Boolean,
) -> Component {
    // SAFETY: the promises of this module.
    unsafe { instantiate(name, fmu_type, guid, resource_location, functions, logging_on) }
}

/// Frees an instance; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: Component) {
    // SAFETY: the promises of this module.
    unsafe { free(c) }
}

through_the_door! {
    /// Switches log categories, or all of them where none is named.
    fmi2SetDebugLogging(SetDebugLogging, on: Boolean, n: Size, categories: *const Text) =
        |i| i.set_debug_logging(on != 0, &names(n, categories)?);
    /// The host's time frame. The tolerance is the model file's, not the host's.
    fmi2SetupExperiment(
        SetupExperiment,
        _tolerance_defined: Boolean,
        _tolerance: Real,
        start: Real,
        stop_defined: Boolean,
        stop: Real
    ) = |i| i.setup_experiment(start, (stop_defined != 0).then_some(stop));
    /// Parameters, inputs and outputs may be set and read until the mode is left.
    fmi2EnterInitializationMode(EnterInitializationMode) = Unit::enter_initialization;
    /// Computes the consistent start.
    fmi2ExitInitializationMode(ExitInitializationMode) = Unit::exit_initialization;
    /// Ends the simulation; values stay readable.
    fmi2Terminate(Terminate) = Unit::terminate;
    /// Back to the state after `fmi2Instantiate`.
    fmi2Reset(Reset) = Unit::reset;
    /// Reads Real variables.
    fmi2GetReal(GetReal, vr: *const ValueReference, n: Size, value: *mut Real) =
        |i| get(i, Kind::Real, vr, n, value, |x| x);
    /// Reads Integer variables.
    fmi2GetInteger(GetInteger, vr: *const ValueReference, n: Size, value: *mut Integer) =
        |i| get(i, Kind::Integer, vr, n, value, |x| x as Integer);
    /// Reads Boolean variables.
    fmi2GetBoolean(GetBoolean, vr: *const ValueReference, n: Size, value: *mut Boolean) =
        |i| get(i, Kind::Boolean, vr, n, value, |x| Boolean::from(x != 0.0));
    /// Refuses every value reference: there are no String variables.
    fmi2GetString(GetString, vr: *const ValueReference, n: Size, value: *mut Text) =
        |i| get(i, Kind::Text, vr, n, value, |_| c"".as_ptr());
    /// Sets Real parameters and inputs, all or none.
    fmi2SetReal(SetReal, vr: *const ValueReference, n: Size, value: *const Real) =
        |i| set(i, Kind::Real, vr, n, value, |x| x);
    /// Sets Integer parameters and inputs, all or none.
    fmi2SetInteger(SetInteger, vr: *const ValueReference, n: Size, value: *const Integer) =
        |i| set(i, Kind::Integer, vr, n, value, f64::from);
    /// Sets Boolean parameters and inputs, all or none.
    fmi2SetBoolean(SetBoolean, vr: *const ValueReference, n: Size, value: *const Boolean) =
        |i| set(i, Kind::Boolean, vr, n, value, |x| f64::from(u8::from(x != 0)));
    /// Refuses every value reference: there are no String variables.
    fmi2SetString(SetString, vr: *const ValueReference, n: Size, value: *const Text) =
        |i| set(i, Kind::Text, vr, n, value, |_| 0.0);
    /// Advances by one communication step.
    fmi2DoStep(DoStep, current: Real, length: Real, _no_earlier_state: Boolean) =
        |i| i.do_step(current, length);
    /// How the last step ended.
    fmi2GetStatus(GetStatus, kind: StatusKind, value: *mut c_int) =
        |i| answer(kind, DO_STEP_STATUS, value, i.last_step() as c_int);
    /// The last successful time.
    fmi2GetRealStatus(GetRealStatus, kind: StatusKind, value: *mut Real) =
        |i| answer(kind, LAST_SUCCESSFUL_TIME, value, i.time());
    /// No question has an Integer for an answer.
    fmi2GetIntegerStatus(GetIntegerStatus, kind: StatusKind, _value: *mut Integer) =
        |_| unknown_kind(kind);
    /// Whether the simulation has come to its end: after a discarded step.
    fmi2GetBooleanStatus(GetBooleanStatus, kind: StatusKind, value: *mut Boolean) =
        |i| answer(kind, TERMINATED, value, Boolean::from(i.has_ended()));
    /// No step is ever pending.
    fmi2GetStringStatus(GetStringStatus, kind: StatusKind, _value: *mut Text) =
        |_| unknown_kind(kind);
    /// Saves the state: a new one where `*state` is NULL, else in place of what it holds.
    fmi2GetFMUstate(GetFMUstate, state: *mut FmuState) = |i| save(i, state);
    /// Restores a state of this or of another instance of the same FMU.
    fmi2SetFMUstate(SetFMUstate, state: FmuState) = |i| i.restore(&*states::find(state)?);
    /// Frees a state, of whichever instance, and sets the host's variable to NULL; NULL is allowed.
    /// A state in the place of its variable's address is freed, too.
    fmi2FreeFMUstate(FreeFMUstate, state: *mut FmuState) = |_| free_state(state);
    /// Number of bytes of a state; the same at every communication point.
    fmi2SerializedFMUstateSize(SerializedFMUstateSize, state: FmuState, size: *mut Size) =
        |_| serialized_size(state, size);
    /// Writes the bytes of a state.
    fmi2SerializeFMUstate(SerializeFMUstate, state: FmuState, bytes: *mut Byte, size: Size) =
        |_| serialize(state, bytes, size);
    /// Makes a state from its bytes.
    fmi2DeSerializeFMUstate(
        DeSerializeFMUstate,
        bytes: *const Byte,
        size: Size,
        state: *mut FmuState
    ) = |i| deserialize(i, bytes, size, state);
    /// Derivative of outputs over the last step, or of the start, in a direction of inputs and
    /// parameters.
    fmi2GetDirectionalDerivative(
        GetDirectionalDerivative,
        unknown: *const ValueReference,
        n_unknown: Size,
        known: *const ValueReference,
        n_known: Size,
        seed: *const Real,
        change: *mut Real
    ) = |i| directional(i, (unknown, n_unknown), (known, n_known), seed, change);
    /// Sets time derivatives of inputs for the next step.
    fmi2SetRealInputDerivatives(
        SetRealInputDerivatives,
        vr: *const ValueReference,
        n: Size,
        order: *const Integer,
        value: *const Real
    ) = |i| set_input_derivatives(i, vr, n, order, value);
    /// Reads time derivatives of outputs.
    fmi2GetRealOutputDerivatives(
        GetRealOutputDerivatives,
        vr: *const ValueReference,
        n: Size,
        order: *const Integer,
        value: *mut Real
    ) = |i| output_derivatives(i, vr, n, order, value);
}

refused! {
    fmi2CancelStep(CancelStep);
}

through_the_door! {
    /// An event of Model Exchange begins.
    fmi2EnterEventMode(EnterEventMode) = Unit::enter_event_mode;
    /// Advances the mechanism to the last sampled instant and tells the next one.
    fmi2NewDiscreteStates(NewDiscreteStates, info: *mut EventInfo) = |i| event_info(i, info);
    /// The event ends.
    fmi2EnterContinuousTimeMode(EnterContinuousTimeMode) = Unit::enter_continuous_time_mode;
    /// Asks for an event where the host has passed a sampled instant without one.
    fmi2CompletedIntegratorStep(
        CompletedIntegratorStep,
        _no_earlier_state: Boolean,
        event: *mut Boolean,
        terminate: *mut Boolean
    ) = |i| completed_step(i, event, terminate);
    /// Takes the host's independent variable.
    fmi2SetTime(SetTime, time: Real) = |i| i.set_time(time);
    /// Takes continuous states.
    fmi2SetContinuousStates(SetContinuousStates, value: *const Real, n: Size) =
        |i| set_states(i, value, n);
    /// Reads derivatives of the continuous states.
    fmi2GetDerivatives(GetDerivatives, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.derivatives(n, |k, x| place.put(k, x))
    };
    /// There are no event indicators: events are at known times.
    fmi2GetEventIndicators(GetEventIndicators, _value: *mut Real, n: Size) = |i| i.indicators(n);
    /// Reads continuous states.
    fmi2GetContinuousStates(GetContinuousStates, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.states(n, |k, x| place.put(k, x))
    };
    /// Reads nominal values of the continuous states.
    fmi2GetNominalsOfContinuousStates(GetNominalsOfContinuousStates, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.nominals(n, |k, x| place.put(k, x))
    };
}

/// Room for values of `n` continuous states.
///
/// # Safety
/// The promises of this module.
unsafe fn room(value: *mut Real, n: Size) -> Result<Place<Real>, Refusal> {
    // SAFETY: the promises of this module.
    unsafe { Place::new("the array for the states", value, n) }
}

/// # Safety
/// The promises of this module.
unsafe fn set_states(instance: &mut Unit, value: *const Real, n: Size) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let given = unsafe { values("the array of states", value, n) }?;
    instance.set_states(n, |k| given[k])
}

/// # Safety
/// The promises of this module.
unsafe fn event_info(instance: &mut Unit, info: *mut EventInfo) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the event info", info, 1) }?;
    let next = instance.new_discrete_states()?;
    place.put(
        0,
        EventInfo {
            new_discrete_states_needed: 0,
            terminate_simulation: 0,
            nominals_of_continuous_states_changed: 0,
            values_of_continuous_states_changed: 0,
            next_event_time_defined: Boolean::from(next.is_some()),
            next_event_time: next.unwrap_or(0.0),
        },
    );
    Ok(())
}

/// # Safety
/// The promises of this module.
unsafe fn completed_step(
    instance: &mut Unit, event: *mut Boolean, terminate: *mut Boolean,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut event = unsafe { Place::new("the pointer for enterEventMode", event, 1) }?;
    // SAFETY: the promises of this module.
    let mut terminate = unsafe { Place::new("the pointer for terminateSimulation", terminate, 1) }?;
    event.put(0, Boolean::from(instance.completed_integrator_step()?));
    terminate.put(0, 0);
    Ok(())
}

/// # Safety
/// The promises of this module.
unsafe fn get<T>(
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
unsafe fn set<T: Copy>(
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
unsafe fn directional(
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
unsafe fn set_input_derivatives(
    instance: &mut Unit, references: *const ValueReference, n: Size, order: *const Integer,
    given: *const Real,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let references = unsafe { values("the array of value references", references, n) }?;
    // SAFETY: the promises of this module.
    let order = unsafe { values("the array of orders", order, n) }?;
    // SAFETY: the promises of this module.
    let given = unsafe { values("the array of values", given, n) }?;
    instance.set_input_derivatives(references, |i| order[i], |i| given[i])
}

/// # Safety
/// The promises of this module.
unsafe fn output_derivatives(
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
unsafe fn names<'a>(n: Size, categories: *const Text) -> Result<Vec<&'a str>, Refusal> {
    // SAFETY: the promises of this module.
    let pointers = unsafe { values("the array of categories", categories, n) }?;
    // SAFETY: the promises of this module.
    let names = pointers.iter().map(|&name| unsafe { text(name) });
    names
        .map(|name| name.ok_or_else(|| Refusal::error("a category is NULL or not UTF-8")))
        .collect()
}

/// Answers the one question that a status function knows.
///
/// # Safety
/// The promises of this module.
unsafe fn answer<T>(
    asked: StatusKind, known: StatusKind, place: *mut T, value: T,
) -> Result<(), Refusal> {
    if asked != known {
        return unknown_kind(asked);
    }
    // SAFETY: the promises of this module.
    unsafe { Place::new("the pointer for the answer", place, 1) }?.put(0, value);
    Ok(())
}

fn unknown_kind(asked: StatusKind) -> Result<(), Refusal> {
    Err(Refusal::discard(format!(
        "status kind {asked} has no answer here; fmi2GetStatus answers {DO_STEP_STATUS} \
         (fmi2DoStepStatus), fmi2GetRealStatus {LAST_SUCCESSFUL_TIME} (fmi2LastSuccessfulTime), \
         fmi2GetBooleanStatus {TERMINATED} (fmi2Terminated); no step is ever pending"
    )))
}

/// # Safety
/// The promises of this module.
unsafe fn save(instance: &Unit, state: *mut FmuState) -> Result<(), Refusal> {
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
unsafe fn free_state(state: *mut FmuState) -> Result<(), Refusal> {
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
unsafe fn serialized_size(state: FmuState, size: *mut Size) -> Result<(), Refusal> {
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the size", size, 1) }?;
    place.put(0, states::find(state)?.to_bytes()?.len());
    Ok(())
}

/// # Safety
/// The promises of this module.
unsafe fn serialize(state: FmuState, bytes: *mut Byte, size: Size) -> Result<(), Refusal> {
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
unsafe fn deserialize(
    instance: &Unit, bytes: *const Byte, size: Size, state: *mut FmuState,
) -> Result<(), Refusal> {
    // SAFETY: the promises of this module; a byte has one representation, with and without sign.
    let bytes = unsafe { values::<u8>("the array of bytes", bytes.cast(), size) }?;
    // SAFETY: the promises of this module.
    let mut place = unsafe { Place::new("the pointer for the state", state, 1) }?;
    place.put(0, states::keep(instance.read_snapshot(bytes)?));
    Ok(())
}
