//! One running mechanism: what the FMI functions do, without C.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::blueprint::{Blueprint, Built};
use super::interface::{Kind, Role};
use super::mode::{Call, Mode};
use super::report::{Category, Log, Refusal, Status};
use super::sight::Sight;
use crate::solve::{self, Stepper};
use crate::system::State;

/// Difference of two times that is rounding, relative to their size: hosts add up their steps.
const TIME_TOLERANCE: f64 = 1e-9;

/// One running mechanism. Instances share nothing that changes.
#[derive(Debug)]
pub struct Instance {
    blueprint: Arc<Blueprint>,
    log: Log,
    /// Scratch space; can be dropped at any time without changing a result.
    stepper: Option<Stepper>,
    memory: Memory,
}

/// All that an instance remembers. A copy of it is a snapshot of the simulation.
#[derive(Debug, Clone)]
struct Memory {
    mode: Mode,
    /// What the host has set in place of the file's values.
    parameters: Vec<Option<f64>>,
    inputs: Vec<Option<f64>>,
    /// Time at which the host starts the model's own clock, s.
    start: f64,
    /// Time beyond which the host has promised not to go, s.
    stop: Option<f64>,
    /// The host's time, s.
    time: f64,
    last_step: Status,
    /// `None` while the parameters have changed since it was built.
    built: Option<Arc<Built>>,
    /// `None` until the start has been computed for the present parameters and inputs.
    state: Option<State>,
}

impl Memory {
    fn new(blueprint: &Blueprint) -> Memory {
        let built = blueprint.built();
        Memory {
            mode: Mode::Instantiated,
            parameters: vec![None; built.parameters.len()],
            inputs: vec![None; built.inputs.len()],
            start: 0.0,
            stop: None,
            time: 0.0,
            last_step: Status::Ok,
            built: Some(Arc::clone(built)),
            state: None,
        }
    }
}

impl Instance {
    /// A mechanism before its initialization.
    pub fn new(blueprint: Arc<Blueprint>, log: Log) -> Instance {
        Instance {
            memory: Memory::new(&blueprint),
            stepper: None,
            blueprint,
            log,
        }
    }

    /// Carries out one FMI call: refuses it where the standard does not allow it, catches panics,
    /// writes the reason of every refusal to the log.
    pub fn perform<R: Into<Status>>(
        &mut self,
        call: Call,
        action: impl FnOnce(&mut Instance) -> Result<R, Refusal>,
    ) -> Status {
        let result = call.check(self.memory.mode).and_then(|()| {
            catch_unwind(AssertUnwindSafe(|| action(self)))
                .unwrap_or_else(|panic| Err(self.broken(panic.as_ref())))
        });
        match result {
            Ok(answer) => answer.into(),
            Err(refusal) => {
                self.log.refused(call.name(), &refusal);
                refusal.status
            }
        }
    }

