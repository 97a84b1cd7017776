//! What the log tells of a communication step, for hosts that ask for it.

use super::report::{Category, Log, Status};
use crate::message::rounded;
use crate::model::checked::{Counter, Output};
use crate::solve::{Events, Happening};
use crate::system::{State, System};

/// What was known before a step.
pub(super) struct Sight {
    /// Counters, for a log that wants them.
    counters: Option<[f64; 3]>,
    /// On the model's clock, s.
    time: f64,
    stable: bool,
}

impl Sight {
    /// Looks at a state.
    pub(super) fn of(log: &Log, system: &System, state: &State) -> Sight {
        Sight {
            counters: log.wants(Category::Solver).then(|| counters(system, state)),
            time: state.time,
            stable: state.unstable_modes == 0,
        }
    }

    /// Warns of an equilibrium at the start that is unstable.
    pub(super) fn warn_of_start(log: &Log, state: &State, time: f64) {
        if state.unstable_modes > 0 {
            let text = format!(
                "the equilibrium at t = {} s {}",
                clock(time),
                unstable(state)
            );
            log.send(Status::Warning, Category::Warning, &text);
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
        let time = || clock(start + state.time);
        if let Some(before) = self.counters {
            let after = counters(system, state);
            let [steps, iterations, rejections] = std::array::from_fn(|i| after[i] - before[i]);
            let text = format!(
                "t = {} s: {steps} substeps, {iterations} iterations, {rejections} rejections",
                time()
            );
            log.send(Status::Ok, Category::Solver, &text);
        }
        if self.stable && state.unstable_modes > 0 {
            let text = format!(
                "from between t = {} s and t = {} s on the equilibrium {}",
                clock(start + self.time),
                time(),
                unstable(state)
            );
            log.send(Status::Warning, Category::Warning, &text);
        }
        if !log.wants(Category::Events) {
            return;
        }
        for event in events.list() {
            let (name, time) = (
                &system.model().sliders[event.slider].name,
                clock(start + event.time),
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
            let text = format!("t = {} s: {} more events before", time(), events.missed());
            log.send(Status::Ok, Category::Events, &text);
        }
    }
}

/// A time without the rounding of its last digits.
fn clock(time: f64) -> String {
    rounded(time, 10)
}

/// What is wrong with an unstable equilibrium.
fn unstable(state: &State) -> String {
    let motions = match state.unstable_modes {
        1 => "one motion".to_owned(),
        n => format!("{n} independent motions"),
    };
    format!(
        "is unstable: {motions} would run away at the least disturbance, and the structure would \
         not stay there; `coulisse static` finds where it branches off"
    )
}

fn counters(system: &System, state: &State) -> [f64; 3] {
    [Counter::Steps, Counter::Iterations, Counter::Rejections]
        .map(|counter| system.read(state, Output::Counter(counter)))
}
