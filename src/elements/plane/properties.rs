//! Material and thickness of a plane body.

use super::density::Density;

/// Material and thickness of a plane body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneProperties {
    /// Strain energy per volume.
    pub energy: Density,
    /// m (> 0).
    pub thickness: f64,
    /// ρ, kg/m³ (≥ 0).
    pub density: f64,
}
