//! Element kernels: strain energy → internal force → tangent, on plain values.

pub mod frame;
pub mod gauss;
pub mod lagrange;
pub mod line_load;
