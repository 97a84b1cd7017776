//! Kinds of elements, one folder each, and groups of any kind: strain energy → internal force → tangent, on
//! plain values.

#[cfg(test)]
pub mod bar;
pub mod frame;
pub mod group;
pub mod initial;
pub mod kernel;
pub mod line_load;
pub mod plane;
