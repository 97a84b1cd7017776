//! The exported functions of FMI 3.0, in the order of `fmi3Functions.h`.
//!
//! # Safety
//! As for [`super::fmi2`]: a pointer is NULL or valid for what the standard says, and an instance is NULL or came from a function here
//! that makes one and was not freed.

// The names are the standard's, and its promises are those above for every function.
#![allow(non_snake_case, clippy::missing_safety_doc)]

use std::ffi::{CStr, c_int, c_void};
use std::path::PathBuf;

use super::arguments::{
    adjoint, deserialize, directional, elements, free_state, get_elements, get_texts, names, none,
    output_derivatives_of_elements, place, room, same, save, serialize, serialized_size, set,
    set_states,
};
use super::boundary::{self, Asked, CallBack, call_back, enter, free, instantiate, refuse, text};
use super::logger::{Function, HostLogger, c_text};
use super::states;
use super::types::{
    Bool, Byte, Component, Environment, FmuState, Integer, IntermediateUpdate, LogMessage, Real,
    Size, Text, ValueReference,
};
use crate::fmu::{Call, Host, Kind, Outcome, Progress, Protocol, Refusal, Status, Unit};

const VERSION: &CStr = c"3.0";

/// A component of WebAssembly sees the folders alone that its host opens for it.
const OPENED: &str =
    if cfg!(target_os = "wasi") { ", and open it for the component (WASI: preopen)" } else { "" };

/// Functions of types that no variable has: they take no value at all, and say of another variable what type it has.
macro_rules! of_no_variable {
    ($($name:ident($call:ident $(, $type:ty)*);)*) => {$(
        /// Refuses every value reference: no variable has this type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            c: Component, vr: *const ValueReference, n: Size $(, _: $type)*
        ) -> Status {
            // SAFETY: the promises of this module.
            unsafe { enter(c, Call::$call, |i| none(i, vr, n)) }
        }
    )*};
}

/// The version of the standard: "3.0".
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> Text {
    VERSION.as_ptr()
}

/// What all functions that make an instance are given.
struct Given {
    name: Text,
    token: Text,
    path: Text,
    logging_on: Bool,
    environment: Environment,
    log: Option<LogMessage>,
}

/// # Safety
/// The promises of this module.
unsafe fn make(
    call: &'static str, given: Given, host: Host, protocol: Result<Protocol, Refusal>,
) -> Component {
    // SAFETY: the promises of this module.
    let (name, guid) = unsafe { (text(given.name), text(given.token)) };
    // SAFETY: the promises of this module.
    let path = unsafe { text(given.path) };
    let logger = HostLogger {
        function: Function::Takes(given.log),
        environment: given.environment,
        name: c_text(name.unwrap_or("coulisse")),
    };
    let asked = Asked { call, logger, logging_on: given.logging_on != 0, name, guid, host };
    instantiate(asked, || {
        let protocol = protocol?;
        let folder = path.map(PathBuf::from).filter(|folder| folder.is_dir());
        let folder = folder.ok_or_else(|| {
            Refusal::error(format!(
                "{call}: the resource path `{}` is no folder; pass the path of the unpacked FMU's folder `resources`, with a separator at \
                 its end{OPENED}",
                path.unwrap_or_default()
            ))
        })?;
        Ok((protocol, folder))
    })
}

/// A new instance for Model Exchange, or NULL with the reason in the host's log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: Text, token: Text, path: Text, _visible: Bool, logging_on: Bool,
    environment: Environment, log: Option<LogMessage>,
) -> Component {
    let given = Given { name, token, path, logging_on, environment, log };
    let protocol = Ok(Protocol::ModelExchange);
    // SAFETY: the promises of this module.
    unsafe { make("fmi3InstantiateModelExchange", given, Host::VERSION_3, protocol) }
}

