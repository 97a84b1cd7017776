//! Coulomb friction with Stribeck decay and a viscous part.

/// Parameters of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stribeck {
    /// μ_s ≥ 0.
    pub static_coefficient: f64,
    /// μ_k, 0 ≤ μ_k.
    pub kinetic_coefficient: f64,
    /// v_σ > 0, m/s.
    pub decay_velocity: f64,
    /// δ_σ > 0.
    pub decay_exponent: f64,
    /// η ≥ 0, N·s/m.
    pub viscous_coefficient: f64,
    pub transition: Transition,
}

/// How the law passes through zero velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transition {
    /// Trial T = F_R + (m/Δt) v; sticks with T if |T| is below the dry friction at |v|.
    #[default]
    ReturnMap,
    /// Siqueira & Coda 2023, Eqs. 28-29 with their misprints corrected.
    SiqueiraCoda2023,
    /// The return map with the multiplier's tangential component as the resultant force F_R.
    Multiplier,
}
