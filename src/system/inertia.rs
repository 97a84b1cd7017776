//! How unknowns move over a step, and what becomes of the work of inertia in it.

use std::ops::Range;

use fearless_simd::dispatch;

use super::iterate::Driven;
use super::{State, System};
use crate::checked::Analysis;
use crate::numerics::lanes::level;
use crate::numerics::positions::Positions;

/// Weights of twice the mean of what the two ends of a step have.
pub(crate) const MEAN: [f64; 2] = [1.0, 1.0];

/// Those of twice what its end has.
pub(crate) const AT_END: [f64; 2] = [0.0, 2.0];

/// How the unknowns move at the end of a step.
#[derive(Debug, Clone)]
pub(crate) struct Movement {
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

    /// Lets unknown `u` move as it must.
    pub fn drive(&mut self, u: usize, velocity: f64, acceleration: f64) {
        self.velocity[u] = velocity;
        self.acceleration[u] = acceleration;
        self.algorithmic[u] = acceleration;
    }

    /// Writes this movement into `state`.
    pub fn regularisation(&self, state: &mut State) {
        state.velocity.copy_from_slice(&self.velocity);
        state.acceleration.copy_from_slice(&self.acceleration);
        state.algorithmic.copy_from_slice(&self.algorithmic);
    }
}

/// A step or its change: the state at its beginning, positions and movement at its end.
pub(crate) type Passage<'a> = (&'a State, &'a Positions, &'a Movement);

/// Room for the forces M q̈ and the momenta M q̇ of a step: twice the means of their ends.
#[derive(Debug, Clone)]
pub(crate) struct InertiaRoom {
    /// Of q̈ or of q̇.
    sums: Vec<f64>,
    forces: Vec<f64>,
    momenta: Vec<f64>,
}

impl InertiaRoom {
    pub fn new(system: &System) -> InertiaRoom {
        let zeros = vec![0.0; system.nodal];
        InertiaRoom { sums: zeros.clone(), forces: zeros.clone(), momenta: zeros }
    }

    /// Work of the forces M q̈ by the trapezoidal rule beside the kinetic energy that came of it, in a step of length `h`,
    ///
    /// ```text
    /// ½ Δqᵀ [M (q̈₀ + q̈₁) − r₀] − ½ Δq̇ᵀ M (q̇₀ + q̇₁)  =  ½ δᵀ M (q̈₀ + q̈₁) − ½ εᵀ M (q̇₀ + q̇₁) − ½ Δqᵀ r₀,
    /// δ = Δq − ½ h (q̇₀ + q̇₁),    ε = Δq̇ − ½ h (q̈₀ + q̈₁)
    /// ```
    ///
    /// J, where r₀ are the forces that q̈₀ leaves [without balance](State::unbalanced): what a step of the time integration takes from a linear system, exactly. δ and ε are what each
    /// unknown is off the trapezoidal rule. What is `driven` follows its motion and no rule: there it is what the motion's work by that rule lacks.
    /// It is bilinear but for terms that both orders cancel: δ and ε from `x`, the sums from `y`. Where work is that of the forces at the end of the
    /// step, 2 q̈₁ stands for the sum of q̈ and nothing for r₀: the `ends` count with these weights.
    pub fn work(
        &mut self, system: &System, h: f64, [first, last]: [f64; 2], x: Passage, y: Passage,
        driven: &Driven,
    ) -> InertiaWork {
        let mut found = InertiaWork::default();
        if system.model.solver.analysis == Analysis::QuasiStatic {
            return found;
        }
        let ((before, q, end), (other, _, other_end)) = (x, y);
        let InertiaRoom { sums, forces, momenta } = self;
        let accelerations = other.acceleration.iter().zip(&other_end.acceleration);
        for (sum, (a, b)) in sums.iter_mut().zip(accelerations) {
            *sum = first * a + last * b;
        }
        system.mass.forces(sums, forces);
        let velocities = other.velocity.iter().zip(&other_end.velocity);
        for (sum, (a, b)) in sums.iter_mut().zip(velocities) {
            *sum = a + b;
        }
        system.mass.forces(sums, momenta);
        let rates = before.velocity.iter().zip(&end.velocity);
        let accelerations = before.acceleration.iter().zip(&end.acceleration);
        let ways = q.ways(0..system.nodal, &before.q).zip(rates.zip(accelerations));
        let sums = forces.iter_mut().zip(momenta.iter_mut()).zip(&other.unbalanced);
        // Of each unknown its work and what it gains take the place of its force and its momentum.
        dispatch!(level(), _ => for (sums, (way, ((v0, v1), (a0, a1)))) in sums.zip(ways) {
            let ((force, momentum), unbalanced) = sums;
            let faster = v1 - v0;
            let off = way - 0.5 * h * (v0 + v1);
            let sum = first * a0 + last * a1;
            let off_rate = faster - 0.5 * h * sum;
            let left = first * unbalanced;
            *force = 0.5 * (*force * off - *momentum * off_rate - left * way);
            *momentum *= 0.5 * faster;
        });
        let mut rest = 0;
        for run in system.equation.runs_without(driven.unknowns()) {
            let Range { start, end } = run.unknowns();
            forces[rest..start].iter().for_each(|work| found.driven -= work);
            forces[start..end].iter().for_each(|work| found.taken += work);
            rest = end;
        }
        forces[rest..].iter().for_each(|work| found.driven -= work);
        found.gained = momenta.iter().sum();
        for slider in &system.sliders {
            let s = slider.coordinate;
            found.taken -= 0.5 * first * other.unbalanced[s] * q.way(s, &before.q);
        }
        found
    }
}

/// What becomes of the work of the forces M q̈ in a step, J.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InertiaWork {
    /// What the time integration has taken of it.
    pub taken: f64,
    /// Change of the kinetic energy.
    pub gained: f64,
    /// What motions have done besides their work by the trapezoidal rule.
    pub driven: f64,
}
