//! Friction forces of bristles under bounds, those of all joints together.
//!
//! A correction of Newton's method in which the forces f of these joints are unknown reads, with the bristles' trial forces T = k_b z₀ + k
//! Δs, the bounds |f| ≤ L = μ F_N of the iterate and the forces g that the bristles lose by slipping,
//!
//! ```text
//! [ K  B ] [x]   [.]         rows of s:  T + k ds − g − Q_s − dQ_s = 0
//! [ C  D ] [y] = [.]                     f = T + k ds − g
//! ```
//!
//! With Z the change of ds by a force in each of these rows, from the border's Schur complement, and f⁰
//! the forces for g = 0, the corrections are condensed onto the joints,
//!
//! ```text
//! f + (1 − k Z) g = f⁰,      g = 0   or   f = L, g ≥ 0   or   f = −L, g ≤ 0
//! ```
//!
//! which is a linear complementarity problem with bounds in f (Peiret et al., Eq. 4, after elimination of everything else; −g stands for
//! their σ). It decides for all joints at once which of them slip and which way. F_N, which the bounds take from the iterate, is corrected
//! by the iterations that follow; where a joint slips, its row has μ ∂F_N in it, so that they converge quadratically.

use super::failure::Failure;
use crate::joints::regime::Sense;
use crate::laws::friction::Bounded;
use crate::linear::mlcp::{Bound, Form, Mlcp, Problem, Unsolved};
use crate::system::{Iterate, Slid, SliderState, Sliding, System, Workspace};

/// Room for the forces of all joints under a law with bounded bristles.
#[derive(Debug, Clone)]
pub struct Bristles {
    /// Sliders under such a law.
    sliders: Vec<usize>,
    /// Their rows of the border.
    rows: Vec<usize>,
    mlcp: Mlcp,
    /// 1 − k Z.
    matrix: Vec<f64>,
    /// Whether `matrix` is that of the equations factored last.
    condensed: bool,
    unbounded: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// g in the rows of the border.
    lost: Vec<f64>,
    /// The border's answer to one of them.
    response: Vec<f64>,
    /// Of the mechanism, m: what slips farther in one correction is held by nothing.
    size: f64,
}

impl Bristles {
    /// Room for the joints of `system`.
    pub fn new(system: &System) -> Bristles {
        let sliders: Vec<usize> =
            (0..system.sliders.len()).filter(|&j| system.sliders[j].friction.bounded).collect();
        let n = sliders.len();
        Bristles {
            rows: sliders.iter().map(|&j| system.sliders[j].border).collect(),
            sliders,
            mlcp: Mlcp::new(n),
            matrix: vec![0.0; n * n],
            condensed: false,
            unbounded: vec![0.0; n],
            lower: vec![0.0; n],
            upper: vec![0.0; n],
            lost: vec![0.0; system.border()],
            response: vec![0.0; system.border()],
            size: system.size,
        }
    }

    /// Whether no joint has such a law.
    pub fn is_empty(&self) -> bool {
        self.sliders.is_empty()
    }

    /// Tells that the equations have been factored anew.
    pub fn renew(&mut self) {
        self.condensed = false;
    }

    /// Solves the factored equations for the corrections `x` and `y`, which hold the right-hand side
    /// with the present forces, and notes in `at` which joints slip.
    pub fn solve(
        &mut self, at: &mut Iterate, work: &mut Workspace, x: &mut [f64], y: &mut [f64],
    ) -> Result<(), Failure> {
        if self.sliders.is_empty() {
            return (work.matrix.solve(x, y)).map_err(|_| Failure::singular(work));
        }
        for (&j, &row) in self.sliders.iter().zip(&self.rows) {
            y[row] -= work.sliders[j].bristles.excess();
        }
        (work.matrix.solve_border(x, y)).map_err(|_| Failure::singular(work))?;
        if self.some_slip(&work.sliders, y) {
            if !self.condensed {
                self.condense(work)?;
            }
            self.find_forces(&work.sliders, &mut at.sliders)
                .map_err(|reason| Failure::Bristles { reason })?;
            for (&row, w) in self.rows.iter().zip(self.mlcp.w()) {
                self.lost[row] = -w;
            }
            (work.matrix.change_border(&self.lost, x, y)).map_err(|_| Failure::singular(work))?;
        } else {
            for &j in &self.sliders {
                at.sliders[j].decided.bristles = Sense::Neither;
            }
        }
        work.matrix.solve_interior(x, y);
        Ok(())
    }

