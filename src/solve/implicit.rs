//! Steps that end by the implicit Euler method.
//!
//! They are those in which friction changes or would give energy. The implicit step says what sticks and what slides, and
//! generalized-α computes with that where it breaks no condition; see `scheme.rs`.

use super::scheme::Scheme;
use super::stepper::Stepper;
use super::tolerances::TRIALS_OF_ALPHA;
use crate::joints::regime::{Regime, Sense};
use crate::newton::Newton;
use crate::solve::events::impact::Closing;
use crate::system::{Along, Constraint, Span, State, System};

impl Newton {
    /// Whether friction of a slider has driven it in the step that is in the iterate.
    pub(super) fn friction_drives(&self, system: &System) -> bool {
        let all = system.sliders.iter().zip(&self.at.sliders);
        let mut all = all.zip(&self.work.sliders);
        all.any(|((slider, own), found)| {
            let against = match (own.constraint, own.along) {
                (Constraint::Path, Along::Slip(sense)) => sense.sign(),
                (Constraint::Path, Along::Law) if slider.creeps => found.state.friction.signum(),
                _ => return false,
            };
            let slid = self.at.q.get(slider.coordinate).displacement_from(own.before);
            against * slid < -slider.rounding()
        })
    }

    /// Gives sliders in `state` the regimes of the solution over a time `h` that is in the iterate; whether they can begin with them.
    fn takes_regimes(&self, system: &System, state: &mut State, h: f64) -> bool {
        let still = system.model.solver.position_tolerance * system.size / h;
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &mut state.sliders[j];
            let driven = matches!(self.at.sliders[j].along, Along::Driven(_));
            if !slider.cuts || driven || own.regime.is_open() || own.regime.is_stopped() {
                continue;
            }
            let v = &mut state.velocity[slider.coordinate];
            let slid =
                (self.at.q.get(slider.coordinate)).displacement_from(self.at.sliders[j].before);
            own.regime = match self.work.sliders[j].state.regime {
                Regime::Slip(_) if slid * *v >= -still * slid.abs() => {
                    Regime::Slip(Sense::of(slid))
                }
                Regime::Stick if v.abs() <= still => {
                    *v = 0.0;
                    Regime::Stick
                }
                _ => return false,
            };
        }
        true
    }
}

impl Stepper {
    /// Goes on by another `scheme` from `state`.
    pub(super) fn switch_to(&mut self, scheme: Scheme, state: &State) {
        if self.integrator.scheme == Scheme::Alpha {
            self.changed = state.time;
        }
        self.integrator.scheme = scheme;
    }

    /// Solves the `rest` of a step from `state` by generalized-α, with what sticks and what slides in the solution by implicit
    /// Euler that is in the iterate; whether that holds over the rest. `state` then has the accelerations with which it begins.
    pub(super) fn compute_by_alpha(
        &mut self, system: &System, state: &mut State, rest: Span,
    ) -> bool {
        self.untried.copy_from(state);
        let agrees = self.integrator.newton.takes_regimes(system, state, rest.length);
        self.integrator.scheme = Scheme::Alpha;
        if agrees {
            self.discontinuity(system).impulses().close_velocities(state, Closing::Caught);
            system.energy().renew(state);
            for _ in 0..TRIALS_OF_ALPHA {
                let integrator = &mut self.integrator;
                if integrator.set_smooth_accelerations(system, state).is_err()
                    || integrator.set_exact_accelerations(system, state).is_err()
                    || integrator.attempt(system, state, rest).is_err()
                {
                    break;
                }
                self.search.look_at_end(system, &self.integrator.newton);
                if !self.search.any() {
                    if self.integrator.newton.friction_drives(system) {
                        break;
                    }
                    return true;
                }
                if !self.search.break_away(state) {
                    break;
                }
            }
        }
        state.copy_from(&self.untried);
        self.integrator.scheme = Scheme::Euler;
        false
    }

    /// The velocities and regimes of `state` after implicit Euler steps, and the accelerations that follow.
    pub(super) fn end_implicit(&mut self, system: &System, state: &mut State) {
        if self.integrator.scheme == Scheme::Complementary {
            for (tried, own) in self.search.sliders.iter_mut().zip(&state.sliders) {
                let (was, is) = (tried.regime, own.regime);
                tried.meets = was.is_open() != is.is_open() || was.is_stopped() != is.is_stopped();
            }
            self.discontinuity(system).impulses().impact(state, false);
        } else {
            self.search.note_touching(system, state);
        }
        for (slider, now) in system.sliders.iter().zip(&state.sliders) {
            if slider.cuts && now.regime.sticks() {
                state.velocity[slider.coordinate] = 0.0;
            }
        }
        self.discontinuity(system).impulses().close_velocities(state, Closing::Caught);
        let _ = self.discontinuity(system).set_regimes(state);
        let inside = self.integrator.scheme == Scheme::Euler;
        let time = if inside { self.changed } else { state.time };
        self.events.record(system, state, time);
        self.integrator.scheme = Scheme::Alpha;
        system.energy().renew(state);
    }
}
