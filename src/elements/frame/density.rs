//! What a frame element needs to know of its section: the energy per reference length as a function of
//! stretch, shear and curvature, with its derivatives.

/// The energy per reference length W(P, Q, κ) of a section.
pub trait Density {
    fn energy(&self, p: f64, q: f64, k: f64) -> f64;

    /// The derivatives of `weight`·W.
    fn derivatives(&self, weight: f64, p: f64, q: f64, k: f64) -> Derivatives;

    /// P, Q and κ of the initial configuration.
    fn rest(&self) -> [f64; 3];

    /// Stretch against that of the initial configuration.
    fn stretch(&self, p: f64) -> f64;
}

/// Derivatives of W by P, Q and κ.
#[derive(Debug, Clone, Copy)]
pub struct Derivatives {
    pub p: f64,
    pub q: f64,
    pub k: f64,
    pub pp: f64,
    pub pq: f64,
    pub qq: f64,
    pub pk: f64,
    pub qk: f64,
    pub kk: f64,
}
