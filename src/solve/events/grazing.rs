//! Conditions that are broken inside a step and hold again at its end: a ball that grazes a table, a bead that turns back
//! just beyond a stop.
//!
//! Between the ends of a step a gap is taken for the cubic with its values and rates there. Where its minimum is below what may be
//! passed, the step is cut at the lowest place, at whose end the search for the first broken condition sees it.

use crate::joints::regime::End;
use crate::solve::stepper::Stepper;
use crate::system::{Constraint, State, System};

/// A gap at both ends of a step with its change over the step at the rates there, m.
#[derive(Debug, Clone, Copy)]
struct Cubic {
    begin: f64,
    falls: f64,
    end: f64,
    rises: f64,
}

impl Cubic {
    /// Share of the step at which it is lowest, and how low, where that is inside.
    fn lowest(&self) -> Option<(f64, f64)> {
        let Cubic {
            begin,
            falls,
            end,
            rises,
        } = *self;
        if !(falls < 0.0 && rises > 0.0) {
            return None;
        }
        // The derivative a x² + b x + c, which is below 0 at 0 and above at 1.
        let a = 6.0 * (begin - end) + 3.0 * (falls + rises);
        let b = 6.0 * (end - begin) - 4.0 * falls - 2.0 * rises;
        let root = (b * b - 4.0 * a * falls).sqrt();
        let x = -2.0 * falls / (b + root);
        let low = begin * (1.0 + x * x * (2.0 * x - 3.0))
            + falls * x * (1.0 - x) * (1.0 - x)
            + end * x * x * (3.0 - 2.0 * x)
            - rises * x * x * (1.0 - x);
        (x > 0.0 && x < 1.0).then_some((x, low))
    }
}

impl Stepper {
    /// Share of the solved step of length `h` from `state` at which the first gap is lowest of those that are passed inside it.
    pub(crate) fn first_grazing(&mut self, system: &System, state: &State, h: f64) -> Option<f64> {
        let mut first: Option<f64> = None;
        self.motion.find_velocities(system, &self.at);
        for (j, slider) in system.sliders.iter().enumerate() {
            let open = self.at.sliders[j].constraint == Constraint::Open;
            let path = self.at.sliders[j].constraint == Constraint::Path;
            let (gaps, depth) = if open && !self.search.sliders[j].outside {
                (
                    [self.gap_of_contact(j, system, state, h), None],
                    self.search.sliders[j].depth,
                )
            } else if path && slider.ends.stops() {
                let stops = |end| slider.ends.stops_at(end).then_some(end);
                let stop = |end| stops(end).map(|end| self.gap_at_stop(j, end, system, state, h));
                ([stop(End::First), stop(End::Last)], slider.rounding())
            } else {
                continue;
            };
            let lowest = gaps.into_iter().flatten().filter_map(|gap| gap.lowest());
            let passed = lowest
                .filter(|(_, low)| *low < -depth)
                .map(|(share, _)| share);
            first = passed.chain(first).reduce(f64::min);
        }
        first
    }

    /// The gap of an open contact, where it may fall and rise.
    fn gap_of_contact(
        &mut self,
        j: usize,
        system: &System,
        state: &State,
        h: f64,
    ) -> Option<Cubic> {
        let falls = h * system.leaving(j, &state.q, &state.velocity);
        let (begin, end) = (system.gap(j, &state.q), system.gap(j, &self.at.q));
        // At constant acceleration.
        if falls >= 0.0 || 2.0 * (end - begin) <= falls {
            return None;
        }
        let rises = h * system.leaving(j, &self.at.q, &self.motion.velocity);
        Some(Cubic {
            begin,
            falls,
            end,
            rises,
        })
    }

    /// The way that is left to a stop.
    fn gap_at_stop(&self, j: usize, stop: End, system: &System, state: &State, h: f64) -> Cubic {
        let slider = &system.sliders[j];
        let u = slider.coordinate;
        Cubic {
            begin: -slider.beyond_end(stop, state.q.get(u)),
            falls: -stop.outward() * h * state.velocity[u],
            end: -slider.beyond_end(stop, self.at.q.get(u)),
            rises: -stop.outward() * h * self.motion.velocity[u],
        }
    }
}
