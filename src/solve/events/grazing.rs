//! Conditions that are broken inside a step and hold again at its end: a ball that grazes a table, a bead that turns back
//! just beyond a stop.
//!
//! Between the ends of a step a gap is taken for the cubic with its values and rates there. Where its minimum is below what may be
//! passed, the step is cut at the lowest place, at whose end the search for the first broken condition sees it.

use super::search::{NEARLY, Search};
use crate::joints::regime::End;
use crate::numerics::cubic::Cubic;
use crate::system::{Constraint, Iterate, State, System};

impl Search {
    /// Share of the step of length `h` from `state` to `at`, with the velocities `velocity` there, at which the first gap is lowest of
    /// those that are passed inside it.
    pub fn first_grazing(
        &mut self, system: &System, state: &State, h: f64, (at, velocity): (&Iterate, &[f64]),
    ) -> Option<f64> {
        let (mut first, mut nearly): (Option<f64>, _) = (None, self.nearly);
        for (j, slider) in system.sliders.iter().enumerate() {
            let tried = &self.sliders[j];
            let contact = || {
                let falls = h * system.sliders[j].leaving(&state.q, &state.velocity);
                let [begin, end] = [&state.q, &at.q].map(|q| system.sliders[j].gap(q));
                // It falls and rises, at constant acceleration.
                let turns = falls < 0.0 && 2.0 * (end - begin) > falls;
                let rises = || h * system.sliders[j].leaving(&at.q, velocity);
                let lowest =
                    turns.then(|| Cubic { ends: [begin, end], rates: [falls, rises()] }.lowest());
                lowest.flatten().map(|low| (low, falls))
            };
            let stop = |end: End| {
                let u = slider.coordinate;
                let gaps = [&state.q, &at.q].map(|q| -slider.beyond_end(end, q.get(u)));
                let rates = [&state.velocity, velocity].map(|v| -end.outward() * h * v[u]);
                let stops = slider.ends.stops_at(end);
                let lowest = stops.then(|| Cubic { ends: gaps, rates }.lowest());
                lowest.flatten().map(|low| (low, rates[0]))
            };
            let (lows, depth) = match at.sliders[j].constraint {
                Constraint::Open if !tried.outside => ([contact(), None], tried.depth),
                Constraint::Path => ([End::First, End::Last].map(stop), slider.rounding()),
                _ => continue,
            };
            let lows = lows.into_iter().flatten();
            let grazes =
                |((_, low), falls): ((f64, f64), f64)| (low + depth).abs() < NEARLY * falls.abs();
            nearly |= lows.clone().any(grazes);
            let passed = lows.filter(|((_, low), _)| *low < -depth);
            first = passed.map(|((share, _), _)| share).chain(first).reduce(f64::min);
        }
        self.nearly = nearly;
        first
    }
}
