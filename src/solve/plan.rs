//! How a communication step is divided into steps.

use crate::system::{Instant, Span, System};

impl System {
    /// Number of equal steps of a communication step of `length` (s).
    pub(crate) fn steps_of(&self, length: f64) -> f64 {
        // A host's step is rarely an exact multiple in binary: a hair more is not one more.
        (length / self.model.solver.step * (1.0 - 1e-9))
            .ceil()
            .max(1.0)
    }
}

/// A communication step in equal steps; one that fails is halved, and its halves if need be. After two equal parts the length doubles again.
pub(super) struct Plan {
    /// Time at which the communication step begins, s.
    start: f64,
    /// Its length, s.
    length: f64,
    steps: f64,
    /// Steps that are done.
    done: f64,
    /// Smallest parts of a step.
    parts: u64,
    /// Those of the present step that are done, and those that are taken next.
    within: u64,
    size: u64,
}

impl Plan {
    /// Of the communication step from `start` over `length` (both s).
    pub fn new(system: &System, start: f64, length: f64) -> Plan {
        let parts = 1 << system.model.solver.max_halvings;
        Plan {
            start,
            length,
            steps: system.steps_of(length),
            done: 0.0,
            parts,
            within: 0,
            size: parts,
        }
    }

    /// Length of a whole step, s.
    pub fn step(&self) -> f64 {
        self.length / self.steps
    }

    /// What is to be taken next; `None` at the end.
    pub fn next(&mut self) -> Option<Span> {
        self.size = self.size.min(self.parts - self.within);
        (self.done < self.steps).then(|| self.span(self.size))
    }

    /// The next `size` parts of the present step.
    fn span(&self, size: u64) -> Span {
        let elapsed =
            |part: u64| self.length * ((self.done + part as f64 / self.parts as f64) / self.steps);
        let end = elapsed(self.within + size);
        Span {
            length: self.step() * (size as f64 / self.parts as f64),
            end: Instant {
                time: self.start + end,
                elapsed: end,
                elapsed_before: elapsed(self.within),
            },
            halvings: (self.parts / size).ilog2(),
        }
    }

    /// Goes on after what has been taken.
    pub fn go_on(&mut self) {
        self.within += self.size;
        if self.within == self.parts {
            self.end_step();
        } else if self.within.is_multiple_of(2 * self.size) {
            self.size *= 2;
        }
    }

    /// Halves what is to be taken next; whether that may be.
    pub fn halve(&mut self) -> bool {
        let may = self.size > 1;
        self.size = if may { self.size / 2 } else { 1 };
        may
    }

    /// What is left of the present step.
    pub fn rest_of_step(&self) -> Span {
        self.span(self.parts - self.within)
    }

    /// Goes on after the present step.
    pub fn end_step(&mut self) {
        self.done += 1.0;
        (self.within, self.size) = (0, self.parts);
    }
}
