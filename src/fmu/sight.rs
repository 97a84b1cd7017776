//! What the log tells of a communication step, for hosts that ask for it.

use super::report::{Category, Log, Status};
use crate::model::checked::{Counter, Output};
use crate::system::{State, System};

/// Counters and sliders before a step; empty for a log that wants neither.
pub(super) struct Sight {
    counters: Option<[f64; 3]>,
    sliders: Option<Vec<Place>>,
}

/// What the log tells of a slider.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    sticking: bool,
    /// Element of its path, counted from 0.
    element: usize,
}

impl Sight {
    /// Looks at a state.
    pub(super) fn of(log: &Log, system: &System, state: &State) -> Sight {
        Sight {
            counters: log.wants(Category::Solver).then(|| counters(system, state)),
            sliders: log.wants(Category::Events).then(|| places(system, state)),
        }
    }

    /// Logs what has changed since; `start` is the host's time at the model's time 0, s.
    pub(super) fn report(self, log: &Log, system: &System, state: &State, start: f64) {
        let time = start + state.time;
        if let Some(before) = self.counters {
            let after = counters(system, state);
            let [steps, iterations, rejections] = std::array::from_fn(|i| after[i] - before[i]);
            let text = format!(
                "t = {time} s: {steps} substeps, {iterations} iterations, {rejections} rejections"
            );
            log.send(Status::Ok, Category::Solver, &text);
        }
        let Some(before) = self.sliders else {
            return;
        };
        let now = places(system, state);
        for (j, (before, now)) in before.into_iter().zip(now).enumerate() {
            let event = |text: &str| {
                let name = &system.model().sliders[j].name;
                let text = format!("t = {time} s: joints.{name} {text}");
                log.send(Status::Ok, Category::Events, &text);
            };
            if before.sticking != now.sticking {
                event(if now.sticking { "sticks" } else { "slides" });
            }
            if before.element != now.element {
                let count = system.sliders[j].path.elements().len();
                let (from, to) = (before.element + 1, now.element + 1);
                event(&format!(
                    "goes from element {from} of its path to element {to} of {count}"
                ));
            }
        }
    }
}

fn counters(system: &System, state: &State) -> [f64; 3] {
    [Counter::Steps, Counter::Iterations, Counter::Rejections]
        .map(|counter| system.read(state, Output::Counter(counter)))
}

fn places(system: &System, state: &State) -> Vec<Place> {
    (system.sliders.iter().zip(&state.sliders))
        .map(|(slider, now)| Place {
            sticking: now.sticking,
            element: slider.path.element_at(state.q[slider.coordinate]),
        })
        .collect()
}
