//! Plane solids: triangles of order 1 to 4 under finite deformation.

pub mod body;
pub mod density;
pub mod kernel;
pub mod properties;
pub mod stress;
#[cfg(test)]
mod tests;
