//! Regularisation of redundant constraints.
//!
//! Two sliders that stick on one rigid body are redundant, and so is one of three wheels under a rigid bar: of their forces only the sum is
//! determined. They divide it as equal springs would,
//!
//! ```text
//! c = c₀ + ε (λ − λ₀)
//! ```
//!
//! with the multipliers λ₀ from which the solution begins. c₀ is the error of the constraints where the step begins: positions that
//! contradict each other by the tolerance of Newton's method would otherwise be forces, without bound as ε falls. ε is so small that
//! these displacements are rounding for everything else. In the next step λ₀ is what λ was, so that nothing creeps: the error of c is
//! ε times the last change (the method of multipliers).
//!
//! In a quasi-static step sticking friction may oppose a motion, as at a slider that a crank drives. ε of the tolerance of positions makes a
//! force beyond any limit of this displacement, against which the slider then slides; where the motions rest, friction keeps its force.

use super::{Along, Constraint, Iterate, MassFactor, Slider, Sliding, System};

/// Number of changes of redundant forces whose work adds up before the energy balance sees another change.
const CHANGES: f64 = 100.0;

/// ε as a share of the displacement of the whole mass in a step by a unit force, 1/(f m): large enough that the rounding of positions
/// makes no force.
const COMPLIANCE: f64 = 1e-4;

impl System {
    /// Regularises contacts, and sliders that stick or may stick; returns whether any was not regularised before.
    pub(crate) fn regularise(&self, at: &mut Iterate, mass_factor: MassFactor) -> bool {
        let Some(compliance) = self.regularisation(at, mass_factor) else {
            return false;
        };
        let (mut any, moves) = (false, mass_factor.is_some());
        for (slider, own) in self.sliders.iter().zip(&mut at.sliders) {
            if may_be_redundant(slider, own, moves) && own.compliance == [0.0; 3] {
                own.compliance = [compliance, compliance, compliance / (self.size * self.size)];
                own.reference = own.multipliers;
                any = true;
            }
        }
        any
    }

    /// Energy (J) below which a balance says nothing where constraints may be redundant: the work ε F² of each change of a `force` (N) on the
    /// compliance is not accounted for.
    pub(crate) fn energy_of_regularisation(
        &self, at: &Iterate, mass_factor: MassFactor, force: f64,
    ) -> f64 {
        let sliders = self.sliders.iter().zip(&at.sliders);
        let redundant = sliders.filter(|(slider, own)| may_be_redundant(slider, own, true));
        let compliance = mass_factor.and_then(|_| self.regularisation(at, mass_factor));
        let compliance = compliance.filter(|_| redundant.count() > 1);
        compliance.map_or(0.0, |compliance| CHANGES * compliance * force * force)
    }

    /// ε, m/N; `None` where nothing has a mass, or in statics nothing a force.
    fn regularisation(&self, at: &Iterate, mass_factor: MassFactor) -> Option<f64> {
        let Some(factor) = mass_factor else {
            let joints = at.sliders.iter().flat_map(|own| own.multipliers);
            let forces = joints.chain(at.external.iter().copied());
            let largest = forces.fold(0.0_f64, |most, force| most.max(force.abs()));
            let displacement = self.model.solver.position_tolerance * self.size;
            return (largest > 0.0).then(|| displacement / largest);
        };
        let mass: f64 = self.gravity.weight[0].iter().map(|(_, mass)| mass).sum();
        (mass > 0.0).then(|| COMPLIANCE / (factor * mass))
    }
}

/// Whether the constraints of a slider may be redundant, where masses `move` or in statics.
fn may_be_redundant(slider: &Slider, own: &Sliding, moves: bool) -> bool {
    let has_friction = match own.along {
        Along::Stick => moves,
        Along::Law => slider.friction.set_valued,
        Along::Free | Along::Slip(_) | Along::Driven(_) => false,
    };
    let constrained = own.constraint != Constraint::Open && !slider.carries_friction_of_edge();
    constrained && (has_friction || moves && slider.side.is_some())
}

impl Sliding {
    /// c₀ + ε (λ − λ₀) of its constraints, 0 where they are not regularised.
    pub(super) fn regularised(&self) -> [f64; 3] {
        let is_regularised = self.compliance != [0.0; 3];
        std::array::from_fn(|i| match is_regularised {
            true => self.left[i] + self.compliance[i] * (self.multipliers[i] - self.reference[i]),
            false => 0.0,
        })
    }
}
