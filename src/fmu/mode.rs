//! The state machines of FMI 2.0 for co-simulation (section 4.2.4) and for Model Exchange (section
//! 3.2.3), and those of FMI 3.0 (sections 2.3, 3.2 and 4.2), which have the same states, Event Mode in co-simulation and
//! Intermediate Update Mode: which call is legal when.
//!
//! Messages name the functions of FMI 2.0; [`in_fmi3`] gives them the names that a host of FMI 3.0 knows.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::report::Refusal;

/// What a host uses an instance for; it says so when it makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// The host integrates; the mechanism is a sampled block in its equations.
    ModelExchange,
    /// The mechanism is asked for one communication step after another.
    CoSimulation,
    /// Likewise, and what changes in jumps does so in Event Mode only (FMI 3.0).
    CoSimulationWithEvents,
}

impl Protocol {
    /// Refuses a call that is of the other protocol only.
    pub(super) fn lacks(self, of: Protocol) -> Refusal {
        Refusal::error(format!(
            "not offered in {}; this instance was made for it, and the call is of {}",
            self.name(),
            of.name()
        ))
    }

    fn name(self) -> &'static str {
        match self {
            Protocol::ModelExchange => "Model Exchange",
            Protocol::CoSimulation => "co-simulation",
            Protocol::CoSimulationWithEvents => "co-simulation with Event Mode",
        }
    }

    /// Whether calls of the protocol `of` are calls of this one.
    fn includes(self, of: Protocol) -> bool {
        self == of || (self == CoSimulationWithEvents && of == CoSimulation)
    }
}

/// Where an instance stands. `doStep` is synchronous here, so the standard's states "step in
/// progress" and "step canceled" never occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// After `fmi2Instantiate` or `fmi2Reset`.
    Instantiated,
    /// Between `fmi2EnterInitializationMode` and `fmi2ExitInitializationMode`.
    Initialization,
    /// Ready for the next communication step.
    StepComplete,
    /// Between two steps of the solver in a communication step, while the host is called back (FMI 3.0).
    Intermediate,
    /// The last communication step was discarded.
    StepFailed,
    /// Model Exchange and co-simulation with events: an event is being handled.
    Event,
    /// Model Exchange: between events.
    ContinuousTime,
    /// After `fmi2Terminate`.
    Terminated,
    /// The start failed or the library met a defect of its own; only a reset helps.
    Error,
    /// Before initialization, while structural parameters are set (FMI 3.0).
    Configuration,
}

impl Mode {
    /// Whether the start has been left and the end has not come: what is set acts from now on and
    /// does not change the start.
    pub fn is_running(self) -> bool {
        matches!(self, StepComplete | Intermediate | Event | ContinuousTime)
    }

    /// Whether an instance of `protocol` can stand there.
    fn is_of(self, protocol: Protocol) -> bool {
        match self {
            StepComplete | StepFailed | Intermediate => protocol.includes(CoSimulation),
            Event => protocol != CoSimulation,
            ContinuousTime => protocol == ModelExchange,
            Instantiated | Initialization | Terminated | Error | Configuration => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "before initialization",
            Mode::Initialization => "in Initialization Mode",
            Mode::StepComplete => "between communication steps",
            Mode::Intermediate => "in Intermediate Update Mode",
            Mode::StepFailed => "after a discarded communication step",
            Mode::Event => "in Event Mode",
            Mode::ContinuousTime => "in Continuous-Time Mode",
            Mode::Terminated => "after fmi2Terminate",
            Mode::Error => "after an error",
            Mode::Configuration => "in Configuration Mode",
        }
    }
}

