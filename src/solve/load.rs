//! The iterate as a step begins.

use fearless_simd::dispatch;

use super::guess::Guess;
use super::integrator::{Contents, Integrator};
use super::scheme::Scheme;
use crate::newton::Newton;
use crate::newton::kinetics::{Base, Before, Stage};
use crate::numerics::lanes::level;
use crate::system::{
    Along, Circling, Constraint, Instant, Slider, SlidingVelocity, Span, State, System,
};

/// The [κ](Circling) of the implicit Euler method over 1 s: sin φ = φ − φ³/6.
const EULER: f64 = -1.0 / 6.0;

impl Slider {
    /// Whether friction is that of sliding.
    pub(crate) fn slides(&self, along: Along) -> bool {
        matches!(along, Along::Slip(_) | Along::Driven(_)) || self.creeps && along == Along::Law
    }
}

impl Integrator {
    /// The iterate of a step over `span`, where the present scheme takes it in one stage.
    pub(crate) fn predict(&mut self, system: &System, state: &State, span: Span) {
        let h = span.length;
        let alpha = system.is_dynamic() && self.scheme == Scheme::Alpha;
        let weights = system.weights();
        self.motion.stabilised = alpha && system.model.solver.method.is_stabilised();
        let (stage, guess) = match alpha {
            true => (weights.stage(h), Guess::of(state, h)),
            false => (Stage::euler(h), Guess::Nothing),
        };
        self.newton.at.flow.circling =
            if alpha { weights.circling(h) } else { Circling(EULER * h * h) };
        match alpha {
            true => self.begin_stage(system, state, span, stage, guess, |_, b| weights.base(h, b)),
            false => self.begin_stage(system, state, span, stage, guess, |_, b| Base::euler(h, b)),
        }
        if alpha && state.equal.are_settled() {
            system.surfaces.extrapolate_points(state, h, &mut self.newton.at);
        }
    }

    /// The iterate of a stage from `state` over `span`, with the accelerations `guess` at its end; prescribed unknowns get their values.
    pub(super) fn begin_stage(
        &mut self, system: &System, state: &State, span: Span, stage: Stage, guess: Guess,
        base: impl Fn(usize, &Before) -> Base,
    ) {
        self.contents = Contents::Nothing;
        let Span { length: h, end, .. } = span;
        let dynamic = system.is_dynamic();
        let damped = dynamic && system.feels_velocity();
        self.motion.stage = stage;
        self.newton.at.flow.factor = if damped { stage.rate() } else { 0.0 };
        let Integrator { motion, newton: Newton { at, .. }, .. } = self;
        guess.accelerations(state, &mut at.acceleration);
        dispatch!(level(), _ => {
            let each = Before::each(state).enumerate().zip(&mut motion.base);
            motion.origin.put_each(each.map(|((u, before), velocity)| {
                let base = base(u, &before);
                *velocity = base.velocity;
                before.q.plus(base.travel)
            }));
            let ends = motion.origin.places().zip(&at.acceleration);
            at.q.put_each(ends.map(|(origin, x)| origin.plus(stage.by_position * x)));
        });
        if damped {
            for u in 0..system.nodal {
                at.flow.regularisation(u, motion.origin.get(u), motion.base[u]);
            }
        }
        let scheme = self.scheme;
        let along = |slider: &Slider, regime| scheme.along(slider, regime);
        let (origin, base) = (&self.motion.origin, &self.motion.base);
        self.newton.at.load_sliders(system, state, h, along, |slider, along, before| {
            let s = slider.coordinate;
            let slides = dynamic && slider.slides(along);
            SlidingVelocity::over(&stage, h, slides, before, (origin.get(s), base[s]))
        });
        guess.find_forces(state, &mut self.newton.at);
        if scheme == Scheme::Complementary {
            self.newton.at.complementary = true;
            self.newton.at.sliders.iter_mut().for_each(|own| own.from = None);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if let (Some(place), true) = (system.sliders[j].kept_place(&self.newton.at), dynamic)
                && self.newton.at.sliders[j].constraint != Constraint::Open
            {
                self.motion.keep(slider.coordinate, place);
            }
            let own = &self.newton.at.sliders[j];
            if own.along == Along::Stick {
                self.newton.at.q.set(slider.coordinate, own.before);
            }
        }
        system.load_inputs(&mut self.newton.at, end.time, |i| state.signals[i].at(end.elapsed)[0]);
        system.motions.fix_prescribed(&mut self.newton.at);
        self.move_motions(system, state, end);
        self.motion.velocity[..system.nodal].fill(0.0);
        for (m, u) in system.motions.driven(state) {
            self.motion.velocity[u] = match dynamic {
                true => self.motions[m].rate,
                // Inputs may have jumped.
                false => self.newton.at.q.way(u, &state.q) / h,
            };
        }
        system.sliders.find_senses(&system.equation, &mut self.newton.at, &self.motion.velocity);
    }

    /// Finds the motions at the `end` of a part of a step from `state`, and puts what they prescribe there.
    pub(super) fn move_motions(&mut self, system: &System, state: &State, end: Instant) {
        for m in 0..system.motions.len() {
            self.motions[m] = system.motions.state_at(m, state, end);
            system.motions.move_prescribed(&mut self.newton.at, m, self.motions[m]);
        }
    }
}
