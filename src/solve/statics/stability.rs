//! Whether an equilibrium is stable.
//!
//! An equilibrium is stable where every small motion that the joints allow takes energy: where the tangent K of the potential, projected on
//! the constraints A z = 0, has no negative eigenvalue. The matrix of Newton's method knows them all,
//!
//! ```text
//! n₋ [K Aᵀ; A 0] = n₋ (ZᵀKZ) + m,     A Z = 0
//! ```
//!
//! with m multipliers and the number n₋ of negative eigenvalues (Gould 1985): its negative pivots less m are the motions that run away.
//! Follower loads add a skew half N, which is no potential either. Where K alone is stable, K + N is never singular: zᵀ(K + N)z = zᵀKz > 0.
//! Where it is not, the sign of the whole determinant says whether the number of motions that run away is even or odd; of the two numbers
//! next to that of K it takes the smaller. Motions that swing themselves up (flutter) show in no determinant; those of steady sliding are
//! found [otherwise](crate::sliding::growth).
//!
//! Friction is no potential. A slider that sticks is held here, and the force of one that slides is taken for a dead load.

use crate::newton::Newton;
use crate::system::{Along, MassFactor, System};

impl Newton {
    /// Independent motions in which the equilibrium in the iterate is unstable; the workspace's
    /// forces are lost, and sliders are left stuck or free. The matrix is left factored.
    pub(crate) fn unstable_modes(&mut self, system: &System) -> u32 {
        self.negative_modes(system, None)
    }

    /// [`Newton::unstable_modes`] where `mass_factor` times the masses adds to the stiffness.
    pub(crate) fn negative_modes(&mut self, system: &System, mass_factor: MassFactor) -> u32 {
        self.fix_sticking_sliders();
        system.residual_and_tangent(&self.at, &mut self.work, mass_factor);
        let (negative, factored) = self.work.matrix.factor_counting();
        let multipliers = system.acting_multipliers(&self.at);
        let unstable = negative.saturating_sub(multipliers) as u32;
        let turned = unstable > 0 && factored.is_ok() && self.work.matrix.turns_sign();
        if factored.is_err() {
            // Solutions near a bifurcation still tell the way.
            system.residual_and_tangent(&self.at, &mut self.work, mass_factor);
            let _singular = self.work.matrix.factor_nearly_singular();
        }
        unstable - u32::from(turned)
    }

    /// For small motions about the iterate: sliders that stick are held, all others are free, their friction a dead load.
    pub(crate) fn fix_sticking_sliders(&mut self) {
        for (slider, found) in self.at.sliders.iter_mut().zip(&self.work.sliders) {
            let stays = found.state.regime.sticks() || slider.along == Along::Stick;
            slider.along = if stays { Along::Stick } else { Along::Free };
        }
    }
}
