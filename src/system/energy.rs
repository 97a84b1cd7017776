//! Energies of a state.

use fearless_simd::dispatch;

use super::numbers::Numbers;
use super::{Group, State, System};
use crate::checked::Analysis;
use crate::numerics::lanes::level;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::PointMemory;

/// How well the energy balance of a state closes, J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct EnergyError {
    /// What nothing explains: above 0 what has disappeared.
    pub error: f64,
    /// The part of it that the time integration has made.
    pub made: f64,
    /// The largest so far of the kinetic and the strain energy and of what came and went.
    pub largest: f64,
    /// What the time integration has taken.
    pub dissipation: f64,
    /// Rounding of its largest term.
    pub rounding: f64,
}

impl System {
    /// How well the energy balance of `state` closes.
    pub(crate) fn energy_error(&self, state: &State) -> EnergyError {
        let (kinetic, strain) = (self.kinetic(state), self.strain(state));
        let potential = self.loads.gravity.potential(state);
        let balance = &state.energy;
        let traffic = balance.traffic(state.friction_work());
        let largest = traffic.max(kinetic).max(strain.abs());
        EnergyError {
            error: state.energy_error(kinetic + strain + potential),
            made: balance.made(),
            largest: largest.max(balance.largest),
            dissipation: balance.numerical_dissipation,
            rounding: f64::EPSILON * largest.max(potential.abs()).max(balance.start.abs()),
        }
    }

    /// Kinetic + strain + potential energy, J.
    pub(crate) fn mechanical<N: Numbers<State>>(&self, state: &N) -> N::Number {
        self.kinetic(state) + self.strain(state) + self.loads.gravity.potential(state)
    }

    /// ½ q̇ᵀ M q̇, J; none where inertia does not count.
    pub(crate) fn kinetic<N: Numbers<State>>(&self, state: &N) -> N::Number {
        if self.model.solver.analysis == Analysis::QuasiStatic {
            return N::Number::from(0.0);
        }
        let velocity = |u: usize| state.get(|s| s.velocity[u]);
        let mut doubled = N::Number::from(0.0);
        dispatch!(level(), _ => {
            self.mass.product(N::Number::from(0.0), velocity, |u, momentum| {
                doubled += velocity(u) * momentum;
            });
        });
        doubled * 0.5
    }

    /// Strain energy of elements, contact layers, paths and springs, J.
    pub(super) fn strain<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let now = state.now();
        let energy = self.strain_at(&now.q, |j| now.multipliers[j][2], &now.points);
        state.with(energy, |by| self.strain_change(now, by)) + self.springs.stored(state)
    }

    /// Strain energy at the positions `q` with the `moment` λ₃ of each slider, J, of `points` of contacts that remember this.
    pub(crate) fn strain_at(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        self.elastic_energy(q) + self.strain_of_contacts(q, moment, points)
    }

    /// The rest of [`System::strain_at`]: that of contact layers, and of paths that give way to moments beyond what their elements do.
    pub(crate) fn strain_of_contacts(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        self.surfaces.stored_across(q, points) + self.sliders.stored(q, moment)
    }

    /// Change of [`System::strain_at`] by the change `by` of a state.
    fn strain_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = self.surfaces.stored_change(state, by);
        for Group { elements, .. } in &self.groups {
            elements.forces(&state.q, |found| sum += found.work(&by.q));
        }
        sum + self.sliders.stored_change(state, by)
    }
}
