//! Joints that are more than shared degrees of freedom: sliders and their paths.

pub mod arm;
pub mod blend;
pub mod element;
pub mod flexibility;
pub mod nearest;
pub mod path;
pub mod regime;
pub mod roughness;
pub mod slider;
