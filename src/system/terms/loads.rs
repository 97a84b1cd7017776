//! All loads of a mechanism: its weight, forces at points and along lines, with the corners of their histories.

use num_dual::Dual64;

use super::gravity::Gravity;
use super::line_loads::LineLoads;
use super::point_loads::PointLoads;
use crate::checked::Checked;
use crate::checked::history::Corner;
use crate::system::numbers::{Number, Numbers};
use crate::system::{Instant, Span, State};

/// How far what a corner changes is from a parabola: Δf τ/8 over the time τ.
const SHARE: f64 = 1.0 / 8.0;

impl Checked {
    /// Corners of all loads, in the order of time.
    fn corners(&self) -> Vec<Corner> {
        let points = self.loads.iter().map(|load| &load.factors.history);
        let lines = self.line_loads.iter().map(|load| &load.factors.history);
        let mut all: Vec<Corner> =
            points.chain(lines).flat_map(|history| history.corners()).collect();
        all.sort_by(|a, b| a.time.total_cmp(&b.time));
        all
    }
}

/// The loads of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Loads {
    pub gravity: Gravity,
    pub lines: LineLoads,
    pub points: PointLoads,
    /// Corners of their histories, in the order of time.
    corners: Vec<Corner>,
}

impl Loads {
    pub fn of(model: &Checked, gravity: Gravity, lines: LineLoads, points: PointLoads) -> Loads {
        Loads { gravity, lines, points, corners: model.corners() }
    }

    /// Writes the force on each nodal unknown at `time`, where `input(i)` is the value of input i.
    pub fn forces(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        self.each_force(time, input, |u, force| out[u] += force);
    }

    /// Writes the change of these forces by the changes `input(i)` of the inputs.
    pub fn change(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        let input = |i: usize| Dual64::new(0.0, input(i));
        self.each_force(time, input, |u, force| out[u] += force.eps);
    }

    fn each_force<D: Number>(
        &self, time: f64, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D),
    ) {
        self.gravity.each_force(&input, &mut add);
        self.lines.each_dead_load(time, &input, &mut add);
        self.points.each_force(time, &input, &mut add);
    }

    /// Work from `state` to the positions `q` at the `end` of a step, J.
    pub fn work<N: Numbers<State>>(
        &self, state: &N, end: Instant, q: impl Fn(usize) -> N::Number + Copy,
    ) -> N::Number {
        self.points.work(state, end, q)
            + self.lines.work(state, end, q)
            + self.gravity.work(state, end, q)
    }

    /// Time from the beginning of a step over `span` to the first corner of a load inside it, s: no nearer to its ends than the share `border` of
    /// it, and one that changes the load by more than `tolerance` over the step or, where corners are closer together, up to the next.
    pub fn corner_inside(&self, span: Span, border: f64, tolerance: f64) -> Option<f64> {
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
