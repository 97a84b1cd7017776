//! Static equilibrium of a mechanism that loads have to make stiff.
//!
//! A pendulum or a slack string resists nothing until it is under tension: its tangent as drawn is
//! singular. As in the [assembly](super::assemble), springs towards the places before keep the equations
//! solvable, and are repeated from where they have led until nothing moves; then they pull no more.

use super::assemble::largest_move;
use super::newton::Failure;
use super::start::fault;
use super::step::{Following, Stepper};
use crate::system::{State, System, SystemFault};

/// Springs as shares of the stiffness of each node that are tried, one after the other.
const HOLDS: [f64; 3] = [1e-9, 1e-7, 1e-5];

/// Largest displacement relative to the mechanism's size, or rotation, at which it rests.
const AT_REST: f64 = 1e-13;

/// Returns after which a mechanism that still moves has no equilibrium nearby.
const MOST_RETURNS: usize = 200;

/// The static equilibrium under the loads of t = 0, motions where they begin, also of a model whose
/// analysis is dynamic.
///
/// # Errors
/// As [`start`](super::start()); when there is none, or Newton's method does not find it.
pub fn equilibrium(system: &System, inputs: &[f64]) -> Result<State, SystemFault> {
    let (mut stepper, assembled) = Stepper::assembled(system, inputs)?;
    let mut state = assembled.clone();
    let Err(reason) = stepper.settle(system, &mut state) else {
        return Ok(state);
    };
    let mut last = None;
    for hold in HOLDS {
        let mut state = assembled.clone();
        match stepper.sink(system, &mut state, hold) {
            Ok(true) => return Ok(state),
            Ok(false) => {}
            Err(failure) => last = Some(failure),
        }
    }
    // What is loose is told as it was drawn, not as the springs have left it.
    Err(match last {
        Some(failure @ Failure::Crushed { .. }) => {
            fault(system, "has no static equilibrium at t = 0", &failure)
        }
        _ => reason,
    })
}

impl Stepper {
    /// Lets the mechanism sink into its equilibrium, held by springs of the share `hold` of its
    /// stiffness; whether it has come to rest.
    fn sink(&mut self, system: &System, state: &mut State, hold: f64) -> Result<bool, Failure> {
        self.load_state(system, state, system.model.solver.step);
        let held = system.held_by_springs(&self.at, &mut self.work);
        for _ in 0..MOST_RETURNS {
            self.load_state(&held, state, system.model.solver.step);
            self.place_motions(&held, state);
            let input = |i: usize| state.reached[i][0];
            system.external_forces(0.0, input, &mut self.at.external);
            self.origin.copy_from_slice(&state.q[..system.nodal]);
            let kinetics = Following {
                factor: hold,
                origin: &self.origin,
            };
            (self.corrections).solve(&held, &kinetics, &mut self.at, &mut self.work)?;
            let moved = largest_move(system, &self.at.q, &state.q);
            state.q.copy_from_slice(&self.at.q);
            self.keep_forces(system, state);
            self.keep_memory(state);
            if moved <= AT_REST {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
