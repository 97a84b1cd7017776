//! Instants and intervals of time that steps are taken over.

/// The end of a step.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    pub time: f64,
    /// Time since the communication point, s.
    pub elapsed: f64,
    /// Time from the communication point to the beginning of the step, s.
    pub elapsed_before: f64,
}

impl Instant {
    /// The communication point at `time` (s), from which a step begins.
    pub(crate) const fn of_communication(time: f64) -> Instant {
        Instant { time, elapsed: 0.0, elapsed_before: 0.0 }
    }

    /// The instant a time `h` (s) before this one, in the same step.
    pub(crate) fn before(self, h: f64) -> Instant {
        Instant { time: self.time - h, elapsed: self.elapsed - h, ..self }
    }
}

/// An interval of time over which a step, or a part of one, is taken.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// s.
    pub length: f64,
    pub end: Instant,
    /// How often the step that it belongs to has been halved.
    pub halvings: u32,
}

impl Span {
    /// The first `length` (s) of it.
    pub(crate) fn first(self, length: f64) -> Span {
        let left = self.length - length;
        let end = Instant {
            time: self.end.time - left,
            elapsed: self.end.elapsed - left,
            elapsed_before: self.end.elapsed - self.length,
        };
        Span { length, end, ..self }
    }

    /// What is left of it after the first `length` (s).
    pub(crate) fn after(self, length: f64) -> Span {
        let left = self.length - length;
        let end = Instant { elapsed_before: self.end.elapsed - left, ..self.end };
        Span { length: left, end, ..self }
    }

    /// The part between two shares of it.
    pub(crate) fn part(self, [from, to]: [f64; 2]) -> Span {
        self.first(to * self.length).after(from * self.length)
    }
}
