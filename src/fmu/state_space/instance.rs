//! A running linear model.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::memory::Memory;
use super::step::Step;
use super::{Role, StateSpace};
use crate::fmu::clock::{self, Clock, TIME_TOLERANCE};
use crate::fmu::guard::Guarded;
use crate::fmu::host::Host;
use crate::fmu::interface::Kind;
use crate::fmu::mode::{Mode, Protocol};
use crate::fmu::report::{Log, Refusal, Status};
use crate::message::figure;

/// A running linear model.
#[derive(Debug)]
pub struct Instance {
    pub(super) model: Arc<StateSpace>,
    log: Log,
    /// Whether the host speaks FMI 3.0, and so sees the time.
    version_3: bool,
    stop: Option<f64>,
    pub(super) memory: Memory,
    /// The last step; can be dropped at any time.
    step: Option<Step>,
    /// x, u − u₀ and h u̇ at the beginning of a step, and x at its end: room that is used again.
    before: DVector<f64>,
    after: DVector<f64>,
}

impl Instance {
    /// A linear model before its initialization.
    pub fn of(host: Host, protocol: Protocol, model: Arc<StateSpace>, log: Log) -> Instance {
        let (n, m) = model.b.shape();
        Instance {
            memory: Memory::new(&model, protocol),
            log,
            version_3: host.version_3,
            stop: None,
            step: None,
            before: DVector::zeros(n + 2 * m),
            after: DVector::zeros(n),
            model,
        }
    }

    /// The host's time, s.
    pub fn time(&self) -> f64 {
        self.memory.time
    }

    /// Number of continuous states.
    pub fn number_of_states(&self) -> usize {
        self.model.states.len()
    }

    /// How the last communication step ended: no step fails.
    pub fn last_step(&self) -> Status {
        Status::Ok
    }

    /// Switches log categories.
    ///
    /// # Errors
    /// When a name is not a category.
    pub fn set_debug_logging(&mut self, on: bool, names: &[&str]) -> Result<(), Refusal> {
        self.log.switch(on, names)
    }

    /// Takes the host's time frame, on which nothing here depends.
    ///
    /// # Errors
    /// When the times are no experiment.
    pub fn setup_experiment(&mut self, start: f64, stop: Option<f64>) -> Result<(), Refusal> {
        self.stop = clock::check_experiment(start, stop)?;
        (self.memory.start, self.memory.time) = (start, start);
        Ok(())
    }

    /// # Errors
    /// Never.
    pub fn exit_initialization(&mut self) -> Result<(), Refusal> {
        self.memory.mode = match self.memory.protocol {
            Protocol::CoSimulation => Mode::StepComplete,
            Protocol::ModelExchange | Protocol::CoSimulationWithEvents => Mode::Event,
        };
        Ok(())
    }

    /// # Errors
    /// Never.
    pub fn reset(&mut self) -> Result<(), Refusal> {
        self.memory = Memory::new(&self.model, self.memory.protocol);
        self.stop = None;
        Ok(())
    }

    /// Takes the host's time, on which nothing here depends.
    ///
    /// # Errors
    /// When it is not finite.
    pub fn set_time(&mut self, time: f64) -> Result<(), Refusal> {
        finite(&"time", time)?;
        self.memory.time = time;
        Ok(())
    }

