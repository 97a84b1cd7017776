//! What a step enters into the energy balance.

use fearless_simd::dispatch;

use super::integrator::{Contents, Integrator};
use super::scheme::Scheme;
use super::stepper::Stepper;
use crate::newton::{Newton, POSITION_ROUNDING};
use crate::numerics::lanes::level;
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
    /// What faces that do not yield have made of nothing.
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

/// Works over a solved part of a step.
pub(super) struct Works<'a> {
    pub system: &'a System,
    /// The state at its beginning.
    pub before: &'a State,
    /// The solution at its end.
    pub newton: &'a Newton,
    /// Whether the step is one of generalized-α or of several stages; otherwise it is one of implicit Euler.
    pub alpha: bool,
}

impl Works<'_> {
    /// Work that members and bodies take by the trapezoidal rule, ½ Δqᵀ (f₀ + f₁), J. What is more than their strain energy
    /// has grown by has gone with the time integration: nothing where f is linear.
    pub fn of_strain(&self) -> f64 {
        let mut twice = 0.0;
        dispatch!(level(), _ => {
            let forces = self.before.elastic.iter().zip(&self.newton.work.elastic);
            let ways = self.newton.at.q.ways(0..self.before.elastic.len(), &self.before.q);
            twice = forces.zip(ways).map(|((before, last), way)| (before + last) * way).sum();
        });
        0.5 * twice
    }

    /// How far unknown `u` moves, m or rad.
    fn way(&self, u: usize) -> f64 {
        self.newton.at.q.way(u, &self.before.q)
    }

    /// Work of the friction of slider `j`, J.
    pub fn of_friction(&self, j: usize) -> f64 {
        let slider = &self.system.sliders[j];
        let found = &self.newton.work.sliders[j];
        if slider.friction.remembers {
            return found.work;
        }
        let slid = self.way(slider.coordinate);
        let ends = [self.before.sliders[j].friction, found.state.friction];
        let mean = if self.alpha { mean_friction(ends, slid, ends) } else { ends[1] };
        // These laws do not let it slide against their force: where it does, that is what the solution of the step leaves.
        if slider.cuts || slider.creeps { (mean * slid).max(0.0) } else { mean * slid }
    }

    /// Work of the friction of point `i` of a contact, J.
    pub fn of_contact_friction(&self, i: usize) -> f64 {
        let (found, before) = (&self.newton.work.points[i], &self.before.points[i]);
        match self.alpha {
            true => found.work(before, &self.system.surfaces, i),
            false => found.work_at_end(before, &self.system.surfaces, i),
        }
    }

    /// Work of loads and imposed motions up to `end` by the trapezoidal rule, J; of motions in an implicit Euler step by
    /// the forces of its end.
    pub fn of_inputs(&self, end: Instant) -> f64 {
        let residual = &self.newton.work.residual;
        let mean = |u: usize| match self.alpha {
            true => 0.5 * (self.before.reactions[u] + residual[u]),
            false => residual[u],
        };
        self.system.work().input(self.before, &self.newton.at, mean, end)
    }

    /// Sliders whose friction acts on the mechanism: all of them, in a quasi-static analysis those with bristles.
    fn acting(&self) -> impl Iterator<Item = usize> {
        let sliders = self.system.sliders.iter().enumerate();
        let dynamic = self.system.is_dynamic();
        sliders.filter(move |(_, slider)| dynamic || slider.friction.remembers).map(|(j, _)| j)
    }

    /// Work of the friction of sliders as it acts on the mechanism, by the trapezoidal rule, J.
    fn of_acting_friction(&self) -> f64 {
        let each = self.acting().map(|j| {
            let found = self.newton.work.sliders[j].state.friction;
            let ends = self.before.sliders[j].friction + found;
            0.5 * ends * self.way(self.system.sliders[j].coordinate)
        });
        each.sum()
    }

    /// What the time integration takes of the friction of sliders and points, J: what acts of it on the mechanism
    /// by the trapezoidal rule without the work that its law takes. Beside bristles that is what drives a slider that has turned back.
    fn friction_dissipation(&self) -> f64 {
        let taken: f64 = self.acting().map(|j| self.of_friction(j)).sum();
        let points = (0..self.system.surfaces.points.len()).map(|i| {
            let (before, found) = (&self.before.points[i], &self.newton.work.points[i]);
            let slid = found.memory.s - before.s;
            0.5 * (before.friction + found.memory.friction) * slid
                - found.work(before, &self.system.surfaces, i)
        });
        self.of_acting_friction() - taken + points.sum::<f64>()
    }
}

