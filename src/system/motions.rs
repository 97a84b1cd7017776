//! Imposed motions: what they prescribe, and which unknowns supports fix.

use std::ops::Deref;

use super::numbers::{Numbers, Varied};
use super::{Driven, Instant, Iterate, MotionState, State};
use crate::checked::history::{MotionLaw, Release};
use crate::checked::{Checked, Support};
use crate::nodes::{Nodes, Target};
use crate::numerics::positions::Position;

/// The unknowns that a motion prescribes; each moves by the same g(t).
#[derive(Debug, Clone)]
pub(crate) struct Motion {
    /// Its name in the model file.
    pub name: String,
    pub unknowns: Vec<usize>,
    /// Whether it turns something.
    pub turns: bool,
    /// Where these are in the initial configuration.
    pub initial: Vec<f64>,
    pub law: MotionLaw,
    /// Index of the input that gives its value or rate.
    pub input: Option<usize>,
    /// When it ends. What such a motion drives has equations, which are pinned as long as it
    /// does; see [`Iterate::driven`].
    pub release: Option<Until>,
}

/// What a motion waits for before it ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    /// The time of the simulation, s.
    Time(f64),
    /// That the slider's s passes `at` (m) towards `side` (±1) of it.
    Position { slider: usize, at: f64, side: f64 },
}

impl Until {
    /// With the sliding coordinates in the initial configuration: a slider passes its place from where it is.
    pub(super) fn of(release: Release, coordinates: &[f64]) -> Until {
        match release {
            Release::Time(time) => Until::Time(time),
            Release::Position { slider, at } => Until::Position {
                slider,
                at,
                side: if coordinates[slider] <= at { 1.0 } else { -1.0 },
            },
        }
    }
}

/// All imposed motions of a mechanism, and what supports fix.
#[derive(Debug, Clone)]
pub(crate) struct Motions {
    pub list: Vec<Motion>,
    /// Unknowns without an equation, with where they are in the initial configuration.
    pub prescribed: Vec<(usize, f64)>,
    /// Those of them that no motion drives.
    pub fixed: Vec<usize>,
    /// The support whose reaction is that of each unknown; see [`bearers`].
    pub bearers: Vec<Option<usize>>,
    /// Whether masses act.
    pub dynamic: bool,
}

/// The support that bears each unknown which supports fix. What several fix has one reaction, that of the support which names least: a point
/// before an edge before a whole member or body, and the first in the file among equals.
pub(crate) fn bearers(model: &Checked, nodes: &Nodes) -> Vec<Option<usize>> {
    let mut bearers = vec![None; nodes.initial.len()];
    let names = |support: &Support| match support.target {
        Target::Point { .. } => 0,
        Target::Edge(_) => 1,
        Target::Member(_) | Target::Body(_) => 2,
    };
    let mut order: Vec<usize> = (0..model.supports.len()).collect();
    order.sort_by_key(|&id| names(&model.supports[id]));
    for id in order {
        let support = &model.supports[id];
        for &direction in &support.fixed {
            for u in nodes.of_target(support.target, direction) {
                bearers[u].get_or_insert(id);
            }
        }
    }
    bearers
}

impl Deref for Motions {
    type Target = [Motion];

    fn deref(&self) -> &[Motion] {
        &self.list
    }
}

impl Motions {
    /// Motion `m` at `at`, from the last accepted `state`; one that has ended stays as it was.
    pub fn state_at(&self, m: usize, state: &State, at: Instant) -> MotionState {
        if state.motions[m].released {
            return state.motions[m];
        }
        let [value, rate, acceleration] = self.at(m, state, at);
        MotionState { value, rate, acceleration, released: false }
    }

    /// Change of motion `m` at `at` by the change `by` of `state`.
    pub fn change_at(&self, m: usize, (state, by): (&State, &State), at: Instant) -> MotionState {
        let motion = self.at(m, &Varied { now: state, by }, at);
        let [value, rate, acceleration] = motion.map(|x| x.eps);
        MotionState { value, rate, acceleration, released: false }
    }

    /// Displacement, rate and acceleration at `at`.
    ///
    /// A position that is an input follows its signal; of a rate or an acceleration that is an input
    /// the integrals are kept in the state.
    fn at<N: Numbers<State>>(&self, m: usize, state: &N, at: Instant) -> [N::Number; 3] {
        let known = |motion: [f64; 3]| motion.map(N::Number::from);
        let before = |of: fn(&MotionState) -> f64| state.get(|s| of(&s.motions[m]));
        match (&self[m].law, self[m].input) {
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
            (MotionLaw::Record { ground, scale, start }, _) => {
                known(ground.at(at.time - start).map(|x| scale * x))
            }
            (MotionLaw::Scaled { value, history }, _) => {
                known(history.at(at.time).map(|x| value * x))
            }
        }
    }

