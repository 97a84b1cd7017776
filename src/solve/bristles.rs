//! Friction forces of bristles under bounds, those of all joints together.
//!
//! A correction of Newton's method in which the forces f of these joints are unknown reads, with the
//! bristles' trial forces T = k_b z₀ + k Δs, the bounds |f| ≤ L = μ F_N of the iterate and the forces g that
//! the bristles lose by slipping,
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
//! which is a mixed linear complementarity problem with bounds in (f, g) (Peiret et al., Eq. 4, with g in
//! the place of σ). It decides for all joints at once which of them slip and which way. F_N, which the
//! bounds take from the iterate, is corrected by the iterations that follow; where a joint slips, its row
//! has μ ∂F_N in it, so that they converge quadratically.

use super::mlcp::{Mlcp, Problem, Side, Unsolved};
use crate::laws::friction::Bounded;
use crate::system::{Iterate, SliderState, System, Workspace};

/// Room for the forces of all joints under a law with bounded bristles.
#[derive(Debug, Clone)]
pub struct Bristles {
    /// Sliders under such a law.
    sliders: Vec<usize>,
    /// Their rows of the border.
    rows: Vec<usize>,
    mlcp: Mlcp,
    matrix: Vec<f64>,
    constant: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Bristles {
    /// Room for the joints of `system`.
    pub fn new(system: &System) -> Bristles {
        let sliders: Vec<usize> = (0..system.sliders.len())
            .filter(|&j| system.sliders[j].bounded)
            .collect();
        let n = sliders.len();
        Bristles {
            rows: sliders.iter().map(|&j| system.sliders[j].border).collect(),
            sliders,
            mlcp: Mlcp::new(2 * n),
            matrix: vec![0.0; 4 * n * n],
            constant: vec![0.0; 2 * n],
            lower: vec![f64::NEG_INFINITY; 2 * n],
            upper: vec![f64::INFINITY; 2 * n],
        }
    }

    /// Condenses the factored equations of `work` onto the joints.
    pub fn condense(&mut self, work: &mut Workspace) {
        let n = self.sliders.len();
        let order = 2 * n;
        for (i, &row) in self.rows.iter().enumerate() {
            self.matrix[i * order + n + i] = -1.0;
            self.matrix[(n + i) * order + i] = 1.0;
            let response = work.matrix.border_response(row);
            for (j, &slider) in self.sliders.iter().enumerate() {
                let follows = work.bristles[slider].stiffness * response[self.rows[j]];
                let own = f64::from(u8::from(i == j));
                self.matrix[(n + j) * order + n + i] = own - follows;
            }
        }
    }

    /// Solves the factored equations for the corrections `x` and `y`, which hold the right-hand side
    /// with the present forces, and notes in `at` which joints slip.
    ///
    /// # Errors
    /// [`Unsolved`].
    pub fn solve(
        &mut self,
        at: &mut Iterate,
        work: &mut Workspace,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<(), Unsolved> {
        let Workspace {
            matrix, bristles, ..
        } = work;
        if self.sliders.is_empty() {
            matrix.solve(x, y);
            return Ok(());
        }
        for (&j, &row) in self.sliders.iter().zip(&self.rows) {
            y[row] -= bristles[j].excess();
        }
        matrix.solve_answering(x, y, |unbounded, right| {
            self.find_forces(bristles, &mut at.slips, unbounded)?;
            let lost = &self.mlcp.x()[self.sliders.len()..];
            for (&row, g) in self.rows.iter().zip(lost) {
                right[row] += g;
            }
            Ok(())
        })
    }

    fn search(&mut self) -> Result<usize, Unsolved> {
        self.mlcp.solve(&Problem {
            matrix: &self.matrix,
            constant: &self.constant,
            lower: &self.lower,
            upper: &self.upper,
        })
    }

    /// Solves the condensed problem, where `unbounded` is the border's correction for g = 0.
    fn find_forces(
        &mut self,
        bristles: &[Bounded<f64>],
        slips: &mut [i8],
        unbounded: &[f64],
    ) -> Result<(), Unsolved> {
        let n = self.sliders.len();
        for (i, (&j, &row)) in self.sliders.iter().zip(&self.rows).enumerate() {
            let Bounded {
                trial,
                limit,
                stiffness,
            } = bristles[j];
            self.constant[n + i] = -(trial + stiffness * unbounded[row]);
            self.lower[i] = -limit;
            self.upper[i] = limit;
            self.mlcp.sides_mut()[i] = side(slips[j]);
        }
        self.mlcp.sides_mut()[n..].fill(Side::Between);
        self.search().or_else(|unsolved| {
            // Statics of what nothing but friction holds: where nothing presses yet, the bristles do.
            let mut any = false;
            for i in (0..n).filter(|&i| bristles[self.sliders[i]].limit == 0.0) {
                (self.lower[i], self.upper[i]) = (f64::NEG_INFINITY, f64::INFINITY);
                any = true;
            }
            if any { self.search() } else { Err(unsolved) }
        })?;
        for (i, &j) in self.sliders.iter().enumerate() {
            // Where nothing presses, neither bound is the one that it slips at.
            slips[j] = match self.mlcp.sides()[i] {
                Side::Lower if bristles[j].limit > 0.0 => -1,
                Side::Upper => 1,
                _ => 0,
            };
        }
        Ok(())
    }
}

fn side(slips: i8) -> Side {
    match slips {
        -1 => Side::Lower,
        1 => Side::Upper,
        _ => Side::Between,
    }
}

/// Which way the bristles of a slider slipped in the step before.
pub(super) fn slipped(state: &SliderState) -> i8 {
    if state.sticking {
        0
    } else {
        i8::from(state.friction > 0.0) - i8::from(state.friction < 0.0)
    }
}
