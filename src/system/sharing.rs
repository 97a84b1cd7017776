//! Conditions that hold the same thing and share what it takes.
//!
//! Two sliders that stick on one rigid body hold it twice, and three wheels under a rigid bar one more time than it needs: of their forces
//! the sum is determined. They share it as equal springs would,
//!
//! ```text
//! c = ε (λ − λ₀)
//! ```
//!
//! with the multipliers λ₀ from which the solution begins, and so little of ε that what gives way is rounding for everything else. In
//! the next step λ₀ is what λ was, so that nothing creeps: all that c ever is, is ε times the last change (the method of multipliers).

use super::{Along, Constraint, Iterate, MassFactor, Slider, Sliding, System};

/// ε as a share of what a step lets the whole mass give way to a force, 1/(f m): so much that the rounding of places shares nothing.
const SHARE: f64 = 1e-4;

impl System {
    /// Lets contacts, and sliders that stick or may stick, share what they hold, whether or not they do so already; whether any
    /// does only now.
    pub(crate) fn share(&self, at: &mut Iterate, mass_factor: MassFactor) -> bool {
        let mass: f64 = self.weight[0].iter().map(|(_, mass)| mass).sum();
        let Some(factor) = mass_factor.filter(|_| mass > 0.0) else {
            return false;
        };
        let mut any = false;
        for (slider, own) in self.sliders.iter().zip(&mut at.sliders) {
            if may_share(slider, own) && own.give == [0.0; 3] {
                let give = SHARE / (factor * mass);
                own.give = [give, give, give / (self.size * self.size)];
                own.leans = own.multipliers;
                any = true;
            }
        }
        any
    }
}

/// Whether what a slider holds may be held by others as well.
fn may_share(slider: &Slider, own: &Sliding) -> bool {
    let rubs = match own.along {
        Along::Stick => true,
        Along::Law => slider.cuts,
        Along::Free | Along::Slip(_) | Along::Driven => false,
    };
    let holds = own.constraint != Constraint::Open && !slider.carries_friction_of_edge();
    holds && (rubs || slider.side.is_some())
}

impl Sliding {
    /// ε (λ − λ₀) of its conditions.
    pub(super) fn gives(&self) -> [f64; 3] {
        std::array::from_fn(|i| self.give[i] * (self.multipliers[i] - self.leans[i]))
    }
}
