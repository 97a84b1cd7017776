//! Work of joints over a step.
//!
//! Joints that hold take none, but by the trapezoidal rule, with which the work of inertia is measured, they take some: ½ Δqᵀ (G₀ᵀλ₀ + G₁ᵀλ₁) is
//! of third order in a step over which they turn. That is a part of what the time integration takes, as the same of members that turn: a rigid link
//! is a very stiff one.

use super::assembly::each_force;
use super::{Slider, State, System, Workspace};
use crate::joints::slider::Kinematics;
use crate::numerics::positions::Positions;
use crate::system::Iterate;

impl Slider {
    /// Whether its path, on which it is as `k` says, turns under its moment more than its nodes do.
    fn gives_way(&self, k: &Kinematics, multipliers: &[f64; 3]) -> bool {
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
}

impl System {
    /// Work of joints, with the friction in them, over the step from `state` to the iterate `at` by the trapezoidal rule without what paths that give
    /// way to moments store of it, J.
    pub(crate) fn joint_work(&self, state: &State, at: &Iterate, work: &Workspace) -> f64 {
        let way = |u: usize| at.q.way(u, &state.q);
        let (mut twice, mut stored) = (0.0, 0.0);
        for (j, slider) in self.sliders.iter().enumerate() {
            let [before, last] = [&state.multipliers[j], &at.sliders[j].multipliers];
            // What a rough road is like under a wheel costs as much as an iteration, and the road does not move.
            let stays = slider.path_stays(&state.q, way);
            if stays {
                let forces = slider.unknowns.iter().zip(before);
                twice += forces.map(|(&u, force)| force * way(u)).sum::<f64>();
            }
            let begin = (!stays && *before != [0.0; 3])
                .then(|| (-1.0, self.kinematics(j, &state.q, None), before));
            for (sign, k, multipliers) in begin.into_iter().chain([(1.0, work.placed[j], last)]) {
                if *multipliers == [0.0; 3] {
                    continue;
                }
                each_force(slider, &k, multipliers, |u, force| twice += force * way(u));
                if slider.gives_way(&k, multipliers) {
                    stored += sign * k.turn_energy();
                }
            }
        }
        for (q, pins) in [(&state.q, &state.pins), (&at.q, &at.pins)] {
            self.pins.each_force_at(q, pins.iter().copied(), |u, force| twice += force * way(u));
        }
        0.5 * twice - stored
    }

    /// Change of that by the changes `by` of the state and of the iterate, where sliders are `placed` at its end.
    pub(crate) fn joint_work_change(
        &self, (state, state_by): (&State, &State), (at, at_by): (&Iterate, &Iterate),
        placed: &[Kinematics],
    ) -> f64 {
        let none = std::iter::repeat_n(0.0, self.sliders.len());
        let along = |q: &Positions, before: &Positions| -> Vec<f64> {
            let nodal = (0..self.nodal).map(|u| q.way(u, before));
            nodal.chain(none.clone()).collect()
        };
        let ways = [along(&at.q, &state.q), along(&at_by.q, &state_by.q)];
        let mut change = 0.0;
        for (j, slider) in self.sliders.iter().enumerate() {
            let before = self.kinematics(j, &state.q, None);
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
                let [gap, moved] =
                    [&ways[0], &ways[1]].map(|way| k.gap_of(&slider.path, way, &slider.unknowns));
                let bent = self.gap_curvature(j, k, [by, &ways[0]]);
                for i in 0..slider.unknowns.len() {
                    change += 0.5 * (changes[i] * gap[i] + multipliers[i] * (moved[i] + bent[i]));
                }
                if slider.gives_way(k, multipliers) {
                    change -= sign * self.turn_energy_change(j, k, by);
                }
            }
        }
        for (q, by, pins, changes) in [
            (&state.q, &state_by.q, &state.pins, &state_by.pins),
            (&at.q, &at_by.q, &at.pins, &at_by.pins),
        ] {
            for (pin, (multipliers, changes)) in self.pins.list.iter().zip(pins.iter().zip(changes))
            {
                let [gap, moved] = [&ways[0], &ways[1]].map(|way| pin.rate(q, way));
                let bent = pin.curvature(q, [by, &ways[0]]);
                for i in 0..pin.rows() {
                    change += 0.5 * (changes[i] * gap[i] + multipliers[i] * (moved[i] + bent[i]));
                }
            }
        }
        change
    }
}
