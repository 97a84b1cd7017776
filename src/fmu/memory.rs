//! All that an instance remembers, and what follows from it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bend_watch::BendWatch;
use super::blueprint::{Blueprint, Built};
use super::contact_watch::ContactWatch;
use super::energy_watch::EnergyWatch;
use super::force_watch::ForceWatch;
use super::happened::EventMemory;
use super::mode::{Mode, Protocol};
use super::report::{Refusal, Status};
use crate::start;
use crate::system::{Rates, State};

/// All that an instance remembers. A copy of it is a snapshot of the simulation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Memory {
    /// What the host uses the instance for.
    pub protocol: Protocol,
    pub mode: Mode,
    /// Of Model Exchange: where the host's clock and the sampled instants are.
    pub sampling: Sampling,
    /// What the host has set in place of the file's values.
    #[serde(with = "fixed_size")]
    pub parameters: Vec<Option<f64>>,
    /// Those with which `state` was computed. Tunable ones that the host has set since act on the
    /// next step.
    #[serde(with = "fixed_size")]
    acting: Vec<Option<f64>>,
    /// Those that had acted until `last` began.
    #[serde(with = "fixed_size")]
    acted: Vec<Option<f64>>,
    #[serde(with = "fixed_size")]
    pub inputs: Vec<Option<f64>>,
    /// Time at which the host starts the model's own clock, s.
    pub start: f64,
    /// The host's time, s.
    pub time: f64,
    pub last_step: Status,
    /// Why the instance can do no more, to be reported again to a host that tries.
    pub failure: Option<String>,
    /// The plan for the fixed parameters; `None` where they have changed since it was built.
    #[serde(skip)]
    pub built: Option<Arc<Built>>,
    /// `None` until the start has been computed for the present parameters and inputs.
    pub state: Option<State>,
    /// Comes and goes with `state`.
    pub last: Option<LastStep>,
    /// What has been seen of the energies since the start.
    pub watch: EnergyWatch,
    /// What has been seen of the forces of joints since then.
    pub forces: ForceWatch,
    /// What has been seen of the contacts of surfaces since then.
    pub contacts: ContactWatch,
    /// What has been seen of the bending of members since then.
    pub bends: BendWatch,
    /// Time derivatives of the inputs that the host has set before the start.
    pub input_rates: Vec<Rates>,
    /// What has happened since the start, of FMI 3.0.
    pub events: EventMemory,
}

/// Of Model Exchange: where the host's clock and the sampled instants are.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Sampling {
    /// The host's independent variable, s.
    pub clock: f64,
    /// What the clock was when the mechanism last advanced, s.
    pub sampled: f64,
    /// k of the instant at which the mechanism stands; a whole number.
    pub instant: f64,
}

impl Sampling {
    /// At the start.
    pub fn begin(&mut self, start: f64) {
        *self = Sampling { clock: start, sampled: start, instant: 0.0 };
    }
}

/// The communication step that led to the present state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LastStep {
    /// Where it began, with the inputs and the tuned numbers that were set for it.
    pub before: State,
    /// Beginning on the model's clock, s.
    pub start: f64,
    /// Length, s; 0 before the first step.
    pub length: f64,
}

impl LastStep {
    /// None yet: `state` is the start.
    fn none(state: &State) -> LastStep {
        LastStep { before: state.clone(), start: 0.0, length: 0.0 }
    }

    /// A step from `state` begins.
    pub fn begin(&mut self, state: &State, start: f64, length: f64) {
        self.before.copy_from(state);
        self.start = start;
        self.length = length;
    }
}

impl Memory {
    /// The memory of an instance on which no value has been set yet.
    pub fn new(blueprint: &Blueprint, protocol: Protocol) -> Memory {
        let checked = blueprint.checked();
        Memory {
            protocol,
            mode: Mode::Instantiated,
            sampling: Sampling::default(),
            parameters: vec![None; checked.parameters.len()],
            acting: vec![None; checked.parameters.len()],
            acted: vec![None; checked.parameters.len()],
            inputs: vec![None; checked.inputs.len()],
            start: 0.0,
            time: 0.0,
            last_step: Status::Ok,
            failure: None,
            built: None,
            state: None,
            last: None,
            watch: EnergyWatch::default(),
            forces: ForceWatch::default(),
            contacts: ContactWatch::default(),
            bends: BendWatch::new(checked.members.len()),
            input_rates: vec![Rates::default(); checked.inputs.len()],
            events: EventMemory::new(
                0.0,
                match protocol {
                    Protocol::CoSimulationWithEvents => checked.outputs.len(),
                    Protocol::CoSimulation | Protocol::ModelExchange => 0,
                },
                checked.contacts.len(),
            ),
        }
    }

    /// Whether an input that is set now acts on the step that begins where the mechanism stands.
    pub fn inputs_act(&self) -> bool {
        match self.protocol {
            Protocol::CoSimulation | Protocol::CoSimulationWithEvents => true,
            Protocol::ModelExchange => self.sampling.clock <= self.sampling.sampled,
        }
    }

