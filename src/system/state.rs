//! The only memory of a simulation.

mod field;
mod journal;
mod scaling;
mod signals;
mod step_control;

use serde::{Deserialize, Serialize};

pub(crate) use field::Field;
use field::{constant_in_steps, of_fields};
pub(crate) use journal::mean_friction;
pub use journal::{ContactJournal, Journal, PathEnd, SpringState};
pub use scaling::Scaling;
pub use signals::{HostInput, Rates, Signal};
pub use step_control::{Largest, StepControl};

use super::flow::Circling;
use super::{System, Tuning};
use crate::joints::regime::Regime;
use crate::laws::friction::Memory;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::PointMemory;

of_fields! {
    /// Everything that changes in time. `advance` is a pure function of (system, state, step).
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct State {
        /// Time of this state, s.
        pub time: f64,
        /// How far this state is extrapolated beyond the last one that was solved for, s.
        pub extrapolated: f64,
        /// Positions, rotations, sliding coordinates.
        pub q: Positions,
        pub velocity: Vec<f64>,
        /// How the velocities of what turns follow from its rotation.
        pub circling: Circling,
        /// q̈ at `time`, in equilibrium with the forces.
        pub acceleration: Vec<f64>,
        /// The auxiliary acceleration a of the generalized-α method, which lags behind q̈.
        pub algorithmic: Vec<f64>,
        /// The steps of one length that have led here.
        pub equal: EqualSteps,
        /// How long the next ones are.
        pub control: StepControl,
        /// Multipliers of each slider: λ₁, λ₂ (N) and λ₃ (N·m, zero for a cylindrical joint).
        pub multipliers: Vec<[f64; 3]>,
        /// Multipliers of each pin, N.
        pub pins: Vec<[f64; 2]>,
        pub sliders: Vec<SliderState>,
        /// What the points of contacts remember.
        pub points: Vec<PointMemory>,
        /// d and s of each of them at the ends of the last two steps, the last one first, m: from these follows which of them touch in the first
        /// guess of the next step.
        pub places: Vec<[[f64; 2]; 2]>,
        pub motions: Vec<MotionState>,
        /// Force (N, N·m) of members and bodies on each nodal unknown.
        pub elastic: Vec<f64>,
        /// Numbers of the friction laws.
        #[serde(skip)]
        pub tuning: Tuning,
        /// Those with which the last step has ended, where [others](State::tune) have been set since.
        #[serde(skip)]
        pub tuned_from: Option<Tuning>,
        /// Values that the host has set for the next communication step, in the order of
        /// `Checked::inputs`.
        pub inputs: Vec<f64>,
        /// u̇ and ü that the host has set for the next communication step.
        pub input_rates: Vec<Rates>,
        /// What the inputs do over the present communication step.
        pub signals: Vec<Signal>,
        /// Value and slope of the inputs at `time`.
        pub reached: Vec<[f64; 2]>,
        /// Force (N, N·m) of the surroundings on each prescribed unknown; zero on free ones.
        pub reactions: Vec<f64>,
        /// The accelerations and forces with which the last step has ended, where the others are those of [an instant](crate::solve): the next one goes on
        /// from these.
        pub stepped: Forces,
        /// Those with which the step before has ended; from both follows the first guess of the next step. After a start or an event those
        /// that stiffness lets through over a short step.
        pub earlier: Forces,
        /// Force (N, N·m) on each unknown that the accelerations leave without balance: those of a start, or behind an
        /// event, are those of a short step. Zero at the end of a step.
        pub unbalanced: Vec<f64>,
        /// What each slider has done since the start.
        pub journal: Vec<Journal>,
        /// What friction has done in each contact of surfaces since the start.
        pub contacts: Vec<ContactJournal>,
        /// What springs remember, and what they have done since the start.
        pub springs: Vec<SpringState>,
        pub energy: EnergyBalance,
        pub counters: Counters,
        /// What a static path multiplies.
        #[serde(skip)]
        pub scaling: Scaling,
        /// Independent motions in which the equilibrium is unstable; 0 where none was looked for.
        #[serde(with = "postcard::fixint::le")]
        pub unstable_modes: u32,
    }
}

of_fields! {
    /// Accelerations and forces of a state.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    pub struct Forces {
        pub(crate) acceleration: Vec<f64>,
        pub(crate) multipliers: Vec<[f64; 3]>,
        pub(crate) pins: Vec<[f64; 2]>,
        friction: Vec<f64>,
        pub(crate) reactions: Vec<f64>,
    }
}

impl Forces {
    fn none(system: &System) -> Forces {
        Forces {
            acceleration: vec![0.0; system.initial.len()],
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            pins: vec![[0.0; 2]; system.pins.list.len()],
            friction: vec![0.0; system.sliders.len()],
            reactions: vec![0.0; system.nodal],
        }
    }

    /// Takes those of `state`; does not allocate.
    fn keep(&mut self, state: &State) {
        self.acceleration.copy_from_slice(&state.acceleration);
        self.multipliers.copy_from_slice(&state.multipliers);
        self.pins.copy_from_slice(&state.pins);
        self.reactions.copy_from_slice(&state.reactions);
        for (kept, own) in self.friction.iter_mut().zip(&state.sliders) {
            *kept = own.friction;
        }
    }
}