/// When a call is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    In(&'static [Mode]),
    /// In one protocol only.
    Of(Protocol, &'static [Mode]),
    /// In the protocols that have Event Mode.
    WithEvents(&'static [Mode]),
    /// Never; the reason.
    Never(&'static str),
}

use Mode::{
    Configuration, ContinuousTime, Error, Event, Initialization, Instantiated, Intermediate,
    StepComplete, StepFailed, Terminated,
};
use Protocol::{CoSimulation, CoSimulationWithEvents, ModelExchange};
use Rule::{In, Never, Of, WithEvents};

// Whenever no communication step is under way.
const ALWAYS: &[Mode] = &[
    Instantiated,
    Configuration,
    Initialization,
    StepComplete,
    StepFailed,
    Event,
    ContinuousTime,
    Terminated,
    Error,
];
// The standard's footnote: after an error the values are good for finding its cause only.
const READ: &[Mode] = &[
    Initialization,
    StepComplete,
    Intermediate,
    StepFailed,
    Event,
    ContinuousTime,
    Terminated,
    Error,
];
const READ_OF_MODEL_EXCHANGE: &[Mode] = &[Initialization, Event, ContinuousTime, Terminated, Error];
const DERIVED: &[Mode] =
    &[Initialization, StepComplete, StepFailed, Event, ContinuousTime, Terminated, Error];
// Real inputs are continuous; what else can be set is discrete, and set at events.
const WRITE: &[Mode] =
    &[Instantiated, Initialization, StepComplete, Intermediate, Event, ContinuousTime];
const WRITE_RATES: &[Mode] = &[Instantiated, Initialization, StepComplete];
const WRITE_DISCRETE: &[Mode] = &[Instantiated, Initialization, StepComplete, Event];
// The logger may be switched from a callback, too.
const EVERYWHERE: &[Mode] = &[
    Instantiated,
    Configuration,
    Initialization,
    StepComplete,
    Intermediate,
    StepFailed,
    Event,
    ContinuousTime,
    Terminated,
    Error,
];
// Structural parameters; those that are fixed are refused elsewhere by name.
const READ_STRUCTURE: &[Mode] = &[
    Configuration,
    Initialization,
    StepComplete,
    Intermediate,
    StepFailed,
    Event,
    ContinuousTime,
    Terminated,
    Error,
];
const WRITE_STRUCTURE: &[Mode] =
    &[Instantiated, Configuration, Initialization, StepComplete, Event];
const RATES: &[Mode] = &[StepComplete, Intermediate, StepFailed, Event, Terminated, Error];
const STEPPED: &[Mode] = &[StepComplete, StepFailed, Terminated];
// Hosts ask for the nominal values before anything else.
const NOMINALS: &[Mode] = ALWAYS;
// OpenModelica enters Event Mode again where it already is.
const EVENTS: &[Mode] = &[StepComplete, Event, ContinuousTime];

const NOTHING_TO_CANCEL: &str =
    "fmi2DoStep never runs in the background (canRunAsynchronuously = false)";
const NO_CLOCKS: &str = "there are no clocks; fmi3DoStep reports events";
const NO_EVALUATION: &str = "providesEvaluateDiscreteStates = false; call fmi3UpdateDiscreteStates";
const NO_ELEMENTS: &str =
    "providesPerElementDependencies = false; dependencies are in modelDescription.xml";

macro_rules! calls {
    (fmi2 { $($call:ident $(as $renamed:ident)?: $rule:expr;)* } fmi3 { $($new:ident: $rule_of_new:expr;)* }) => {
        /// An FMI function that takes an instance.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Call { $($call,)* $($new),* }

        impl Call {
            /// Every call of FMI 2.0.
            pub const ALL: &[Call] = &[$(Call::$call),*];

            /// Name of the C function, in FMI 2.0 where it is one of both standards.
            #[allow(unreachable_patterns, reason = "a step that goes on has the name of its beginning")]
            pub fn name(self) -> &'static str {
                match self {
                    Call::ContinueStep => "fmi3DoStep",
                    $(Call::$call => concat!("fmi2", stringify!($call)),)*
                    $(Call::$new => concat!("fmi3", stringify!($new)),)*
                }
            }

            fn rule(self) -> Rule {
                match self { $(Call::$call => $rule,)* $(Call::$new => $rule_of_new),* }
            }
        }

        /// Functions that FMI 3.0 calls otherwise, without `fmi2` and `fmi3`.
        const RENAMED: &[(&str, &str)] = &[$($((stringify!($call), stringify!($renamed)),)?)*];
    };
}

calls! {
    fmi2 {
        SetDebugLogging: In(EVERYWHERE);
        FreeInstance: In(ALWAYS);
        SetupExperiment as EnterInitializationMode: In(&[Instantiated]);
        EnterInitializationMode: In(&[Instantiated]);
        ExitInitializationMode: In(&[Initialization]);
        Terminate: In(&[StepComplete, StepFailed, Event, ContinuousTime]);
        Reset: In(ALWAYS);
        GetReal as GetFloat64: In(READ);
        GetInteger as GetInt32: In(READ);
        GetBoolean: In(READ);
        GetString: In(READ);
        SetReal as SetFloat64: In(WRITE);
        SetInteger as SetInt32: In(WRITE_DISCRETE);
        SetBoolean: In(WRITE_DISCRETE);
        SetString: In(WRITE_DISCRETE);
        DoStep: Of(CoSimulation, &[StepComplete]);
        CancelStep: Never(NOTHING_TO_CANCEL);
        GetStatus: Of(CoSimulation, STEPPED);
        GetRealStatus: Of(CoSimulation, STEPPED);
        GetIntegerStatus: Of(CoSimulation, STEPPED);
        GetBooleanStatus: Of(CoSimulation, STEPPED);
        GetStringStatus: Of(CoSimulation, STEPPED);
        GetFMUstate as GetFMUState: In(ALWAYS);
        SetFMUstate as SetFMUState: In(ALWAYS);
        FreeFMUstate as FreeFMUState: In(ALWAYS);
        SerializedFMUstateSize as SerializedFMUStateSize: In(ALWAYS);
        SerializeFMUstate as SerializeFMUState: In(ALWAYS);
        DeSerializeFMUstate as DeserializeFMUState: In(ALWAYS);
        GetDirectionalDerivative: In(DERIVED);
        SetRealInputDerivatives: Of(CoSimulation, WRITE_RATES);
        GetRealOutputDerivatives as GetOutputDerivatives: Of(CoSimulation, RATES);
        EnterEventMode: WithEvents(EVENTS);
        NewDiscreteStates as UpdateDiscreteStates: WithEvents(&[Event]);
        EnterContinuousTimeMode: Of(ModelExchange, &[Event]);
        CompletedIntegratorStep: Of(ModelExchange, &[ContinuousTime]);
        SetTime: Of(ModelExchange, &[Instantiated, Event, ContinuousTime]);
        SetContinuousStates: Of(ModelExchange, &[ContinuousTime]);
        GetDerivatives as GetContinuousStateDerivatives: Of(ModelExchange, READ_OF_MODEL_EXCHANGE);
        GetEventIndicators: Of(ModelExchange, READ_OF_MODEL_EXCHANGE);
        GetContinuousStates: Of(ModelExchange, READ_OF_MODEL_EXCHANGE);
        GetNominalsOfContinuousStates: Of(ModelExchange, NOMINALS);
    }
    fmi3 {
        GetFloat32: In(READ);
        GetInt8: In(READ);
        GetUInt8: In(READ);
        GetInt16: In(READ);
        GetUInt16: In(READ);
        GetUInt32: In(READ);
        GetInt64: In(READ);
        GetUInt64: In(READ_STRUCTURE);
        GetBinary: In(READ);
        GetClock: In(READ);
        SetFloat32: In(WRITE_DISCRETE);
        SetInt8: In(WRITE_DISCRETE);
        SetUInt8: In(WRITE_DISCRETE);
        SetInt16: In(WRITE_DISCRETE);
        SetUInt16: In(WRITE_DISCRETE);
        SetUInt32: In(WRITE_DISCRETE);
        SetInt64: In(WRITE_DISCRETE);
        SetUInt64: In(WRITE_STRUCTURE);
        SetBinary: In(WRITE_DISCRETE);
        SetClock: In(WRITE_DISCRETE);
        GetAdjointDerivative: In(DERIVED);
        EnterStepMode: Of(CoSimulationWithEvents, &[Event]);
        GetNumberOfVariableDependencies: Never(NO_ELEMENTS);
        GetVariableDependencies: Never(NO_ELEMENTS);
        EnterConfigurationMode: In(&[Instantiated]);
        ExitConfigurationMode: In(&[Configuration]);
        GetIntervalDecimal: Never(NO_CLOCKS);
        GetIntervalFraction: Never(NO_CLOCKS);
        GetShiftDecimal: Never(NO_CLOCKS);
        GetShiftFraction: Never(NO_CLOCKS);
        SetIntervalDecimal: Never(NO_CLOCKS);
        SetIntervalFraction: Never(NO_CLOCKS);
        SetShiftDecimal: Never(NO_CLOCKS);
        SetShiftFraction: Never(NO_CLOCKS);
        ActivateModelPartition: Never(NO_CLOCKS);
        EvaluateDiscreteStates: Never(NO_EVALUATION);
        GetNumberOfEventIndicators: Of(ModelExchange, NOMINALS);
        GetNumberOfContinuousStates: Of(ModelExchange, NOMINALS);
        ContinueStep: Of(CoSimulation, &[Intermediate]);
    }
}

/// A message with the functions' names in FMI 3.0.
pub fn in_fmi3(text: &str) -> Cow<'_, str> {
    const PREFIX: &str = "fmi2";
    let mut parts = text.split(PREFIX);
    let mut renamed = String::from(parts.next().unwrap_or_default());
    if renamed.len() == text.len() {
        return Cow::Borrowed(text);
    }
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let other = RENAMED.iter().find(|(own, _)| *own == name);
        renamed += "fmi3";
        renamed += other.map_or(name, |(_, other)| *other);
        renamed += rest;
    }
    Cow::Owned(renamed)
}

