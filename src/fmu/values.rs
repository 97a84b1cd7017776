//! Reading and setting the variables of an instance.

use std::fmt::Display;
use std::ops::Range;

use super::instance::Instance;
use super::interface::{Kind, Own, Role, Variability, Variable};
use super::mode::{Mode, Protocol};
use super::report::Refusal;
use crate::checked::Subject;
use crate::message::figure;
use crate::quantity::LARGEST;
use crate::system::outputs::OfSlider;

/// Refuses what is no number, or larger than the numbers of a model may be: no mechanism follows it, and squares
/// and cubes of it are no numbers any more.
pub(super) fn check_size(what: &dyn Display, value: f64) -> Result<(), Refusal> {
    let allowed = match value.is_finite() {
        true if value.abs() <= LARGEST => return Ok(()),
        true => "numbers from -1e50 to 1e50",
        false => "finite numbers",
    };
    let value = figure(value);
    Err(Refusal::error(format!("{what} set to {value}; allowed: {allowed}")))
}

impl Instance {
    /// Reads variables of one type: `put(i, value)` for each of `references`. Booleans are 0
    /// or 1, integers whole numbers.
    ///
    /// # Errors
    /// When a value reference is unknown or of another type, when the consistent start cannot
    /// be computed, or when a value is not finite.
    pub fn get(
        &mut self, kind: Kind, references: &[u32], mut put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        let (ahead, holds) = (self.ahead()?, self.holds_outputs());
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            let value = match role {
                Role::Output(output) if ahead > 0.0 && self.is_measured(reference) => {
                    self.extrapolated(reference, output, ahead)?
                }
                Role::Output(output) if holds && self.is_discrete(reference) => {
                    self.memory.events.discrete[output]
                }
                _ => self.value(role)?,
            };
            if !value.is_finite() {
                return Err(Refusal::error(format!(
                    "{} is {value} at t = {} s; the simulation has lost its meaning, \
                     reduce `solver.step` or check the loads",
                    self.name(reference),
                    figure(self.memory.time)
                )));
            }
            put(i, value);
        }
        Ok(())
    }

    fn is_measured(&self, reference: u32) -> bool {
        let variable = self.blueprint.interface().get(reference);
        variable.is_some_and(|v| v.is_measured())
    }

    fn is_discrete(&self, reference: u32) -> bool {
        let variable = self.blueprint.interface().get(reference);
        variable.is_some_and(|v| v.variability == Variability::Discrete)
    }

    /// Sets variables of one type: `value(i)` for each of `references`; all or none.
    ///
    /// # Errors
    /// When a value reference is unknown, of another type or not to be set now, or when a
    /// value is not finite or below what its input may have.
    pub fn set(
        &mut self, kind: Kind, references: &[u32], value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        for (i, &reference) in references.iter().enumerate() {
            let role = self.role(kind, reference)?;
            self.settable(role, reference)?;
            check_size(&self.name(reference), value(i))?;
            let least = self.least(role);
            if value(i) < least {
                return Err(Refusal::error(format!(
                    "{} set to {}; allowed: {} or above",
                    self.name(reference),
                    figure(value(i)),
                    figure(least)
                )));
            }
        }
        for (i, &reference) in references.iter().enumerate() {
            match self.role(kind, reference)? {
                Role::Parameter(k) => self.set_parameter(k, value(i)),
                Role::Input(k) => self.set_input(k, value(i)),
                Role::Output(_) | Role::Calculated(_) | Role::Own(_) => {}
            }
        }
        Ok(())
    }

    /// The smallest value of an input.
    fn least(&self, role: Role) -> f64 {
        match role {
            Role::Input(k) => self.blueprint.checked().inputs[k].least,
            _ => f64::NEG_INFINITY,
        }
    }

    pub(super) fn name(&self, reference: u32) -> &str {
        let variable = self.blueprint.interface().get(reference);
        variable.map_or("this variable", |v| v.name.as_str())
    }

    /// The variables that a reference of a host of FMI 3.0 stands for: all elements of an array.
    ///
    /// # Errors
    /// For an element behind the first one.
    pub(super) fn span(&self, reference: u32) -> Result<Range<u32>, Refusal> {
        let interface = self.blueprint.interface();
        interface.span(reference).ok_or_else(|| {
            let (name, array) = interface.get(reference).map_or(("", 0), |v| (v.array_name(), v.array_reference()));
            Refusal::error(format!(
                "value reference {reference} is inside the array {name}; allowed: {array}, that of the whole array"
            ))
        })
    }

    pub(super) fn unknown_reference(&self, reference: u32) -> Refusal {
        let own = if self.host.version_3 { Own::ALL.len() } else { 0 };
        let count = self.blueprint.interface().variables().len() + own;
        Refusal::error(match count.checked_sub(1) {
            Some(last) => format!(
                "value reference {reference} is no variable of this model; allowed: 0 to {last}"
            ),
            None => {
                format!("value reference {reference} is no variable of this model, which has none")
            }
        })
    }

    pub(super) fn role(&self, kind: Kind, reference: u32) -> Result<Role, Refusal> {
        let interface = self.blueprint.interface();
        let of = |variable: &Variable| match self.host.version_3 && variable.structural {
            true => Kind::Size,
            false => variable.kind,
        };
        if let Some(variable) = interface.get(reference) {
            return role_of(variable, of(variable), kind);
        }
        match interface.own(reference).filter(|_| self.host.version_3) {
            Some(variable) => role_of(&variable, variable.kind, kind),
            None => Err(self.unknown_reference(reference)),
        }
    }

    fn settable(&self, role: Role, reference: u32) -> Result<(), Refusal> {
        let reason = match (role, self.memory.mode) {
            (Role::Parameter(k), mode)
                if self.host.version_3 && self.blueprint.checked().parameters[k].structural =>
            {
                match mode {
                    // Hosts such as FMPy set them with all others; where the standard has Configuration Mode, nothing else happens.
                    Mode::Configuration | Mode::Instantiated => return Ok(()),
                    _ => {
                        "is a fixed structural parameter; it can be set in Configuration Mode, which is entered before initialization, \
                         and again after fmi3Reset"
                    }
                }
            }
            (Role::Input(_), _) => return Ok(()),
            (Role::Parameter(_), Mode::Instantiated | Mode::Initialization) => return Ok(()),
            (Role::Parameter(k), Mode::ContinuousTime)
                if self.blueprint.checked().parameters[k].tunable.is_some() =>
            {
                "is a tunable parameter; in Continuous-Time Mode only inputs can be set, \
                 call fmi2EnterEventMode first"
            }
            (Role::Parameter(k), Mode::StepComplete)
                if self.memory.protocol == Protocol::CoSimulationWithEvents
                    && self.blueprint.checked().parameters[k].tunable.is_some() =>
            {
                "is a tunable parameter; in Step Mode of a host that uses Event Mode only inputs can be set, \
                 call fmi3EnterEventMode first"
            }
            (Role::Parameter(_), Mode::Intermediate) => {
                "is a parameter; while a communication step is under way only inputs can be set"
            }
            (Role::Parameter(k), _) if self.blueprint.checked().parameters[k].tunable.is_some() => {
                return Ok(());
            }
            (Role::Parameter(_), _) => {
                "is a fixed parameter; it can be set until fmi2ExitInitializationMode, \
                 and again after fmi2Reset"
            }
            (Role::Own(Own::Time), _) => "is the independent variable; it can only be read here",
            (Role::Output(_) | Role::Own(_), _) => "is an output; it can only be read",
            (Role::Calculated(_), _) => "follows from parameters; it can only be read",
        };
        Err(Refusal::error(format!("{} {reason}", self.name(reference))))
    }

    fn set_parameter(&mut self, index: usize, value: f64) {
        let memory = &mut self.memory;
        memory.parameters[index] = Some(value);
        let tunable = self.blueprint.checked().parameters[index].tunable.is_some();
        if !tunable {
            memory.built = None;
            self.stepper = None;
        }
        // Between steps neither the state nor what is read from it depends on it.
        if !memory.mode.is_running() {
            self.forget_start();
        }
    }

    fn forget_start(&mut self) {
        self.memory.state = None;
        self.memory.last = None;
    }

    fn set_input(&mut self, index: usize, value: f64) {
        self.memory.inputs[index] = Some(value);
        let acts = self.memory.inputs_act();
        if !self.memory.mode.is_running() {
            self.forget_start();
        } else if let (Some(state), true) = (&mut self.memory.state, acts) {
            state.inputs[index] = value;
            self.slopes.forget();
            if let Some(stepping) = &mut self.stepping {
                stepping.changed = true;
            }
        }
    }

    pub(super) fn value(&mut self, role: Role) -> Result<f64, Refusal> {
        match role {
            Role::Parameter(k) => match self.memory.parameters[k] {
                Some(value) => Ok(value),
                None => {
                    let built = self.built()?;
                    Ok(self.blueprint.parameter(&built, k))
                }
            },
            Role::Input(k) => match self.memory.inputs[k] {
                Some(value) => Ok(value),
                None => Ok(self.blueprint.checked().inputs[k].start),
            },
            Role::Own(own) => Ok(self.own_value(own)),
            Role::Calculated(k) => {
                let (built, mut state) = (self.built()?, self.start()?.clone());
                // The state's own are those of its last step.
                state.tuning = (self.blueprint).tuning(&built, &self.memory.parameters)?;
                let output = built.system.model().calculated[k].output;
                Ok(built.system.read(&state, output))
            }
            Role::Output(k) => {
                let built = self.built()?;
                let output = built.system.model().outputs[k].output;
                let value = built.system.read(self.start()?, output);
                // The only output that is a time: the host has its own clock.
                let is_time = output == OfSlider::TransitionTime.of(output.of)
                    && matches!(output.of, Subject::Slider(_));
                Ok(value + if is_time { self.memory.start } else { 0.0 })
            }
        }
    }
}

/// The role of a variable of the kind `own` that is read or set as one of a `kind`.
///
/// # Errors
/// When it is of another.
fn role_of(variable: &Variable, own: Kind, kind: Kind) -> Result<Role, Refusal> {
    let right = own.called();
    if right == kind.called() {
        return Ok(variable.role);
    }
    let right = right.name();
    Err(Refusal::error(format!(
        "{} (value reference {}) is of type {}, not {}; \
         call fmi2Get{right} or fmi2Set{right}",
        variable.name,
        variable.reference,
        own.name(),
        kind.name()
    )))
}
