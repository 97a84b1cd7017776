//! How the parts of a step are integrated.
//!
//! From the first change of friction on, or where nothing else gets through, the rest of a step is implicit Euler steps,
//!
//! ```text
//! q₁ = q₀ + τ q̇₁,    M (q̇₁ − q̇₀) = τ f(q₁, q̇₁)
//! ```
//!
//! with friction as a function of the way that is slid, against which it acts: p Δs ≤ 0 for every slider, whatever the
//! time scales of what it constrains. Events can follow each other without end in a finite time, as the bounces of a ball
//! do. After so many that a step has room for, contacts and stops, too, are conditions at the end of its rest,
//! 0 ≤ g₁ ⟂ λ₁ ≥ 0, and what they have closed meets in an impact without restitution.

use crate::joints::regime::Regime;
use crate::system::{Along, Slider};

/// How a part of a step is integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// By generalized-α; every event is looked for.
    Alpha,
    /// By implicit Euler with friction at its end; the other events are looked for.
    Euler,
    /// By implicit Euler with all conditions at its end.
    Complementary,
}

impl Scheme {
    /// What gets through where this one does not.
    pub fn instead(self) -> Option<Scheme> {
        match self {
            Scheme::Alpha => Some(Scheme::Euler),
            Scheme::Euler => Some(Scheme::Complementary),
            Scheme::Complementary => None,
        }
    }

    /// What constrains `slider` along its path in a step that begins in `regime`.
    pub fn along(self, slider: &Slider, regime: Regime) -> Along {
        match self {
            Scheme::Alpha => Along::of(slider, regime),
            Scheme::Euler | Scheme::Complementary => Along::Law,
        }
    }
}
