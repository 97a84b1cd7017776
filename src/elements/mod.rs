//! Element kernels: strain energy → internal force → tangent, on plain values.

pub mod curved;
pub mod density;
pub mod frame;
pub mod initial;
pub mod line_load;
pub mod properties;
pub mod resultants;
pub mod section;
pub mod straight;