    /// Finds f⁰ from the border's correction `y` for g = 0, and whether any of it is out of bounds.
    fn some_slip(&mut self, found: &[Slid], y: &[f64]) -> bool {
        let mut any = false;
        for (i, (&j, &row)) in self.sliders.iter().zip(&self.rows).enumerate() {
            let Bounded { trial, limit, stiffness } = found[j].bristles;
            self.unbounded[i] = trial + stiffness * y[row];
            (self.lower[i], self.upper[i]) = (-limit, limit);
            // A force that is no number is none of its business: the correction shows it.
            any |= self.unbounded[i].abs() > limit;
        }
        any
    }

    /// Condenses the factored equations onto the joints.
    fn condense(&mut self, work: &mut Workspace) -> Result<(), Failure> {
        let n = self.sliders.len();
        for (i, &row) in self.rows.iter().enumerate() {
            (work.matrix.border_response(row, &mut self.response))
                .map_err(|_| Failure::singular(work))?;
            for (j, &slider) in self.sliders.iter().enumerate() {
                let follows = work.sliders[slider].bristles.stiffness * self.response[self.rows[j]];
                self.matrix[j * n + i] = f64::from(u8::from(i == j)) - follows;
            }
        }
        self.condensed = true;
        Ok(())
    }

    /// Solves the condensed problem.
    fn find_forces(&mut self, found: &[Slid], sliders: &mut [Sliding]) -> Result<(), Unsolved> {
        for (guess, &j) in self.mlcp.active_mut().iter_mut().zip(&self.sliders) {
            *guess = bound(sliders[j].decided.bristles);
        }
        self.search().or_else(|unsolved| {
            // Statics of what nothing but friction locks: where nothing presses yet, the bristles do.
            let mut any = false;
            for (i, &j) in self.sliders.iter().enumerate() {
                if found[j].bristles.limit == 0.0 {
                    (self.lower[i], self.upper[i]) = (f64::NEG_INFINITY, f64::INFINITY);
                    any = true;
                }
            }
            if any { self.search() } else { Err(unsolved) }
        })?;
        // Of what friction alone holds, rounding is all that is left of the equations where everything slips.
        let way = |(&j, lost): (&usize, &f64)| (lost / found[j].bristles.stiffness).abs();
        let slips = self.sliders.iter().zip(self.mlcp.w());
        let far = slips.map(way).filter(|way| *way > self.size).count();
        if far > 0 {
            return Err(Unsolved::Singular { rows: far });
        }
        for (&j, &bound) in self.sliders.iter().zip(self.mlcp.active()) {
            // Where nothing presses, neither bound is the one that it slips at.
            sliders[j].decided.bristles = match bound {
                Bound::Lower if found[j].bristles.limit > 0.0 => Sense::Backward,
                Bound::Upper => Sense::Forward,
                _ => Sense::Neither,
            };
        }
        Ok(())
    }

    fn search(&mut self) -> Result<usize, Unsolved> {
        self.mlcp.solve(&Problem {
            form: Form::Inverse,
            matrix: &self.matrix,
            constant: &self.unbounded,
            lower: &self.lower,
            upper: &self.upper,
            coulomb: &[],
        })
    }
}

fn bound(slips: Sense) -> Bound {
    match slips {
        Sense::Backward => Bound::Lower,
        Sense::Forward => Bound::Upper,
        Sense::Neither => Bound::Neither,
    }
}

/// Which way the bristles of a slider slipped in the step before.
pub(crate) fn slipped(state: &SliderState) -> Sense {
    if state.regime.sticks() { Sense::Neither } else { Sense::of(state.friction) }
}
