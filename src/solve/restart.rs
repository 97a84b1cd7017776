//! Generalized-α as it begins anew after an event.
//!
//! In steps of equal length h its accelerations a lag behind q̈, and the velocities of what joints hold are off theirs so that the
//! positions are those that the joints ask for,
//!
//! ```text
//! a = q̈ − δ h j,    v = q̇ + κ h² j,    δ = γ − ½,    κ = 1/6 + δ/2 − β
//! ```
//!
//! with the jerk j. A method that begins with q̈ and q̇ instead has joint forces that swing about theirs by a share of h M j and lose a
//! share of ρ∞ of that per step (for starts Arnold, Brüls & Cardona 2015). So velocities and accelerations after an event get what they lack.
//! j is that of the joints: with constant accelerations they would open by −h³/6 C j, and closing them moves S = M + K h² least.

use super::alpha::Weights;
use super::stepper::{Rest, Stepper};
use crate::system::{State, System};

impl Stepper {
    /// Generalized-α begins anew at `state`, with q̈ and q̇.
    pub(super) fn begin_anew(&mut self, system: &System, state: &mut State) {
        if let Some(paced) = self.paced {
            self.lead(system, state, paced, 0.0);
        }
        self.paced = Some(0.0);
    }

    /// Gives `state` the a and v of steps of length `h`, where the method has begun anew in the present step; `rest` is left of it.
    pub(super) fn pace(&mut self, system: &System, state: &mut State, rest: Rest, h: f64) {
        let Some(paced) = self.paced else {
            return;
        };
        if paced == 0.0 {
            self.find_jerk(system, state, rest);
        }
        self.lead(system, state, paced, h);
        self.paced = Some(h);
    }

    /// Turns the a and v of steps of length `from` into those of steps of length `to`.
    fn lead(&self, system: &System, state: &mut State, from: f64, to: f64) {
        let Weights { beta, gamma, .. } = self.alpha;
        let lag = gamma - 0.5;
        let ahead = 1.0 / 6.0 + 0.5 * lag - beta;
        let before = system.kinetic_energy(state);
        for (u, j) in self.jerk.iter().enumerate() {
            state.algorithmic[u] -= lag * (to - from) * j;
            state.velocity[u] += ahead * (to * to - from * from) * j;
        }
        state.energy.numerical_dissipation += before - system.kinetic_energy(state);
    }

    /// Finds j over the length of the present step.
    fn find_jerk(&mut self, system: &System, state: &State, rest: Rest) {
        let h = self.length;
        let mut jerk = std::mem::take(&mut self.jerk);
        jerk.fill(0.0);
        if let Ok((x, y)) = self.close_ahead(system, state, h, rest.until(h)) {
            let scale = 6.0 / (h * h * h);
            for (dq, &u) in x.iter().zip(&system.unknown) {
                jerk[u] = scale * dq;
            }
            for slider in &system.sliders {
                jerk[slider.coordinate] = scale * y[slider.border];
            }
        }
        self.jerk = jerk;
    }
}
