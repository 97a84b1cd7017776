//! Centre of mass, momentum and angular momentum of parts.
//!
//! ```text
//! x̄ = Σ M_lm Y_m / Σ M_lm,     p = Σ M_lm Ẏ_m,     L = Σ Y_l × M_lm Ẏ_m + Σ J_lm ṙ_m
//! ```
//!
//! with the consistent mass of the elements, what is lumped in points where the whole mechanism is asked for, and the origin as
//! the point that L is about.

use super::numbers::Numbers;
use super::{Group, State, System};
use crate::checked::{OfMass, Part};

impl System {
    /// Where the mass of a part, or of all, is or how it moves.
    pub(super) fn of_mass<N: Numbers<State>>(
        &self, state: &N, part: Option<Part>, of: OfMass,
    ) -> N::Number {
        let (mut sum, mut mass) = (N::Number::from(0.0), 0.0);
        let place = |u: usize| state.get(|s| s.q[u]);
        let speed = |u: usize| state.get(|s| s.velocity[u]);
        let mut add = |u: usize, w: usize, m: f64| {
            let axis = (!self.is_rotation[u]).then(|| self.nodes.axis(u));
            match of {
                OfMass::CentreX | OfMass::CentreY => {
                    if axis == Some((of == OfMass::CentreY).into()) {
                        sum += place(w) * m;
                        mass += m;
                    }
                }
                OfMass::MomentumX | OfMass::MomentumY => {
                    if axis == Some((of == OfMass::MomentumY).into()) {
                        sum += speed(w) * m;
                    }
                }
                OfMass::AngularMomentum => {
                    sum += match axis {
                        // Y₂ of a node follows its Y₁.
                        Some(0) => -(place(u + 1) * speed(w) * m),
                        Some(_) => place(u - 1) * speed(w) * m,
                        None => speed(w) * m,
                    };
                }
            }
        };
        match part {
            Some(part) => self.each_mass_of(part, &mut add),
            None => (self.mass.triplet_iter()).for_each(|(u, w, &m)| add(u, w, m)),
        }
        match mass > 0.0 {
            true => sum / mass,
            false => sum,
        }
    }

    /// Entries of the mass of a part.
    fn each_mass_of(&self, part: Part, add: &mut impl FnMut(usize, usize, f64)) {
        let own = |group: &&Group| group.owner.is_among(&[part]);
        if let Some(group) = self.groups.iter().find(own) {
            group.elements.masses(1.0, &mut *add);
        }
        if let Part::Body(id) = part
            && let Some(node) = self.nodes.of_rigid_body(id)
            && let Some(rigid) = self.model.bodies[id].rigid()
        {
            let masses = [rigid.mass, rigid.mass, rigid.inertia];
            node.unknowns().into_iter().zip(masses).for_each(|(u, m)| add(u, u, m));
        }
    }

    /// Unknowns of a part.
    pub(crate) fn unknowns_of_part(&self, part: Part) -> Vec<usize> {
        let mut unknowns = Vec::new();
        let own = |group: &&Group| group.owner.is_among(&[part]);
        if let Some(group) = self.groups.iter().find(own) {
            unknowns = group.elements.unknowns().flatten().copied().collect();
        }
        if let Part::Body(id) = part
            && let Some(node) = self.nodes.of_rigid_body(id)
        {
            unknowns.extend(node.unknowns());
        }
        unknowns.sort_unstable();
        unknowns.dedup();
        unknowns
    }
}