of_fields! {
    /// Steps of one length, one after the other, with no event between them.
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct EqualSteps {
        /// s; that of the rest of a step behind an event changes with the instant of the event.
        length: f64,
        #[serde(with = "postcard::fixint::le")]
        count: u32,
        /// Whether steps of another length came before, with no event between.
        changed: bool,
    }
}

impl EqualSteps {
    /// Steps of TR-BDF2 before one of generalized-α: after one of them alone its a can be far off for what the step does not resolve.
    const FIRST: u32 = 2;

    /// Difference of two lengths that are the same but for the rounding of times.
    const ROUNDING: f64 = 1e-9;

    /// A time `h` (s) as a share of the step before; `None` where a start or an event lies between.
    pub(crate) fn share(&self, h: f64) -> Option<f64> {
        (self.count > 0).then(|| h / self.length)
    }

    /// Change of the [share](EqualSteps::share) of a time `h` (s) by the change `by` of the length.
    pub(crate) fn share_change(&self, h: f64, by: &EqualSteps) -> f64 {
        self.share(h).map_or(0.0, |share| -share * by.length / self.length)
    }

    /// The change of these steps by what leaves their length as it is.
    pub(crate) fn given(self) -> EqualSteps {
        EqualSteps { length: 0.0, ..self }
    }

    fn are(&self, h: f64) -> bool {
        (h - self.length).abs() <= Self::ROUNDING * h
    }

    /// Whether a step of length `h` (s) may be one of generalized-α.
    pub(crate) fn allow(&self, h: f64) -> bool {
        self.count >= Self::FIRST && self.are(h)
    }

    /// Whether a start or an event lies two steps back or more.
    pub(crate) fn are_settled(&self) -> bool {
        self.count >= Self::FIRST
    }

    /// Whether steps of another length came before, with no event between.
    pub(crate) fn have_changed(&self) -> bool {
        self.changed
    }

    /// Counts a step of length `h` (s).
    pub(crate) fn count(&mut self, h: f64) {
        let before = if self.are(h) { self.count } else { 0 };
        *self = EqualSteps {
            length: h,
            count: (before + 1).min(Self::FIRST),
            changed: self.changed || self.count > 0 && !self.are(h),
        };
    }
}

of_fields! {
    /// What one slider does, and its friction.
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct SliderState {
        pub regime: Regime,
        /// |Y′| F_f, the force of friction conjugate to s, N; positive resists positive ds/dt.
        pub friction: f64,
        /// What a law with memory remembers; a stop makes it forget.
        pub memory: Memory,
    }
}

of_fields! {
    /// Displacement or rotation g of an imposed motion with its time derivatives; after its release
    /// the last that it imposed.
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct MotionState {
        pub value: f64,
        pub rate: f64,
        pub acceleration: f64,
        /// Whether it has ended.
        pub released: bool,
    }
}

of_fields! {
    /// The energy balance since the start, J, but for what friction took: see [`Journal`].
    #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    pub struct EnergyBalance {
        /// Work of loads and imposed motions, and of a gravity that changes.
        pub input_work: f64,
        pub damping_work: f64,
        /// What the time integration has taken: the work of the forces without what became of it in velocity and in strain.
        pub numerical_dissipation: f64,
        /// What impacts have taken.
        pub impact_loss: f64,
        /// Kinetic + strain + potential energy at the start.
        pub start: f64,
        /// Kinetic energy at the end of the last step, added up from step to step.
        pub kinetic: f64,
        /// Kinetic + strain + potential energy there.
        pub mechanical: f64,
        /// Strain energy of members and bodies there.
        pub elastic: f64,
        /// The largest so far of kinetic and strain energy and of what came and went.
        pub largest: f64,
    }
}

impl EnergyBalance {
    /// What the time integration has made, J: it takes energy, and what it gives beyond that nothing has done work for.
    pub(crate) fn made(&self) -> f64 {
        (-self.numerical_dissipation).max(0.0)
    }

    /// The largest of what came and went since the start, J, where friction took `friction_work`.
    pub(crate) fn traffic(&self, friction_work: f64) -> f64 {
        [
            self.input_work,
            friction_work,
            self.damping_work,
            self.impact_loss,
            self.numerical_dissipation,
        ]
        .iter()
        .fold(0.0, |most, work| most.max(work.abs()))
    }
}

/// Counters since the start; saved in a fixed number of bytes, because hosts reuse their buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    #[serde(with = "postcard::fixint::le")]
    pub steps: u64,
    #[serde(with = "postcard::fixint::le")]
    pub iterations: u64,
    #[serde(with = "postcard::fixint::le")]
    pub rejections: u64,
    /// Equilibria of a quasi-static analysis that have jumped.
    #[serde(with = "postcard::fixint::le")]
    pub snap_throughs: u64,
}

constant_in_steps!(StepControl, Circling, Counters, Signal, Rates, Option<PathEnd>);

