//! Small changes of what springs do, and their work in a step.

use super::measure::Measured;
use super::numbers::Numbers;
use super::{Instant, Iterate, State, System};
use crate::laws::spring::{Answer, Begun, Damper, Setting, Spring};
use crate::numerics::positions::Positions;

/// What a spring does in a step, J.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpringWork {
    /// What its slip element takes, with what that stores.
    pub friction_work: f64,
    /// What the mechanism feels of it by the trapezoidal rule, without that.
    pub numerical: f64,
    /// Work of its damper by the trapezoidal rule.
    pub damping_work: f64,
}

impl SpringWork {
    /// With that of another spring.
    pub fn plus(self, other: SpringWork) -> SpringWork {
        SpringWork {
            friction_work: self.friction_work + other.friction_work,
            numerical: self.numerical + other.numerical,
            damping_work: self.damping_work + other.damping_work,
        }
    }
}

/// Change of a spring over a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpringChange {
    pub anchor: f64,
    /// Of what its slip element stores, J.
    pub stored: f64,
    pub work: SpringWork,
}

/// A spring at one end of a step.
struct End {
    measured: Measured,
    rate: f64,
    begun: Begun,
    answer: Answer,
}

/// Its changes.
struct EndChange {
    way: f64,
    rate: f64,
    setting: Setting,
}

impl End {
    /// Change of F_d.
    fn damper_change(&self, law: &Spring, by: &EndChange) -> f64 {
        let by_number = match law.damper {
            Damper::Linear => self.rate * by.setting.damping,
            Damper::Table(_) => 0.0,
        };
        self.answer.by_rate * by.rate + self.answer.damper_by_measure * by.way + by_number
    }
}

impl System {
    /// Gives all springs the changes of their numbers, where `change(i)` is that of input i.
    pub(crate) fn change_springs(&self, change: impl Fn(usize) -> f64, springs: &mut [Begun]) {
        for (spring, begun) in self.springs.iter().zip(springs) {
            begun.setting = spring.setting_change(&change);
        }
    }

    /// Spring `i` of an iterate.
    fn spring_end(&self, i: usize, at: &Iterate) -> End {
        let (measured, answer) = self.spring_at(i, at);
        End { measured, rate: rate_in(&measured, at), begun: at.springs[i], answer }
    }

    /// Spring `i` of a state, where `input(k)` is the value of input k.
    pub(super) fn spring_start(
        &self, i: usize, state: &State, input: impl Fn(usize) -> f64,
    ) -> (Measured, f64, Begun, Answer) {
        let spring = &self.springs[i];
        let measured = spring.measure.at(&state.q);
        let rate = measured.along(|u| state.velocity[u]);
        let begun = Begun { anchor: state.springs[i].anchor, setting: spring.setting(input) };
        let answer = spring.law.answer(measured.value, rate, &begun);
        (measured, rate, begun, answer)
    }

    fn spring_before(&self, i: usize, state: &State, end: Instant) -> End {
        let input = |k: usize| state.signals[k].at(end.elapsed_before)[0];
        let (measured, rate, begun, answer) = self.spring_start(i, state, input);
        End { measured, rate, begun, answer }
    }

    /// Work of spring `i` over the step from `state` to `at`, where it was `found`.
    pub(crate) fn spring_work(
        &self, i: usize, state: &State, at: &Iterate, found: &Answer, end: Instant,
    ) -> SpringWork {
        let spring = &self.springs[i];
        let damps = at.flow.factor != 0.0 && spring.damps();
        if spring.law.slip.is_none() && !damps {
            return SpringWork::default();
        }
        let before = self.spring_before(i, state, end);
        let way = spring.measure.at(&at.q).value - before.measured.value;
        let friction_work = found.dissipated + found.stored - state.springs[i].stored;
        let mean = |ends: [f64; 2]| 0.5 * (ends[0] + ends[1]);
        SpringWork {
            friction_work,
            numerical: mean([before.answer.friction, found.friction]) * way - friction_work,
            // A damper only takes: where a step does not resolve its force, the balance has to say so.
            damping_work: match damps {
                true => (mean([before.answer.damper, found.damper]) * way).max(0.0),
                false => 0.0,
            },
        }
    }

