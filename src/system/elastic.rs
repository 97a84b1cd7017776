//! Forces and strain energy of members and bodies.

use super::sparse::largest;
use super::{ElementGroups, ElementId, Group, Iterate, Owner, Workspace};
use crate::elements::group::{Part, TangentRoom, Tangents};
use crate::numerics::lanes::{LANES, larger};
use crate::numerics::positions::Positions;

impl ElementGroups {
    /// ½ vᵀ K v of each member and body at the positions `q`: what moves with the velocities `v` stores h² times this (J) in a short time h.
    pub fn strained_by(&self, q: &Positions, v: &[f64]) -> Vec<(Owner, f64)> {
        let (mut room, mut force) = (TangentRoom::default(), vec![0.0; v.len()]);
        let own = self.iter().map(|Group { owner, elements }| {
            force.fill(0.0);
            elements.tangents(q, Tangents::All, &mut room, |k| k.add_product(v, &mut force));
            let power: f64 = force.iter().zip(v).map(|(f, v)| f * v).sum();
            (*owner, 0.5 * power)
        });
        own.collect()
    }

    /// Finds the forces of members and bodies and returns the largest of an element.
    pub fn evaluate(&self, at: &Iterate, work: &mut Workspace, tangent: bool) -> f64 {
        let mut peaks = [0.0; LANES];
        let mut least = 0.0;
        work.crushed = None;
        let (values, elastic) = (&mut work.matrix.interior.values, &mut work.elastic);
        let room = &mut work.tangents;
        elastic.fill(0.0);
        for (group, Group { elements, .. }) in self.iter().enumerate() {
            let mut margin = |element: usize, margin: f64| {
                if margin < least {
                    least = margin;
                    work.crushed = Some(ElementId { group, element });
                }
            };
            // What supports and motions hold altogether has no entry in the matrix.
            let wanted = tangent.then_some((Tangents::Moving, &mut *room));
            elements.parts(&at.q, wanted, |part| match part {
                Part::One(one) => {
                    one.add_tangent(values);
                    one.add_force(elastic);
                    margin(one.element, one.margin);
                    for forces in one.force.chunks(LANES) {
                        for (peak, f) in peaks.iter_mut().zip(forces) {
                            *peak = larger(*peak, f.abs());
                        }
                    }
                }
                Part::Several(several) => {
                    several.add_tangents(values);
                    several.add_forces(elastic);
                    for (lane, own) in several.margins[..several.count].iter().enumerate() {
                        margin(several.first + lane, *own);
                    }
                    for forces in several.forces {
                        for lane in 0..LANES {
                            peaks[lane] = larger(peaks[lane], forces[lane].abs());
                        }
                    }
                }
            });
        }
        largest(&peaks)
    }

    /// Forces of members and bodies on the nodal unknowns at the positions `q`, N or N·m.
    pub fn forces(&self, q: &Positions, out: &mut [f64]) {
        out.fill(0.0);
        for Group { elements, .. } in self.iter() {
            elements.forces(q, |found| found.add_force(out));
        }
    }

    /// Strain energy of members and bodies at the positions `q`, J.
    pub fn energy(&self, q: &Positions) -> f64 {
        let mut sum = 0.0;
        for Group { elements, .. } in self.iter() {
            elements.energies(q, |energy| sum += energy);
        }
        sum
    }

    /// Change of what the time integration takes of members and bodies in a step, J, where positions, forces f, and the changes of both are these before
    /// and after it: that of ½ Δqᵀ (f₀ + f₁) − ΔU is ½ [(f₀ − f₁)ᵀ (δq₀ + δq₁) + Δqᵀ (δf₀ + δf₁)].
    pub fn taken_change(
        &self, [before, last]: [(&Positions, &Positions); 2], [f0, f1]: [&[f64]; 2],
        [df0, df1]: [&[f64]; 2],
    ) -> f64 {
        let each = (0..f0.len()).map(|u| {
            (f0[u] - f1[u]) * (before.1[u] + last.1[u])
                + last.0.way(u, before.0) * (df0[u] + df1[u])
        });
        0.5 * each.sum::<f64>()
    }
}
