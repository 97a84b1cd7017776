//! Energies of a state.

use super::numbers::Numbers;
use super::{
    ElementGroups, Gravity, Group, Mass, SliderJoints, Springs, State, SurfaceContacts, System,
};
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

/// The energies of a mechanism.
#[derive(Clone, Copy)]
pub(crate) struct Energy<'a> {
    groups: &'a ElementGroups,
    /// None where inertia does not count.
    mass: Option<&'a Mass>,
    springs: &'a Springs,
    surfaces: &'a SurfaceContacts,
    sliders: &'a SliderJoints,
    gravity: &'a Gravity,
}

impl System {
    /// Its energies.
    pub(crate) fn energy(&self) -> Energy<'_> {
        let System { groups, springs, surfaces, sliders, loads, .. } = self;
        let mass = self.is_dynamic().then_some(&self.mass);
        Energy { groups, mass, springs, surfaces, sliders, gravity: &loads.gravity }
    }
}

impl Energy<'_> {
    /// How well the energy balance of `state` closes.
    pub fn error(&self, state: &State) -> EnergyError {
        let (kinetic, strain) = (self.kinetic(state), self.strain(state));
        let potential = self.gravity.potential(state);
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
    pub fn mechanical<N: Numbers<State>>(&self, state: &N) -> N::Number {
        self.kinetic(state) + self.strain(state) + self.gravity.potential(state)
    }

    /// ½ q̇ᵀ M q̇, J; none where inertia does not count.
    pub fn kinetic<N: Numbers<State>>(&self, state: &N) -> N::Number {
        self.mass.map_or_else(|| N::Number::from(0.0), |mass| mass.energy(state))
    }

    /// Strain energy of elements, contact layers, paths and springs, J.
    pub fn strain<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let now = state.now();
        let energy = self.strain_at(&now.q, |j| now.multipliers[j][2], &now.points);
        state.with(energy, |by| self.strain_change(now, by)) + self.springs.stored(state)
    }

    /// Strain energy at the positions `q` with the `moment` λ₃ of each slider, J, of `points` of contacts that remember this.
    pub fn strain_at(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        self.groups.energy(q) + self.strain_of_contacts(q, moment, points)
    }

    /// The rest of [`Energy::strain_at`]: that of contact layers, and of paths that yield to moments beyond what their elements do.
    pub fn strain_of_contacts(
        &self, q: &Positions, moment: impl Fn(usize) -> f64, points: &[PointMemory],
    ) -> f64 {
        self.surfaces.stored_across(q, points) + self.sliders.stored(q, moment)
    }

    /// Change of [`Energy::strain_at`] by the change `by` of a state.
    fn strain_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = self.surfaces.stored_change(state, by);
        for Group { elements, .. } in self.groups.iter() {
            elements.forces(&state.q, |found| sum += found.work(&by.q));
        }
        sum + self.sliders.stored_change(state, by)
    }

    /// Gives `state`, whose nodes have been moved, its energies and the forces of its members and bodies.
    pub fn renew_all(&self, state: &mut State) {
        self.groups.forces(&state.q, &mut state.elastic);
        state.energy.elastic = self.groups.energy(&state.q);
        self.renew(state);
    }

    /// Gives `state` its kinetic and mechanical energy, where an event has changed them.
    pub fn renew(&self, state: &mut State) {
        state.energy.kinetic = self.kinetic(state);
        state.energy.mechanical = self.mechanical(state);
    }
}
