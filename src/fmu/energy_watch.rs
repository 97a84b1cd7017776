//! Whether the energy balance of a running mechanism closes: a result that it does not bear out is doubtful, and
//! says so.

use serde::{Deserialize, Serialize};

use super::report::{Category, Log, Status};
use crate::checked::Analysis;
use crate::message::rounded;
use crate::system::{EnergyError, State, System};

/// Share of the largest energy so far above which an energy error is reported.
const UNEXPLAINED: f64 = 1e-2;

/// Share of the largest energy so far above which numerical dissipation is reported: what begins with a shock may lose a tenth.
const DISSIPATED: f64 = 0.11;

/// Roundings of the largest term that the balance may gather in a long run.
const ROUNDINGS: f64 = 1e6;

/// Solver's steps between two looks at the balance, where communication steps are shorter: the strain energy costs a
/// loop over all elements.
const BETWEEN: u64 = 8;

/// What an instance has seen of its energies.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct EnergyWatch {
    /// The energy error has been reported.
    told_error: bool,
    /// Numerical dissipation has been reported.
    told_dissipation: bool,
    /// The largest error of the balance since the last look, and what of it the time integration has made, J.
    worst: [f64; 2],
}

impl EnergyWatch {
    /// Looks at `state` after a communication step that began after `steps` solver's steps, and warns where the balance
    /// does not close: once. `noise` is energy of rounding errors, J, `start` the host's time at the model's time 0, s.
    ///
    /// # Errors
    /// The message of the step that the model's own tolerance refuses.
    pub(super) fn look(
        &mut self, log: &Log, system: &System, state: &State, noise: f64, steps: u64, start: f64,
    ) -> Result<(), String> {
        let model = system.model();
        let tolerance = model.solver.energy_tolerance;
        // A load that jumps in statics does work that no equilibrium stores, and held inputs jump in every step.
        let jumps = model.solver.analysis == Analysis::QuasiStatic && !model.inputs.is_empty();
        // Energy that comes and goes between two looks counts, too: as a share of the largest one then, of which the first steps of a motion
        // that begins suddenly say little.
        let now = state.energy_error(state.energy.mechanical);
        let made = state.energy.made();
        if now.abs() > self.worst[0].abs() {
            self.worst = [now, made];
        }
        let waits = jumps || steps / BETWEEN == state.counters.steps / BETWEEN;
        if tolerance.is_none() && waits {
            return Ok(());
        }
        let mut energies = system.energy().error(state);
        let [error, made] = std::mem::take(&mut self.worst);
        if error.abs() > energies.error.abs() {
            (energies.error, energies.made) = (error, made);
        }
        let time = || rounded(start + state.time, 9);
        let real = energies.error.abs() > (ROUNDINGS * energies.rounding).max(noise);
        let unexplained = |share: f64| real && energies.error.abs() > share * energies.largest;
        if let Some(tolerance) = tolerance.filter(|share| unexplained(*share)) {
            return Err(format!(
                "{}, more than `solver.energy_tolerance` = {} allows: {}",
                self.explain(&energies, &time()),
                rounded(tolerance, 6),
                cause(system, state)
            ));
        }
        if !self.told_error && unexplained(UNEXPLAINED) {
            self.told_error = true;
            let text = format!("{}: {}", self.explain(&energies, &time()), cause(system, state));
            log.send(Status::Warning, Category::Warning, &text);
        }
        if !self.told_dissipation
            && energies.dissipation > (DISSIPATED * energies.largest).max(noise)
        {
            self.told_dissipation = true;
            let text = format!(
                "until t = {} s the time integration has taken {} J, {} % of the largest energy so far: motions that \
                 `solver.step` does not resolve, or that begin with a shock, or initial velocities that strain members; a shorter step takes less, and \
                 a ramp or velocities that fit each other avoid the shock",
                time(),
                rounded(energies.dissipation, 3),
                rounded(100.0 * energies.dissipation / energies.largest, 2),
            );
            log.send(Status::Warning, Category::Warning, &text);
        }
        Ok(())
    }

    fn explain(&self, energies: &EnergyError, time: &str) -> String {
        let way = if energies.error < 0.0 { "appeared" } else { "disappeared" };
        // `energy.balance` does not show it.
        let made = match energies.made > 0.5 * energies.error.abs() {
            true => format!(
                " (the time integration has made {} J: `energy.numerical_dissipation` below 0)",
                rounded(energies.made, 3)
            ),
            false => String::new(),
        };
        format!(
            "until t = {time} s {} J have {way} that nothing explains{made}, {} % of the largest energy so far",
            rounded(energies.error.abs(), 3),
            rounded(100.0 * energies.error.abs() / energies.largest, 2),
        )
    }
}

/// What that means, where energy is lost as a rule, and what to try.
fn cause(system: &System, state: &State) -> &'static str {
    let happens = state.energy.impact_loss != 0.0
        || state.journal.iter().any(|slider| slider.transitions > 0);
    match system.model().solver.analysis {
        Analysis::QuasiStatic => {
            "work and friction may be wrong; an equilibrium that jumps loses what inertia would turn into motion, \
             else `solver.step` is too long for the changes of loads and motions: try a shorter one"
        }
        Analysis::Dynamic if happens => {
            "results may be wrong; sliders stick, slide, meet stops or lift off faster than `solver.step` follows: \
             try a shorter one"
        }
        Analysis::Dynamic => {
            "results may be wrong; `solver.step` is too long for the fastest of the large motions: try a shorter one"
        }
    }
}
