//! Quadrature, expressions, polynomials, splines, roots and sets on plain numbers; knows no mechanism.

pub mod bernstein;
pub mod cubic;
pub mod derivative;
pub mod disjoint;
pub mod expression;
pub mod gauss;
pub mod hypot;
pub mod lagrange;
pub mod lanes;
pub mod legendre;
pub mod monotone;
pub mod number;
pub mod plane;
pub mod positions;
pub mod root;
pub mod sin_cos;
pub mod spline;
pub mod triangle;
pub mod triangle_map;
pub mod triangle_rule;