    /// Adds the change of the forces of all springs by the change `by` of an iterate.
    pub(super) fn add_springs_change(&self, at: &Iterate, by: &Iterate, out: &mut [f64]) {
        for i in 0..self.springs.len() {
            let now = self.spring_end(i, at);
            let change = moved(&now.measured, at, by, i);
            let law = &self.springs[i].law;
            let setting = [&now.begun.setting, &change.setting];
            let [by_setting, _] = law.by_setting(now.measured.value, now.rate, setting);
            let force = now.answer.by_measure * change.way
                + now.answer.by_rate * change.rate
                + now.answer.by_anchor * by.springs[i].anchor
                + by_setting;
            for (u, g, turned) in now.measured.turned(|u| by.q[u]) {
                out[u] += force * g + now.answer.force * turned;
            }
        }
    }

    /// Changes of spring `i` over the step from `state` to `at` by their changes.
    pub(crate) fn spring_change(
        &self, i: usize, (state, by): (&State, &State), (at, by_at): (&Iterate, &Iterate),
        end: Instant,
    ) -> SpringChange {
        let law = &self.springs[i].law;
        let (first, last) = (self.spring_before(i, state, end), self.spring_end(i, at));
        let (start, input) = (&first.measured, |k: usize| by.signals[k].at(end.elapsed_before)[0]);
        let turned = start.curved(|u| by.q[u], |u| state.velocity[u]);
        let by_first = EndChange {
            way: start.along(|u| by.q[u]),
            rate: start.along(|u| by.velocity[u]) + turned,
            setting: self.springs[i].setting_change(input),
        };
        let by_last = moved(&last.measured, at, by_at, i);
        let moved = last.measured.value - start.value;
        let way = by_last.way - by_first.way;
        let damps = at.flow.factor != 0.0;
        let dampers = last.damper_change(law, &by_last) + first.damper_change(law, &by_first);
        let damper = last.answer.damper + first.answer.damper;
        let anchor = match last.answer.dissipated != 0.0 {
            true => by_last.way,
            false => by.springs[i].anchor,
        };
        let stiffness = law.slip.map_or(0.0, |slip| slip.stiffness);
        let bent = [by_first.way - by.springs[i].anchor, by_last.way - anchor];
        let friction = [first.answer.friction, last.answer.friction];
        let stored = friction[1] * bent[1];
        let dissipated = friction[1] * (anchor - by.springs[i].anchor);
        let friction_work = dissipated + stored - friction[0] * bent[0];
        let felt = stiffness * (bent[0] + bent[1]) * moved + (friction[0] + friction[1]) * way;
        SpringChange {
            anchor,
            stored,
            work: SpringWork {
                friction_work,
                numerical: 0.5 * felt - friction_work,
                damping_work: match damps && damper * moved > 0.0 {
                    true => 0.5 * (dampers * moved + damper * way),
                    false => 0.0,
                },
            },
        }
    }

    /// Potential of all springs at `q` with these numbers, J.
    pub(crate) fn energy_of_springs(
        &self, q: &Positions, setting: impl Fn(usize) -> Setting,
    ) -> f64 {
        let springs = self.springs.iter().enumerate();
        springs.map(|(i, spring)| spring.law.energy(spring.measure.at(q).value, &setting(i))).sum()
    }

    /// Potential of the forces of actuators at `q` with these numbers, J.
    pub(crate) fn energy_of_actuators(
        &self, q: &Positions, setting: impl Fn(usize) -> Setting,
    ) -> f64 {
        let springs = self.springs.iter().enumerate();
        springs.map(|(i, spring)| setting(i).force * spring.measure.at(q).value).sum()
    }

    /// Its change by the change `by` of a state.
    pub(super) fn springs_energy_change(&self, state: &State, by: &State) -> f64 {
        let one = |i: usize| {
            let (measured, rate, begun, answer) =
                self.spring_start(i, state, |k| state.reached[k][0]);
            let change = self.springs[i].setting_change(|k| by.reached[k][0]);
            let law = &self.springs[i].law;
            let [_, by_setting] = law.by_setting(measured.value, rate, [&begun.setting, &change]);
            answer.elastic * measured.along(|u| by.q[u]) + by_setting
        };
        (0..self.springs.len()).map(one).sum()
    }

