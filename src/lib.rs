//! Planar flexible mechanisms with sliding joints and friction, as FMI 2.0 co-simulation units.

pub mod abi;
pub mod elements;
pub mod fmu;
pub mod joints;
pub mod laws;
pub mod model;
pub mod solve;
pub mod system;
