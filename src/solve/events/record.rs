//! What sliders and contact layers did during a communication step, and when.

use serde::{Deserialize, Serialize};

use super::crossing::zero_between;
use super::layers::Layer;
use super::search::{Condition, Search};
use crate::joints::regime::{Regime, Sense};
use crate::solve::tolerances::RECORDED_EVENTS;
use crate::system::{State, System};

/// Something that happened, at the end of the solver's step in which it did or where that step was cut for it. In bytes it always has the
/// same size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// On the model's clock, s.
    pub time: f64,
    pub of: Affected,
    pub what: Happening,
    /// Elements of its path, counted from 0, between which a slider [passes](Happening::Passes); 0 where it does not.
    #[serde(with = "postcard::fixint::le")]
    pub from: u32,
    #[serde(with = "postcard::fixint::le")]
    pub to: u32,
}

/// What an event happens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Affected {
    /// Index in [`crate::checked::Checked::sliders`].
    Slider(#[serde(with = "postcard::fixint::le")] u32),
    /// Index in [`crate::checked::Checked::motions`].
    Motion(#[serde(with = "postcard::fixint::le")] u32),
    /// Index in [`crate::checked::Checked::contacts`]: of contacts with a layer.
    Contact(#[serde(with = "postcard::fixint::le")] u32),
    /// Index in [`crate::checked::Checked::outputs`]: of an output that changes in jumps.
    Output(#[serde(with = "postcard::fixint::le")] u32),
    /// The equilibrium of a quasi-static analysis.
    Equilibrium(#[serde(with = "postcard::fixint::le")] u32),
}

/// What happens at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Happening {
    Sticks,
    Slides,
    /// It slides the other way, against static friction that does not hold it.
    Reverses,
    /// It slides the other way, stops or begins to move without static friction: no force jumps.
    Turns,
    ComesToRest,
    StartsMoving,
    MeetsStop,
    LeavesStop,
    /// It meets a stop and comes back at once.
    StrikesStop,
    LiftsOff,
    TouchesDown,
    /// It comes down on its path and is off it again at once.
    StrikesPath,
    Passes,
    PassesKink,
    /// A motion ends.
    Ends,
    /// An equilibrium [jumps](SnapThrough) to another.
    Jumps,
    /// A value changes for which nothing else accounts.
    Changes,
}

/// A jump from one equilibrium to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SnapThrough {
    /// When, on the model's clock, s: between the last equilibrium before and the first behind.
    pub between: [f64; 2],
    /// The unknown or sliding coordinate that moves farthest.
    pub unknown: usize,
    /// m or rad.
    pub by: f64,
    pub reason: Reason,
}

/// Why an equilibrium jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Near the last equilibrium there is none any more.
    LimitPoint,
    /// A slider that stuck has broken away.
    BreaksAway { slider: usize },
    /// There is one near, but the step was too long for it.
    StepTooLong,
}

/// The events of the present communication step, for a host that wants to know them.
#[derive(Debug, Clone, Default)]
pub struct Events {
    wanted: bool,
    /// What each slider did when it was last looked at.
    places: Vec<Place>,
    /// What each contact layer did when it was last looked at, and at the beginning of the present step.
    layers: Vec<Layer>,
    layers_before: Vec<Layer>,
    list: Vec<Event>,
    /// How many there were at the beginning of the present step.
    before: usize,
    /// Those that are not in the list.
    missed: usize,
    /// The last jump of a quasi-static analysis.
    snap_through: Option<SnapThrough>,
}

impl Event {
    /// Whether it is one of the mechanism, and not a passage between elements of its mesh.
    pub fn is_of_mechanism(&self) -> bool {
        self.what != Happening::Passes
    }

    /// Whether a communication step ends at it, where the host allows that.
    fn stops(&self) -> bool {
        use Happening::{ComesToRest, Passes, StartsMoving, Turns};
        !matches!(self.what, Turns | ComesToRest | StartsMoving | Passes)
    }

    /// That output number `output` has another value from `time` (s, on the model's clock) on.
    pub fn of_output(output: usize, time: f64) -> Event {
        let (of, what) = (Affected::Output(short(output)), Happening::Changes);
        Event { time, of, what, from: 0, to: 0 }
    }
}

impl Events {
    /// Whether events are kept from now on.
    pub fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// Events of the last communication step, in the order of time.
    pub fn list(&self) -> &[Event] {
        &self.list
    }

    /// How many more there were.
    pub fn missed(&self) -> usize {
        self.missed
    }

    /// The last jump of a quasi-static analysis in the last communication step.
    pub fn snap_through(&self) -> Option<&SnapThrough> {
        self.snap_through.as_ref()
    }

    /// What contact layers did when they were last looked at.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Takes over what contact layers did before.
    pub fn recall(&mut self, layers: &[Layer]) {
        self.layers.clear();
        self.layers.extend_from_slice(layers);
    }

    /// A communication step begins at `state`.
    pub(crate) fn begin(&mut self, system: &System, state: &State) {
        self.snap_through = None;
        self.layers.resize(system.surfaces.contacts.len(), Layer::default());
        self.layers_before.clone_from(&self.layers);
        self.go_back(system, state, (0, 0));
    }

    /// A step begins; the number of events so far.
    pub(crate) fn begin_step(&mut self) -> (usize, usize) {
        self.layers_before.clone_from(&self.layers);
        self.before = self.list.len();
        self.count()
    }

    /// Whether a communication step ends at some event after the first `before`.
    pub(crate) fn stop(&self, before: (usize, usize)) -> bool {
        self.missed > before.1 || self.list.iter().skip(before.0).any(Event::stops)
    }

    /// Number of events so far: those in the list and those that are not.
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.list.len(), self.missed)
    }

    /// Forgets all but the first `count`: the solver is back at `state`.
    pub(crate) fn go_back(&mut self, system: &System, state: &State, count: (usize, usize)) {
        self.list.truncate(count.0);
        self.missed = count.1;
        self.before = count.0;
        self.layers.clone_from(&self.layers_before);
        if self.wanted {
            // Those of a start are looked at for the first time.
            for (contact, layer) in self.layers.iter_mut().enumerate() {
                layer.begin(system, state, contact);
            }
            self.places.clear();
            let sliders = 0..system.sliders.len();
            self.places.extend(sliders.map(|j| Place::of(system, state, j)));
        }
    }

    /// Keeps what sliders do in `state` from `time` (s) on that they did not do before.
    pub(crate) fn record(&mut self, system: &System, state: &mut State, time: f64) {
        state.keep_journal(time);
        if !self.wanted {
            return;
        }
        for slider in 0..self.places.len() {
            let now = Place::of(system, state, slider);
            let before = std::mem::replace(&mut self.places[slider], now);
            let [(was, from), (is, to)] = [before, now].map(|at| (at.regime, at.element));
            let turned = |[was, is]: [bool; 2], begins, ends| {
                (was != is).then_some(if is { begins } else { ends })
            };
            let open = [was, is].map(|regime| regime.is_open());
            let stopped = [was, is].map(|regime| regime.is_stopped());
            let sticks = [was, is].map(|regime| regime.sticks());
            let friction = turned(sticks, Happening::Sticks, Happening::Slides);
            let turns = before.turns_into(&now).map(|what| (what, before.turns_until(&now, time)));
            let changes = [
                (from != to).then_some(Happening::Passes),
                turned(open, Happening::LiftsOff, Happening::TouchesDown),
                turned(stopped, Happening::MeetsStop, Happening::LeavesStop),
                friction.filter(|_| !is.is_open()),
            ];
            let changes = changes.into_iter().flatten().map(|what| (what, time));
            for (what, time) in changes.chain(turns) {
                let [from, to] = match what {
                    Happening::Passes => [from, to].map(short),
                    _ => [0, 0],
                };
                self.add(Event { time, of: Affected::Slider(short(slider)), what, from, to });
            }
        }
        for contact in 0..self.layers.len() {
            let change = self.layers[contact].look(system, state, contact);
            let turned = |change: Option<(bool, f64)>, begins, ends| {
                change.map(|(now, time)| (if now { begins } else { ends }, time))
            };
            let closes = turned(change.closed, Happening::TouchesDown, Happening::LiftsOff);
            let slides = turned(change.slides, Happening::Slides, Happening::Sticks);
            for (what, time) in closes.into_iter().chain(slides) {
                let of = Affected::Contact(short(contact));
                self.add(Event { time, of, what, from: 0, to: 0 });
            }
        }
    }

    /// Keeps the impacts in `search` from which sliders come back, so that no event after the first `before` reports them.
    pub(crate) fn hit(&mut self, search: &Search, before: usize, time: f64) {
        if !self.wanted {
            return;
        }
        for (slider, _) in search.sliders.iter().enumerate().filter(|(_, own)| own.meets) {
            let of = Affected::Slider(short(slider));
            let at_kink = search.is_there(Condition::Kink, slider);
            // What strikes comes back, which is no event of its own.
            let turned = |event: &Event| {
                let turns = matches!(event.what, Happening::Turns | Happening::Reverses);
                turns && event.of == of
            };
            if let Some(place) = self.list[self.before..].iter().rposition(turned) {
                self.list.remove(self.before + place);
            }
            let known = |event: &Event| event.of == of && event.is_of_mechanism();
            if self.list.iter().skip(before).any(known) {
                continue;
            }
            let what = match search.is_there(Condition::Contact, slider) {
                _ if at_kink => Happening::PassesKink,
                true => Happening::StrikesPath,
                false => Happening::StrikesStop,
            };
            self.add(Event { time, of, what, from: 0, to: 0 });
        }
    }

    /// Keeps that a motion has ended at `time` (s).
    pub(crate) fn released(&mut self, motion: usize, time: f64) {
        if self.wanted {
            let (of, what) = (Affected::Motion(short(motion)), Happening::Ends);
            self.add(Event { time, of, what, from: 0, to: 0 });
        }
    }

    /// Keeps a jump of the equilibrium.
    pub(crate) fn jumped(&mut self, snap_through: SnapThrough) {
        self.snap_through = Some(snap_through);
        if self.wanted {
            let (time, of) = (snap_through.between[1], Affected::Equilibrium(0));
            self.add(Event { time, of, what: Happening::Jumps, from: 0, to: 0 });
        }
    }

    fn add(&mut self, event: Event) {
        if self.list.len() < RECORDED_EVENTS {
            // Instants inside a step that has not been cut are found at its end.
            let later = self.list[self.before..].iter().rev().take_while(|e| e.time > event.time);
            self.list.insert(self.list.len() - later.count(), event);
        } else {
            self.missed += 1;
        }
    }
}