/// A new instance for co-simulation, or NULL with the reason in the host's log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: Text, token: Text, path: Text, _visible: Bool, logging_on: Bool, event_mode: Bool,
    early_return: Bool, _required: *const ValueReference, _n_required: Size,
    environment: Environment, log: Option<LogMessage>, update: Option<IntermediateUpdate>,
) -> Component {
    let given = Given { name, token, path, logging_on, environment, log };
    let host = Host { early_return: early_return != 0, updates: update.is_some(), version_3: true };
    let protocol = match event_mode {
        0 => Protocol::CoSimulation,
        _ => Protocol::CoSimulationWithEvents,
    };
    // SAFETY: the promises of this module.
    let made = unsafe { make("fmi3InstantiateCoSimulation", given, host, Ok(protocol)) };
    let early_return = host.early_return;
    let update = update.map(|update| CallBack { environment, update, early_return });
    // SAFETY: it was made just now, or is NULL.
    unsafe { call_back(made, update) };
    made
}

/// Refused: there are no clocks, and so no Scheduled Execution.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: Text, token: Text, path: Text, _visible: Bool, logging_on: Bool,
    environment: Environment, log: Option<LogMessage>, _clock_update: *const c_void,
    _lock: *const c_void, _unlock: *const c_void,
) -> Component {
    let call = "fmi3InstantiateScheduledExecution";
    let given = Given { name, token, path, logging_on, environment, log };
    let refusal = Refusal::error(format!(
        "{call}: not offered, there are no clocks; allowed: fmi3InstantiateCoSimulation and \
         fmi3InstantiateModelExchange"
    ));
    // SAFETY: the promises of this module.
    unsafe { make(call, given, Host::VERSION_3, Err(refusal)) }
}

/// Frees an instance; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: Component) {
    // SAFETY: the promises of this module.
    unsafe { free(c) }
}

