//! What the log tells of a communication step, for hosts that ask for it.

use super::report::{Category, Log, Status};
use crate::model::checked::{Counter, Output};
use crate::solve::{Events, Happening};
use crate::system::{State, System};

/// Counters before a step, for a log that wants them.
pub(super) struct Sight {
    counters: Option<[f64; 3]>,
}

impl Sight {
    /// Looks at a state.
    pub(super) fn of(log: &Log, system: &System, state: &State) -> Sight {
        Sight {
            counters: log.wants(Category::Solver).then(|| counters(system, state)),
        }
    }

    /// Logs what has changed since and what has happened; `start` is the host's time at the model's
    /// time 0, s.
    pub(super) fn report(
        self,
        log: &Log,
        system: &System,
        state: &State,
        events: &Events,
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
        if !log.wants(Category::Events) {
            return;
        }
        for event in events.list() {
            let (name, time) = (
                &system.model().sliders[event.slider].name,
                start + event.time,
            );
            let what = match event.what {
                Happening::Sticks => "sticks".to_owned(),
                Happening::Slides => "slides".to_owned(),
                Happening::LiftsOff => "lifts off its path".to_owned(),
                Happening::TouchesDown => "touches down on its path".to_owned(),
                Happening::MeetsStop => "meets the stop at the end of its path".to_owned(),
                Happening::LeavesStop => "leaves the stop at the end of its path".to_owned(),
                Happening::Passes { from, to } => {
                    let count = system.sliders[event.slider].path.elements().len();
                    let (from, to) = (from + 1, to + 1);
                    format!("goes from element {from} of its path to element {to} of {count}")
                }
            };
            let text = format!("t = {time} s: joints.{name} {what}");
            log.send(Status::Ok, Category::Events, &text);
        }
        if events.missed() > 0 {
            let text = format!("t = {time} s: {} more events before", events.missed());
            log.send(Status::Ok, Category::Events, &text);
        }
    }
}

fn counters(system: &System, state: &State) -> [f64; 3] {
    [Counter::Steps, Counter::Iterations, Counter::Rejections]
        .map(|counter| system.read(state, Output::Counter(counter)))
}
