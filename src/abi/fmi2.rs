//! The exported functions of FMI 2.0, in the order of `fmi2Functions.h`.
//!
//! # Safety
//! All of them trust the host where C leaves no choice: a pointer is NULL or valid for what the
//! standard says, and a component is NULL or came from [`fmi2Instantiate`] and was not freed. NULL
//! is always answered with an error.

// The names are the standard's, and its promises are those above for every function.
#![allow(non_snake_case, clippy::missing_safety_doc)]

use std::ffi::{CStr, c_int};

use super::arguments::{
    deserialize, directional, free_state, get, names, output_derivatives, room, save, serialize,
    serialized_size, set, set_states,
};
use super::boundary::{Asked, Place, enter, free, instantiate, refuse, text, values};
use super::logger::{Function, HostLogger, c_text};
use super::states;
use super::types::{
    Boolean, Byte, CO_SIMULATION, CallbackFunctions, Component, DO_STEP_STATUS, EventInfo,
    FmuState, FmuType, Integer, LAST_SUCCESSFUL_TIME, MODEL_EXCHANGE, Real, Size, StatusKind,
    TERMINATED, Text, ValueReference,
};
use crate::fmu::{Call, Host, Kind, Protocol, Refusal, Status, Unit, resource_folder};

const TYPES_PLATFORM: &CStr = c"default";
const VERSION: &CStr = c"2.0";

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
    if functions.is_null() || !functions.is_aligned() {
        return std::ptr::null_mut();
    }
    // SAFETY: not null, and by the promises of this module the host's callbacks; copied, because hosts
    // exist that build the struct on their stack.
    let functions = unsafe { *functions };
    // SAFETY: the promises of this module.
    let (name, guid, location) = unsafe { (text(name), text(guid), text(resource_location)) };
    let call = "fmi2Instantiate";
    let logger = HostLogger {
        function: Function::Prints(functions.logger),
        environment: functions.environment,
        // The logger is never handed a NULL name, not even while complaining about it.
        name: c_text(name.unwrap_or("coulisse")),
    };
    let host = Host::default();
    let asked = Asked { call, logger, logging_on: logging_on != 0, name, guid, host };
    instantiate(asked, || {
        let protocol = match fmu_type {
            MODEL_EXCHANGE => Protocol::ModelExchange,
            CO_SIMULATION => Protocol::CoSimulation,
            _ => {
                return Err(Refusal::error(format!(
                    "{call}: FMU type {fmu_type} asked for; allowed: {MODEL_EXCHANGE} (Model Exchange) \
                     and {CO_SIMULATION} (co-simulation)"
                )));
            }
        };
        let location = location.ok_or_else(|| {
            Refusal::error(format!(
                "{call}: the resource location is missing or not UTF-8; \
                 pass the unpacked FMU's `resources` folder as a file URI"
            ))
        })?;
        let folder =
            resource_folder(location).map_err(|text| Refusal::error(format!("{call}: {text}")))?;
        Ok((protocol, folder))
    })
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
