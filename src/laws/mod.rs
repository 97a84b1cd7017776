//! Constitutive laws: parameters, equation, tangent, memory. One law per file.

pub mod bearing;
pub mod friction;
pub mod rayleigh;
pub mod spring;
pub mod transmission;
