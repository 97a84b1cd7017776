//! Contact of a surface with a path, point by point: where a point of the surface stands beside the path, what
//! presses there, and its friction.
//!
//! Plain numbers in, forces and tangents out, as for joints; [`crate::system`] knows which points there are.

pub mod closest_point;
pub mod cover;
pub mod duals;
pub mod layer;
pub mod local;
pub mod point;
pub mod sample;
pub mod side;
pub mod strip;