    /// Potential of spring `i` where its measure is `at` and changes by `m`, and its inputs are what `signal` finds.
    fn potential_of_spring<N: Numbers<State>>(
        &self, i: usize, state: &N, (at, m): (f64, N::Number),
        signal: impl Fn(&State, usize) -> f64,
    ) -> N::Number {
        let spring = &self.springs[i];
        let setting = spring.setting(|k| signal(state.now(), k));
        let begun = Begun { setting, ..Begun::default() };
        let answer = spring.law.answer(at, 0.0, &begun);
        let by_setting = state.with(answer.energy, |by| {
            let change = spring.setting_change(|k| signal(by, k));
            spring.law.by_setting(at, 0.0, [&setting, &change])[1]
        });
        (m - at) * answer.elastic + by_setting
    }

    /// Work of the inputs of springs that jump where a step begins, J.
    pub(crate) fn springs_jump<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let mut sum = N::Number::from(0.0);
        for (i, spring) in self.springs.iter().enumerate() {
            if spring.inputs.iter().all(Option::is_none) {
                continue;
            }
            let measured = spring.measure.at(&state.now().q);
            let m = state.with(measured.value, |by| measured.along(|u| by.q[u]));
            let m = (measured.value, m);
            sum += self.potential_of_spring(i, state, m, |s, k| s.signals[k].at(0.0)[0]);
            sum -= self.potential_of_spring(i, state, m, |s, k| s.reached[k][0]);
        }
        sum
    }

    /// Work of actuators and of the inputs of springs from `state` to the iterate `at` by the trapezoidal rule, J.
    pub(crate) fn springs_work<N: Numbers<State>>(
        &self, state: &N, at: &impl Numbers<Iterate, Number = N::Number>, end: Instant,
    ) -> N::Number {
        let mut sum = N::Number::from(0.0);
        for (i, spring) in self.springs.iter().enumerate() {
            let driven = spring.inputs.iter().any(Option::is_some);
            if !driven && spring.law.setting.force == 0.0 {
                continue;
            }
            let [before, after] = [&state.now().q, &at.now().q].map(|q| spring.measure.at(q));
            let m0 = state.with(before.value, |by| before.along(|u| by.q[u]));
            let m1 = at.with(after.value, |by| after.along(|u| by.q[u]));
            let force = |tau: f64| match spring.inputs[3] {
                Some(k) => state.get(|s| s.signals[k].at(tau)[0]),
                None => N::Number::from(spring.law.setting.force),
            };
            // It pulls: it does work where the measure gets smaller.
            sum -= (force(end.elapsed_before) + force(end.elapsed)) * (m1 - m0) * 0.5;
            if !driven {
                continue;
            }
            for m in [(before.value, m0), (after.value, m1)] {
                let potential = |tau: f64| {
                    self.potential_of_spring(i, state, m, |s, k| s.signals[k].at(tau)[0])
                };
                sum += (potential(end.elapsed) - potential(end.elapsed_before)) * 0.5;
            }
        }
        sum
    }
}

/// ṁ in an iterate.
fn rate_in(measured: &Measured, at: &Iterate) -> f64 {
    match at.flow.factor {
        0.0 => 0.0,
        _ => measured.along(|u| at.flow.velocity(u, at.q.get(u))),
    }
}

/// Changes of spring `i` by the change `by` of an iterate.
fn moved(measured: &Measured, at: &Iterate, by: &Iterate, i: usize) -> EndChange {
    let mut change =
        EndChange { way: measured.along(|u| by.q[u]), rate: 0.0, setting: by.springs[i].setting };
    if at.flow.factor != 0.0 {
        let velocity = |u: usize| at.flow.velocity(u, at.q.get(u));
        change.rate = measured.along(|u| at.flow.factor * by.q.way(u, &by.flow.origin))
            + measured.curved(|u| by.q[u], velocity);
    }
    change
}
