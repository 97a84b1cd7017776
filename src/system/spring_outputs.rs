//! What can be read of springs.

use super::numbers::Numbers;
use super::{State, System};
use crate::model::checked::OfSpring;

impl System {
    /// What spring `i` does in a state, in numbers of any kind.
    pub(super) fn value_of_spring<N: Numbers<State>>(
        &self,
        state: &N,
        i: usize,
        of: OfSpring,
    ) -> N::Number {
        let now = state.now();
        let (measured, rate, begun, answer) = self.spring_start(i, now, |k| now.reached[k][0]);
        let spring = &self.springs[i];
        let way = |by: &State| measured.along(|u| by.q[u]);
        let speed = |by: &State| {
            let turning = measured.across(|u| now.velocity[u]);
            measured.along(|u| by.velocity[u])
                + measured.bend * turning * measured.across(|u| by.q[u])
        };
        let changes = |by: &State| {
            let setting = spring.setting_change(|k| by.reached[k][0]);
            spring
                .law
                .by_setting(measured.value, rate, [&begun.setting, &setting])
        };
        let of_rate = || state.with(rate, speed);
        let of_force = || {
            state.with(answer.force, |by| {
                let [by_setting, _] = changes(by);
                let by_anchor = match answer.by_anchor {
                    0.0 => 0.0,
                    slope => slope * by.springs[i].anchor,
                };
                answer.by_measure * way(by) + answer.by_rate * speed(by) + by_anchor + by_setting
            })
        };
        match of {
            OfSpring::Measure => state.with(measured.value, way),
            OfSpring::Rate => of_rate(),
            OfSpring::Force => of_force(),
            OfSpring::Power => of_force() * of_rate(),
            OfSpring::StoredEnergy => {
                state.with(answer.energy, |by| {
                    answer.elastic * way(by) + changes(by)[1]
                }) + state.get(|s| s.springs[i].stored)
            }
            OfSpring::DissipatedEnergy => state.get(|s| {
                let spring = &s.springs[i];
                spring.damping_work + spring.friction_work - spring.stored
            }),
        }
    }
}
