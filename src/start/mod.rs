//! The first state: positions that satisfy the joints or are in equilibrium, then velocities, then accelerations
//! and multipliers.

mod assemble;
pub(crate) mod drawn;
pub(crate) mod easing;
pub(crate) mod equilibrium;
pub(crate) mod given;
mod placement;

pub use equilibrium::equilibrium;

use self::drawn::put_in_place;
use self::given::Given;
use crate::checked::{Analysis, StartVelocities};
use crate::linear::Singular;
use crate::message::figure;
use crate::newton::{Failure, fault};
use crate::solve::stepper::Stepper;
use crate::system::{
    Constraint, MassFactor, RigidMotions, SingularMotion, SliderState, State, System, SystemFault,
    Tuning,
};

/// The consistent state at t = 0 for the given inputs (one per `Checked::inputs`).
///
/// # Errors
/// When the mechanism is singular or cannot start; the message says which part.
pub fn start(system: &System, inputs: &[f64]) -> Result<State, SystemFault> {
    start_tuned(system, inputs, Tuning::of(&system.model))
}

/// [`start()`] with other numbers than the file's beside the system.
///
/// # Errors
/// As [`start()`].
pub fn start_tuned(system: &System, inputs: &[f64], tuning: Tuning) -> Result<State, SystemFault> {
    Stepper::new(system).start(system, inputs, tuning)
}

/// [`start_tuned`] solved down to rounding instead of the solver's tolerances: for differences of
/// starts.
///
/// # Errors
/// As [`start()`].
pub fn start_to_rounding(
    system: &System, inputs: &[f64], tuning: Tuning,
) -> Result<State, SystemFault> {
    let mut stepper = Stepper::new(system);
    stepper.corrections.to_rounding = true;
    stepper.start(system, inputs, tuning)
}

impl Stepper {
    /// [`start()`]; the solution for the accelerations is then in the iterate.
    pub(crate) fn start(
        &mut self, system: &System, inputs: &[f64], tuning: Tuning,
    ) -> Result<State, SystemFault> {
        let mobility = RigidMotions::of(system).are_resisted();
        if system.model.solver.analysis == Analysis::Dynamic {
            mobility.clone()?;
        }
        let mut drawn = State::initial(system, inputs);
        drawn.tuning = tuning;
        let mut state = put_in_place(system, drawn, self)?;
        match system.model.solver.analysis {
            Analysis::QuasiStatic => {
                self.settle(system, &mut state, None)?;
                self.loads_resist(system, mobility)?;
            }
            Analysis::Dynamic => {
                if system.model.start.equilibrium.is_some() {
                    self.settle(system, &mut state, system.model.start.equilibrium)?;
                }
                // What rounding has left open would be a force.
                self.close_positions(system, &mut state);
                self.set_velocities_and_contacts(system, &mut state)?;
                self.note_touching(system, &state);
                self.set_regimes(system, &mut state)
                    .map_err(|failure| self.cannot_start(system, &state, failure))?;
            }
        }
        self.report(system, &mut state);
        state.begin_journal();
        system.energy().renew_all(&mut state);
        state.energy.start = state.energy.mechanical + state.friction_stored();
        Ok(state)
    }

    /// Velocities at the start. Where those that are given lead a slider off its path, it leaves it.
    fn set_velocities_and_contacts(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), SystemFault> {
        let Err(fault) = self.set_velocities(system, state) else {
            return Ok(());
        };
        let mut any = false;
        for (slider, described) in state.sliders.iter_mut().zip(&system.model.sliders) {
            let given = system.model.start.given.iter().map(|(target, _, _)| *target);
            let is_given = system.model.is_among(described.point, given);
            if described.side.is_some() && !slider.regime.is_open() && is_given {
                *slider = SliderState::lifted();
                any = true;
            }
        }
        if !any || self.set_velocities(system, state).is_err() {
            return Err(fault);
        }
        Ok(())
    }

    /// Velocities: given ones and those of the motions are known, the rest minimise
    /// ½ q̇ᵀ(K + M/Δt²) q̇ ("rest": what an impulse of one step would leave) or ½ q̇ᵀ K q̇ ("rigid
    /// mechanism": no strain rate where the mechanism allows it), with the joints held.
    fn set_velocities(&mut self, system: &System, state: &mut State) -> Result<(), SystemFault> {
        self.load_state(system, state, system.model.solver.step);
        self.place_motions(system, state);
        let given = Given::all(system, &self.at.driven);
        let given = self.split_given(system, given);
        let rates: Vec<f64> = state.motions.iter().map(|motion| motion.rate).collect();
        let Ok(known) = self.least_motion(system, &rates, &given.imposed) else {
            let motion = self.work.matrix.free_motion();
            let moves = motion.interior.iter().any(|v| *v != 0.0);
            return Err(match system.model.start.velocities {
                StartVelocities::RigidMechanism if moves => SystemFault(format!(
                    "velocities = \"rigid_mechanism\": the motions do not determine all \
                     velocities at t = 0, that of {} is free; give it under [initial.points] \
                     (0.0 is a velocity, too), or take velocities = \"rest\"",
                    SingularMotion::of(system, &motion).moving().join(" with ")
                )),
                _ => {
                    let failure = Failure::Singular { motion };
                    let too_long = self.too_long_to_start(system, state, &failure);
                    too_long.unwrap_or_else(|| {
                        let cause = failure.describe(system);
                        SystemFault(format!("the mechanism cannot start: {cause}"))
                    })
                }
            });
        };
        state.velocity.copy_from_slice(&known);
        given.agree_with(system, state)
    }

