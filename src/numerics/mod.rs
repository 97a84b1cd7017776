//! Quadrature, polynomials and splines on plain numbers; knows no mechanism.

pub mod gauss;
pub mod lagrange;
pub mod spline;