through_the_door! {
    /// Switches log categories, or all of them where none is named.
    fmi3SetDebugLogging(SetDebugLogging, on: Bool, n: Size, categories: *const Text) =
        |i| i.set_debug_logging(on != 0, &names(n, categories)?);
    /// The host's time frame; parameters, inputs and outputs may be set and read until the mode is left. The tolerance is the model file's,
    /// not the host's.
    fmi3EnterInitializationMode(
        EnterInitializationMode,
        _tolerance_defined: Bool,
        _tolerance: Real,
        start: Real,
        stop_defined: Bool,
        stop: Real
    ) = |i| {
        i.setup_experiment(start, (stop_defined != 0).then_some(stop))?;
        i.enter_initialization()
    };
    /// Structural parameters are set from here on.
    fmi3EnterConfigurationMode(EnterConfigurationMode) = Unit::enter_configuration;
    /// Plans the mechanism anew for the structural parameters that were set.
    fmi3ExitConfigurationMode(ExitConfigurationMode) = Unit::exit_configuration;
    /// Computes the consistent start.
    fmi3ExitInitializationMode(ExitInitializationMode) = Unit::exit_initialization;
    /// An event begins.
    fmi3EnterEventMode(EnterEventMode) = Unit::enter_event_mode;
    /// Ends the simulation; values stay readable.
    fmi3Terminate(Terminate) = Unit::terminate;
    /// Back to the state after the instance was made.
    fmi3Reset(Reset) = Unit::reset;
    /// Reads Float64 variables.
    fmi3GetFloat64(GetReal, vr: *const ValueReference, n: Size, value: *mut Real, m: Size) =
        |i| get_elements(i, Kind::Real, (vr, n), (value, m), |x| x);
    /// Reads Int32 variables.
    fmi3GetInt32(GetInteger, vr: *const ValueReference, n: Size, value: *mut Integer, m: Size) =
        |i| get_elements(i, Kind::Integer, (vr, n), (value, m), |x| x as Integer);
    /// Reads enumerations.
    fmi3GetInt64(GetInt64, vr: *const ValueReference, n: Size, value: *mut i64, m: Size) =
        |i| get_elements(i, Kind::Enumeration, (vr, n), (value, m), |x| x as i64);
    /// Reads structural parameters.
    fmi3GetUInt64(GetUInt64, vr: *const ValueReference, n: Size, value: *mut u64, m: Size) =
        |i| get_elements(i, Kind::Size, (vr, n), (value, m), |x| x as u64);
    /// Reads Boolean variables.
    fmi3GetBoolean(GetBoolean, vr: *const ValueReference, n: Size, value: *mut Bool, m: Size) =
        |i| get_elements(i, Kind::Boolean, (vr, n), (value, m), |x| Bool::from(x != 0.0));
    /// Reads String variables; the texts stay until others are read.
    fmi3GetString(GetString, vr: *const ValueReference, n: Size, value: *mut Text, m: Size) =
        |i| { same(n, m)?; get_texts(i, vr, n, value) };
    /// Sets structural parameters in Configuration Mode, all or none.
    fmi3SetUInt64(SetUInt64, vr: *const ValueReference, n: Size, value: *const u64, m: Size) =
        |i| { same(n, m)?; set(i, Kind::Size, vr, n, value, |x| x as f64) };
    /// Sets Float64 parameters and inputs, all or none.
    fmi3SetFloat64(SetReal, vr: *const ValueReference, n: Size, value: *const Real, m: Size) =
        |i| { same(n, m)?; set(i, Kind::Real, vr, n, value, |x| x) };
    /// Sets Int32 parameters, all or none.
    fmi3SetInt32(SetInteger, vr: *const ValueReference, n: Size, value: *const Integer, m: Size) =
        |i| { same(n, m)?; set(i, Kind::Integer, vr, n, value, f64::from) };
    /// Sets Boolean parameters, all or none.
    fmi3SetBoolean(SetBoolean, vr: *const ValueReference, n: Size, value: *const Bool, m: Size) =
        |i| { same(n, m)?; set(i, Kind::Boolean, vr, n, value, |x| f64::from(u8::from(x != 0))) };
    /// Refuses every value reference: what is a String can only be read.
    fmi3SetString(SetString, vr: *const ValueReference, n: Size, value: *const Text, m: Size) =
        |i| { same(n, m)?; set(i, Kind::Text, vr, n, value, |_| 0.0) };
    /// Saves the state: a new one where `*state` is NULL, else in place of what it holds.
    fmi3GetFMUState(GetFMUstate, state: *mut FmuState) = |i| save(i, state);
    /// Restores a state of this or of another instance of the same FMU.
    fmi3SetFMUState(SetFMUstate, state: FmuState) = |i| i.restore(&*states::find(state)?);
    /// Frees a state, of whichever instance, and sets the host's variable to NULL; NULL is allowed.
    fmi3FreeFMUState(FreeFMUstate, state: *mut FmuState) = |_| free_state(state);
    /// Number of bytes of a state; the same at every communication point.
    fmi3SerializedFMUStateSize(SerializedFMUstateSize, state: FmuState, size: *mut Size) =
        |_| serialized_size(state, size);
    /// Writes the bytes of a state.
    fmi3SerializeFMUState(SerializeFMUstate, state: FmuState, bytes: *mut Byte, size: Size) =
        |_| serialize(state, bytes, size);
    /// Makes a state from its bytes.
    fmi3DeserializeFMUState(
        DeSerializeFMUstate,
        bytes: *const Byte,
        size: Size,
        state: *mut FmuState
    ) = |i| deserialize(i, bytes, size, state);
    /// Derivative of outputs over the last step, or of the start, in a direction of inputs and
    /// parameters.
    fmi3GetDirectionalDerivative(
        GetDirectionalDerivative,
        unknown: *const ValueReference,
        n_unknown: Size,
        known: *const ValueReference,
        n_known: Size,
        seed: *const Real,
        n_seed: Size,
        change: *mut Real,
        n_change: Size
    ) = |i| {
        same(n_known, n_seed)?;
        elements(i, (unknown, n_unknown), n_change, |i, unknown| {
            directional(i, (unknown.as_ptr(), n_change), (known, n_known), seed, change)
        })
    };
    /// The derivatives of all outputs, weighted, by each input and parameter.
    fmi3GetAdjointDerivative(
        GetAdjointDerivative,
        unknown: *const ValueReference,
        n_unknown: Size,
        known: *const ValueReference,
        n_known: Size,
        seed: *const Real,
        n_seed: Size,
        change: *mut Real,
        n_change: Size
    ) = |i| {
        same(n_known, n_change)?;
        elements(i, (unknown, n_unknown), n_seed, |i, unknown| {
            adjoint(i, (unknown.as_ptr(), n_seed), (known, n_known), seed, change)
        })
    };
    /// Handles an event: of Model Exchange, advances the mechanism to the last sampled instant and returns the next one; of co-simulation,
    /// lets discrete outputs change.
    fmi3UpdateDiscreteStates(
        NewDiscreteStates,
        again: *mut Bool,
        terminate: *mut Bool,
        nominals: *mut Bool,
        states: *mut Bool,
        next_defined: *mut Bool,
        next: *mut Real
    ) = |i| update(i, [again, terminate, nominals, states], next_defined, next);
    /// The event of Model Exchange ends.
    fmi3EnterContinuousTimeMode(EnterContinuousTimeMode) = Unit::enter_continuous_time_mode;
    /// Asks for an event where the host has passed a sampled instant without one.
    fmi3CompletedIntegratorStep(
        CompletedIntegratorStep,
        _no_earlier_state: Bool,
        event: *mut Bool,
        terminate: *mut Bool
    ) = |i| {
        let mut event = place("the pointer for enterEventMode", event)?;
        let mut terminate = place("the pointer for terminateSimulation", terminate)?;
        event.put(0, Bool::from(i.completed_integrator_step()?));
        terminate.put(0, 0);
        Ok(())
    };
    /// Takes the host's independent variable.
    fmi3SetTime(SetTime, time: Real) = |i| i.set_time(time);
    /// Takes continuous states.
    fmi3SetContinuousStates(SetContinuousStates, value: *const Real, n: Size) =
        |i| set_states(i, value, n);
    /// Reads derivatives of the continuous states.
    fmi3GetContinuousStateDerivatives(GetDerivatives, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.derivatives(n, |k, x| place.put(k, x))
    };
    /// There are no event indicators: events are at known times.
    fmi3GetEventIndicators(GetEventIndicators, _value: *mut Real, n: Size) = |i| i.indicators(n);
    /// Reads continuous states.
    fmi3GetContinuousStates(GetContinuousStates, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.states(n, |k, x| place.put(k, x))
    };
    /// Reads nominal values of the continuous states.
    fmi3GetNominalsOfContinuousStates(GetNominalsOfContinuousStates, value: *mut Real, n: Size) = |i| {
        let mut place = room(value, n)?;
        i.nominals(n, |k, x| place.put(k, x))
    };
    /// There are no event indicators.
    fmi3GetNumberOfEventIndicators(GetNumberOfEventIndicators, n: *mut Size) =
        |_| { place("the pointer for the number", n)?.put(0, 0); Ok(()) };
    /// Continuous states are those of a linear model.
    fmi3GetNumberOfContinuousStates(GetNumberOfContinuousStates, n: *mut Size) =
        |i| { place("the pointer for the number", n)?.put(0, i.number_of_states()); Ok(()) };
    /// The event of co-simulation ends.
    fmi3EnterStepMode(EnterStepMode) = Unit::enter_step_mode;
    /// Reads time derivatives of outputs.
    fmi3GetOutputDerivatives(
        GetRealOutputDerivatives,
        vr: *const ValueReference,
        n: Size,
        order: *const Integer,
        value: *mut Real,
        m: Size
    ) = |i| output_derivatives_of_elements(i, (vr, n), order, (value, m));
}

