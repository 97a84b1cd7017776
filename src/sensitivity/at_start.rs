//! Change of the consistent start by what leaves its positions as they are.
//!
//! The velocities of the start are linear in those of the motions, and its accelerations and forces
//! end a short step of constant acceleration in equilibrium, whose tangent carries their change.

use super::{Change, Perturbation};
use crate::checked::{Analysis, Reach, Subject};
use crate::joints::regime::Regime;
use crate::newton::Newton;
use crate::solve::integrator::Integrator;
use crate::solve::stepper::Stepper;
use crate::start::given::Given;
use crate::start::initial::START;
use crate::start::velocities::Velocities;
use crate::system::outputs::OfEnergy;
use crate::system::{Numbers, SlidingVelocity, State, System, SystemFault, Tuning, Varied};

/// The start for the given inputs and its change, solved down to rounding; `None` where only
/// differences can tell: of what moves positions or builds another mechanism, of an equilibrium, of
/// contacts that may open.
///
/// # Errors
/// When [`start()`](crate::start::start()) fails.
pub fn change_of_start(
    system: &System, inputs: &[f64], tuning: Tuning, perturbation: &Perturbation,
) -> Result<Option<(State, State)>, SystemFault> {
    let one_sided = system.sliders.iter().any(|slider| slider.side.is_some());
    let statics = system.model.solver.analysis == Analysis::QuasiStatic;
    if statics || one_sided || system.moves_the_start(perturbation) {
        return Ok(None);
    }
    let mut stepper = Stepper::new(system);
    stepper.integrator.newton.corrections.to_rounding = true;
    let state = stepper.start(system, inputs, tuning)?;
    if state.energy.impact_loss != 0.0 {
        // What jams takes other velocities from other friction.
        return Ok(None);
    }
    let mut change = Change::none(system, &state, perturbation);
    let by = &mut change.by;
    for m in 0..system.motions.len() {
        by.motions[m] = system.motions.change_at(m, (&state, by), START);
    }
    let rates: Vec<f64> = by.motions.iter().map(|motion| motion.rate).collect();
    if rates.iter().any(|rate| *rate != 0.0) {
        by.velocity = velocity_change(system, &state, &rates)?;
    }
    // What sticks is freed by any velocity.
    let breaks_away = (system.sliders.iter().zip(&state.sliders)).any(|(slider, now)| {
        let sticks = slider.cuts && now.regime == Regime::Stick;
        sticks && by.velocity[slider.coordinate] != 0.0
    });
    if breaks_away || change.accelerate(&mut stepper.integrator, system, &state).is_none() {
        return Ok(None);
    }
    let mut by = change.by;
    let energies = [OfEnergy::Kinetic, OfEnergy::Strain, OfEnergy::Potential];
    let of = |energy: OfEnergy| system.output_change(&state, &by, energy.of(Subject::Energy));
    by.energy.start = energies.into_iter().map(of).sum();
    Ok(Some((state, by)))
}

impl System {
    /// Whether other positions or another mechanism follow from a change.
    fn moves_the_start(&self, perturbation: &Perturbation) -> bool {
        let equilibrium = self.model.start.equilibrium.is_some();
        let inputs = self.model.inputs.iter().zip(&perturbation.inputs);
        let parameters = self.model.parameters.iter().zip(&perturbation.parameters);
        let by_inputs = inputs.filter(|(_, change)| **change != 0.0);
        let by_parameters = parameters.filter(|(_, change)| **change != 0.0);
        by_inputs.into_iter().any(|(input, _)| input.input.reach(equilibrium) == Reach::Positions)
            || by_parameters.into_iter().any(|(parameter, _)| {
                parameter.tunable.is_none() || parameter.reach < Reach::Forces
            })
    }
}

/// Change of the velocities of the start by those of the `rates` of the motions.
fn velocity_change(system: &System, state: &State, rates: &[f64]) -> Result<Vec<f64>, SystemFault> {
    let newton = &mut Newton::new(system);
    newton.load_state(system, state, system.model.solver.step);
    newton.place_motions(system, state);
    let given = Given::all(system, &newton.at.driven);
    let mut velocities = Velocities { system, newton };
    let mut still = velocities.split(given).imposed;
    still.iter_mut().for_each(|given| given.value = 0.0);
    velocities.least_motion(rates, &still).map_err(|_| {
        SystemFault(
            "the velocities of the start have no derivative: the tangent is singular".into(),
        )
    })
}

impl Change {
    /// Carries the change over the short step that gave the accelerations and that `integrator` has
    /// solved; `None` where its tangent is singular.
    fn accelerate(
        &mut self, integrator: &mut Integrator, system: &System, state: &State,
    ) -> Option<()> {
        let (by, at) = (&self.by, &mut self.at);
        at.q.fill(0.0);
        at.flow.factor = integrator.newton.at.flow.factor;
        at.acceleration.fill(0.0);
        at.flow.origin.fill(0.0);
        self.velocity.copy_from_slice(&by.velocity);
        for (u, v) in by.velocity[..system.nodal].iter().enumerate() {
            at.flow.regularisation(u, 0.0.into(), *v);
        }
        for (own, (slider, now)) in
            (at.sliders.iter_mut()).zip(system.sliders.iter().zip(&integrator.newton.at.sliders))
        {
            let v = by.velocity[slider.coordinate];
            own.velocity = SlidingVelocity::at_rate(now.velocity.factor, 0.0.into(), v);
        }
        let input = |i: usize| by.reached[i][0];
        system.loads.change(START.time, input, &mut at.external);
        system.loads.lines.follower_change(START.time, input, &mut at.follower_loads);
        let varied = Varied { now: state, by };
        system.springs.set_change(|i| varied.get(|s| s.reached[i][0]), &mut at.springs);
        for (motion, now) in system.motions.iter().zip(&by.motions) {
            for &u in &motion.unknowns {
                at.acceleration[u] = now.acceleration;
            }
        }
        self.solve_instant(integrator, system, state.instant()).ok()?;
        let (by, at) = (&mut self.by, &self.at);
        by.acceleration.copy_from_slice(&at.acceleration);
        system.motions.rest_fixed(by);
        system.motions.give_rates(by);
        by.algorithmic.copy_from_slice(&by.acceleration);
        for j in 0..system.sliders.len() {
            by.sliders[j].friction = system.sliders[j].friction_change(&integrator.newton.at, at);
        }
        self.keep_forces(&integrator.newton, system);
        self.by.keep_earlier();
        Some(())
    }
}
