//! What a frame element needs to know of its section: the energy per reference length as a function of
//! stretch, shear and curvature, with its derivatives.

use crate::numerics::lanes::Real;

/// The energy per reference length W(P, Q, κ) of a section.
pub trait Density {
    fn energy<T: Real>(&self, p: T, q: T, k: T) -> T;

    /// The derivatives of `weight`·W.
    fn derivatives<T: Real>(&self, weight: f64, p: T, q: T, k: T) -> Derivatives<T>;

    /// P, Q and κ of the initial configuration.
    fn rest(&self) -> [f64; 3];

    /// Stretch against that of the initial configuration.
    fn stretch<T: Real>(&self, p: T) -> T;
}

/// Derivatives of W by P, Q and κ.
#[derive(Debug, Clone, Copy)]
pub struct Derivatives<T = f64> {
    pub p: T,
    pub q: T,
    pub k: T,
    pub pp: T,
    pub pq: T,
    pub qq: T,
    pub pk: T,
    pub qk: T,
    pub kk: T,
}
