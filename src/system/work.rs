//! Work over a step of loads, motions and joints.

use super::{
    Instant, Iterate, Loads, Motions, Numbers, Pins, SliderJoints, Springs, State, System,
    Workspace,
};
use crate::joints::slider::Kinematics;
use crate::numerics::positions::Positions;

/// Work that is done on a mechanism and by its joints.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    loads: &'a Loads,
    springs: &'a Springs,
    motions: &'a Motions,
    sliders: &'a SliderJoints,
    pins: &'a Pins,
    /// Number of nodal unknowns.
    nodal: usize,
}

impl System {
    /// Work that is done on it and by its joints.
    pub(crate) fn work(&self) -> Work<'_> {
        let System { loads, springs, motions, sliders, pins, nodal, .. } = self;
        Work { loads, springs, motions, sliders, pins, nodal: *nodal }
    }
}

impl Work<'_> {
    /// Work of loads and imposed motions from `state` to the iterate `at` with the mean `force` on
    /// what is driven, J.
    pub fn input<N: Numbers<State>>(
        &self, state: &N, at: &impl Numbers<Iterate, Number = N::Number>,
        force: impl Fn(usize) -> N::Number, end: Instant,
    ) -> N::Number {
        let q = |u: usize| at.get(|at| at.q[u]);
        let loads = self.loads.work(state, end, q) + self.springs.input_work(state, at, end);
        let motions: N::Number = self
            .motions
            .driven(state.now())
            .map(|(_, u)| force(u) * (q(u) - state.get(|s| s.q[u])))
            .sum();
        loads + motions
    }

    /// Work of joints, with the friction in them, over the step from `state` to the iterate `at` by the trapezoidal rule without what paths that give
    /// way to moments store of it, J.
    pub fn of_joints(&self, state: &State, at: &Iterate, work: &Workspace) -> f64 {
        let [mut twice, stored] = self.sliders.twice_work(state, at, work);
        for (q, pins) in [(&state.q, &state.pins), (&at.q, &at.pins)] {
            let way = |u: usize| at.q.way(u, &state.q);
            self.pins.each_force_at(q, pins.iter().copied(), |u, force| twice += force * way(u));
        }
        0.5 * twice - stored
    }

    /// Change of that by the changes of the state and of the iterate, where sliders are `placed` at its end.
    pub fn of_joints_change(
        &self, (state, state_by): (&State, &State), (at, at_by): (&Iterate, &Iterate),
        placed: &[Kinematics],
    ) -> f64 {
        let none = std::iter::repeat_n(0.0, self.sliders.len());
        let along = |q: &Positions, before: &Positions| -> Vec<f64> {
            let nodal = (0..self.nodal).map(|u| q.way(u, before));
            nodal.chain(none.clone()).collect()
        };
        let ways = [along(&at.q, &state.q), along(&at_by.q, &state_by.q)];
        let ways = [&ways[0][..], &ways[1]];
        let mut change = self.sliders.work_change((state, state_by), (at, at_by), placed, ways);
        self.pins.add_work_change(
            (&state.q, &state_by.q),
            (&state.pins, &state_by.pins),
            ways,
            &mut change,
        );
        self.pins.add_work_change((&at.q, &at_by.q), (&at.pins, &at_by.pins), ways, &mut change);
        change
    }
}
