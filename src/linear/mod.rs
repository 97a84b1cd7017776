//! The linear systems of Newton's method.
//!
//! Their matrix is a large symmetric block that never changes its pattern (stiffness and mass of
//! the frame) with a small border (sliding coordinates and multipliers, whose coupling moves as
//! the sliders move):
//!
//! ```text
//! [ K  B ] [x]   [f]
//! [ C  D ] [y] = [g]
//! ```
//!
//! K is factored as L D Lᵀ inside its envelope, the border through its Schur complement. Follower
//! loads add a skew matrix to K, which is solved for beside the factorisation.

mod border;
mod dense;
mod envelope;
mod krylov;
pub mod mlcp;
mod negative;
mod order;
mod skew;

pub use border::{Bordered, FreeMotion};
pub use dense::{Dense, Singular};
pub use envelope::{Envelope, Layout};
pub use krylov::{NotConverged, Operator, Pair, largest};
pub use order::sloan;
pub use skew::Skew;