impl Call {
    /// Refuses the call if it is not legal in `mode` of `protocol`.
    ///
    /// # Errors
    /// With the mode, the modes that would be right, and what to call first.
    pub fn check(self, protocol: Protocol, mode: Mode) -> Result<(), Refusal> {
        let modes = match self.rule() {
            In(modes) => modes,
            Of(of, modes) if protocol.includes(of) => modes,
            Of(of, _) => return Err(protocol.lacks(of)),
            WithEvents(_) if protocol == CoSimulation => return Err(protocol.lacks(ModelExchange)),
            WithEvents(modes) => modes,
            Never(reason) => return Err(Refusal::error(reason)),
        };
        if modes.contains(&mode) {
            return Ok(());
        }
        let allowed = modes.iter().filter(|m| m.is_of(protocol));
        let allowed: Vec<_> = allowed.map(|m| m.name()).collect();
        let hint = match mode {
            Instantiated => "; initialize first",
            StepFailed | Terminated | Error => "; fmi2Reset starts over",
            Configuration => "; fmi3ExitConfigurationMode leaves it",
            Initialization | StepComplete | Intermediate | Event | ContinuousTime => "",
        };
        Err(Refusal::error(format!(
            "not allowed {}; allowed {}{hint}",
            mode.name(),
            allowed.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROTOCOLS: [Protocol; 3] = [ModelExchange, CoSimulation, CoSimulationWithEvents];

    #[test]
    fn every_mode_can_be_left_by_reset_and_free() {
        for protocol in PROTOCOLS {
            for &mode in ALWAYS {
                assert!(Call::Reset.check(protocol, mode).is_ok());
                assert!(Call::FreeInstance.check(protocol, mode).is_ok());
            }
        }
    }

    #[test]
    fn steps_are_legal_only_between_steps() {
        for &mode in ALWAYS {
            let legal = Call::DoStep.check(CoSimulation, mode).is_ok();
            assert_eq!(legal, mode == StepComplete);
            assert!(Call::DoStep.check(ModelExchange, mode).is_err());
        }
    }

    #[test]
    fn messages_name_the_functions_of_the_hosts_standard() {
        let text = "call fmi2GetReal, then fmi2DoStep (fmi2DeSerializeFMUstate)";
        let renamed = "call fmi3GetFloat64, then fmi3DoStep (fmi3DeserializeFMUState)";
        assert_eq!(in_fmi3(text), renamed);
        assert_eq!(in_fmi3("no function"), "no function");
    }

    #[test]
    fn only_hosts_that_use_event_mode_enter_it_from_a_step() {
        let may = |protocol| Call::EnterEventMode.check(protocol, StepComplete).is_ok();
        assert!(may(CoSimulationWithEvents) && !may(CoSimulation));
        assert!(Call::EnterStepMode.check(CoSimulationWithEvents, Event).is_ok());
        assert!(Call::EnterStepMode.check(ModelExchange, Event).is_err());
    }

    #[test]
    fn a_refusal_names_the_mode_and_the_way_out() {
        let refusal = Call::DoStep.check(CoSimulation, Instantiated);
        assert_eq!(
            refusal.expect_err("illegal").message,
            "not allowed before initialization; allowed between communication steps; \
             initialize first"
        );
    }

    #[test]
    fn modes_of_the_other_protocol_are_not_named() {
        let message = |protocol| {
            let refusal = Call::Terminate.check(protocol, Instantiated);
            refusal.expect_err("illegal").message
        };
        assert!(message(CoSimulation).contains("steps") && !message(CoSimulation).contains("Mode"));
        assert!(
            message(ModelExchange).contains("Mode") && !message(ModelExchange).contains("steps")
        );
    }
}
