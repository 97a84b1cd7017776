//! Parts of a step that are too short to be solved for: they are extrapolated with constant accelerations and unchanged forces.

use super::search::Search;
use crate::newton::Newton;
use crate::numerics::root::Bracket;
use crate::solve::integrator::{Contents, Integrator};
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::EVENT_TRIALS;
use crate::system::{Instant, MEAN, Span, State, System};

impl Integrator {
    /// Extrapolates `state` over a `part` of a step; what it was `before` is kept there.
    pub(crate) fn extrapolate(
        &mut self, system: &System, state: &mut State, part: Span, before: &mut State,
    ) {
        let Span { length: h, end, .. } = part;
        if h <= 0.0 {
            return;
        }
        before.copy_from(state);
        self.place_extrapolated(system, state, part);
        for u in 0..state.q.len() {
            state.velocity[u] += h * state.smooth_acceleration(u);
        }
        state.q.copy_from(&self.newton.at.q);
        state.motions.copy_from_slice(&self.motions);
        system.motions.give_rates(state);
        state.keep_signals(end.elapsed);
        state.time = end.time;
        system.energy().renew_all(state);
        self.newton.find_reactions(system, state, h);
        self.enter_extrapolated(system, before, state, end);
    }

    /// Enters an extrapolated part of a step, which has led from `before` to `state`, into the energy balance: forces do work by the trapezoidal
    /// rule, but for friction, which stays what it was, and the time integration takes what is left of that.
    fn enter_extrapolated(
        &mut self, system: &System, before: &State, state: &mut State, end: Instant,
    ) {
        self.end.velocity.copy_from_slice(&state.velocity);
        self.end.acceleration.copy_from_slice(&state.acceleration);
        let Newton { at, work, .. } = &mut self.newton;
        let passage = (before, &at.q, &self.end);
        let (driven, room) = (&at.driven, &mut work.inertia);
        let inertia = room.work(system, at.step, MEAN, passage, passage, driven);
        let works = self.works(system, before);
        let Newton { at, work, .. } = &self.newton;
        let way = |u: usize| at.q.way(u, &before.q);
        let open: f64 = (0..system.nodal).map(|u| state.unbalanced[u] * way(u)).sum();
        let stored = state.energy.elastic - before.energy.elastic;
        state.energy.numerical_dissipation += inertia.taken - 0.5 * open + works.of_strain()
            - stored
            + system.work().of_joints(before, at, work);
        state.energy.input_work += works.of_inputs(end) + inertia.driven;
        let rate = |u: usize| state.velocity[u];
        state.energy.damping_work += (system.damped(at.flow.factor))
            .map_or(0.0, |damped| damped.work(before, at, rate, true));
        for (j, slider) in system.sliders.iter().enumerate() {
            let work = before.sliders[j].friction * way(slider.coordinate);
            // Where it turns back in this time, friction does not drive it.
            let work = work.max(0.0);
            state.journal[j].work += work;
            state.energy.numerical_dissipation -= work;
        }
    }

    /// Puts the iterate where `state` is after a `part` of a step with constant accelerations.
    fn place_extrapolated(&mut self, system: &System, state: &State, part: Span) {
        let Span { length: h, end, .. } = part;
        self.contents = Contents::Nothing;
        for u in 0..state.q.len() {
            let way = h * (state.velocity[u] + 0.5 * h * state.smooth_acceleration(u));
            self.newton.at.q.set(u, state.q.get(u).plus(way));
        }
        self.move_motions(system, state, end);
    }
}

impl Search {
    /// Share of the step, up to `most`, at which the first impact happens where accelerations stay what they are.
    pub fn locate_extrapolated(
        &mut self, system: &System, integrator: &mut Integrator, state: &State,
        (whole, most): (Span, f64),
    ) -> f64 {
        let sharpness = integrator.event_sharpness();
        let mut at = |share: f64| {
            integrator.place_extrapolated(system, state, whole.first(share * whole.length));
            system.sliders.find_closest_points(&mut integrator.newton.at);
            self.measure(system, &integrator.newton, None);
            self.largest(true)
        };
        let [before, beyond] = [0.0, most].map(&mut at);
        if before >= 0.0 || beyond <= 0.0 {
            return if beyond > 0.0 { 0.0 } else { most };
        }
        let mut bracket = Bracket::new([0.0, before], [most, beyond]);
        for _ in 0..EVENT_TRIALS {
            let share = bracket.trial();
            let f = at(share);
            bracket.narrow(share, f);
            if f.abs() <= sharpness {
                return share;
            }
        }
        at(bracket.high[0]);
        bracket.high[0]
    }

    /// Whether there is an impact where `state` goes on with constant accelerations over the `rest` of a step.
    pub fn extrapolation_meets(
        &mut self, system: &System, integrator: &mut Integrator, state: &State, rest: Span,
    ) -> bool {
        integrator.newton.load_state(system, state, rest.length);
        integrator.place_extrapolated(system, state, rest);
        system.sliders.find_closest_points(&mut integrator.newton.at);
        self.look_at_end(system, &integrator.newton);
        for excess in self.all_mut().filter(|excess| !excess.sharp) {
            excess.over = -1.0;
        }
        self.any()
    }
}

impl Stepper {
    /// Extrapolates to the first impact; returns how long, s.
    pub(crate) fn extrapolate_to_impact(
        &mut self, system: &System, state: &mut State, rest: Span,
    ) -> f64 {
        let Stepper { integrator, search, untried, .. } = &mut *self;
        let share = search.locate_extrapolated(system, integrator, state, (rest, 1.0));
        let taken = share * rest.length;
        integrator.extrapolate(system, state, rest.first(taken), untried);
        self.change_regimes(system, state);
        self.stops_at(state, taken < rest.length);
        taken
    }
}
