//! Material and section of a member.

/// Material and section of a member.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Properties {
    /// E, Pa (> 0).
    pub young_modulus: f64,
    /// G, Pa (> 0).
    pub shear_modulus: f64,
    /// ρ, kg/m³ (≥ 0).
    pub density: f64,
    /// A, m² (> 0).
    pub area: f64,
    /// A_v, m² (> 0, at most A): a straight member has the shear stiffness G A_v.
    pub shear_area: f64,
    /// I = ∫η² dA, m⁴ (> 0).
    pub second_moment: f64,
    /// J₄ = ∫η⁴ dA, m⁶ (≥ I²/A).
    pub fourth_moment: f64,
    /// Which section has these moments, for its height and for the fibres of curved members.
    pub shape: SectionShape,
    /// Mass by length beside ρA, kg/m (≥ 0).
    pub added_mass: f64,
    /// Whether ρI enters the mass of the section rotation.
    pub rotary_inertia: bool,
}

impl Properties {
    /// Mass by length, kg/m.
    pub fn mass_by_length(&self) -> f64 {
        self.density * self.area + self.added_mass
    }
}

/// What is known of a section beyond its moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SectionShape {
    Rectangle,
    /// A circle or a tube.
    Ring,
    /// Any other, with the distance of its outermost fibre from the axis, m, where it is known.
    Moments {
        outermost: Option<f64>,
    },
}
