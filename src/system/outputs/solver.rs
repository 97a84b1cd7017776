//! Outputs of the solver.

use super::{List, Source};
use crate::checked::{Analysis, Output, Subject};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What is counted.
    pub enum OfSolver of (_model, _solver = ()) {}
    Steps => from_zero("steps", Count, "Accepted substeps since the start").never_negative(),
    Iterations => from_zero("iterations", Count, "Newton iterations since the start").never_negative(),
    Rejections => from_zero("rejections", Count, "Rejected substeps since the start").never_negative(),
    /// Independent motions in which an equilibrium is unstable.
    UnstableModes => from_zero("unstable_modes", Count, "Independent motions in which the equilibrium is unstable").never_negative(),
}

pub(super) fn list(list: &mut List<'_>) {
    let equilibria = list.model.solver.analysis == Analysis::QuasiStatic;
    for of in OfSolver::ALL.iter().filter(|of| **of != OfSolver::UnstableModes || equilibria) {
        list.add("solver", "", of.of(Subject::Solver));
    }
}

impl OfSolver {
    /// Whether an output counts what the solver has done, which is no event of the mechanism.
    pub fn counts(output: Output) -> bool {
        output.of == Subject::Solver && OfSolver::at(output) != OfSolver::UnstableModes
    }

    pub(super) fn value<N: Numbers<State>>(self, _: &System, state: &N, (): ()) -> N::Number {
        let now = state.now();
        N::Number::from(match self {
            OfSolver::Steps => now.counters.steps as f64,
            OfSolver::Iterations => now.counters.iterations as f64,
            OfSolver::Rejections => now.counters.rejections as f64,
            OfSolver::UnstableModes => f64::from(now.unstable_modes),
        })
    }

    pub(super) fn sources(self, _: &System, (): ()) -> Vec<Source> {
        vec![Source::Everything]
    }
}
