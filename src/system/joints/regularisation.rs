//! Regularisation of redundant constraints.
//!
//! Two sliders that stick on one rigid body are redundant, and so is one of three wheels under a rigid bar: of their forces only the sum is
//! determined. They divide it as equal springs would,
//!
//! ```text
//! c = c₀ + ε (λ − λ₀)
//! ```
//!
//! with the multipliers λ₀ with which the step begins. c₀ is the error of the constraints where the step begins: positions that
//! contradict each other by the tolerance of Newton's method would otherwise be forces, without bound as ε falls. ε is so small that
//! these displacements are rounding for everything else. In the next step λ₀ is what λ was, so that nothing creeps: the error of c is
//! ε times the last change (the method of multipliers).
//!
//! In a quasi-static step sticking friction may oppose a motion, as at a slider that a crank drives. ε of the tolerance of positions makes a
//! force beyond any limit of this displacement, against which the slider then slides; where the motions rest, friction keeps its force.

use super::{Slider, SliderJoints};
use crate::system::{Along, Constraint, Iterate, Sliding};

/// Number of changes of redundant forces whose work adds up before the energy balance sees another change.
const CHANGES: f64 = 100.0;

impl SliderJoints {
    /// Regularises contacts, and sliders that stick or may stick, with a `compliance` ε (m/N), where masses `move` or in statics; returns
    /// whether any was not regularised before.
    pub fn regularise(&self, at: &mut Iterate, compliance: f64, moves: bool) -> bool {
        let mut any = false;
        for (slider, own) in self.iter().zip(&mut at.sliders) {
            if may_be_redundant(slider, own, moves) && own.compliance == [0.0; 3] {
                own.compliance = slider.compliances(compliance);
                own.reference = own.multipliers;
                any = true;
            }
        }
        any
    }

    /// Gives what is regularised the forces with which the step begins: a first guess that goes on with the change of redundant forces would let
    /// them creep, as nothing but the guess determines them.
    pub fn begin_redundant(&self, at: &mut Iterate) {
        for own in at.sliders.iter_mut().filter(|own| own.compliance != [0.0; 3]) {
            (own.multipliers, own.reference) = (own.begun, own.begun);
        }
    }

    /// Gives what is regularised another `compliance` ε (m/N), and the multipliers that it has as λ₀.
    pub fn regularise_anew(&self, at: &mut Iterate, compliance: f64) {
        for (slider, own) in self.iter().zip(&mut at.sliders) {
            if own.compliance != [0.0; 3] {
                own.compliance = slider.compliances(compliance);
                own.reference = own.multipliers;
            }
        }
    }

    /// Puts λ into the place of λ₀ where ε (λ − λ₀) leaves a constraint open by more than `tolerance` (m); returns the first slider where it
    /// does. What is redundant is then closed by the next solution. What the joints and motions ask for in contradiction never is.
    pub fn renew_references(&self, at: &mut Iterate, tolerance: f64) -> Option<usize> {
        let mut open = None;
        for (j, own) in at.sliders.iter_mut().enumerate() {
            let scales = [1.0, 1.0, self[j].size];
            let left = |i: usize| own.compliance[i] * (own.multipliers[i] - own.reference[i]);
            if (0..3).any(|i| (scales[i] * left(i)).abs() > tolerance) {
                own.reference = own.multipliers;
                open = open.or(Some(j));
            }
        }
        open
    }

    /// Energy (J) below which a balance says nothing where constraints may be redundant: the work ε F² of each change of a `force` (N) on the
    /// `compliance` (m/N) is not accounted for.
    pub fn energy_of_regularisation(&self, at: &Iterate, compliance: f64, force: f64) -> f64 {
        let both = self.iter().zip(&at.sliders);
        let redundant = both.filter(|(slider, own)| may_be_redundant(slider, own, true));
        if redundant.count() > 1 { CHANGES * compliance * force * force } else { 0.0 }
    }
}

impl Slider {
    /// ε of its constraints where that of positions is `compliance` (m/N).
    fn compliances(&self, compliance: f64) -> [f64; 3] {
        [compliance, compliance, compliance / (self.size * self.size)]
    }
}

/// Whether the constraints of a slider may be redundant, where masses `move` or in statics.
fn may_be_redundant(slider: &Slider, own: &Sliding, moves: bool) -> bool {
    let has_friction = match own.along {
        // In statics what has no friction is locked by the equilibrium of a start, which needs no more than the sum of the locks. Contacts may open
        // instead.
        Along::Stick => moves || !slider.friction.acts && slider.side.is_none(),
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
