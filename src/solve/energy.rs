//! What a step enters into the energy balance.

use super::scheme::Scheme;
use super::stepper::{Holds, Stepper};
use crate::newton::POSITION_ROUNDING;
use crate::system::{
    AT_END, EnergyBalance, Instant, MEAN, MassFactor, SpringWork, State, System, mean_friction,
};

/// What a step enters into the energy balance, J.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// The balance with it.
    pub balance: EnergyBalance,
    potential: f64,
    /// What the balance of the step leaves open: above 0 what has disappeared in it.
    pub unexplained: f64,
    /// Work of joints by the trapezoidal rule, which the time integration takes.
    pub in_joints: f64,
    /// What faces that do not give way have made of nothing.
    pub made_by_faces: f64,
}

impl Entries {
    /// What nothing explains in the step from `state`, J: what its balance leaves open, and what the time integration makes in it. Above 0
    /// what has disappeared.
    pub fn error(&self, state: &State) -> f64 {
        self.unexplained - (self.balance.made() - state.energy.made())
    }

    /// Rounding of the largest term of the balance, J.
    pub fn rounding(&self) -> f64 {
        let EnergyBalance { largest, start, .. } = self.balance;
        let terms = [largest, start.abs(), self.potential.abs()];
        f64::EPSILON * terms.into_iter().fold(0.0, f64::max)
    }
}

impl Stepper {
    /// What the solved step from `state` enters into the balance.
    pub(super) fn entries(&mut self, system: &System, state: &State, end: Instant) -> Entries {
        let (alpha, dynamic) = (self.scheme == Scheme::Alpha, system.is_dynamic());
        let faces = system.surfaces.taken_by_faces(state, &self.at, &mut self.work, alpha);
        let passage = (state, &self.at.q, &self.end);
        let ends = if alpha { MEAN } else { AT_END };
        let (driven, room) = (&self.at.driven, &mut self.work.inertia);
        let inertia = room.work(system, self.at.step, ends, passage, passage, driven);
        let springs = 0..system.springs.list.len();
        let springs =
            springs.map(|i| system.springs.work(i, state, &self.at, &self.work.springs[i], end));
        let springs = springs.fold(SpringWork::none(), SpringWork::plus);
        let points =
            (0..system.surfaces.points.len()).map(|i| self.contact_friction_work(system, state, i));
        let sliders = (0..system.sliders.len()).map(|j| self.friction_work(system, state, j));
        let friction_work = sliders.chain(points).sum::<f64>() + springs.friction_work;
        let in_joints = match alpha && dynamic {
            true => {
                system.work().of_joints(state, &self.at, &self.work)
                    - self.felt_friction(system, state)
            }
            false => 0.0,
        };
        let friction_taken = self.friction_dissipation(system, state) + springs.numerical;
        let mut input_work = self.input_work(system, state, end) + inertia.driven;
        if !dynamic && system.independent_motions(&self.at) == 0 {
            // Motions alone do the work of bristles, whose force need not grow evenly over the step.
            input_work -= friction_taken;
        }
        let rate = |u: usize| self.work.velocity[u];
        let damped = system.damped(self.at.flow.factor);
        let damping_work = damped.map_or(0.0, |damped| damped.work(state, &self.at, rate, alpha))
            + springs.damping_work;
        let moment = |j: usize| self.at.sliders[j].multipliers[2];
        let setting = |i: usize| self.at.springs[i].setting;
        let elastic = system.groups.energy(&self.at.q);
        let strain = elastic
            + system.energy().strain_of_contacts(&self.at.q, moment, &self.at.points)
            + system.springs.energy(&self.at.q, setting);
        let gravity = system.loads.gravity.at(|i| state.signals[i].at(end.elapsed)[0]);
        let potential = system.loads.gravity.potential_at(gravity, |u| self.at.q[u]);
        let kinetic = state.energy.kinetic + inertia.gained;
        let left: f64 = state.energy.mechanical + input_work
            - damping_work
            - friction_work
            - (kinetic + strain + potential);
        // Implicit Euler takes energy where the potential is convex. What else it would give stays open in the balance.
        let taken = match (alpha, dynamic) {
            (true, true) => {
                let stored = elastic - state.energy.elastic;
                let elastic = self.elastic_work(state) - stored;
                inertia.taken + elastic + in_joints + friction_taken + faces
            }
            (true, false) => 0.0,
            (false, _) => (left - faces).max(0.0) + faces,
        };
        // What jams stops at once, as in an impact.
        let [numerical_dissipation, impact_loss] = match self.holds {
            Holds::Step { jammed: true, .. } => [0.0, taken],
            _ => [taken, 0.0],
        };
        let mut balance = state.energy;
        balance.input_work += input_work;
        balance.damping_work += damping_work;
        balance.numerical_dissipation += numerical_dissipation;
        balance.impact_loss += impact_loss;
        (balance.kinetic, balance.elastic) = (kinetic, elastic);
        balance.mechanical = kinetic + strain + potential;
        let traffic = balance.traffic(state.friction_work() + friction_work);
        let energies = [traffic, kinetic, strain.abs()];
        balance.largest = energies.into_iter().fold(balance.largest, f64::max);
        Entries {
            balance,
            potential,
            unexplained: left - numerical_dissipation - impact_loss,
            in_joints,
            made_by_faces: (-faces).max(0.0),
        }
    }