    fn broken(&mut self, panic: &(dyn Any + Send)) -> Refusal {
        self.memory.mode = Mode::Error;
        self.stepper = None;
        let text = panic_text(panic);
        Refusal::error(format!(
            "a defect of coulisse, not of the model: {text}; \
             the instance can only be reset or freed; please report it with the model file"
        ))
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

    /// The model behind the instance.
    pub fn blueprint(&self) -> &Blueprint {
        &self.blueprint
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
    /// When a time is not finite or `stop` does not follow `start`.
    pub fn setup_experiment(&mut self, start: f64, stop: Option<f64>) -> Result<Status, Refusal> {
        if !start.is_finite() {
            return Err(Refusal::error(format!(
                "start time {start} s; allowed: a finite number"
            )));
        }
        if let Some(stop) = stop
            && !(stop.is_finite() && stop > start)
        {
            return Err(Refusal::error(format!(
                "stop time {stop} s with start time {start} s; \
                 allowed: a finite number above the start time"
            )));
        }
        self.memory.start = start;
        self.memory.stop = stop;
        self.memory.time = start;
        if start == 0.0 {
            return Ok(Status::Ok);
        }
        self.log.send(
            Status::Warning,
            Category::Warning,
            &format!(
                "start time {start} s: the model's own clock (ramps, sines, tables, rates) is 0 \
                 there, not {start} s"
            ),
        );
        Ok(Status::Warning)
    }

    /// Enters Initialization Mode.
    ///
    /// # Errors
    /// Never; the start is computed when its first value is read, or on leaving the mode.
    pub fn enter_initialization(&mut self) -> Result<(), Refusal> {
        self.memory.mode = Mode::Initialization;
        Ok(())
    }

    /// Computes the consistent start with the present parameters and inputs.
    ///
    /// # Errors
    /// When the parameters do not fit each other or the mechanism cannot start.
    pub fn exit_initialization(&mut self) -> Result<(), Refusal> {
        if let Err(refusal) = self.start() {
            self.memory.mode = Mode::Error;
            return Err(refusal);
        }
        self.memory.mode = Mode::StepComplete;
        let time = self.memory.time;
        self.log.send(
            Status::Ok,
            Category::Events,
            &format!("started at t = {time} s"),
        );
        Ok(())
    }

    /// Ends the simulation; values stay readable.
    ///
    /// # Errors
    /// Never.
    pub fn terminate(&mut self) -> Result<(), Refusal> {
        self.memory.mode = Mode::Terminated;
        Ok(())
    }

    /// Back to where `fmi2Instantiate` left it: the file's own values and time 0. The switches of
    /// the log stay.
    ///
    /// # Errors
    /// Never.
    pub fn reset(&mut self) -> Result<(), Refusal> {
        self.memory = Memory::new(&self.blueprint);
        self.stepper = None;
        Ok(())
    }

    /// Reads variables of one type: `put(i, value)` for each of `references`. Booleans are 0
    /// or 1, integers whole numbers.
    ///
    /// # Errors
    /// When a value reference is unknown or of another type, when the consistent start cannot
    /// be computed, or when a value is not finite.
    pub fn get(
        &mut self,
        kind: Kind,
        references: &[u32],
        mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            let value = self.value(role)?;
            if !value.is_finite() {
                return Err(Refusal::error(format!(
                    "{} is {value} at t = {} s; the simulation has lost its meaning, \
                     reduce `solver.step` or check the loads",
                    self.name(reference),
                    self.memory.time
                )));
            }
            put(i, value);
        }
        Ok(())
    }

    /// Sets variables of one type: `value(i)` for each of `references`; all or none.
    ///
    /// # Errors
    /// When a value reference is unknown, of another type or not to be set now, or when a
    /// value is not finite.
    pub fn set(
        &mut self,
        kind: Kind,
        references: &[u32],
        value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            self.settable(role, reference)?;
            if !value(i).is_finite() {
                return Err(Refusal::error(format!(
                    "{} set to {}; allowed: finite numbers",
                    self.name(reference),
                    value(i)
                )));
            }
        }
        for (i, &reference) in references.iter().enumerate() {
            match self.role(kind, reference)? {
                Role::Parameter(k) => self.set_parameter(k, value(i)),
                Role::Input(k) => self.set_input(k, value(i)),
                Role::Time | Role::Output(_) => {}
            }
        }
        Ok(())
    }

    /// Advances from the communication point `current` by `length`, both s.
    ///
    /// # Errors
    /// [`Status::Error`] when the times make no sense; [`Status::Discard`] when the step could not
    /// be finished: [`Instance::time`] is then what was reached.
    pub fn do_step(&mut self, current: f64, length: f64) -> Result<(), Refusal> {
        self.check_times(current, length)?;
        let memory = &mut self.memory;
        let (Some(built), Some(state)) = (&memory.built, &mut memory.state) else {
            return Err(Refusal::error(
                "the mechanism has no start; initialize first",
            ));
        };
        let system = &built.system;
        let before = Sight::of(&self.blueprint, &self.log, system, state);
        let stepper = self.stepper.get_or_insert_with(|| Stepper::new(system));
        let result = stepper.advance(system, state, current - memory.start, length);
        before.report(&self.blueprint, &self.log, system, state, memory.start);
        match result {
            Ok(()) => {
                memory.time = current + length;
                memory.last_step = Status::Ok;
                Ok(())
            }
            Err(fault) => {
                memory.time = memory.start + state.time;
                memory.last_step = Status::Discard;
                memory.mode = Mode::StepFailed;
                Err(Refusal::discard(format!(
                    "{fault}\nlast successful time: {} s",
                    memory.time
                )))
            }
        }
    }

