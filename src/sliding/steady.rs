//! Newton's method for steady sliding, with the acceleration as an unknown.
//!
//! ```text
//! K δq + M φ δa = −r, δq_k = 0, φᵀ r = 0
//! ```
//!
//! Both responses δq₀ = −K⁻¹ r and w = −K⁻¹ M φ come from one factorisation with q_k kept. What holds all that moves together passes
//! nothing along φ, so that the last row, the change of what acts on it from outside, gives δa. A reaction of q_k that were left
//! to find a from would press the slider to its faces; with friction there may then be no solution.

use crate::joints::regime::Sense;
use crate::newton::kinetics::Static;
use crate::newton::{Failure, Newton, faces_come};
use crate::numerics::positions::Positions;
use crate::start::approach::{Moving, approach};
use crate::start::contact_continuation::{SMOOTH, TO_SLIDE, solve_by};
use crate::start::equilibrium::Acting;
use crate::system::{ContinuationFactors, Iterate, Linear, Residual, State, System, Workspace};

/// Share of the acting forces that may be left of the reaction of what is kept.
const ENOUGH: f64 = 1e-9;

/// Iterations at the most.
const MAX_ITERATIONS: usize = 40;

/// What one correction, and all together, may move, by the extent of what slides.
const JUMP: f64 = 0.1;
const FARTHEST: f64 = 0.2;

/// A correction above this share of the one before is rounding, where both are small.
const STAYS: f64 = 0.25;

/// Steady sliding, and room for the responses.
pub(crate) struct Steady<'a> {
    system: &'a System,
    pub moving: Moving,
    /// A change of the iterate: δq₀ or w.
    by: Iterate,
    /// None of the numbers of the laws.
    numbers: Vec<Vec<f64>>,
    residual: Residual,
    linear: Linear,
    interior: Vec<f64>,
    border: Vec<f64>,
}

