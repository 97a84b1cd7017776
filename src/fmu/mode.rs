//! The state machine of FMI 2.0 for co-simulation (section 4.2.4): which call is legal when.

use serde::{Deserialize, Serialize};

use super::report::Refusal;

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
    /// After `fmi2Terminate`.
    Terminated,
    /// The start failed or the library met a defect of its own; only a reset helps.
    Error,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Instantiated => "before initialization",
            Mode::Initialization => "in Initialization Mode",
            Mode::StepComplete => "between communication steps",
            Mode::StepFailed => "after a discarded communication step",
            Mode::Terminated => "after fmi2Terminate",
            Mode::Error => "after an error",
        }
    }
}

/// When a call is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    In(&'static [Mode]),
    /// Never; the reason.
    Never(&'static str),
}

use Mode::{Error, Initialization, Instantiated, StepComplete, StepFailed, Terminated};
use Rule::{In, Never};

const ALWAYS: &[Mode] = &[
    Instantiated,
    Initialization,
    StepComplete,
    StepFailed,
    Terminated,
    Error,
];
// The standard's footnote: after an error the values are good for finding its cause only.
const READ: &[Mode] = &[Initialization, StepComplete, StepFailed, Terminated, Error];
const WRITE: &[Mode] = &[Instantiated, Initialization, StepComplete];
const STEPPED: &[Mode] = &[StepComplete, StepFailed, Terminated];

const NO_MODEL_EXCHANGE: &str =
    "this FMU is for co-simulation; Model Exchange functions do not apply to it";
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
    Terminate: In(&[StepComplete, StepFailed]);
    Reset: In(ALWAYS);
    GetReal: In(READ);
    GetInteger: In(READ);
    GetBoolean: In(READ);
    GetString: In(READ);
    SetReal: In(WRITE);
    SetInteger: In(WRITE);
    SetBoolean: In(WRITE);
    SetString: In(WRITE);
    DoStep: In(&[StepComplete]);
    CancelStep: Never(NOTHING_TO_CANCEL);
    GetStatus: In(STEPPED);
    GetRealStatus: In(STEPPED);
    GetIntegerStatus: In(STEPPED);
    GetBooleanStatus: In(STEPPED);
    GetStringStatus: In(STEPPED);
    GetFMUstate: In(ALWAYS);
    SetFMUstate: In(ALWAYS);
    FreeFMUstate: In(ALWAYS);
    SerializedFMUstateSize: In(ALWAYS);
    SerializeFMUstate: In(ALWAYS);
    DeSerializeFMUstate: In(ALWAYS);
    GetDirectionalDerivative: In(READ);
    SetRealInputDerivatives: In(WRITE);
    GetRealOutputDerivatives: In(&[StepComplete, StepFailed, Terminated, Error]);
    EnterEventMode: Never(NO_MODEL_EXCHANGE);
    NewDiscreteStates: Never(NO_MODEL_EXCHANGE);
    EnterContinuousTimeMode: Never(NO_MODEL_EXCHANGE);
    CompletedIntegratorStep: Never(NO_MODEL_EXCHANGE);
    SetTime: Never(NO_MODEL_EXCHANGE);
    SetContinuousStates: Never(NO_MODEL_EXCHANGE);
    GetDerivatives: Never(NO_MODEL_EXCHANGE);
    GetEventIndicators: Never(NO_MODEL_EXCHANGE);
    GetContinuousStates: Never(NO_MODEL_EXCHANGE);
    GetNominalsOfContinuousStates: Never(NO_MODEL_EXCHANGE);
}

impl Call {
    /// Refuses the call if it is not legal in `mode`.
    ///
    /// # Errors
    /// With the mode, the modes that would be right, and what to call first.
    pub fn check(self, mode: Mode) -> Result<(), Refusal> {
        match self.rule() {
            In(modes) if modes.contains(&mode) => Ok(()),
            In(modes) => {
                let allowed: Vec<_> = modes.iter().map(|m| m.name()).collect();
                let hint = match mode {
                    Instantiated => "; initialize first",
                    StepFailed | Terminated | Error => "; fmi2Reset starts over",
                    Initialization | StepComplete => "",
                };
                Err(Refusal::error(format!(
                    "not allowed {}; allowed {}{hint}",
                    mode.name(),
                    allowed.join(", ")
                )))
            }
            Never(reason) => Err(Refusal::error(reason)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_can_be_left_by_reset_and_free() {
        for &mode in ALWAYS {
            assert!(Call::Reset.check(mode).is_ok() && Call::FreeInstance.check(mode).is_ok());
        }
    }

    #[test]
    fn steps_are_legal_only_between_steps() {
        for &mode in ALWAYS {
            assert_eq!(Call::DoStep.check(mode).is_ok(), mode == StepComplete);
        }
    }

    #[test]
    fn a_refusal_names_the_mode_and_the_way_out() {
        let refusal = Call::DoStep.check(Instantiated).expect_err("illegal");
        assert_eq!(
            refusal.message,
            "not allowed before initialization; allowed between communication steps; \
             initialize first"
        );
    }
}
