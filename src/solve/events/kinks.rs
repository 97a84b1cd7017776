//! Kinks of spring forces inside a step: where an elastic stop is met or left, a slip element begins to slide, or one that slides turns back.
//!
//! No formula of third order sees through a kink. Steps whose length follows from their error end there: the measure of the spring is taken for
//! the cubic with its values and rates at both ends of the step, and its first kink ends the step that is taken instead. Forces do not jump
//! there, so that the place need not be exact.

use super::cubic::Cubic;
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::BORDER;
use crate::system::{State, System};

impl Stepper {
    /// Share of the solved step of length `h` (s) from `state` at which the first force of a spring has a kink; `None` where it has none
    /// but near an end of the step.
    pub(crate) fn first_kink(&self, system: &System, state: &State, h: f64) -> Option<f64> {
        let ends = [(&state.q, &state.velocity), (&self.at.q, &self.end.velocity)];
        let springs = system.springs.iter().zip(&state.springs);
        let shares = springs.flat_map(|(spring, begun)| {
            let [begin, end] = ends.map(|(q, v)| {
                let measured = spring.measure.at(q);
                [measured.value, h * measured.along(|u| v[u])]
            });
            let cubic = move |sign: f64, from: f64| Cubic {
                ends: [begin[0], end[0]].map(|m| sign * (m - from)),
                rates: [begin[1], end[1]].map(|rate| sign * rate),
            };
            let kinks = spring.law.kinks(begun.anchor).into_iter().flatten();
            let passed = kinks.filter_map(move |kink| cubic(1.0, kink).first_root(BORDER));
            let slides = spring.law.slides(begin[0], begun.anchor);
            let turned = slides.and_then(|sign| cubic(-sign, begin[0]).lowest());
            passed.chain(turned.map(|(share, _)| share))
        });
        shares.filter(|share| (BORDER..=1.0 - BORDER).contains(share)).reduce(f64::min)
    }
}
