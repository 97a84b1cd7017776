//! The C types of FMI 2.0 (`fmi2TypesPlatform.h`, `fmi2FunctionTypes.h`), written from the
//! standard, section 2.1, and those in which FMI 3.0 differs.

use std::ffi::{c_char, c_double, c_int, c_uint, c_void};

/// `fmi2Component`: the handle of an instance.
pub type Component = *mut c_void;
/// `fmi2ComponentEnvironment`: belongs to the host and is only handed back.
pub type Environment = *mut c_void;
/// `fmi2FMUstate`.
pub type FmuState = *mut c_void;
/// `fmi2ValueReference`.
pub type ValueReference = c_uint;
/// `fmi2Real`.
pub type Real = c_double;
/// `fmi2Integer`.
pub type Integer = c_int;
/// `fmi2Boolean`: 0 or 1.
pub type Boolean = c_int;
/// `fmi2String`: text in UTF-8 with a final zero byte.
pub type Text = *const c_char;
/// `fmi2Byte`.
pub type Byte = c_char;
/// `fmi2Type`, an enumeration in C; any number may come in.
pub type FmuType = c_int;
/// `fmi2StatusKind`, an enumeration in C; any number may come in.
pub type StatusKind = c_int;
/// `size_t`.
pub type Size = usize;

/// `fmi2ModelExchange`.
pub const MODEL_EXCHANGE: FmuType = 0;
/// `fmi2CoSimulation`.
pub const CO_SIMULATION: FmuType = 1;
/// `fmi2DoStepStatus`.
pub const DO_STEP_STATUS: StatusKind = 0;
/// `fmi2LastSuccessfulTime`.
pub const LAST_SUCCESSFUL_TIME: StatusKind = 2;
/// `fmi2Terminated`.
pub const TERMINATED: StatusKind = 3;

/// `fmi2CallbackLogger`: environment, instance name, status, category, format, arguments.
pub type Logger = unsafe extern "C" fn(Environment, Text, c_int, Text, Text, ...);

/// `fmi2CallbackFunctions`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CallbackFunctions {
    pub logger: Option<Logger>,
    /// Not used: memory comes from Rust's allocator (canNotUseMemoryManagementFunctions).
    pub allocate_memory: Option<unsafe extern "C" fn(Size, Size) -> *mut c_void>,
    pub free_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Not used: steps never run in the background.
    pub step_finished: Option<unsafe extern "C" fn(Environment, c_int)>,
    pub environment: Environment,
}

/// `fmi2EventInfo`, of Model Exchange.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct EventInfo {
    pub new_discrete_states_needed: Boolean,
    pub terminate_simulation: Boolean,
    pub nominals_of_continuous_states_changed: Boolean,
    pub values_of_continuous_states_changed: Boolean,
    pub next_event_time_defined: Boolean,
    pub next_event_time: Real,
}

/// `fmi3Boolean`: one byte, 0 or 1.
pub type Bool = u8;
/// `fmi3IntermediateUpdateCallback`: environment, time, whether inputs may be set, outputs be read, a step is finished and the return may be
/// early; then whether the host wants that, and at what time.
pub type IntermediateUpdate =
    unsafe extern "C" fn(Environment, Real, bool, bool, bool, bool, *mut Bool, *mut Real);
/// `fmi3LogMessageCallback`: environment, status, category, text.
pub type LogMessage = unsafe extern "C" fn(Environment, c_int, Text, Text);
