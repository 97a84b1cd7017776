//! One running mechanism: its life from initialization to the last step, without C.
//!
//! Reading and setting variables is in `values.rs`, communication steps in `stepping.rs`.

use std::ffi::CString;
use std::sync::Arc;

use super::blueprint::{Blueprint, Built};
use super::clock;
use super::guard::{self, Guarded};
use super::host::Host;
use super::memory::Memory;
use super::mode::{Call, Mode, Protocol};
use super::report::{Category, Log, Refusal, Status};
use super::slopes::Slopes;
use super::step_log::StepLog;
use super::under_way::Stepping;
use crate::checked::InputVariable;
use crate::message::{figure, rounded};
use crate::solve::Stepper;
use crate::start::{jammed, slid};
use crate::system::State;

/// Share of an input by which its start and what the file derives from the parameters differ by rounding alone.
const DERIVED_ROUNDING: f64 = 1e-12;

/// One running mechanism. Instances share nothing that changes.
#[derive(Debug)]
pub struct Instance {
    pub(super) blueprint: Arc<Blueprint>,
    pub(super) log: Log,
    pub(super) host: Host,
    /// Scratch space; can be dropped at any time without changing a result.
    pub(super) stepper: Option<Stepper>,
    /// Likewise; forgotten whenever the state changes.
    pub(super) slopes: Slopes,
    /// Time beyond which the host has promised not to go in this experiment, s. A saved state that
    /// is taken over does not bring the end of another one along.
    pub(super) stop: Option<f64>,
    pub(super) memory: Memory,
    /// The communication step under way, during a call only or while the host is called back.
    pub(super) stepping: Option<Stepping>,
    /// What the host has last read of texts.
    pub(super) texts: Vec<CString>,
    /// Room for the value references of elements of arrays.
    pub(super) elements: Vec<u32>,
}

impl Instance {
    /// A mechanism for co-simulation, before its initialization.
    pub fn new(blueprint: Arc<Blueprint>, log: Log) -> Instance {
        Instance::of(Protocol::CoSimulation, blueprint, log)
    }

    /// A mechanism for a host of FMI 2.0 before its initialization.
    pub fn of(protocol: Protocol, blueprint: Arc<Blueprint>, log: Log) -> Instance {
        Instance::for_host(Host::default(), protocol, blueprint, log)
    }

    /// A mechanism before its initialization.
    pub fn for_host(
        host: Host, protocol: Protocol, blueprint: Arc<Blueprint>, log: Log,
    ) -> Instance {
        Instance {
            host,
            stepping: None,
            texts: Vec::new(),
            elements: Vec::new(),
            memory: Memory::new(&blueprint, protocol),
            stepper: None,
            slopes: Slopes::default(),
            stop: None,
            blueprint,
            log,
        }
    }

    /// Carries out one FMI call: refuses it where the standard does not allow it, catches panics,
    /// writes the reason of every refusal to the log.
    pub fn perform<R: Into<Status>>(
        &mut self, call: Call, action: impl FnOnce(&mut Instance) -> Result<R, Refusal>,
    ) -> Status {
        guard::perform(self, call, action)
    }

    /// Where the instance stands.
    pub fn mode(&self) -> Mode {
        self.memory.mode
    }

    /// The host's time, s: the end of the last successful step.
    pub fn time(&self) -> f64 {
        self.memory.time
    }

    /// How the last communication step ended.
    pub fn last_step(&self) -> Status {
        self.memory.last_step
    }

    /// Whether the simulation has come to its end by itself: the last step was discarded. A shorter
    /// one would end at the same place, because the solver has tried shorter ones; what may help is
    /// an earlier state with other inputs.
    pub fn has_ended(&self) -> bool {
        self.memory.last_step == Status::Discard
    }

    /// The model behind the instance.
    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// The mechanism and its present state; `None` before the start has been computed.
    pub fn mechanism(&self) -> Option<(&Arc<Built>, &State)> {
        Some((self.memory.built.as_ref()?, self.memory.state.as_ref()?))
    }

    /// The plan for the present fixed parameters.
    pub(super) fn built(&mut self) -> Result<Arc<Built>, Refusal> {
        self.memory.built(&self.blueprint)
    }

    /// The present state: in Initialization Mode, the consistent start.
    pub(super) fn start(&mut self) -> Result<&State, Refusal> {
        self.memory.start(&self.blueprint)
    }

    /// Switches log categories; see [`Log::switch`].
    ///
    /// # Errors
    /// When a name is not a category.
    pub fn set_debug_logging(&mut self, on: bool, names: &[&str]) -> Result<(), Refusal> {
        self.log.switch(on, names)
    }

    /// Takes the host's time frame. The model's own clock (ramps, sines, tables, rates) starts
    /// at 0 when the host's time is `start`: its geometry is that of its own time 0.
    ///
    /// # Errors
    /// When `start` is not finite, or `stop` no number or before it; an infinite one is none.
    pub fn setup_experiment(&mut self, start: f64, stop: Option<f64>) -> Result<(), Refusal> {
        let stop = clock::check_experiment(start, stop)?;
        self.memory.start = start;
        self.stop = stop;
        self.memory.time = start;
        self.memory.sampling.begin(start);
        self.memory.events.begin(start);
        // Told, but no warning: there are hosts that stop at one.
        if start != 0.0 && self.blueprint.depends_on_time() {
            self.log.send(
                Status::Ok,
                Category::Events,
                &format!(
                    "start time {0} s: the model's own clock (ramps, sines, tables) is 0 \
                     there, not {0} s",
                    figure(start)
                ),
            );
        }
        Ok(())
    }

