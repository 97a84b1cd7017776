//! The two kinds of models that an FMU may hold, and the calls that both answer.

use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

use super::guard::{self, Guarded};
use super::host::Host;
use super::instance::{Instance, no_structure};
use super::interface::Kind;
use super::mode::{Call, Mode, Protocol};
use super::report::{Log, Refusal, Status};
use super::snapshot::Snapshot;
use super::state_space::{self, STATE_SPACE_FILE, StateSpace};
use super::stepping::{Outcome, Progress};
use super::{Blueprint, MODEL_FILE};

/// What the resources of an FMU hold.
#[derive(Debug)]
pub enum Plan {
    Mechanism(Box<Blueprint>),
    Linear(Box<StateSpace>),
}

impl Plan {
    /// Reads the model in an FMU's `resources` folder.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn load(folder: &Path) -> Result<Plan, Refusal> {
        if folder.join(STATE_SPACE_FILE).is_file() {
            return Ok(Plan::Linear(Box::new(StateSpace::load(folder)?)));
        }
        Ok(Plan::Mechanism(Box::new(Blueprint::load(folder)?)))
    }

    /// Identifier of the model.
    pub fn guid(&self) -> &str {
        match self {
            Plan::Mechanism(blueprint) => blueprint.guid(),
            Plan::Linear(model) => model.guid(),
        }
    }

    /// The file of the model.
    pub fn file(&self) -> &'static str {
        match self {
            Plan::Mechanism(_) => MODEL_FILE,
            Plan::Linear(_) => STATE_SPACE_FILE,
        }
    }

    /// An instance before its initialization.
    pub fn start(self, host: Host, protocol: Protocol, log: Log) -> Unit {
        match self {
            Plan::Mechanism(blueprint) => {
                Unit::Mechanism(Instance::for_host(host, protocol, Arc::from(blueprint), log))
            }
            Plan::Linear(model) => {
                Unit::Linear(state_space::Instance::of(host, protocol, Arc::from(model), log))
            }
        }
    }
}

/// A running model of either kind.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each instance, and it is not moved")]
pub enum Unit {
    Mechanism(Instance),
    Linear(state_space::Instance),
}

/// A saved state of either kind.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a host keeps few, and each lies in a box of its own")]
pub enum Saved {
    Mechanism(Snapshot),
    Linear(state_space::Snapshot),
}

/// The call on whichever model it is.
macro_rules! of_either {
    ($unit:expr, $one:ident => $call:expr) => {
        match $unit {
            Unit::Mechanism($one) => $call,
            Unit::Linear($one) => $call,
        }
    };
}

/// Calls that both kinds of models answer.
macro_rules! answered {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        impl Unit {$(
            #[doc = concat!("As [`Instance::", stringify!($name), "`].")]
            ///
            /// # Errors
            /// Those of the model.
            pub fn $name(&mut self $(, $argument: $type)*) -> Result<(), Refusal> {
                of_either!(self, one => one.$name($($argument),*))
            }
        )*}
    };
}

answered! {
    set_debug_logging(on: bool, names: &[&str]);
    setup_experiment(start: f64, stop: Option<f64>);
    enter_initialization();
    exit_initialization();
    terminate();
    reset();
    get(kind: Kind, references: &[u32], put: impl FnMut(usize, f64));
    set(kind: Kind, references: &[u32], value: impl Fn(usize) -> f64);
    do_step(current: f64, length: f64);
    directional_derivative(unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64, put: impl FnMut(usize, f64));
    set_input_derivatives(references: &[u32], order: impl Fn(usize) -> i32, value: impl Fn(usize) -> f64);
    output_derivatives(references: &[u32], order: impl Fn(usize) -> i32, put: impl FnMut(usize, f64));
    set_time(time: f64);
    enter_event_mode();
    enter_continuous_time_mode();
    enter_step_mode();
    set_states(count: usize, value: impl Fn(usize) -> f64);
    states(count: usize, put: impl FnMut(usize, f64));
    derivatives(count: usize, put: impl FnMut(usize, f64));
    nominals(count: usize, put: impl FnMut(usize, f64));
}

