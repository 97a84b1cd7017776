//! Newton's method for steady sliding, with the acceleration as an unknown.
//!
//! ```text
//! K δq + M φ δa = −r,    δq_k = 0,    φᵀ r = 0
//! ```
//!
//! Both responses δq₀ = −K⁻¹ r and w = −K⁻¹ M φ come from one factorisation with q_k kept. What holds all that moves together passes
//! nothing along φ, so that the last row, the change of what acts on it from outside, gives δa. A reaction of q_k that were left
//! to find a from would press the slider to its faces; with friction there may then be no solution.

use crate::joints::regime::Sense;
use crate::laws::spring::Begun;
use crate::newton::kinetics::Static;
use crate::newton::{Failure, faces_come};
use crate::solve::stepper::Stepper;
use crate::system::{Iterate, Residual, System};

/// Share of the acting forces that may be left of the reaction of what is kept.
const ENOUGH: f64 = 1e-9;

/// Iterations at the most.
const MAX_ITERATIONS: usize = 40;

/// What one correction, and all together, may move, by the extent of what slides.
const JUMP: f64 = 0.1;
const FARTHEST: f64 = 0.2;

/// A correction above this share of the one before is rounding, where both are small.
const STAYS: f64 = 0.25;

/// What moves when a contact slides.
pub(crate) struct Moving {
    /// φ of every nodal unknown.
    pub shape: Vec<f64>,
    /// Sense of each contact, of those that move along, when a is along φ, the tangent of the path of the contact asked for.
    pub senses: Vec<Sense>,
    /// Its extent in the initial configuration, m.
    pub extent: f64,
    /// The unknown whose place is kept.
    pub kept: usize,
}

/// Room for the responses.
pub(crate) struct Room {
    /// A change of the iterate: δq₀ or w.
    by: Iterate,
    /// None of the numbers of the laws.
    numbers: Vec<Vec<f64>>,
    residual: Residual,
    interior: Vec<f64>,
    border: Vec<f64>,
}

impl Room {
    pub fn new(system: &System) -> Room {
        let mut by = Iterate::new(system);
        by.q.fill(0.0);
        by.flow.origin.fill(0.0);
        by.springs.fill(Begun::default());
        let laws = system.sliders.len() + system.surfaces.contacts.len();
        let numbers = (0..laws).map(|law| vec![0.0; by.tuning.friction(law).numbers().len()]);
        Room {
            numbers: numbers.collect(),
            by,
            residual: Residual::new(system),
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
        }
    }

    /// Change of φᵀ r by a correction and by a change of the acceleration.
    fn change(
        &mut self, system: &System, at: &Iterate, (interior, border): (&[f64], &[f64]),
        (moving, acceleration): (&Moving, f64),
    ) -> f64 {
        for (&u, x) in system.unknown.iter().zip(interior) {
            self.by.q.set(u, *x);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            self.by.q.set(slider.coordinate, border[slider.border]);
            for i in 0..slider.conditions() {
                self.by.sliders[j].multipliers[i] = border[slider.border + 1 + i];
            }
        }
        for (by, shape) in self.by.acceleration.iter_mut().zip(&moving.shape) {
            *by = acceleration * shape;
        }
        system.residual_change(at, &self.by, &self.numbers, &mut self.residual);
        moving.along(&self.residual.nodal)
    }
}

impl Moving {
    /// φᵀ f.
    pub(crate) fn along(&self, forces: &[f64]) -> f64 {
        self.shape.iter().zip(forces).map(|(a, b)| a * b).sum()
    }
}

impl Stepper {
    /// The acceleration of steady sliding from the iterate and a `guess`; the solution is then in the iterate.
    ///
    /// # Errors
    /// Where the iterations do not converge.
    pub(crate) fn steady(
        &mut self, system: &System, moving: &Moving, room: &mut Room, guess: f64,
    ) -> Result<f64, Failure> {
        let mut found = self.steady_before_faces(system, moving, room, guess)?;
        while faces_come(system, &mut self.at)? {
            found = self.steady_before_faces(system, moving, room, found)?;
        }
        Ok(found)
    }

