//! Constraints on positions, on velocities and on accelerations.
//!
//! ```text
//! Φ(q, t) = 0,    G q̇ + Φ_t = 0,    G q̈ + q̇ᵀ Φ_qq q̇ + … = 0,    G = ∂Φ/∂q
//! ```
//!
//! q holds sliding coordinates and prescribed unknowns, too, whose motions stand for the derivatives by time. The rows are those of
//! the border: conditions of joints that act, positions that sliders keep, pins. The other rows of the border balance forces.
//!
//! A path that turns under a moment λ₃ by f(s) λ₃ more than its nodes do has no constraint on its rotation, but an elastic law.

use super::{Iterate, System};
use crate::joints::slider::Kinematics;

/// How the unknowns move: q̇ and, where accelerations are asked for, q̈.
#[derive(Clone, Copy)]
pub(crate) struct Moving<'a> {
    /// Where sliders are on their paths.
    pub placed: &'a [Kinematics],
    pub velocity: &'a [f64],
    pub acceleration: Option<&'a [f64]>,
}

impl Moving<'_> {
    /// q̈ where accelerations are asked for, else q̇: what G stands before.
    pub fn highest(&self) -> &[f64] {
        self.acceleration.unwrap_or(self.velocity)
    }
}

impl System {
    /// How many multipliers of constraints act. Each makes one more negative eigenvalue of the whole matrix.
    pub(crate) fn acting_multipliers(&self, at: &Iterate) -> usize {
        self.sliders.acting_multipliers(at) + self.pins.rows()
    }

    /// Writes the rows of constraints of `rows` into the `border`.
    pub(crate) fn take_constraints(&self, at: &Iterate, rows: &[f64], border: &mut [f64]) {
        let mut take = |row: usize| border[row] = rows[row];
        self.sliders.each_constraint(at, &mut take);
        self.pins.each_constraint(&mut take);
    }

    /// Writes `scale` times the rates of the constraints, where the unknowns have these velocities, into their rows of the `border`.
    pub(crate) fn constraint_rates(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64], scale: f64,
        border: &mut [f64],
    ) {
        let moving = Moving { placed, velocity, acceleration: None };
        self.write_constraints(at, moving, scale, border);
    }

    /// Writes `scale` times the second derivatives of the constraints by time, where the unknowns have these velocities and the
    /// accelerations of the iterate, into their rows of the `border`.
    pub(crate) fn constraint_accelerations(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64], scale: f64,
        border: &mut [f64],
    ) {
        let moving = Moving { placed, velocity, acceleration: Some(&at.acceleration) };
        self.write_constraints(at, moving, scale, border);
    }

    fn write_constraints(&self, at: &Iterate, moving: Moving, scale: f64, border: &mut [f64]) {
        self.sliders.write_constraints(at, moving, scale, border);
        self.pins.write_constraints(&at.q, moving, scale, border);
    }

    /// Writes `scale` times the change of the [rates](System::constraint_rates) of the constraints at these velocities, by the changes `by` of positions
    /// and `faster` of velocities, into their rows of the `border`.
    pub(crate) fn constraint_rates_change(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64],
        (by, faster): (&Iterate, &[f64]), scale: f64, border: &mut [f64],
    ) {
        self.constraint_rates(at, placed, faster, scale, border);
        let along = [velocity, &by.q[..]];
        self.sliders.add_curvature(at, placed, along, scale, border);
        self.pins.add_curvature(&at.q, along, scale, border);
    }
}