impl Unit {
    /// Carries out one FMI call; see [`Instance::perform`].
    pub fn perform<R: Into<Status>>(
        &mut self, call: Call, action: impl FnOnce(&mut Unit) -> Result<R, Refusal>,
    ) -> Status {
        guard::perform(self, call, action)
    }

    /// Where the instance stands.
    pub fn mode(&self) -> Mode {
        self.stands().1
    }

    /// The host's time, s.
    pub fn time(&self) -> f64 {
        of_either!(self, one => one.time())
    }

    /// Does something with the variables that references of FMI 3.0 stand for: all elements of arrays, in their order.
    ///
    /// # Errors
    /// For a reference inside an array, and those of `action`.
    pub fn with_elements(
        &mut self, references: &[u32],
        action: impl FnOnce(&mut Unit, &[u32]) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Unit::Mechanism(one) = self else {
            return action(self, references);
        };
        let mut elements = std::mem::take(&mut one.elements);
        elements.clear();
        for &reference in references {
            elements.extend(one.span(reference)?);
        }
        let result = action(self, &elements);
        if let Unit::Mechanism(one) = self {
            one.elements = elements;
        }
        result
    }

    /// How the last communication step ended.
    pub fn last_step(&self) -> Status {
        of_either!(self, one => one.last_step())
    }

    /// Whether the simulation has come to its end by itself.
    pub fn has_ended(&self) -> bool {
        self.last_step() == Status::Discard
    }

    /// Handles an event; the time of the next one, s, where it is known.
    ///
    /// # Errors
    /// Those of the model.
    pub fn new_discrete_states(&mut self) -> Result<Option<f64>, Refusal> {
        match (self.stands().0, self) {
            (Protocol::ModelExchange, Unit::Mechanism(one)) => one.new_discrete_states().map(Some),
            (_, Unit::Mechanism(one)) => one.handle_events().map(|()| None),
            (_, Unit::Linear(_)) => Ok(None),
        }
    }

    /// Enters Configuration Mode.
    ///
    /// # Errors
    /// When there are no structural parameters.
    pub fn enter_configuration(&mut self) -> Result<(), Refusal> {
        match self {
            Unit::Mechanism(one) => one.enter_configuration(),
            Unit::Linear(_) => Err(no_structure()),
        }
    }

    /// Leaves Configuration Mode.
    ///
    /// # Errors
    /// Those of the model.
    pub fn exit_configuration(&mut self) -> Result<(), Refusal> {
        match self {
            Unit::Mechanism(one) => one.exit_configuration(),
            Unit::Linear(_) => Err(no_structure()),
        }
    }

    /// Begins a communication step, of which a linear model is at the end then.
    ///
    /// # Errors
    /// Those of the model.
    pub fn begin_step(&mut self, current: f64, length: f64) -> Result<(), Refusal> {
        match self {
            Unit::Mechanism(one) => one.begin_step(current, length),
            Unit::Linear(one) => one.do_step(current, length),
        }
    }

    /// Goes on with it until the host is to be called back, or to its end.
    ///
    /// # Errors
    /// Those of the model.
    pub fn go_on(&mut self) -> Result<Progress, Refusal> {
        match self {
            Unit::Mechanism(one) => one.go_on(),
            Unit::Linear(one) => {
                let time = one.time();
                Ok(Progress::Done(Outcome { event: false, early: false, time }))
            }
        }
    }

    /// Lets it end earlier; see [`Instance::return_at`].
    pub fn return_at(&mut self, time: f64) {
        if let Unit::Mechanism(one) = self {
            one.return_at(time);
        }
    }