    /// Reads variables.
    ///
    /// # Errors
    /// When a value reference is unknown or of another type, or a value is not finite.
    pub fn get(
        &mut self, kind: Kind, references: &[u32], mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            let value = match role {
                Role::Input(k) => self.memory.inputs[k],
                Role::State(k) => self.memory.states[k],
                Role::Output(k) => {
                    self.model.outputs[k].value + self.row(&self.model.c, &self.model.d, k)
                }
                Role::Derivative(k) => self.row(&self.model.a, &self.model.b, k),
                Role::Time => self.memory.time,
            };
            if !value.is_finite() {
                return Err(Refusal::error(format!(
                    "{} is {value} at t = {} s: the linear model has left all bounds; an unstable one grows without end",
                    self.model.label(role),
                    figure(self.memory.time)
                )));
            }
            put(i, value);
        }
        Ok(())
    }

    /// Sets inputs, and states before the start: `value(i)` for each of `references`; all or none.
    ///
    /// # Errors
    /// When a value reference is unknown, of another type or not to be set now, or when a value is not finite.
    pub fn set(
        &mut self, kind: Kind, references: &[u32], value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        let starts = matches!(self.memory.mode, Mode::Instantiated | Mode::Initialization);
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            let reason = match role {
                Role::Input(_) => None,
                Role::State(_) if starts => None,
                Role::State(_) => Some(
                    "is a continuous state; it can be set until fmi2ExitInitializationMode, then by fmi2SetContinuousStates",
                ),
                Role::Output(_) => Some("is an output; it can only be read"),
                Role::Derivative(_) => Some("is a derivative; it can only be read"),
                Role::Time => Some("is the independent variable; it can only be read"),
            };
            if let Some(reason) = reason {
                return Err(Refusal::error(format!("{} {reason}", self.model.label(role))));
            }
            finite(&self.model.label(role), value(i))?;
        }
        for (i, &reference) in references.iter().enumerate() {
            match self.role(kind, reference)? {
                Role::Input(k) => self.memory.inputs[k] = value(i),
                Role::State(k) => self.memory.states[k] = value(i),
                Role::Output(_) | Role::Derivative(_) | Role::Time => {}
            }
        }
        Ok(())
    }

    fn role(&self, kind: Kind, reference: u32) -> Result<Role, Refusal> {
        let Some(role) = self.model.role(reference, self.version_3) else {
            return Err(Refusal::error(format!(
                "value reference {reference} is no variable of this model; allowed: below {}",
                self.model.variables(self.version_3)
            )));
        };
        if kind != Kind::Real {
            return Err(Refusal::error(format!(
                "{} (value reference {reference}) is of type Real, not {}; call fmi2GetReal or fmi2SetReal",
                self.model.label(role),
                kind.name()
            )));
        }
        Ok(role)
    }

    /// A row of [P Q] [x; u − u₀].
    fn row(&self, p: &DMatrix<f64>, q: &DMatrix<f64>, k: usize) -> f64 {
        let memory = &self.memory;
        let states = p.row(k).iter().zip(&memory.states).map(|(p, x)| p * x).sum::<f64>();
        let q = q.row(k);
        let inputs = q.iter().zip(&memory.inputs).zip(&self.model.inputs);
        states + inputs.map(|((q, value), input)| q * (value - input.value)).sum::<f64>()
    }

    /// Advances from the communication point `current` by `length`, both s. Inputs keep their values, or change at the rates that are set for
    /// this step.
    ///
    /// # Errors
    /// When the times make no sense.
    pub fn do_step(&mut self, current: f64, length: f64) -> Result<(), Refusal> {
        let memory = &mut self.memory;
        Clock { start: memory.start, time: memory.time, stop: self.stop }
            .check_step(current, length)?;
        let (n, m) = self.model.b.shape();
        for (k, x) in memory.states.iter().enumerate() {
            self.before[k] = *x;
        }
        for (k, input) in self.model.inputs.iter().enumerate() {
            self.before[n + k] = memory.inputs[k] - input.value;
            self.before[n + m + k] = length * memory.slopes[k];
        }
        // A step of the same length, but for rounding of the host's clock, costs one product.
        let rounding = TIME_TOLERANCE * (current + length).abs();
        let step = match &mut self.step {
            Some(step) if (step.length - length).abs() <= rounding => step,
            step => step.insert(Step::of(&self.model, length)),
        };
        self.after.gemv(1.0, &step.matrix, &self.before, 0.0);
        memory.states.copy_from_slice(self.after.as_slice());
        memory.slopes.fill(0.0);
        memory.time = current + length;
        Ok(())
    }

    /// How derivatives and outputs change in a direction of states and inputs: products with A, B, C and D.
    ///
    /// # Errors
    /// For variables that are no unknown or known, and for values that are not finite.
    pub fn directional_derivative(
        &mut self, unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        for (i, &unknown) in unknown.iter().enumerate() {
            let mut change = 0.0;
            for (j, &known) in known.iter().enumerate() {
                let slope = self.slope(unknown, known)?;
                finite(&self.model.label(self.role(Kind::Real, known)?), seed(j))?;
                change += slope * seed(j);
            }
            put(i, change);
        }
        Ok(())
    }

    /// Σ seed · ∂unknown/∂known for each of `known`: products with the transposed matrices.
    ///
    /// # Errors
    /// As [`Instance::directional_derivative`].
    pub fn adjoint_derivative(
        &mut self, unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        for (j, &known) in known.iter().enumerate() {
            let mut change = 0.0;
            for (i, &unknown) in unknown.iter().enumerate() {
                change += seed(i) * self.slope(unknown, known)?;
            }
            put(j, change);
        }
        Ok(())
    }

    /// ∂unknown/∂known.
    fn slope(&self, unknown: u32, known: u32) -> Result<f64, Refusal> {
        let [of, by] = [self.role(Kind::Real, unknown)?, self.role(Kind::Real, known)?];
        self.model.slope(of, by).ok_or_else(|| {
            Refusal::error(format!(
                "the derivative of {} by {}; allowed: of outputs and derivatives by inputs and states",
                self.model.label(of),
                self.model.label(by)
            ))
        })
    }

    /// Sets rates of inputs for the next communication step.
    ///
    /// # Errors
    /// For variables that are no inputs, orders other than 1 and values that are not finite.
    pub fn set_input_derivatives(
        &mut self, references: &[u32], order: impl Fn(usize) -> i32, value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        for set in [false, true] {
            for (i, &reference) in references.iter().enumerate() {
                let role = self.role(Kind::Real, reference)?;
                let Role::Input(k) = role else {
                    let name = self.model.label(role);
                    return Err(Refusal::error(format!("{name} is no input; allowed: inputs")));
                };
                self.check_order(role, order(i))?;
                finite(&self.model.label(role), value(i))?;
                if set {
                    self.memory.slopes[k] = value(i);
                }
            }
        }
        Ok(())
    }

    /// Reads rates of outputs: C ẋ + D u̇, where u̇ is what is set for the next step.
    ///
    /// # Errors
    /// For variables that are no outputs and orders other than 1.
    pub fn output_derivatives(
        &mut self, references: &[u32], order: impl Fn(usize) -> i32,
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(Kind::Real, reference)?;
            let Role::Output(k) = role else {
                let name = self.model.label(role);
                return Err(Refusal::error(format!("{name} is no output; allowed: outputs")));
            };
            self.check_order(role, order(i))?;
            let model = &self.model;
            let c = model.c.row(k);
            let states = (0..c.len()).map(|j| c[j] * self.row(&model.a, &model.b, j)).sum::<f64>();
            let d = model.d.row(k);
            put(i, states + d.iter().zip(&self.memory.slopes).map(|(d, u)| d * u).sum::<f64>());
        }
        Ok(())
    }

    fn check_order(&self, role: Role, order: i32) -> Result<(), Refusal> {
        match order {
            1 => Ok(()),
            _ => Err(Refusal::error(format!(
                "derivative of order {order} of {}; allowed: 1",
                self.model.label(role)
            ))),
        }
    }

    fn check_count(&self, count: usize) -> Result<(), Refusal> {
        let own = self.model.states.len();
        if count == own {
            return Ok(());
        }
        Err(Refusal::error(format!("an array for {count} continuous states; allowed: {own}")))
    }

    /// Takes continuous states.
    ///
    /// # Errors
    /// When there are not so many, or a value is not finite; nothing changes then.
    pub fn set_states(
        &mut self, count: usize, value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        self.check_count(count)?;
        (0..count).try_for_each(|k| finite(&format_args!("x[{}]", k + 1), value(k)))?;
        for (k, state) in self.memory.states.iter_mut().enumerate() {
            *state = value(k);
        }
        Ok(())
    }

    /// Reads continuous states.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn states(&mut self, count: usize, mut put: impl FnMut(usize, f64)) -> Result<(), Refusal> {
        self.check_count(count)?;
        self.memory.states.iter().enumerate().for_each(|(k, x)| put(k, *x));
        Ok(())
    }

    /// Reads derivatives of the continuous states.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn derivatives(
        &mut self, count: usize, mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        self.check_count(count)?;
        (0..count).for_each(|k| put(k, self.row(&self.model.a, &self.model.b, k)));
        Ok(())
    }

    /// Reads nominal values of the continuous states: 1, because nothing is known of their size.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn nominals(
        &mut self, count: usize, mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        self.check_count(count)?;
        (0..count).for_each(|k| put(k, 1.0));
        Ok(())
    }
}

mode_changes! {
    enter_initialization => Initialization;
    terminate => Terminated;
    enter_event_mode => Event;
    enter_continuous_time_mode => ContinuousTime;
    enter_step_mode => StepComplete;
}

impl Guarded for Instance {
    fn log(&self) -> &Log {
        &self.log
    }

    fn stands(&self) -> (Protocol, Mode) {
        (self.memory.protocol, self.memory.mode)
    }

    fn failure(&self) -> Option<&str> {
        self.memory.failure.as_deref()
    }

    fn give_up(&mut self, failure: String) {
        self.memory.mode = Mode::Error;
        self.step = None;
        self.memory.failure = Some(failure);
    }
}

fn finite(what: &dyn std::fmt::Display, value: f64) -> Result<(), Refusal> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Refusal::error(format!("{what} set to {value}; allowed: a finite number")))
}
