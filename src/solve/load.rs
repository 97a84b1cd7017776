//! The iterate as a step begins.

use super::guess::Guess;
use super::scheme::Scheme;
use super::stepper::{Holds, Stepper};
use super::tolerances::GIVEN_VELOCITY;
use crate::joints::regime::{Regime, Sense};
use crate::newton::kinetics::{Base, Before, Stage};
use crate::newton::slipped;
use crate::numerics::positions::Position;
use crate::system::{
    Along, Constraint, ContinuationFactors, Instant, Iterate, Prescribed, Slider, SlidingVelocity,
    Span, State, System,
};

impl SlidingVelocity {
    /// The velocity of `slider` in a `stage` that ends a time `h` (s) after `before`, where it has the velocity `unmoved` at `origin`. That of sliding
    /// is the velocity at the end, so that the method keeps its order; otherwise it is the mean, (s − s₀)/h.
    pub(crate) fn over(
        stage: &Stage, h: f64, slides: bool, before: Position, (origin, unmoved): (Position, f64),
    ) -> SlidingVelocity {
        match slides {
            true => SlidingVelocity::at_rate(stage.rate(), origin, unmoved),
            false => SlidingVelocity { origin: before, factor: 1.0 / h, at_end: false },
        }
    }

    /// The velocity `v` (m/s) at `s`, and `factor` times the way from there more.
    pub(crate) fn at_rate(factor: f64, s: Position, v: f64) -> SlidingVelocity {
        SlidingVelocity { origin: s.plus(-v / factor), factor, at_end: true }
    }

    /// The same velocity at `s` that hardly follows s within a step of length `h` (s): where velocities are given.
    pub(crate) fn given(&self, s: Position, h: f64) -> SlidingVelocity {
        SlidingVelocity {
            at_end: self.at_end,
            ..SlidingVelocity::at_rate(GIVEN_VELOCITY / h, s, self.at(s))
        }
    }
}

impl Slider {
    /// Whether friction is that of sliding.
    pub(crate) fn slides(&self, along: Along) -> bool {
        matches!(along, Along::Slip(_)) || self.creeps && along == Along::Law
    }
}

impl System {
    /// Puts the forces of loads and inputs at `time` (s) into the iterate, where `input(i)` is the value of input i.
    pub(crate) fn load_inputs(&self, at: &mut Iterate, time: f64, input: impl Fn(usize) -> f64) {
        self.loads.forces(time, &input, &mut at.external);
        self.loads.lines.follower_loads(time, &input, &mut at.follower_loads);
        self.springs.set(&input, &mut at.springs);
    }
}

