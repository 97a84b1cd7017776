//! Events of a run, for a host of FMI 3.0.

use serde::{Deserialize, Serialize};

use super::step_log::event_text;
use crate::solve::{Affected, Event, Happening, Layer};
use crate::system::System;

/// Events of one instant that are named; of more only the number is known.
const NAMED: usize = 4;

/// Located events that end a communication step within one step of the solver; those after them end it behind that step, all at once.
pub(super) const STOPS_IN_A_STEP: u32 = 16;

/// Share of a step of the solver that a communication step takes at least before an event ends it: instants closer together are one.
pub(super) const MERGED: f64 = 1e-6;

/// Events since the start and the last ones of them; its bytes have always the same number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Happened {
    #[serde(with = "postcard::fixint::le")]
    pub count: u64,
    /// Time of the last ones on the host's clock, s; the start where there was none.
    pub time: f64,
    /// How many of them there are at that time.
    #[serde(with = "postcard::fixint::le")]
    together: u32,
    /// The first of these.
    last: [Event; NAMED],
}

impl Happened {
    /// Nothing yet at the host's time `start` (s).
    pub fn none(start: f64) -> Happened {
        let (of, what) = (Affected::Slider(0), Happening::Sticks);
        let none = Event { time: 0.0, of, what, from: 0, to: 0 };
        Happened { count: 0, time: start, together: 0, last: [none; NAMED] }
    }

    /// Adds events in the order of time, whose clock begins at the host's time `start` (s), and `missed` more after them.
    fn add(&mut self, events: &[Event], missed: usize, start: f64) {
        let (mut known, events) = (0, events.iter().filter(|event| event.is_of_mechanism()));
        for event in events {
            known += 1;
            let time = start + event.time;
            if time != self.time {
                (self.time, self.together) = (time, 0);
            }
            if let Some(place) = self.last.get_mut(self.together as usize) {
                *place = *event;
            }
            self.together = self.together.saturating_add(1);
        }
        self.count += known + missed as u64;
    }

    /// What the last ones were, separated by semicolons.
    pub fn text(&self, system: &System) -> String {
        let named = self.last.iter().take(self.together as usize);
        let mut texts: Vec<String> = named.map(|event| event_text(system, event)).collect();
        let more = (self.together as usize).saturating_sub(NAMED);
        if more > 0 {
            texts.push(format!("and {more} more"));
        }
        texts.join("; ")
    }
}

/// What an instance for FMI 3.0 remembers of events.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct EventMemory {
    /// All of them.
    pub now: Happened,
    /// Those that the host has handled; without Event Mode all.
    pub handled: Happened,
    /// Values that discrete outputs had when the host handled the last event, in the order of the outputs; without Event Mode none.
    pub discrete: Vec<f64>,
    /// What contact layers did at the end of the last communication step.
    pub layers: Vec<Layer>,
    /// Whether the last communication step ended at an event.
    pub at_event: bool,
    /// Time on the model's clock from which stops are counted, s, and how many there were.
    window: f64,
    #[serde(with = "postcard::fixint::le")]
    stops: u32,
    /// Whether it has been said that events chatter.
    reported: bool,
}

impl EventMemory {
    /// At the host's time `start` (s), with room for `outputs` values and so many contact `layers`.
    pub fn new(start: f64, outputs: usize, layers: usize) -> EventMemory {
        let none = Happened::none(start);
        EventMemory {
            now: none,
            handled: none,
            discrete: vec![0.0; outputs],
            layers: vec![Layer::default(); layers],
            at_event: false,
            window: f64::NEG_INFINITY,
            stops: 0,
            reported: false,
        }
    }

    /// Begins anew at the host's time `start` (s).
    pub fn begin(&mut self, start: f64) {
        *self = EventMemory::new(start, self.discrete.len(), self.layers.len());
    }

    /// Adds events in the order of time, whose clock begins at the host's time `start` (s), and `missed` more after them. What the host has
    /// handled is no part of what happens next, also at the same instant.
    pub fn add(&mut self, events: &[Event], missed: usize, start: f64) {
        if self.now == self.handled && events.iter().any(Event::is_of_mechanism) {
            self.now.together = 0;
        }
        self.now.add(events, missed, start);
    }

    /// Instant from which on events end a communication step that begins at `now`, with steps of length `h` (all s).
    pub fn stop_after(&mut self, now: f64, h: f64) -> f64 {
        if now - self.window >= h {
            (self.window, self.stops) = (now, 0);
        }
        now + if self.stops < STOPS_IN_A_STEP { MERGED * h } else { h }
    }

    /// Counts a communication step that an event has ended; whether events have begun to chatter, which is said once.
    pub fn stopped(&mut self) -> bool {
        self.at_event = true;
        self.stops += 1;
        let chatter = self.stops == STOPS_IN_A_STEP && !self.reported;
        self.reported |= chatter;
        chatter
    }
}
