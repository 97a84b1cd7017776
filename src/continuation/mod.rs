//! Paths of equilibria through limit and bifurcation points.
//!
//! Equilibria R(z, p) = 0 of the unknowns z (positions, rotations, sliding coordinates,
//! multipliers) over a factor p of loads or a motion form curves. One equation more says how far a
//! point lies beyond the one before,
//!
//! ```text
//! g(z, p) = g₀ + Δ        load control: g = p
//!                         displacement control: g = a place, a rotation or a probe
//!                         arc length: g = t·W (z − z₀) + t_p ψ² (p − p₀)
//! ```
//!
//! with the tangent t of the path at the point before (Keller 1977). Newton's method solves both by
//! eliminating z: δz = δz_R + δp z_p from two solutions with the tangent matrix, then δp from g
//! (Crisfield 1981; Ramm 1981).
//!
//! Between two points the number of unstable motions and the sign of ṗ tell what has been passed.
//! Where both change it is a limit point, where the number alone does a bifurcation. The place is
//! found by bisection; the motion that loses its stiffness there, by inverse iteration, leads onto
//! the other branch.
//!
//! Friction is left out, but for sliders that it holds where they are.

mod corrector;
mod gauge;
mod locate;
mod slides;
mod trace;

pub use trace::{Ended, Point, Station, follow};
