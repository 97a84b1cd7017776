//! Generalized-α as it begins, at the start and after an event.
//!
//! In steps of equal length h its accelerations a lag behind q̈, and the velocities of what joints hold are off theirs so that the
//! positions are those that the joints ask for,
//!
//! ```text
//! a = q̈ − δ h j,    v = q̇ + κ h² j,    δ = γ − ½,    κ = 1/6 + δ/2 − β
//! ```
//!
//! with the jerk j. A method that begins with q̈ and q̇ instead has joint forces that swing about theirs by a share of h M j and lose a
//! share of ρ∞ of that per step (for starts Arnold, Brüls & Cardona 2015). So velocities and accelerations get what they lack.
//! j is that of the joints: with constant accelerations they would open by −h³/6 C j, and closing them moves S = M + K h² least.

use super::alpha::Weights;
use super::stepper::{Rest, Stepper};
use crate::model::checked::Analysis;
use crate::system::{Instant, State, System};

/// Share of the velocity and its change in a step up to which a jerk is one: what moves farther in a step has more than three
/// derivatives in it.
const RESOLVED: f64 = 0.1;

/// Roundings of a place below which what closes a joint is rounding.
const ROUNDINGS: f64 = 64.0;

impl State {
    /// Whether it is a start, whose q̇ and q̈ belong to no length of a step.
    fn is_fresh(&self) -> bool {
        self.counters.steps == 0
    }
}

impl Stepper {
    /// Finds the jerk of a start, from which the first substep has the length `h` and begins at `time`: before inputs leap, as a
    /// derivative of the step by them takes it for given.
    pub(super) fn find_start(&mut self, system: &System, state: &State, time: f64, h: f64) {
        if system.model.solver.analysis == Analysis::Dynamic && state.is_fresh() {
            self.length = h;
            let end = Instant {
                time: time + h,
                elapsed: h,
                elapsed_before: 0.0,
            };
            self.find_jerk(system, state, Rest { length: h, end });
            self.start_jerk.copy_from_slice(&self.jerk);
        }
    }

    /// Gives `state`, where it is a start, the a and v of steps of the present length.
    pub(super) fn pace_start(&mut self, system: &System, state: &mut State) {
        self.paced = None;
        if system.model.solver.analysis == Analysis::Dynamic && state.is_fresh() {
            self.keep_begin(state);
            self.jerk.copy_from_slice(&self.start_jerk);
            self.lead(system, state, 0.0, self.length);
            self.paced = Some(self.length);
        }
    }

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
        if !self.resolves(system, state, &jerk) {
            jerk.fill(0.0);
        }
        self.jerk = jerk;
    }

    /// Whether the step is short enough for a jerk, and long enough for its way to be more than rounding.
    fn resolves(&mut self, system: &System, state: &State, jerk: &[f64]) -> bool {
        let h = self.length;
        let farthest = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if h * h * h * farthest(jerk) <= ROUNDINGS * f64::EPSILON * farthest(&state.q) {
            return false;
        }
        let forces = &mut self.work.inertia_forces;
        let [jerks, accelerations, velocities] =
            [jerk, &state.acceleration, &state.velocity].map(|of| {
                system.inertia_forces(of, forces);
                let both = forces.iter().zip(of);
                both.map(|(force, of)| force * of).sum::<f64>().abs().sqrt()
            });
        h * h * jerks <= RESOLVED * (velocities + h * accelerations)
    }
}
