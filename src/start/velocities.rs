//! Velocities at the start: those that are given and those of motions are known, the others follow from joints and inertia.

use super::given::{Given, GivenVelocities};
use super::too_long_to_start;
use crate::checked::StartVelocities;
use crate::linear::Singular;
use crate::newton::{Failure, Newton};
use crate::system::{Constraint, MassFactor, SliderState, State, System, SystemFault};

/// Velocities of a mechanism at a state, with its motions and joints.
pub(crate) struct Velocities<'a> {
    pub system: &'a System,
    pub newton: &'a mut Newton,
}

impl Velocities<'_> {
    /// Velocities at the start. Where those that are given lead a slider off its path, it leaves it.
    pub fn set_and_open(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        let Err(fault) = self.set(state) else {
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
        if !any || self.set(state).is_err() {
            return Err(fault);
        }
        Ok(())
    }

    /// Velocities: given ones and those of the motions are known, the rest minimise
    /// ½ q̇ᵀ(K + M/Δt²) q̇ ("rest": what an impulse of one step would leave) or ½ q̇ᵀ K q̇ ("rigid
    /// mechanism": no strain rate where the mechanism allows it), with the joints held.
    fn set(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        self.newton.load_state(system, state, system.model.solver.step);
        self.newton.place_motions(system, state);
        let given = self.split(Given::all(system, &self.newton.at.driven));
        let rates: Vec<f64> = state.motions.iter().map(|motion| motion.rate).collect();
        let Ok(known) = self.least_motion(&rates, &given.imposed) else {
            let motion = self.newton.work.matrix.free_motion();
            let moves = motion.interior.iter().any(|v| *v != 0.0);
            return Err(match system.model.start.velocities {
                StartVelocities::RigidMechanism if moves => {
                    self.undetermined(&rates, given.imposed, motion)
                }
                _ => {
                    let failure = Failure::Singular { motion };
                    let too_long = too_long_to_start(system, self.newton, state, &failure);
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

    /// The velocities of the start from the loaded state, where the motions have the `rates`.
    pub fn least_motion(&mut self, rates: &[f64], imposed: &[Given]) -> Result<Vec<f64>, Singular> {
        let system = self.system;
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
        self.follow(mass_factor, &mut known, &pinned)?;
        Ok(known)
    }

    /// The motion with the least ½ q̇ᵀ(K + f M) q̇ from the loaded state, f = `mass_factor`, joints
    /// held and friction left out: `rates` holds that of the prescribed unknowns and those of the
    /// `pinned` equations, and gets the others.
    pub fn follow(
        &mut self, mass_factor: MassFactor, rates: &mut [f64], pinned: &[usize],
    ) -> Result<(), Singular> {
        let system = self.system;
        let Newton { at, work, .. } = &mut *self.newton;
        at.leave_friction_out();
        system.residual_and_tangent(at, work, mass_factor);
        let mut carried = vec![0.0; system.nodal];
        let factor = mass_factor.unwrap_or(0.0);
        system.tangent_times(&at.q, rates, factor, &mut carried, &mut work.tangents);
        system.loads.lines.add_product(&at.q, rates, &at.follower_loads, &mut carried);
        system.springs.add_product(at, rates, &mut carried);
        let mut x: Vec<f64> = (system.unknown.iter())
            .map(|&u| if at.driven[u].is_some() { 0.0 } else { -carried[u] })
            .collect();
        let mut y = vec![0.0; system.border()];
        system.close_joints(at, &at.q, rates, &mut y);
        pinned.iter().for_each(|&e| x[e] = 0.0);
        self.factor_pinned(mass_factor, pinned)?;
        self.newton.work.matrix.solve(&mut x, &mut y)?;
        for (change, &u) in x.iter().zip(&system.unknown) {
            rates[u] += change;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            let at = &self.newton.at;
            rates[slider.coordinate] = match at.sliders[j].constraint {
                Constraint::Open => system.sliders[j].closest_point_rate(&at.q, rates),
                _ => y[slider.border],
            };
        }
        Ok(())
    }

    /// Factors the tangent of the iterate without the `pinned` equations.
    ///
    /// # Errors
    /// Where it is singular.
    fn factor_pinned(&mut self, mass_factor: MassFactor, pinned: &[usize]) -> Result<(), Singular> {
        let Newton { at, work, .. } = &mut *self.newton;
        loop {
            pinned.iter().for_each(|&e| work.matrix.pin(e));
            let factored = work.matrix.factor();
            if factored.is_ok() || !self.system.regularise(at, mass_factor) {
                return factored;
            }
            self.system.residual_and_tangent(at, work, mass_factor);
        }
    }

    /// Splits the given velocities into those that are independent of each other and of the
    /// joints, and the rest. The fastest are taken first: what follows from a fast one loses no
    /// digits.
    pub fn split(&mut self, mut given: Vec<Given>) -> GivenVelocities {
        given.sort_by(|a, b| b.speed().total_cmp(&a.speed()));
        // Where already the joints alone cannot be solved for, nothing is learned by leaving out.
        if given.is_empty() || self.can_impose(&given) || !self.can_impose(&[]) {
            return GivenVelocities { imposed: given, rest: Vec::new() };
        }
        let [mut imposed, mut rest] = [Vec::new(), Vec::new()];
        for one in given {
            imposed.push(one);
            if !self.can_impose(&imposed) {
                rest.extend(imposed.pop());
            }
        }
        GivenVelocities { imposed, rest }
    }

    fn can_impose(&mut self, given: &[Given]) -> bool {
        let system = self.system;
        let step = system.model.solver.step;
        let Newton { at, work, .. } = &mut *self.newton;
        at.leave_friction_out();
        system.residual_and_tangent(at, work, Some(1.0 / (step * step)));
        let pinned = given.iter().filter_map(|one| system.equation.of(one.unknown));
        pinned.for_each(|e| work.matrix.pin(e));
        work.matrix.factor().is_ok()
    }
}
