//! Steps that are cut where a slider begins to stick or to slide, lifts off or touches down.
//!
//! Under a law that is set-valued at rest, in a step a slider either sticks, ds = 0 with |Q_s| ≤ μ_s F_N, or slides with the law's force
//! F_f = F_dry(|ṡ|) sgn ṡ and its viscous part, where ṡ is the velocity of the time integration at
//! the step's end and not (s − s_t)/Δt, so that the method keeps its order. A step over which that
//! changes is cut there:
//!
//! - a slider that sticks breaks away where |Q_s| reaches μ_s F_N,
//! - one that slides comes to rest where ṡ changes its sign.
//!
//! A contact that can open is closed over a whole step, or open. The step is cut, too,
//!
//! - where a closed one would begin to pull,
//! - where the gap of an open one vanishes; what happens then is in `contact.rs`.
//!
//! The place is found to [`SHARPNESS`] by regula falsi with the step's length as unknown. From it the
//! accelerations start afresh, and which of the sliders at rest stick is what fits together: none
//! that sticks carries more than it bears, none that slides is driven back. All sliders together.

use super::alpha::{Before, Weights};
use super::contact::turn_over;
use super::step::{Jump, Rejected, Solved, Stepper};
use crate::joints::slider::Kinematics;
use crate::laws::friction::Friction;
use crate::numerics::root::Bracket;
use crate::system::{Glide, Instant, Phase, Slider, SliderState, State, System, SystemFault};

/// Share of a step to which the place of a transition is found.
const SHARPNESS: f64 = 1e-9;

/// Share of a step within which a transition is taken for one at its beginning or end: steps much
/// shorter than the others give rough accelerations, and still shorter ones none, as inertia drowns the
/// stiffness of what has no mass.
const BORDER: f64 = 0.02;

/// Share of the `rest` of a step within which a transition is taken for one at its beginning.
fn beginning(system: &System, rest: f64) -> f64 {
    (BORDER * system.model.solver.step / rest).clamp(BORDER, 0.5)
}

/// Transitions closer together than this share of what is passed in the step are one.
const TOGETHER: f64 = 1e-3;

/// Overload that is rounding.
const ROUNDING: f64 = 1e-12;

/// Transitions in one step after which sliders that stick go on sticking: a mechanism that jams holds
/// with more than its friction. Where one that slides would be driven back, the return map decides.
/// Contacts are then opened and closed as the end of the step asks for.
const MOST: usize = 16;

impl Glide {
    /// Over a step of length `h`, for a slider that was at `before`.
    pub(super) fn of(weights: Option<&Weights>, h: f64, phase: Phase, before: &Before) -> Glide {
        let simple = Glide {
            origin: before.q,
            factor: 1.0 / h,
            phase,
        };
        let (Phase::Slides(_), Some(w)) = (phase, weights) else {
            return simple;
        };
        let unmoved = w.velocity(h, w.algorithmic(h, before.q, before), before);
        let factor = w.gamma / (w.beta * h);
        Glide {
            origin: before.q - unmoved / factor,
            factor,
            phase,
        }
    }
}

impl Slider {
    /// How far beyond its transition the slider is: above 0 where it has passed.
    fn beyond(
        &self,
        phase: Phase,
        law: &Friction,
        k: &Kinematics,
        multipliers: &[f64; 3],
        velocity: f64,
    ) -> f64 {
        match phase {
            Phase::Law => -1.0,
            Phase::Slides(direction) => -direction * velocity,
            Phase::Sticks => self.overload(law, k, multipliers),
        }
    }

    /// The largest force along the path with which it can stick, N.
    fn bears(&self, law: &Friction, k: &Kinematics, multipliers: &[f64; 3]) -> f64 {
        let normal_force = k.pressing(multipliers, self.leverage).force;
        law.static_force(normal_force)
    }

    /// |Q_s|/(μ_s F_N) − 1 of a slider that sticks; where nothing can hold it, any force is too much.
    fn overload(&self, law: &Friction, k: &Kinematics, multipliers: &[f64; 3]) -> f64 {
        let force = k.tangential_force(multipliers).abs();
        let bears = self.bears(law, k, multipliers);
        if force <= bears {
            // Nothing holds where nothing presses, and nothing has to.
            if bears > 0.0 {
                force / bears - 1.0
            } else {
                0.0
            }
        } else {
            force / bears.max(f64::MIN_POSITIVE) - 1.0
        }
    }