    /// Reads texts; see [`Instance::texts`].
    ///
    /// # Errors
    /// When a value reference is unknown or of another type.
    pub fn texts(&mut self, references: &[u32]) -> Result<&[CString], Refusal> {
        match self {
            Unit::Mechanism(one) => one.texts(references),
            Unit::Linear(one) => one.get(Kind::Text, references, |_, _| {}).map(|()| &[] as &[_]),
        }
    }

    /// Σ seed · ∂unknown/∂known for each of `known`, which agrees with [`Unit::directional_derivative`] to rounding.
    ///
    /// # Errors
    /// Those of the derivatives, and for a seed that is not finite.
    pub fn adjoint_derivative(
        &mut self, unknown: &[u32], known: &[u32], seed: impl Fn(usize) -> f64,
        put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        if let Some(k) = (0..unknown.len()).find(|&k| !seed(k).is_finite()) {
            return Err(Refusal::error(format!(
                "the seed is {}; allowed: finite numbers",
                seed(k)
            )));
        }
        if known.is_empty() {
            // Refused where the others would be.
            return self.directional_derivative(unknown, known, |_| 0.0, |_, _| {});
        }
        match self {
            Unit::Mechanism(one) => one.adjoint_derivative(unknown, known, seed, put),
            Unit::Linear(one) => one.adjoint_derivative(unknown, known, seed, put),
        }
    }

    /// Whether the host has passed an event.
    ///
    /// # Errors
    /// Those of the model.
    pub fn completed_integrator_step(&mut self) -> Result<bool, Refusal> {
        match self {
            Unit::Mechanism(one) => one.completed_integrator_step(),
            Unit::Linear(_) => Ok(false),
        }
    }

    /// Number of continuous states: a mechanism is a sampled block, and has none.
    pub fn number_of_states(&self) -> usize {
        match self {
            Unit::Mechanism(_) => 0,
            Unit::Linear(one) => one.number_of_states(),
        }
    }

    /// Accepts an array of `count` event indicators, of which there are none: events are at known times.
    ///
    /// # Errors
    /// When there should be any.
    pub fn indicators(&self, count: usize) -> Result<(), Refusal> {
        match count {
            0 => Ok(()),
            _ => Err(Refusal::error(format!("an array for {count} event indicators; allowed: 0"))),
        }
    }

    /// Saves all that the instance remembers.
    pub fn save(&self) -> Saved {
        match self {
            Unit::Mechanism(one) => Saved::Mechanism(one.save()),
            Unit::Linear(one) => Saved::Linear(one.save()),
        }
    }

    /// Takes over a state of this or of another instance of the same FMU.
    ///
    /// # Errors
    /// When the state is of another FMU, or of an instance for the other use; nothing changes then.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), Refusal> {
        match (self, saved) {
            (Unit::Mechanism(one), Saved::Mechanism(saved)) => one.restore(saved),
            (Unit::Linear(one), Saved::Linear(saved)) => one.restore(saved),
            _ => Err(Refusal::error("the state is of another FMU")),
        }
    }

    /// Reads a state from the bytes of [`Saved::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are foreign, truncated or altered.
    pub fn read_snapshot(&self, bytes: &[u8]) -> Result<Saved, Refusal> {
        match self {
            Unit::Mechanism(one) => one.read_snapshot(bytes).map(Saved::Mechanism),
            Unit::Linear(one) => one.read_snapshot(bytes).map(Saved::Linear),
        }
    }
}

impl Saved {
    /// The state as bytes.
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Refusal> {
        match self {
            Saved::Mechanism(saved) => saved.to_bytes(),
            Saved::Linear(saved) => saved.to_bytes(),
        }
    }
}

impl Guarded for Unit {
    fn log(&self) -> &Log {
        of_either!(self, one => one.log())
    }

    fn stands(&self) -> (Protocol, Mode) {
        of_either!(self, one => one.stands())
    }

    fn failure(&self) -> Option<&str> {
        of_either!(self, one => one.failure())
    }

    fn give_up(&mut self, failure: String) {
        of_either!(self, one => one.give_up(failure));
    }
}
