//! Loads, gravity and imposed motions at a time.

use super::{Iterate, MotionState, PRESCRIBED, State, System};
use crate::model::checked::Input;
use crate::model::history::MotionLaw;

/// The part of a communication step that an instant lies in.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    pub time: f64,
    /// Length of the communication step, s; 0 at the start.
    pub communication: f64,
    /// Share of the communication step that has passed, in [0, 1].
    pub fraction: f64,
}

impl System {
    /// Acceleration of gravity for the given inputs, m/s².
    pub fn gravity(&self, inputs: &[f64]) -> [f64; 2] {
        let mut gravity = self.model.gravity;
        for (variable, value) in self.model.inputs.iter().zip(inputs) {
            if let Input::Gravity { component } = variable.input {
                gravity[component] = *value;
            }
        }
        gravity
    }

    /// External force on each nodal unknown at `time`.
    pub(crate) fn external_forces(&self, time: f64, inputs: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let gravity = self.gravity(inputs);
        for (weight, g) in self.weight.iter().zip(gravity) {
            if g != 0.0 {
                for &(u, mass) in weight {
                    out[u] += mass * g;
                }
            }
        }
        for (id, (load, unknowns)) in self.model.loads.iter().zip(&self.loads).enumerate() {
            let factor = load.history.at(time)[0];
            for (component, unknown) in unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    out[*u] += factor * self.load_component(id, component, inputs);
                }
            }
        }
    }

    /// Displacement, rate and acceleration of motion `m` at `at`, from the last accepted `state`.
    ///
    /// A held value that is an input goes from the value it had at the last communication point
    /// to the new one on a straight line; a rate that is an input is constant over the step and
    /// its integral is kept in the state.
    pub(crate) fn motion_at(&self, m: usize, state: &State, at: Instant) -> MotionState {
        let input = self.motions[m].input;
        match (&self.model.motions[m].law, input) {
            (MotionLaw::Held(value), None) => MotionState {
                value: *value,
                ..MotionState::default()
            },
            (MotionLaw::Held(_), Some(i)) => {
                let (from, to) = (state.inputs_before[i], state.inputs[i]);
                let rate = if at.communication > 0.0 {
                    (to - from) / at.communication
                } else {
                    0.0
                };
                MotionState {
                    value: if at.fraction >= 1.0 {
                        to
                    } else {
                        from + at.fraction * (to - from)
                    },
                    rate,
                    acceleration: 0.0,
                }
            }
            (MotionLaw::Rate(rate), None) => MotionState {
                value: rate * at.time,
                rate: *rate,
                acceleration: 0.0,
            },
            (MotionLaw::Rate(_), Some(i)) => MotionState {
                value: state.motions[m].value + state.inputs[i] * (at.time - state.time),
                rate: state.inputs[i],
                acceleration: 0.0,
            },
            (MotionLaw::Scaled { value, history }, _) => {
                let [f, df, ddf] = history.at(at.time);
                MotionState {
                    value: value * f,
                    rate: value * df,
                    acceleration: value * ddf,
                }
            }
        }
    }

    /// Puts every prescribed unknown where it was drawn, at rest.
    pub(crate) fn hold_prescribed(&self, at: &mut Iterate) {
        for u in 0..self.nodal {
            if self.equation[u] == PRESCRIBED {
                at.q[u] = self.initial[u];
                at.acceleration[u] = 0.0;
            }
        }
    }

    /// Moves the unknowns of motion `m`.
    pub(crate) fn move_prescribed(&self, at: &mut Iterate, m: usize, motion: MotionState) {
        for &u in &self.motions[m].unknowns {
            at.q[u] = self.initial[u] + motion.value;
            at.acceleration[u] = motion.acceleration;
        }
    }

    /// Takes velocity and acceleration from the unknowns that supports hold.
    pub(crate) fn rest_supports(&self, state: &mut State) {
        for &u in &self.held {
            state.velocity[u] = 0.0;
            state.acceleration[u] = 0.0;
            state.algorithmic[u] = 0.0;
        }
    }

    /// Work of the loads from `state` to `q` at `time` by the trapezoidal rule, J. Inputs are
    /// constant over the step.
    pub(crate) fn load_work(&self, state: &State, time: f64, q: &[f64]) -> f64 {
        let mut work = 0.0;
        for (id, (load, unknowns)) in self.model.loads.iter().zip(&self.loads).enumerate() {
            let before = load.history.at(state.time)[0];
            let factor = 0.5 * (before + load.history.at(time)[0]);
            for (component, unknown) in unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    let force = self.load_component(id, component, &state.inputs);
                    work += factor * force * (q[*u] - state.q[*u]);
                }
            }
        }
        work
    }

    /// Work of a gravity that changed at the last communication point, J.
    pub(crate) fn gravity_work(&self, state: &State) -> f64 {
        let (old, new) = (
            self.gravity(&state.inputs_before),
            self.gravity(&state.inputs),
        );
        if old == new {
            return 0.0;
        }
        self.potential(state, new) - self.potential(state, old)
    }

    fn load_component(&self, id: usize, component: usize, inputs: &[f64]) -> f64 {
        let input = Input::Load {
            load: id,
            component,
        };
        let given = self.model.inputs.iter().position(|i| i.input == input);
        given.map_or(self.model.loads[id].components[component], |i| inputs[i])
    }
}
