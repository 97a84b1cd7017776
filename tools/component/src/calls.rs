//! The methods of the two resources, in the order of their declarations; those that both have stand once, in [`of_both`].

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

use coulisse::abi::fmi3::*;
use coulisse::abi::lists::{c_text, set_input_derivatives};
use coulisse::fmu::Call;

use crate::exports::fmi::fmi3::co_simulation::{
    CoSimulationInstance, DoStepResult, GuestCoSimulationInstance,
};
use crate::exports::fmi::fmi3::model_exchange::{
    CompletedStepResult, GuestModelExchangeInstance, ModelExchangeInstance,
};
use crate::fmi::fmi3::types::{
    DiscreteStatesInfo, IntervalFraction, IntervalQualifier, Status, VariableDependency,
};
use crate::instance::{Instance, given, status};
use crate::{Part, of_co_simulation, of_model_exchange, words};

/// Methods without arguments that answer a status.
macro_rules! plain {
    ($($method:ident = $function:ident;)*) => {$(
        fn $method(&self) -> Status {
            // SAFETY: the handle is live.
            status(unsafe { $function(self.handle) })
        }
    )*};
}

/// Methods that read values of variables.
macro_rules! getters {
    ($($method:ident: $type:ty = $function:ident($call:ident);)*) => {$(
        fn $method(&self, references: Vec<u32>) -> Result<Vec<$type>, Status> {
            self.get(Call::$call, &references, $function)
        }
    )*};
}

/// Methods that set them.
macro_rules! setters {
    ($($method:ident: $type:ty = $function:ident;)*) => {$(
        fn $method(&self, references: Vec<u32>, values: Vec<$type>) -> Status {
            self.set(&references, &values, $function)
        }
    )*};
}

/// Methods that the library refuses whatever the arguments, which it does not look at: the reason goes to the log.
macro_rules! refused {
    ($($method:ident($($type:ty),*) -> $answer:ty = $function:ident($($argument:expr),*);)*) => {$(
        fn $method(&self $(, _: $type)*) -> Result<$answer, Status> {
            // SAFETY: the handle is live, and nothing else is touched.
            Err(status(unsafe { $function(self.handle $(, $argument)*) }))
        }
    )*};
    (status $($method:ident($($type:ty),*) = $function:ident($($argument:expr),*);)*) => {$(
        fn $method(&self $(, _: $type)*) -> Status {
            // SAFETY: as above.
            status(unsafe { $function(self.handle $(, $argument)*) })
        }
    )*};
}