impl Stepper {
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
        self.begin_stage(system, state, span, stage, guess, |_, before| match alpha {
            true => weights.base(h, before),
            false => Base::euler(h, before),
        });
    }

    /// The iterate of a stage from `state` over `span`, with the accelerations `guess` at its end; prescribed unknowns get their values.
    pub(super) fn begin_stage(
        &mut self, system: &System, state: &State, span: Span, stage: Stage, guess: Guess,
        base: impl Fn(usize, &Before) -> Base,
    ) {
        self.holds = Holds::Nothing;
        let Span { length: h, end, .. } = span;
        let dynamic = system.is_dynamic();
        let damped = dynamic && system.feels_velocity();
        self.motion.stage = stage;
        self.at.flow.factor = if damped { stage.rate() } else { 0.0 };
        for u in 0..state.q.len() {
            let before = Before::of(state, u);
            let Base { velocity, travel } = base(u, &before);
            let origin = before.q.plus(travel);
            self.motion.base[u] = velocity;
            self.motion.origin.set(u, origin);
            self.at.q.set(u, origin.plus(stage.by_position * guess.acceleration(state, u)));
            if damped && u < system.nodal {
                self.at.flow.regularisation(u, origin, velocity);
            }
        }
        let scheme = self.scheme;
        let (origin, base) = (&self.motion.origin, &self.motion.base);
        self.at.load_sliders(system, state, h, scheme, |slider, along, before| {
            let s = slider.coordinate;
            let slides = dynamic && slider.slides(along);
            SlidingVelocity::over(&stage, h, slides, before, (origin.get(s), base[s]))
        });
        guess.find_forces(state, &mut self.at);
        if scheme == Scheme::Complementary {
            self.at.complementary = true;
            self.at.sliders.iter_mut().for_each(|own| own.from = None);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if let (Some(place), true) = (system.sliders[j].kept_place(&self.at), dynamic)
                && self.at.sliders[j].constraint != Constraint::Open
            {
                self.motion.keep(slider.coordinate, place);
            }
            let own = &self.at.sliders[j];
            if own.along == Along::Stick {
                self.at.q.set(slider.coordinate, own.before);
            }
        }
        system.load_inputs(&mut self.at, end.time, |i| state.signals[i].at(end.elapsed)[0]);
        system.motions.fix_prescribed(&mut self.at);
        self.move_motions(system, state, end);
        self.motion.velocity[..system.nodal].fill(0.0);
        for (m, u) in system.motions.driven(state) {
            self.motion.velocity[u] = match dynamic {
                true => self.motions[m].rate,
                // Inputs may have jumped.
                false => self.at.q.way(u, &state.q) / h,
            };
        }
        system.sliders.find_senses(&system.equation, &mut self.at, &self.motion.velocity);
    }

    /// The iterate at `state`, from which a step of length `h` begins; what slides has its velocity, whatever its s.
    pub(crate) fn load_state(&mut self, system: &System, state: &State, h: f64) {
        self.holds = Holds::Nothing;
        self.at.q.copy_from(&state.q);
        self.at.acceleration.fill(0.0);
        self.at.flow.factor = 0.0;
        system.load_inputs(&mut self.at, state.time, |i| state.reached[i][0]);
        self.at.load_sliders(system, state, h, Scheme::Alpha, |slider, _, before| {
            SlidingVelocity::at_rate(2.0 / h, before, state.velocity[slider.coordinate])
        });
        system.sliders.find_senses(&system.equation, &mut self.at, &state.velocity);
    }

    /// Puts into the iterate the velocities of `state`, that change by `factor` times the way.
    pub(super) fn load_velocities(&mut self, system: &System, state: &State, factor: f64) {
        self.at.flow.factor = factor;
        for (u, v) in state.velocity[..system.nodal].iter().enumerate() {
            self.at.flow.regularisation(u, state.q.get(u), *v);
        }
    }

    /// Finds the motions at the `end` of a part of a step from `state`, and puts what they prescribe there.
    pub(super) fn move_motions(&mut self, system: &System, state: &State, end: Instant) {
        for m in 0..system.motions.len() {
            self.motions[m] = system.motions.state_at(m, state, end);
            system.motions.move_prescribed(&mut self.at, m, self.motions[m]);
        }
    }

    /// Puts what motions prescribe at the motions of `state`.
    pub(crate) fn place_motions(&mut self, system: &System, state: &State) {
        system.motions.fix_prescribed(&mut self.at);
        for m in 0..system.motions.len() {
            system.motions.move_prescribed(&mut self.at, m, state.motions[m]);
        }
    }
}

impl Iterate {
    /// What holds the sliders, and what motions drive, in a step of length `h` from `state`.
    fn load_sliders(
        &mut self, system: &System, state: &State, h: f64, scheme: Scheme,
        velocity: impl Fn(&Slider, Along, Position) -> SlidingVelocity,
    ) {
        let at = self;
        at.step = h;
        system.motions.find_driven(state, &mut at.driven);
        system.sliders.fix_left(state, &mut at.driven);
        at.tuning.clone_from(&state.tuning);
        at.pins.copy_from_slice(&state.pins);
        at.points.copy_from_slice(&state.points);
        at.augmented = 0;
        for (begun, spring) in at.springs.iter_mut().zip(&state.springs) {
            begun.anchor = spring.anchor;
        }
        at.slips.fill(Sense::Neither);
        at.factors = ContinuationFactors::default();
        at.complementary = !system.is_dynamic();
        for (j, slider) in system.sliders.iter().enumerate() {
            let (kept, own) = (&state.sliders[j], &mut at.sliders[j]);
            let before = state.q.get(slider.coordinate);
            own.multipliers = state.multipliers[j];
            own.compliance = [0.0; 3];
            own.before = before;
            own.memory = kept.memory;
            own.constraint = Constraint::of(kept.regime);
            own.passed = kept.regime == Regime::Passed;
            own.left = match (slider.cuts || slider.side.is_some()) && !kept.regime.is_open() {
                true => (system.sliders[j].kinematics(&state.q, None)).constraint(&own.multipliers),
                false => [0.0; 3],
            };
            let prescribed = Prescribed { equations: &system.equation, driven: &at.driven };
            own.along = if system.sliders.is_driven_along(j, &state.q, prescribed) {
                Along::Driven(Sense::Neither)
            } else {
                scheme.along(slider, kept.regime)
            };
            own.velocity = velocity(slider, own.along, before);
            own.from =
                (slider.kinks && !at.complementary).then(|| slider.path.element_at(before.rounded));
            own.decided.element = None;
            own.decided.reverses = false;
            own.decided.bristles = slipped(kept);
        }
        // What moves less in a step than a position is sure to does not move.
        let still = system.model.solver.position_tolerance * system.size / h;
        system.sliders.find_static_friction(state, still, at);
    }
}
