//! What a step enters into the energy books.

use super::alpha::{Before, Weights};
use super::stepper::Stepper;
use crate::model::checked::Analysis;
use crate::system::{Instant, State, System};

/// How the unknowns move at the end of a step.
#[derive(Debug, Clone)]
pub(super) struct Movement {
    pub velocity: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub algorithmic: Vec<f64>,
}

impl Movement {
    pub fn of(unknowns: usize) -> Movement {
        Movement {
            velocity: vec![0.0; unknowns],
            acceleration: vec![0.0; unknowns],
            algorithmic: vec![0.0; unknowns],
        }
    }

    /// Takes the movement at the end of a step of length `h` from `state` to `q` by the weights of the time integration; where
    /// there are none, in a quasi-static analysis, the mean velocity.
    pub fn follow(&mut self, weights: Option<&Weights>, h: f64, state: &State, q: &[f64]) {
        for (u, &q) in q.iter().enumerate() {
            let before = Before::of(state, u);
            if let Some(w) = weights {
                let a = w.algorithmic(h, q, &before);
                self.velocity[u] = w.velocity(h, a, &before);
                self.acceleration[u] = w.acceleration(a, &before);
                self.algorithmic[u] = a;
            } else {
                self.velocity[u] = (q - before.q) / h;
                self.acceleration[u] = 0.0;
                self.algorithmic[u] = 0.0;
            }
        }
    }

    /// Lets unknown `u` move as it must.
    pub fn drive(&mut self, u: usize, velocity: f64, acceleration: f64) {
        self.velocity[u] = velocity;
        self.acceleration[u] = acceleration;
        self.algorithmic[u] = acceleration;
    }

    /// Writes this movement into `state`.
    pub fn give(&self, state: &mut State) {
        state.velocity.copy_from_slice(&self.velocity);
        state.acceleration.copy_from_slice(&self.acceleration);
        state.algorithmic.copy_from_slice(&self.algorithmic);
    }
}

/// A step or its change: the state at its beginning, positions and movement at its end.
pub(super) type Passage<'a> = (&'a State, &'a [f64], &'a Movement);

impl Stepper {
    /// Work of loads and imposed motions over the step by the trapezoidal rule, J.
    pub(super) fn input_work(&self, system: &System, state: &State, end: Instant) -> f64 {
        let at = &self.at;
        let loads = system.load_work(state, end, &at.q)
            + system.line_work(state, end, &at.q, None).re
            + system.gravity_work(state, end, &at.q);
        let motions: f64 = system
            .driven(state)
            .map(|(_, u)| {
                let force = 0.5 * (state.reactions[u] + self.work.residual[u]);
                force * (at.q[u] - state.q[u])
            })
            .sum();
        loads + motions
    }

    /// What the time integration takes in the step from `state` to the iterate, J.
    pub(super) fn numerical_dissipation(&self, system: &System, state: &State) -> f64 {
        let passage = (state, &*self.at.q, &self.end);
        system.numerical_dissipation(passage, passage)
    }
}

impl System {
    /// Work of the forces M q̈ by the trapezoidal rule without the kinetic energy that came of it,
    ///
    /// ```text
    /// ½ Δqᵀ M (q̈₀ + q̈₁) − ½ Δq̇ᵀ M (q̇₀ + q̇₁)
    /// ```
    ///
    /// J: what a step of the time integration takes from a linear system, exactly; nothing where
    /// Δq and Δq̇ follow the trapezoidal rule. It is bilinear: Δ from `x`, the sums from `y`.
    pub(super) fn numerical_dissipation(&self, x: Passage, y: Passage) -> f64 {
        if self.model.solver.analysis == Analysis::QuasiStatic {
            return 0.0;
        }
        let (offsets, columns, masses) = self.mass.csr_data();
        let ((before, q, end), (other, _, other_end)) = (x, y);
        let mut doubled = 0.0;
        for u in 0..self.nodal {
            let (mut force, mut momentum) = (0.0, 0.0);
            for e in offsets[u]..offsets[u + 1] {
                let v = columns[e];
                force += masses[e] * (other.acceleration[v] + other_end.acceleration[v]);
                momentum += masses[e] * (other.velocity[v] + other_end.velocity[v]);
            }
            doubled +=
                force * (q[u] - before.q[u]) - momentum * (end.velocity[u] - before.velocity[u]);
        }
        0.5 * doubled
    }
}