impl<'a> Steady<'a> {
    pub fn new(system: &'a System, moving: Moving) -> Steady<'a> {
        let by = Iterate::unchanged(system);
        let laws = system.sliders.len() + system.surfaces.contacts.len();
        let numbers = (0..laws).map(|law| vec![0.0; by.tuning.friction(law).numbers().len()]);
        Steady {
            system,
            moving,
            numbers: numbers.collect(),
            by,
            residual: Residual::new(system),
            linear: Linear::new(system),
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
        }
    }

    /// Change of φᵀ r by a correction and by a change of the acceleration.
    fn change(
        &mut self, at: &Iterate, (interior, border): (&[f64], &[f64]), acceleration: f64,
    ) -> f64 {
        let system = self.system;
        for (&u, x) in system.unknown.iter().zip(interior) {
            self.by.q.set(u, *x);
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            self.by.q.set(slider.coordinate, border[slider.border]);
            for i in 0..slider.conditions() {
                self.by.sliders[j].multipliers[i] = border[slider.border + 1 + i];
            }
        }
        self.moving.accelerate(&mut self.by, acceleration);
        system.linearise(at, &mut self.linear);
        system.residual_change((at, &self.linear), &self.by, &self.numbers, &mut self.residual);
        self.moving.along(&self.residual.nodal)
    }

    /// The acceleration of steady sliding from the iterate of `newton` and a `guess`; the solution is then in the iterate.
    ///
    /// # Errors
    /// Where the iterations do not converge.
    pub fn solve(&mut self, newton: &mut Newton, guess: f64) -> Result<f64, Failure> {
        let mut found = self.solve_before_faces(newton, guess)?;
        while faces_come(self.system, &mut newton.at)? {
            found = self.solve_before_faces(newton, found)?;
        }
        Ok(found)
    }

    /// Finds steady sliding with the faces of contacts where they are.
    fn solve_before_faces(&mut self, newton: &mut Newton, guess: f64) -> Result<f64, Failure> {
        newton.at.together = true;
        let found = self.iterate(newton, guess);
        let Newton { at, work, corrections } = newton;
        (at.together, at.rises) = (false, false);
        let acceleration = found?;
        // The criteria of all joints.
        corrections.converge(self.system, &mut Static, at, work)?;
        let left = work.residual[self.moving.kept].abs();
        match left <= ENOUGH * work.force_scale + self.rounding(work) {
            true => Ok(acceleration),
            false => Err(Failure::Diverged { iterations: MAX_ITERATIONS }),
        }
    }

    /// Rounding of positions as a force on what is kept, N.
    fn rounding(&self, work: &Workspace) -> f64 {
        let equation = self.system.equation.of(self.moving.kept);
        let stiffness = equation.map_or(0.0, |e| work.stiffness[e]);
        64.0 * f64::EPSILON * self.system.size * stiffness
    }

    /// The acceleration under a share of the loads from `state`; the solution is then in the iterate of `newton`.
    ///
    /// # Errors
    /// Where no solution is found.
    pub fn slide(
        &mut self, newton: &mut Newton, state: &State, sense: Sense,
        (loads, share): (&Acting, f64), guess: f64,
    ) -> Result<f64, Failure> {
        let (system, moving) = (self.system, self.moving.clone());
        let put = |newton: &mut Newton, state: &State| {
            newton.prepare(system, state, None, loads, share);
            for (slips, own) in newton.at.slips.iter_mut().zip(&moving.senses) {
                *slips = Sense::of(own.sign() * sense.sign());
            }
        };
        let mut found = guess;
        let mut solve =
            |newton: &mut Newton, factors: ContinuationFactors, known: Option<&Positions>| {
                put(newton, state);
                newton.at.begin_with(factors, known);
                found = self.solve(newton, found)?;
                match moving.stays_in_its_guides(system, newton) {
                    true => Ok(()),
                    false => Err(Failure::Diverged { iterations: 0 }),
                }
            };
        let Err(failure) = solve_by(system, newton, &TO_SLIDE, &mut solve) else {
            return Ok(found);
        };
        // What stands off both faces is held by nothing until it has come to one; which, friction may decide.
        for way in [SMOOTH, ContinuationFactors::default()] {
            let put = |newton: &mut Newton, at: &State| {
                put(newton, at);
                newton.at.factors = way;
            };
            let come = |newton: &mut Newton, at: &State| match way.leads(
                newton,
                Some(&at.q),
                &mut solve,
            ) {
                true => Ok(()),
                false => Err(failure.clone()),
            };
            if approach(system, newton, state.clone(), Some(&moving), put, come).is_ok() {
                return Ok(found);
            }
        }
        Err(failure)
    }

    fn iterate(&mut self, newton: &mut Newton, guess: f64) -> Result<f64, Failure> {
        let system = self.system;
        let Newton { at, work, corrections } = newton;
        let tolerance = system.model.solver.position_tolerance;
        let (mut acceleration, mut last, mut way) = (guess, f64::INFINITY, 0.0);
        for iteration in 0..MAX_ITERATIONS {
            self.moving.accelerate(at, acceleration);
            at.driven.drive(self.moving.kept, at.acceleration[self.moving.kept]);
            system.residual_and_tangent(at, work, None);
            corrections.factor(work)?;
            let left = self.moving.along(&work.residual);
            corrections.find(system, at, work)?;
            let (x, y) = corrections.room();
            self.interior.copy_from_slice(x);
            self.border.copy_from_slice(y);
            let own = self.change(at, (x, y), 0.0);
            // w, of M φ as it stands in the room of changes.
            system.mass.forces(&self.moving.shape, &mut self.linear.inertia_forces);
            for (x, &u) in x.iter_mut().zip(&system.unknown) {
                *x = match at.driven[u] {
                    None => -self.linear.inertia_forces[u],
                    Some(_) => 0.0,
                };
            }
            y.fill(0.0);
            let solved = work.matrix.solve(x, y);
            solved.map_err(|_| Failure::Diverged { iterations: iteration })?;
            let rate = self.change(at, (x, y), 1.0);
            let more = -(left + own) / rate;
            for (x, own) in x.iter_mut().zip(&self.interior) {
                *x = own + more * *x;
            }
            for (y, own) in y.iter_mut().zip(&self.border) {
                *y = own + more * *y;
            }
            acceleration += more;
            let size = corrections.apply(system, at);
            let moved = size * system.size;
            way += moved;
            // Where too little touches, a correction may turn it over.
            let extent = self.moving.extent;
            let jumps = !(moved <= JUMP * extent && way <= FARTHEST * extent);
            if jumps || !acceleration.is_finite() {
                return Err(Failure::Diverged { iterations: iteration + 1 });
            }
            if size <= tolerance && size >= STAYS * last || size == 0.0 {
                self.moving.accelerate(at, acceleration);
                at.driven.drive(self.moving.kept, at.acceleration[self.moving.kept]);
                return Ok(acceleration);
            }
            last = size;
        }
        Err(Failure::Diverged { iterations: MAX_ITERATIONS })
    }
}
