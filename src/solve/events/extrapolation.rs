//! Parts of a step that are too short to be solved for: they are extrapolated with constant accelerations and unchanged forces.

use crate::numerics::root::Bracket;
use crate::solve::stepper::{Holds, Stepper};
use crate::solve::tolerances::{EVENT_SHARPNESS, EVENT_TRIALS};
use crate::system::{Instant, MEAN, Span, State, System};

impl Stepper {
    /// Extrapolates `state` over a `part` of a step.
    pub(crate) fn extrapolate(&mut self, system: &System, state: &mut State, part: Span) {
        let Span { length: h, end, .. } = part;
        if h <= 0.0 {
            return;
        }
        self.untried.copy_from(state);
        self.place_extrapolated(system, state, part);
        for u in 0..state.q.len() {
            state.velocity[u] += h * state.smooth_acceleration(u);
        }
        state.q.copy_from(&self.at.q);
        state.motions.copy_from_slice(&self.motions);
        system.motions.give_rates(state);
        state.keep_signals(end.elapsed);
        state.time = end.time;
        system.energy().renew_all(state);
        self.take_stock(system, state, h);
        self.enter_extrapolated(system, state, end);
    }

    /// Enters an extrapolated part of a step, which has led to `state`, into the energy balance: forces do work by the trapezoidal rule, but for
    /// friction, which stays what it was, and the time integration takes what is left of that.
    fn enter_extrapolated(&mut self, system: &System, state: &mut State, end: Instant) {
        self.end.velocity.copy_from_slice(&state.velocity);
        self.end.acceleration.copy_from_slice(&state.acceleration);
        let before = &self.untried;
        let passage = (before, &self.at.q, &self.end);
        let (driven, room) = (&self.at.driven, &mut self.work.inertia);
        let inertia = room.work(system, self.at.step, MEAN, passage, passage, driven);
        let way = |u: usize| self.at.q.way(u, &before.q);
        let open: f64 = (0..system.nodal).map(|u| state.unbalanced[u] * way(u)).sum();
        let stored = state.energy.elastic - before.energy.elastic;
        state.energy.numerical_dissipation +=
            inertia.taken - 0.5 * open + self.elastic_work(before) - stored
                + system.work().of_joints(before, &self.at, &self.work);
        state.energy.input_work += self.input_work(system, before, end) + inertia.driven;
        let rate = |u: usize| state.velocity[u];
        state.energy.damping_work += (system.damped(self.at.flow.factor))
            .map_or(0.0, |damped| damped.work(before, &self.at, rate, true));
        for (j, slider) in system.sliders.iter().enumerate() {
            let work = before.sliders[j].friction * way(slider.coordinate);
            // Where it turns back in this time, friction does not drive it.
            let work = work.max(0.0);
            state.journal[j].work += work;
            state.energy.numerical_dissipation -= work;
        }
    }

    /// Puts the iterate where `state` is after such a part.
    fn place_extrapolated(&mut self, system: &System, state: &State, part: Span) {
        let Span { length: h, end, .. } = part;
        self.holds = Holds::Nothing;
        for u in 0..state.q.len() {
            let way = h * (state.velocity[u] + 0.5 * h * state.smooth_acceleration(u));
            self.at.q.set(u, state.q.get(u).plus(way));
        }
        self.move_motions(system, state, end);
    }

    /// Share of the step, up to `most`, at which the first impact happens where accelerations stay what they are.
    pub(crate) fn locate_extrapolated(
        &mut self, system: &System, state: &State, whole: Span, most: f64,
    ) -> f64 {
        let at = |stepper: &mut Stepper, share: f64| {
            stepper.place_extrapolated(system, state, whole.first(share * whole.length));
            system.sliders.find_closest_points(&mut stepper.at);
            stepper.measure_now(system, true)
        };
        let [before, beyond] = [0.0, most].map(|share| at(self, share));
        if before >= 0.0 || beyond <= 0.0 {
            return if beyond > 0.0 { 0.0 } else { most };
        }
        let mut bracket = Bracket::new([0.0, before], [most, beyond]);
        for _ in 0..EVENT_TRIALS {
            let share = bracket.trial();
            let f = at(self, share);
            bracket.narrow(share, f);
            if f.abs() <= EVENT_SHARPNESS {
                return share;
            }
        }
        at(self, bracket.high[0]);
        bracket.high[0]
    }

    /// Whether there is an impact where `state` runs on with constant accelerations over the `rest` of a step.
    pub(crate) fn extrapolation_meets(
        &mut self, system: &System, state: &State, rest: Span,
    ) -> bool {
        self.load_state(system, state, rest.length);
        self.place_extrapolated(system, state, rest);
        system.sliders.find_closest_points(&mut self.at);
        self.look_at_end(system);
        for excess in self.search.all_mut().filter(|excess| !excess.sharp) {
            excess.over = -1.0;
        }
        self.search.any()
    }

    /// Runs on to the first impact; returns how long, s.
    pub(crate) fn extrapolate_to_impact(
        &mut self, system: &System, state: &mut State, rest: Span,
    ) -> f64 {
        let taken = self.locate_extrapolated(system, state, rest, 1.0) * rest.length;
        self.extrapolate(system, state, rest.first(taken));
        self.change_regimes(system, state);
        self.note(system, state);
        taken
    }
}