of_no_variable! {
    fmi3GetFloat32(GetFloat32, *mut f32, Size);
    fmi3GetInt8(GetInt8, *mut i8, Size);
    fmi3GetUInt8(GetUInt8, *mut u8, Size);
    fmi3GetInt16(GetInt16, *mut i16, Size);
    fmi3GetUInt16(GetUInt16, *mut u16, Size);
    fmi3GetUInt32(GetUInt32, *mut u32, Size);
    fmi3GetBinary(GetBinary, *mut Size, *mut *const u8, Size);
    fmi3GetClock(GetClock, *mut Bool);
    fmi3SetFloat32(SetFloat32, *const f32, Size);
    fmi3SetInt8(SetInt8, *const i8, Size);
    fmi3SetUInt8(SetUInt8, *const u8, Size);
    fmi3SetInt16(SetInt16, *const i16, Size);
    fmi3SetUInt16(SetUInt16, *const u16, Size);
    fmi3SetUInt32(SetUInt32, *const u32, Size);
    fmi3SetInt64(SetInt64, *const i64, Size);
    fmi3SetBinary(SetBinary, *const Size, *const *const u8, Size);
    fmi3SetClock(SetClock, *const Bool);
}

refused! {
    fmi3GetNumberOfVariableDependencies(GetNumberOfVariableDependencies, ValueReference, *mut Size);
    fmi3GetVariableDependencies(
        GetVariableDependencies, ValueReference, *mut Size, *mut ValueReference, *mut Size,
        *mut c_int, Size
    );
    fmi3GetIntervalDecimal(
        GetIntervalDecimal, *const ValueReference, Size, *mut Real, *mut c_int
    );
    fmi3GetIntervalFraction(
        GetIntervalFraction, *const ValueReference, Size, *mut u64, *mut u64, *mut c_int
    );
    fmi3GetShiftDecimal(GetShiftDecimal, *const ValueReference, Size, *mut Real);
    fmi3GetShiftFraction(GetShiftFraction, *const ValueReference, Size, *mut u64, *mut u64);
    fmi3SetIntervalDecimal(SetIntervalDecimal, *const ValueReference, Size, *const Real);
    fmi3SetIntervalFraction(
        SetIntervalFraction, *const ValueReference, Size, *const u64, *const u64
    );
    fmi3SetShiftDecimal(SetShiftDecimal, *const ValueReference, Size, *const Real);
    fmi3SetShiftFraction(SetShiftFraction, *const ValueReference, Size, *const u64, *const u64);
    fmi3EvaluateDiscreteStates(EvaluateDiscreteStates);
    fmi3ActivateModelPartition(ActivateModelPartition, ValueReference, Real);
}

