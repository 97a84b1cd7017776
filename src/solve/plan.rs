//! How a communication step is divided into steps.

use super::tolerances::MOST_SUBSTEPS;
use crate::system::{Instant, Span};

/// Number of equal steps of at most `step` over `length` (both s).
pub(crate) fn steps_of(length: f64, step: f64) -> f64 {
    // A host's step is rarely an exact multiple in binary: rounding is not one more.
    (length / step * (1.0 - 1e-9)).ceil().max(1.0)
}

/// A communication step in equal steps; one that fails is halved, and its halves if need be. After two equal parts the length doubles again.
/// What is left of it may be divided anew.
#[derive(Debug)]
pub(super) struct Plan {
    /// Time at which the communication step begins, s.
    start: f64,
    /// Its length, s.
    length: f64,
    /// Where the equal steps begin, s from there.
    from: f64,
    steps: f64,
    /// Steps that are done.
    done: f64,
    /// Smallest parts of a step.
    parts: u64,
    /// Those of the present step that are done, and those that are taken next.
    within: u64,
    size: u64,
    /// Steps that have been tried.
    tried: u32,
}

impl Plan {
    /// Of the communication step from `start` over `length` in steps of at most `step` (all s), of which each may be halved `halvings` times.
    pub fn new(start: f64, length: f64, step: f64, halvings: u32) -> Plan {
        let parts = 1 << halvings;
        Plan {
            start,
            length,
            from: 0.0,
            steps: steps_of(length, step),
            done: 0.0,
            parts,
            within: 0,
            size: parts,
            tried: 0,
        }
    }

    /// Whether so many steps have been tried that a host gets no answer.
    pub fn is_spent(&self) -> bool {
        self.tried >= MOST_SUBSTEPS
    }

    /// Length of a whole step, s.
    pub fn step(&self) -> f64 {
        (self.length - self.from) / self.steps
    }

    /// Time from the beginning of the communication step to the end of the first `parts` of the present step, s.
    fn elapsed(&self, parts: u64) -> f64 {
        let steps = self.done + parts as f64 / self.parts as f64;
        match steps == self.steps {
            true => self.length,
            false => self.from + (self.length - self.from) * (steps / self.steps),
        }
    }

    /// Divides what is left into equal steps of at most `step` (s).
    pub fn divide(&mut self, step: f64) {
        self.from = self.elapsed(self.within);
        let left = self.length - self.from;
        self.steps = if left > 0.0 { steps_of(left, step) } else { 0.0 };
        (self.done, self.within, self.size) = (0.0, 0, self.parts);
    }

    /// Ends the next step after a `length` (s); after it, what is left has to be divided anew.
    pub fn cut(&mut self, length: f64) {
        self.divide(length);
        self.steps = (self.length - self.from) / length;
    }

    /// What is to be taken next; `None` at the end.
    pub fn next(&mut self) -> Option<Span> {
        self.size = self.size.min(self.parts - self.within);
        self.tried = self.tried.saturating_add(1);
        (self.done < self.steps).then(|| self.span(self.size))
    }

    /// The next `size` parts of the present step.
    fn span(&self, size: u64) -> Span {
        let end = self.elapsed(self.within + size);
        Span {
            length: self.step() * (size as f64 / self.parts as f64),
            end: Instant {
                time: self.start + end,
                elapsed: end,
                elapsed_before: self.elapsed(self.within),
            },
            halvings: (self.parts / size).ilog2(),
        }
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.done >= self.steps
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_communication_step_whose_steps_all_shrink_ends() {
        // 1,000 steps, each of which only its 2³⁰ smallest parts are taken of.
        let mut plan = Plan::new(0.0, 1.0, 1e-3, 30);
        let mut end = 0.0;
        while let Some(span) = plan.next()
            && !plan.is_spent()
        {
            if span.halvings == 30 {
                end = span.end.time;
                plan.go_on();
            } else {
                plan.halve();
            }
        }
        assert!(plan.is_spent() && 0.0 < end && end < 1e-4);
    }
}
