//! Element kernels: strain energy → internal force → tangent, on plain values.

#[cfg(test)]
pub mod bar;
pub mod curved;
pub mod density;
pub mod frame;
pub mod group;
pub mod initial;
pub mod kernel;
pub mod line_load;
pub mod properties;
pub mod resultants;
pub mod section;
pub mod straight;
