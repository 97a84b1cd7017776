//! What the log tells of a communication step, for hosts that ask for it.

use super::blueprint::Blueprint;
use super::interface::Role;
use super::report::{Category, Log, Status};
use crate::model::checked::{Counter, Output};
use crate::system::{State, System};

/// Counters and sticking joints before a step; empty for a log that wants neither.
pub(super) struct Sight {
    counters: Option<[f64; 3]>,
    sticking: Option<Vec<bool>>,
}

impl Sight {
    /// Looks at a state.
    pub(super) fn of(blueprint: &Blueprint, log: &Log, system: &System, state: &State) -> Sight {
        Sight {
            counters: log.wants(Category::Solver).then(|| counters(system, state)),
            sticking: log
                .wants(Category::Events)
                .then(|| sticking(blueprint, system, state)),
        }
    }

    /// Logs what has changed since; `start` is the host's time at the model's time 0, s.
    pub(super) fn report(
        self,
        blueprint: &Blueprint,
        log: &Log,
        system: &System,
        state: &State,
        start: f64,
    ) {
        let time = start + state.time;
        if let Some(before) = self.counters {
            let after = counters(system, state);
            let [steps, iterations, rejections] = std::array::from_fn(|i| after[i] - before[i]);
            let text = format!(
                "t = {time} s: {steps} substeps, {iterations} iterations, {rejections} rejections"
            );
            log.send(Status::Ok, Category::Solver, &text);
        }
        let Some(before) = self.sticking else {
            return;
        };
        let now = sticking(blueprint, system, state);
        for (name, (before, now)) in names(blueprint).zip(before.into_iter().zip(now)) {
            if before != now {
                let joint = name.strip_suffix(".sticking").unwrap_or(name);
                let verb = if now { "sticks" } else { "slides" };
                log.send(
                    Status::Ok,
                    Category::Events,
                    &format!("t = {time} s: {joint} {verb}"),
                );
            }
        }
    }
}

fn counters(system: &System, state: &State) -> [f64; 3] {
    [Counter::Steps, Counter::Iterations, Counter::Rejections]
        .map(|counter| system.read(state, Output::Counter(counter)))
}

fn sticking(blueprint: &Blueprint, system: &System, state: &State) -> Vec<bool> {
    (blueprint.interface().variables().iter())
        .filter_map(|v| match v.role {
            Role::Output(output @ Output::Sticking(_)) => Some(system.read(state, output) != 0.0),
            _ => None,
        })
        .collect()
}

fn names(blueprint: &Blueprint) -> impl Iterator<Item = &str> {
    (blueprint.interface().variables().iter())
        .filter(|v| matches!(v.role, Role::Output(Output::Sticking(_))))
        .map(|v| v.name.as_str())
}
