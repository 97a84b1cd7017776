//! Small changes of the equations about an instant, direction by direction.

use super::Change;
use super::Perturbation;
use crate::checked::Output;
use crate::laws::friction::Memory;
use crate::numerics::positions::Position;
use crate::solve::integrator::Integrator;
use crate::surfaces::layer::Touch;
use crate::system::{
    Constraint, Iterate, Linear, MotionState, Numbers, SlidingVelocity, State, System, SystemFault,
    Varied,
};

/// What changes: all in the order of the unknowns, of the border, of the sliders and of the inputs.
#[derive(Debug, Clone)]
pub(crate) struct Direction {
    pub q: Vec<f64>,
    pub velocity: Vec<f64>,
    pub acceleration: Vec<f64>,
    /// Multipliers in their places of the border.
    pub border: Vec<f64>,
    /// What laws with memory remember.
    pub memory: Vec<Memory>,
    /// Value of each input; of one that drives a motion this is none.
    pub inputs: Vec<f64>,
    /// Value, rate and acceleration of each motion.
    pub motions: Vec<[f64; 3]>,
}

impl Direction {
    pub fn none(system: &System) -> Direction {
        Direction {
            q: vec![0.0; system.initial.len()],
            velocity: vec![0.0; system.initial.len()],
            acceleration: vec![0.0; system.initial.len()],
            border: vec![0.0; system.border()],
            memory: vec![Memory::default(); system.sliders.len()],
            inputs: vec![0.0; system.model.inputs.len()],
            motions: vec![[0.0; 3]; system.motions.len()],
        }
    }

    /// Whether nothing changes.
    pub fn is_none(&mut self) -> bool {
        self.numbers().all(|x| *x == 0.0)
    }

    /// Every number of it, in one order.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        let Direction { q, velocity, acceleration, border, memory, inputs, motions } = self;
        let plain = [q, velocity, acceleration, border, inputs].into_iter().flatten();
        plain.chain(memory.as_flattened_mut()).chain(motions.as_flattened_mut())
    }
}

/// A state with the forces of its instant, and room for its changes.
pub(crate) struct About<'a> {
    system: &'a System,
    pub state: State,
    integrator: Integrator,
    linear: Linear,
    change: Change,
}

/// Time over which laws with memory slide at an instant, as a share of τ: what they forget in it is far below 1e-6 of what they remember, and above its rounding.
const MEMORY_TIME: f64 = 1e-5;

/// Way in a step as a share of the mechanism below which a contact of surfaces rests.
const RESTS: f64 = 1e-12;

