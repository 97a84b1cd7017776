//! Loads, gravity and imposed motions at a time.

use super::{Iterate, MotionState, PRESCRIBED, State, System};
use crate::model::history::MotionLaw;

/// The end of a substep.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    pub time: f64,
    /// Time since the communication point, s.
    pub elapsed: f64,
    /// Time from the communication point to the beginning of the substep, s.
    pub elapsed_before: f64,
}

impl System {
    /// Acceleration of gravity where `input(i)` is the value of input i, m/s².
    pub fn gravity(&self, input: impl Fn(usize) -> f64) -> [f64; 2] {
        let mut gravity = self.model.gravity;
        for (component, given_by) in gravity.iter_mut().zip(self.gravity_inputs) {
            *component = given_by.map_or(*component, &input);
        }
        gravity
    }

    /// External force on each nodal unknown at `time`, where `input(i)` is the value of input i.
    pub(crate) fn external_forces(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        let gravity = self.gravity(&input);
        for (weight, g) in self.weight.iter().zip(gravity) {
            if g != 0.0 {
                for &(u, mass) in weight {
                    out[u] += mass * g;
                }
            }
        }
        self.add_dead_loads(time, &input, out);
        for (id, (load, acting)) in self.model.loads.iter().zip(&self.loads).enumerate() {
            let factor = load.history.at(time)[0];
            for (component, unknown) in acting.unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    out[*u] += factor * self.load_component(id, component, &input);
                }
            }
        }
    }

    /// Displacement, rate and acceleration of motion `m` at `at`, from the last accepted `state`.
    ///
    /// A held value that is an input follows its signal; of a rate or an acceleration that is an input
    /// the integrals are kept in the state.
    pub(crate) fn motion_at(&self, m: usize, state: &State, at: Instant) -> MotionState {
        let input = self.motions[m].input;
        if state.motions[m].released {
            return state.motions[m];
        }
        match (&self.model.motions[m].law, input) {
            (MotionLaw::Held(value), None) => MotionState {
                value: *value,
                ..MotionState::default()
            },
            (MotionLaw::Held(_), Some(i)) => {
                let [value, rate, acceleration] = state.signals[i].at(at.elapsed);
                MotionState {
                    value,
                    rate,
                    acceleration,
                    released: false,
                }
            }
            (MotionLaw::Rate(rate), None) => MotionState {
                value: rate * at.time,
                rate: *rate,
                ..MotionState::default()
            },
            (MotionLaw::Rate(_), Some(i)) => {
                let signal = &state.signals[i];
                let [rate, acceleration, _] = signal.at(at.elapsed);
                let moved = signal.integral(at.elapsed) - signal.integral(at.elapsed_before);
                MotionState {
                    value: state.motions[m].value + moved,
                    rate,
                    acceleration,
                    released: false,
                }
            }
            (MotionLaw::Acceleration(acceleration), None) => MotionState {
                value: 0.5 * acceleration * at.time * at.time,
                rate: acceleration * at.time,
                acceleration: *acceleration,
                released: false,
            },
            (MotionLaw::Acceleration(_), Some(i)) => {
                let signal = &state.signals[i];
                let before = state.motions[m];
                let h = at.elapsed - at.elapsed_before;
                let integral = |tau: f64| signal.integral(tau);
                let gained = integral(at.elapsed) - integral(at.elapsed_before);
                let moved = signal.double_integral(at.elapsed)
                    - signal.double_integral(at.elapsed_before)
                    - h * integral(at.elapsed_before);
                MotionState {
                    value: before.value + h * before.rate + moved,
                    rate: before.rate + gained,
                    acceleration: signal.at(at.elapsed)[0],
                    released: false,
                }
            }
            (
                MotionLaw::Record {
                    course,
                    scale,
                    start,
                },
                _,
            ) => {
                let [value, rate, acceleration] = course.at(at.time - start).map(|x| scale * x);
                MotionState {
                    value,
                    rate,
                    acceleration,
                    released: false,
                }
            }
            (MotionLaw::Scaled { value, history }, _) => {
                let [f, df, ddf] = history.at(at.time);
                MotionState {
                    value: value * f,
                    rate: value * df,
                    acceleration: value * ddf,
                    released: false,
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
                at.flow.give(u, at.q[u], 0.0);
            }
        }
    }

    /// Moves the unknowns of motion `m`, unless it has let them go.
    pub(crate) fn move_prescribed(&self, at: &mut Iterate, m: usize, motion: MotionState) {
        if motion.released {
            return;
        }
        for &u in &self.motions[m].unknowns {
            at.q[u] = self.initial[u] + motion.value;
            at.acceleration[u] = motion.acceleration;
            at.flow.give(u, at.q[u], motion.rate);
            if let Some(acceleration) = &mut at.driven[u] {
                *acceleration = motion.acceleration;
            }
        }
    }

    /// Gives what motions drive their velocities and accelerations.
    pub(crate) fn follow_motions(&self, state: &mut State) {
        for (motion, now) in self.motions.iter().zip(&state.motions) {
            if now.released {
                continue;
            }
            for &u in &motion.unknowns {
                state.velocity[u] = now.rate;
                state.acceleration[u] = now.acceleration;
                state.algorithmic[u] = now.acceleration;
            }
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

    /// Work of the loads from `state` to `q` at `end` by the trapezoidal rule, J.
    pub(crate) fn load_work(&self, state: &State, end: Instant, q: &[f64]) -> f64 {
        let signal = |i: usize, tau: f64| state.signals[i].at(tau)[0];
        let mut work = 0.0;
        for (id, (load, acting)) in self.model.loads.iter().zip(&self.loads).enumerate() {
            let before = load.history.at(state.time)[0];
            let after = load.history.at(end.time)[0];
            for (component, unknown) in acting.unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    let first =
                        self.load_component(id, component, |i| signal(i, end.elapsed_before));
                    let last = self.load_component(id, component, |i| signal(i, end.elapsed));
                    let mean = 0.5 * (before * first + after * last);
                    work += mean * (q[*u] - state.q[*u]);
                }
            }
        }
        work
    }

    /// Change of that work by the change `by` of `state`, where each unknown has moved by `moved`
    /// and this way changes by `change`.
    pub(crate) fn load_work_change(
        &self,
        state: &State,
        by: &State,
        end: Instant,
        moved: impl Fn(usize) -> f64,
        change: impl Fn(usize) -> f64,
    ) -> f64 {
        let taus = [end.elapsed_before, end.elapsed];
        let mut work = 0.0;
        for (id, (load, acting)) in self.model.loads.iter().zip(&self.loads).enumerate() {
            let factors = [state.time, end.time].map(|t| load.history.at(t)[0]);
            for (component, unknown) in acting.unknowns.iter().enumerate() {
                let Some(u) = *unknown else { continue };
                for (factor, tau) in factors.into_iter().zip(taus) {
                    let now = |i: usize| state.signals[i].at(tau)[0];
                    let force = self.load_component(id, component, now);
                    let by_force =
                        acting.inputs[component].map_or(0.0, |i| by.signals[i].at(tau)[0]);
                    work += 0.5 * factor * (by_force * moved(u) + force * change(u));
                }
            }
        }
        work
    }

    /// Work of a gravity that jumps at the communication point where a step begins, J.
    pub(crate) fn gravity_jump(&self, state: &State) -> f64 {
        let old = self.gravity(|i| state.reached[i][0]);
        let new = self.gravity(|i| state.signals[i].at(0.0)[0]);
        self.gravity_change(&state.q, old, new)
    }

    /// Work of a gravity that changes during a substep from `state` to `q`, J.
    pub(crate) fn gravity_work(&self, state: &State, end: Instant, q: &[f64]) -> f64 {
        let [old, new] = [end.elapsed_before, end.elapsed]
            .map(|tau| self.gravity(|i| state.signals[i].at(tau)[0]));
        0.5 * (self.gravity_change(&state.q, old, new) + self.gravity_change(q, old, new))
    }

    fn gravity_change(&self, q: &[f64], old: [f64; 2], new: [f64; 2]) -> f64 {
        if old == new {
            return 0.0;
        }
        self.potential(q, new) - self.potential(q, old)
    }

    pub(crate) fn load_component(
        &self,
        id: usize,
        component: usize,
        value: impl Fn(usize) -> f64,
    ) -> f64 {
        let written = self.model.loads[id].components[component];
        self.loads[id].inputs[component].map_or(written, value)
    }
}
