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
//! K is factored as L D Lᵀ, front by front together with what of the border can be eliminated with it, the rest of the border through its
//! Schur complement. Couplings of surfaces with what they pass come and go; fronts are ordered anew with them. Follower loads and friction add an unsymmetric matrix to K, which is solved for
//! beside the factorisation.

mod arnoldi;
mod beside;
mod border;
mod constant;
mod couplings;
mod dense;
mod entries;
mod frontal;
pub mod impulses;
mod krylov;
mod layout;
mod least_change;
mod lists;
pub mod mlcp;
mod negative;
mod rounding;

pub use arnoldi::{Eigen, Spectrum, leading};
pub use beside::Beside;
pub use border::{Bordered, FreeMotion, Interior};
pub use constant::Constant;
pub use couplings::{Passing, each_pair};
pub use dense::{Dense, Singular};
pub use frontal::Follower;
pub use krylov::{NotConverged, Operator, Pair, largest, numbers};
pub use layout::{Cost, Layout};
pub use least_change::LeastChange;