    /// What its last state says about the next step.
    pub(super) fn phase(&self, state: &SliderState) -> Phase {
        if !self.cuts || state.open {
            Phase::Law
        } else if state.stop != 0 || state.direction == 0 {
            // At a stop, once it does not press any more.
            Phase::Sticks
        } else {
            Phase::Slides(f64::from(state.direction))
        }
    }
}

/// Room for the search of transitions: for each slider how far it is beyond sticking or sliding, then
/// for each slider how far its contact is beyond opening or closing.
#[derive(Debug, Clone)]
pub(super) struct Crossing {
    /// The state at the beginning of the whole step.
    begin: State,
    /// At the end of the part of the step that is tried.
    over: Vec<f64>,
    /// Phases before a transition.
    phases: Vec<(bool, i8)>,
    /// Force along the path there, N: which way a slider breaks away.
    pull: Vec<f64>,
    /// At its beginning.
    before: Vec<f64>,
    /// Where the search stands.
    now: Vec<f64>,
}

impl Crossing {
    pub(super) fn new(system: &System) -> Crossing {
        let sliders = system.sliders.len();
        let none = vec![-1.0; 2 * sliders];
        Crossing {
            begin: State::as_drawn(system, &vec![0.0; system.model.inputs.len()]),
            over: none.clone(),
            phases: vec![(false, 0); sliders],
            pull: vec![0.0; sliders],
            before: none.clone(),
            now: none,
        }
    }

    /// Whether transition `j` is where the search has ended.
    fn is_there(&self, j: usize) -> bool {
        self.over[j] > 0.0 && self.now[j] / self.over[j] >= self.largest(&self.now) - TOGETHER
    }

