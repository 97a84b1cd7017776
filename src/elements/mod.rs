//! Element kernels: strain energy → internal force → tangent, on plain values.

pub mod curved;
pub mod density;
pub mod frame;
pub mod gauss;
pub mod initial;
pub mod lagrange;
pub mod line_load;
pub mod resultants;
pub mod section;
pub mod straight;
