//! The iterate as a step begins.

use super::alpha::{Before, Weights};
use super::bristles::slipped;
use super::scheme::Scheme;
use super::stepper::Stepper;
use crate::joints::regime::{Regime, Sense};
use crate::model::checked::Analysis;
use crate::numerics::positions::Position;
use crate::system::{
    Along, Constraint, Ease, Instant, Iterate, Slider, SlidingVelocity, State, System,
};

impl SlidingVelocity {
    /// The velocity of `slider` over a step of length `h` from `before`. That of sliding is the velocity of the time
    /// integration at the step's end, so that the method keeps its order; otherwise it is the mean, (s − s₀)/h.
    pub(crate) fn over(
        weights: Option<&Weights>,
        h: f64,
        slider: &Slider,
        along: Along,
        before: &Before,
    ) -> SlidingVelocity {
        let (true, Some(w)) = (slider.slides(along), weights) else {
            return SlidingVelocity::mean(h, before.q);
        };
        let unmoved = w.velocity(h, w.algorithmic(h, 0.0, before), before);
        let factor = w.gamma / (w.beta * h);
        SlidingVelocity {
            origin: before.q.plus(-unmoved / factor),
            factor,
        }
    }

    /// The velocity of `slider` over a step of length `h` at constant acceleration.
    pub(crate) fn accelerated(
        h: f64,
        slider: &Slider,
        along: Along,
        before: &Before,
    ) -> SlidingVelocity {
        if slider.slides(along) {
            SlidingVelocity {
                origin: before.q.plus(0.5 * h * before.velocity),
                factor: 2.0 / h,
            }
        } else {
            SlidingVelocity::mean(h, before.q)
        }
    }

    /// (s − s₀)/h with s₀ = `before`.
    pub(super) fn mean(h: f64, before: Position) -> SlidingVelocity {
        SlidingVelocity {
            origin: before,
            factor: 1.0 / h,
        }
    }
}

impl Slider {
    /// Whether friction is that of sliding.
    fn slides(&self, along: Along) -> bool {
        matches!(along, Along::Slip(_)) || self.creeps && along == Along::Law
    }
}

impl System {
    /// Puts the forces of loads and inputs at `time` (s) into the iterate, where `input(i)` is the value of input i.
    pub(crate) fn load_inputs(&self, at: &mut Iterate, time: f64, input: impl Fn(usize) -> f64) {
        self.external_forces(time, &input, &mut at.external);
        self.follower_loads(time, &input, &mut at.follower_loads);
        self.set_springs(&input, &mut at.springs);
    }
}

impl Stepper {
    /// The iterate of a step of length `h` that ends at `end`: constant acceleration as the first guess; prescribed unknowns get
    /// their values.
    pub(crate) fn predict(&mut self, system: &System, state: &State, h: f64, end: Instant) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let (w, scheme) = (self.weights(), self.scheme);
        for u in 0..state.q.len() {
            let a = state.algorithmic[u];
            self.at.q.set(
                u,
                state.q.get(u).plus(h * (state.velocity[u] + 0.5 * h * a)),
            );
        }
        // Where q̈ vanishes by Newmark's formulas and the α weights, and where q̇ does.
        let c = w.beta * h * h;
        let damped = dynamic && system.feels_velocity();
        self.at.flow.factor = if damped { w.gamma / (w.beta * h) } else { 0.0 };
        for &u in &system.unknown {
            let history = (w.alpha_m * state.algorithmic[u] - w.alpha_f * state.acceleration[u])
                / (1.0 - w.alpha_m);
            let way =
                h * state.velocity[u] + (0.5 - w.beta) * h * h * state.algorithmic[u] - c * history;
            self.origin.set(u, state.q.get(u).plus(way));
            if damped {
                let before = Before::of(state, u);
                let unmoved = w.velocity(h, w.algorithmic(h, 0.0, &before), &before);
                self.at.flow.give(u, before.q, unmoved);
            }
        }
        self.load_sliders(system, state, h, scheme, |slider, along, before| {
            SlidingVelocity::over(dynamic.then_some(&w), h, slider, along, before)
        });
        if scheme == Scheme::Complementary {
            self.at.complementary = true;
            self.at.sliders.iter_mut().for_each(|own| own.from = None);
        }
        for (slider, own) in system.sliders.iter().zip(&self.at.sliders) {
            if own.along == Along::Stick {
                self.at.q.set(slider.coordinate, own.before);
            }
        }
        system.load_inputs(&mut self.at, end.time, |i| {
            state.signals[i].at(end.elapsed)[0]
        });
        system.hold_prescribed(&mut self.at);
        for m in 0..system.motions.len() {
            let motion = system.motion_at(m, state, end);
            self.motions[m] = motion;
            system.move_prescribed(&mut self.at, m, motion);
        }
    }

    /// The iterate at `state`, from which a step of length `h` at constant acceleration begins.
    pub(crate) fn load_state(&mut self, system: &System, state: &State, h: f64) {
        self.at.q.copy_from(&state.q);
        self.at.acceleration.fill(0.0);
        self.at.flow.factor = 0.0;
        system.load_inputs(&mut self.at, state.time, |i| state.reached[i][0]);
        self.load_sliders(system, state, h, Scheme::Alpha, |slider, along, before| {
            SlidingVelocity::accelerated(h, slider, along, before)
        });
    }

    /// What holds the sliders, and what motions drive, in a step of length `h` from `state`.
    fn load_sliders(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        scheme: Scheme,
        velocity: impl Fn(&Slider, Along, &Before) -> SlidingVelocity,
    ) {
        let at = &mut self.at;
        at.step = h;
        system.find_driven(state, &mut at.driven);
        at.tuning.clone_from(&state.tuning);
        at.pins.copy_from_slice(&state.pins);
        at.points.copy_from_slice(&state.points);
        at.augmented = 0;
        for (begun, spring) in at.springs.iter_mut().zip(&state.springs) {
            begun.anchor = spring.anchor;
        }
        at.slips.fill(Sense::Neither);
        at.ease = Ease::default();
        at.complementary = system.model.solver.analysis == Analysis::QuasiStatic;
        for (j, slider) in system.sliders.iter().enumerate() {
            let (kept, own) = (&state.sliders[j], &mut at.sliders[j]);
            let before = Before::of(state, slider.coordinate);
            own.multipliers = state.multipliers[j];
            own.give = [0.0; 3];
            own.before = before.q;
            own.memory = kept.memory;
            own.constraint = Constraint::of(kept.regime);
            own.passed = kept.regime == Regime::Passed;
            own.left = match (slider.cuts || slider.side.is_some()) && !kept.regime.is_open() {
                true => (system.kinematics(j, &state.q, None)).constraint(&own.multipliers),
                false => [0.0; 3],
            };
            own.along = if system.is_driven_along(j, &state.q, &at.driven) {
                Along::Driven
            } else {
                scheme.along(slider, kept.regime)
            };
            own.velocity = velocity(slider, own.along, &before);
            own.from = (slider.kinks && !at.complementary)
                .then(|| slider.path.element_at(before.q.rounded));
            own.decided.element = None;
            own.decided.reverses = false;
            own.decided.bristles = slipped(kept);
        }
        system.find_static_friction(state, h, at);
    }

    /// Puts what motions prescribe at the motions of `state`.
    pub(crate) fn place_motions(&mut self, system: &System, state: &State) {
        system.hold_prescribed(&mut self.at);
        for m in 0..system.motions.len() {
            system.move_prescribed(&mut self.at, m, state.motions[m]);
        }
    }
}
