//! The state machines of FMI 2.0 for co-simulation (section 4.2.4) and for Model Exchange (section
//! 3.2.3): which call is legal when.

use serde::{Deserialize, Serialize};

use super::report::Refusal;

/// What a host uses an instance for; it says so when it makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// The host integrates; the mechanism is a sampled block in its equations.
    ModelExchange,
    /// The mechanism is asked for one communication step after another.
    CoSimulation,
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
        }
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
    /// The last communication step was discarded.
    StepFailed,
    /// Model Exchange: an event is being handled.
    Event,
    /// Model Exchange: between events.
    ContinuousTime,
    /// After `fmi2Terminate`.
    Terminated,
    /// The start failed or the library met a defect of its own; only a reset helps.
    Error,
}

impl Mode {
    /// Whether the start has been left and the end has not come: what is set acts from now on and
    /// does not change the start.
    pub fn is_running(self) -> bool {
        matches!(self, StepComplete | Event | ContinuousTime)
    }

    /// Whether an instance of `protocol` can stand there.
    fn is_of(self, protocol: Protocol) -> bool {
        match self {
            StepComplete | StepFailed => protocol == CoSimulation,
            Event | ContinuousTime => protocol == ModelExchange,
            Instantiated | Initialization | Terminated | Error => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "before initialization",
            Mode::Initialization => "in Initialization Mode",
            Mode::StepComplete => "between communication steps",
            Mode::StepFailed => "after a discarded communication step",
            Mode::Event => "in Event Mode",
            Mode::ContinuousTime => "in Continuous-Time Mode",
            Mode::Terminated => "after fmi2Terminate",
            Mode::Error => "after an error",
        }
    }
}

/// When a call is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    In(&'static [Mode]),
    /// In one protocol only.
    Of(Protocol, &'static [Mode]),
    /// Never; the reason.
    Never(&'static str),
}

use Mode::{
    ContinuousTime, Error, Event, Initialization, Instantiated, StepComplete, StepFailed,
    Terminated,
};
use Protocol::{CoSimulation, ModelExchange};
use Rule::{In, Never, Of};

const ALWAYS: &[Mode] = &[
    Instantiated,
    Initialization,
    StepComplete,
    StepFailed,
    Event,
    ContinuousTime,
    Terminated,
    Error,
];
// The standard's footnote: after an error the values are good for finding its cause only.
const READ: &[Mode] =
    &[Initialization, StepComplete, StepFailed, Event, ContinuousTime, Terminated, Error];
// Real inputs are continuous; what else can be set is discrete, and set at events.
const WRITE: &[Mode] = &[Instantiated, Initialization, StepComplete, Event, ContinuousTime];
const WRITE_DISCRETE: &[Mode] = &[Instantiated, Initialization, StepComplete, Event];
const STEPPED: &[Mode] = &[StepComplete, StepFailed, Terminated];
// Hosts ask for the nominal values before anything else.
const NOMINALS: &[Mode] = ALWAYS;
// OpenModelica enters Event Mode again where it already is.
const EVENTS: &[Mode] = &[Event, ContinuousTime];

const NOTHING_TO_CANCEL: &str =
    "fmi2DoStep never runs in the background (canRunAsynchronuously = false)";

macro_rules! calls {
    ($($call:ident: $rule:expr;)*) => {
        /// An FMI function that takes an instance.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Call { $($call),* }

        impl Call {
            /// Every call.
            pub const ALL: &[Call] = &[$(Call::$call),*];

            /// Name of the C function.
            pub fn name(self) -> &'static str {
                match self { $(Call::$call => concat!("fmi2", stringify!($call))),* }
            }

            fn rule(self) -> Rule {
                match self { $(Call::$call => $rule),* }
            }
        }
    };
}

calls! {
    SetDebugLogging: In(ALWAYS);
    FreeInstance: In(ALWAYS);
    SetupExperiment: In(&[Instantiated]);
    EnterInitializationMode: In(&[Instantiated]);
    ExitInitializationMode: In(&[Initialization]);
    Terminate: In(&[StepComplete, StepFailed, Event, ContinuousTime]);
    Reset: In(ALWAYS);
    GetReal: In(READ);
    GetInteger: In(READ);
    GetBoolean: In(READ);
    GetString: In(READ);
    SetReal: In(WRITE);
    SetInteger: In(WRITE_DISCRETE);
    SetBoolean: In(WRITE_DISCRETE);
    SetString: In(WRITE_DISCRETE);
    DoStep: Of(CoSimulation, &[StepComplete]);
    CancelStep: Never(NOTHING_TO_CANCEL);
    GetStatus: Of(CoSimulation, STEPPED);
    GetRealStatus: Of(CoSimulation, STEPPED);
    GetIntegerStatus: Of(CoSimulation, STEPPED);
    GetBooleanStatus: Of(CoSimulation, STEPPED);
    GetStringStatus: Of(CoSimulation, STEPPED);
    GetFMUstate: In(ALWAYS);
    SetFMUstate: In(ALWAYS);
    FreeFMUstate: In(ALWAYS);
    SerializedFMUstateSize: In(ALWAYS);
    SerializeFMUstate: In(ALWAYS);
    DeSerializeFMUstate: In(ALWAYS);
    GetDirectionalDerivative: In(READ);
    SetRealInputDerivatives: Of(CoSimulation, WRITE);
    GetRealOutputDerivatives: Of(CoSimulation, &[StepComplete, StepFailed, Terminated, Error]);
    EnterEventMode: Of(ModelExchange, EVENTS);
    NewDiscreteStates: Of(ModelExchange, &[Event]);
    EnterContinuousTimeMode: Of(ModelExchange, &[Event]);
    CompletedIntegratorStep: Of(ModelExchange, &[ContinuousTime]);
    SetTime: Of(ModelExchange, &[Instantiated, Event, ContinuousTime]);
    SetContinuousStates: Of(ModelExchange, &[ContinuousTime]);
    GetDerivatives: Of(ModelExchange, READ);
    GetEventIndicators: Of(ModelExchange, READ);
    GetContinuousStates: Of(ModelExchange, READ);
    GetNominalsOfContinuousStates: Of(ModelExchange, NOMINALS);
}

impl Call {
    /// Refuses the call if it is not legal in `mode` of `protocol`.
    ///
    /// # Errors
    /// With the mode, the modes that would be right, and what to call first.
    pub fn check(self, protocol: Protocol, mode: Mode) -> Result<(), Refusal> {
        let modes = match self.rule() {
            In(modes) => modes,
            Of(of, modes) if of == protocol => modes,
            Of(of, _) => return Err(protocol.lacks(of)),
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
            Initialization | StepComplete | Event | ContinuousTime => "",
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

    const PROTOCOLS: [Protocol; 2] = [ModelExchange, CoSimulation];

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
