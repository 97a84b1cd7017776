//! Constitutive laws: parameters, equation, tangent, memory. One law per file.

pub mod friction;
pub mod rayleigh;