    /// Motions that will end and have not yet, with what they wait for.
    pub fn pending<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (usize, Until)> + 'a {
        let motions = self.iter().zip(&state.motions).enumerate();
        motions.filter_map(|(m, (motion, now))| {
            let waits = motion.release.filter(|_| !now.released)?;
            Some((m, waits))
        })
    }

    /// Unknowns that motions drive now, with the motion of each.
    pub fn driven<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (usize, usize)> + 'a {
        let motions = self.iter().zip(&state.motions).enumerate();
        motions
            .filter(|(_, (_, now))| !now.released)
            .flat_map(|(m, (motion, _))| motion.unknowns.iter().map(move |&u| (m, u)))
    }

    /// Which unknowns with an equation motions drive at `state`, with their accelerations.
    pub fn find_driven(&self, state: &State, driven: &mut Driven) {
        driven.clear();
        for (m, _) in self.pending(state) {
            for &u in &self[m].unknowns {
                driven.drive(u, state.motions[m].acceleration);
            }
        }
    }

    /// Puts every prescribed unknown where it was initially, at rest.
    pub fn fix_prescribed(&self, at: &mut Iterate) {
        for &(u, initial) in &self.prescribed {
            at.q.set(u, initial);
            at.acceleration[u] = 0.0;
            at.flow.regularisation(u, at.q.get(u), 0.0);
        }
    }

    /// Moves the unknowns of motion `m`, unless it has released them.
    pub fn move_prescribed(&self, at: &mut Iterate, m: usize, motion: MotionState) {
        if motion.released {
            return;
        }
        // Masses do not act in statics.
        let acceleration = if self.dynamic { motion.acceleration } else { 0.0 };
        let own = &self[m];
        for (&u, initial) in own.unknowns.iter().zip(&own.initial) {
            at.q.set(u, Position::from(*initial).plus(motion.value));
            at.acceleration[u] = acceleration;
            at.flow.regularisation(u, at.q.get(u), motion.rate);
            if at.driven[u].is_some() {
                at.driven.drive(u, acceleration);
            }
        }
    }

    /// Gives what motions drive their velocities and accelerations.
    pub fn give_rates(&self, state: &mut State) {
        for (motion, now) in self.iter().zip(&state.motions) {
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
    pub fn rest_fixed(&self, state: &mut State) {
        self.fixed.iter().for_each(|&u| state.rest(u));
    }

    /// Motions that inputs drive, behind a jump of inputs where the communication step of `state` begins.
    fn behind_jump<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (usize, MotionState)> {
        let point = Instant::of_communication(state.time);
        let driven = (0..self.len()).filter(|m| self[*m].input.is_some());
        driven.map(move |m| (m, self.state_at(m, state, point)))
    }

    /// Whether the rate or the acceleration of a motion is another there.
    pub fn jump(&self, state: &State) -> bool {
        self.rates_jump(state)
            || self
                .behind_jump(state)
                .any(|(m, now)| now.acceleration != state.motions[m].acceleration)
    }

    /// Whether the rate of one is.
    pub fn rates_jump(&self, state: &State) -> bool {
        self.behind_jump(state).any(|(m, now)| now.rate != state.motions[m].rate)
    }

    /// Writes the jumps of the rates of what motions drive, and no others.
    pub fn rate_jumps(&self, state: &State, jumps: &mut [f64]) {
        jumps.fill(0.0);
        for (m, now) in self.behind_jump(state) {
            let jump = now.rate - state.motions[m].rate;
            self[m].unknowns.iter().for_each(|&u| jumps[u] = jump);
        }
    }

    /// Gives what motions drive their rates behind the jump.
    pub fn jump_rates(&self, state: &mut State) {
        let point = Instant::of_communication(state.time);
        for m in (0..self.len()).filter(|m| self[*m].input.is_some()) {
            let rate = self.state_at(m, state, point).rate;
            state.motions[m].rate = rate;
            if !state.motions[m].released {
                self[m].unknowns.iter().for_each(|&u| state.velocity[u] = rate);
            }
        }
    }

    /// Gives motions their accelerations behind the jump.
    pub fn jump_accelerations(&self, state: &mut State) {
        let point = Instant::of_communication(state.time);
        for m in 0..self.len() {
            state.motions[m].acceleration = self.state_at(m, state, point).acceleration;
        }
    }
}