/// An index in few bytes; no model has so many of anything.
fn short(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// What a slider does at an instant.
#[derive(Debug, Clone, Copy)]
struct Place {
    regime: Regime,
    /// The element of its path on which it is.
    element: usize,
    /// On the model's clock, s.
    time: f64,
    /// ds/dt (m/s) and its rate (m/s²).
    velocity: f64,
    acceleration: f64,
    /// Whether steps are cut where its velocity is 0.
    cuts: bool,
}

impl Place {
    fn of(system: &System, state: &State, j: usize) -> Place {
        let slider = &system.sliders[j];
        let s = slider.coordinate;
        Place {
            regime: state.sliders[j].regime,
            element: slider.path.element_at(state.q[s]),
            time: state.time,
            velocity: state.velocity[s],
            acceleration: state.acceleration[s],
            cuts: slider.cuts,
        }
    }

    /// Instant (s) between this and `later` at which the slider turns back, where `cut` is that of a step that has been cut for it: the zero of
    /// the parabola through both velocities with the acceleration at the first.
    fn turns_until(&self, later: &Place, cut: f64) -> f64 {
        if self.cuts {
            return cut;
        }
        if self.regime == Regime::Slip(Sense::Neither) {
            return self.time;
        }
        let (times, h) = ([self.time, later.time], later.time - self.time);
        let bend = later.velocity - self.velocity - self.acceleration * h;
        zero_between(times, [self.velocity, later.velocity], bend)
    }

    /// What a slider does `later` that slid in one sense, or had none at rest, and slides in another one.
    fn turns_into(&self, later: &Place) -> Option<Happening> {
        let (Regime::Slip(was), Regime::Slip(is)) = (self.regime, later.regime) else {
            return None;
        };
        match (was, is) {
            _ if was == is => None,
            (Sense::Neither, _) if self.cuts => Some(Happening::Slides),
            (Sense::Neither, _) => Some(Happening::StartsMoving),
            (_, Sense::Neither) if self.cuts => Some(Happening::Sticks),
            (_, Sense::Neither) => Some(Happening::ComesToRest),
            _ if self.cuts => Some(Happening::Reverses),
            _ => Some(Happening::Turns),
        }
    }
}
