//! Joint forces of a configuration at rest, which give the modes their geometric stiffness.
//!
//! The forces of a state depend on its velocities, and on the step length where velocities have just jumped. Those of the
//! same configuration at rest do not. They are on the level of accelerations,
//!
//! ```text
//! M a + Gᵀ λ = f(q),    G a = 0
//! ```
//!
//! Friction is a dead load: what sticks is fixed, and what slides keeps its tangential force. Unknowns without mass follow
//! statically, which needs the tangent K beside a mass that is much larger: δ = a/μ with the matrix K + μM.

use crate::newton::Newton;
use crate::system::{Along, State, System};

/// μ relative to ω² of the fastest unknown on its own: the share of λ that a round leaves undone is its inverse.
const STIFFER: f64 = 1e4;

/// What they leave undone is below rounding.
const ROUNDS: usize = 4;

impl Newton {
    /// Puts the joint forces at rest into the iterate, in which `state` has been loaded. Where joints are redundant, those of
    /// the state stay.
    pub(super) fn find_forces_at_rest(&mut self, system: &System, state: &State) {
        for (slider, kept) in self.at.sliders.iter_mut().zip(&state.sliders) {
            let sticks = kept.regime.sticks() || slider.along == Along::Stick;
            slider.along = if sticks { Along::Stick } else { Along::Free };
        }
        let factor = STIFFER * self.fastest_alone(system);
        system.residual_and_tangent(&self.at, &mut self.work, Some(factor));
        self.work.matrix.take_beside();
        if self.work.matrix.factor().is_err() {
            return;
        }
        for _ in 0..ROUNDS {
            (self.corrections).load_nodal(system, &self.at, &self.work.residual);
            let (x, y) = self.corrections.room();
            y.fill(0.0);
            self.work.matrix.solve_factored(x, y);
            for (x, &u) in x.iter().zip(&system.unknown) {
                self.at.acceleration[u] += factor * x;
            }
            self.at.add_forces(system, 1.0, y);
            system.residual(&self.at, &mut self.work);
        }
        self.at.acceleration.fill(0.0);
    }

    /// The largest ω² of an unknown whose neighbours are fixed, 1/s²; 1 where nothing is elastic.
    fn fastest_alone(&mut self, system: &System) -> f64 {
        system.residual_and_tangent(&self.at, &mut self.work, None);
        let squares = system.unknown.iter().zip(&self.work.stiffness).map(|(&u, k)| {
            let mass = system.mass.diagonal(u);
            if mass > 0.0 { k / mass } else { 0.0 }
        });
        let fastest = squares.fold(0.0, f64::max);
        if fastest > 0.0 { fastest } else { 1.0 }
    }
}
