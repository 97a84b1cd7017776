//! Conditions that hold the same thing and share what it takes.
//!
//! Two sliders that stick on one rigid body hold it twice, and three wheels under a rigid bar one more time than it needs: of their forces
//! the sum is determined. They share it as equal springs would,
//!
//! ```text
//! c = c₀ + ε (λ − λ₀)
//! ```
//!
//! where c₀ is what they leave open where the step begins: positions that contradict each other by the tolerance of Newton's method would
//! otherwise be forces, without bound as ε falls.
//!
//! with the multipliers λ₀ from which the solution begins, and so little of ε that what gives way is rounding for everything else. In
//! the next step λ₀ is what λ was, so that nothing creeps: all that c ever is, is ε times the last change (the method of multipliers).
//!
//! In a quasi-static step friction that sticks may hold what motions move, as at a slider that a crank drives. ε of the tolerance of positions turns the
//! way into a force beyond any limit, against which the slider then slides; where the motions rest, friction keeps its force.

use super::{Along, Constraint, Iterate, MassFactor, Slider, Sliding, System};

/// Changes of what is shared whose work adds up before anything that a balance could be off by has moved.
const CHANGES: f64 = 100.0;

/// ε as a share of what a step lets the whole mass give way to a force, 1/(f m): so much that the rounding of places shares nothing.
const SHARE: f64 = 1e-4;

impl System {
    /// Lets contacts, and sliders that stick or may stick, share what they hold, whether or not they do so already; whether any
    /// does only now.
    pub(crate) fn share(&self, at: &mut Iterate, mass_factor: MassFactor) -> bool {
        let Some(give) = self.give(at, mass_factor) else {
            return false;
        };
        let (mut any, moves) = (false, mass_factor.is_some());
        for (slider, own) in self.sliders.iter().zip(&mut at.sliders) {
            if may_share(slider, own, moves) && own.give == [0.0; 3] {
                own.give = [give, give, give / (self.size * self.size)];
                own.leans = own.multipliers;
                any = true;
            }
        }
        any
    }

    /// Energy (J) below which a balance says nothing where conditions may share what they hold: the work ε F² of each change of a `force` (N) on what gives
    /// way is in no book.
    pub(crate) fn noise_of_sharing(
        &self, at: &Iterate, mass_factor: MassFactor, force: f64,
    ) -> f64 {
        let sliders = self.sliders.iter().zip(&at.sliders);
        let share = sliders.filter(|(slider, own)| may_share(slider, own, true));
        let give = mass_factor.and_then(|_| self.give(at, mass_factor));
        let give = give.filter(|_| share.count() > 1);
        give.map_or(0.0, |give| CHANGES * give * force * force)
    }

    /// ε, m/N; `None` where nothing has a mass, or in statics nothing a force.
    fn give(&self, at: &Iterate, mass_factor: MassFactor) -> Option<f64> {
        let Some(factor) = mass_factor else {
            let joints = at.sliders.iter().flat_map(|own| own.multipliers);
            let forces = joints.chain(at.external.iter().copied());
            let largest = forces.fold(0.0_f64, |most, force| most.max(force.abs()));
            let way = self.model.solver.position_tolerance * self.size;
            return (largest > 0.0).then(|| way / largest);
        };
        let mass: f64 = self.weight[0].iter().map(|(_, mass)| mass).sum();
        (mass > 0.0).then(|| SHARE / (factor * mass))
    }
}

/// Whether what a slider holds may be held by others as well, where masses `move` or in statics.
fn may_share(slider: &Slider, own: &Sliding, moves: bool) -> bool {
    let has_friction = match own.along {
        Along::Stick => moves,
        Along::Law => slider.friction.set_valued,
        Along::Free | Along::Slip(_) | Along::Driven(_) => false,
    };
    let holds = own.constraint != Constraint::Open && !slider.carries_friction_of_edge();
    holds && (has_friction || moves && slider.side.is_some())
}

impl Sliding {
    /// c₀ + ε (λ − λ₀) of its conditions, 0 where they do not share.
    pub(super) fn gives(&self) -> [f64; 3] {
        let shares = self.give != [0.0; 3];
        std::array::from_fn(|i| match shares {
            true => self.left[i] + self.give[i] * (self.multipliers[i] - self.leans[i]),
            false => 0.0,
        })
    }
}