impl Integrator {
    /// What the solved step from `state` enters into the balance.
    pub(super) fn entries(&mut self, system: &System, state: &State, end: Instant) -> Entries {
        let (alpha, dynamic) = (self.scheme == Scheme::Alpha, system.is_dynamic());
        let Newton { at, work, .. } = &mut self.newton;
        let faces = system.surfaces.taken_by_faces(state, at, work, alpha);
        let passage = (state, &at.q, &self.end);
        let ends = if alpha { MEAN } else { AT_END };
        let room = &mut work.inertia;
        let inertia = room.work(system, at.step, ends, passage, passage, &at.driven);
        let works = self.works(system, state);
        let Newton { at, work, .. } = &self.newton;
        let springs = 0..system.springs.list.len();
        let springs = springs.map(|i| system.springs.work(i, state, at, &work.springs[i], end));
        let springs = springs.fold(SpringWork::none(), SpringWork::plus);
        let points = (0..system.surfaces.points.len()).map(|i| works.of_contact_friction(i));
        let sliders = (0..system.sliders.len()).map(|j| works.of_friction(j));
        let friction_work = sliders.chain(points).sum::<f64>() + springs.friction_work;
        let in_joints = match alpha && dynamic {
            true => system.work().of_joints(state, at, work) - works.of_acting_friction(),
            false => 0.0,
        };
        let friction_taken = works.friction_dissipation() + springs.numerical;
        let mut input_work = works.of_inputs(end) + inertia.driven;
        if !dynamic && system.independent_motions(at) == 0 {
            // Motions alone do the work of bristles, whose force need not grow evenly over the step.
            input_work -= friction_taken;
        }
        let rate = |u: usize| work.velocity[u];
        let damped = system.damped(at.flow.factor);
        let damping_work =
            damped.map_or(0.0, |damped| damped.work(state, at, rate, alpha)) + springs.damping_work;
        let moment = |j: usize| at.sliders[j].multipliers[2];
        let setting = |i: usize| at.springs[i].setting;
        let elastic = system.groups.energy(&at.q);
        let strain = elastic
            + system.energy().strain_of_contacts(&at.q, moment, &at.points)
            + system.springs.energy(&at.q, setting);
        let gravity = system.loads.gravity.at(|i| state.signals[i].at(end.elapsed)[0]);
        let potential = system.loads.gravity.potential_at(gravity, |u| at.q[u]);
        let kinetic = state.energy.kinetic + inertia.gained;
        let left: f64 = state.energy.mechanical + input_work
            - damping_work
            - friction_work
            - (kinetic + strain + potential);
        // Implicit Euler takes energy where the potential is convex. What else it would give stays open in the balance.
        let taken = match (alpha, dynamic) {
            (true, true) => {
                let stored = elastic - state.energy.elastic;
                let elastic = works.of_strain() - stored;
                inertia.taken + elastic + in_joints + friction_taken + faces
            }
            (true, false) => 0.0,
            (false, _) => (left - faces).max(0.0) + faces,
        };
        // What jams stops at once, as in an impact.
        let [numerical_dissipation, impact_loss] = match self.contents {
            Contents::Step { jammed: true, .. } => [0.0, taken],
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

    /// ∂q̈/∂q of the last stage, 1/s²; `None` in a quasi-static analysis, which has no inertia.
    pub(super) fn mass_factor(&self, system: &System) -> MassFactor {
        system.is_dynamic().then(|| self.motion.stage.mass_factor())
    }

    /// Works of the solved step from `state`.
    pub(super) fn works<'a>(&'a self, system: &'a System, state: &'a State) -> Works<'a> {
        Works { system, before: state, newton: &self.newton, alpha: self.scheme == Scheme::Alpha }
    }
}

impl Newton {
    /// Energy of rounding errors δ of the positions, J: the larger of F δ, the work on δ of the largest acting force in the
    /// last step, and of max k δ² over the unknowns, k their entries on the diagonal of its tangent. `mass_factor` is ∂q̈/∂q, 1/s².
    ///
    /// No energy is known better: weights, loads and stresses do work on heights and lengths that are rounded, and where
    /// they are in equilibrium nothing of the works is left but that.
    pub(super) fn energy_of_rounding(&self, system: &System, mass_factor: MassFactor) -> f64 {
        let force = self.work.force_scale;
        let compliance = mass_factor.and_then(|_| system.compliance(&self.at, mass_factor));
        let regularisation =
            compliance.map_or(0.0, |e| system.sliders.energy_of_regularisation(&self.at, e, force));
        (force * POSITION_ROUNDING * system.size)
            .max(self.energy_of_errors(system, mass_factor, POSITION_ROUNDING))
            .max(regularisation)
    }

    /// Energy below which a balance says nothing, J: that of rounding, and that of what positions are solved to.
    pub(super) fn energy_of_tolerance(&self, system: &System, mass_factor: MassFactor) -> f64 {
        let tolerance = system.model.solver.position_tolerance;
        let solved = self.energy_of_errors(system, mass_factor, tolerance);
        self.energy_of_rounding(system, mass_factor).max(solved)
    }

    /// max (k + m ∂q̈/∂q) δ² of `errors` δ of the positions relative to the mechanism's size, J.
    fn energy_of_errors(&self, system: &System, mass_factor: MassFactor, errors: f64) -> f64 {
        let inertia = mass_factor.unwrap_or(0.0);
        let unknowns = system.unknown.iter().zip(&self.work.stiffness);
        unknowns.enumerate().fold(0.0, |most: f64, (e, (&u, k))| {
            let mass = system.mass.of_entry(system.layout.diagonal(e));
            most.max((k + inertia * mass) * (errors * system.scale(u)).powi(2))
        })
    }
}

impl Stepper {
    /// Energy of rounding errors of the positions in the last step, J.
    pub fn energy_of_rounding(&self, system: &System) -> f64 {
        let mass_factor = self.integrator.mass_factor(system);
        self.integrator.newton.energy_of_rounding(system, mass_factor)
    }

    /// Energy below which the balance of the last step says nothing, J: that of rounding, and that of what positions are solved to.
    pub fn energy_of_tolerance(&self, system: &System) -> f64 {
        let mass_factor = self.integrator.mass_factor(system);
        self.integrator.newton.energy_of_tolerance(system, mass_factor)
    }
}
