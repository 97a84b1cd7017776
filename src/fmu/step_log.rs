//! The log of a communication step, for hosts that ask for it.

use super::report::{Category, Log, Status};
use crate::checked::Subject;
use crate::message::rounded;
use crate::solve::{Affected, Event, Events, Happening, Reason, SnapThrough};
use crate::system::outputs::OfSolver;
use crate::system::{State, System};

/// Counters, time and stability before a communication step, with which the log compares the state after it.
#[derive(Debug)]
pub(super) struct StepLog {
    /// Counters, for a log that wants them.
    counters: Option<[f64; 3]>,
    /// On the model's clock, s.
    time: f64,
    stable: bool,
    /// Equilibria that had jumped.
    snap_throughs: u64,
}

impl StepLog {
    /// Looks at a state.
    pub(super) fn of(log: &Log, system: &System, state: &State) -> StepLog {
        StepLog {
            counters: log.wants(Category::Solver).then(|| counters(system, state)),
            time: state.time,
            stable: state.unstable_modes == 0,
            snap_throughs: state.counters.snap_throughs,
        }
    }

    /// Warns of an equilibrium at the start that is unstable.
    pub(super) fn warn_of_start(log: &Log, state: &State, time: f64) {
        if state.unstable_modes > 0 {
            let text = format!("the equilibrium at t = {} s {}", clock(time), unstable(state));
            log.send(Status::Warning, Category::Warning, &text);
        }
    }

    /// Logs what has changed since and what has happened; `start` is the host's time at the model's
    /// time 0, s.
    pub(super) fn report(
        self, log: &Log, system: &System, state: &State, events: &Events, start: f64,
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
        if let (0, Some(snap_through)) = (self.snap_throughs, events.snap_through()) {
            let text = snap_through_text(system, state, snap_through, start);
            log.send(Status::Warning, Category::Warning, &text);
        }
        if !log.wants(Category::Events) {
            return;
        }
        for event in events.list() {
            log_event(log, system, event, start);
        }
        if events.missed() > 0 {
            let text = format!("t = {} s: {} more events before", time(), events.missed());
            log.send(Status::Ok, Category::Events, &text);
        }
    }
}

/// Logs an event; `start` is the host's time at the model's time 0, s.
pub(super) fn log_event(log: &Log, system: &System, event: &Event, start: f64) {
    if log.wants(Category::Events) {
        let text = format!("t = {} s: {}", clock(start + event.time), event_text(system, event));
        log.send(Status::Ok, Category::Events, &text);
    }
}

/// What has happened, and to what.
pub(super) fn event_text(system: &System, event: &Event) -> String {
    let model = system.model();
    let name = match event.of {
        Affected::Slider(slider) => model.path_of_slider(slider as usize),
        Affected::Motion(motion) => format!("motions.{}", model.motions[motion as usize].name),
        Affected::Contact(contact) => format!("contacts.{}", model.contacts[contact as usize].name),
        Affected::Output(output) => model.outputs[output as usize].path.clone(),
        Affected::Equilibrium(_) => "the equilibrium".to_owned(),
    };
    let of_layer = matches!(event.of, Affected::Contact(_));
    let what = match event.what {
        Happening::Sticks => "sticks",
        Happening::Slides => "slides",
        Happening::Reverses | Happening::Turns => "reverses",
        Happening::ComesToRest => "comes to rest",
        Happening::StartsMoving => "starts to move",
        Happening::LiftsOff if of_layer => "opens",
        Happening::TouchesDown if of_layer => "closes",
        Happening::LiftsOff => "lifts off its path",
        Happening::TouchesDown => "touches down on its path",
        Happening::MeetsStop => "meets the stop at the end of its path",
        Happening::StrikesStop => "strikes the stop at the end of its path",
        Happening::StrikesPath => "strikes its path",
        Happening::LeavesStop => "leaves the stop at the end of its path",
        Happening::PassesKink => "passes a kink of its path",
        Happening::Ends => "ends",
        Happening::Jumps => "jumps",
        Happening::Changes => "changes",
        Happening::Passes => {
            let count = match event.of {
                Affected::Slider(slider) => system.sliders[slider as usize].path.elements().len(),
                _ => 0,
            };
            let (from, to) = (event.from + 1, event.to + 1);
            return format!(
                "{name} goes from element {from} of its path to element {to} of {count}"
            );
        }
    };
    format!("{name} {what}")
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

/// What has jumped, under what, why, and what to do.
fn snap_through_text(
    system: &System, state: &State, snap_through: &SnapThrough, start: f64,
) -> String {
    let [from, to] = snap_through.between.map(|time| clock(start + time));
    let turns = system.is_rotation.get(snap_through.unknown) == Some(&true);
    let (what, unit) = (system.name_of(snap_through.unknown), if turns { "rad" } else { "m" });
    let why = match snap_through.reason {
        Reason::LimitPoint => "the path of equilibria has passed a limit point, behind which there is none near it; \
             `coulisse static` with `control = \"arc_length\"` follows it round, `analysis = \"dynamic\"` shows the \
             jump, after which inertia may carry the mechanism elsewhere"
            .to_string(),
        Reason::BreaksAway { slider } => format!(
            "{} breaks away, and its friction decreases with speed; `analysis = \"dynamic\"` shows how far inertia carries it",
            system.model().path_of_slider(slider)
        ),
        Reason::StepTooLong => {
            "the path of equilibria goes on, but the step was too long to stay on it; reduce `solver.step`".to_string()
        }
    };
    format!(
        "between t = {from} s and t = {to} s the equilibrium jumps{}: {what} changes by {} {unit}: {why}",
        loads_at(system, state, snap_through.between[1]),
        rounded(snap_through.by, 4)
    )
}

/// Loads that change at a time, with their values.
fn loads_at(system: &System, state: &State, time: f64) -> String {
    let mut loads = Vec::new();
    for (load, acting) in system.model().loads.iter().zip(&system.loads.points.list) {
        for (component, (key, unit)) in
            [("fx", "N"), ("fy", "N"), ("moment", "N·m")].into_iter().enumerate()
        {
            let value = load.factors.at(component, time)
                * acting.component(component, |i| state.reached[i][0]);
            if value != 0.0
                && (!load.factors.is_constant(component) || acting.inputs[component].is_some())
            {
                loads.push(format!("loads.{}.{key} = {} {unit}", load.name, rounded(value, 6)));
            }
        }
    }
    match loads.len() {
        0 => String::new(),
        1..=3 => format!(" under {}", loads.join(", ")),
        n => format!(" under {} and {} more loads", loads[..2].join(", "), n - 2),
    }
}

fn counters(system: &System, state: &State) -> [f64; 3] {
    [OfSolver::Steps, OfSolver::Iterations, OfSolver::Rejections]
        .map(|counter| system.read(state, counter.of(Subject::Solver)))
}
