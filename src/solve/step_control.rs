//! Steps whose length follows from their error, for models whose time scales differ.
//!
//! They are steps of [several stages](super::tableau) and of third order. The same stages with other weights b̂ are a step of second order.
//! What both differ by, over the velocities q̇ and accelerations q̈ at the beginning and at the ends of the stages, is the error of the latter,
//!
//! ```text
//! e_q = h Σ (b̂ᵢ − bᵢ) q̇ᵢ,    e_v = h Σ (b̂ᵢ − bᵢ) q̈ᵢ
//! ```
//!
//! It points off the constraints, and for what is stiff it is not that of the step, which damps it. So it goes through the matrix of the last stage:
//!
//! ```text
//! [S Gᵀ; G 0] [z; ·] = [M e/c₂; 0],    S = M/c₂ + K
//! ```
//!
//! The error is the largest of z_q relative to the largest displacement so far, of z_v relative to the largest velocity, and of the forces
//! R(q + z_q) − R(q) relative to the largest force. As a share ε of `solver.tolerance` it grows with h³, and the next step is as long as
//! c = ε/h³ asks for, extrapolated over the last two steps:
//!
//! ```text
//! h ← 0.9 (c₋/c²)^(1/3)
//! ```
//!
//! (the predictive controller of Gustafsson 1994). One that follows c, as PI control does, lags behind it: on the way into a stiff spring steps are
//! longer than on the way out, and energy drifts by the second power of the step, which it does not with equal steps. For the same reason lengths
//! that differ little are not made equal. A step with ε > 2 is taken once more, unless it is
//! so short that the motion over it is nothing: where a load jumps on what is at rest, no step is short beside what has moved so far.

use super::tolerances::{ERROR_REFUSED, LEAST_ERROR, LENGTH_CHANGES, SAFETY, SHORTEST};
use std::cmp::Ordering;

use super::scheme::Scheme;
use super::stepper::{Rejected, Stepper};
use crate::system::{Largest, State, StepControl, System};

impl State {
    /// The length of steps from here on, s.
    pub(crate) fn step(&self) -> f64 {
        self.control.length
    }
}

impl Stepper {
    /// The pace after the solved step of length `h` (s) from `state`.
    ///
    /// # Errors
    /// Where its error is too large.
    pub(super) fn controlled(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
    ) -> Result<StepControl, Rejected> {
        let Some(tolerance) = system.model.solver.tolerance else {
            return Ok(state.control);
        };
        let mut control = state.control;
        control.largest = self.largest(system, control.largest);
        if self.scheme != Scheme::Alpha {
            return Ok(control);
        }
        let error = self.error(system, state, h, control.largest) / tolerance;
        let power = f64::from(system.tableau().order);
        let shortest = SHORTEST * system.model.solver.step;
        let [least, most] = LENGTH_CHANGES.map(|change| (change * h).max(shortest));
        // What is no number is too large, too.
        let refused = error
            .partial_cmp(&ERROR_REFUSED)
            .is_none_or(Ordering::is_gt);
        if refused && h > ERROR_REFUSED * shortest {
            let length = (SAFETY * h * error.powf(-1.0 / power)).max(least);
            return Err(Rejected::Inaccurate { length });
        }
        let density = error.max(LEAST_ERROR) / h.powf(power);
        // An event lies between a step and the one before it: that says nothing about this motion.
        let before = control.density.filter(|_| state.equal.share(1.0).is_some());
        let ahead = before.map_or(density, |before| density * density / before);
        let length = (SAFETY * ahead.powf(-1.0 / power)).clamp(least, most);
        // A step that an event or the end of a communication step has cut says nothing against a longer one.
        let cut = h < control.length && length >= h;
        let length = if cut {
            length.max(control.length)
        } else {
            length
        };
        control.length = length.min(system.model.solver.step);
        control.density = Some(density);
        Ok(control)
    }

    /// What errors are relative to at the end of the step in the iterate, where it was `so_far` before.
    fn largest(&self, system: &System, so_far: Largest) -> Largest {
        let mut all = so_far;
        for u in 0..system.nodal {
            let scale = system.scale(u);
            let way = self.at.q.get(u).way_from(system.initial[u]).abs() / scale;
            all.way = all.way.max(way.min(1.0));
            all.rate = all.rate.max(self.end.velocity[u].abs() / scale);
        }
        all.force = all.force.max(self.work.force_scale);
        all
    }

    /// The error of the step of length `h` (s) from `state` in the iterate relative to what is `largest`.
    fn error(&mut self, system: &System, state: &State, h: f64, largest: Largest) -> f64 {
        let (middle, end) = (&self.middle, &self.end);
        let Stepper { at, work, .. } = self;
        let corrections = &mut self.corrections;
        let factor = self.motion.stage.mass_factor();
        let weights = system.tableau().error;
        let weighted = |u: usize, k: usize, [before, after]: [f64; 2]| {
            let stages = middle.iter().zip(&weights[1..]);
            let stages: f64 = stages
                .map(|(stage, weight)| weight * stage.unknowns[u][k])
                .sum();
            h * (weights[0] * before + stages + weights[weights.len() - 1] * after)
        };
        let of_way = |u: usize| weighted(u, 0, [state.velocity[u], end.velocity[u]]);
        let of_rate = |u: usize| weighted(u, 1, [state.acceleration[u], end.acceleration[u]]);
        let rate = corrections.filter(system, at, work, factor, of_rate);
        let way = corrections.filter(system, at, work, factor, of_way);
        let force = corrections.force_over(system, at, work);
        let errors = [
            rate / largest.rate,
            way / largest.way,
            force / largest.force,
        ];
        errors.into_iter().fold(0.0, f64::max)
    }
}
