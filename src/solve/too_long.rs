//! Steps that are far too long for a mechanism.
//!
//! In a step of length h the first guess of Newton's method goes h |q̇| + ½ h² |q̈| far. Beyond the mechanism's size it has nothing to do
//! with the solution, and where a solution lies there, its positions have no digits left. And where nothing but inertia resists a motion x,
//! its share of the tangent, xᵀM x/h², has to stand out of the rounding of xᵀK x; else what only inertia resists seems to be a mechanism.

use super::tolerances::{CLEAR_OF_ROUNDING, NO_LENGTH, SENSIBLE_MOVE};
use crate::linear::FreeMotion;
use crate::message::rounded;
use crate::newton::{Failure, Newton, POSITION_ROUNDING};
use crate::system::{State, System};

impl System {
    /// Whether the first guess of a step of length `h` (s) from `state` lies beyond the mechanism's size.
    pub(super) fn guess_goes_too_far(&self, state: &State, h: f64) -> bool {
        let rates = state.velocity.iter().zip(&state.algorithmic);
        let mut moves = rates.map(|(v, a)| h * (v.abs() + 0.5 * h * a.abs())).enumerate();
        moves.any(|(u, by)| by > self.scale(u))
    }
}

impl Newton {
    /// Says why a step of length `h` (s) from `state`, which has met with `failure`, is far too long for the
    /// mechanism, and what length would do; `None` where it is not.
    pub(crate) fn too_long(
        &mut self, system: &System, state: &State, h: f64, failure: &Failure,
    ) -> Option<String> {
        let (why, length) = (self.goes_too_far(system, state, h, failure))
            .or_else(|| self.loads_too_much(system))
            .or_else(|| match failure {
                Failure::Singular { motion } => self.loses_inertia(system, state, h, motion),
                _ => None,
            })?;
        let remedy = if length < NO_LENGTH {
            "no step is short enough: hardly any mass resists what pushes there, or the mechanism locks".to_string()
        } else {
            format!("take `solver.step` up to about {} s", rounded(length, 1))
        };
        Some(format!("{why}; {remedy}"))
    }

    /// Of the unknowns that would go beyond the mechanism's size the one that asks for the shortest step, and that step.
    fn goes_too_far(
        &self, system: &System, state: &State, h: f64, failure: &Failure,
    ) -> Option<(String, f64)> {
        let gone = |u: usize| (self.at.q[u] - state.q[u]).abs();
        let guessed = (0..state.q.len()).map(|u| {
            let (v, a) = (state.velocity[u].abs(), state.algorithmic[u].abs());
            let goal = SENSIBLE_MOVE * system.scale(u);
            let length = 2.0 * goal / (v + (v * v + 2.0 * a * goal).sqrt());
            (u, h * (v + 0.5 * h * a), length)
        });
        let driven = (system.motions.iter().flat_map(|motion| &motion.unknowns)).map(|&u| {
            let length = self.at.step * SENSIBLE_MOVE * system.scale(u) / gone(u);
            (u, gone(u), length)
        });
        // A solution whose digits do not suffice; what has not moved before accelerates there.
        let farthest = self.at.q.iter().fold(0.0_f64, |far, q| far.max(q.abs()));
        let solved = match failure {
            Failure::NotConverged { left, .. } => {
                let mut misses = [left.gap, left.moved].into_iter().flatten();
                left.force.is_none() && misses.all(|miss| miss.by <= POSITION_ROUNDING * farthest)
            }
            _ => false,
        };
        let solution = (0..state.q.len()).filter(|_| solved).map(|u| {
            let share = SENSIBLE_MOVE * system.scale(u) / gone(u);
            (u, gone(u), self.at.step * share.sqrt())
        });
        let (u, by, length) = (guessed.chain(driven).chain(solution))
            .filter(|(u, by, length)| *by > system.scale(*u) && *length > 0.0)
            .min_by(|a, b| a.2.total_cmp(&b.2))?;
        let what = system.name_of(u);
        let why = if system.is_rotation.get(u) == Some(&true) {
            format!("within it {what} would turn by {} rad", rounded(by, 3))
        } else {
            format!(
                "within it {what} would move by {} m, and the mechanism's size is {} m",
                rounded(by, 3),
                rounded(system.size, 3)
            )
        };
        Some((why, length))
    }

    /// In statics: loads and motions of the step that would move the mechanism by more than its size.
    fn loads_too_much(&self, system: &System) -> Option<(String, f64)> {
        let first = self.corrections.first;
        let statics = !system.is_dynamic();
        (statics && first > 1.0 && first.is_finite()).then(|| {
            let why = format!(
                "its loads and motions would move the mechanism by {} times its size if it were linear",
                rounded(first, 2)
            );
            // What a history changes it has changed by the end of the experiment.
            let length = self.at.step.min(system.model.experiment.stop_time);
            (why, length * SENSIBLE_MOVE / first)
        })
    }

    /// A motion that seems to be a rigid-body mode, because the inertia that resists it is lost in the rounding of the stiffness.
    fn loses_inertia(
        &mut self, system: &System, state: &State, h: f64, motion: &FreeMotion,
    ) -> Option<(String, f64)> {
        if !system.is_dynamic() {
            return None;
        }
        self.at.q.copy_from(&state.q);
        system.residual_and_tangent(&self.at, &mut self.work, None);
        let (mut mass, mut stiffness) = (0.0, 0.0);
        for (e, x) in motion.interior.iter().enumerate() {
            mass += system.mass.of_entry(system.layout.position(e, e)) * x * x;
            stiffness += self.work.stiffness[e] * x * x;
        }
        // Against rounding of the stiffness: M/h² = clear · rounding · K.
        let limit = (mass / (POSITION_ROUNDING * stiffness)).sqrt();
        (mass > 0.0 && h > limit).then(|| {
            let why =
                "in it the inertia of the masses is lost in the rounding of the members' stiffness"
                    .to_string();
            (why, limit / CLEAR_OF_ROUNDING.sqrt())
        })
    }
}