/// Advances by one communication step, which ends at an event where the host allows it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: Component, current: Real, length: Real, _no_earlier_state: Bool, event: *mut Bool,
    terminate: *mut Bool, early: *mut Bool, reached: *mut Real,
) -> Status {
    let mut progress = Progress::Update;
    let report = |i: &mut Unit, progress: &mut Progress| {
        // SAFETY: the promises of this module.
        let mut places = unsafe {
            [
                place("the pointer for eventHandlingNeeded", event)?,
                place("the pointer for terminateSimulation", terminate)?,
                place("the pointer for earlyReturn", early)?,
            ]
        };
        // SAFETY: the promises of this module.
        let mut time = unsafe { place("the pointer for lastSuccessfulTime", reached) }?;
        let gone = i.go_on();
        let outcome = match &gone {
            Ok(Progress::Done(outcome)) => *outcome,
            // As far as it has come; a host that is refused reads it, too.
            _ => Outcome { event: false, early: true, time: i.time() },
        };
        let ended = i.has_ended();
        let values = [outcome.event, ended, outcome.early && !ended];
        for (place, value) in places.iter_mut().zip(values) {
            place.put(0, Bool::from(value));
        }
        time.put(0, outcome.time);
        *progress = gone?;
        Ok(())
    };
    // SAFETY: the promises of this module.
    let mut status = unsafe {
        enter(c, Call::DoStep, |i| {
            i.begin_step(current, length)?;
            report(i, &mut progress)
        })
    };
    while status == Status::Ok && progress == Progress::Update {
        // SAFETY: the promises of this module; the instance is not entered meanwhile, but by the host.
        let wanted = unsafe { boundary::update(c) };
        // SAFETY: the promises of this module.
        status = unsafe {
            enter(c, Call::ContinueStep, |i| {
                if let Some(time) = wanted {
                    i.return_at(time);
                }
                report(i, &mut progress)
            })
        };
    }
    status
}

/// # Safety
/// The promises of this module.
unsafe fn update(
    instance: &mut Unit, flags: [*mut Bool; 4], next_defined: *mut Bool, next: *mut Real,
) -> Result<(), Refusal> {
    let mut places = Vec::with_capacity(flags.len());
    for flag in flags {
        // SAFETY: the promises of this module.
        places.push(unsafe { place("a pointer for the result of the update", flag) }?);
    }
    // SAFETY: the promises of this module.
    let mut defined = unsafe { place("the pointer for nextEventTimeDefined", next_defined) }?;
    // SAFETY: the promises of this module.
    let mut time = unsafe { place("the pointer for nextEventTime", next) }?;
    let next = instance.new_discrete_states()?;
    places.iter_mut().for_each(|place| place.put(0, 0));
    defined.put(0, Bool::from(next.is_some()));
    time.put(0, next.unwrap_or(0.0));
    Ok(())
}