impl<'a> About<'a> {
    /// About `state`, where `choose` may change what holds the sliders.
    ///
    /// # Errors
    /// Where the forces of the instant cannot be found.
    pub fn new(
        system: &'a System, state: &State, choose: impl FnOnce(&mut Iterate),
    ) -> Result<About<'a>, SystemFault> {
        let (mut integrator, mut state) = (Integrator::new(system), state.clone());
        let tau = state.instant();
        integrator.find_forces(system, &mut state, tau, choose).map_err(|_| {
            SystemFault(
                "accelerations and forces cannot be found there: joints constrain the same motion twice, or \
                 something can move without resistance"
                    .into(),
            )
        })?;
        integrator.newton.at.step = MEMORY_TIME * tau;
        let change = Change::none(system, &state, &Perturbation::none(system));
        let linear = Linear::at(system, &integrator.newton.at);
        let mut about = About { system, state, integrator, linear, change };
        about.slide_on()?;
        Ok(about)
    }

    /// Lets elastic friction begin a moment earlier: what slips at its limit then goes on to slip, where without a past it could as well turn back.
    fn slide_on(&mut self) -> Result<(), SystemFault> {
        let system = self.system;
        let mut onwards = Direction::none(system);
        onwards.q.copy_from_slice(self.velocity());
        self.vary(&onwards);
        let About { state, integrator, change, .. } = self;
        let at = &mut integrator.newton.at;
        for i in 0..system.springs.list.len() {
            let way = system.springs.at(i, at).rate * at.step;
            at.springs[i].anchor -= way;
            state.springs[i].anchor -= way;
        }
        for (c, contact) in system.surfaces.contacts.iter().enumerate() {
            let changes = system.surfaces.contact_change(c, at, &change.at, &change.friction);
            let slides = |(i, rate): (usize, f64)| {
                let point = &at.points[i];
                let fast = rate.abs() * system.model.solver.step > RESTS * system.size;
                point.friction != 0.0 && matches!(point.touch, Touch::Slips(_)) && fast
            };
            let rates = changes.iter().map(|change| change.memory.s.eps);
            if contact.points.clone().zip(rates).any(slides) {
                return Err(SystemFault(format!(
                    "contact {} slides there: friction that slides between surfaces has no linear model; \
                     linearise about a state at rest",
                    system.model.contacts[c].name
                )));
            }
        }
        Ok(())
    }

    pub fn at(&self) -> &Iterate {
        &self.integrator.newton.at
    }

    /// Time over which laws with memory have slid, s.
    pub fn memory_time(&self) -> f64 {
        self.at().step
    }

    /// Velocities, those of sliders included.
    pub fn velocity(&self) -> &[f64] {
        &self.integrator.motion.velocity
    }

    /// Finds how the equations change along a direction; see [`About::rows`].
    pub fn vary(&mut self, direction: &Direction) {
        let About { system, state, integrator, linear, change } = self;
        let now = &integrator.newton.at;
        let Change { by, at, velocity, residual, friction, .. } = change;
        at.flow.factor = now.flow.factor;
        velocity.copy_from_slice(&direction.velocity);
        at.q.put(&direction.q);
        at.acceleration.copy_from_slice(&direction.acceleration);
        for u in 0..system.nodal {
            at.flow.regularisation(u, Position::from(direction.q[u]), direction.velocity[u]);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let s = slider.coordinate;
            let own = &mut at.sliders[j];
            let factor = now.sliders[j].velocity.factor;
            own.velocity =
                SlidingVelocity::at_rate(factor, direction.q[s].into(), direction.velocity[s]);
            own.multipliers = [0.0; 3];
            own.memory = direction.memory[j];
        }
        at.pins.fill([0.0; 2]);
        at.add_forces(system, 1.0, &direction.border);
        for (reached, value) in by.reached.iter_mut().zip(&direction.inputs) {
            *reached = [*value, 0.0];
        }
        let input = |i: usize| direction.inputs[i];
        system.loads.change(state.time, input, &mut at.external);
        system.loads.lines.follower_change(state.time, input, &mut at.follower_loads);
        let varied = Varied { now: &*state, by: &*by };
        system.springs.set_change(|i| varied.get(|s| s.reached[i][0]), &mut at.springs);
        for (motion, [value, rate, acceleration]) in by.motions.iter_mut().zip(&direction.motions) {
            let (value, rate, acceleration) = (*value, *rate, *acceleration);
            *motion = MotionState { value, rate, acceleration, released: false };
        }
        system.residual_change((now, linear), at, friction, residual);
    }

    /// Changes of the equations of the nodal unknowns and of the border along the direction that was varied last.
    pub fn rows(&self) -> (&[f64], &[f64]) {
        (&self.change.residual.nodal, &self.change.residual.border)
    }

    /// Changes of the rates of the constraints, in their rows of the border.
    pub fn constraint_rates(&mut self) -> Vec<f64> {
        let mut rows = vec![0.0; self.system.border()];
        let now = self.at();
        let placed = self.system.sliders.placed(now);
        let faster = (&self.change.at, &self.change.velocity[..]);
        self.system.constraint_rates_change(now, &placed, self.velocity(), faster, 1.0, &mut rows);
        self.of_constraints(&rows)
    }

    /// Changes of the second derivatives of the constraints by time, in their rows of the border.
    pub fn constraint_accelerations(&mut self) -> Vec<f64> {
        let About { system, integrator, change, .. } = self;
        let now = &integrator.newton.at;
        let (mut there, mut rows) = (now.clone(), vec![0.0; system.border()]);
        let velocity = &integrator.motion.velocity;
        change.vary_constraints(system, 1.0, now, velocity, (&mut there, &mut rows));
        self.of_constraints(&self.change.residual.border)
    }

    fn of_constraints(&self, rows: &[f64]) -> Vec<f64> {
        let mut border = vec![0.0; rows.len()];
        self.system.take_constraints(self.at(), rows, &mut border);
        border
    }

    /// Change of what a law with memory remembers of slider `j` over the [memory time](About::memory_time).
    pub fn memory(&self, j: usize) -> Memory {
        let About { system, integrator, linear, change, .. } = self;
        let forces = &linear.inertia_forces;
        let numbers = &change.friction[j];
        let both = (&integrator.newton.at, &change.at);
        system.sliders.memory_change(j, both, forces, numbers).memory
    }

    /// Changes of outputs along the direction that was varied last, where it satisfies all equations.
    pub fn outputs(&mut self, outputs: &[Output]) -> Vec<f64> {
        let About { system, integrator, change, state, .. } = self;
        let newton = &integrator.newton;
        {
            let Change { by, at, velocity, friction, .. } = &mut *change;
            by.q.copy_from(&at.q);
            by.velocity.copy_from_slice(velocity);
            by.acceleration.copy_from_slice(&at.acceleration);
            for (j, slider) in system.sliders.iter().enumerate() {
                by.sliders[j].friction = slider.friction_change(&newton.at, at);
                by.sliders[j].memory = at.sliders[j].memory;
            }
            for (c, contact) in system.surfaces.contacts.iter().enumerate() {
                let changes = system.surfaces.contact_change(c, &newton.at, at, friction);
                for (i, change) in contact.points.clone().zip(changes) {
                    by.points[i] = change.memory.zip(&change.memory, |now, _| now.eps);
                }
            }
        }
        change.keep_forces(newton, system);
        let of = |&output: &Output| system.output_change(state, &change.by, output);
        outputs.iter().map(of).collect()
    }

    /// Whether slider `j` is off its path.
    pub fn is_open(&self, j: usize) -> bool {
        self.at().sliders[j].constraint == Constraint::Open
    }
}
