//! The iterate at a state, from which a stage or an equilibrium is solved for.

use super::kinetics::Stage;
use super::tolerances::GIVEN_VELOCITY;
use super::{Newton, slipped};
use crate::joints::regime::{Regime, Sense};
use crate::numerics::positions::Position;
use crate::system::{
    Along, Constraint, ContinuationFactors, Iterate, Prescribed, Slider, SlidingVelocity, State,
    System,
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

impl System {
    /// Puts the forces of loads and inputs at `time` (s) into the iterate, where `input(i)` is the value of input i.
    pub(crate) fn load_inputs(&self, at: &mut Iterate, time: f64, input: impl Fn(usize) -> f64) {
        at.time = time;
        self.loads.forces(time, &input, &mut at.external);
        self.loads.lines.follower_loads(time, &input, &mut at.follower_loads);
        self.springs.set(&input, &mut at.springs);
    }
}

impl Newton {
    /// The iterate at `state`, from which a step of length `h` begins; what slides has its velocity, whatever its s.
    pub fn load_state(&mut self, system: &System, state: &State, h: f64) {
        self.at.q.copy_from(&state.q);
        self.at.acceleration.fill(0.0);
        self.at.flow.factor = 0.0;
        self.at.flow.circling = state.circling;
        system.load_inputs(&mut self.at, state.time, |i| state.reached[i][0]);
        self.at.load_sliders(system, state, h, Along::of, |slider, _, before| {
            SlidingVelocity::at_rate(2.0 / h, before, state.velocity[slider.coordinate])
        });
        system.sliders.find_senses(&system.equation, &mut self.at, &state.velocity);
    }

    /// Puts into the iterate the velocities of `state`, that change by `factor` times the way.
    pub fn load_velocities(&mut self, system: &System, state: &State, factor: f64) {
        self.at.flow.factor = factor;
        for (u, v) in state.velocity[..system.nodal].iter().enumerate() {
            self.at.flow.regularisation(u, state.q.get(u), *v);
        }
    }

    /// Puts what motions prescribe at the motions of `state`.
    pub fn place_motions(&mut self, system: &System, state: &State) {
        system.motions.fix_prescribed(&mut self.at);
        for m in 0..system.motions.len() {
            system.motions.move_prescribed(&mut self.at, m, state.motions[m]);
        }
    }
}

impl Iterate {
    /// What constrains the sliders, and what motions drive, in a step of length `h` from `state`.
    pub(crate) fn load_sliders(
        &mut self, system: &System, state: &State, h: f64,
        along: impl Fn(&Slider, Regime) -> Along,
        velocity: impl Fn(&Slider, Along, Position) -> SlidingVelocity,
    ) {
        let at = self;
        at.step = h;
        system.motions.find_driven(state, &mut at.driven);
        system.sliders.fix_left(state, &mut at.driven);
        at.tuning.clone_from(&state.tuning);
        at.pins.copy_from_slice(&state.pins);
        at.points.copy_from_slice(&state.points);
        at.predicted.clear();
        (at.augmented, at.renewals) = (0, 0);
        for (begun, spring) in at.springs.iter_mut().zip(&state.springs) {
            begun.anchor = spring.anchor;
        }
        at.slips.fill(Sense::Neither);
        at.ahead = 0.0;
        at.factors = ContinuationFactors::default();
        at.complementary = !system.is_dynamic();
        for (j, slider) in system.sliders.iter().enumerate() {
            let (kept, own) = (&state.sliders[j], &mut at.sliders[j]);
            let before = state.q.get(slider.coordinate);
            own.multipliers = state.multipliers[j];
            own.begun = own.multipliers;
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
                along(slider, kept.regime)
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