// Pointers and lengths that the calls below get are those of lists that outlive the call, and the handle is live.
macro_rules! of_both {
    () => {
        fn set_debug_logging(&self, on: bool, categories: Vec<String>) -> Status {
            let categories: Vec<CString> = categories.iter().map(|name| c_text(name)).collect();
            let names: Vec<*const c_char> = categories.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: see above.
            status(unsafe {
                fmi3SetDebugLogging(self.handle, on.into(), names.len(), names.as_ptr())
            })
        }

        fn enter_initialization_mode(
            &self, tolerance: Option<f64>, start: f64, stop: Option<f64>,
        ) -> Status {
            // SAFETY: the handle is live.
            status(unsafe {
                fmi3EnterInitializationMode(
                    self.handle,
                    tolerance.is_some().into(),
                    tolerance.unwrap_or_default(),
                    start,
                    stop.is_some().into(),
                    stop.unwrap_or_default(),
                )
            })
        }

        fn update_discrete_states(&self) -> Result<DiscreteStatesInfo, Status> {
            let [mut again, mut terminate, mut nominals, mut values, mut defined] = [0; 5];
            let mut next = 0.0;
            // SAFETY: all places outlive the call.
            let answer = unsafe {
                fmi3UpdateDiscreteStates(
                    self.handle,
                    &raw mut again,
                    &raw mut terminate,
                    &raw mut nominals,
                    &raw mut values,
                    &raw mut defined,
                    &raw mut next,
                )
            };
            let info = DiscreteStatesInfo {
                new_discrete_states_needed: again != 0,
                terminate_simulation: terminate != 0,
                nominals_of_continuous_states_changed: nominals != 0,
                values_of_continuous_states_changed: values != 0,
                next_event_time_defined: defined != 0,
                next_event_time: next,
            };
            given(info, answer)
        }

        plain! {
            exit_initialization_mode = fmi3ExitInitializationMode;
            enter_event_mode = fmi3EnterEventMode;
            terminate = fmi3Terminate;
            reset = fmi3Reset;
            enter_configuration_mode = fmi3EnterConfigurationMode;
            exit_configuration_mode = fmi3ExitConfigurationMode;
            evaluate_discrete_states = fmi3EvaluateDiscreteStates;
            enter_step_mode = fmi3EnterStepMode;
        }

        getters! {
            get_float32: f32 = fmi3GetFloat32(GetFloat32);
            get_float64: f64 = fmi3GetFloat64(GetReal);
            get_int8: i8 = fmi3GetInt8(GetInt8);
            get_int16: i16 = fmi3GetInt16(GetInt16);
            get_int32: i32 = fmi3GetInt32(GetInteger);
            get_int64: i64 = fmi3GetInt64(GetInt64);
            get_uint8: u8 = fmi3GetUInt8(GetUInt8);
            get_uint16: u16 = fmi3GetUInt16(GetUInt16);
            get_uint32: u32 = fmi3GetUInt32(GetUInt32);
            get_uint64: u64 = fmi3GetUInt64(GetUInt64);
        }

        fn get_boolean(&self, references: Vec<u32>) -> Result<Vec<bool>, Status> {
            let values = self.get(Call::GetBoolean, &references, fmi3GetBoolean)?;
            Ok(values.into_iter().map(|value| value != 0).collect())
        }

        fn get_string(&self, references: Vec<u32>) -> Result<Vec<String>, Status> {
            let n = references.len();
            let mut texts: Vec<*const c_char> = vec![null(); n];
            // SAFETY: see above.
            let answer = unsafe {
                fmi3GetString(self.handle, references.as_ptr(), n, texts.as_mut_ptr(), n)
            };
            let texts = given(texts, answer)?;
            // SAFETY: the library has put texts there, which stay until others are read.
            Ok(texts.into_iter().map(|text| unsafe { words(text) }).collect())
        }

        fn get_binary(&self, references: Vec<u32>) -> Result<Vec<Vec<u8>>, Status> {
            let n = references.len();
            // SAFETY: see above. No variable has this type: values are never written.
            let answer = unsafe {
                fmi3GetBinary(self.handle, references.as_ptr(), n, null_mut(), null_mut(), 0)
            };
            given(Vec::new(), answer)
        }

        fn get_clock(&self, references: Vec<u32>) -> Result<Vec<bool>, Status> {
            let n = references.len();
            let mut ticks = vec![0; n];
            // SAFETY: see above.
            let answer =
                unsafe { fmi3GetClock(self.handle, references.as_ptr(), n, ticks.as_mut_ptr()) };
            given(ticks.into_iter().map(|tick| tick != 0).collect(), answer)
        }

        setters! {
            set_float32: f32 = fmi3SetFloat32;
            set_float64: f64 = fmi3SetFloat64;
            set_int8: i8 = fmi3SetInt8;
            set_int16: i16 = fmi3SetInt16;
            set_int32: i32 = fmi3SetInt32;
            set_int64: i64 = fmi3SetInt64;
            set_uint8: u8 = fmi3SetUInt8;
            set_uint16: u16 = fmi3SetUInt16;
            set_uint32: u32 = fmi3SetUInt32;
            set_uint64: u64 = fmi3SetUInt64;
        }

        fn set_boolean(&self, references: Vec<u32>, values: Vec<bool>) -> Status {
            let values: Vec<u8> = values.into_iter().map(u8::from).collect();
            self.set(&references, &values, fmi3SetBoolean)
        }

        fn set_string(&self, references: Vec<u32>, values: Vec<String>) -> Status {
            let texts: Vec<CString> = values.iter().map(|text| c_text(text)).collect();
            let texts: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
            self.set(&references, &texts, fmi3SetString)
        }

        fn set_binary(&self, references: Vec<u32>, _: Vec<Vec<u8>>) -> Status {
            let n = references.len();
            // SAFETY: see above. No variable has this type: values are never read.
            status(unsafe {
                fmi3SetBinary(self.handle, references.as_ptr(), n, null(), null(), 0)
            })
        }

        fn set_clock(&self, references: Vec<u32>, values: Vec<bool>) -> Status {
            let mut ticks: Vec<u8> = values.into_iter().map(u8::from).collect();
            let n = references.len();
            ticks.resize(n, 0);
            // SAFETY: see above.
            status(unsafe {
                fmi3SetClock(self.handle, references.as_ptr(), n, ticks.as_ptr())
            })
        }

        refused! {
            get_number_of_variable_dependencies(u32) -> u64 = fmi3GetNumberOfVariableDependencies(0, null_mut());
            get_variable_dependencies(u32) -> Vec<VariableDependency> =
                fmi3GetVariableDependencies(0, null_mut(), null_mut(), null_mut(), null_mut(), 0);
            get_interval_decimal(Vec<u32>) -> Vec<(f64, IntervalQualifier)> =
                fmi3GetIntervalDecimal(null(), 0, null_mut(), null_mut());
            get_interval_fraction(Vec<u32>) -> Vec<(IntervalFraction, IntervalQualifier)> =
                fmi3GetIntervalFraction(null(), 0, null_mut(), null_mut(), null_mut());
            get_shift_decimal(Vec<u32>) -> Vec<f64> = fmi3GetShiftDecimal(null(), 0, null_mut());
            get_shift_fraction(Vec<u32>) -> Vec<IntervalFraction> =
                fmi3GetShiftFraction(null(), 0, null_mut(), null_mut());
        }

        refused! { status
            set_interval_decimal(Vec<u32>, Vec<f64>) = fmi3SetIntervalDecimal(null(), 0, null());
            set_interval_fraction(Vec<u32>, Vec<IntervalFraction>) =
                fmi3SetIntervalFraction(null(), 0, null(), null());
            set_shift_decimal(Vec<u32>, Vec<f64>) = fmi3SetShiftDecimal(null(), 0, null());
            set_shift_fraction(Vec<u32>, Vec<IntervalFraction>) =
                fmi3SetShiftFraction(null(), 0, null(), null());
        }

        fn get_fmu_state(&self) -> Result<Vec<u8>, Status> {
            self.save()
        }

        fn set_fmu_state(&self, state: Vec<u8>) -> Status {
            self.restore(&state)
        }

        fn get_directional_derivative(
            &self, unknowns: Vec<u32>, knowns: Vec<u32>, seed: Vec<f64>,
        ) -> Result<Vec<f64>, Status> {
            let mut changes = vec![0.0; self.number(Call::GetDirectionalDerivative, &unknowns)?];
            // SAFETY: see above.
            let answer = unsafe {
                fmi3GetDirectionalDerivative(
                    self.handle,
                    unknowns.as_ptr(),
                    unknowns.len(),
                    knowns.as_ptr(),
                    knowns.len(),
                    seed.as_ptr(),
                    seed.len(),
                    changes.as_mut_ptr(),
                    changes.len(),
                )
            };
            given(changes, answer)
        }

        fn get_adjoint_derivative(
            &self, unknowns: Vec<u32>, knowns: Vec<u32>, seed: Vec<f64>,
        ) -> Result<Vec<f64>, Status> {
            let mut changes = vec![0.0; knowns.len()];
            // SAFETY: see above.
            let answer = unsafe {
                fmi3GetAdjointDerivative(
                    self.handle,
                    unknowns.as_ptr(),
                    unknowns.len(),
                    knowns.as_ptr(),
                    knowns.len(),
                    seed.as_ptr(),
                    seed.len(),
                    changes.as_mut_ptr(),
                    changes.len(),
                )
            };
            given(changes, answer)
        }

        fn get_output_derivatives(&self, requests: Vec<(u32, u32)>) -> Result<Vec<f64>, Status> {
            let (references, orders) = apart(&requests);
            let n = references.len();
            let mut values = vec![0.0; self.number(Call::GetRealOutputDerivatives, &references)?];
            // SAFETY: see above.
            let answer = unsafe {
                fmi3GetOutputDerivatives(
                    self.handle,
                    references.as_ptr(),
                    n,
                    orders.as_ptr(),
                    values.as_mut_ptr(),
                    values.len(),
                )
            };
            given(values, answer)
        }
    };
}