    fn check_times(&self, current: f64, length: f64) -> Result<(), Refusal> {
        let memory = &self.memory;
        let close =
            |a: f64, b: f64| (a - b).abs() <= TIME_TOLERANCE * a.abs().max(b.abs()).max(length);
        if !(length.is_finite() && length > 0.0) {
            return Err(Refusal::error(format!(
                "communication step {length} s; allowed: a finite number above 0"
            )));
        }
        if !close(current, memory.time) {
            return Err(Refusal::error(format!(
                "communication point {current} s, but this instance stands at {} s; \
                 the next step has to begin where the last one ended",
                memory.time
            )));
        }
        let end = current + length;
        if let Some(stop) = memory.stop
            && end > stop
            && !close(end, stop)
        {
            return Err(Refusal::error(format!(
                "the step ends at {end} s, beyond the stop time {stop} s \
                 given to fmi2SetupExperiment"
            )));
        }
        if end <= current {
            return Err(Refusal::error(format!(
                "communication step {length} s vanishes beside the time {current} s; \
                 allowed: steps that change the time"
            )));
        }
        Ok(())
    }

    fn name(&self, reference: u32) -> &str {
        let variable = self.blueprint.interface().get(reference);
        variable.map_or("?", |v| v.name.as_str())
    }

    fn role(&self, kind: Kind, reference: u32) -> Result<Role, Refusal> {
        let interface = self.blueprint.interface();
        let Some(variable) = interface.get(reference) else {
            return Err(Refusal::error(format!(
                "value reference {reference} is no variable of this model; allowed: 0 to {}",
                interface.variables().len() - 1
            )));
        };
        if variable.kind != kind {
            let right = variable.kind.name();
            return Err(Refusal::error(format!(
                "{} (value reference {reference}) is of type {right}, not {}; \
                 call fmi2Get{right} or fmi2Set{right}",
                variable.name,
                kind.name()
            )));
        }
        Ok(variable.role)
    }

    fn settable(&self, role: Role, reference: u32) -> Result<(), Refusal> {
        let reason = match (role, self.memory.mode) {
            (Role::Input(_), _) => return Ok(()),
            (Role::Parameter(_), Mode::Instantiated | Mode::Initialization) => return Ok(()),
            (Role::Parameter(_), _) => {
                "is a fixed parameter; it can be set until fmi2ExitInitializationMode, \
                 and again after fmi2Reset"
            }
            (Role::Output(_), _) => "is an output; it can only be read",
            (Role::Time, _) => "is the independent variable; it can only be read",
        };
        Err(Refusal::error(format!("{} {reason}", self.name(reference))))
    }

    fn set_parameter(&mut self, index: usize, value: f64) {
        self.memory.parameters[index] = Some(value);
        self.memory.built = None;
        self.memory.state = None;
        self.stepper = None;
    }

    fn set_input(&mut self, index: usize, value: f64) {
        self.memory.inputs[index] = Some(value);
        match (&mut self.memory.state, self.memory.mode) {
            (Some(state), Mode::StepComplete) => state.inputs[index] = value,
            _ => self.memory.state = None,
        }
    }

    fn value(&mut self, role: Role) -> Result<f64, Refusal> {
        match role {
            Role::Time => Ok(self.memory.time),
            Role::Parameter(k) => match self.memory.parameters[k] {
                Some(value) => Ok(value),
                None => Ok(self.built()?.parameters[k]),
            },
            Role::Input(k) => match self.memory.inputs[k] {
                Some(value) => Ok(value),
                None => Ok(self.built()?.inputs[k]),
            },
            Role::Output(output) => {
                self.start()?;
                match (&self.memory.built, &self.memory.state) {
                    (Some(built), Some(state)) => Ok(built.system.read(state, output)),
                    _ => Err(Refusal::error("the mechanism has no start")),
                }
            }
        }
    }

    /// The mechanism for the present parameters.
    fn built(&mut self) -> Result<Arc<Built>, Refusal> {
        if let Some(built) = &self.memory.built {
            return Ok(Arc::clone(built));
        }
        let built = Arc::new(self.blueprint.with_parameters(&self.memory.parameters)?);
        self.memory.built = Some(Arc::clone(&built));
        Ok(built)
    }

    /// Makes sure that there is a state: in Initialization Mode, the consistent start.
    fn start(&mut self) -> Result<(), Refusal> {
        if self.memory.state.is_some() {
            return Ok(());
        }
        let built = self.built()?;
        let inputs: Vec<f64> = (self.memory.inputs.iter().zip(&built.inputs))
            .map(|(set, file)| set.unwrap_or(*file))
            .collect();
        let state = solve::start(&built.system, &inputs)
            .map_err(|fault| Refusal::error(fault.to_string()))?;
        self.memory.state = Some(state);
        Ok(())
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
