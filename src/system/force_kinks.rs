//! Kinks of forces, at which steps of controlled length end, because no formula of third order sees through one: corners of loads in time, and
//! springs where an elastic stop is met or left, a slip element begins to slide, or one that slides turns back.

use super::{Span, State, System};
use crate::checked::Checked;
use crate::checked::history::Corner;
use crate::numerics::cubic::Cubic;
use crate::numerics::positions::Positions;

/// How far what a corner changes is from a parabola: Δf τ/8 over the time τ.
const SHARE: f64 = 1.0 / 8.0;

impl Checked {
    /// Corners of all loads, in the order of time.
    pub(super) fn corners(&self) -> Vec<Corner> {
        let points = self.loads.iter().map(|load| &load.factors.history);
        let lines = self.line_loads.iter().map(|load| &load.factors.history);
        let mut all: Vec<Corner> =
            points.chain(lines).flat_map(|history| history.corners()).collect();
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        all
    }
}

impl System {
    /// Time from the beginning of a step over `span` to the first corner of a load inside it, s: no nearer to its ends than the share `border` of
    /// it, and one that changes the load by more than `tolerance` over the step or, where corners are closer together, up to the next.
    pub(crate) fn corner_inside(&self, span: Span, border: f64, tolerance: f64) -> Option<f64> {
        let begin = span.end.time - span.length;
        let inside = |share: f64| begin + share * span.length;
        let from = self.corners.partition_point(|corner| corner.time <= inside(border));
        let within =
            self.corners[from..].iter().take_while(|corner| corner.time < inside(1.0 - border));
        let mut bent =
            within.filter(|corner| SHARE * corner.bend * corner.apart.min(span.length) > tolerance);
        bent.next().map(|corner| corner.time - begin)
    }

    /// Share of a step of length `h` (s) from `state` to `end`, positions and velocities, at which the first force of a spring has a kink: no
    /// nearer to its ends than the share `border`.
    ///
    /// The measure of a spring is taken for the cubic with its values and rates at both ends. Forces do not jump at their kinks, so that the
    /// place need not be exact.
    pub(crate) fn spring_kink(
        &self, state: &State, end: (&Positions, &[f64]), h: f64, border: f64,
    ) -> Option<f64> {
        let ends = [(&state.q, &state.velocity[..]), end];
        let springs = self.springs.list.iter().zip(&state.springs);
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
            let passed = kinks.filter_map(move |kink| cubic(1.0, kink).first_root(border));
            let slides = spring.law.slides(begin[0], begun.anchor);
            let turned = slides.and_then(|sign| cubic(-sign, begin[0]).lowest());
            passed.chain(turned.map(|(share, _)| share))
        });
        shares.filter(|share| (border..=1.0 - border).contains(share)).reduce(f64::min)
    }
}
