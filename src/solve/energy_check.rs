//! Steps that the energy balance refuses. Where a contact layer is met and left within a step, generalized-α gains energy and implicit Euler
//! dissipates it.
//!
//! What the time integration takes is known ([`System::inertia_work`]) and exact for what is linear. What is left of the balance of a step,
//!
//! ```text
//! ΔE = W_in − W_damping − W_friction − Δ max(W_numerical, 0) − Δ(T + U + V)
//! ```
//!
//! is its error in large motions, of third order in its length. It divides no step, but for one that is wrong altogether.

use super::energy::Entries;
use super::integrator::Integrator;
use super::scheme::Scheme;
use super::stepper::Rejected;
use super::tolerances::{
    ENERGY_ROUNDINGS, ENERGY_SHARE, ENERGY_TOLERANCE, ENERGY_WRONG, LEAST_ENERGY_LEFT,
};
use crate::newton::Failure;
use crate::system::{Span, State, System};

impl Integrator {
    /// Asks for implicit Euler where the solved step from `state` gains energy in contact layers, and refuses a step with friction whose energy says
    /// that it is no solution.
    pub(super) fn check_energy(
        &mut self, system: &System, state: &State, span: Span, entries: &Entries,
    ) -> Result<Option<Scheme>, Rejected> {
        let solver = &system.model.solver;
        let balance = &entries.balance;
        if !system.is_dynamic() || balance.largest == 0.0 {
            return Ok(None);
        }
        let layers_alone = !system.surfaces.contacts.is_empty() && !system.sliders.have_events();
        let layers = self.scheme == Scheme::Alpha && layers_alone;
        if !layers && !system.sliders.iter().any(|slider| slider.friction.acts) {
            return Ok(None);
        }
        // Joints take no work. By the trapezoidal rule they take little, but where their forces turn over from one end of a step to the other.
        let wrong = entries.unexplained + entries.in_joints;
        let (error, allowed) = if layers {
            let most = solver.energy_tolerance.unwrap_or(ENERGY_TOLERANCE) * balance.largest;
            let left = most - state.energy_error(state.energy.mechanical).abs();
            let error = (entries.error(state).abs()).max(entries.made_by_faces);
            (error, ENERGY_SHARE * left.max(LEAST_ENERGY_LEFT * most))
        } else {
            (wrong.abs(), ENERGY_WRONG * balance.largest)
        };
        let unsolved = solver.position_tolerance * system.size * self.newton.work.force_scale;
        let rounding = ENERGY_ROUNDINGS * entries.rounding();
        if error <= allowed
            || error
                <= unsolved
                    .max(rounding)
                    .max(self.newton.energy_of_rounding(system, self.mass_factor(system)))
        {
            return Ok(None);
        }
        if layers || (self.scheme == Scheme::Alpha && span.is_halved()) {
            return Ok(Some(Scheme::Euler));
        }
        Err(Rejected::Retry(Failure::Energy { taken: wrong, largest: balance.largest }))
    }
}