/// References and orders; an order beyond what C can take is refused as the largest.
fn apart(requests: &[(u32, u32)]) -> (Vec<u32>, Vec<i32>) {
    let order = |order| i32::try_from(order).unwrap_or(i32::MAX);
    requests.iter().map(|&(reference, of)| (reference, order(of))).unzip()
}

impl GuestModelExchangeInstance for Instance {
    fn instantiate_model_exchange(
        name: String, token: String, path: String, visible: bool, logging: bool,
    ) -> Option<ModelExchangeInstance> {
        of_model_exchange(&name, &token, &path, visible, logging)
    }

    of_both!();

    plain! {
        enter_continuous_time_mode = fmi3EnterContinuousTimeMode;
    }

    fn set_time(&self, time: f64) -> Status {
        // SAFETY: the handle is live.
        status(unsafe { fmi3SetTime(self.handle, time) })
    }

    fn set_continuous_states(&self, states: Vec<f64>) -> Status {
        // SAFETY: see above.
        status(unsafe { fmi3SetContinuousStates(self.handle, states.as_ptr(), states.len()) })
    }

    fn get_continuous_state_derivatives(&self) -> Result<Vec<f64>, Status> {
        self.vector(self.number_of_states()?, fmi3GetContinuousStateDerivatives)
    }

