//! What a host reads of contacts of rigid surfaces: sums over their corners, each of which is a slider.

use num_dual::DualStruct;

use super::numbers::Numbers;
use super::{State, System};
use crate::checked::OfRigidContact;

impl System {
    /// The value of an output of a contact of a rigid surface.
    pub(super) fn value_of_rigid_contact<N: Numbers<State>>(
        &self, state: &N, contact: usize, of: OfRigidContact,
    ) -> N::Number {
        let now = state.now();
        let corners = || self.model.rigid_contacts[contact].corners.clone();
        let sum = |of: &dyn Fn(usize) -> N::Number| {
            corners().fold(N::Number::from(0.0), |sum, j| sum + of(j))
        };
        let mean = |of: &dyn Fn(usize) -> N::Number| sum(of) / corners().len() as f64;
        // Corners count along their faces, which a bend makes longer or shorter than the path.
        let slid = |j: usize| {
            let of_face = state.get(|s| s.q[self.sliders[j].coordinate]);
            let [along, rate] = self.sliders[j].path.along_axis(of_face.re());
            (of_face - of_face.re()) * rate + along
        };
        let pressed = |j: usize| self.normal_force_of(state, j)[0];
        let force = |j: usize, i: usize| state.get(|s| s.multipliers[j][i]);
        let touches = |j: &usize| !now.sliders[*j].regime.is_open();
        let whole = |count: usize| N::Number::from(count as f64);
        match of {
            OfRigidContact::NormalForce => sum(&pressed),
            OfRigidContact::ForceX => sum(&|j| force(j, 0)),
            OfRigidContact::ForceY => sum(&|j| force(j, 1)),
            OfRigidContact::Moment => {
                let at = |j: usize, i: usize| state.get(|s| s.q[self.sliders[j].unknowns[i]]);
                let middle = [0, 1].map(|i| mean(&|j| at(j, i)));
                sum(&|j| {
                    let [x, y] = [0, 1].map(|i| at(j, i) - middle[i]);
                    x * force(j, 1) - y * force(j, 0)
                })
            }
            OfRigidContact::FrictionForce => sum(&|j| state.get(|s| s.sliders[j].friction)),
            OfRigidContact::Centre => {
                let whole = sum(&pressed);
                if whole.re() > 0.0 { sum(&|j| pressed(j) * slid(j)) / whole } else { mean(&slid) }
            }
            OfRigidContact::Sticking => {
                let sticking = corners().filter(|&j| now.sliders[j].regime.sticks());
                whole(sticking.count()) / (corners().filter(touches).count().max(1) as f64)
            }
            OfRigidContact::Gap => {
                let gap = |j: &usize| self.gap_of_state(*j, now);
                let least = corners().min_by(|a, b| gap(a).total_cmp(&gap(b)));
                least.map_or_else(|| N::Number::from(0.0), |j| self.gap_in(state, j))
            }
            OfRigidContact::Sides => {
                let on = |left: bool| {
                    let of_face = |j: &usize| {
                        let side = self.sliders[*j].side;
                        side.is_some_and(|side| (side.sign() > 0.0) == left)
                    };
                    corners().filter(touches).any(|j| of_face(&j))
                };
                whole([true, false].into_iter().filter(|&left| on(left)).count())
            }
            OfRigidContact::Position => mean(&slid),
            OfRigidContact::DissipatedEnergy => {
                sum(&|j| state.get(|s| s.journal[j].work - s.journal[j].stored))
            }
        }
    }
}
