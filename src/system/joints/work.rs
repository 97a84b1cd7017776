//! Work of sliders over a step, and what paths store that turn under their moments.
//!
//! Joints that hold take none, but by the trapezoidal rule, with which the work of inertia is measured, they take some: ½ Δqᵀ (G₀ᵀλ₀ + G₁ᵀλ₁) is
//! of third order in a step over which they turn. That is a part of what the time integration takes, as the same of members that turn: a rigid link
//! is a very stiff one.

use super::{Slider, SliderJoints};
use crate::joints::slider::Kinematics;
use crate::numerics::positions::Positions;
use crate::system::{Iterate, State, Workspace};

impl Slider {
    /// Whether its path, on which it is as `k` says, turns under its moment more than its nodes do.
    fn yields(&self, k: &Kinematics, multipliers: &[f64; 3]) -> bool {
        self.unknowns.len() == 3 && multipliers[2] != 0.0 && k.flexibility[0] > 0.0
    }

    /// Whether nothing carries it at the positions `q` that has gone a `way`.
    fn path_stays(&self, q: &Positions, way: impl Fn(usize) -> f64) -> bool {
        let turns = self.unknowns.len() == 3 && self.path.is_flexible();
        if !self.is_node_on_path() || turns {
            return false;
        }
        let element = self.path.element_at(q.get(self.coordinate).rounded);
        let carriers = self.path.carriers(element).iter();
        let mut unknowns = carriers.flat_map(|node| (0..3).filter_map(|c| node.unknown(c)));
        unknowns.all(|u| way(u) == 0.0)
    }

    /// Change of what its path, which yields to its moment, stores of it, by the change `by` of the unknowns, J.
    fn stored_change(&self, k: &Kinematics, by: &[f64]) -> f64 {
        let moment = k.gap[2] / k.flexibility[0];
        let [.., turned] = k.gap_of(&self.path, by, &self.unknowns);
        let slope = k.spin[0] + 0.5 * k.flexibility[1] * moment;
        moment * (turned - slope * by[self.coordinate])
    }
}

impl SliderJoints {
    /// Sliders under whose moments their paths yield beyond what their elements do.
    fn giving_way(
        &self, q: &Positions, moment: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = (&Slider, Kinematics)> {
        let moments = (self.iter())
            .filter(move |slider| slider.unknowns.len() == 3 && moment(slider.index) != 0.0);
        (moments.map(|slider| (slider, slider.kinematics(q, None))))
            .filter(|(_, k)| k.flexibility[0] > 0.0)
    }

    /// What paths store that turn under the `moment` λ₃ of each slider more than their elements do, J.
    pub fn stored(&self, q: &Positions, moment: impl Fn(usize) -> f64) -> f64 {
        self.giving_way(q, moment).map(|(_, k)| k.turn_energy()).sum()
    }

    /// Change of what paths store by the change `by` of a state, J.
    pub fn stored_change(&self, state: &State, by: &State) -> f64 {
        // Of ½ c₃²/f. The moment λ₃ of a short step behind an event is none of the position.
        let given = self.giving_way(&state.q, |j| state.multipliers[j][2]);
        given.map(|(slider, k)| slider.stored_change(&k, &by.q)).sum()
    }

    /// Twice the work of sliders, with their friction, over the step from `state` to the iterate `at` by the trapezoidal rule, and what
    /// paths that yield to moments store of the work, J.
    pub fn twice_work(&self, state: &State, at: &Iterate, work: &Workspace) -> [f64; 2] {
        let way = |u: usize| at.q.way(u, &state.q);
        let (mut twice, mut stored) = (0.0, 0.0);
        for (j, slider) in self.iter().enumerate() {
            let [before, last] = [&state.multipliers[j], &at.sliders[j].multipliers];
            // What a rough road is like under a wheel costs as much as an iteration, and the road does not move.
            let stays = slider.path_stays(&state.q, way);
            if stays {
                let forces = slider.unknowns.iter().zip(before);
                twice += forces.map(|(&u, force)| force * way(u)).sum::<f64>();
            }
            let begin = (!stays && *before != [0.0; 3]).then(|| slider.kinematics(&state.q, None));
            let begin = begin.as_ref().map(|k| (-1.0, k, before));
            for (sign, k, multipliers) in begin.into_iter().chain([(1.0, &work.placed[j], last)]) {
                if *multipliers == [0.0; 3] {
                    continue;
                }
                slider.each_force(k, multipliers, |u, force| twice += force * way(u));
                if slider.yields(k, multipliers) {
                    stored += sign * k.turn_energy();
                }
            }
        }
        [twice, stored]
    }

    /// Change of their work without what paths store of it, J, by the changes of the state before the step and of the iterate after it, where
    /// sliders are `placed` at its end and the unknowns go these `ways` over it, and their change.
    pub fn work_change(
        &self, (state, state_by): (&State, &State), (at, at_by): (&Iterate, &Iterate),
        placed: &[Kinematics], ways: [&[f64]; 2],
    ) -> f64 {
        let mut change = 0.0;
        for (j, slider) in self.iter().enumerate() {
            let before = slider.kinematics(&state.q, None);
            let [first, first_by] = [state, state_by].map(|state| &state.multipliers[j]);
            let [last, last_by] = [at, at_by].map(|at| &at.sliders[j].multipliers);
            let ends = [
                (-1.0, &before, first, first_by, &state_by.q),
                (1.0, &placed[j], last, last_by, &at_by.q),
            ];
            for (sign, k, multipliers, changes, by) in ends {
                if slider.carries_friction_of_edge() || *multipliers == [0.0; 3] {
                    continue;
                }
                let [gap, moved] = ways.map(|way| k.gap_of(&slider.path, way, &slider.unknowns));
                let bent = slider.gap_curvature(k, [by, ways[0]]);
                for i in 0..slider.unknowns.len() {
                    change += 0.5 * (changes[i] * gap[i] + multipliers[i] * (moved[i] + bent[i]));
                }
                if slider.yields(k, multipliers) {
                    change -= sign * slider.stored_change(k, by);
                }
            }
        }
        change
    }
}