    /// The start has met with `failure`: whether the solver's step, of which it takes a part, is far too long.
    fn too_long_to_start(
        &mut self, system: &System, state: &State, failure: &Failure,
    ) -> Option<SystemFault> {
        let step = system.model.solver.step;
        let why = self.too_long(system, state, step, failure)?;
        Some(SystemFault(format!(
            "the mechanism cannot start: `solver.step` is {} s, far too long: {why}",
            figure(step)
        )))
    }

    /// What a start without accelerations says.
    fn cannot_start(&mut self, system: &System, state: &State, failure: Failure) -> SystemFault {
        let too_long = self.too_long_to_start(system, state, &failure);
        too_long.unwrap_or_else(|| {
            let SystemFault(text) = fault(system, "cannot start", &failure);
            SystemFault(match failure {
                Failure::Singular { .. } | Failure::Bristles { .. } => text,
                _ => text + ", or reduce `solver.step`",
            })
        })
    }

    /// The velocities of the start from the loaded state, where the motions have the `rates`.
    pub(crate) fn least_motion(
        &mut self, system: &System, rates: &[f64], imposed: &[Given],
    ) -> Result<Vec<f64>, Singular> {
        let step = system.model.solver.step;
        let mass_factor = match system.model.start.velocities {
            StartVelocities::Rest => Some(1.0 / (step * step)),
            StartVelocities::RigidMechanism => None,
        };
        let mut known = vec![0.0; system.initial.len()];
        for (motion, rate) in system.motions.iter().zip(rates) {
            for &u in &motion.unknowns {
                known[u] = *rate;
            }
        }
        for given in imposed {
            known[given.unknown] = given.value;
        }
        let pinned: Vec<usize> =
            (imposed.iter()).filter_map(|given| system.equation.of(given.unknown)).collect();
        self.follow(system, mass_factor, &mut known, &pinned)?;
        Ok(known)
    }

    /// The motion with the least ½ q̇ᵀ(K + f M) q̇ from the loaded state, f = `mass_factor`, joints
    /// held and friction left out: `rates` holds that of the prescribed unknowns and those of the
    /// `pinned` equations, and gets the others.
    pub(crate) fn follow(
        &mut self, system: &System, mass_factor: MassFactor, rates: &mut [f64], pinned: &[usize],
    ) -> Result<(), Singular> {
        self.at.leave_friction_out();
        system.residual_and_tangent(&self.at, &mut self.work, mass_factor);
        let q = &self.at.q;
        let mut carried = vec![0.0; system.nodal];
        system.tangent_times(q, rates, mass_factor.unwrap_or(0.0), &mut carried);
        system.loads.lines.add_product(q, rates, &self.at.follower_loads, &mut carried);
        system.springs.add_product(&self.at, rates, &mut carried);
        let driven = &self.at.driven;
        let mut x: Vec<f64> = (system.unknown.iter())
            .map(|&u| if driven[u].is_some() { 0.0 } else { -carried[u] })
            .collect();
        let mut y = vec![0.0; system.border()];
        // The rate of c at the same s.
        for (j, slider) in system.sliders.iter().enumerate() {
            if self.at.sliders[j].constraint == Constraint::Open {
                continue;
            }
            let k = system.sliders[j].kinematics(q, None);
            let gap = k.gap_of(&slider.path, rates, &slider.unknowns);
            for i in 0..slider.conditions() {
                y[slider.border + 1 + i] = -gap[i];
            }
        }
        system.pins.rates(q, rates, -1.0, &mut y);
        pinned.iter().for_each(|&e| x[e] = 0.0);
        self.factor_pinned(system, mass_factor, pinned)?;
        self.work.matrix.solve(&mut x, &mut y)?;
        for (change, &u) in x.iter().zip(&system.unknown) {
            rates[u] += change;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            rates[slider.coordinate] = if self.at.sliders[j].constraint == Constraint::Open {
                system.sliders[j].closest_point_rate(&self.at.q, rates)
            } else {
                y[slider.border]
            };
        }
        Ok(())
    }

    /// Factors the tangent of the iterate without the `pinned` equations.
    ///
    /// # Errors
    /// Where it is singular.
    fn factor_pinned(
        &mut self, system: &System, mass_factor: MassFactor, pinned: &[usize],
    ) -> Result<(), Singular> {
        loop {
            pinned.iter().for_each(|&e| self.work.matrix.pin(e));
            let factored = self.work.matrix.factor();
            if factored.is_ok() || !system.regularise(&mut self.at, mass_factor) {
                return factored;
            }
            system.residual_and_tangent(&self.at, &mut self.work, mass_factor);
        }
    }
}
