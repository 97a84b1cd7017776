//! Terms of the equations of motion: springs, pins, loads and what else exerts forces on nodal unknowns. Each owns its data and
//! states its force once, in numbers of any kind.

pub(crate) mod damping;
pub(crate) mod gravity;
pub(crate) mod hinges;
pub(crate) mod line_loads;
pub(crate) mod loads;
pub(crate) mod measure;
pub(crate) mod pins;
pub(crate) mod point_loads;
pub(crate) mod springs;

use super::equations::Equations;
use super::{Iterate, Numbers, Varied, Workspace};

/// What exerts forces on nodal unknowns.
pub(crate) trait Term {
    /// Hands each of its forces in the residual to `add`, with its unknown.
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, add: impl FnMut(usize, N::Number));

    /// Adds its forces at an iterate to the residual, and their tangent to the matrix where it is asked for; returns the largest force, N.
    fn evaluate(
        &self, equations: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool,
    ) -> f64;

    /// Adds the change of its forces at the iterate `at` by the change `by` to `out`.
    fn add_change(&self, at: &Iterate, by: &Iterate, out: &mut [f64]) {
        self.each_force(&Varied { now: at, by }, |u, force| out[u] += force.eps);
    }
}
