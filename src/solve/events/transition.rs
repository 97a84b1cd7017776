//! Steps that are cut where a slider begins to stick or to slide, lifts off or touches down, meets a stop or a kink.
//!
//! Under a law that is set-valued at rest, in a step a slider either sticks, ds = 0 with |Q_s| ≤ μ_s F_N, or slides with the law's force
//! F_f = F_dry(|ṡ|) sgn ṡ and its viscous part, where ṡ is the velocity of the time integration at
//! the step's end and not (s − s_t)/Δt, so that the method keeps its order. A step over which that
//! changes is cut there:
//!
//! - a slider that sticks breaks away where |Q_s| reaches μ_s F_N,
//! - one that slides comes to rest where ṡ changes its sign.
//!
//! A contact that can open is closed over a whole step, or open, and a stop holds a slider or does not. The
//! step is cut, too,
//!
//! - where a closed contact, or a stop that holds, would begin to pull, or a slider leaves its path at an end,
//! - where the gap of an open contact vanishes, a slider reaches a stop, or a kink of its path: an impact.
//!
//! The place is found to [`SHARPNESS`] by regula falsi with the step's length as unknown. Where friction changes, an implicit
//! step says what sticks and slides from there on, see `implicit.rs`. Otherwise the accelerations start afresh, and which of
//! the sliders at rest stick is what fits together: none that sticks carries more than it bears, none that slides is driven
//! back. All sliders together.

use super::contact::{leave_path, turn_over};
use super::crossing::Condition;
use super::impact::Closing;
use crate::joints::regime::{Regime, Sense};
use crate::joints::slider::Kinematics;
use crate::laws::friction::Friction;
use crate::model::checked::Analysis;
use crate::numerics::root::Bracket;
use crate::solve::scheme::Scheme;
use crate::solve::stepper::{Jump, Rejected, Rest, Solved, Stepper};
use crate::system::{Along, Constraint, Instant, Slider, Sliding, State, System};

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

/// Trials of the search for an impact with constant accelerations.
const DRIFT_TRIALS: usize = 20;

/// Events in one step after which its rest is taken without a search, see `scheme.rs`: bounces that get shorter
/// and shorter have no last one.
const MOST: usize = 16;

impl Slider {
    /// How far beyond its transition the slider is: above 0 where it has passed.
    pub(crate) fn beyond(
        &self,
        own: &Sliding,
        law: &Friction,
        k: impl Fn() -> Kinematics,
        velocity: f64,
    ) -> f64 {
        match (own.constraint, own.along) {
            (Constraint::Path, Along::Slip(sense)) => -sense.sign() * velocity,
            (Constraint::Path, Along::Stick) => self.overload(law, &k(), &own.multipliers),
            _ => -1.0,
        }
    }

