//! Element kernels: strain energy → internal force → tangent, on plain values.

pub mod curved;
pub mod density;
pub mod frame;
pub mod gauss;
pub mod initial;
pub mod lagrange;
pub mod section;
pub mod straight;