    fn get_event_indicators(&self) -> Result<Vec<f64>, Status> {
        self.vector(self.number_of_indicators()?, fmi3GetEventIndicators)
    }

    fn get_continuous_states(&self) -> Result<Vec<f64>, Status> {
        self.vector(self.number_of_states()?, fmi3GetContinuousStates)
    }

    fn get_nominals_of_continuous_states(&self) -> Result<Vec<f64>, Status> {
        self.vector(self.number_of_states()?, fmi3GetNominalsOfContinuousStates)
    }

    fn get_number_of_event_indicators(&self) -> Result<u64, Status> {
        self.number_of_indicators().map(|number| number as u64)
    }

    fn get_number_of_continuous_states(&self) -> Result<u64, Status> {
        self.number_of_states().map(|number| number as u64)
    }

    fn completed_integrator_step(
        &self, no_earlier_state: bool,
    ) -> Result<CompletedStepResult, Status> {
        let [mut event, mut terminate] = [0; 2];
        // SAFETY: both places outlive the call.
        let answer = unsafe {
            fmi3CompletedIntegratorStep(
                self.handle,
                no_earlier_state.into(),
                &raw mut event,
                &raw mut terminate,
            )
        };
        let result = CompletedStepResult {
            enter_event_mode: event != 0,
            terminate_simulation: terminate != 0,
        };
        given(result, answer)
    }
}

impl Instance {
    fn number_of_states(&self) -> Result<usize, Status> {
        let mut number = 0;
        // SAFETY: the place outlives the call.
        let answer = unsafe { fmi3GetNumberOfContinuousStates(self.handle, &raw mut number) };
        given(number, answer)
    }

    fn number_of_indicators(&self) -> Result<usize, Status> {
        let mut number = 0;
        // SAFETY: the place outlives the call.
        let answer = unsafe { fmi3GetNumberOfEventIndicators(self.handle, &raw mut number) };
        given(number, answer)
    }
}

impl GuestCoSimulationInstance for Instance {
    fn instantiate_co_simulation(
        name: String, token: String, path: String, visible: bool, logging: bool, event_mode: bool,
        early_return: bool, required: Vec<u32>,
    ) -> Option<CoSimulationInstance> {
        let part = Part { event_mode, early_return, required };
        of_co_simulation(&name, &token, &path, visible, logging, &part)
    }

    of_both!();

    fn set_input_derivatives(&self, requests: Vec<(u32, u32)>, values: Vec<f64>) -> Status {
        let (references, orders) = apart(&requests);
        // SAFETY: the handle is live.
        status(unsafe { set_input_derivatives(self.handle, &references, &orders, &values) })
    }

    fn do_step(
        &self, current: f64, length: f64, no_earlier_state: bool,
    ) -> Result<DoStepResult, Status> {
        let [mut event, mut terminate, mut early] = [0; 3];
        let mut reached = current;
        // SAFETY: all places outlive the call.
        let answer = unsafe {
            fmi3DoStep(
                self.handle,
                current,
                length,
                no_earlier_state.into(),
                &raw mut event,
                &raw mut terminate,
                &raw mut early,
                &raw mut reached,
            )
        };
        let result = DoStepResult {
            last_successful_time: reached,
            event_handling_needed: event != 0,
            terminate_simulation: terminate != 0,
            early_return: early != 0,
        };
        given(result, answer)
    }
}
