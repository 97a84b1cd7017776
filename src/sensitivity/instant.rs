//! Change of the accelerations and forces at an instant.
//!
//! Residuals are varied exactly. Second derivatives of constraints by time would ask for third derivatives of paths: they are varied
//! by a central difference along the change, of fourth order, whose error is that of rounding.

use super::Change;
use crate::linear::Singular;
use crate::newton::Newton;
use crate::solve::integrator::Integrator;
use crate::system::{Iterate, Linear, System};

/// Largest displacement of the difference, relative to the mechanism's size: small beside the waves of a rough path.
const SMALL: f64 = 1e-5;

/// Longest difference along a change: one of which this is no displacement is nothing, and numbers would overflow.
const LONGEST: f64 = 1e100;

/// Weights of a central difference of fourth order, by displacement.
const DIFFERENCE: [(f64, f64); 4] = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)];

impl Change {
    /// The change of what is reported of a state, by the equations of its instant that are factored with τ = `tau` (s) and linearised.
    ///
    /// # Errors
    /// Where they are singular.
    pub(super) fn report(
        &mut self, (integrator, about): (&mut Integrator, &Linear), system: &System, tau: f64,
    ) -> Result<(), Singular> {
        self.velocity.copy_from_slice(&self.by.velocity);
        self.at.acceleration.copy_from_slice(&self.by.acceleration);
        self.accelerate_by_factored((integrator, about), system, tau, |_, _| ())?;
        self.by.acceleration.copy_from_slice(&self.at.acceleration);
        for (j, slider) in system.sliders.iter().enumerate() {
            self.by.sliders[j].friction = slider.friction_change(&integrator.newton.at, &self.at);
        }
        self.keep_forces(&integrator.newton, system);
        Ok(())
    }

    /// Completes the change of the accelerations and forces in the iterate, of which positions and velocities are there.
    ///
    /// # Errors
    /// Where the equations are singular.
    pub(super) fn solve_instant(
        &mut self, integrator: &mut Integrator, system: &System, tau: f64,
    ) -> Result<(), Singular> {
        integrator.factor_instant(system, tau).map_err(|_| Singular)?;
        let about = Linear::at(system, &integrator.newton.at);
        self.accelerate_by_factored((integrator, &about), system, tau, |_, _| ())
    }

    /// The same by the matrix that is factored, where `turn` adds to the right-hand side what the change of the matrix does.
    ///
    /// # Errors
    /// Where it is singular.
    pub(super) fn accelerate_by_factored(
        &mut self, (integrator, about): (&mut Integrator, &Linear), system: &System, tau: f64,
        turn: impl FnOnce(&mut Change, &Newton),
    ) -> Result<(), Singular> {
        let factor = 1.0 / (tau * tau);
        let mut rows = vec![0.0; system.border()];
        let Integrator { newton, motion, .. } = integrator;
        let (at, mut there) = (&newton.at, newton.at.clone());
        system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
        self.vary_constraints(system, tau, at, &motion.velocity, (&mut there, &mut rows));
        for (x, &u) in self.interior.iter_mut().zip(&system.unknown) {
            *x = match at.driven[u] {
                None => -self.residual.nodal[u],
                Some(_) => 0.0,
            };
        }
        for (y, r) in self.border.iter_mut().zip(&self.residual.border) {
            *y = -r;
        }
        turn(self, newton);
        let Newton { at, work, .. } = newton;
        work.matrix.solve(&mut self.interior, &mut self.border)?;
        for (x, &u) in self.interior.iter().zip(&system.unknown) {
            if at.driven[u].is_none() {
                self.at.acceleration[u] += factor * x;
            }
        }
        for slider in &system.sliders {
            self.at.acceleration[slider.coordinate] += factor * self.border[slider.border];
        }
        self.at.add_forces(system, 1.0, &self.border);
        system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
        Ok(())
    }

    /// Writes the change of τ² times the second derivatives of the constraints by time into their rows of the border.
    pub(super) fn vary_constraints(
        &mut self, system: &System, tau: f64, at: &Iterate, velocity: &[f64],
        (there, rows): (&mut Iterate, &mut [f64]),
    ) {
        let largest = |of: &[f64]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let (moves, turns) = (largest(&self.at.q), largest(&self.velocity));
        let speed = largest(velocity).max(system.size / system.model.solver.step * SMALL);
        let share = (moves / system.size).max(turns / speed);
        let step = if share > 0.0 { (SMALL / share).min(LONGEST) } else { 1.0 };
        let mut changes = vec![0.0; rows.len()];
        let mut moving = vec![0.0; velocity.len()];
        for (place, weight) in DIFFERENCE {
            let by = place * step;
            for u in 0..velocity.len() {
                there.q.set(u, at.q.get(u).plus(by * self.at.q[u]));
                there.acceleration[u] = at.acceleration[u] + by * self.at.acceleration[u];
                moving[u] = velocity[u] + by * self.velocity[u];
            }
            system.sliders.keep_elements(at, there);
            rows.fill(0.0);
            let placed = system.sliders.placed(there);
            system.constraint_accelerations(there, &placed, &moving, tau * tau, rows);
            let both = changes.iter_mut().zip(rows.iter());
            both.for_each(|(sum, row)| *sum += weight * row / (12.0 * step));
        }
        system.take_constraints(at, &changes, &mut self.residual.border);
    }
}