    /// Contacts that pass a transition in the step, by slider.
    fn contacts(&self) -> impl Iterator<Item = usize> + '_ {
        let sliders = self.pull.len();
        (0..sliders).filter(move |&j| self.over[sliders + j] > 0.0)
    }

    /// The largest of `beyond` over those that pass a transition in the step, relative to its end.
    fn largest(&self, beyond: &[f64]) -> f64 {
        (beyond.iter().zip(&self.over))
            .filter(|(_, over)| **over > 0.0)
            .map(|(beyond, over)| beyond / over)
            .fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Stepper {
    /// Takes a step of length `h` that ends at `end` in as many parts as there are transitions.
    pub(super) fn take_through(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        self.crossing.begin.copy_from(state);
        let events = self.events.count();
        let mut done = 0.0;
        let mut parts = 0;
        while done < h {
            let rest = h - done;
            let until = |length: f64| Instant {
                time: end.time - (rest - length),
                elapsed: end.elapsed - (rest - length),
                elapsed_before: end.elapsed - rest,
            };
            if parts > 0 && rest < BORDER * h && self.touching.contains(&true) {
                self.drift(system, state, rest, until(rest));
                return Ok(());
            }
            self.keep_phases(state);
            match self.take_part(system, state, rest, &until, parts < MOST, watch) {
                Ok(length) if length == rest => done = h,
                Ok(length) => done += length,
                Err(rejected) => {
                    if let Rejected::Retry(_) = rejected {
                        state.copy_from(&self.crossing.begin);
                        self.events.go_back(system, state, events);
                    }
                    return Err(rejected);
                }
            }
            parts += 1;
            if h - done == rest && !self.phases_change(state) {
                // The same again for ever.
                parts = MOST;
            }
        }
        Ok(())
    }

    fn keep_phases(&mut self, state: &State) {
        for (phase, slider) in self.crossing.phases.iter_mut().zip(&state.sliders) {
            *phase = (slider.open, slider.direction);
        }
    }

    fn phases_change(&self, state: &State) -> bool {
        let mut both = self.crossing.phases.iter().zip(&state.sliders);
        both.any(|(phase, slider)| *phase != (slider.open, slider.direction))
    }

    /// Steps to the first transition, or over the whole `rest` where there is none or they are not
    /// looked for any more; returns the length. Where a slider meets an obstacle velocities say nothing:
    /// its impact comes first. Contacts open before: what leaves its path meets nothing on it.
    fn take_part(
        &mut self,
        system: &System,
        state: &mut State,
        rest: f64,
        until: &impl Fn(f64) -> Instant,
        search: bool,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<f64, Rejected> {
        self.attempt(system, state, rest, until(rest))?;
        let mut over = std::mem::take(&mut self.crossing.over);
        self.measure(system, &mut over);
        let passes = over.iter().any(|beyond| *beyond > 0.0);
        self.crossing.over = over;
        let contacts = self.crossing.contacts().next().is_some();
        let passes = passes && (contacts || !self.meets_obstacle(system, state));
        for (j, pull) in self.crossing.pull.iter_mut().enumerate() {
            let k = system.kinematics(j, &self.at.q, None);
            *pull = k.tangential_force(&self.at.multipliers[j]);
        }
        if passes && !search {
            if self.slides_back() {
                self.take_by_return_map(system, state, rest, until(rest), watch)?;
                return Ok(rest);
            }
            if contacts {
                self.attempt_complementary(system, state, rest, until(rest))?;
            }
        }
        if !passes || !search {
            self.finish(system, state, rest, until(rest), Jump::None, watch)?;
            return Ok(rest);
        }
        let lands = self.crossing.contacts().any(|j| self.at.open[j]);
        let share = self.locate(system, state, rest, until, lands)?;
        let solved = if share >= 1.0 - BORDER && !lands {
            self.attempt(system, state, rest, until(rest))?;
            self.crossing.now.copy_from_slice(&self.crossing.over);
            rest
        } else if share > beginning(system, rest) {
            share * rest
        } else {
            0.0
        };
        let (at, jump) = (until(solved), Jump::Transition);
        let mut length = solved;
        if solved > 0.0 {
            if self.finish(system, state, solved, at, jump, watch)? == Jump::Impact {
                return Ok(solved);
            }
        } else {
            let (h, end) = (0.0, at);
            watch(self, state, &Solved { h, end, jump });
            if lands {
                length = share * rest;
                self.drift(system, state, length, until(length));
            }
        }
        self.change_phases(system, state);
        self.note(system, state);
        Ok(length)
    }

    /// Whether a slider that slides has passed its rest in the iterate.
    fn slides_back(&self) -> bool {
        let mut passed = self.at.glides.iter().zip(&self.crossing.over);
        passed.any(|(glide, over)| *over > 0.0 && matches!(glide.phase, Phase::Slides(_)))
    }

    /// How far beyond its transitions each slider is in the iterate: above 0 where it has passed.
    fn measure(&self, system: &System, beyond: &mut [f64]) {
        let (sliding, contact) = beyond.split_at_mut(system.sliders.len());
        for (j, slider) in system.sliders.iter().enumerate() {
            let glide = &self.at.glides[j];
            let k = system.kinematics(j, &self.at.q, None);
            let velocity = glide.velocity(self.at.q[slider.coordinate]);
            let held = self.at.stops[j] != 0;
            let phase = if held { Phase::Law } else { glide.phase };
            let law = self.at.tuning.friction(j);
            sliding[j] = slider.beyond(phase, law, &k, &self.at.multipliers[j], velocity);
            contact[j] = system.beyond_contact(j, &self.at, self.work.force_scale);
        }
    }

    /// Share of the step at which the first of the transitions that lie in it happens; the iterate
    /// is then the solution there, unless it is at the very beginning or end. Where something `lands`,
    /// the end is no exception, and the share is good also at the beginning: a step that ended beyond
    /// its obstacle would not know how to get back.
    fn locate(
        &mut self,
        system: &System,
        state: &State,
        rest: f64,
        until: &impl Fn(f64) -> Instant,
        lands: bool,
    ) -> Result<f64, Rejected> {
        self.load_state(system, state, rest);
        let (sliders, scale) = (system.sliders.len(), self.work.force_scale);
        for (j, slider) in system.sliders.iter().enumerate() {
            let k = system.kinematics(j, &state.q, None);
            let velocity = state.velocity[slider.coordinate];
            let stopped = state.sliders[j].stop != 0;
            let phase = if stopped {
                Phase::Law
            } else {
                slider.phase(&state.sliders[j])
            };
            let law = state.tuning.friction(j);
            self.crossing.before[j] =
                slider.beyond(phase, law, &k, &state.multipliers[j], velocity);
            self.crossing.before[sliders + j] = system.beyond_contact(j, &self.at, scale);
        }
        let border = beginning(system, rest);
        let before = self.crossing.largest(&self.crossing.before);
        if before >= 0.0 {
            self.crossing.now.copy_from_slice(&self.crossing.before);
            return Ok(0.0);
        }
        let mut bracket = Bracket::new([0.0, before], [1.0, 1.0]);
        let mut share = 1.0;
        while bracket.width() > SHARPNESS {
            share = bracket.trial();
            if bracket.low[0] == 0.0 {
                share = share.max(border);
            }
            self.attempt(system, state, share * rest, until(share * rest))?;
            let mut now = std::mem::take(&mut self.crossing.now);
            self.measure(system, &mut now);
            let f = self.crossing.largest(&now);
            self.crossing.now = now;
            bracket.narrow(share, f);
            let ([low, f_low], [high, f_high]) = (bracket.low, bracket.high);
            if high <= border && lands {
                return Ok(high * f_low / (f_low - f_high));
            }
            if high <= border || (low >= 1.0 - BORDER && !lands) {
                return Ok(high);
            }
            if f.abs() <= SHARPNESS {
                return Ok(share);
            }
        }
        Ok(share)
    }

    /// Gives the sliders that are at a transition a new phase, and `state` the accelerations that
    /// go with it.
    fn change_phases(&mut self, system: &System, state: &mut State) {
        self.note_touching(system, state);
        let sliders = system.sliders.len();
        let mut landed = false;
        for j in (0..sliders).filter(|j| self.crossing.is_there(sliders + j)) {
            landed |= state.sliders[j].open;
            self.touching[j] = true;
            turn_over(state, j);
        }
        if landed {
            self.land(system, state);
            return;
        }
        let mut caught = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            if !self.crossing.is_there(j) || state.sliders[j].open {
                continue;
            }
            if state.sliders[j].direction == 0 {
                state.sliders[j].direction = if self.crossing.pull[j] > 0.0 { 1 } else { -1 };
            } else {
                state.velocity[slider.coordinate] = 0.0;
                state.sliders[j].direction = 0;
                caught = true;
            }
            state.sliders[j].sticking = state.sliders[j].direction == 0;
        }
        if caught {
            // At the border of a step it was not quite at rest, nor are the nodes then.
            self.close_velocities(system, state, system.model.solver.step, true);
        }
        // A mechanism that jams may have none: as after an impact, rest is then the better guess.
        if self.agree(system, state).is_err() {
            self.go_on_from_rest(state);
        }
    }

    /// Decides for every slider at rest whether it sticks, from the accelerations that follow.
    pub(super) fn agree(&mut self, system: &System, state: &mut State) -> Result<(), SystemFault> {
        for round in 0..system.most_rounds() {
            self.set_accelerations(system, state)?;
            if self.contacts_accelerate(system, state, round) {
                continue;
            }
            let mut changed = false;
            for (j, slider) in system.sliders.iter().enumerate() {
                let held = state.sliders[j].stop != 0 || state.sliders[j].open;
                if !slider.cuts || held {
                    continue;
                }
                let (s, law) = (slider.coordinate, state.tuning.friction(j));
                let direction = f64::from(state.sliders[j].direction);
                if direction == 0.0 {
                    let k = system.kinematics(j, &state.q, None);
                    if slider.overload(law, &k, &state.multipliers[j]) > ROUNDING {
                        let force = k.tangential_force(&state.multipliers[j]);
                        state.sliders[j].direction = if force > 0.0 { 1 } else { -1 };
                        changed = true;
                    }
                } else if state.velocity[s] == 0.0
                    && direction * state.acceleration[s] < 0.0
                    && round < system.sliders.len()
                {
                    let k = system.kinematics(j, &state.q, None);
                    let holds = slider.bears(law, &k, &state.multipliers[j]) > 0.0;
                    let back = -state.sliders[j].direction;
                    state.sliders[j].direction = if holds { 0 } else { back };
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
        Err(SystemFault(
            "the mechanism cannot start: what sticks, what slides and what lifts off do not fit \
             together; look for a mechanism that jams, or take another `transition`"
                .into(),
        ))
    }

    /// The phases that the velocities of a start or of an impact ask for.
    pub(super) fn set_phases(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), SystemFault> {
        let fastest = state.velocity.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let mut any = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            any |= slider.side.is_some();
            if !slider.cuts || state.sliders[j].open {
                continue;
            }
            any = true;
            let v = &mut state.velocity[slider.coordinate];
            if v.abs() <= 1e-9 * fastest {
                *v = 0.0;
            }
            state.sliders[j].direction = if *v == 0.0 { 0 } else { v.signum() as i8 };
        }
        if any {
            self.agree(system, state)
        } else {
            self.set_accelerations(system, state)
        }
    }
}
