//! What can be read of springs and bushings.

use super::numbers::Numbers;
use super::{State, System};
use crate::checked::{Between, OfBushing, OfSpring};

impl System {
    /// What bushing `i` does in a state, in numbers of any kind.
    pub(super) fn value_of_bushing<N: Numbers<State>>(
        &self, state: &N, i: usize, of: OfBushing,
    ) -> N::Number {
        let bushing = &self.model.bushings[i];
        let first = bushing.springs.start;
        let sum = |of: OfSpring, share: &dyn Fn([f64; 3]) -> f64| {
            let mut sum = N::Number::from(0.0);
            for spring in bushing.springs.clone() {
                if let Between::Bushing { way, .. } = self.model.springs[spring].between {
                    sum += self.value_of_spring(state, spring, of) * share(way);
                }
            }
            sum
        };
        let moved = |axis: usize| {
            self.value_of_spring(state, first + axis, OfSpring::Measure) - bushing.drawn[axis]
        };
        let rate = |axis: usize| self.value_of_spring(state, first + axis, OfSpring::Rate);
        let force = |axis: usize| sum(OfSpring::Force, &|way| way[axis]);
        match of {
            OfBushing::X => moved(0),
            OfBushing::Y => moved(1),
            OfBushing::Angle => moved(2),
            OfBushing::Vx => rate(0),
            OfBushing::Vy => rate(1),
            OfBushing::Rate => rate(2),
            OfBushing::Fx => force(0),
            OfBushing::Fy => force(1),
            OfBushing::Moment => force(2),
            OfBushing::Power => sum(OfSpring::Power, &|_| 1.0),
            OfBushing::StoredEnergy => sum(OfSpring::StoredEnergy, &|_| 1.0),
            OfBushing::DissipatedEnergy => sum(OfSpring::DissipatedEnergy, &|_| 1.0),
        }
    }

    /// What spring `i` does in a state, in numbers of any kind.
    pub(super) fn value_of_spring<N: Numbers<State>>(
        &self, state: &N, i: usize, of: OfSpring,
    ) -> N::Number {
        let now = state.now();
        let (measured, rate, begun, answer) = self.spring_start(i, now, |k| now.reached[k][0]);
        let spring = &self.springs[i];
        let way = |by: &State| measured.along(|u| by.q[u]);
        let speed = |by: &State| {
            measured.along(|u| by.velocity[u]) + measured.curved(|u| by.q[u], |u| now.velocity[u])
        };
        let changes = |by: &State| {
            let setting = spring.setting_change(|k| by.reached[k][0]);
            spring.law.by_setting(measured.value, rate, [&begun.setting, &setting])
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
                state.with(answer.energy, |by| answer.elastic * way(by) + changes(by)[1])
                    + state.get(|s| s.springs[i].stored)
            }
            OfSpring::StopForce => {
                let mut stops = self.model.rigid_stops.iter();
                match stops.position(|stop| stop.spring == i) {
                    // c falls as the measure grows.
                    Some(stop) => -state.get(|s| s.pins[self.place_of_stop(stop)][0]),
                    None => N::Number::from(0.0),
                }
            }
            OfSpring::DissipatedEnergy => state.get(|s| {
                let spring = &s.springs[i];
                spring.damping_work + spring.friction_work - spring.stored
            }),
        }
    }
}
