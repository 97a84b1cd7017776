//! Contact layers that are struck within a step: there generalized-α gives energy, and implicit Euler takes it.
//!
//! What the time integration takes is known ([`System::inertia_work`]) and exact for what is linear. What is left of the balance of a step,
//!
//! ```text
//! ΔE = W_in − W_damping − W_friction − Δ max(W_numerical, 0) − Δ(T + U + V)
//! ```
//!
//! is its error in large motions, of third order in its length. It divides no step, but for one that is wrong altogether.

use super::energy::Entries;
use super::newton::Failure;
use super::scheme::Scheme;
use super::stepper::{Rejected, Stepper};
use crate::model::checked::Analysis;
use crate::system::{State, System};

/// ϑ, the error of the balance as a share of the largest energy, where the model states none.
const TOLERANCE: f64 = 1e-3;

/// Share of the tolerance that a step may use of what is left of it, and the least that is taken for left.
const SHARE: f64 = 0.1;
const LEAST: f64 = 0.01;

/// Share of the largest energy that a step may not leave unexplained: no length of a step has a solution where friction finds no force
/// (Painlevé's paradox), and what Newton's method finds there is none.
const WRONG: f64 = 0.03;

/// Roundings of the largest term of the balance that its terms gather.
const ROUNDINGS: f64 = 1e6;

impl Stepper {
    /// Asks for another scheme for the solved step from `state`, in which contact layers are struck, and refuses one whose energy says that it is no
    /// solution.
    pub(super) fn check_energy(
        &mut self,
        system: &System,
        state: &State,
        entries: &Entries,
    ) -> Result<(), Rejected> {
        let solver = &system.model.solver;
        let balance = entries.balance(state);
        if solver.analysis == Analysis::QuasiStatic || balance.largest == 0.0 {
            return Ok(());
        }
        let struck = self.scheme == Scheme::Alpha && system.has_layers_alone();
        if !struck && !system.sliders.iter().any(|slider| slider.friction.rubs) {
            return Ok(());
        }
        let wrong = WRONG * balance.largest;
        let most = solver.energy_tolerance.unwrap_or(TOLERANCE) * balance.largest;
        let left = most - state.astray(state.energy.mechanical).abs();
        let allowed = match struck {
            true => SHARE * left.max(LEAST * most),
            false => wrong,
        };
        let astray = match struck {
            true => (entries.astray(state, &balance).abs()).max(entries.made_by_faces),
            false => entries.unexplained.abs(),
        };
        if astray <= allowed {
            return Ok(());
        }
        let unsolved = solver.position_tolerance * system.size * self.work.force_scale;
        let rounding = ROUNDINGS * entries.rounding(&balance);
        let noise = unsolved.max(rounding).max(self.noise(system));
        if astray <= noise {
            return Ok(());
        }
        if struck {
            return Err(Rejected::Struck);
        }
        Err(Rejected::Retry(Failure::Energy {
            unexplained: entries.unexplained,
            largest: balance.largest,
        }))
    }
}

impl System {
    fn has_layers_alone(&self) -> bool {
        !self.contacts.is_empty() && !self.has_events()
    }
}
