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

use super::contact::turn_over;
use super::impact::Closing;
use super::stepper::{Jump, Rejected, Rest, Solved, Stepper};
use crate::joints::regime::{Regime, Sense};
use crate::joints::slider::Kinematics;
use crate::laws::friction::Friction;
use crate::model::checked::Analysis;
use crate::numerics::root::Bracket;
use crate::system::{Along, Constraint, Instant, Slider, Sliding, State, System, SystemFault};

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

/// Overload that is rounding.
const ROUNDING: f64 = 1e-12;

/// Transitions in one step after which sliders that stick go on sticking: a mechanism that jams holds
/// with more than its friction. Where one that slides would be driven back, the return map decides.
/// Contacts are then opened and closed as the end of the step asks for.
const MOST: usize = 16;

impl Slider {
    /// How far beyond its transition the slider is: above 0 where it has passed.
    fn beyond(&self, own: &Sliding, law: &Friction, k: &Kinematics, velocity: f64) -> f64 {
        match (own.constraint, own.along) {
            (Constraint::Path, Along::Slip(sense)) => -sense.sign() * velocity,
            (Constraint::Path, Along::Stick) => self.overload(law, k, &own.multipliers),
            _ => -1.0,
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
}

impl Stepper {
    /// Takes a step in which no motion lets go.
    pub(super) fn take_driven(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        if dynamic && system.has_transitions() {
            return self.take_through(system, state, h, end, watch);
        }
        self.attempt(system, state, h, end)?;
        self.finish(system, state, h, end, Jump::None, watch)?;
        Ok(())
    }

    /// Takes a step of length `h` that ends at `end` in as many parts as there are transitions.
    pub(super) fn take_through(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let mut done = 0.0;
        let mut parts = 0;
        while done < h {
            let length = h - done;
            let rest = Rest { length, end };
            if parts > 0 && length < BORDER * h && self.touching.contains(&true) {
                self.drift(system, state, length, rest.until(length));
                return Ok(());
            }
            self.keep_regimes(state);
            let taken = self.take_part(system, state, rest, parts < MOST, watch)?;
            done = if taken == length { h } else { done + taken };
            parts += 1;
            if h - done == length && !self.regimes_change(state) {
                // The same again for ever.
                parts = MOST;
            }
        }
        Ok(())
    }

    fn keep_regimes(&mut self, state: &State) {
        for (regime, slider) in self.crossing.regimes.iter_mut().zip(&state.sliders) {
            *regime = slider.regime;
        }
    }

    fn regimes_change(&self, state: &State) -> bool {
        let mut both = self.crossing.regimes.iter().zip(&state.sliders);
        both.any(|(regime, slider)| *regime != slider.regime)
    }

    /// Steps to the first transition, or over the whole `rest` where there is none or they are not
    /// looked for any more; returns the length. Where a slider meets an obstacle velocities say nothing:
    /// its impact comes first. Contacts open before: what leaves its path meets nothing on it.
    fn take_part(
        &mut self,
        system: &System,
        state: &mut State,
        whole: Rest,
        search: bool,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<f64, Rejected> {
        let Rest { length: rest, .. } = whole;
        let until = |length: f64| whole.until(length);
        self.attempt(system, state, rest, until(rest))?;
        let mut over = std::mem::take(&mut self.crossing.over);
        self.measure(system, &mut over);
        let passes = over.iter().any(|beyond| *beyond > 0.0);
        self.crossing.over = over;
        let contacts = self.crossing.contacts().next().is_some();
        let passes = passes && (contacts || !self.meets_obstacle(system, state));
        for (j, pull) in self.crossing.pull.iter_mut().enumerate() {
            let k = system.kinematics(j, &self.at.q, None);
            *pull = k.tangential_force(&self.at.sliders[j].multipliers);
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
        let lands = self
            .crossing
            .contacts()
            .any(|j| self.at.sliders[j].constraint == Constraint::Open);
        let share = self.locate(system, state, whole, lands)?;
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
        self.change_regimes(system, state);
        self.note(system, state);
        Ok(length)
    }

    /// Whether a slider that slides has passed its rest in the iterate.
    fn slides_back(&self) -> bool {
        let mut passed = self.at.sliders.iter().zip(&self.crossing.over);
        passed.any(|(own, over)| *over > 0.0 && matches!(own.along, Along::Slip(_)))
    }

    /// How far beyond its transitions each slider is in the iterate: above 0 where it has passed.
    fn measure(&self, system: &System, beyond: &mut [f64]) {
        let (sliding, contact) = beyond.split_at_mut(system.sliders.len());
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            let k = system.kinematics(j, &self.at.q, None);
            let velocity = own.velocity.at(self.at.q[slider.coordinate]);
            sliding[j] = slider.beyond(own, self.at.tuning.friction(j), &k, velocity);
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
        whole: Rest,
        lands: bool,
    ) -> Result<f64, Rejected> {
        let rest = whole.length;
        self.load_state(system, state, rest);
        let (sliders, scale) = (system.sliders.len(), self.work.force_scale);
        for (j, slider) in system.sliders.iter().enumerate() {
            let k = system.kinematics(j, &state.q, None);
            let velocity = state.velocity[slider.coordinate];
            let law = state.tuning.friction(j);
            self.crossing.before[j] = slider.beyond(&self.at.sliders[j], law, &k, velocity);
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
            self.attempt(system, state, share * rest, whole.until(share * rest))?;
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

    /// Gives the sliders that are at a transition a new regime, and `state` the accelerations that
    /// go with it.
    fn change_regimes(&mut self, system: &System, state: &mut State) {
        self.note_touching(system, state);
        let sliders = system.sliders.len();
        let mut landed = false;
        for j in (0..sliders).filter(|j| self.crossing.is_there(sliders + j)) {
            landed |= state.sliders[j].regime.is_open();
            self.touching[j] = true;
            turn_over(state, j);
        }
        if landed {
            self.land(system, state);
            return;
        }
        let mut caught = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            if !self.crossing.is_there(j) || state.sliders[j].regime.is_open() {
                continue;
            }
            state.sliders[j].regime = if state.sliders[j].regime.sticks() {
                Regime::Slip(Sense::pushed(self.crossing.pull[j]))
            } else {
                state.velocity[slider.coordinate] = 0.0;
                caught = true;
                Regime::Stick
            };
        }
        if caught {
            // At the border of a step it was not quite at rest, nor are the nodes then.
            self.close_velocities(system, state, system.model.solver.step, Closing::Caught);
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
                if !slider.cuts {
                    continue;
                }
                let (s, law) = (slider.coordinate, state.tuning.friction(j));
                let regime = state.sliders[j].regime;
                let k = system.kinematics(j, &state.q, None);
                let next = match regime {
                    Regime::Stick if slider.overload(law, &k, &state.multipliers[j]) > ROUNDING => {
                        Regime::Slip(system.pushed(state, j))
                    }
                    Regime::Slip(sense)
                        if state.velocity[s] == 0.0
                            && sense.sign() * state.acceleration[s] < 0.0
                            && round < system.sliders.len() =>
                    {
                        if slider.bears(law, &k, &state.multipliers[j]) > 0.0 {
                            Regime::Stick
                        } else {
                            Regime::Slip(sense.reversed())
                        }
                    }
                    same => same,
                };
                changed |= next != regime;
                state.sliders[j].regime = next;
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

    /// The regimes that the velocities of a start or of an impact ask for.
    pub(super) fn set_regimes(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), SystemFault> {
        let fastest = state.velocity.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let mut any = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            any |= slider.side.is_some();
            if !slider.cuts || state.sliders[j].regime.is_open() {
                continue;
            }
            any = true;
            let v = &mut state.velocity[slider.coordinate];
            if v.abs() <= system.still().max(1e-9 * fastest) {
                *v = 0.0;
            }
            let regime = &mut state.sliders[j].regime;
            *regime = match *regime {
                Regime::AtStop(_) => *regime,
                _ if *v == 0.0 => Regime::Stick,
                _ => Regime::Slip(Sense::of(*v)),
            };
        }
        if any {
            self.agree(system, state)
        } else {
            self.set_accelerations(system, state)
        }
    }
}
