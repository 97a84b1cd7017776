//! Energies of a state.

use fearless_simd::dispatch;

use super::numbers::Numbers;
use super::{Group, State, System};
use crate::checked::Analysis;
use crate::joints::slider::Kinematics;
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
    pub(crate) fn mechanical<N: Numbers<State>>(&self, state: &N) -> N::Number {
        self.kinetic(state) + self.strain(state) + self.gravity.potential(state)
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
        let sum = self.surfaces.stored_across(q, points);
        let given = self.giving_way(q, moment);
        let given = given.map(|(_, k)| k.turn_energy());
        sum + given.sum::<f64>()
    }

    /// Sliders under whose moments their paths give way beyond what their elements do.
    fn giving_way(
        &self, q: &Positions, moment: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = (usize, Kinematics)> {
        let moments = (self.sliders.iter().enumerate())
            .filter(move |(j, slider)| slider.unknowns.len() == 3 && moment(*j) != 0.0);
        (moments.map(|(j, _)| (j, self.kinematics(j, q, None))))
            .filter(|(_, k)| k.flexibility[0] > 0.0)
    }

    /// Change of [`System::strain_at`] by the change `by` of a state.
    fn strain_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = self.surfaces.stored_change(state, by);
        for Group { elements, .. } in &self.groups {
            elements.forces(&state.q, |found| sum += found.work(&by.q));
        }
        // Of ½ c₃²/f. The moment λ₃ of a short step behind an event is none of the place.
        let moments = |j: usize| state.multipliers[j][2];
        let given = self.giving_way(&state.q, moments);
        sum + given.map(|(j, k)| self.turn_energy_change(j, &k, &by.q)).sum::<f64>()
    }

    /// Change of what the path of slider `j`, which gives way to its moment, stores of it, by the change `by` of the unknowns, J.
    pub(super) fn turn_energy_change(&self, j: usize, k: &Kinematics, by: &[f64]) -> f64 {
        let (slider, moment) = (&self.sliders[j], k.gap[2] / k.flexibility[0]);
        let [.., turned] = k.gap_of(&slider.path, by, &slider.unknowns);
        let slope = k.spin[0] + 0.5 * k.flexibility[1] * moment;
        moment * (turned - slope * by[slider.coordinate])
    }
}