    /// The plan for the present fixed parameters, built when it is first asked for.
    pub fn built(&mut self, blueprint: &Blueprint) -> Result<Arc<Built>, Refusal> {
        if let Some(built) = &self.built {
            return Ok(Arc::clone(built));
        }
        let built = blueprint.built_with(&self.parameters)?;
        self.built = Some(Arc::clone(&built));
        Ok(built)
    }

    /// The present state: in Initialization Mode, the consistent start.
    pub fn start(&mut self, blueprint: &Blueprint) -> Result<&State, Refusal> {
        if self.state.is_none() {
            self.compute_start(blueprint)?;
        }
        let none = || Refusal::error("the mechanism has no start");
        self.state.as_ref().ok_or_else(none)
    }

    fn compute_start(&mut self, blueprint: &Blueprint) -> Result<(), Refusal> {
        let built = self.built(blueprint)?;
        let tuning = blueprint.tuning(&built, &self.parameters)?;
        // As FMI has it, an input keeps its start in the description whatever parameters are set.
        let inputs: Vec<f64> = (self.inputs.iter().zip(&blueprint.checked().inputs))
            .map(|(set, input)| set.unwrap_or(input.start))
            .collect();
        let mut state = start::start_tuned(&built.system, &inputs, tuning)
            .map_err(|fault| blueprint.model().faults(&fault))?;
        state.input_rates.copy_from_slice(&self.input_rates);
        self.acting.copy_from_slice(&self.parameters);
        self.acted.copy_from_slice(&self.parameters);
        self.last = Some(LastStep::none(&state));
        self.watch = EnergyWatch::default();
        self.forces = ForceWatch::default();
        self.contacts = ContactWatch::default();
        self.bends.reported.fill(false);
        self.events.begin(self.time);
        self.state = Some(state);
        Ok(())
    }

    /// Lets parameters act that were tuned since the last step.
    ///
    /// # Errors
    /// The fault of the numbers, in the words of `coulisse check`; nothing changes then.
    pub fn tune(&mut self, blueprint: &Blueprint) -> Result<(), Refusal> {
        if self.acting == self.parameters {
            return Ok(());
        }
        let built = self.built(blueprint)?;
        if let Some(state) = &mut self.state {
            let differs = |k: usize, _| self.acting[k] != self.parameters[k];
            let jumped = state.tuned_from.is_none();
            state.tune(blueprint.tuned(&built, &state.tuning, &self.parameters, differs)?);
            if jumped {
                self.acted.copy_from_slice(&self.acting);
            }
            self.acting.copy_from_slice(&self.parameters);
        }
        Ok(())
    }

    /// Keeps where a step of `length` begins at `start` (s, on the model's clock).
    pub fn begin_last(&mut self, start: f64, length: f64) {
        if let (Some(state), Some(last)) = (&self.state, &mut self.last) {
            last.begin(state, start, length);
            if state.tuned_from.is_none() {
                self.acted.copy_from_slice(&self.acting);
            }
        }
    }

    /// Completes a memory that was read from bytes with what follows from it and is not in them;
    /// `other` is one that may share its plan. Whether it is a memory of the model at all.
    pub fn complete(&mut self, blueprint: &Blueprint, other: &Memory) -> Result<bool, Refusal> {
        if self.parameters.len() != other.parameters.len()
            || self.acting.len() != other.parameters.len()
            || self.acted.len() != other.parameters.len()
            || self.inputs.len() != other.inputs.len()
            || self.input_rates.len() != other.inputs.len()
            || self.bends.reported.len() != other.bends.reported.len()
            || self.events.discrete.len() != other.events.discrete.len()
            || self.events.layers.len() != other.events.layers.len()
            || self.state.is_some() != self.last.is_some()
        {
            return Ok(false);
        }
        let (Some(state), Some(last)) = (&mut self.state, &mut self.last) else {
            // Parameters that do not fit each other yet are reported when the start is computed.
            return Ok(true);
        };
        let tunable = |k: &usize| blueprint.checked().parameters[*k].tunable.is_some();
        let shared =
            (0..self.acting.len()).all(|k| tunable(&k) || self.acting[k] == other.parameters[k]);
        let built = match &other.built {
            Some(built) if shared => Arc::clone(built),
            _ => blueprint.built_with(&self.acting)?,
        };
        state.tuning = blueprint.tuning(&built, &self.acting)?;
        last.before.tuning.clone_from(&state.tuning);
        if self.acted != self.acting {
            last.before.tuned_from = Some(blueprint.tuning(&built, &self.acted)?);
        }
        let fits = state.fits(&built.system) && last.before.fits(&built.system);
        self.built = Some(built);
        Ok(fits)
    }
}

/// Values that may be missing, in a number of bytes that does not tell how many are: hosts set some
/// inputs before the first step and others later.
mod fixed_size {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Each value as (whether it is there, value or 0).
    pub fn serialize<S: Serializer>(values: &[Option<f64>], to: S) -> Result<S::Ok, S::Error> {
        let pairs: Vec<(bool, f64)> =
            (values.iter()).map(|value| (value.is_some(), value.unwrap_or_default())).collect();
        pairs.serialize(to)
    }

    /// The inverse of [`serialize`].
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<f64>>, D::Error> {
        let pairs = Vec::<(bool, f64)>::deserialize(from)?;
        Ok((pairs.into_iter()).map(|(there, value)| there.then_some(value)).collect())
    }
}
