//! Corners of loads in time, at which steps of controlled length end.

use super::{Span, System};
use crate::checked::Checked;
use crate::checked::history::Corner;

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
    /// Time from the beginning of a step over `span` to the first corner inside it, s: no nearer to its ends than the share `border` of it, and
    /// one that changes the load by more than `tolerance` over the step or, where corners are closer together, up to the next.
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
}
