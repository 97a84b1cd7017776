//! What a law does near rest.

use serde::Deserialize;

/// What a law does near rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The law holds the slider with any force up to μ(0) F_N (Půst et al. 2011, second row of Eq. 1).
    Holds(Transition),
    /// The force vanishes with the velocity (ibid., Eq. 3): whatever is pulled creeps.
    Creeps,
}

/// How a law that holds finds out whether it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transition {
    /// Set-valued at rest: a slider that sticks does not move at all while |Q_s| ≤ μ_s F_N, one that
    /// slides feels F_dry(|ṡ|) against its motion. When one becomes the other is found inside the step
    /// (`solve/events/transition.rs`). In statics and in the rest of a step in which it changes, the way of the step decides by
    /// the return map of the trial T = Q_s + (m/Δt) v, v = Δs/Δt: sticks with F_f = T + ηv while |T| ≤ F_dry(|v|),
    /// slides with F_f = F_dry sgn T + ηv otherwise.
    #[default]
    SetValued,
    /// Siqueira & Coda 2023, Eqs. 28-29 with their misprints corrected: v_σ in the exponent of the
    /// first branch, +F_S sgn F_R in the second, |F_R| in v₀, the third clipped to ±F_S.
    #[serde(rename = "siqueira_coda_2023")]
    SiqueiraCoda2023,
}

impl Rest {
    /// What it does, for documents.
    pub fn summary(self) -> &'static str {
        match self {
            Rest::Holds(Transition::SiqueiraCoda2023) => {
                "the form printed by Siqueira and Coda (2023)"
            }
            Rest::Holds(Transition::SetValued) => {
                "it sticks exactly while the contact force is below the static one; when it begins to \
                 stick or to slide is found inside the step"
            }
            Rest::Creeps => "its force vanishes with the velocity: whatever is pulled creeps",
        }
    }
}