    /// Finds steady sliding with the faces of contacts where they are.
    fn steady_before_faces(
        &mut self, system: &System, moving: &Moving, room: &mut Room, guess: f64,
    ) -> Result<f64, Failure> {
        self.at.together = true;
        let found = self.iterate_steadily(system, moving, room, guess);
        (self.at.together, self.at.rises) = (false, false);
        let acceleration = found?;
        // The criteria of all joints.
        (self.corrections).converge(system, &mut Static, &mut self.at, &mut self.work)?;
        let left = self.work.residual[moving.kept].abs();
        match left <= ENOUGH * self.work.force_scale + self.rounding_along(system, moving) {
            true => Ok(acceleration),
            false => Err(Failure::Diverged { iterations: MAX_ITERATIONS }),
        }
    }

    /// Rounding of positions as a force on what is kept, N.
    fn rounding_along(&self, system: &System, moving: &Moving) -> f64 {
        let equation = system.equation.of(moving.kept);
        let stiffness = equation.map_or(0.0, |e| self.work.stiffness[e]);
        64.0 * f64::EPSILON * system.size * stiffness
    }

    fn iterate_steadily(
        &mut self, system: &System, moving: &Moving, room: &mut Room, guess: f64,
    ) -> Result<f64, Failure> {
        let tolerance = system.model.solver.position_tolerance;
        let (mut acceleration, mut last, mut way) = (guess, f64::INFINITY, 0.0);
        for iteration in 0..MAX_ITERATIONS {
            let at = &mut self.at;
            for (own, shape) in at.acceleration.iter_mut().zip(&moving.shape) {
                *own = acceleration * shape;
            }
            at.driven[moving.kept] = Some(acceleration * moving.shape[moving.kept]);
            system.residual_and_tangent(at, &mut self.work, None);
            self.corrections.factor(&mut self.work)?;
            let left = moving.along(&self.work.residual);
            self.corrections.find(system, at, &mut self.work)?;
            let (x, y) = self.corrections.room();
            room.interior.copy_from_slice(x);
            room.border.copy_from_slice(y);
            let own = room.change(system, at, (x, y), (moving, 0.0));
            // w, of M φ as it stands in the room of changes.
            system.mass.forces(&moving.shape, &mut room.residual.inertia_forces);
            for (x, &u) in x.iter_mut().zip(&system.unknown) {
                *x = match at.driven[u] {
                    None => -room.residual.inertia_forces[u],
                    Some(_) => 0.0,
                };
            }
            y.fill(0.0);
            let solved = self.work.matrix.solve(x, y);
            solved.map_err(|_| Failure::Diverged { iterations: iteration })?;
            let rate = room.change(system, at, (x, y), (moving, 1.0));
            let more = -(left + own) / rate;
            for (x, own) in x.iter_mut().zip(&room.interior) {
                *x = own + more * *x;
            }
            for (y, own) in y.iter_mut().zip(&room.border) {
                *y = own + more * *y;
            }
            acceleration += more;
            let size = self.corrections.apply(system, at);
            let moved = size * system.size;
            way += moved;
            // Where too little touches, a correction may turn it over.
            let jumps = !(moved <= JUMP * moving.extent && way <= FARTHEST * moving.extent);
            if jumps || !acceleration.is_finite() {
                return Err(Failure::Diverged { iterations: iteration + 1 });
            }
            if size <= tolerance && size >= STAYS * last || size == 0.0 {
                at.driven[moving.kept] = Some(acceleration * moving.shape[moving.kept]);
                for (own, shape) in at.acceleration.iter_mut().zip(&moving.shape) {
                    *own = acceleration * shape;
                }
                return Ok(acceleration);
            }
            last = size;
        }
        Err(Failure::Diverged { iterations: MAX_ITERATIONS })
    }
}