    /// The largest force along the path with which it can stick, N.
    fn bears(&self, law: &Friction, k: &Kinematics, multipliers: &[f64; 3]) -> f64 {
        let (normal, moment) = (k.signed_normal_force(multipliers), multipliers[2]);
        let along = k.tangential_force(multipliers);
        law.static_force(self.bearing.press_with(normal, moment, along).force)
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
    pub(crate) fn take_driven(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        if dynamic && system.has_events() {
            return self.take_through(system, state, h, end, watch);
        }
        let attempt = self.attempt(system, state, h, end);
        let outcome = match attempt {
            // As after events: what no step of generalized-α gets through, where what has no mass is thrown, say.
            Err(Rejected::Retry(_))
                if dynamic && self.halved && !system.guess_goes_too_far(state, h) =>
            {
                Err(Rejected::Struck)
            }
            Err(rejected) => return Err(rejected),
            Ok(()) => self.finish(system, state, h, end, Jump::None, watch),
        };
        match outcome {
            Err(Rejected::Struck) => {
                self.go_on_by(Scheme::Euler, state);
                self.attempt(system, state, h, end)?;
                self.finish(system, state, h, end, Jump::Transition, watch)?;
                self.end_implicit(system, state);
            }
            outcome => {
                outcome?;
                self.note(system, state);
            }
        }
        Ok(())
    }

    /// Takes a step of length `h` that ends at `end` in as many parts as there are events.
    pub(super) fn take_through(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let (mut done, mut parts) = (0.0, 0);
        self.scheme = Scheme::Alpha;
        while done < h {
            let length = h - done;
            let rest = Rest { length, end };
            self.keep_beginning(system, state);
            if parts > 0 && length < BORDER * h {
                if !self.drift_meets(system, state, rest) {
                    self.drift(system, state, length, rest.until(length));
                    break;
                }
                if parts < MOST && self.scheme != Scheme::Complementary {
                    let taken = self.drift_to_impact(system, state, rest);
                    done = if taken == length { h } else { done + taken };
                    parts += 1;
                    continue;
                }
                self.go_on_by(Scheme::Complementary, state);
            }
            let scheme = self.scheme;
            let taken = self.take_part(system, state, rest, watch)?;
            done = if taken == length { h } else { done + taken };
            parts += 1;
            let stays = taken == 0.0 && scheme == self.scheme && !self.regimes_change(state);
            if done < h && (stays || parts == MOST) {
                self.go_on_by(Scheme::Complementary, state);
            }
        }
        if self.scheme != Scheme::Alpha {
            self.end_implicit(system, state);
        }
        Ok(())
    }

    fn regimes_change(&self, state: &State) -> bool {
        let mut both = self.crossing.regimes.iter().zip(&state.sliders);
        both.any(|(regime, slider)| *regime != slider.regime)
    }

    /// Steps to the first event, or over the whole `rest` where there is none; returns the length.
    fn take_part(
        &mut self,
        system: &System,
        state: &mut State,
        whole: Rest,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<f64, Rejected> {
        let Rest { length: rest, .. } = whole;
        let until = |length: f64| whole.until(length);
        let attempt = self.attempt(system, state, rest, until(rest));
        if let (Err(Rejected::Retry(_)), Some(scheme)) = (&attempt, self.scheme.instead())
            && (self.scheme != Scheme::Alpha || self.halved)
            && !system.guess_goes_too_far(state, rest)
        {
            self.go_on_by(scheme, state);
            return Ok(0.0);
        }
        attempt?;
        let alpha = self.scheme == Scheme::Alpha;
        if self.scheme != Scheme::Complementary {
            self.look_at_end(system);
        }
        let any = self.scheme != Scheme::Complementary && self.crossing.any();
        if alpha
            && !any
            && let Some(share) = self.first_dip(system, state, rest)
            && (BORDER..=1.0 - BORDER).contains(&share)
        {
            let length = share * rest;
            let end = until(length);
            return self.take_part(system, state, Rest { length, end }, watch);
        }
        if !any && alpha && self.friction_gives(system) {
            self.go_on_by(Scheme::Euler, state);
            return Ok(0.0);
        }
        if !any {
            if self.scheme == Scheme::Euler && !self.compute_by_alpha(system, state, whole) {
                self.attempt(system, state, rest, until(rest))?;
            }
            let jump = if alpha { Jump::None } else { Jump::Transition };
            self.finish(system, state, rest, until(rest), jump, watch)?;
            if self.scheme == Scheme::Alpha {
                let time = if alpha { state.time } else { self.changed };
                self.note_at(system, state, time);
            }
            return Ok(rest);
        }
        self.keep_begin(state);
        let sharp = self.crossing.any_sharp();
        let share = self.locate(system, state, whole, sharp)?;
        let border = beginning(system, rest);
        let solved = if share >= 1.0 - border && !sharp {
            self.attempt(system, state, rest, until(rest))?;
            self.crossing.now.copy_from_slice(&self.crossing.over);
            rest
        } else if share > border {
            share * rest
        } else {
            0.0
        };
        let at = until(solved);
        let jump = if self.crossing.is_impact(system) {
            Jump::Impact
        } else {
            Jump::Transition
        };
        if solved > 0.0 && self.scheme == Scheme::Alpha && self.friction_gives(system) {
            self.go_on_by(Scheme::Euler, state);
            return Ok(0.0);
        }
        let friction = solved < rest && self.crossing.is_friction();
        let mut length = solved;
        if solved > 0.0 {
            self.finish(system, state, solved, at, jump, watch)?;
        } else {
            let (h, end) = (0.0, at);
            watch(self, state, &Solved { h, end, jump });
            if sharp && !friction {
                length = share * rest;
                self.drift(system, state, length, until(length));
            }
        }
        if friction {
            self.go_on_by(Scheme::Euler, state);
            return Ok(solved);
        }
        self.change_regimes(system, state);
        self.note(system, state);
        Ok(length)
    }

    /// Share of the step at which the first of the broken conditions is met with equality; the iterate
    /// is then the solution there, unless it is at the very beginning or end. Where one is `sharp`,
    /// the end is no exception, and the share is good also at the beginning: a step that ended beyond
    /// its obstacle would not know how to get back.
    fn locate(
        &mut self,
        system: &System,
        state: &State,
        whole: Rest,
        sharp: bool,
    ) -> Result<f64, Rejected> {
        let rest = whole.length;
        self.load_state(system, state, rest);
        let mut values = std::mem::take(&mut self.crossing.before);
        self.measure(system, Some(&state.velocity), &mut values);
        self.crossing.before = values;
        let border = beginning(system, rest);
        let before = self.crossing.largest(&self.crossing.before, false);
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
            let f = self.measure_now(system, false);
            bracket.narrow(share, f);
            let (low, high) = (bracket.low[0], bracket.high[0]);
            if high <= border && sharp {
                return Ok(self.locate_in_drift(system, state, whole, high));
            }
            if high <= border || (low >= 1.0 - border && !sharp) {
                return Ok(high);
            }
            if f.abs() <= SHARPNESS {
                return Ok(share);
            }
        }
        Ok(share)
    }

    /// The largest excess in the iterate of the conditions that the step breaks, or of the `sharp` among them.
    fn measure_now(&mut self, system: &System, sharp: bool) -> f64 {
        let mut now = std::mem::take(&mut self.crossing.now);
        self.measure(system, None, &mut now);
        let largest = self.crossing.largest(&now, sharp);
        self.crossing.now = now;
        largest
    }

    /// Share of the step, up to `most`, at which the first impact happens where accelerations stay what they are.
    fn locate_in_drift(&mut self, system: &System, state: &State, whole: Rest, most: f64) -> f64 {
        let at = |stepper: &mut Stepper, share: f64| {
            let length = share * whole.length;
            stepper.place_drift(system, state, length, whole.until(length));
            system.place_feet(&mut stepper.at);
            stepper.measure_now(system, true)
        };
        let [before, beyond] = [0.0, most].map(|share| at(self, share));
        if before >= 0.0 || beyond <= 0.0 {
            return if beyond > 0.0 { 0.0 } else { most };
        }
        let mut bracket = Bracket::new([0.0, before], [most, beyond]);
        for _ in 0..DRIFT_TRIALS {
            let share = bracket.trial();
            let f = at(self, share);
            bracket.narrow(share, f);
            if f.abs() <= SHARPNESS {
                return share;
            }
        }
        at(self, bracket.high[0]);
        bracket.high[0]
    }

    /// Whether there is an impact where `state` runs on with constant accelerations over the `rest` of a step.
    fn drift_meets(&mut self, system: &System, state: &State, rest: Rest) -> bool {
        self.load_state(system, state, rest.length);
        self.place_drift(system, state, rest.length, rest.until(rest.length));
        system.place_feet(&mut self.at);
        self.look_at_end(system);
        self.crossing.keep_sharp();
        self.crossing.any()
    }

    /// Runs on to the first impact; returns how long, s.
    fn drift_to_impact(&mut self, system: &System, state: &mut State, rest: Rest) -> f64 {
        let taken = self.locate_in_drift(system, state, rest, 1.0) * rest.length;
        self.keep_begin(state);
        self.drift(system, state, taken, rest.until(taken));
        self.change_regimes(system, state);
        self.note(system, state);
        taken
    }

    /// Gives the sliders that are at an event a new regime, and `state` the velocities and accelerations that
    /// go with it.
    fn change_regimes(&mut self, system: &System, state: &mut State) {
        self.note_touching(system, state);
        self.impacts.meets.fill(false);
        for (j, slider) in system.sliders.iter().enumerate() {
            let there = |condition| self.crossing.is_there(condition, j);
            let s = slider.coordinate;
            let mut meets = false;
            let flies = state.sliders[j].regime.is_open();
            if there(Condition::Contact) && flies && system.has_missed(j, &state.q) {
                state.sliders[j].regime = Regime::Passed;
            } else if there(Condition::Contact) {
                // What leaves its path meets nothing on it.
                meets = flies;
                self.touching[j] = true;
                turn_over(state, j);
            } else if there(Condition::Kink) {
                meets = true;
                if let Some(kink) = self.crossing.kinks[j] {
                    state.q.set(s, kink.behind());
                }
            } else if there(Condition::Stop) && slider.leaves() {
                self.touching[j] = false;
                leave_path(system, state, j);
            } else if there(Condition::Stop) {
                let regime = state.sliders[j].regime;
                state.sliders[j].regime = match (regime, slider.stop_near(state.q[s])) {
                    (Regime::AtStop(_), _) | (_, None) => Regime::default(),
                    (_, Some(end)) => {
                        meets = true;
                        state.q.set(s, slider.path.end(end));
                        Regime::AtStop(end)
                    }
                };
            }
            self.impacts.meets[j] = meets;
        }
        if self.impacts.meets.contains(&true) {
            self.collide(system, state, true);
            return;
        }
        let mut caught = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            if !self.crossing.is_there(Condition::Friction, j) || state.sliders[j].regime.is_open()
            {
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
        let _ = self.agree(system, state);
    }
}