impl State {
    /// The system in the initial configuration, at rest, with the given inputs and nothing solved for.
    pub fn initial(system: &System, inputs: &[f64]) -> State {
        let unknowns = system.initial.len();
        State {
            time: 0.0,
            extrapolated: 0.0,
            q: Positions::from(&system.initial[..]),
            velocity: vec![0.0; unknowns],
            circling: Circling::default(),
            acceleration: vec![0.0; unknowns],
            algorithmic: vec![0.0; unknowns],
            equal: EqualSteps::default(),
            control: StepControl::new(system),
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            pins: vec![[0.0; 2]; system.pins.list.len()],
            sliders: vec![SliderState::default(); system.sliders.len()],
            points: (system.surfaces.points.iter())
                .map(|point| PointMemory {
                    s: point.initial,
                    anchor: point.initial,
                    ..PointMemory::default()
                })
                .collect(),
            places: vec![[[0.0; 2]; 2]; system.surfaces.points.len()],
            motions: vec![MotionState::default(); system.motions.len()],
            elastic: vec![0.0; system.nodal],
            tuning: Tuning::of(&system.model),
            tuned_from: None,
            inputs: inputs.to_vec(),
            input_rates: vec![Rates::default(); inputs.len()],
            signals: inputs.iter().map(|&u| Signal::constant(u)).collect(),
            reached: inputs.iter().map(|&u| [u, 0.0]).collect(),
            reactions: vec![0.0; system.nodal],
            stepped: Forces::none(system),
            earlier: Forces::none(system),
            unbalanced: vec![0.0; unknowns],
            journal: vec![Journal::default(); system.sliders.len()],
            contacts: vec![ContactJournal::default(); system.surfaces.contacts.len()],
            springs: (system.springs.list.iter())
                .map(|spring| SpringState {
                    anchor: spring.initial(&Positions::from(&system.initial[..])).anchor,
                    ..SpringState::default()
                })
                .collect(),
            energy: EnergyBalance::default(),
            counters: Counters::default(),
            scaling: Scaling::default(),
            unstable_modes: 0,
        }
    }

    /// Gives it other numbers of the friction laws, which act from its instant on: accelerations and forces jump as the next step begins.
    pub fn tune(&mut self, numbers: Tuning) {
        if numbers != self.tuning {
            let before = std::mem::replace(&mut self.tuning, numbers);
            self.tuned_from.get_or_insert(before);
        }
    }

    /// Whether a state that comes from outside has the sizes of `system`.
    pub fn fits(&self, system: &System) -> bool {
        let inputs = vec![0.0; system.model.inputs.len()];
        self.has_size_of(&State::initial(system, &inputs))
    }

    /// Takes velocity and acceleration from unknown `u`.
    pub(crate) fn rest(&mut self, u: usize) {
        self.velocity[u] = 0.0;
        self.acceleration[u] = 0.0;
        self.algorithmic[u] = 0.0;
    }

    /// Lets the next step go on from the present accelerations and forces.
    pub(crate) fn keep_stepped(&mut self) {
        let mut stepped = std::mem::take(&mut self.stepped);
        stepped.keep(self);
        self.stepped = stepped;
    }

    /// Keeps the present accelerations and forces as those from which the next first guess follows.
    pub(crate) fn keep_earlier(&mut self) {
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.keep(self);
        self.earlier = earlier;
    }

    /// Keeps the present accelerations and forces as those before a step; the smooth ones of a start or an event stay.
    pub(crate) fn leave(&mut self) {
        if self.equal.share(1.0).is_some() {
            self.keep_earlier();
        }
    }

    /// q̈ of unknown `u` by which a short time may be extrapolated: after a start or an event the smooth one, as that of the instant throws what the step
    /// does not resolve far.
    pub(crate) fn smooth_acceleration(&self, u: usize) -> f64 {
        match self.equal.share(1.0) {
            Some(_) => self.acceleration[u],
            None => self.earlier.acceleration[u],
        }
    }

    /// Exchanges the accelerations and forces for those with which the last step has ended, or back.
    pub(crate) fn exchange_stepped(&mut self) {
        let stepped = &mut self.stepped;
        std::mem::swap(&mut self.acceleration, &mut stepped.acceleration);
        std::mem::swap(&mut self.multipliers, &mut stepped.multipliers);
        std::mem::swap(&mut self.pins, &mut stepped.pins);
        std::mem::swap(&mut self.reactions, &mut stepped.reactions);
        for (kept, own) in stepped.friction.iter_mut().zip(&mut self.sliders) {
            std::mem::swap(kept, &mut own.friction);
        }
    }

    /// Copies without allocating; both must belong to the same system.
    pub fn copy_from(&mut self, other: &State) {
        self.copy(other);
    }

    /// Moves by a `share` of the change `along`, in which every number stands for the change of the number in its place. What is discrete stays.
    pub(crate) fn shift_by(&mut self, share: f64, along: &State) {
        self.shift(share, along);
    }

    /// Becomes the change between two states, per unit of what they are apart, `over`.
    pub(crate) fn become_slope(&mut self, [larger, smaller]: [&State; 2], over: f64) {
        self.slope(larger, smaller, over);
    }
}