    /// Work that members and bodies take over the step from `state` by the trapezoidal rule, ½ Δqᵀ (f₀ + f₁), J. What is more than their strain energy
    /// has grown by has gone with the time integration: nothing where f is linear.
    pub(super) fn elastic_work(&self, state: &State) -> f64 {
        let forces = state.elastic.iter().zip(&self.work.elastic).enumerate();
        let twice: f64 =
            forces.map(|(u, (before, last))| (before + last) * self.at.q.way(u, &state.q)).sum();
        0.5 * twice
    }

    /// Work of the friction of slider `j` over the step from `state`, J.
    pub(crate) fn friction_work(&self, system: &System, state: &State, j: usize) -> f64 {
        let slider = &system.sliders[j];
        let found = &self.work.sliders[j];
        if slider.friction.remembers {
            return found.work;
        }
        let slid = self.at.q.way(slider.coordinate, &state.q);
        let ends = [state.sliders[j].friction, found.state.friction];
        let mean =
            if self.scheme == Scheme::Alpha { mean_friction(ends, slid, ends) } else { ends[1] };
        // These laws do not let it slide against their force: where it does, that is what the solution of the step leaves.
        if slider.cuts || slider.creeps { (mean * slid).max(0.0) } else { mean * slid }
    }

    /// Work of the friction of point `i` of a contact over the step from `state`, J.
    pub(super) fn contact_friction_work(&self, system: &System, state: &State, i: usize) -> f64 {
        let (found, before) = (&self.work.points[i], &state.points[i]);
        match self.scheme {
            Scheme::Alpha => found.work(before, &system.surfaces, i),
            Scheme::Euler | Scheme::Complementary => found.work_at_end(before, &system.surfaces, i),
        }
    }

    /// Energy of rounding errors δ of the positions, J: the larger of F δ, the work on δ of the largest acting force in the
    /// last step, and of max k δ² over the unknowns, k their entries on the diagonal of its tangent.
    ///
    /// No energy is known better: weights, loads and stresses do work on heights and lengths that are rounded, and where
    /// they hold each other up nothing of the works is left but that.
    pub fn noise(&self, system: &System) -> f64 {
        let force = self.work.force_scale;
        let factor = self.mass_factor(system);
        let compliance = factor.and_then(|_| system.compliance(&self.at, factor));
        let regularisation =
            compliance.map_or(0.0, |e| system.sliders.energy_of_regularisation(&self.at, e, force));
        (force * POSITION_ROUNDING * system.size)
            .max(self.energy_of(system, POSITION_ROUNDING))
            .max(regularisation)
    }

    /// ∂q̈/∂q of the last step, 1/s²; `None` in a quasi-static analysis, which has no inertia.
    fn mass_factor(&self, system: &System) -> MassFactor {
        (system.is_dynamic()).then(|| self.motion.stage.mass_factor())
    }

    /// Energy below which a balance says nothing, J: [`Stepper::noise`], and that of what positions are solved to.
    pub fn unsolved(&self, system: &System) -> f64 {
        let solved = self.energy_of(system, system.model.solver.position_tolerance);
        self.noise(system).max(solved)
    }

    /// max (k + m ∂q̈/∂q) δ² of `errors` δ of the positions relative to the mechanism's size, J.
    fn energy_of(&self, system: &System, errors: f64) -> f64 {
        let inertia = self.mass_factor(system).unwrap_or(0.0);
        let unknowns = system.unknown.iter().zip(&self.work.stiffness);
        unknowns.enumerate().fold(0.0, |most: f64, (e, (&u, k))| {
            let mass = system.mass.of_entry(system.layout.diagonal(e));
            most.max((k + inertia * mass) * (errors * system.scale(u)).powi(2))
        })
    }

    /// Work of loads and imposed motions over the step by the trapezoidal rule, J; of motions in an implicit Euler step by
    /// the forces of its end.
    pub(crate) fn input_work(&self, system: &System, state: &State, end: Instant) -> f64 {
        let mean = |u: usize| match self.scheme {
            Scheme::Alpha => 0.5 * (state.reactions[u] + self.work.residual[u]),
            Scheme::Euler | Scheme::Complementary => self.work.residual[u],
        };
        system.work().input(state, &self.at, mean, end)
    }

    /// Sliders whose friction the mechanism feels: all of them, in a quasi-static analysis those with bristles.
    fn felt<'a>(&'a self, system: &'a System) -> impl Iterator<Item = usize> + 'a {
        let sliders = system.sliders.iter().enumerate();
        let dynamic = system.is_dynamic();
        sliders.filter(move |(_, slider)| dynamic || slider.friction.remembers).map(|(j, _)| j)
    }

    /// Work of the friction of sliders over the step from `state` as the mechanism feels it, by the trapezoidal rule, J.
    fn felt_friction(&self, system: &System, state: &State) -> f64 {
        let each = self.felt(system).map(|j| {
            let ends = state.sliders[j].friction + self.work.sliders[j].state.friction;
            0.5 * ends * self.at.q.way(system.sliders[j].coordinate, &state.q)
        });
        each.sum()
    }

    /// What the time integration takes of the friction of sliders and points in the step from `state` to the iterate, J: what the mechanism feels of it
    /// by the trapezoidal rule without the work that its law takes. Beside bristles that is what drives a slider that has turned back.
    fn friction_dissipation(&self, system: &System, state: &State) -> f64 {
        let taken: f64 = self.felt(system).map(|j| self.friction_work(system, state, j)).sum();
        let points = (0..system.surfaces.points.len()).map(|i| {
            let (before, found) = (&state.points[i], &self.work.points[i]);
            let slid = found.memory.s - before.s;
            0.5 * (before.friction + found.memory.friction) * slid
                - found.work(before, &system.surfaces, i)
        });
        self.felt_friction(system, state) - taken + points.sum::<f64>()
    }
}
