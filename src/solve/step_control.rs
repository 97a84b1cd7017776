//! Steps whose length follows from their error, for models whose time scales differ.
//!
//! They are steps of [several stages](super::tableau) and of third order. The same stages with other weights b̂ are a step of second order.
//! What both differ by, over the velocities q̇ and accelerations q̈ at the beginning and at the ends of the stages, is the error of the latter,
//!
//! ```text
//! e_q = h Σ (b̂ᵢ − bᵢ) q̇ᵢ, e_v = h Σ (b̂ᵢ − bᵢ) q̈ᵢ
//! ```
//!
//! It points off the constraints, and for what is stiff it is not that of the step, which damps it. So it goes through the matrix of the last stage:
//!
//! ```text
//! [S Gᵀ; G 0] [z; ·] = [M e/c₂; 0], S = M/c₂ + K
//! ```
//!
//! The error is the largest of z_q relative to the largest displacement so far, of z_v relative to the largest velocity, and of the forces
//! R(q + z_q) − R(q) relative to the largest force. As a share ε of `solver.tolerance` it grows with h³: with c = ε/h³, and c₋ that of the step
//! before, the next step may be
//!
//! ```text
//! h₊ = 0.9 (c max(1, c/c₋))^(−1/3)
//! ```
//!
//! long, where a motion that quickens is extrapolated (Gustafsson 1994). Steps are shortened to h₊ at once, are kept up to h₊ = 2 h,
//! and beyond that creep towards h₊/2,
//!
//! ```text
//! h ← h^(3/4) (h₊/2)^(1/4)
//! ```
//!
//! because a change of step costs more than its own error says. The errors of equal steps cancel each other over the turn of a machine,
//! and those of unequal ones do not. What is too stiff for the steps follows the rest in a balance that depends on the step, so that a
//! change pushes it: the forces are then off by the first power of the step instead of the second. A step that is kept too short moves
//! along the curve of third order to smaller errors, which is cheaper than that of equal steps of second order.
//!
//! A step with ε > 2 is taken once more, unless it is so short that the motion over it is nothing: where a load jumps on what is at
//! rest, no step is short beside what has moved so far.

use super::integrator::Integrator;
use super::tolerances::{
    BORDER, CREEP, ERROR_REFUSED, KEPT_UP_TO, LEAST_CHANGE, LEAST_ERROR, SAFETY, SHORTEST,
};
use crate::newton::Newton;
use std::cmp::Ordering;

use super::scheme::Scheme;
use super::stepper::Rejected;
use crate::system::{Largest, State, StepControl, System};

impl State {
    /// The length of steps from here on, s.
    pub(crate) fn step(&self) -> f64 {
        self.control.length
    }
}

impl Integrator {
    /// How long steps are after the solved one of length `h` (s) from `state`.
    ///
    /// # Errors
    /// Where its error is too large.
    pub(super) fn controlled(
        &mut self, system: &System, state: &State, h: f64,
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
        let least = (LEAST_CHANGE * h).max(shortest);
        // What is no number is too large, too.
        let refused = error.partial_cmp(&ERROR_REFUSED).is_none_or(Ordering::is_gt);
        if refused && h > ERROR_REFUSED * shortest {
            let length = (SAFETY * h * error.powf(-1.0 / power)).max(least);
            return Err(Rejected::Inaccurate { length });
        }
        let end = (&self.newton.at.q, &self.end.velocity[..]);
        if let Some(share) = system.springs.kink(state, end, h, BORDER) {
            return Err(Rejected::Kink { length: share * h });
        }
        let density = error.max(LEAST_ERROR) / h.powf(power);
        // An event lies between a step and the one before it: that says nothing about this motion.
        let before = control.density.filter(|_| state.equal.share(1.0).is_some());
        let quickened = before.map_or(1.0, |before| (density / before).max(1.0));
        let mut allowed = SAFETY * (density * quickened).powf(-1.0 / power);
        let now = control.length;
        // A step that an event or the end of a communication step has cut says nothing against a longer one.
        if h < now && allowed >= h {
            allowed = allowed.max(now);
        }
        let length = if allowed < now || control.density.is_none() {
            allowed
        } else {
            now.max(now.powf(1.0 - CREEP) * (allowed / KEPT_UP_TO).powf(CREEP))
        };
        control.length = length.max(least).min(system.model.solver.step);
        control.density = Some(density);
        Ok(control)
    }

    /// What errors are relative to at the end of the step in the iterate, where it was `so_far` before.
    fn largest(&self, system: &System, so_far: Largest) -> Largest {
        let mut all = so_far;
        for u in 0..system.nodal {
            let scale = system.scale(u);
            let way = self.newton.at.q.get(u).displacement_from(system.initial[u]).abs() / scale;
            all.way = all.way.max(way.min(1.0));
            all.rate = all.rate.max(self.end.velocity[u].abs() / scale);
        }
        all.force = all.force.max(self.newton.work.force_scale);
        all
    }

    /// The error of the step of length `h` (s) from `state` in the iterate relative to what is `largest`.
    fn error(&mut self, system: &System, state: &State, h: f64, largest: Largest) -> f64 {
        let (middle, end) = (&self.middle, &self.end);
        let Newton { at, work, corrections } = &mut self.newton;
        let factor = self.motion.stage.mass_factor();
        let weights = system.tableau().error;
        let weighted = |u: usize, k: usize, [before, after]: [f64; 2]| {
            let stages = middle.iter().zip(&weights[1..]);
            let stages: f64 = stages.map(|(stage, weight)| weight * stage.unknowns[u][k]).sum();
            h * (weights[0] * before + stages + weights[weights.len() - 1] * after)
        };
        let of_travel = |u: usize| weighted(u, 0, [state.velocity[u], end.velocity[u]]);
        let of_rate = |u: usize| weighted(u, 1, [state.acceleration[u], end.acceleration[u]]);
        let rate = corrections.filter(system, at, work, factor, of_rate);
        let way = corrections.filter(system, at, work, factor, of_travel);
        let force = corrections.force_over(system, at, work);
        let errors = [rate / largest.rate, way / largest.way, force / largest.force];
        errors.into_iter().fold(0.0, f64::max)
    }
}
