//! Loads, gravity and imposed motions at a time.

use num_dual::Dual64;

use super::numbers::{Number, Numbers, Varied};
use super::{Iterate, MotionState, State, System};
use crate::checked::Analysis;
use crate::checked::history::MotionLaw;
use crate::numerics::positions::Position;

/// The end of a step.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    pub time: f64,
    /// Time since the communication point, s.
    pub elapsed: f64,
    /// Time from the communication point to the beginning of the step, s.
    pub elapsed_before: f64,
}

impl Instant {
    /// The communication point at `time` (s), from which a step begins.
    pub(crate) const fn of_communication(time: f64) -> Instant {
        Instant { time, elapsed: 0.0, elapsed_before: 0.0 }
    }

    /// The instant a time `h` (s) before this one, in the same step.
    pub(crate) fn before(self, h: f64) -> Instant {
        Instant { time: self.time - h, elapsed: self.elapsed - h, ..self }
    }
}

/// An interval of time over which a step, or a part of one, is taken.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// s.
    pub length: f64,
    pub end: Instant,
    /// How often the step that it belongs to has been halved.
    pub halvings: u32,
}

impl Span {
    /// The first `length` (s) of it.
    pub(crate) fn first(self, length: f64) -> Span {
        let left = self.length - length;
        let end = Instant {
            time: self.end.time - left,
            elapsed: self.end.elapsed - left,
            elapsed_before: self.end.elapsed - self.length,
        };
        Span { length, end, ..self }
    }

    /// What is left of it after the first `length` (s).
    pub(crate) fn after(self, length: f64) -> Span {
        let left = self.length - length;
        let end = Instant { elapsed_before: self.end.elapsed - left, ..self.end };
        Span { length: left, end, ..self }
    }

    /// The part between two shares of it.
    pub(crate) fn part(self, [from, to]: [f64; 2]) -> Span {
        self.first(to * self.length).after(from * self.length)
    }
}

impl System {
    /// External force on each nodal unknown at `time`, where `input(i)` is the value of input i.
    pub(crate) fn external_forces(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        self.each_external_force(time, input, |u, force| out[u] += force);
    }

    /// Its change by the changes `input(i)` of the inputs.
    pub(crate) fn external_change(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        let input = |i: usize| Dual64::new(0.0, input(i));
        self.each_external_force(time, input, |u, force| out[u] += force.eps);
    }

    fn each_external_force<D: Number>(
        &self, time: f64, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D),
    ) {
        self.gravity.each_force(&input, &mut add);
        self.line_loads.each_dead_load(time, &input, &mut add);
        self.loads.each_force(time, &input, &mut add);
    }

    /// Motion `m` at `at`, from the last accepted `state`; one that has ended stays as it was.
    pub(crate) fn motion_at(&self, m: usize, state: &State, at: Instant) -> MotionState {
        if state.motions[m].released {
            return state.motions[m];
        }
        let [value, rate, acceleration] = self.motion(m, state, at);
        MotionState { value, rate, acceleration, released: false }
    }

    /// Change of that by the change `by` of `state`.
    pub(crate) fn motion_change(
        &self, m: usize, (state, by): (&State, &State), at: Instant,
    ) -> MotionState {
        let motion = self.motion(m, &Varied { now: state, by }, at);
        let [value, rate, acceleration] = motion.map(|x| x.eps);
        MotionState { value, rate, acceleration, released: false }
    }

    /// Displacement, rate and acceleration of motion `m` at `at`.
    ///
    /// A position that is an input follows its signal; of a rate or an acceleration that is an input
    /// the integrals are kept in the state.
    fn motion<N: Numbers<State>>(&self, m: usize, state: &N, at: Instant) -> [N::Number; 3] {
        let known = |motion: [f64; 3]| motion.map(N::Number::from);
        let before = |of: fn(&MotionState) -> f64| state.get(|s| of(&s.motions[m]));
        match (&self.model.motions[m].law, self.motions[m].input) {
            (MotionLaw::Position(value), None) => known([*value, 0.0, 0.0]),
            (MotionLaw::Position(_), Some(i)) => {
                [0, 1, 2].map(|order| state.get(|s| s.signals[i].at(at.elapsed)[order]))
            }
            (MotionLaw::Rate(rate), None) => known([rate * at.time, *rate, 0.0]),
            (MotionLaw::Rate(_), Some(i)) => {
                let [rate, acceleration] =
                    [0, 1].map(|order| state.get(|s| s.signals[i].at(at.elapsed)[order]));
                let moved = state.get(|s| {
                    let signal = &s.signals[i];
                    signal.integral(at.elapsed) - signal.integral(at.elapsed_before)
                });
                [before(|motion| motion.value) + moved, rate, acceleration]
            }
            (MotionLaw::Acceleration(acceleration), None) => known([
                0.5 * acceleration * at.time * at.time,
                acceleration * at.time,
                *acceleration,
            ]),
            (MotionLaw::Acceleration(_), Some(i)) => {
                let h = at.elapsed - at.elapsed_before;
                let gained = state.get(|s| {
                    let signal = &s.signals[i];
                    signal.integral(at.elapsed) - signal.integral(at.elapsed_before)
                });
                let moved = state.get(|s| {
                    let signal = &s.signals[i];
                    signal.double_integral(at.elapsed)
                        - signal.double_integral(at.elapsed_before)
                        - h * signal.integral(at.elapsed_before)
                });
                let rate = before(|motion| motion.rate);
                [
                    before(|motion| motion.value) + rate * h + moved,
                    rate + gained,
                    state.get(|s| s.signals[i].at(at.elapsed)[0]),
                ]
            }
            (MotionLaw::Record { course, scale, start }, _) => {
                known(course.at(at.time - start).map(|x| scale * x))
            }
            (MotionLaw::Scaled { value, history }, _) => {
                known(history.at(at.time).map(|x| value * x))
            }
        }
    }

    /// Puts every prescribed unknown where it was initially, at rest.
    pub(crate) fn hold_prescribed(&self, at: &mut Iterate) {
        for u in 0..self.nodal {
            if !self.equation.has(u) {
                at.q.set(u, self.initial[u]);
                at.acceleration[u] = 0.0;
                at.flow.regularisation(u, at.q.get(u), 0.0);
            }
        }
    }

    /// Moves the unknowns of motion `m`, unless it has let them go.
    pub(crate) fn move_prescribed(&self, at: &mut Iterate, m: usize, motion: MotionState) {
        if motion.released {
            return;
        }
        // Masses do not act in statics.
        let acceleration = match self.model.solver.analysis {
            Analysis::Dynamic => motion.acceleration,
            Analysis::QuasiStatic => 0.0,
        };
        for &u in &self.motions[m].unknowns {
            at.q.set(u, Position::from(self.initial[u]).plus(motion.value));
            at.acceleration[u] = acceleration;
            at.flow.regularisation(u, at.q.get(u), motion.rate);
            if let Some(driven) = &mut at.driven[u] {
                *driven = acceleration;
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

    /// Takes velocity and acceleration from the fixed unknowns.
    pub(crate) fn rest_fixed(&self, state: &mut State) {
        self.fixed.iter().for_each(|&u| state.rest(u));
    }
}