    /// Enters Configuration Mode, where a host of FMI 3.0 sets structural parameters.
    ///
    /// # Errors
    /// When there are none.
    pub fn enter_configuration(&mut self) -> Result<(), Refusal> {
        if !self.blueprint.checked().parameters.iter().any(|p| p.structural) {
            return Err(no_structure());
        }
        self.memory.mode = Mode::Configuration;
        Ok(())
    }

    /// Leaves Configuration Mode with the plan for the structural parameters that were set.
    ///
    /// # Errors
    /// When a number is none that the model may have; Configuration Mode remains, and another one can be set.
    pub fn exit_configuration(&mut self) -> Result<(), Refusal> {
        self.blueprint.check_structure(&self.memory.parameters)?;
        self.memory.mode = Mode::Instantiated;
        Ok(())
    }

    /// Computes the consistent start with the present parameters and inputs.
    ///
    /// # Errors
    /// When the parameters do not fit each other or the mechanism cannot start.
    pub fn exit_initialization(&mut self) -> Result<(), Refusal> {
        if let Err(refusal) = self.start() {
            self.memory.mode = Mode::Error;
            self.memory.failure = Some(refusal.message.clone());
            return Err(refusal);
        }
        self.memory.mode = match self.memory.protocol {
            Protocol::CoSimulation => Mode::StepComplete,
            Protocol::ModelExchange | Protocol::CoSimulationWithEvents => Mode::Event,
        };
        if self.memory.protocol == Protocol::CoSimulationWithEvents {
            self.handle_events()?;
        }
        let time = self.memory.time;
        let memory = &mut self.memory;
        if let (Some(built), Some(state)) = (&memory.built, &memory.state) {
            StepLog::warn_of_start(&self.log, state, time);
            let kept = kept_inputs(&self.blueprint, built, &memory.inputs);
            for text in kept
                .into_iter()
                .chain(slid(&built.system, state))
                .chain(jammed(&built.system, state))
            {
                self.log.send(Status::Warning, Category::Warning, &text);
            }
            (memory.bends).look(&self.log, &built.system, state, time);
        }
        self.log.send(Status::Ok, Category::Events, &format!("started at t = {} s", figure(time)));
        Ok(())
    }

    /// Back to where `fmi2Instantiate` left it: the file's own values and time 0. The switches of
    /// the log stay.
    ///
    /// # Errors
    /// Never.
    pub fn reset(&mut self) -> Result<(), Refusal> {
        self.memory = Memory::new(&self.blueprint, self.memory.protocol);
        self.stop = None;
        self.stepper = None;
        self.slopes = Slopes::default();
        Ok(())
    }
}

mode_changes! {
    /// Enters Initialization Mode; the start is computed when its first value is read, or on leaving the mode.
    enter_initialization => Initialization;
    /// Ends the simulation; values stay readable.
    terminate => Terminated;
    /// An event begins.
    enter_event_mode => Event;
    /// The event ends.
    enter_continuous_time_mode => ContinuousTime;
    /// Ends Event Mode of co-simulation.
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
        self.stepper = None;
        self.stepping = None;
        self.memory.failure = Some(failure);
    }
}

impl Instance {
    /// Gives the inputs that are not set the values which the file derives from the parameters that are set, as if the file had been changed. A host of
    /// FMI may rely on their starts in the description instead, which they keep without this.
    ///
    /// # Errors
    /// When the mechanism cannot be built with these parameters.
    pub fn derive_inputs(&mut self) -> Result<(), Refusal> {
        let built = self.memory.built(&self.blueprint)?;
        let starts = self.blueprint.checked().inputs.iter().map(|input| input.start);
        for ((set, derived), start) in self.memory.inputs.iter_mut().zip(&built.inputs).zip(starts)
        {
            if set.is_none() && *derived != start {
                *set = Some(*derived);
                self.memory.state = None;
            }
        }
        Ok(())
    }
}

/// Why there is no Configuration Mode.
pub(super) fn no_structure() -> Refusal {
    Refusal::error(
        "the model has no structural parameters, and so no Configuration Mode; `interface.parameters` of the model file makes one of \
         `members.NAME.elements`",
    )
}

/// A warning of each input that the host has not `set` and that keeps its start in the description, although the file derives another
/// one from the parameters that are set.
fn kept_inputs(blueprint: &Blueprint, built: &Built, set: &[Option<f64>]) -> Vec<String> {
    let inputs = blueprint.checked().inputs.iter().zip(&built.inputs).zip(set);
    let kept = inputs.filter(|((input, derived), set)| {
        let difference = (input.start - **derived).abs();
        set.is_none() && difference > DERIVED_ROUNDING * input.start.abs().max(derived.abs())
    });
    let text = |((input, derived), _): ((&InputVariable, &f64), &Option<f64>)| {
        format!(
            "{} is an input and keeps its start, {start} {unit}; with the parameters that are set the file gives {derived} {unit}: set the \
             input, too, where it should follow",
            input.path,
            start = rounded(input.start, 6),
            derived = rounded(*derived, 6),
            unit = input.quantity.unit(),
        )
    };
    kept.map(text).collect()
}
